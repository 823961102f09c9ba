/* SPDX-License-Identifier: MIT */
#include "digest.h"

#include <string.h>

const struct digest_algorithm digest_algorithms[DIGEST_COUNT] = {
	[DIGEST_SHA1] = {DIGEST_SHA1, "sha1", "SHA1", BLOCKSHA_SHA1_DIGEST_SIZE},
	[DIGEST_SHA256] = {DIGEST_SHA256, "sha256", "SHA256", BLOCKSHA_SHA256_DIGEST_SIZE},
};

#define INIT_AND_UPDATE(hash)                                                               \
	static void hash##_init(union digest_state *state)                                  \
	{                                                                                   \
		blocksha_##hash##_init(&state->hash);                                       \
	}                                                                                   \
	static void hash##_update(union digest_state *state, const void *data, size_t size) \
	{                                                                                   \
		blocksha_##hash##_update(&state->hash, data, size);                         \
	}

INIT_AND_UPDATE(sha1)
INIT_AND_UPDATE(sha1dc)
INIT_AND_UPDATE(sha256)
INIT_AND_UPDATE(sha1_sha256)
INIT_AND_UPDATE(sha1dc_sha256)

static int sha1_final(union digest_state *state, struct digest_value *values,
		      struct blocksha_attack *attack)
{
	(void)attack;
	return blocksha_sha1_final(&state->sha1, values[DIGEST_SHA1].bytes);
}

static int sha1dc_final(union digest_state *state, struct digest_value *values,
			struct blocksha_attack *attack)
{
	return blocksha_sha1dc_final(&state->sha1dc, values[DIGEST_SHA1].bytes, attack);
}

static int sha256_final(union digest_state *state, struct digest_value *values,
			struct blocksha_attack *attack)
{
	(void)attack;
	return blocksha_sha256_final(&state->sha256, values[DIGEST_SHA256].bytes);
}

static int sha1_sha256_final(union digest_state *state, struct digest_value *values,
			     struct blocksha_attack *attack)
{
	(void)attack;
	return blocksha_sha1_sha256_final(&state->sha1_sha256, values[DIGEST_SHA1].bytes,
					  values[DIGEST_SHA256].bytes);
}

static int sha1dc_sha256_final(union digest_state *state, struct digest_value *values,
			       struct blocksha_attack *attack)
{
	return blocksha_sha1dc_sha256_final(&state->sha1dc_sha256, values[DIGEST_SHA1].bytes,
					    values[DIGEST_SHA256].bytes, attack);
}

/* Digests of many messages stand side by side without gaps; each goes to its value. */
static void spread(const unsigned char *digests, enum digest_id id, size_t count,
		   struct digest_value (*values)[DIGEST_COUNT])
{
	size_t size = digest_algorithms[id].size;

	for (size_t i = 0; i < count; i++)
		memcpy(values[i][id].bytes, digests + size * i, size);
}

static void sha1_many(const struct blocksha_message *messages, size_t count,
		      struct digest_value (*values)[DIGEST_COUNT], struct blocksha_attack *attacks)
{
	unsigned char digests[DIGEST_MANY_MAX][BLOCKSHA_SHA1_DIGEST_SIZE];

	(void)attacks;
	blocksha_sha1_many(messages, count, digests);
	spread(digests[0], DIGEST_SHA1, count, values);
}

static void sha1dc_many(const struct blocksha_message *messages, size_t count,
			struct digest_value (*values)[DIGEST_COUNT],
			struct blocksha_attack *attacks)
{
	unsigned char digests[DIGEST_MANY_MAX][BLOCKSHA_SHA1_DIGEST_SIZE];

	blocksha_sha1dc_many(messages, count, digests, attacks);
	spread(digests[0], DIGEST_SHA1, count, values);
}

static void sha256_many(const struct blocksha_message *messages, size_t count,
			struct digest_value (*values)[DIGEST_COUNT],
			struct blocksha_attack *attacks)
{
	unsigned char digests[DIGEST_MANY_MAX][BLOCKSHA_SHA256_DIGEST_SIZE];

	(void)attacks;
	blocksha_sha256_many(messages, count, digests);
	spread(digests[0], DIGEST_SHA256, count, values);
}

/* Two passes over short messages in lanes are faster than one pass over each. */
static void sha1_sha256_many(const struct blocksha_message *messages, size_t count,
			     struct digest_value (*values)[DIGEST_COUNT],
			     struct blocksha_attack *attacks)
{
	sha1_many(messages, count, values, attacks);
	sha256_many(messages, count, values, attacks);
}

static void sha1dc_sha256_many(const struct blocksha_message *messages, size_t count,
			       struct digest_value (*values)[DIGEST_COUNT],
			       struct blocksha_attack *attacks)
{
	sha1dc_many(messages, count, values, attacks);
	sha256_many(messages, count, values, attacks);
}

#define ROW(hash)                                                     \
	{                                                             \
		hash##_init, hash##_update, hash##_final, hash##_many \
	}
#define BIT(algorithm) (1u << DIGEST_##algorithm)

/* By the algorithms of the set, and by whether SHA-1 is the plain one. */
static const struct digest_pass passes[1u << DIGEST_COUNT][2] = {
	[BIT(SHA1)] = {ROW(sha1dc), ROW(sha1)},
	[BIT(SHA256)] = {ROW(sha256), ROW(sha256)},
	[BIT(SHA1) | BIT(SHA256)] = {ROW(sha1dc_sha256), ROW(sha1_sha256)},
};

const struct digest_pass *digest_set_pass(const struct digest_set *set, bool plain_sha1)
{
	unsigned bits = 0;

	for (size_t i = 0; i < set->count; i++)
		bits |= 1u << set->algorithms[i]->id;
	return &passes[bits][plain_sha1];
}

void digest_set_add(struct digest_set *set, const struct digest_algorithm *algorithm)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->algorithms[i] == algorithm)
			return;
	set->algorithms[set->count++] = algorithm;
}

/* The algorithm with a name of length characters; NULL when there is none. */
static const struct digest_algorithm *find(const char *name, size_t length)
{
	for (size_t i = 0; i < DIGEST_COUNT; i++) {
		const struct digest_algorithm *algorithm = &digest_algorithms[i];

		if (strlen(algorithm->name) == length && memcmp(algorithm->name, name, length) == 0)
			return algorithm;
	}
	return NULL;
}

bool digest_set_parse(struct digest_set *set, const char *list)
{
	for (;;) {
		size_t length = strcspn(list, ",");
		const struct digest_algorithm *algorithm = find(list, length);

		if (algorithm == NULL)
			return false;
		digest_set_add(set, algorithm);
		if (list[length] == '\0')
			return true;
		list += length + 1;
	}
}
