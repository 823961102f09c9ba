/* SPDX-License-Identifier: MIT */
/* test_checklist.c - the parser of checksum lists, cli/checklist.c: every line lies between guard
   pages, so that a byte too many that is read or written stops the program. */
#include "test.h"

#include "../cli/checklist.h"

/* SHA-1 and SHA-256 of nothing: FIPS 180-4 example values. */
#define SHA1 "da39a3ee5e6b4b0d3255bfef95601890afd80709"
#define SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SHA256_UPPER "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"

static const struct digest_set both = {
	2, {&digest_algorithms[DIGEST_SHA1], &digest_algorithms[DIGEST_SHA256]}};

static const struct digest_set only_sha256 = {1, {&digest_algorithms[DIGEST_SHA256]}};

static struct test_guarded place;

/* Parses a copy of line that ends, with the byte that may be written, at the guard page. */
static enum checklist_kind parse(struct checklist *list, const char *line, size_t length,
				 struct checklist_entry *entry)
{
	char *copy = (char *)place.end - length - 1;

	memcpy(copy, line, length);
	copy[length] = 'x';
	return checklist_parse(list, copy, length, entry);
}

struct row {
	const char *line;
	enum checklist_kind kind;
	const char *algorithm; /* of an entry */
	const char *name;
};

static const struct row rows[] = {
	{"", CHECKLIST_NOTHING, NULL, NULL},
	{"\r", CHECKLIST_NOTHING, NULL, NULL},
	{"\r\r", CHECKLIST_NOTHING, NULL, NULL},
	{"#", CHECKLIST_NOTHING, NULL, NULL},
	{"# " SHA256 "  name", CHECKLIST_NOTHING, NULL, NULL},
	{" ", CHECKLIST_MALFORMED, NULL, NULL},
	{" # comment", CHECKLIST_MALFORMED, NULL, NULL},
	{"junk", CHECKLIST_MALFORMED, NULL, NULL},
	{SHA256 "  name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 " *name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 "\t*name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 "   name ", CHECKLIST_ENTRY, "sha256", " name "},
	{SHA256 "  name\r", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 "  name\r\r", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 " name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 "\tname", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 " *", CHECKLIST_ENTRY, "sha256", "*"},
	{SHA256 "  ", CHECKLIST_ENTRY, "sha256", " "},
	{SHA256_UPPER "  name", CHECKLIST_ENTRY, "sha256", "name"},
	{"\t " SHA256 "  name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA1 "  name", CHECKLIST_ENTRY, "sha1", "name"},
	{SHA256 " ", CHECKLIST_MALFORMED, NULL, NULL},
	{SHA256 "", CHECKLIST_MALFORMED, NULL, NULL},
	{SHA256 "0  name", CHECKLIST_MALFORMED, NULL, NULL},
	{SHA1 "0  name", CHECKLIST_MALFORMED, NULL, NULL},
	{SHA1 SHA1 "  name", CHECKLIST_MALFORMED, NULL, NULL},
	{"\\" SHA256 "  a\\\\b\\nc\\rd", CHECKLIST_ENTRY, "sha256", "a\\b\nc\rd"},
	{"\\" SHA256 "  name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256 "  a\\nb", CHECKLIST_ENTRY, "sha256", "a\\nb"},
	{"\\" SHA256 "  a\\", CHECKLIST_MALFORMED, NULL, NULL},
	{"\\" SHA256 "  a\\t", CHECKLIST_MALFORMED, NULL, NULL},
	{"\\\\" SHA256 "  name", CHECKLIST_MALFORMED, NULL, NULL},
	{"\\", CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256 (name) = " SHA256, CHECKLIST_ENTRY, "sha256", "name"},
	{"SHA256(name)= " SHA256, CHECKLIST_ENTRY, "sha256", "name"},
	{"SHA256(name)=" SHA256 "\r", CHECKLIST_ENTRY, "sha256", "name"},
	{" SHA256 (name) \t=\t " SHA256_UPPER, CHECKLIST_ENTRY, "sha256", "name"},
	{"SHA1 (name) = " SHA1, CHECKLIST_ENTRY, "sha1", "name"},
	{"SHA256 (a) = b) = " SHA256, CHECKLIST_ENTRY, "sha256", "a) = b"},
	{"SHA256 () = " SHA256, CHECKLIST_ENTRY, "sha256", ""},
	{"\\SHA256 (a\\\\b\\n) = " SHA256, CHECKLIST_ENTRY, "sha256", "a\\b\n"},
	{"\\SHA256 (a\\) = " SHA256, CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256 (name) = " SHA1, CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA1 (name) = " SHA256, CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256 (name) = " SHA256 " ", CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256 (name) " SHA256, CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256  (name) = " SHA256, CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256 (name = " SHA256, CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256 ()= ", CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256 (", CHECKLIST_MALFORMED, NULL, NULL},
	{"SHA256", CHECKLIST_MALFORMED, NULL, NULL},
	{"((", CHECKLIST_MALFORMED, NULL, NULL},
	{" = ", CHECKLIST_MALFORMED, NULL, NULL},
	{"MD5 (name) = d41d8cd98f00b204e9800998ecf8427e", CHECKLIST_MALFORMED, NULL, NULL},
	{"\xef\xbb\xbf" SHA256 "  name", CHECKLIST_MALFORMED, NULL, NULL},
};

static void check_entry(const struct row *row, const struct checklist_entry *entry)
{
	unsigned char digest[DIGEST_MAX_SIZE];
	bool is_sha1 = strcmp(row->algorithm, "sha1") == 0;

	test_from_hex(digest, is_sha1 ? SHA1 : SHA256, is_sha1 ? 20 : 32);
	CHECK(strcmp(entry->algorithm->name, row->algorithm) == 0, "%s", row->line);
	CHECK(strcmp(entry->name, row->name) == 0, "%s: name is %s", row->line, entry->name);
	CHECK_BYTES(entry->digest.bytes, digest, entry->algorithm->size, "%s", row->line);
}

/* Each line as the only one of its list. */
static void test_rows(void)
{
	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		struct checklist list = {.algorithms = &both};
		struct checklist_entry entry;
		enum checklist_kind kind = parse(&list, rows[i].line, strlen(rows[i].line), &entry);

		CHECK_INT(kind, rows[i].kind, "%s", rows[i].line);
		if (kind == CHECKLIST_ENTRY && rows[i].kind == CHECKLIST_ENTRY)
			check_entry(&rows[i], &entry);
	}
}

/* A list for one algorithm has no lines of another. */
static void test_one_algorithm(void)
{
	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		struct checklist list = {.algorithms = &only_sha256};
		struct checklist_entry entry;
		enum checklist_kind expected = rows[i].kind;

		if (expected == CHECKLIST_ENTRY && strcmp(rows[i].algorithm, "sha1") == 0)
			expected = CHECKLIST_MALFORMED;
		CHECK_INT(parse(&list, rows[i].line, strlen(rows[i].line), &entry), expected, "%s",
			  rows[i].line);
	}
}

/* coreutils takes away one carriage return only. */
static void test_one_cr(void)
{
	static const char line[] = SHA256 "  name\r\r";
	struct checklist list = {.algorithms = &both, .as_coreutils = true};
	struct checklist_entry entry;

	CHECK_INT(parse(&list, line, strlen(line), &entry), CHECKLIST_ENTRY, "two CR");
	CHECK(strcmp(entry.name, "name\r") == 0, "two CR");
	CHECK_INT(parse(&list, "\r\r", 2, &entry), CHECKLIST_MALFORMED, "two CR alone");
}

/* The first line that can be only one of GNU and reversed decides for the lines after it. */
static void test_form(void)
{
	static const char *const gnu = SHA256 "  name", *const reversed = SHA256 " name";
	struct checklist list = {.algorithms = &both};
	struct checklist_entry entry;

	CHECK_INT(parse(&list, gnu, strlen(gnu), &entry), CHECKLIST_ENTRY, "GNU first");
	CHECK_INT(parse(&list, reversed, strlen(reversed), &entry), CHECKLIST_MALFORMED,
		  "reversed after GNU");
	CHECK_INT(parse(&list, gnu, strlen(gnu), &entry), CHECKLIST_ENTRY, "GNU again");

	list.form = CHECKLIST_FORM_UNKNOWN;
	CHECK_INT(parse(&list, reversed, strlen(reversed), &entry), CHECKLIST_ENTRY,
		  "reversed first");
	CHECK_INT(parse(&list, gnu, strlen(gnu), &entry), CHECKLIST_ENTRY, "two spaces then");
	CHECK(strcmp(entry.name, " name") == 0, "the second space is part of the name");
}

/* NUL bytes end the name or the digest before them; they cannot be part of a name. */
static void test_nul(void)
{
	static const char name[] = SHA256 "  name\0more";
	static const char digest[] = "SHA256 (name) = " SHA256 "\0more";
	static const char inside[] = "SHA256 (name) = e3b0\0c44298fc1c149afbf4c8996fb92427ae41";
	static const char escaped[] = "\\" SHA256 "  na\0me";
	struct checklist list = {.algorithms = &both};
	struct checklist_entry entry;

	CHECK_INT(parse(&list, name, sizeof(name) - 1, &entry), CHECKLIST_ENTRY, "behind a name");
	CHECK(strcmp(entry.name, "name") == 0, "behind a name");
	CHECK_INT(parse(&list, digest, sizeof(digest) - 1, &entry), CHECKLIST_ENTRY,
		  "behind a digest");
	CHECK_INT(parse(&list, inside, sizeof(inside) - 1, &entry), CHECKLIST_MALFORMED,
		  "in a digest");
	CHECK_INT(parse(&list, escaped, sizeof(escaped) - 1, &entry), CHECKLIST_MALFORMED,
		  "in an escaped name");
}

/* The name of an entry lies in the line, and ends there. */
static void check_bounds(const struct checklist_entry *entry, size_t length)
{
	const char *end = (const char *)place.end;

	CHECK(entry->name >= end - length - 1 && entry->name < end, "length %zu", length);
	CHECK(memchr(entry->name, '\0', (size_t)(end - entry->name)) != NULL, "length %zu", length);
}

/* Every prefix of every line: nothing but the whole digest makes an entry. */
static void test_prefixes(void)
{
	for (size_t i = 0; i < TEST_COUNT(rows); i++)
		for (size_t length = 0; length <= strlen(rows[i].line); length++) {
			struct checklist list = {.algorithms = &both};
			struct checklist_entry entry;

			if (parse(&list, rows[i].line, length, &entry) != CHECKLIST_ENTRY)
				continue;
			CHECK(length > 2 * entry.algorithm->size, "%s, %zu", rows[i].line, length);
			check_bounds(&entry, length);
		}
}

/* Lines with random damage, and lines of random bytes. */
static void test_damage(void)
{
	for (unsigned round = test_rounds(200000); round > 0; round--) {
		const struct row *row = &rows[test_random_below(TEST_COUNT(rows))];
		struct checklist list = {.algorithms = &both, .as_coreutils = test_random_below(2) == 0};
		struct checklist_entry entry;
		size_t length = strlen(row->line);
		char line[256];

		memcpy(line, row->line, length);
		if (test_random_below(4) == 0)
			test_random_bytes(line, length);
		for (size_t edits = 1 + test_random_below(3); edits > 0 && length > 0; edits--)
			line[test_random_below(length)] =
				"\\ ()=*\t\r\n#\0nr0f"[test_random_below(15)];
		if (parse(&list, line, length, &entry) == CHECKLIST_ENTRY)
			check_bounds(&entry, length);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	place = test_guarded_new(4096);
	TEST_RUN(test_rows);
	TEST_RUN(test_one_algorithm);
	TEST_RUN(test_one_cr);
	TEST_RUN(test_form);
	TEST_RUN(test_nul);
	TEST_RUN(test_prefixes);
	TEST_RUN(test_damage);
	test_guarded_free(&place);
	return test_end();
}
