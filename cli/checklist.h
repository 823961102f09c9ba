/* SPDX-License-Identifier: MIT */
/*
 * checklist.h - the grammar of checksum lists: one line at a time, no input or output.
 *
 *	HEX  NAME	GNU; the second separator may be an asterisk (binary)
 *	HEX NAME	reversed BSD ("md5 -r"); one space or tab
 *	SHA256 (NAME) = HEX	tagged; the spaces outside the parentheses may be left out
 *
 * Blanks (spaces and tabs) before a line are skipped, then a backslash says that the name is
 * escaped: \\, \n and \r stand for a backslash, a newline and a carriage return. Digits may
 * be of either case. A carriage return before the newline is not part of the line. Empty lines
 * and those that begin with # are nothing.
 *
 * "HEX  NAME" could also be a reversed line of " NAME". The first line of a list that
 * can only be one of the two decides for the rest of the list.
 */
#ifndef BLOCKSHA_CLI_CHECKLIST_H
#define BLOCKSHA_CLI_CHECKLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "digest.h"

enum checklist_form {
	CHECKLIST_FORM_UNKNOWN,
	CHECKLIST_FORM_GNU,
	CHECKLIST_FORM_REVERSED,
};

/* What is known about the list while its lines are read one after the other. */
struct checklist {
	const struct digest_set *algorithms; /* those that its lines may have */
	bool one_cr;              /* strip one carriage return, as coreutils; else all at the end */
	enum checklist_form form; /* CHECKLIST_FORM_UNKNOWN before the first line */
};

struct checklist_entry {
	const struct digest_algorithm *algorithm; /* by the tag or the number of digits */
	struct digest_value digest;
	const char *name; /* not escaped any more; within the line; may be empty */
};

enum checklist_kind {
	CHECKLIST_NOTHING, /* an empty line or a comment */
	CHECKLIST_ENTRY,
	CHECKLIST_MALFORMED,
};

/* Parses a line without its newline. line[length] is written to, and the text changed: the name
   is unescaped in place. NUL bytes end what stands before them, as in coreutils. */
enum checklist_kind checklist_parse(struct checklist *list, char *line, size_t length,
				    struct checklist_entry *entry);

#endif
