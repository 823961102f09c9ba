/* SPDX-License-Identifier: MIT */
/*
 * extra.h - files in trees that no list names.
 */
#ifndef BLOCKSHA_CLI_EXTRA_H
#define BLOCKSHA_CLI_EXTRA_H

#include <stdbool.h>

#include "nameset.h"
#include "walk.h"

struct extra_options {
	const struct nameset *listed; /* names in the lists */
	char *const *lists;           /* which are not extra themselves */
	int list_count;
	const struct walk_options *walk;
	bool quoted; /* names as in check.h */
	bool json;   /* objects instead of lines */
	bool silent; /* the exit code and messages alone tell */
};

/* Goes through the trees and prints "NAME: EXTRA" for each file that is not listed. Returns the
   exit code: STATUS_OK if there is none and all could be seen. */
int extra_report(const struct extra_options *options, char *const *roots, int count);

#endif
