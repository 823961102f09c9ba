/* SPDX-License-Identifier: MIT */
/*
 * fuzz_git_format.h - a fuzzer for files of one kind other than packs: as they are, and with a
 * checksum that fits, so that they are believed. What it looks for are crashes and what the
 * sanitizers see; and that a verdict is the same twice.
 *
 *     #define FUZZ_KIND "index"      which of the seeds
 *     #define FUZZ_PATH "index"      a name by which the kind of the file is known
 *     #include "fuzz_git_format.h"
 */
#include "../tests/test.h"

#include "../git/git_hash.h"
#include "../git/kinds.h"

/* data: lines of hexadecimal digits, NULL behind the last one. */
struct expected_git_format {
	const char *kind, *name;
	size_t size;
	const char *const *data;
};

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static int fuzz_verify(const unsigned char *data, size_t size)
{
	static const struct blocksha_git_options options = {.jobs = 1, .max_object_size = 1 << 20};
	const struct git_file_kind *kind = blocksha_git_kind_by_name(FUZZ_PATH);
	struct git_report report;
	struct git_file file;

	TEST_REQUIRE(kind != NULL, "kind");
	blocksha_git_report_begin(&report, &options, FUZZ_PATH);
	blocksha_git_file_in_memory(&file, FUZZ_PATH, data, size);
	kind->verify(&file, &report);
	return blocksha_git_report_end(&report);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	unsigned char *sealed = malloc(size + 1);

	TEST_REQUIRE(sealed != NULL, "malloc");
	if (size > 0)
		memcpy(sealed, data, size);
	if (fuzz_verify(sealed, size) != fuzz_verify(sealed, size))
		abort();
	for (int format = BLOCKSHA_GIT_SHA1; format <= BLOCKSHA_GIT_SHA256; format++) {
		size_t end, name_size = blocksha_git_name_size((enum blocksha_git_format)format);

		if (size < name_size)
			continue;
		end = size - name_size;
		blocksha_git_checksum((enum blocksha_git_format)format, sealed, end, sealed + end);
		(void)fuzz_verify(sealed, size);
	}
	free(sealed);
	return 0;
}

/* libFuzzer takes seeds from a folder: tests/make_git_formats.py --seeds FOLDER. */
#ifndef BLOCKSHA_LIBFUZZER

#include "../tests/expected/git_formats.h"

static void fuzz_file(const char *path)
{
	static unsigned char data[1 << 20];
	FILE *file = fopen(path, "rb");
	size_t size;

	TEST_REQUIRE(file != NULL, path);
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	LLVMFuzzerTestOneInput(data, size);
}

/* A few bytes changed to what is often bad, some taken out or put in twice. */
static void fuzz_seed(const struct expected_git_format *seed, unsigned rounds)
{
	unsigned char *good = malloc(seed->size), *data = malloc(2 * seed->size);
	size_t size = 0;

	TEST_REQUIRE(good != NULL && data != NULL, "malloc");
	for (const char *const *line = seed->data; *line != NULL; size += strlen(*line++) / 2)
		test_from_hex(good + size, *line, strlen(*line) / 2);
	TEST_REQUIRE(size == seed->size, seed->name);
	for (unsigned i = 0; i < rounds; i++) {
		static const unsigned char often[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
		size_t from = test_random_below(size), to = test_random_below(size);
		size_t moved = test_random_below(size - (from > to ? from : to));
		size_t length = size;

		memcpy(data, good, size);
		for (size_t n = test_random_below(5); n > 0; n--)
			data[test_random_below(size)] = often[test_random_below(sizeof(often))];
		if (test_random_below(3) == 0)
			memmove(data + to, data + from, moved);
		if (test_random_below(4) == 0)
			length = test_random_below(size);
		LLVMFuzzerTestOneInput(data, length);
	}
	free(good);
	free(data);
}

int main(int argc, char **argv)
{
	test_begin(1, argv);
	for (int i = 1; i < argc; i++)
		fuzz_file(argv[i]);
	for (size_t i = 0; argc == 1 && i < TEST_COUNT(expected_git_formats); i++)
		if (strcmp(expected_git_formats[i].kind, FUZZ_KIND) == 0)
			fuzz_seed(&expected_git_formats[i], test_rounds(2000));
	puts("inputs passed");
	return 0;
}

#endif
