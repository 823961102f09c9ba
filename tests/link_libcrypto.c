/* SPDX-License-Identifier: MIT */
/*
 * link_libcrypto.c - one program with libblocksha.a and OpenSSL's libcrypto.a that
 * calls both, under OpenSSL's old names too (SHA1_Init, SHA256_Update): neither library
 * may take the other's functions or structs. Built and run by test_link_libcrypto.sh.
 */
#include "test.h"

#define OPENSSL_API_COMPAT 0x10100000L /* SHA1_Init and friends are old, not wrong */
#include <openssl/evp.h>
#include <openssl/sha.h>

#include "blocksha.h"

enum { MAX_LENGTH = 3000 };

/* Both libraries at the same time, on the same pieces. */
static void check_sha1(const unsigned char *data, size_t size, size_t split)
{
	unsigned char ours[BLOCKSHA_SHA1_DIGEST_SIZE], theirs[SHA_DIGEST_LENGTH];
	blocksha_sha1_ctx our_ctx;
	SHA_CTX their_ctx;

	blocksha_sha1_init(&our_ctx);
	SHA1_Init(&their_ctx);
	blocksha_sha1_update(&our_ctx, data, split);
	SHA1_Update(&their_ctx, data, split);
	blocksha_sha1_update(&our_ctx, data + split, size - split);
	SHA1_Update(&their_ctx, data + split, size - split);
	CHECK_INT(blocksha_sha1_final(&our_ctx, ours), BLOCKSHA_OK, "%zu bytes", size);
	CHECK_INT(SHA1_Final(theirs, &their_ctx), 1, "%zu bytes", size);
	CHECK_BYTES(ours, theirs, sizeof(ours), "%zu bytes, split at %zu", size, split);
	blocksha_sha1(data, size, ours);
	CHECK_BYTES(ours, SHA1(data, size, NULL), sizeof(ours), "%zu bytes", size);
}

static void check_sha256(const unsigned char *data, size_t size, size_t split)
{
	unsigned char ours[BLOCKSHA_SHA256_DIGEST_SIZE], theirs[SHA256_DIGEST_LENGTH];
	blocksha_sha256_ctx our_ctx;
	SHA256_CTX their_ctx;

	blocksha_sha256_init(&our_ctx);
	SHA256_Init(&their_ctx);
	blocksha_sha256_update(&our_ctx, data, split);
	SHA256_Update(&their_ctx, data, split);
	blocksha_sha256_update(&our_ctx, data + split, size - split);
	SHA256_Update(&their_ctx, data + split, size - split);
	CHECK_INT(blocksha_sha256_final(&our_ctx, ours), BLOCKSHA_OK, "%zu bytes", size);
	CHECK_INT(SHA256_Final(theirs, &their_ctx), 1, "%zu bytes", size);
	CHECK_BYTES(ours, theirs, sizeof(ours), "%zu bytes, split at %zu", size, split);
	CHECK_INT(EVP_Digest(data, size, theirs, NULL, EVP_sha256(), NULL), 1, "%zu bytes", size);
	CHECK_BYTES(ours, theirs, sizeof(ours), "%zu bytes, EVP", size);
}

static void test_both_libraries(void)
{
	static unsigned char data[MAX_LENGTH];

	for (unsigned round = 0; round < 2000; round++) {
		size_t size = test_random_below(round < 1000 ? 200 : MAX_LENGTH + 1);
		size_t split = test_random_below(size + 1);

		test_random_bytes(data, size);
		check_sha1(data, size, split);
		check_sha256(data, size, split);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_both_libraries);
	return test_end();
}
