/* SPDX-License-Identifier: MIT */
/*
 * digest.h - the hash algorithms as the program sees them: a table of them, and one of the ways
 * to compute them.
 */
#ifndef BLOCKSHA_CLI_DIGEST_H
#define BLOCKSHA_CLI_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "blocksha.h"

enum {
	DIGEST_MAX_SIZE = BLOCKSHA_SHA256_DIGEST_SIZE,
	DIGEST_MANY_MAX = 64, /* messages in one call of many */
};

enum digest_id {
	DIGEST_SHA1,
	DIGEST_SHA256,
	DIGEST_COUNT,
};

/* A message that is being hashed. */
union digest_state {
	blocksha_sha1_ctx sha1;
	blocksha_sha1dc_ctx sha1dc;
	blocksha_sha256_ctx sha256;
	blocksha_sha1_sha256_ctx sha1_sha256;
	blocksha_sha1dc_sha256_ctx sha1dc_sha256;
};

/* A digest: the first bytes, as many as its algorithm has. */
struct digest_value {
	unsigned char bytes[DIGEST_MAX_SIZE];
};

struct digest_algorithm {
	enum digest_id id;
	const char *name; /* as in --algorithm */
	const char *tag;  /* as in tagged lines */
	size_t size;      /* of a digest, in bytes */
};

extern const struct digest_algorithm digest_algorithms[DIGEST_COUNT];

/* Some of the algorithms, each at most once, in the order of their output lines. */
struct digest_set {
	size_t count;
	const struct digest_algorithm *algorithms[DIGEST_COUNT];
};

/* How the digests of a set are computed: in one pass over the message. */
struct digest_pass {
	void (*init)(union digest_state *state);
	void (*update)(union digest_state *state, const void *data, size_t size);
	/* Sets values[id] for each algorithm and, when an attack was found, *attack. Returns
	   BLOCKSHA_OK, BLOCKSHA_ATTACK or an error. */
	int (*final)(union digest_state *state, struct digest_value *values,
		     struct blocksha_attack *attack);
	/* The same for up to DIGEST_MANY_MAX messages at once: values[i][id], and attacks[i] if
	   attacks are looked for. */
	void (*many)(const struct blocksha_message *messages, size_t count,
		     struct digest_value (*values)[DIGEST_COUNT], struct blocksha_attack *attacks);
};

/* The pass for a set that is not empty. plain_sha1: without detection of collision attacks. */
const struct digest_pass *digest_set_pass(const struct digest_set *set, bool plain_sha1);

/* Adds an algorithm unless it is already there. */
void digest_set_add(struct digest_set *set, const struct digest_algorithm *algorithm);

/* Adds the algorithms of a list of names with commas between them ("sha1,sha256"). Returns false
   when one is unknown. */
bool digest_set_parse(struct digest_set *set, const char *list);

#endif
