/* SPDX-License-Identifier: MIT */
/*
 * test_cavp.c - NIST's response files (CAVP, "SHA Test Vectors for Hashing
 * Byte-Oriented Messages"): short messages, long ones, and the Monte Carlo test of
 * SHAVS section 6.4. The files are not part of the project: they are looked for in
 * data/cavp of the directory BLOCKSHA_SHARED.
 */
#include "test.h"

#include "blocksha.h"

/* Where BLOCKSHA_SHARED is not set: beside the source tree, when the build says where
   that is, or else beside the current directory. */
#ifdef BLOCKSHA_SOURCE_DIR
#define DEFAULT_SHARED BLOCKSHA_SOURCE_DIR "/../shared"
#else
#define DEFAULT_SHARED "../shared"
#endif

enum { MAX_MESSAGE = 6400, MAX_LINE = 2 * MAX_MESSAGE + 100, MAX_DIGEST = 32 };

struct hash {
	const char *name; /* as in the files' names */
	size_t digest_size;
	void (*one_shot)(const void *data, size_t size, unsigned char *digest);
};

static const struct hash hashes[] = {
	{"SHA1", BLOCKSHA_SHA1_DIGEST_SIZE, blocksha_sha1},
	{"SHA256", BLOCKSHA_SHA256_DIGEST_SIZE, blocksha_sha256},
};

static const char *shared_dir(void)
{
	const char *dir = getenv("BLOCKSHA_SHARED");

	return dir != NULL ? dir : DEFAULT_SHARED;
}

/* NULL, and a line that says so, when the file is not there. */
static FILE *open_vectors(const struct hash *hash, const char *kind)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/data/cavp/%s%s.rsp", shared_dir(), hash->name, kind);
	file = fopen(path, "rb");
	if (file == NULL)
		test_unavailable("%s", path);
	else
		printf("%s%s.rsp\n", hash->name, kind);
	return file;
}

/* If the line is "key = value", the value, without the line's end (CR LF). */
static char *value_of(char *line, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length) != 0 || strncmp(line + length, " = ", 3) != 0)
		return NULL;
	line += length + 3;
	line[strcspn(line, "\r\n")] = '\0';
	return line;
}

/* Lines "Len = BITS", "Msg = HEX", "MD = HEX"; an empty message has a dummy byte. */
static void test_messages(const struct hash *hash, const char *kind, unsigned expected_cases)
{
	static unsigned char message[MAX_MESSAGE];
	static char line[MAX_LINE];
	unsigned char expected[MAX_DIGEST], digest[MAX_DIGEST];
	FILE *file = open_vectors(hash, kind);
	unsigned cases = 0;
	size_t size = 0;

	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL) {
		char *value;

		if ((value = value_of(line, "Len")) != NULL) {
			size = strtoul(value, NULL, 10) / 8;
			TEST_REQUIRE(size <= MAX_MESSAGE, "message too long");
		} else if ((value = value_of(line, "Msg")) != NULL) {
			test_from_hex(message, size == 0 ? "" : value, size);
		} else if ((value = value_of(line, "MD")) != NULL) {
			test_from_hex(expected, value, hash->digest_size);
			hash->one_shot(message, size, digest);
			CHECK_BYTES(digest, expected, hash->digest_size, "%s%s, %zu bytes",
				    hash->name, kind, size);
			cases++;
		}
	}
	fclose(file);
	CHECK_INT(cases, expected_cases, "cases in %s%s.rsp", hash->name, kind);
}

/* 1000 times the digest of the last three digests, beginning with three seeds; the
   last one is then the seed. */
static void monte_carlo_step(const struct hash *hash, unsigned char *seed)
{
	unsigned char last[4 * MAX_DIGEST];
	size_t n = hash->digest_size;

	for (size_t i = 0; i < 3; i++)
		memcpy(last + i * n, seed, n);
	for (unsigned i = 0; i < 1000; i++) {
		hash->one_shot(last, 3 * n, last + 3 * n);
		memmove(last, last + n, 3 * n);
	}
	memcpy(seed, last + 2 * n, n);
}

static void test_monte_carlo(const struct hash *hash)
{
	static char line[MAX_LINE];
	unsigned char expected[MAX_DIGEST], seed[MAX_DIGEST];
	FILE *file = open_vectors(hash, "Monte");
	unsigned cases = 0;
	bool seeded = false;

	if (file == NULL)
		return;
	while (fgets(line, sizeof(line), file) != NULL) {
		char *value;

		if ((value = value_of(line, "Seed")) != NULL) {
			test_from_hex(seed, value, hash->digest_size);
			seeded = true;
		} else if ((value = value_of(line, "MD")) != NULL && seeded) {
			test_from_hex(expected, value, hash->digest_size);
			monte_carlo_step(hash, seed);
			CHECK_BYTES(seed, expected, hash->digest_size, "%sMonte, COUNT = %u",
				    hash->name, cases);
			cases++;
		}
	}
	fclose(file);
	CHECK_INT(cases, 100, "cases in %sMonte.rsp", hash->name);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	for (size_t i = 0; i < TEST_COUNT(hashes); i++) {
		test_messages(&hashes[i], "ShortMsg", 65);
		test_messages(&hashes[i], "LongMsg", 64);
		test_monte_carlo(&hashes[i]);
	}
	return test_end();
}
