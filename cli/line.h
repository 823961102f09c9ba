/* SPDX-License-Identifier: MIT */
/*
 * line.h - the lines that are results: digests and verdicts.
 *
 * They go to a stdio stream; names come in any bytes and are escaped as coreutils
 * 9.1 does it.
 */
#ifndef BLOCKSHA_CLI_LINE_H
#define BLOCKSHA_CLI_LINE_H

#include <stdbool.h>
#include <stdio.h>

#include "digest.h"

struct line_format {
	bool tagged; /* "SHA256 (NAME) = HEX", else "HEX  NAME" */
	bool binary; /* an asterisk before the name of an untagged line */
	bool zero;   /* ends in NUL, and names are not escaped */
};

/* The line for one digest of one file. */
void line_digest(FILE *out, const struct line_format *format, const char *name,
		 const struct digest_algorithm *algorithm, const struct digest_value *value);

/* "NAME: VERDICT"; quoted: the name as in messages (quote.h), which is how coreutils 9.11 has it.
 */
void line_verdict(FILE *out, const char *name, bool quoted, const char *verdict);

#endif
