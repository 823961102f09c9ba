/* SPDX-License-Identifier: MIT */
/* fuzz_pack.c - packs without index. Their trailer is made right, so that what lies behind it is
 * reached. */
#include "fuzz_git.h"

static void verify(const unsigned char *data, size_t size,
		   const struct blocksha_git_options *options, struct test_findings *found)
{
	struct test_findings none;

	test_verify_pack(options, data, size, NULL, 0, found, &none);
}

static void check_same(const struct test_findings *one, const struct test_findings *other)
{
	if (memcmp(one->kinds, other->kinds, sizeof(one->kinds)) != 0 ||
	    strcmp(one->all, other->all) != 0 || one->objects != other->objects) {
		printf("verdicts differ:\n%s---\n%s", one->all, other->all);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const struct blocksha_git_options one = {.jobs = 1, .max_object_size = 1 << 20},
						 many = {.jobs = 3, .max_object_size = 1 << 20};
	struct test_findings found, again;
	unsigned char *sealed;

	verify(data, size, &one, &found);
	if (size < 32)
		return 0;
	sealed = malloc(size);
	TEST_REQUIRE(sealed != NULL, "malloc");
	memcpy(sealed, data, size);
	blocksha_sha1(sealed, size - 20, sealed + size - 20);
	verify(sealed, size, &one, &found);
	verify(sealed, size, &many, &again);
	check_same(&found, &again);
	free(sealed);
	return 0;
}

#ifndef BLOCKSHA_LIBFUZZER

int main(int argc, char **argv)
{
	test_begin(1, argv);
	for (int i = 1; i < argc; i++)
		fuzz_seed_file(argv[i]);
	for (size_t i = 0; argc == 1 && i < TEST_COUNT(expected_git_packs); i++) {
		struct test_bytes pack =
			test_bytes_of(expected_git_packs[i].pack, expected_git_packs[i].pack_size);

		fuzz_damaged(&pack, test_rounds(300));
		free(pack.data);
	}
	puts("inputs passed");
	return 0;
}

#endif
