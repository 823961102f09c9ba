/* SPDX-License-Identifier: MIT */
/* test_sha256.c - the streaming and one-shot interface of SHA-256. */
#define HASH(suffix) blocksha_sha256##suffix
#define HASH_DIGEST_SIZE BLOCKSHA_SHA256_DIGEST_SIZE
#define HASH_EXPORT_SIZE BLOCKSHA_SHA256_EXPORT_SIZE
#define HASH_TEXTBOOK textbook_sha256
#define HASH_OTHER_EXPORT sha1_export
#include "hash_template.h"

#include "expected/sha256.h"

static size_t sha1_export(unsigned char *out)
{
	blocksha_sha1_ctx ctx;

	blocksha_sha1_init(&ctx);
	blocksha_sha1_update(&ctx, "abc", 3);
	CHECK_INT(blocksha_sha1_export(&ctx, out), BLOCKSHA_OK, "export of SHA-1");
	return BLOCKSHA_SHA1_EXPORT_SIZE;
}

/* "abc", the 56 bytes and the million are the examples of FIPS 180-2 (appendix B); the
   112 bytes are the message of its appendix C. The other digests are sha256sum's: the
   line of 55 bytes is the longest whose padding needs no second block. */
static const struct vector vectors[] = {
	{"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	{"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
	 "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
	 1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
	{"0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF012345\n", 1,
	 "3f234cc4c9938ee4fff8642ff108808ae303b7ab405c0ea5f9637541000164b5"},
	{"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
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
