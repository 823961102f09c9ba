/* SPDX-License-Identifier: MIT */
/*
 * fuzz_checklist.c - the parser of checksum lists: the input is a list. Every line lies in memory
 * of its own, so that a byte too many is seen; and what is an entry, written again, is the
 * same entry.
 *
 *     clang -O1 -DBLOCKSHA_LIBFUZZER -fsanitize=fuzzer,address,undefined -Iinclude \
 *             fuzz/fuzz_checklist.c $(find lib cli -name '*.c' ! -name main.c)
 *
 * makes a program that fuzzes; tests/lists has seeds for it. Without these options, and with any
 * compiler, it is one that runs the files that are named on its command line, and each again
 * with random damage.
 */
#include "../tests/test.h"

#include "../cli/checklist.h"
#include "../cli/line.h"

#define REQUIRE(condition)                          \
	do {                                        \
		if (!(condition)) {                 \
			printf("%s\n", #condition); \
			abort();                    \
		}                                   \
	} while (0)

enum { INPUT_SIZE = 1 << 16 };

static const struct digest_set sets[] = {
	{2, {&digest_algorithms[DIGEST_SHA1], &digest_algorithms[DIGEST_SHA256]}},
	{1, {&digest_algorithms[DIGEST_SHA1]}},
	{1, {&digest_algorithms[DIGEST_SHA256]}},
};

/* An entry, written as a line of this format, must be read back as what it was. */
static void require_round_trip(const struct checklist *list, const struct checklist_entry *entry,
			       const struct line_format *format)
{
	struct checklist again = {.algorithms = list->algorithms,
				  .as_coreutils = list->as_coreutils};
	struct checklist_entry copy;
	char *line = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&line, &length);

	TEST_REQUIRE(out != NULL, "open_memstream");
	line_digest(out, format, entry->name, entry->algorithm, &entry->digest);
	TEST_REQUIRE(fclose(out) == 0, "fclose");
	REQUIRE(length > 0 && line[length - 1] == '\n');
	REQUIRE(memchr(line, '\n', length) == line + length - 1);
	REQUIRE(checklist_parse(&again, line, length - 1, &copy) == CHECKLIST_ENTRY);
	REQUIRE(copy.algorithm == entry->algorithm && strcmp(copy.name, entry->name) == 0);
	REQUIRE(memcmp(copy.digest.bytes, entry->digest.bytes, entry->algorithm->size) == 0);
	free(line);
}

static void check_entry(const struct checklist *list, const struct checklist_entry *entry)
{
	static const struct line_format formats[] = {
		{.tagged = false}, {.binary = true}, {.tagged = true}};

	REQUIRE(entry->algorithm != NULL && entry->foreign == NULL);
	/* An untagged line cannot name nothing. */
	for (size_t i = entry->name[0] == '\0' ? 2 : 0; i < TEST_COUNT(formats); i++)
		require_round_trip(list, entry, &formats[i]);
}

/* Whether text is a string in the line, or the owner. */
static bool is_within(const struct checklist *list, const char *text, const char *line,
		      size_t length)
{
	return text == list->owner ||
	       (text >= line && text <= line + length &&
		memchr(text, '\0', (size_t)(line + length + 1 - text)) != NULL);
}

/* Parses a copy of a line. Returns whether the list may be read on. */
static bool fuzz_line(struct checklist *list, const unsigned char *data, size_t length)
{
	char *line = malloc(length + 1);
	struct checklist_entry entry;
	enum checklist_kind kind;

	TEST_REQUIRE(line != NULL, "malloc");
	if (length > 0)
		memcpy(line, data, length);
	line[length] = 'x';
	kind = checklist_parse(list, line, length, &entry);
	if (kind == CHECKLIST_ENTRY || kind == CHECKLIST_UNSUPPORTED)
		REQUIRE(is_within(list, entry.name, line, length));
	if (kind == CHECKLIST_ENTRY) {
		check_entry(list, &entry);
	} else if (kind == CHECKLIST_UNSUPPORTED) {
		REQUIRE(entry.algorithm == NULL && entry.foreign_size > 0 && !list->as_coreutils);
		REQUIRE(entry.foreign == NULL || is_within(list, entry.foreign, line, length));
	}
	free(line);
	return kind != CHECKLIST_UTF16 && kind != CHECKLIST_SIGNED_LATE;
}

static void fuzz_list(struct checklist *list, const unsigned char *data, size_t size)
{
	while (size > 0) {
		const unsigned char *newline = memchr(data, '\n', size);
		size_t length = newline != NULL ? (size_t)(newline - data) : size;
		size_t step = length + (newline != NULL);

		if (!fuzz_line(list, data, length))
			return;
		data += step;
		size -= step;
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	if (size > INPUT_SIZE)
		return 0;
	for (size_t i = 0; i < 2 * TEST_COUNT(sets); i++) {
		struct checklist list = {
			.algorithms = &sets[i / 2],
			.as_coreutils = i % 2 == 1 && sets[i / 2].count == 1,
			.owner_algorithm = &digest_algorithms[DIGEST_SHA256],
			.owner = "owner",
		};

		fuzz_list(&list, data, size);
	}
	return 0;
}

#ifndef BLOCKSHA_LIBFUZZER /* which brings a main function */

static unsigned char data[INPUT_SIZE];

static size_t read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t size;

	TEST_REQUIRE(file != NULL, path);
	size = fread(data, 1, sizeof(data), file);
	fclose(file);
	return size;
}

/* Changes some bytes of an input. */
static void damage(size_t size)
{
	static const unsigned char bytes[] = "\\ ()=*\t\r\n#\0nr0fF-+/:\xff";

	for (size_t edits = 1 + test_random_below(4); edits > 0; edits--)
		data[test_random_below(size)] = bytes[test_random_below(sizeof(bytes))];
}

int main(int argc, char **argv)
{
	static unsigned char original[INPUT_SIZE];
	unsigned rounds;

	test_begin(1, argv);
	rounds = test_rounds(200);
	for (int i = 1; i < argc; i++) {
		size_t size = read_file(argv[i]);

		memcpy(original, data, size);
		LLVMFuzzerTestOneInput(data, size);
		for (unsigned round = 0; size > 0 && round < rounds; round++) {
			damage(size);
			LLVMFuzzerTestOneInput(data, test_random_below(size) + 1);
			memcpy(data, original, size);
		}
	}
	printf("%d inputs passed, and each %u times with damage\n", argc - 1, rounds);
	return argc > 1 ? 0 : TEST_SKIPPED;
}

#endif
