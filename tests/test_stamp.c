/* SPDX-License-Identifier: MIT */
/* test_stamp.c - the comments of kept lists, cli/stamp.c, and names that are the same,
   cli/nameset.c. */
#include "test.h"

#include "../cli/nameset.h"
#include "../cli/stamp.h"

static struct test_guarded place;

/* Parses a copy that ends, with the byte that may be written, at the guard page. */
static const char *parse(const char *line, size_t length, struct stamp *stamp)
{
	char *copy = (char *)place.end - length - 1;

	memcpy(copy, line, length);
	copy[length] = 'x';
	return stamp_parse(copy, length, stamp);
}

struct row {
	const char *line;
	uint64_t size;
	int64_t seconds;
	long nanoseconds;
	bool young;
	const char *name;
};

static const struct row rows[] = {
	{"# blocksha: size=6 time=1700000000.123456789 name=a.txt", 6, 1700000000, 123456789, false,
	 "a.txt"},
	{"# blocksha: size=0 time=0.000000000? name=a b", 0, 0, 0, true, "a b"},
	{"# blocksha: size=18446744073709551615 time=-1.000000001 name= ", UINT64_MAX, -1, 1, false,
	 " "},
	{"# blocksha: size=1 time=9223372036.999999999 name=\\\\\\n\\rn", 1, 9223372036, 999999999,
	 false, "\\\n\rn"},
	{"# blocksha: size=1 time=1.000000000 name=", 1, 1, 0, false, ""},
	{"# blocksha: size=1 time=1.000000000 name=name=x", 1, 1, 0, false, "name=x"},
};

static const char *const others[] = {
	"",
	"#",
	"# blocksha",
	"#blocksha: size=6 time=1.000000000 name=a",
	"# blocksha: size= time=1.000000000 name=a",
	"# blocksha: size=-1 time=1.000000000 name=a",
	"# blocksha: size=18446744073709551616 time=1.000000000 name=a",
	"# blocksha: size=99999999999999999999999 time=1.000000000 name=a",
	"# blocksha: size=6 time=1 name=a",
	"# blocksha: size=6 time=1.00000000 name=a",
	"# blocksha: size=6 time=1.0000000000 name=a",
	"# blocksha: size=6 time=--1.000000000 name=a",
	"# blocksha: size=6 time=9223372036854775808.000000000 name=a",
	"# blocksha: size=6 time=1.000000000?? name=a",
	"# blocksha: size=6 time=1.000000000  name=a",
	"# blocksha: size=6 time=1.000000000 name=a\\",
	"# blocksha: size=6 time=1.000000000 name=a\\t",
	" # blocksha: size=6 time=1.000000000 name=a",
};

static void check_written(const struct row *row, const struct stamp *stamp, const char *name)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	TEST_REQUIRE(out != NULL, "open_memstream");
	stamp_write(out, stamp, name);
	fclose(out);
	CHECK(size == strlen(row->line) + 1 && text[size - 1] == '\n', "%s", row->line);
	CHECK(strncmp(text, row->line, size - 1) == 0, "%s: written as %s", row->line, text);
	free(text);
}

static void test_rows(void)
{
	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		const struct row *row = &rows[i];
		struct stamp stamp;
		const char *name = parse(row->line, strlen(row->line), &stamp);

		if (sizeof(time_t) < 8 && row->seconds > INT32_MAX) {
			CHECK(name == NULL, "%s: too late for this time_t", row->line);
			continue;
		}
		CHECK(name != NULL, "%s", row->line);
		if (name == NULL)
			continue;
		CHECK(strcmp(name, row->name) == 0, "%s: %s", row->line, name);
		CHECK(stamp.size == row->size && stamp.time.tv_sec == row->seconds &&
			      stamp.time.tv_nsec == row->nanoseconds && stamp.young == row->young,
		      "%s", row->line);
		check_written(row, &stamp, name);
	}
	for (size_t i = 0; i < TEST_COUNT(others); i++) {
		struct stamp stamp;

		CHECK(parse(others[i], strlen(others[i]), &stamp) == NULL, "%s", others[i]);
	}
}

/* What was cut before the name is no stamp; a NUL byte in the name neither. */
static void test_prefixes(void)
{
	static const char nul[] = "# blocksha: size=6 time=1.000000000 name=a\0b";
	struct stamp stamp;

	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		const char *name = strstr(rows[i].line, " name=") + strlen(" name=");

		for (size_t length = 0; length < strlen(rows[i].line); length++)
			if (parse(rows[i].line, length, &stamp) != NULL)
				CHECK(length >= (size_t)(name - rows[i].line), "%s, %zu",
				      rows[i].line, length);
	}
	CHECK(parse(nul, sizeof(nul) - 1, &stamp) == NULL, "NUL");
}

static void test_equal(void)
{
	const struct stamp stamp = {6, {1700000000, 5}, false};

	CHECK(stamp_equal(&stamp, &(struct stamp){6, {1700000000, 5}, true}), "the same");
	CHECK(!stamp_equal(&stamp, &(struct stamp){7, {1700000000, 5}, false}), "size");
	CHECK(!stamp_equal(&stamp, &(struct stamp){6, {1700000001, 5}, false}), "seconds");
	CHECK(!stamp_equal(&stamp, &(struct stamp){6, {1700000000, 6}, false}), "nanoseconds");
}

static void test_young(void)
{
	static const struct {
		struct timespec time, now;
		bool young;
	} cases[] = {
		{{100, 500000000}, {100, 500000000}, true},
		{{100, 500000000}, {100, 510000000}, true},
		{{100, 500000000}, {100, 600000000}, false},
		{{100, 500000000}, {101, 0}, false},
		{{100, 999000000}, {101, 1000000}, true},
		{{100, 0}, {101, 999999999}, true},
		{{100, 0}, {102, 0}, true},
		{{100, 0}, {102, 1}, false},
		{{100, 0}, {103, 0}, false},
		{{200, 1}, {100, 0}, true},
		{{-5, 1}, {100, 0}, false},
	};

	for (size_t i = 0; i < TEST_COUNT(cases); i++)
		CHECK(stamp_is_young(&cases[i].time, &cases[i].now) == cases[i].young, "case %zu",
		      i);
}

static void test_keys(void)
{
	static const char *const keys[][2] = {
		{"a", "a"},         {"./a", "a"}, {"a/", "a"},       {".//./a/.//b/.", "a/b"},
		{"/", "/"},         {"//", "/"},  {"/a//b", "/a/b"}, {"/./a", "/a"},
		{".", ""},          {"", ""},     {"..", ".."},      {"a/../b", "a/../b"},
		{"./../a", "../a"}, {".a", ".a"}, {"a.", "a."},      {"...", "..."},
	};

	for (size_t i = 0; i < TEST_COUNT(keys); i++) {
		char *key = nameset_key(keys[i][0]);

		TEST_REQUIRE(key != NULL, "malloc");
		CHECK(strcmp(key, keys[i][1]) == 0, "%s: %s", keys[i][0], key);
		free(key);
	}
}

static void test_below(void)
{
	static const struct {
		const char *key, *directory;
		bool below;
	} cases[] = {
		{"a/b", "a", true},   {"a", "a", true},     {"ab", "a", false},
		{"a/b", "", true},    {"/a", "", false},    {"../a", "", false},
		{"..", "", false},    {"..a", "", true},    {"/a", "/", true},
		{"a", "/", false},    {"../a", "..", true}, {"b/a", "a", false},
		{"/a/b", "/a", true}, {"/ab", "/a", false},
	};

	for (size_t i = 0; i < TEST_COUNT(cases); i++)
		CHECK(nameset_is_below(cases[i].key, cases[i].directory) == cases[i].below,
		      "%s in %s", cases[i].key, cases[i].directory);
}

static void test_set(void)
{
	struct nameset set = {NULL};
	char name[32];

	CHECK(!nameset_has(&set, "a"), "empty");
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "./%u//x", i * 7919 % 1000);
		CHECK(nameset_add(&set, name) && nameset_add(&set, name), "%s", name);
	}
	for (unsigned i = 0; i < 1010; i++) {
		snprintf(name, sizeof(name), "%u/x/", i);
		CHECK(nameset_has(&set, name) == (i < 1000), "%s", name);
	}
	nameset_free(&set);
	CHECK(!nameset_has(&set, "1/x"), "freed");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	place = test_guarded_new(4096);
	TEST_RUN(test_rows);
	TEST_RUN(test_prefixes);
	TEST_RUN(test_equal);
	TEST_RUN(test_young);
	TEST_RUN(test_keys);
	TEST_RUN(test_below);
	TEST_RUN(test_set);
	test_guarded_free(&place);
	return test_end();
}
