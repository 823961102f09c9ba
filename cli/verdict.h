/* SPDX-License-Identifier: MIT */
/*
 * verdict.h - what became of one line of a checksum list, and how that is told.
 */
#ifndef BLOCKSHA_CLI_VERDICT_H
#define BLOCKSHA_CLI_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "check.h"
#include "checklist.h"
#include "hashfile.h"

enum verdict {
	VERDICT_OK,
	VERDICT_MALFORMED,
	VERDICT_UNREADABLE,
	VERDICT_MISMATCH,
	VERDICT_CHANGED,
	VERDICT_UNSAFE,      /* a name that --safe-paths refuses */
	VERDICT_UNSUPPORTED, /* an algorithm that the program does not have */
	VERDICT_MISSING,     /* and that is to be ignored */
	VERDICT_COUNT,
};

/* A line that says something, on its way through the hashing. */
struct check_item {
	uint64_t line;                /* its number in the list */
	enum checklist_kind kind;     /* CHECKLIST_ENTRY, _UNSUPPORTED or _MALFORMED */
	struct checklist_entry entry; /* of the first two; its strings are those below */
	char *name;                   /* owned; NULL in a malformed line */
	char *foreign;                /* owned, or NULL */
	const char *unsafe;           /* why the file must not be opened, or NULL */
};

/* Whether the file of the item is to be hashed. */
bool check_item_has_file(const struct check_item *item);

/* The verdict on an item; result is that of its file, if it has one. */
enum verdict verdict_find(const struct check_options *options, const struct check_item *item,
			  const struct hash_result *result);

/* Says it: on standard error what there is to say beyond the verdict, then the verdict on standard
   output. list: its name in messages. */
void verdict_report(const struct check_options *options, const char *list,
		    const struct check_item *item, const struct hash_result *result,
		    enum verdict verdict);

/* Warns, by numbers, of the lines that were not verified. */
void verdict_summary(const struct check_options *options, const char *list,
		     const uint64_t counts[VERDICT_COUNT]);

/* Whether a list with these numbers of verdicts is verified. */
bool verdict_passed(const struct check_options *options, const uint64_t counts[VERDICT_COUNT]);

#endif
