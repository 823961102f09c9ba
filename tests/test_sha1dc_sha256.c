/* SPDX-License-Identifier: MIT */
/*
 * test_sha1dc_sha256.c - the interface of SHA-1 with detection and SHA-256 in one pass, on
 * messages without attacks. It is tested as a hash whose digest is the one of SHA-1 and then
 * the one of SHA-256.
 */
#include "test.h"

#include "blocksha.h"

enum { SHA1 = BLOCKSHA_SHA1_DIGEST_SIZE, SHA256 = BLOCKSHA_SHA256_DIGEST_SIZE };

typedef blocksha_sha1dc_sha256_ctx both_ctx;

static struct blocksha_attack verdict;

static int check_clean(int result)
{
	if (result == BLOCKSHA_OK)
		CHECK(verdict.offset == 0 && verdict.blocks == 0 && verdict.vector == 0,
		      "no attack");
	return result;
}

static void both(const void *data, size_t size, unsigned char *digest)
{
	memset(&verdict, 0xa5, sizeof(verdict));
	CHECK_INT(check_clean(blocksha_sha1dc_sha256(data, size, digest, digest + SHA1, &verdict)),
		  BLOCKSHA_OK, "one shot");
}

static void both_init(both_ctx *ctx)
{
	blocksha_sha1dc_sha256_init(ctx);
}

static void both_update(both_ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1dc_sha256_update(ctx, data, size);
}

static int both_peek(const both_ctx *ctx, unsigned char *digest)
{
	memset(&verdict, 0xa5, sizeof(verdict));
	return check_clean(blocksha_sha1dc_sha256_peek(ctx, digest, digest + SHA1, &verdict));
}

static int both_final(both_ctx *ctx, unsigned char *digest)
{
	memset(&verdict, 0xa5, sizeof(verdict));
	return check_clean(blocksha_sha1dc_sha256_final(ctx, digest, digest + SHA1, &verdict));
}

static int both_export(const both_ctx *ctx, unsigned char *out)
{
	return blocksha_sha1dc_sha256_export(ctx, out);
}

static int both_import(both_ctx *ctx, const void *saved, size_t size)
{
	return blocksha_sha1dc_sha256_import(ctx, saved, size);
}

#define HASH(suffix) both##suffix
#define HASH_DIGEST_SIZE (SHA1 + SHA256)
#define HASH_EXPORT_SIZE BLOCKSHA_SHA1DC_SHA256_EXPORT_SIZE
#define HASH_TEXTBOOK textbook_sha1dc_sha256
#define HASH_OTHER_EXPORT sha1dc_export
#include "hash_template.h"

#include "sha1dc_saved.h"

#include "expected/sha1dc_sha256.h"

static size_t sha1dc_export(unsigned char *out)
{
	blocksha_sha1dc_ctx ctx;

	blocksha_sha1dc_init(&ctx);
	blocksha_sha1dc_update(&ctx, "abc", 3);
	CHECK_INT(blocksha_sha1dc_export(&ctx, out), BLOCKSHA_OK, "export of SHA-1");
	return BLOCKSHA_SHA1DC_EXPORT_SIZE;
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

/* On error attack is not written either; nobody needs to ask for it. */
static void test_attack_pointer(void)
{
	unsigned char digest[HASH_DIGEST_SIZE], expected[HASH_DIGEST_SIZE];
	struct blocksha_attack attack;
	both_ctx ctx;

	reference((const unsigned char *)"abc", 3, expected);
	CHECK_INT(blocksha_sha1dc_sha256("abc", 3, digest, digest + SHA1, NULL), BLOCKSHA_OK,
		  "NULL");
	CHECK_BYTES(digest, expected, sizeof(digest), "NULL");
	both_init(&ctx);
	both_update(&ctx, "abc", 3);
	CHECK_INT(blocksha_sha1dc_sha256_peek(&ctx, digest, digest + SHA1, NULL), BLOCKSHA_OK,
		  "NULL");
	CHECK_INT(blocksha_sha1dc_sha256_final(&ctx, digest, digest + SHA1, NULL), BLOCKSHA_OK,
		  "NULL");
	memset(&attack, 0xa5, sizeof(attack));
	CHECK_INT(blocksha_sha1dc_sha256_peek(&ctx, digest, digest + SHA1, &attack),
		  BLOCKSHA_ERROR_ORDER, "after final");
	CHECK_INT(blocksha_sha1dc_sha256_final(&ctx, digest, digest + SHA1, &attack),
		  BLOCKSHA_ERROR_ORDER, "after final");
	CHECK(test_is_filled(&attack, 0xa5, sizeof(attack)), "after final");
	CHECK_BYTES(digest, expected, sizeof(digest), "after final");
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
	TEST_RUN(test_attack_pointer);
	test_attacked(expected_attacked, TEST_COUNT(expected_attacked));
	test_damaged_verdicts(&expected_attacked[0]);
	test_damaged_verdicts(&expected_attacked[1]);
	return test_end();
}
