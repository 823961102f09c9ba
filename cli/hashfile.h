/* SPDX-License-Identifier: MIT */
/*
 * hashfile.h - the digests of one file, in one read.
 */
#ifndef BLOCKSHA_CLI_HASHFILE_H
#define BLOCKSHA_CLI_HASHFILE_H

#include <stdint.h>

#include "digest.h"
#include "reader.h"

struct hash_result {
	int error;     /* the errno of opening or reading; 0: the digests are there */
	bool opened;   /* an error came later than opening */
	uint64_t size; /* bytes read, also before an error */
	struct digest_value digests[DIGEST_COUNT]; /* in the order of the set */
};

/* Room for the text of hash_reason. */
enum { HASH_REASON_SIZE = 256 };

/* Hashes the file of that name ("-": standard input) by each algorithm of set. */
void hash_file(struct reader *reader, const char *name, const struct digest_set *set,
	       struct hash_result *result);

/* Why there are no digests: "Is a directory", or when bytes were read before the error
   "at byte 4096: Input/output error". */
void hash_reason(const struct hash_result *result, char text[HASH_REASON_SIZE]);

#endif
