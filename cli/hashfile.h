/* SPDX-License-Identifier: MIT */
/*
 * hashfile.h - the digests of one file, in one read, and the attack in it.
 */
#ifndef BLOCKSHA_CLI_HASHFILE_H
#define BLOCKSHA_CLI_HASHFILE_H

#include <stdint.h>

#include "digest.h"
#include "reader.h"

struct hash_result {
	int error;     /* the errno of opening or reading; 0: the digests are there */
	bool opened;   /* an error came later than opening */
	bool changed;  /* the file changed while it was read, and there was no other error */
	uint64_t size; /* bytes read, also before an error */
	struct digest_value digests[DIGEST_COUNT]; /* by digest_id; those of the pass */
	struct blocksha_attack attack; /* in what was read, also before an error; 0 blocks: none */
};

/* Room for the texts below. */
enum { HASH_TEXT_SIZE = 256 };

/* Hashes the file of that name ("-": standard input). */
void hash_file(struct reader *reader, const char *name, const struct digest_pass *pass,
	       struct hash_result *result);

/* Why there are no digests: "Is a directory", or when bytes were read before the error
   "at byte 4096: Input/output error". */
void hash_reason(const struct hash_result *result, char text[HASH_TEXT_SIZE]);

/* The attack: "SHA-1 collision attack at byte 256, disturbance vector II(52,0), 1 block". */
void hash_attack_text(const struct hash_result *result, char text[HASH_TEXT_SIZE]);

#endif
