/* SPDX-License-Identifier: MIT */
/* fuzz_idx.c - indexes of a good pack. Their own checksum is made right, so that they are believed.
 */
#include "fuzz_git.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const struct blocksha_git_options options = {.jobs = 1, .max_object_size = 1 << 20};
	static struct test_bytes packs[TEST_COUNT(expected_git_packs)];
	struct test_findings in_pack, in_idx;
	unsigned char *sealed = malloc(size + 1);

	TEST_REQUIRE(sealed != NULL, "malloc");
	if (size > 0)
		memcpy(sealed, data, size);
	for (size_t i = 0; i < TEST_COUNT(packs); i++) {
		size_t name_size = blocksha_git_name_size(expected_git_packs[i].format);

		if (packs[i].data == NULL)
			packs[i] = test_bytes_of(expected_git_packs[i].pack,
						 expected_git_packs[i].pack_size);
		if (size >= 2 * name_size)
			blocksha_git_checksum(expected_git_packs[i].format, sealed,
					      size - name_size, sealed + size - name_size);
		test_verify_pack(&options, packs[i].data, packs[i].size, sealed, size, &in_pack,
				 &in_idx);
		/* The pack is good, whatever its index says. */
		if (test_faults(&in_pack) != 0) {
			printf("%s\n%s", expected_git_packs[i].name, in_pack.all);
			abort();
		}
	}
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
		struct test_bytes idx =
			test_bytes_of(expected_git_packs[i].idx, expected_git_packs[i].idx_size);

		fuzz_damaged(&idx, test_rounds(300));
		free(idx.data);
	}
	puts("inputs passed");
	return 0;
}

#endif
