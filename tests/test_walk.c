/* SPDX-License-Identifier: MIT */
/*
 * The walk through a tree: its order, the names that it prints, roots, symbolic links,
 * patterns of --exclude.
 */
#include "walk_record.h"

#include "../cli/exclude.h"

/* --- Order ------------------------------------------------------------------ */

/* What a generated tree holds, as lines of a record. */
struct expected {
	char *names[4096]; /* the file's name, to sort by; the line's first word before it */
	size_t count;
};

/* All the names begin so. */
static const char *name_of(const char *line)
{
	return strstr(line, "tree/");
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(name_of(*(char *const *)a), name_of(*(char *const *)b));
}

static void expect_file(struct expected *expected, const char *what, const char *name)
{
	char *line = malloc(strlen(what) + strlen(name) + 2);

	TEST_REQUIRE(line != NULL && expected->count < TEST_COUNT(expected->names), "expected");
	sprintf(line, "%s %s", what, name);
	expected->names[expected->count++] = line;
}

/* Sorted as whole names, as LC_ALL=C sort does. */
static void check_expected(struct expected *expected, const char *root)
{
	struct walk_options options = {0};
	struct record record = {0};

	qsort(expected->names, expected->count, sizeof(*expected->names), compare_names);
	CHECK(record_walk(&record, &options, root), "%s", root);
	CHECK_INT((long long)record.count, (long long)expected->count, "%s", root);
	for (size_t i = 0; i < record.count && i < expected->count; i++)
		CHECK(strcmp(record.lines[i], expected->names[i]) == 0, "line %zu: '%s', not '%s'",
		      i, record.lines[i], expected->names[i]);
	record_free(&record);
	for (size_t i = 0; i < expected->count; i++)
		free(expected->names[i]);
	expected->count = 0;
}

/* A name that may be in its directory already. */
static void random_name(char *name)
{
	static const char *const traps[] = {"a",   "a.b",  "a-",  "a0",   "ab",    "a b", "a!",
					    "a/b", "A",    "aa",  "\xff", "a\xff", "\n",  "a\n",
					    "...", ".a",   "..a", " ",    "-",     "*",   "a\x01",
					    "a.",  "a..b", "b",   "\\",   "\x7f",  "\x80"};
	size_t length = 1 + test_random_below(test_random_below(20) == 0 ? 255 : 6);

	if (test_random_below(2) == 0) {
		strcpy(name, traps[test_random_below(TEST_COUNT(traps))]);
		if (strchr(name, '/') == NULL)
			return;
	}
	for (size_t i = 0; i < length; i++)
		do
			name[i] = (char)test_random_below(256);
		while (name[i] == '\0' || name[i] == '/');
	name[length] = '\0';
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		name[0] = 'x';
}

static void make_random_tree(struct expected *expected, const char *dir, unsigned depth)
{
	char path[4096], name[256];
	size_t count = test_random_below(9);

	TEST_REQUIRE(mkdir(dir, 0755) == 0 || errno == EEXIST, dir);
	while (count-- > 0) {
		struct stat status;

		random_name(name);
		TEST_REQUIRE(snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path),
			     "path");
		if (lstat(path, &status) == 0)
			continue;
		switch (test_random_below(depth > 0 ? 8 : 4)) {
		case 0:
			TEST_REQUIRE(mkfifo(path, 0644) == 0, "mkfifo");
			expect_file(expected, "FIFO", path);
			break;
		case 1:
			make_link("nowhere", path);
			expect_file(expected, "symbolic link", path);
			break;
		case 2:
		case 3:
			make_file(path);
			expect_file(expected, "file", path);
			break;
		default:
			make_random_tree(expected, path, depth - 1);
		}
	}
}

static void test_order_of_random_trees(void)
{
	static struct expected expected;

	for (unsigned i = test_rounds(40); i > 0; i--) {
		make_random_tree(&expected, "tree", 4);
		check_expected(&expected, "tree");
		run("rm -rf tree");
	}
}

/* Each byte that a name can have, alone: as a file, as a directory, and behind "a". */
static void test_order_of_all_bytes(void)
{
	static struct expected expected;
	char path[16];

	make_dir("tree");
	for (int byte = 1; byte < 256; byte++) {
		if (byte == '/' || byte == '.')
			continue;
		snprintf(path, sizeof(path), "tree/%c", byte);
		if (byte % 2 == 0) {
			make_dir(path);
			strcat(path, "/f");
		}
		make_file(path);
		expect_file(&expected, "file", path);
		snprintf(path, sizeof(path), "tree/a%c", byte);
		if (byte % 3 == 0) {
			make_dir(path);
			strcat(path, "/f");
		}
		make_file(path);
		expect_file(&expected, "file", path);
	}
	check_expected(&expected, "tree");
	run("rm -rf tree");
}

/* --- Roots ------------------------------------------------------------------ */

static void test_roots(void)
{
	struct walk_options options = {0};
	char expected[64];

	make_dir("r");
	make_dir("r/d");
	make_file("r/d/x");
	make_file("r/y");
	TEST_REQUIRE(mkfifo("r/fifo", 0644) == 0, "mkfifo");
	make_link("d", "r/link");
	make_link("fifo", "r/lfifo");
	make_link("y", "r/ly");
	make_link("nowhere", "r/dangling");
	make_link("self", "r/self");

	walk_expect(&options, "r/d", "file r/d/x\n");
	walk_expect(&options, "r/d/", "file r/d/x\n");
	walk_expect(&options, "r/d//", "file r/d//x\n");
	walk_expect(&options, "./r//d", "file ./r//d/x\n");
	walk_expect(&options, "r/d/../d", "file r/d/../d/x\n");
	walk_expect(&options, "r/link", "file r/link/x\n");
	walk_expect(&options, "r/link/", "file r/link/x\n");
	walk_expect(&options, "r/y", "named r/y\n");
	walk_expect(&options, "r/y/", "named r/y/\n"); /* opening it says what is wrong */
	walk_expect(&options, "r/ly", "named r/ly\n");
	walk_expect(&options, "r/fifo", "named r/fifo\n");
	walk_expect(&options, "r/lfifo", "named r/lfifo\n");
	snprintf(expected, sizeof(expected), "error %d r/none\n", ENOENT);
	walk_expect(&options, "r/none", expected);
	snprintf(expected, sizeof(expected), "error %d \n", ENOENT);
	walk_expect(&options, "", expected);
	snprintf(expected, sizeof(expected), "error %d r/dangling\n", ENOENT);
	walk_expect(&options, "r/dangling", expected);
	snprintf(expected, sizeof(expected), "error %d r/self\n", ELOOP);
	walk_expect(&options, "r/self", expected);

	TEST_REQUIRE(chdir("r/d") == 0, "chdir");
	walk_expect(&options, ".", "file ./x\n");
	walk_expect(&options, "./", "file ./x\n");
	walk_expect(&options, "../d", "file ../d/x\n");
	TEST_REQUIRE(chdir("../..") == 0, "chdir");
	run("rm -r r");
}

static void test_root_of_all(void)
{
	struct walk_options options = {0};
	struct record record = {.stop_after = 1};
	const char *name;

	CHECK(!record_walk(&record, &options, "/"), "stopped");
	CHECK_INT((long long)record.count, 1, "stopped");
	name = strchr(record.lines[0], '/');
	CHECK(name != NULL && name[1] != '/' && name[1] != '\0', "%s", record.lines[0]);
	record_free(&record);
}

static void test_base(void)
{
	struct walk_options options = {0};

	run("mkdir -p b/d/e && touch b/f b/d/e/g");
	options.base = dir_open(NULL, "b", false);
	TEST_REQUIRE(options.base != NULL, "b");
	walk_expect(&options, ".", "file ./d/e/g\nfile ./f\n");
	walk_expect(&options, "d", "file d/e/g\n");
	walk_expect(&options, "f", "named f\n");
	dir_release(options.base);
	run("rm -r b");
}

/* --- Kinds, links ----------------------------------------------------------- */

static void make_links(void)
{
	run("mkdir -p l/d l/e && touch l/d/x l/f l/e.x && mkfifo l/p");
	make_link("d", "l/e/d"); /* relative to l/e, where there is none */
	make_link("../d", "l/e/to_d");
	make_link("f", "l/to_f");
	make_link("p", "l/to_p");
	make_link("missing", "l/nowhere");
	make_link("self", "l/self");
	make_link("d", "l/a"); /* as a directory it comes behind a.b */
	make_file("l/a.b");
	make_link("to_f", "l/twice");
	make_link("/dev/null", "l/null");
}

static void test_links_skipped(void)
{
	struct walk_options options = {0};

	walk_expect(&options, "l",
		    "symbolic link l/a\n"
		    "file l/a.b\n"
		    "file l/d/x\n"
		    "file l/e.x\n"
		    "symbolic link l/e/d\n"
		    "symbolic link l/e/to_d\n"
		    "file l/f\n"
		    "symbolic link l/nowhere\n"
		    "symbolic link l/null\n"
		    "FIFO l/p\n"
		    "symbolic link l/self\n"
		    "symbolic link l/to_f\n"
		    "symbolic link l/to_p\n"
		    "symbolic link l/twice\n");
}

static void test_links_as_text(void)
{
	struct walk_options options = {.symlinks = WALK_SYMLINKS_TEXT};

	walk_expect(&options, "l",
		    "text l/a\n"
		    "file l/a.b\n"
		    "file l/d/x\n"
		    "file l/e.x\n"
		    "text l/e/d\n"
		    "text l/e/to_d\n"
		    "file l/f\n"
		    "text l/nowhere\n"
		    "text l/null\n"
		    "FIFO l/p\n"
		    "text l/self\n"
		    "text l/to_f\n"
		    "text l/to_p\n"
		    "text l/twice\n");
}

static void test_links_followed(void)
{
	struct walk_options options = {.symlinks = WALK_SYMLINKS_FOLLOW};
	char expected[1024];

	snprintf(expected, sizeof(expected),
		 "file l/a.b\n"
		 "file l/a/x\n"
		 "file l/d/x\n"
		 "file l/e.x\n"
		 "error %d l/e/d\n"
		 "file l/e/to_d/x\n"
		 "file l/f\n"
		 "error %d l/nowhere\n"
		 "character device l/null\n"
		 "FIFO l/p\n"
		 "error %d l/self\n"
		 "file l/to_f\n"
		 "FIFO l/to_p\n"
		 "file l/twice\n",
		 ELOOP, ENOENT, ELOOP);
	/* l/e/d points to itself: d in l/e is l/e/d. */
	walk_expect(&options, "l", expected);
}

static void test_loops(void)
{
	struct walk_options options = {.symlinks = WALK_SYMLINKS_FOLLOW};
	char expected[1024];

	run("mkdir -p o/a/b o/c && touch o/z o/a/b/f");
	make_link(".", "o/a/dot");
	make_link("..", "o/a/b/up");
	make_link("../a", "o/c/a"); /* no loop: a is not above it; but what is in it is one */
	make_link("../..", "o/a/out");
	snprintf(expected, sizeof(expected),
		 "file o/a/b/f\n"
		 "error %d o/a/b/up\n"
		 "error %d o/a/dot\n"
		 "error %d o/a/out/o\n"
		 "file o/c/a/b/f\n"
		 "error %d o/c/a/b/up\n"
		 "error %d o/c/a/dot\n"
		 "error %d o/c/a/out/o\n"
		 "file o/z\n",
		 WALK_ERROR_LOOP, WALK_ERROR_LOOP, WALK_ERROR_LOOP, WALK_ERROR_LOOP,
		 WALK_ERROR_LOOP, WALK_ERROR_LOOP);
	walk_expect(&options, "o", expected);
	CHECK(strcmp(walk_error_text(WALK_ERROR_LOOP), "symbolic link loop") == 0, "text");
	CHECK(strcmp(walk_error_text(ENOENT), strerror(ENOENT)) == 0, "text");
	run("rm -r o");
}

static void test_link_text(void)
{
	char text[4096];
	size_t size = 0;
	char *got;

	for (size_t length = 1; length < sizeof(text); length = length * 5 / 4 + 1) {
		memset(text, 'x', length);
		text[length] = '\0';
		make_link(text, "long");
		got = dir_read_link(NULL, "long", &size);
		CHECK(got != NULL, "%zu", length);
		CHECK_INT((long long)size, (long long)length, "size");
		if (got != NULL && size == length)
			CHECK_BYTES(got, text, length, "text of %zu", length);
		free(got);
		TEST_REQUIRE(unlink("long") == 0, "unlink");
	}
	CHECK(dir_read_link(NULL, "long", &size) == NULL && errno == ENOENT, "errno %d", errno);
	make_file("plain");
	CHECK(dir_read_link(NULL, "plain", &size) == NULL && errno == EINVAL, "errno %d", errno);
	TEST_REQUIRE(unlink("plain") == 0, "unlink");
}

/* Kernel files are another file system wherever this test runs. */
static void test_one_file_system(void)
{
	struct walk_options options = {.symlinks = WALK_SYMLINKS_FOLLOW, .one_file_system = true};
	struct stat here = {0}, there = {0};

	if (stat("/proc/self/task", &there) != 0 || stat(".", &here) != 0 ||
	    here.st_dev == there.st_dev) {
		test_unavailable("no other file system to link to");
		return;
	}
	run("mkdir m && touch m/a m/z && mkdir m/d && touch m/d/f");
	make_link("/proc/self/task", "m/e");
	walk_expect(&options, "m", "file m/a\nfile m/d/f\ndirectory m/e\nfile m/z\n");
	walk_expect(&options, "m/d", "file m/d/f\n");
	run("rm -r m");
}

/* --- Patterns --------------------------------------------------------------- */

static void test_patterns(void)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} rows[] = {
		{"*.o", "x.o", true},
		{"*.o", "d/x.o", true},
		{"*.o", "d.o/x", false}, /* but the directory d.o is */
		{"*.o", ".o", true},
		{"*.o", "x.oo", false},
		{"build", "build", true},
		{"build", "a/b/build", true},
		{"build", "a/rebuild", false},
		{"build", "build/x", false},
		{"build", "build/", false}, /* asked without the slash, too */
		{"build/", "build/", true},
		{"build/", "a/build/", true},
		{"build/", "build", false},
		{"src/*.c", "src/a.c", true},
		{"src/*.c", "x/src/y/a.c", true}, /* * matches slashes */
		{"src/*.c", "xsrc/a.c", false},
		{"a?b", "a/b", true},
		{"a[/]b", "a/b", true},
		{"[ab]", "x/b", true},
		{"[!ab]", "x/c", true},
		{"\\*", "*", true},
		{"\\*", "x", false},
		{"*", "anything", true},
		{"*", "./x", true},
		{"*", ".", false},
		{"*", "..", false},
		{"*", "../x", true},
		{".*", ".git", true},
		{".*", "./.git", true},
		{".*", "x/.git", true},
		{".*", "./x", false},
		{".*", "../x", false},
		{".*", "a/../x", false},
		{".*", "...", true},
		{"./x", "./x", true},
		{"./x", "d/./x", true},
		{"./x", "x", false},
		{"../x", "../x", true},
		{"/abs/*", "/abs/x", true},
		{"/abs/*", "abs/x", false},
		{"abs/x", "/abs/x", true},
		{"", "", false},
		{"", "x/", false},
		{"x\\", "x\\", false}, /* what fnmatch calls malformed matches nothing */
		{"[", "[", true},
		{"\xff*", "d/\xff\xfe", true},
	};

	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		const char *const one[] = {rows[i].pattern, NULL};
		const char *const two[] = {"no such name", rows[i].pattern, NULL};
		const char *const none[] = {NULL};

		CHECK_INT(exclude_matches(one, rows[i].name), rows[i].matches, "'%s' and '%s'",
			  rows[i].pattern, rows[i].name);
		CHECK_INT(exclude_matches(two, rows[i].name), rows[i].matches, "'%s' and '%s'",
			  rows[i].pattern, rows[i].name);
		CHECK(!exclude_matches(none, rows[i].name), "none");
		CHECK(!exclude_matches(NULL, rows[i].name), "NULL");
	}
}

static void expect_excluding(const char *pattern, const char *root, const char *expected)
{
	const char *const patterns[] = {pattern, NULL};
	struct walk_options options = {.excludes = patterns};

	walk_expect(&options, root, expected);
}

static void test_exclusion(void)
{
	run("mkdir -p x/build/in x/d x/.git && touch x/build/in/a x/d/build x/d/c.o x/.git/h "
	    "x/f");
	/* What is left out is not entered: no error for what cannot be read either. */
	expect_excluding("build", "x", "file x/.git/h\nfile x/d/c.o\nfile x/f\n");
	expect_excluding("build/", "x", "file x/.git/h\nfile x/d/build\nfile x/d/c.o\nfile x/f\n");
	expect_excluding("build/*", "x", "file x/.git/h\nfile x/d/build\nfile x/d/c.o\nfile x/f\n");
	expect_excluding("x/d", "x", "file x/.git/h\nfile x/build/in/a\nfile x/f\n");
	expect_excluding("d/c*", "x",
			 "file x/.git/h\nfile x/build/in/a\nfile x/d/build\nfile x/f\n");
	expect_excluding("x", "x", "");
	expect_excluding("x", "x/", "");
	expect_excluding("x/", "x/", "");
	expect_excluding("x/", "x", "");
	expect_excluding("f", "x/f", "");
	expect_excluding("f/", "x/f", "named x/f\n");
	TEST_REQUIRE(chdir("x") == 0, "chdir");
	expect_excluding(".*", ".", "file ./build/in/a\nfile ./d/build\nfile ./d/c.o\nfile ./f\n");
	expect_excluding("./build", ".", "file ./.git/h\nfile ./d/build\nfile ./d/c.o\nfile ./f\n");
	TEST_REQUIRE(chdir("..") == 0, "chdir");
	run("rm -r x");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	scratch_begin();
	TEST_RUN(test_order_of_random_trees);
	TEST_RUN(test_order_of_all_bytes);
	TEST_RUN(test_roots);
	TEST_RUN(test_root_of_all);
	TEST_RUN(test_base);
	make_links();
	TEST_RUN(test_links_skipped);
	TEST_RUN(test_links_as_text);
	TEST_RUN(test_links_followed);
	run("rm -r l");
	TEST_RUN(test_loops);
	TEST_RUN(test_link_text);
	TEST_RUN(test_one_file_system);
	TEST_RUN(test_patterns);
	TEST_RUN(test_exclusion);
	scratch_end();
	return test_end();
}
