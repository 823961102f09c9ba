/* SPDX-License-Identifier: MIT */
/*
 * stamp.h - what a kept list remembers of a file besides its digests: size and time of the last
 * modification, in a comment.
 *
 *	# blocksha: size=6 time=1700000000.123456789 name=a.txt
 *
 * The name comes last and is always escaped, as in checklist.h but without a backslash before the
 * line. A question mark behind the time says that the file was young when it was hashed: it may
 * have been written again before the clock of its file system moved on, so that size and time alone
 * do not tell whether it is the same.
 */
#ifndef BLOCKSHA_CLI_STAMP_H
#define BLOCKSHA_CLI_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct stamp {
	uint64_t size;
	struct timespec time;
	bool young;
};

/* Reads a comment of length characters, followed by a byte that is written to; the text is
   changed. Returns the name in it, or NULL for any other comment. */
char *stamp_parse(char *line, size_t length, struct stamp *stamp);

/* Writes the comment, with its newline. */
void stamp_write(FILE *out, const struct stamp *stamp, const char *name);

/* Whether size and time are those of the stamp. */
bool stamp_equal(const struct stamp *one, const struct stamp *other);

/* Whether a file with that time of modification, whose hashing began at now or later, counts as
   young. */
bool stamp_is_young(const struct timespec *time, const struct timespec *now);

#endif
