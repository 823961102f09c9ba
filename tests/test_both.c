/* SPDX-License-Identifier: MIT */
/*
 * test_both.c - the interface of SHA-1 and SHA-256 in one pass. It is tested as a hash
 * whose digest is the one of SHA-1 and then the one of SHA-256.
 */
#include "test.h"

#include "blocksha.h"

enum { SHA1 = BLOCKSHA_SHA1_DIGEST_SIZE, SHA256 = BLOCKSHA_SHA256_DIGEST_SIZE };

typedef blocksha_sha1_sha256_ctx both_ctx;

static void both(const void *data, size_t size, unsigned char *digest)
{
	blocksha_sha1_sha256(data, size, digest, digest + SHA1);
}

static void both_init(both_ctx *ctx)
{
	blocksha_sha1_sha256_init(ctx);
}

static void both_update(both_ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1_sha256_update(ctx, data, size);
}

static int both_peek(const both_ctx *ctx, unsigned char *digest)
{
	return blocksha_sha1_sha256_peek(ctx, digest, digest + SHA1);
}

static int both_final(both_ctx *ctx, unsigned char *digest)
{
	return blocksha_sha1_sha256_final(ctx, digest, digest + SHA1);
}

static int both_export(const both_ctx *ctx, unsigned char *out)
{
	return blocksha_sha1_sha256_export(ctx, out);
}

static int both_import(both_ctx *ctx, const void *saved, size_t size)
{
	return blocksha_sha1_sha256_import(ctx, saved, size);
}

#define HASH(suffix) both##suffix
#define HASH_DIGEST_SIZE (SHA1 + SHA256)
#define HASH_EXPORT_SIZE BLOCKSHA_SHA1_SHA256_EXPORT_SIZE
#define HASH_TEXTBOOK textbook_sha1_sha256
#define HASH_OTHER_EXPORT sha256_export
#include "hash_template.h"

#include "expected/sha1_sha256.h"

static size_t sha256_export(unsigned char *out)
{
	blocksha_sha256_ctx ctx;

	blocksha_sha256_init(&ctx);
	blocksha_sha256_update(&ctx, "abc", 3);
	CHECK_INT(blocksha_sha256_export(&ctx, out), BLOCKSHA_OK, "export of SHA-256");
	return BLOCKSHA_SHA256_EXPORT_SIZE;
}

/* The vectors of test_sha1.c and test_sha256.c. */
static const struct vector vectors[] = {
	{"abc", 1,
	 "a9993e364706816aba3e25717850c26c9cd0d89d"
	 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"", 1,
	 "da39a3ee5e6b4b0d3255bfef95601890afd80709"
	 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"a", 1000000,
	 "34aa973cd4c4daa4f61eeb2bdbad27316534016f"
	 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

/* The digests may lie apart, and either of them over the message. */
static void test_two_digests(void)
{
	enum { SIZE = 200 };
	unsigned char data[SIZE], work[SIZE], expected[HASH_DIGEST_SIZE];

	test_random_bytes(data, SIZE);
	textbook_hash(&textbook_sha1_sha256, data, SIZE, expected);
	for (size_t i = 0; i + SHA1 <= SIZE; i++)
		for (size_t j = 0; j + SHA256 <= SIZE; j++) {
			if (j < i + SHA1 && i < j + SHA256)
				continue; /* they may not lie over one another */
			memcpy(work, data, SIZE);
			blocksha_sha1_sha256(work, SIZE, work + i, work + j);
			CHECK_BYTES(work + i, expected, SHA1, "at %zu and %zu", i, j);
			CHECK_BYTES(work + j, expected + SHA1, SHA256, "at %zu and %zu", i, j);
		}
}

int main(int argc, char **argv)
{
	static const struct hash_cases cases = {
		vectors,
		TEST_COUNT(vectors),
		EXPECTED_ALL_LENGTHS,
		expected_resumed,
		TEST_COUNT(expected_resumed),
		expected_refused,
		TEST_COUNT(expected_refused),
	};

	test_begin(argc, argv);
	test_hash(&cases);
	TEST_RUN(test_two_digests);
	return test_end();
}
