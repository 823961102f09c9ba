/* SPDX-License-Identifier: MIT */
/*
 * git_report.h - collects what was found about one file, and hands it on in a fixed order.
 *
 * Threads add findings as they come. A bounded number is kept, those with the lowest offsets,
 * so that the result does not depend on which thread was faster. Nothing is given to the
 * callback before the end.
 */
#ifndef BLOCKSHA_GIT_REPORT_H
#define BLOCKSHA_GIT_REPORT_H

#include <pthread.h>
#include <stdbool.h>

#include "blocksha_git.h"

struct git_finding; /* a kept one */

struct git_report {
	const struct blocksha_git_options *options;
	const char *file;
	enum blocksha_git_format format; /* of the names in findings, once it is known */
	uint64_t origin; /* added to the offsets of findings: of a pack inside a bundle */
	pthread_mutex_t lock;
	struct git_finding *kept;
	size_t count, limit;
	uint64_t kinds[BLOCKSHA_GIT_KINDS]; /* all, also those not kept */
	int companion; /* the result of files that were verified with it, as of the index of a pack
			*/
};

/* file must stay valid until the end. */
void blocksha_git_report_begin(struct git_report *report,
			       const struct blocksha_git_options *options, const char *file);

/* Hands all to the callback. Returns BLOCKSHA_OK, BLOCKSHA_ATTACK or BLOCKSHA_GIT_BAD. */
int blocksha_git_report_end(struct git_report *report);

/* Ends it without handing anything on. */
void blocksha_git_report_drop(struct git_report *report);

/* Whether only notes were found so far. */
bool blocksha_git_report_is_good(struct git_report *report);

/* Forgets what was found so far: it will be looked at again. */
void blocksha_git_report_reset(struct git_report *report);

/* Where in the file, and what it is about. */
struct git_place {
	uint64_t offset;
	const unsigned char *name; /* of an object, or NULL */
	bool whole;                /* it is about the whole file, and kept whatever else is found */
};

static inline struct git_place git_object_at(uint64_t offset, const unsigned char *name)
{
	struct git_place place = {offset, name, false};

	return place;
}

static inline struct git_place git_whole_at(uint64_t offset)
{
	struct git_place place = {offset, NULL, true};

	return place;
}

#define GIT_AT(offset) git_object_at((offset), NULL)
#define GIT_WHOLE_AT(offset) git_whole_at(offset)
#define GIT_NOWHERE git_whole_at(BLOCKSHA_GIT_NO_OFFSET)

/* Adds a finding. All strings are copied; expected and found may be NULL. */
void blocksha_git_report_add(struct git_report *report, enum blocksha_git_kind kind,
			     struct git_place place, const char *expected, const char *found,
			     const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The same with numbers, and with names or checksums, for expected and found. */
void blocksha_git_report_numbers(struct git_report *report, enum blocksha_git_kind kind,
				 struct git_place place, uint64_t expected, uint64_t found,
				 const char *text);
void blocksha_git_report_digests(struct git_report *report, enum blocksha_git_kind kind,
				 struct git_place place, const unsigned char *expected,
				 const unsigned char *found, size_t size, const char *text);

/* An object that carries an attack. */
void blocksha_git_report_attack(struct git_report *report, struct git_place place,
				const struct blocksha_attack *attack);

#endif
