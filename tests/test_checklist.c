/* SPDX-License-Identifier: MIT */
/* test_checklist.c - the parser of checksum lists, cli/checklist.c: every line lies between guard
   pages, so that a byte too many that is read or written stops the program. */
#include "test.h"

#include "../cli/checklist.h"

/* SHA-1 and SHA-256 of nothing: FIPS 180-4 example values. */
#define SHA1 "da39a3ee5e6b4b0d3255bfef95601890afd80709"
#define SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define SHA256_UPPER "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"

/* The same in base64, and MD5 of nothing (RFC 1321). */
#define SHA1_BASE64 "2jmj7l5rSw0yVb/vlWAYkK/YBwk="
#define SHA256_BASE64 "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
#define MD5 "d41d8cd98f00b204e9800998ecf8427e"

static const struct digest_set both = {
	2, {&digest_algorithms[DIGEST_SHA1], &digest_algorithms[DIGEST_SHA256]}};

static const struct digest_set only_sha1 = {1, {&digest_algorithms[DIGEST_SHA1]}};
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
	const char *algorithm; /* of an entry, or the tag of an unsupported one */
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
	{SHA1 "", CHECKLIST_MALFORMED, NULL, NULL},
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
};

/* Lines that only blocksha takes: coreutils 9.1 finds all of them malformed. */
static const struct row rows_beyond[] = {
	{"SHA2-256(name)= " SHA256, CHECKLIST_ENTRY, "sha256", "name"},
	{"\\SHA2-256 (a\\nb) = " SHA256_UPPER, CHECKLIST_ENTRY, "sha256", "a\nb"},
	{"SHA256 (name) = " SHA256_BASE64, CHECKLIST_ENTRY, "sha256", "name"},
	{"SHA1 (name) = " SHA1_BASE64, CHECKLIST_ENTRY, "sha1", "name"},
	{SHA256_BASE64 "  name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA1_BASE64 " *name", CHECKLIST_ENTRY, "sha1", "name"},
	{"\xef\xbb\xbf" SHA256 "  name", CHECKLIST_ENTRY, "sha256", "name"},
	{SHA256, CHECKLIST_ENTRY, "sha256", "the owner"},
	{" \t" SHA256_BASE64 "\r", CHECKLIST_ENTRY, "sha256", "the owner"},
	{"-----BEGIN PGP SIGNED MESSAGE-----", CHECKLIST_NOTHING, NULL, NULL},
	{"-----BEGIN PGP SIGNED MESSAGE----- \t", CHECKLIST_NOTHING, NULL, NULL},
	{"MD5 (name) = " MD5, CHECKLIST_UNSUPPORTED, "MD5", "name"},
	{"\\MD5 (a\\\\b)=" MD5, CHECKLIST_UNSUPPORTED, "MD5", "a\\b"},
	{"BLAKE2b-16(name)= 0a1B", CHECKLIST_UNSUPPORTED, "BLAKE2b-16", "name"},
	{"BLAKE2b-16(name)= Chs=", CHECKLIST_UNSUPPORTED, "BLAKE2b-16", "name"},
	{MD5 "  name", CHECKLIST_UNSUPPORTED, NULL, "name"},
	{MD5 " name", CHECKLIST_UNSUPPORTED, NULL, "name"},
	{SHA256 SHA256 "  name", CHECKLIST_UNSUPPORTED, NULL, "name"},
	{"\xff\xfe"
	 "e\0",
	 CHECKLIST_UTF16, NULL, NULL},
	{"\xfe\xff", CHECKLIST_UTF16, NULL, NULL},
};

/* And lines that neither takes, though they are close. */
static const char *const close_rows[] = {
	SHA1, /* not the owner's algorithm */
	MD5,
	"\\" SHA256,
	SHA256 SHA256,
	"SHA2-256(name)= " SHA1,
	"SHA2-256(name)= " SHA1_BASE64,
	"SHA1(name)= " SHA256_BASE64,
	"SHA2-256  (name) = " SHA256,
	"SHA2-1(name)= " SHA1,
	"SHA256 (name) = " SHA256_BASE64 "=",
	"SHA256 (name) = 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
	"SHA256 (name) = 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF==",
	"SHA256 (name) = 47DEQpj8HBSa+_TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
	"SHA256 (name) = 47DEQpj8HBSa=/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
	"MD5 (name) = " SHA1,
	"MD5 (name) = d41d8cd98f00b204e9800998ecf8427",
	"MD5 (name) = d41d8cd98f00b204e9800998ecf8427g",
	"MD5 (name = " MD5,
	"MD5 (name) " MD5,
	"MD5  (name) = " MD5,
	"\\MD5 (na\\me) = " MD5,
	"BLAKE2b-0 (name) = ",
	"BLAKE2b-12 (name) = 00",
	"BLAKE2b-016 (name) = 0a1b",
	"BLAKE2b-9999999999999999999999999 (name) = 00",
	"BLAKE2b-+8 (name) = 00",
	"\xef\xbb" SHA256 "  name",
	"\xef\xbb\xbf\xef\xbb\xbf" SHA256 "  name",
	" -----BEGIN PGP SIGNED MESSAGE-----",
	"-----BEGIN PGP SIGNATURE-----",
};

static void check_entry(const struct row *row, const struct checklist_entry *entry)
{
	unsigned char digest[DIGEST_MAX_SIZE];
	bool is_sha1 = strcmp(row->algorithm, "sha1") == 0;

	test_from_hex(digest, is_sha1 ? SHA1 : SHA256, is_sha1 ? 20 : 32);
	CHECK(strcmp(entry->algorithm->name, row->algorithm) == 0, "%s", row->line);
	CHECK(strcmp(entry->name, row->name) == 0, "%s: name is %s", row->line, entry->name);
	CHECK_BYTES(entry->digest.bytes, digest, entry->algorithm->size, "%s", row->line);
	CHECK(!entry->matches_nothing, "%s", row->line);
}

static void check_unsupported(const struct row *row, const struct checklist_entry *entry)
{
	CHECK(entry->algorithm == NULL && entry->foreign_size > 0, "%s", row->line);
	CHECK(strcmp(entry->name, row->name) == 0, "%s: name is %s", row->line, entry->name);
	if (row->algorithm == NULL)
		CHECK(entry->foreign == NULL, "%s", row->line);
	else
		CHECK(entry->foreign != NULL && strcmp(entry->foreign, row->algorithm) == 0, "%s",
		      row->line);
}

static size_t row_length(const struct row *row)
{
	return row->kind == CHECKLIST_UTF16 ? strlen(row->line) + 1 : strlen(row->line);
}

/* Each line as the only one of its list. */
static void check_rows(const struct row *row, size_t count)
{
	for (; count > 0; row++, count--) {
		struct checklist list = {.algorithms = &both,
					 .owner_algorithm = &digest_algorithms[DIGEST_SHA256],
					 .owner = "the owner"};
		struct checklist_entry entry;
		enum checklist_kind kind = parse(&list, row->line, row_length(row), &entry);

		CHECK_INT(kind, row->kind, "%s", row->line);
		if (kind != row->kind)
			continue;
		if (kind == CHECKLIST_ENTRY)
			check_entry(row, &entry);
		if (kind == CHECKLIST_UNSUPPORTED)
			check_unsupported(row, &entry);
	}
}

static void test_rows(void)
{
	check_rows(rows, TEST_COUNT(rows));
	check_rows(rows_beyond, TEST_COUNT(rows_beyond));
	for (size_t i = 0; i < TEST_COUNT(close_rows); i++)
		check_rows(&(struct row){close_rows[i], CHECKLIST_MALFORMED, NULL, NULL}, 1);
}

/* Under the names of coreutils none of these lines is anything. */
static void test_beyond_coreutils(void)
{
	static const struct digest_set *const sets[] = {&only_sha1, &only_sha256};

	for (size_t i = 0; i < 2 * (TEST_COUNT(rows_beyond) + TEST_COUNT(close_rows)); i++) {
		size_t at = i / 2;
		bool is_row = at < TEST_COUNT(rows_beyond);
		const char *line =
			is_row ? rows_beyond[at].line : close_rows[at - TEST_COUNT(rows_beyond)];
		struct checklist list = {.algorithms = sets[i % 2],
					 .as_coreutils = true,
					 .owner_algorithm = &digest_algorithms[DIGEST_SHA256],
					 .owner = "the owner"};
		struct checklist_entry entry;
		size_t length = is_row ? row_length(&rows_beyond[at]) : strlen(line);

		CHECK_INT(parse(&list, line, length, &entry), CHECKLIST_MALFORMED, "%s", line);
		CHECK(checklist_may_end(&list), "%s", line);
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

struct frame_row {
	const char *line;
	enum checklist_kind kind;
	bool may_end; /* the list, behind this line */
};

/* A list that is signed, line by line. */
static void test_clearsigned(void)
{
	static const struct frame_row frame[] = {
		{"From somebody", CHECKLIST_MALFORMED, true},
		{"# a comment", CHECKLIST_NOTHING, true},
		{"-----BEGIN PGP SIGNED MESSAGE-----", CHECKLIST_NOTHING, false},
		{"Hash: SHA512\r", CHECKLIST_NOTHING, false},
		{SHA256 "  name", CHECKLIST_MALFORMED, false},
		{": x", CHECKLIST_MALFORMED, false},
		{"", CHECKLIST_NOTHING, false},
		{SHA256 "  name", CHECKLIST_ENTRY, false},
		{"- " SHA256 "  name", CHECKLIST_ENTRY, false},
		{"- ", CHECKLIST_NOTHING, false},
		{"-", CHECKLIST_MALFORMED, false},
		{"-" SHA256 "  name", CHECKLIST_MALFORMED, false},
		{"-----BEGIN PGP SIGNED MESSAGE-----", CHECKLIST_MALFORMED, false},
		{"-----END PGP SIGNATURE-----", CHECKLIST_MALFORMED, false},
		{"MD5 (name) = " MD5, CHECKLIST_UNSUPPORTED, false},
		{"-----BEGIN PGP SIGNATURE-----\t\r", CHECKLIST_NOTHING, false},
		{"", CHECKLIST_NOTHING, false},
		{SHA256 "  name", CHECKLIST_NOTHING, false},
		{"-----END PGP SIGNATURE-----", CHECKLIST_NOTHING, true},
		{" ", CHECKLIST_NOTHING, true},
		{SHA256 "  name", CHECKLIST_MALFORMED, true},
		{"-----BEGIN PGP SIGNED MESSAGE-----", CHECKLIST_NOTHING, false},
	};
	struct checklist list = {.algorithms = &both};
	struct checklist_entry entry;

	for (size_t i = 0; i < TEST_COUNT(frame); i++) {
		CHECK_INT(parse(&list, frame[i].line, strlen(frame[i].line), &entry), frame[i].kind,
			  "line %zu: %s", i, frame[i].line);
		CHECK(checklist_may_end(&list) == frame[i].may_end, "line %zu", i);
	}
	/* An entry before the first message, and it is too late for one. */
	for (size_t i = 0; i < 2; i++) {
		static const char *const before[] = {SHA256 "  name", MD5 "  name"};

		list = (struct checklist){.algorithms = &both};
		parse(&list, before[i], strlen(before[i]), &entry);
		CHECK_INT(parse(&list, frame[2].line, strlen(frame[2].line), &entry),
			  CHECKLIST_SIGNED_LATE, "%s", before[i]);
	}
}

/* Base64 with bits behind the digest is read, but nothing has that digest. */
static void test_not_canonical(void)
{
	static const char letters[] = "VWX";
	char line[] = "SHA256 (name) = " SHA256_BASE64;
	char *last = line + sizeof(line) - 3;

	for (size_t i = 0; i < 3; i++) {
		struct checklist list = {.algorithms = &both};
		struct checklist_entry entry;

		*last = letters[i];
		CHECK_INT(parse(&list, line, strlen(line), &entry), CHECKLIST_ENTRY, "%s", line);
		CHECK(entry.matches_nothing, "%s", line);
	}
}

static void test_owner(void)
{
	static const struct {
		const char *list;
		const char *algorithm;
		size_t length;
	} owners[] = {
		{"f.sha256", "sha256", 1},
		{"a/b.c.sha1", "sha1", 5},
		{"f.sha25", NULL, 0},
		{".sha256", NULL, 0},
		{"a/.sha1", NULL, 0},
		{"sha256", NULL, 0},
		{"f.sha256/x", NULL, 0},
		{"f.SHA256", NULL, 0},
		{"f.sha256.", NULL, 0},
		{"a.sha1/b.sha256", "sha256", 8},
		{"", NULL, 0},
		{"f.sha256 ", NULL, 0},
	};

	for (size_t i = 0; i < TEST_COUNT(owners); i++) {
		size_t length = 0;
		const struct digest_algorithm *algorithm = checklist_owner(owners[i].list, &length);

		CHECK((algorithm != NULL) == (owners[i].algorithm != NULL), "%s", owners[i].list);
		if (algorithm == NULL || owners[i].algorithm == NULL)
			continue;
		CHECK(strcmp(algorithm->name, owners[i].algorithm) == 0, "%s", owners[i].list);
		CHECK_INT((long long)length, (long long)owners[i].length, "%s", owners[i].list);
	}
}

/* A line with a NUL byte is malformed, since what is behind it could say anything; for coreutils
   the NUL ends the name or the digest before it. */
static void test_nul(void)
{
	static const char name[] = SHA256 "  name\0more";
	static const char digest[] = "SHA256 (name) = " SHA256 "\0more";
	static const char inside[] = "SHA256 (name) = e3b0\0c44298fc1c149afbf4c8996fb92427ae41";
	static const char escaped[] = "\\" SHA256 "  na\0me";
	static const struct {
		const char *line;
		size_t length;
		bool ends; /* what is before it is whole */
	} lines[] = {
		{name, sizeof(name) - 1, true},
		{digest, sizeof(digest) - 1, true},
		{inside, sizeof(inside) - 1, false},
		{escaped, sizeof(escaped) - 1, false},
	};
	struct checklist_entry entry;

	for (size_t i = 0; i < TEST_COUNT(lines); i++) {
		struct checklist ours = {.algorithms = &both};
		struct checklist theirs = {.algorithms = &both, .as_coreutils = true};
		enum checklist_kind expected =
			lines[i].ends ? CHECKLIST_ENTRY : CHECKLIST_MALFORMED;

		CHECK_INT(parse(&ours, lines[i].line, lines[i].length, &entry), CHECKLIST_MALFORMED,
			  "line %zu", i);
		CHECK_INT(parse(&theirs, lines[i].line, lines[i].length, &entry), expected,
			  "line %zu for coreutils", i);
		if (lines[i].ends)
			CHECK(strcmp(entry.name, "name") == 0, "line %zu", i);
	}
}

/* The name of an entry lies in the line, and ends there. */
static void check_bounds(const struct checklist_entry *entry, size_t length)
{
	const char *end = (const char *)place.end;

	CHECK(entry->name >= end - length - 1 && entry->name < end, "length %zu", length);
	CHECK(memchr(entry->name, '\0', (size_t)(end - entry->name)) != NULL, "length %zu", length);
}

static const struct row *any_row(size_t i)
{
	return i < TEST_COUNT(rows) ? &rows[i] : &rows_beyond[i - TEST_COUNT(rows)];
}

/* Every prefix of every line: nothing but the whole digest makes an entry. */
static void test_prefixes(void)
{
	for (size_t i = 0; i < TEST_COUNT(rows) + TEST_COUNT(rows_beyond); i++) {
		const char *line = any_row(i)->line;

		for (size_t length = 0; length <= strlen(line); length++) {
			struct checklist list = {.algorithms = &both};
			struct checklist_entry entry;

			if (parse(&list, line, length, &entry) != CHECKLIST_ENTRY)
				continue;
			CHECK(length > 4 * entry.algorithm->size / 3, "%s, %zu", line, length);
			check_bounds(&entry, length);
		}
	}
}

/* Lines with random damage, and lines of random bytes. */
static void test_damage(void)
{
	for (unsigned round = test_rounds(200000); round > 0; round--) {
		const struct row *row =
			any_row(test_random_below(TEST_COUNT(rows) + TEST_COUNT(rows_beyond)));
		struct checklist list = {.algorithms = &both,
					 .as_coreutils = test_random_below(2) == 0};
		struct checklist_entry entry;
		size_t length = strlen(row->line);
		char line[256];

		memcpy(line, row->line, length);
		if (test_random_below(4) == 0)
			test_random_bytes(line, length);
		for (size_t edits = 1 + test_random_below(3); edits > 0 && length > 0; edits--)
			line[test_random_below(length)] =
				"\\ ()=*\t\r\n#\0nr0f-+"[test_random_below(17)];
		switch (parse(&list, line, length, &entry)) {
		case CHECKLIST_ENTRY:
		case CHECKLIST_UNSUPPORTED:
			check_bounds(&entry, length);
			break;
		default:
			break;
		}
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	place = test_guarded_new(4096);
	TEST_RUN(test_rows);
	TEST_RUN(test_beyond_coreutils);
	TEST_RUN(test_one_algorithm);
	TEST_RUN(test_one_cr);
	TEST_RUN(test_form);
	TEST_RUN(test_clearsigned);
	TEST_RUN(test_not_canonical);
	TEST_RUN(test_owner);
	TEST_RUN(test_nul);
	TEST_RUN(test_prefixes);
	TEST_RUN(test_damage);
	test_guarded_free(&place);
	return test_end();
}
