/* SPDX-License-Identifier: MIT */
/*
 * listdiff.h - compares two checksum lists, without the files that they name.
 */
#ifndef BLOCKSHA_CLI_LISTDIFF_H
#define BLOCKSHA_CLI_LISTDIFF_H

#include <stdbool.h>

#include "digest.h"

struct listdiff_options {
	const struct digest_set *algorithms; /* that the lists may have */
	bool quoted;                         /* names as in check.h */
	bool silent;                         /* the exit code alone tells */
};

/* Prints a line for each file that the second list has not ("MISSING"), has with another digest
   ("CHANGED"), or has alone ("NEW"). Returns the exit code: STATUS_OK if both were read whole and
   say the same of the same files, of which there is one at least. */
int listdiff(const struct listdiff_options *options, const char *old_name, const char *new_name);

#endif
