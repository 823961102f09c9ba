/* SPDX-License-Identifier: MIT */
/*
 * git_damage [-t] FILE... - verifies each file with each of its bytes damaged, cut off at each
 * place, and damaged with a checksum that fits again. The files are changed in memory; others that
 * belong to them are read from where they lie. cli_git_formats.py makes the files and runs this.
 *
 * A damaged file with a checksum must be found out, and as what it is: malformed, damaged, or in
 * want of another file. What has a new checksum must only come to an end. -t: the files begin with
 * text, which no checksum protects.
 */
#include "test.h"

#include "git_hash.h"
#include "kinds.h"

struct verdict {
	uint64_t kinds[BLOCKSHA_GIT_KINDS];
	char text[200]; /* of the first finding */
};

static void take(void *context, const struct blocksha_git_finding *finding)
{
	struct verdict *verdict = context;

	if (verdict->kinds[finding->kind]++ == 0 && finding->kind != BLOCKSHA_GIT_NOTE)
		snprintf(verdict->text, sizeof(verdict->text), "%s", finding->text);
}

static int verify(const char *path, const unsigned char *data, size_t size, struct verdict *verdict)
{
	const struct blocksha_git_options options = {
		.context = verdict, .report = take, .jobs = 1, .max_findings = 20};
	const struct git_file_kind *kind = blocksha_git_kind_by_name(path);
	/* A copy of its own, so that a sanitizer sees what is read behind the end. */
	unsigned char *copy = malloc(size + (size == 0));
	struct git_report report;
	struct git_file file;

	TEST_REQUIRE(kind != NULL, path);
	memset(verdict, 0, sizeof(*verdict));
	TEST_REQUIRE(copy != NULL, "malloc");
	memcpy(copy, data, size);
	blocksha_git_report_begin(&report, &options, path);
	blocksha_git_file_in_memory(&file, path, copy, size);
	kind->verify(&file, &report);
	free(copy);
	return blocksha_git_report_end(&report);
}

/* Any finding that is not one of these would be the wrong name for damage. */
static void check_bad(const char *path, const struct verdict *verdict, int result, const char *what,
		      size_t at)
{
	CHECK_INT(result, BLOCKSHA_GIT_BAD, "%s: %s at %zu", path, what, at);
	for (int kind = 0; kind < BLOCKSHA_GIT_KINDS; kind++)
		if (kind != BLOCKSHA_GIT_NOTE && kind != BLOCKSHA_GIT_MALFORMED &&
		    kind != BLOCKSHA_GIT_DAMAGED && kind != BLOCKSHA_GIT_MISSING)
			CHECK_INT((long long)verdict->kinds[kind], 0, "%s: %s at %zu: %s: %s", path,
				  what, at, blocksha_git_kind_name((enum blocksha_git_kind)kind),
				  verdict->text);
}

static void seal(unsigned char *data, size_t size, enum blocksha_git_format format)
{
	size_t end = size - blocksha_git_name_size(format);

	blocksha_git_checksum(format, data, end, data + end);
}

/* Of which hash the last bytes are, or BLOCKSHA_GIT_INFER. */
static enum blocksha_git_format sealed_with(const unsigned char *data, size_t size)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];

	for (int i = BLOCKSHA_GIT_SHA1; i <= BLOCKSHA_GIT_SHA256; i++) {
		enum blocksha_git_format format = (enum blocksha_git_format)i;
		size_t name_size = blocksha_git_name_size(format);

		if (size < name_size)
			continue;
		blocksha_git_checksum(format, data, size - name_size, digest);
		if (memcmp(digest, data + size - name_size, name_size) == 0)
			return format;
	}
	return BLOCKSHA_GIT_INFER;
}

/* Where that part begins which a checksum protects: of a bundle its pack. */
static size_t protected_from(const unsigned char *data, size_t size, bool is_text)
{
	for (size_t at = 2; is_text && at < size; at++)
		if (data[at - 2] == '\n' && data[at - 1] == '\n')
			return at;
	return is_text ? size : 0;
}

static void damage(const char *path, unsigned char *data, size_t size, bool is_text)
{
	enum blocksha_git_format format = sealed_with(data, size);
	unsigned char *changed = malloc(size + 1);
	size_t from = protected_from(data, size, is_text);
	size_t step = test_quick() ? 7 : 1;
	struct verdict verdict;
	unsigned found = 0;

	TEST_REQUIRE(changed != NULL, "malloc");
	CHECK_INT(verify(path, data, size, &verdict), BLOCKSHA_OK, "%s: %s", path, verdict.text);
	for (size_t at = 0; at < size; at += step) {
		int result;

		memcpy(changed, data, size);
		changed[at] ^= (unsigned char)(1 + test_random_below(255));
		result = verify(path, changed, size, &verdict);
		if (at >= from && (is_text || format != BLOCKSHA_GIT_INFER))
			check_bad(path, &verdict, result, "damage", at);
		result = verify(path, data, at, &verdict);
		if (from < size && (is_text || format != BLOCKSHA_GIT_INFER))
			check_bad(path, &verdict, result, "end", at);
		if (is_text || format == BLOCKSHA_GIT_INFER)
			continue;
		seal(changed, size, format);
		found += verify(path, changed, size, &verdict) != BLOCKSHA_OK;
		/* A larger number where there was a small one: counts and sizes. */
		memcpy(changed, data, size);
		memset(changed + at, 0xff, size - at < 4 ? size - at : 4);
		seal(changed, size, format);
		(void)verify(path, changed, size, &verdict);
		test_checks += 2;
	}
	printf("%s: %zu bytes; with a new checksum %u of %zu were found\n", path, size, found,
	       (size + step - 1) / step);
	free(changed);
}

static void run(const char *path, bool is_text)
{
	FILE *file = fopen(path, "rb");
	unsigned char *data = malloc(1 << 20);
	size_t size;

	TEST_REQUIRE(file != NULL && data != NULL, path);
	size = fread(data, 1, 1 << 20, file);
	fclose(file);
	damage(path, data, size, is_text);
	free(data);
}

int main(int argc, char **argv)
{
	bool is_text = argc > 1 && strcmp(argv[1], "-t") == 0;

	test_begin(1, argv);
	for (int i = is_text ? 2 : 1; i < argc; i++)
		run(argv[i], is_text);
	return test_end();
}
