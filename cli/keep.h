/* SPDX-License-Identifier: MIT */
/*
 * keep.h - keeps a checksum list up to date with the trees that it is of.
 */
#ifndef BLOCKSHA_CLI_KEEP_H
#define BLOCKSHA_CLI_KEEP_H

#include <stdbool.h>

#include "digest.h"
#include "hashfile.h"
#include "walk.h"

struct keep_options {
	struct digest_set allowed; /* algorithms that the list may have */
	struct digest_set
		wanted; /* those that each file gets besides the list's own; may be empty */
	bool plain_sha1;
	bool recheck; /* hash all files, not only those that look changed */
	bool tagged;  /* make its lines tagged ones */
	bool quoted;  /* names as in check.h */
	bool silent;  /* the exit code and messages alone tell */
	unsigned jobs;
	struct walk_options walk;
	struct hash_options hash;
};

/*
 * Reads the list of that name, which need not be there yet, goes through the trees, and hashes the
 * files that are not in it or whose size or time of modification is another (stamp.h). Prints a
 * line for each file that is not as the list has it:
 *
 *	NEW      it is not in the list
 *	CHANGED  its digest is another
 *	MISSING  it is not there any more
 *	SUSPECT  its digest is another, but its size and its time of modification are not
 *
 * and replaces the list by one that is right; of a suspect file it keeps the old digest. An
 * interruption, or a list that cannot be kept whole, leaves the list as it is. Returns the exit
 * code: STATUS_OK if all files could be read and none is suspect.
 */
int keep_update(const struct keep_options *options, const char *list, char *const *roots,
		int count);

#endif
