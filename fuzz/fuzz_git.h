/* SPDX-License-Identifier: MIT */
/*
 * fuzz_git.h - what the fuzzers of git's files share. What they look for are crashes and what the
 * sanitizers see; and that a verdict does not depend on the number of threads, on the memory, or on
 * whether a finding is asked for.
 *
 * Without libFuzzer (BLOCKSHA_LIBFUZZER is not defined) the program takes the files of its command
 * line, or the seeds of tests/expected/git_files.h with random damage.
 */
#ifndef BLOCKSHA_FUZZ_GIT_H
#define BLOCKSHA_FUZZ_GIT_H

#include "../tests/test.h"

#include "../tests/git_files.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#ifndef BLOCKSHA_LIBFUZZER

static inline void fuzz_seed_file(const char *path)
{
	static unsigned char data[1 << 20];
	FILE *file = fopen(path, "rb");
	size_t size;

	TEST_REQUIRE(file != NULL, path);
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
}

/* A few bytes changed, inserted, or cut off. */
static inline void fuzz_damaged(const struct test_bytes *seed, unsigned rounds)
{
	unsigned char *data = malloc(seed->size + 1);

	TEST_REQUIRE(data != NULL, "malloc");
	for (unsigned i = 0; i < rounds; i++) {
		size_t size = seed->size;

		memcpy(data, seed->data, size);
		for (size_t n = test_random_below(4); n > 0 && size > 0; n--)
			data[test_random_below(size)] ^=
				(unsigned char)(1u << test_random_below(8));
		if (test_random_below(4) == 0 && size > 0)
			size = test_random_below(size);
		LLVMFuzzerTestOneInput(data, size);
	}
	free(data);
}

#endif
#endif
