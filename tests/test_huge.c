/* SPDX-License-Identifier: MIT */
/*
 * test_huge.c - messages whose length in bits, or in bytes, does not fit 32 bits. For
 * real: the other tests only set the count. Takes about a minute.
 *
 * Every message is the first MiB of test_stream again and again. It costs no memory:
 * one file of a MiB is mapped as often as needed, side by side.
 */
#include "test.h"

#include "blocksha.h"

struct expected_huge {
	uint64_t size;
	const char *sha1, *sha256;
};

#include "expected/huge.h"

enum { PERIOD = EXPECTED_HUGE_PERIOD, MAX_DIGEST = 32 };

static unsigned char period[PERIOD];

/* --- The hashes through one interface --------------------------------------- */

union ctx {
	blocksha_sha1_ctx sha1;
	blocksha_sha256_ctx sha256;
	blocksha_sha1dc_ctx sha1dc;
};

struct hash {
	const char *name;
	size_t digest_size;
	void (*one_shot)(const void *data, size_t size, unsigned char *digest);
	void (*init)(union ctx *ctx);
	void (*update)(union ctx *ctx, const void *data, size_t size);
	int (*final)(union ctx *ctx, unsigned char *digest);
	void (*many)(const struct blocksha_message *messages, size_t count, void *digests);
};

#define WRAP(name)                                                                     \
	static void name##_init(union ctx *ctx)                                        \
	{                                                                              \
		blocksha_##name##_init(&ctx->name);                                    \
	}                                                                              \
	static void name##_update(union ctx *ctx, const void *data, size_t size)       \
	{                                                                              \
		blocksha_##name##_update(&ctx->name, data, size);                      \
	}                                                                              \
	static int name##_final(union ctx *ctx, unsigned char *digest)                 \
	{                                                                              \
		return blocksha_##name##_final(&ctx->name, digest);                    \
	}                                                                              \
	static void name##_many(const struct blocksha_message *messages, size_t count, \
				void *digests)                                         \
	{                                                                              \
		blocksha_##name##_many(messages, count, digests);                      \
	}

WRAP(sha1)
WRAP(sha256)

/* With detection there is a verdict: no attack. */
static void check_clean(int result, const struct blocksha_attack *attack)
{
	CHECK_INT(result, BLOCKSHA_OK, "verdict");
	CHECK(attack->blocks == 0 && attack->offset == 0 && attack->vector == 0, "verdict");
}

static void sha1dc_one_shot(const void *data, size_t size, unsigned char *digest)
{
	struct blocksha_attack attack = {1, 2, 3};

	check_clean(blocksha_sha1dc(data, size, digest, &attack), &attack);
}

static void sha1dc_init(union ctx *ctx)
{
	blocksha_sha1dc_init(&ctx->sha1dc);
}

static void sha1dc_update(union ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1dc_update(&ctx->sha1dc, data, size);
}

static int sha1dc_final(union ctx *ctx, unsigned char *digest)
{
	struct blocksha_attack attack = {1, 2, 3};
	int result = blocksha_sha1dc_final(&ctx->sha1dc, digest, &attack);

	check_clean(result, &attack);
	return result;
}

static void sha1dc_many(const struct blocksha_message *messages, size_t count, void *digests)
{
	CHECK_INT(blocksha_sha1dc_many(messages, count, digests, NULL), BLOCKSHA_OK, "verdict");
}

static const struct hash hashes[] = {
	{"sha1", BLOCKSHA_SHA1_DIGEST_SIZE, blocksha_sha1, sha1_init, sha1_update, sha1_final,
	 sha1_many},
	{"sha256", BLOCKSHA_SHA256_DIGEST_SIZE, blocksha_sha256, sha256_init, sha256_update,
	 sha256_final, sha256_many},
	{"sha1dc", BLOCKSHA_SHA1_DIGEST_SIZE, sha1dc_one_shot, sha1dc_init, sha1dc_update,
	 sha1dc_final, sha1dc_many},
};

static void expected_digest(const struct hash *hash, const struct expected_huge *huge,
			    unsigned char *digest)
{
	test_from_hex(digest,
		      hash->digest_size == BLOCKSHA_SHA1_DIGEST_SIZE ? huge->sha1 : huge->sha256,
		      hash->digest_size);
}

static void check_final(const struct hash *hash, union ctx *ctx, const struct expected_huge *huge,
			const char *how)
{
	unsigned char expected[MAX_DIGEST], digest[MAX_DIGEST] = {0};

	expected_digest(hash, huge, expected);
	CHECK_INT(hash->final(ctx, digest), BLOCKSHA_OK, "%s, %s", hash->name, how);
	CHECK_BYTES(digest, expected, hash->digest_size, "%s of %" PRIu64 " bytes, %s", hash->name,
		    huge->size, how);
}

/* --- In pieces ------------------------------------------------------------- */

/* The longest message in pieces of a MiB. At each size on the way a clone takes the
   rest: 512 whole pieces are 2^29 bytes. */
static void test_pieces(const struct hash *hash)
{
	union ctx ctx;
	uint64_t done = 0;

	printf("%s, in pieces of %d bytes\n", hash->name, PERIOD);
	hash->init(&ctx);
	for (size_t i = 0; i < TEST_COUNT(expected_huge); i++) {
		const struct expected_huge *huge = &expected_huge[i];
		union ctx clone;

		for (; huge->size - done >= PERIOD; done += PERIOD)
			hash->update(&ctx, period, PERIOD);
		clone = ctx;
		hash->update(&clone, period, (size_t)(huge->size - done));
		check_final(hash, &clone, huge, "in pieces");
	}
	CHECK(done == expected_huge[TEST_COUNT(expected_huge) - 1].size, "%s", hash->name);
}

/* All of them side by side, a lane each, in pieces of a MiB. */
static void test_many(const struct hash *hash)
{
	struct blocksha_message messages[TEST_COUNT(expected_huge)];
	struct blocksha_piece *pieces[TEST_COUNT(expected_huge)];
	unsigned char digests[TEST_COUNT(expected_huge) * MAX_DIGEST], expected[MAX_DIGEST];

	printf("%s, all sizes in one call for many messages\n", hash->name);
	for (size_t i = 0; i < TEST_COUNT(expected_huge); i++) {
		uint64_t left = expected_huge[i].size;
		size_t count = (size_t)((left + PERIOD - 1) / PERIOD);

		pieces[i] = calloc(count, sizeof(*pieces[i]));
		TEST_REQUIRE(pieces[i] != NULL, "calloc");
		for (size_t j = 0; j < count; j++) {
			pieces[i][j].data = period;
			pieces[i][j].size = left < PERIOD ? (size_t)left : PERIOD;
			left -= pieces[i][j].size;
		}
		messages[i] = (struct blocksha_message){pieces[i], count};
	}
	hash->many(messages, TEST_COUNT(expected_huge), digests);
	for (size_t i = 0; i < TEST_COUNT(expected_huge); i++) {
		expected_digest(hash, &expected_huge[i], expected);
		CHECK_BYTES(digests + i * hash->digest_size, expected, hash->digest_size,
			    "%s of %" PRIu64 " bytes among many messages", hash->name,
			    expected_huge[i].size);
		free(pieces[i]);
	}
}

/* --- In one call ----------------------------------------------------------- */

#if TEST_HAVE_MMAP
/* A message of at least size bytes; NULL if there are not so many addresses. */
static unsigned char *map_message(uint64_t size, size_t *mapped)
{
	uint64_t count = (size + PERIOD - 1) / PERIOD;
	unsigned char *begin;
	void *reserved;
	FILE *file;

	if (count > SIZE_MAX / PERIOD)
		return NULL;
	*mapped = (size_t)count * PERIOD;
	reserved = mmap(NULL, *mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (reserved == MAP_FAILED)
		return NULL;
	begin = reserved;

	file = tmpfile();
	TEST_REQUIRE(file != NULL, "tmpfile");
	TEST_REQUIRE(fwrite(period, PERIOD, 1, file) == 1 && fflush(file) == 0, "write");
	for (size_t at = 0; at < *mapped; at += PERIOD)
		TEST_REQUIRE(mmap(begin + at, PERIOD, PROT_READ, MAP_SHARED | MAP_FIXED,
				  fileno(file), 0) != MAP_FAILED,
			     "mmap");
	fclose(file);
	return begin;
}

/* As one piece, and as two, in two lanes. */
static void check_single_piece(const struct hash *hash, const struct expected_huge *huge,
			       const unsigned char *message)
{
	size_t size = (size_t)huge->size;
	struct blocksha_piece pieces[] = {{message, size}, {message, 3}, {message + 3, size - 3}};
	struct blocksha_message messages[] = {{pieces, 1}, {pieces + 1, 2}};
	unsigned char digests[2 * MAX_DIGEST], expected[MAX_DIGEST];

	expected_digest(hash, huge, expected);
	hash->many(messages, 2, digests);
	for (size_t i = 0; i < 2; i++)
		CHECK_BYTES(digests + i * hash->digest_size, expected, hash->digest_size,
			    "%s of %zu bytes in %zu pieces", hash->name, size, i + 1);
}

static void test_single_call(const struct hash *hash, const struct expected_huge *huge,
			     const unsigned char *message)
{
	unsigned char expected[MAX_DIGEST], digest[MAX_DIGEST];
	size_t size = (size_t)huge->size;
	union ctx ctx;

	printf("%s, %" PRIu64 " bytes in one call\n", hash->name, huge->size);
	expected_digest(hash, huge, expected);
	hash->one_shot(message, size, digest);
	CHECK_BYTES(digest, expected, hash->digest_size, "%s of %zu bytes", hash->name, size);

	hash->init(&ctx);
	hash->update(&ctx, message, 3);
	hash->update(&ctx, message + 3, size - 3);
	check_final(hash, &ctx, huge, "3 bytes and the rest");
	check_single_piece(hash, huge, message);
}

/* All but the last size: 4 GiB + 64 bytes say what 5 GiB would. */
static void test_single_calls(void)
{
	for (size_t i = 0; i < TEST_COUNT(expected_huge) - 1; i++) {
		const struct expected_huge *huge = &expected_huge[i];
		size_t mapped = 0;
		unsigned char *message = map_message(huge->size, &mapped);

		if (message == NULL) {
			test_unavailable("%" PRIu64 " bytes in one call: no room for them",
					 huge->size);
			continue;
		}
		for (size_t j = 0; j < TEST_COUNT(hashes); j++)
			test_single_call(&hashes[j], huge, message);
		TEST_REQUIRE(munmap(message, mapped) == 0, "munmap");
	}
}
#else
static void test_single_calls(void)
{
	test_unavailable("messages in one call: no mmap");
}
#endif

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_stream(period, PERIOD);
	for (size_t i = 0; i < TEST_COUNT(hashes); i++) {
		test_pieces(&hashes[i]);
		test_many(&hashes[i]);
	}
	test_single_calls();
	return test_end();
}
