/* SPDX-License-Identifier: MIT */
/* test_sha1.c - the streaming and one-shot interface of SHA-1. */
#define HASH(suffix) blocksha_sha1##suffix
#define HASH_DIGEST_SIZE BLOCKSHA_SHA1_DIGEST_SIZE
#define HASH_EXPORT_SIZE BLOCKSHA_SHA1_EXPORT_SIZE
#define HASH_TEXTBOOK textbook_sha1
#define HASH_OTHER_EXPORT sha256_export
#include "hash_template.h"

#include "expected/sha1.h"

static size_t sha256_export(unsigned char *out)
{
	blocksha_sha256_ctx ctx;

	blocksha_sha256_init(&ctx);
	blocksha_sha256_update(&ctx, "abc", 3);
	CHECK_INT(blocksha_sha256_export(&ctx, out), BLOCKSHA_OK, "export of SHA-256");
	return BLOCKSHA_SHA256_EXPORT_SIZE;
}

/* "abc", the 56 bytes and the million are the examples of FIPS 180-2 (appendix A); the
   112 bytes are the message of its appendix C. The other digests are sha1sum's: the
   line of 55 bytes is the longest whose padding needs no second block. */
static const struct vector vectors[] = {
	{"abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
	{"", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
	{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	 "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
	{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
	 "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
	 1, "a49b2446a02c645bf419f995b67091253a04a259"},
	{"0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF012345\n", 1,
	 "3b897e305162f1cb888b9f88fc0bebd98a5e3bc5"},
	{"a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
};

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
	return test_end();
}
