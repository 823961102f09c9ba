/* SPDX-License-Identifier: MIT */
/*
 * digest.h - the hash algorithms as the program sees them: one table.
 */
#ifndef BLOCKSHA_CLI_DIGEST_H
#define BLOCKSHA_CLI_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "blocksha.h"

enum { DIGEST_MAX_SIZE = BLOCKSHA_SHA256_DIGEST_SIZE };

enum digest_id {
	DIGEST_SHA1,
	DIGEST_SHA256,
	DIGEST_COUNT,
};

/* A message that is being hashed. */
union digest_state {
	blocksha_sha1_ctx sha1;
	blocksha_sha256_ctx sha256;
};

/* What a finished message has: the first size bytes are its digest. */
struct digest_value {
	unsigned char bytes[DIGEST_MAX_SIZE];
};

struct digest_algorithm {
	const char *name; /* as in --algorithm */
	const char *tag;  /* as in tagged lines */
	size_t size;      /* of a digest, in bytes */
	void (*init)(union digest_state *state);
	void (*update)(union digest_state *state, const void *data, size_t size);
	int (*final)(union digest_state *state,
		     struct digest_value *value); /* BLOCKSHA_OK or an error */
};

extern const struct digest_algorithm digest_algorithms[DIGEST_COUNT];

/* Some of the algorithms, each at most once, in the order of their output lines. */
struct digest_set {
	size_t count;
	const struct digest_algorithm *algorithms[DIGEST_COUNT];
};

/* Adds an algorithm unless it is already there. */
void digest_set_add(struct digest_set *set, const struct digest_algorithm *algorithm);

/* Adds the algorithms of a list of names with commas between them ("sha1,sha256"). Returns false
   when one is unknown. */
bool digest_set_parse(struct digest_set *set, const char *list);

#endif
