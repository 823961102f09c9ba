/* SPDX-License-Identifier: MIT */
/* fuzz_loose.c - loose objects; and objects that are stored uncompressed, so that their insides are
   reached. The verdict is the same whether the object is inflated as a whole or in pieces. */
#include "fuzz_git.h"

#include <zlib.h>

#include "blocksha_byteorder.h"

static void verify(const unsigned char *data, size_t size)
{
	static const char path[] = "32/f95c0d1244a78b2be1bab8de17906fabb2c4a8";
	struct blocksha_git_options options = {.max_object_size = 1 << 20};
	struct test_findings whole, pieces;

	test_verify_loose(&options, path, data, size, &whole);
	options.memory = 1;
	test_verify_loose(&options, path, data, size, &pieces);
	if (strcmp(whole.all, pieces.all) != 0) {
		printf("verdicts differ:\n%s---\n%s", whole.all, pieces.all);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	unsigned char *stored;

	verify(data, size);
	if (size > 0xffff)
		return 0;
	stored = malloc(size + 11);
	TEST_REQUIRE(stored != NULL, "malloc");
	memcpy(stored, "\x78\x01\x01", 3);
	blocksha_put_le16(stored + 3, (uint16_t)size);
	blocksha_put_le16(stored + 5, (uint16_t)~size);
	if (size > 0)
		memcpy(stored + 7, data, size);
	blocksha_put_be32(stored + 7 + size, (uint32_t)adler32(1, data, (unsigned)size));
	verify(stored, size + 11);
	free(stored);
	return 0;
}

#ifndef BLOCKSHA_LIBFUZZER

int main(int argc, char **argv)
{
	test_begin(1, argv);
	for (int i = 1; i < argc; i++)
		fuzz_seed_file(argv[i]);
	for (size_t i = 0; argc == 1 && i < TEST_COUNT(expected_git_loose); i++) {
		struct test_bytes loose =
			test_bytes_of(expected_git_loose[i].data, expected_git_loose[i].size);

		fuzz_damaged(&loose, test_rounds(2000));
		free(loose.data);
	}
	puts("inputs passed");
	return 0;
}

#endif
