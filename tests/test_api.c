/* SPDX-License-Identifier: MIT */
/* test_api.c - version, error texts, and what the header says of sizes and types. */
#include "test.h"

#include "blocksha.h"

_Static_assert(BLOCKSHA_OK == 0, "0 is success");
_Static_assert(BLOCKSHA_BLOCK_SIZE == 64, "FIPS 180-4 figure 1");
_Static_assert(BLOCKSHA_SHA1_DIGEST_SIZE == 20, "FIPS 180-4 figure 1");
_Static_assert(BLOCKSHA_SHA256_DIGEST_SIZE == 32, "FIPS 180-4 figure 1");

static void test_version(void)
{
	CHECK_INT(blocksha_version(), BLOCKSHA_VERSION, "library and header");
}

static void test_strerror(void)
{
	static const int errors[] = {BLOCKSHA_OK, BLOCKSHA_ERROR_ORDER, BLOCKSHA_ERROR_LENGTH,
				     BLOCKSHA_ERROR_FORMAT};

	for (size_t i = 0; i < TEST_COUNT(errors); i++) {
		const char *text = blocksha_strerror(errors[i]);

		CHECK(text != NULL && text[0] != '\0', "error %d", errors[i]);
		CHECK(i == 0 || errors[i] < 0, "error %d", errors[i]);
		if (text == NULL)
			continue;
		for (size_t j = 0; j < i; j++)
			CHECK(strcmp(text, blocksha_strerror(errors[j])) != 0,
			      "errors %d and %d have one text", errors[i], errors[j]);
	}
	CHECK(blocksha_strerror(1) != NULL, "no error code");
	CHECK(blocksha_strerror(INT32_MIN) != NULL, "no error code");
}

/* One SHA-1 and one SHA-256 side by side do not disturb each other. */
static void test_interleaved(void)
{
	static const unsigned char sha1_abc[] = {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81,
						 0x6a, 0xba, 0x3e, 0x25, 0x71, 0x78, 0x50,
						 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};
	unsigned char one[BLOCKSHA_SHA1_DIGEST_SIZE], two[BLOCKSHA_SHA256_DIGEST_SIZE];
	unsigned char alone[BLOCKSHA_SHA256_DIGEST_SIZE];
	blocksha_sha1_ctx first;
	blocksha_sha256_ctx second;

	blocksha_sha1_init(&first);
	blocksha_sha256_init(&second);
	for (const char *p = "abc"; *p != '\0'; p++) {
		blocksha_sha1_update(&first, p, 1);
		blocksha_sha256_update(&second, p, 1);
	}
	CHECK_INT(blocksha_sha1_final(&first, one), BLOCKSHA_OK, "SHA-1");
	CHECK_INT(blocksha_sha256_final(&second, two), BLOCKSHA_OK, "SHA-256");
	CHECK_BYTES(one, sha1_abc, sizeof(one), "abc");
	blocksha_sha256("abc", 3, alone);
	CHECK_BYTES(two, alone, sizeof(two), "abc");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_version);
	TEST_RUN(test_strerror);
	TEST_RUN(test_interleaved);
	return test_end();
}
