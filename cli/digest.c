/* SPDX-License-Identifier: MIT */
#include "digest.h"

#include <string.h>

static void sha1_init(union digest_state *state)
{
	blocksha_sha1_init(&state->sha1);
}

static void sha1_update(union digest_state *state, const void *data, size_t size)
{
	blocksha_sha1_update(&state->sha1, data, size);
}

static int sha1_final(union digest_state *state, struct digest_value *value)
{
	return blocksha_sha1_final(&state->sha1, value->bytes);
}

static void sha256_init(union digest_state *state)
{
	blocksha_sha256_init(&state->sha256);
}

static void sha256_update(union digest_state *state, const void *data, size_t size)
{
	blocksha_sha256_update(&state->sha256, data, size);
}

static int sha256_final(union digest_state *state, struct digest_value *value)
{
	return blocksha_sha256_final(&state->sha256, value->bytes);
}

const struct digest_algorithm digest_algorithms[DIGEST_COUNT] = {
	[DIGEST_SHA1] = {"sha1", "SHA1", BLOCKSHA_SHA1_DIGEST_SIZE, sha1_init, sha1_update,
			 sha1_final},
	[DIGEST_SHA256] = {"sha256", "SHA256", BLOCKSHA_SHA256_DIGEST_SIZE, sha256_init,
			   sha256_update, sha256_final},
};

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
