/* SPDX-License-Identifier: MIT */
/*
 * The walk in a tree that changes meanwhile, that cannot be read, and that nobody wants to the
 * end. The changes are made when the visitor is called: between listing a directory and going
 * on in it, at a known place.
 */
#include "walk_record.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WITH_MSAN
#endif
#endif

/* --- A readdir with faults, which the walk calls instead of the system's ---- */

static struct {
	long fail_after; /* so many entries, counted down, then EIO; -1: never */
	bool no_types;
	unsigned long calls;
} faults = {-1, false, 0};

static struct dirent *(*original)(DIR *);

/* Returns whether there is one: not in a static program. */
static bool find_original(void)
{
	void *found = dlsym(RTLD_NEXT, "readdir64");

	if (found == NULL)
		found = dlsym(RTLD_NEXT, "readdir");
	memcpy(&original, &found, sizeof(found));
	return found != NULL;
}

struct dirent *readdir(DIR *stream)
{
	struct dirent *entry;

	if (original == NULL && !find_original())
		return NULL;
	faults.calls++;
	if (faults.fail_after == 0) {
		errno = EIO;
		return NULL;
	}
	if (faults.fail_after > 0)
		faults.fail_after--;
	entry = original(stream);
#ifdef WITH_MSAN
	if (entry != NULL)
		__msan_unpoison(entry, entry->d_reclen);
#endif
	if (entry != NULL && faults.no_types)
		entry->d_type = DT_UNKNOWN;
	return entry;
}

static void test_error_while_listing(void)
{
	struct walk_options options = {0};
	struct record record = {0};
	char error[32];

	run("mkdir -p t/a t/b && touch t/a/1 t/a/2 t/a/3 t/a/4 t/c");
	snprintf(error, sizeof(error), "error %d t", EIO);
	/* Of t/a itself, when only a part of it has been read: that part is still visited. */
	for (long entries = 0; entries <= 6; entries++) {
		size_t files = 0;

		faults.fail_after = entries;
		record_walk(&record, &options, "t/a");
		faults.fail_after = -1;
		CHECK(record.count >= 1, "%ld", entries);
		snprintf(error, sizeof(error), "error %d t/a", EIO);
		CHECK(strcmp(record.lines[0], error) == 0, "%s", record.lines[0]);
		for (size_t i = 1; i < record.count; i++)
			files += strncmp(record.lines[i], "file t/a/", 9) == 0;
		CHECK_INT((long long)files, (long long)record.count - 1, "%ld", entries);
		/* . and .. are among the entries, anywhere. */
		CHECK((long)files <= entries && (long)files + 2 >= entries, "%zu of %ld", files,
		      entries);
		record_free(&record);
	}
	run("rm -r t");
}

static void test_without_types(void)
{
	struct walk_options options = {0};

	run("mkdir -p t/a t/b && touch t/a/1 t/a.b t/c && mkfifo t/p && ln -s a t/l && ln -s c "
	    "t/m");
	faults.no_types = true;
	walk_expect(&options, "t",
		    "file t/a.b\nfile t/a/1\nfile t/c\nsymbolic link t/l\nsymbolic link t/m\n"
		    "FIFO t/p\n");
	options.symlinks = WALK_SYMLINKS_FOLLOW;
	walk_expect(&options, "t",
		    "file t/a.b\nfile t/a/1\nfile t/c\nfile t/l/1\nfile t/m\nFIFO t/p\n");
	faults.no_types = false;
	run("rm -r t");
}

/* --- What cannot be read ------------------------------------------------------ */

static void test_forbidden(void)
{
	struct walk_options options = {0};
	bool root = geteuid() == 0;
	char expected[128];

	run("mkdir -p t/a t/b t/c/e && touch t/a/1 t/b/2 t/c/3 t/c/e/4 t/z && chmod 0 t/b && "
	    "chmod 444 t/c");
	if (root)
		TEST_REQUIRE(seteuid(65534) == 0, "seteuid");
	/* c can be listed, but nothing in it opened: what that means for a file says who opens it.
	 */
	snprintf(expected, sizeof(expected),
		 "file t/a/1\nerror %d t/b\nfile t/c/3\nerror %d t/c/e\nfile t/z\n", EACCES,
		 EACCES);
	walk_expect(&options, "t", expected);
	snprintf(expected, sizeof(expected), "error %d t/b\n", EACCES);
	walk_expect(&options, "t/b", expected);
	/* Excluded, it is not even opened. */
	options.excludes = (const char *const[]){"[bc]", NULL};
	walk_expect(&options, "t", "file t/a/1\nfile t/z\n");
	if (root)
		TEST_REQUIRE(seteuid(0) == 0, "seteuid");
	run("chmod 755 t/b t/c && rm -r t");
}

/* --- Changes ------------------------------------------------------------------ */

/* Runs a command when a line comes for the first time. */
static const char *trigger, *command;

static void run_command_at_trigger(const char *line)
{
	if (trigger != NULL && strcmp(line, trigger) == 0) {
		trigger = NULL;
		run(command);
	}
}

static void expect_after(const struct walk_options *options, const char *root, const char *expected)
{
	struct record record = {.hook = run_command_at_trigger};

	record_walk(&record, options, root);
	CHECK(trigger == NULL, "%s: never came", command);
	record_expect(&record, expected, command);
}

static void test_directories_that_vanish_or_turn(void)
{
	static const struct {
		const char *command;
		int error;
	} rows[] = {
		{"rm -r t/b", ENOENT},
		{"mv t/b elsewhere", ENOENT},
		{"rm -r t/b && touch t/b", ENOTDIR},
		{"rm -r t/b && mkfifo t/b", ENOTDIR},  /* and no waiting for a writer */
		{"rm -r t/b && ln -s a t/b", ENOTDIR}, /* which is not followed */
		{"rm -r t/b && ln -s b t/b", ENOTDIR},
	};
	struct walk_options options = {0};
	char expected[128];

	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		run("mkdir -p t/a t/b && touch t/a/1 t/b/2 t/c");
		trigger = "file t/a/1";
		command = rows[i].command;
		snprintf(expected, sizeof(expected), "file t/a/1\nerror %d t/b\nfile t/c\n",
			 rows[i].error);
		expect_after(&options, "t", expected);
		run("rm -rf t elsewhere");
	}
	/* With types that were known by stat alone, and when followed. */
	run("mkdir -p t/a && touch t/a/1 t/c && mkdir elsewhere && ln -s ../elsewhere t/b");
	options.symlinks = WALK_SYMLINKS_FOLLOW;
	trigger = "file t/a/1";
	command = "rm -r elsewhere";
	snprintf(expected, sizeof(expected), "file t/a/1\nerror %d t/b\nfile t/c\n", ENOENT);
	expect_after(&options, "t", expected);
	/* A link that points nowhere when it is listed and to a file when its turn comes. */
	trigger = "file t/a/1";
	command = "touch elsewhere";
	expect_after(&options, "t", "file t/a/1\nfile t/b\nfile t/c\n");
	run("rm -r t elsewhere");
}

/* The directory that the walk is in goes away: what it holds open is still the right one. */
static void test_present_directory_moves(void)
{
	struct walk_options options = {0};

	run("mkdir -p t/a/b && touch t/a/b/1 t/a/b/2 t/a/c t/c");
	trigger = "file t/a/b/1";
	command = "mv t/a t/z && mkdir -p t/a/b && touch t/a/b/wrong";
	expect_after(&options, "t", "file t/a/b/1\nfile t/a/b/2\nfile t/a/c\nfile t/c\n");
	run("rm -r t");
	/* Deleted: an empty directory. */
	run("mkdir -p t/a/b && touch t/a/b/1 t/a/b/2 t/a/c t/c");
	trigger = "file t/a/b/1";
	command = "rm -r t/a";
	expect_after(&options, "t", "file t/a/b/1\nfile t/a/b/2\nfile t/a/c\nfile t/c\n");
	run("rm -r t");
}

/* "d/d/d/..." */
static const char *levels_of(char *text, size_t levels)
{
	text[0] = '\0';
	for (size_t i = 0; i < levels; i++)
		strcat(text, i == 0 ? "d" : "/d");
	return text;
}

#define LEVELS 100

/* t with LEVELS directories d in each other, and a file z behind each of them. */
static void make_levels(void)
{
	char path[1024];
	size_t length = 1;

	strcpy(path, "t");
	for (size_t level = 0; level <= LEVELS; level++) {
		make_dir(path);
		strcpy(path + length, "/z");
		make_file(path);
		strcpy(path + length, "/d");
		length += 2;
	}
}

/* Checks that for each level from below came its file, or this error at the levels from first to
   last. */
static void check_levels(size_t first, size_t last, int error)
{
	static char expected[(LEVELS + 1) * (2 * LEVELS + 32)];
	struct walk_options options = {0};
	char path[1024];
	char *at = expected;

	for (size_t level = LEVELS + 1; level-- > 0;) {
		levels_of(path, level);
		if (level >= first && level <= last)
			at += sprintf(at, "error %d t%s%s\n", error, level > 0 ? "/" : "", path);
		else
			at += sprintf(at, "file t/%s%sz\n", path, level > 0 ? "/" : "");
	}
	expect_after(&options, "t", expected);
	run("rm -rf t elsewhere below");
}

/* Directories above that were closed and must be opened again. */
static void test_directories_above_move(void)
{
	static char lowest[1024], text[4096], five[64], twenty[64];

	snprintf(lowest, sizeof(lowest), "file t/%s/z", levels_of(text, LEVELS));
	levels_of(five, 5);
	levels_of(twenty, 20);

	/* One moves: up to it by "..", and above it by names from the root. */
	make_levels();
	trigger = lowest;
	snprintf(text, sizeof(text), "mv t/%s elsewhere", twenty);
	command = text;
	check_levels(1, 0, 0);

	/* Two: those between them can be found in neither way. */
	make_levels();
	trigger = lowest;
	snprintf(text, sizeof(text), "mv t/%s below && mv t/%s elsewhere", twenty, five);
	check_levels(5, 19, ENOENT);

	/* Another directory in the place of one. */
	make_levels();
	trigger = lowest;
	snprintf(text, sizeof(text), "mv t/%s below && mv t/%s elsewhere && mkdir -p t/%s/d/d/d",
		 twenty, five, five);
	check_levels(5, 19, WALK_ERROR_MOVED);
	CHECK(strcmp(walk_error_text(WALK_ERROR_MOVED), "moved while it was read") == 0, "text");

	/* The root, too. */
	make_levels();
	trigger = lowest;
	snprintf(text, sizeof(text), "mv t/%s below && mv t elsewhere", five);
	check_levels(0, 4, ENOENT);
}

/* Below all of it others work, and what they leave alone is found, each file once. */
static atomic_bool over;

static void *shuffle(void *context)
{
	unsigned i = 0;

	while (!atomic_load(&over)) {
		char from[16], to[32];

		i = i * 1103515245 + 12345;
		snprintf(from, sizeof(from), "t/x%u", i >> 16 & 7);
		snprintf(to, sizeof(to), "t/x%u%s", i >> 20 & 7, (i >> 24 & 1) != 0 ? "/in" : "");
		(void)rename(from, to);
		(void)rename(to, from);
		(void)mkdir(from, 0755);
		snprintf(to, sizeof(to), "%s/f", from);
		close(open(to, O_WRONLY | O_CREAT, 0644));
		(void)unlink(to);
		(void)rmdir(from);
		(void)symlink("..", from);
		(void)unlink(from);
		(void)mkdir(from, 0755);
	}
	return context;
}

/* What the walk says of a file need not be true any more. */
static bool record_name(void *context, const struct walk_file *file)
{
	return record_line(context, "file", file->name);
}

static void test_shuffled_tree(void)
{
	static const enum walk_symlinks ways[] = {WALK_SYMLINKS_SKIP, WALK_SYMLINKS_FOLLOW};
	pthread_t thread;

	run("mkdir -p t/a t/y t/x1/in t/x2/in/in t/x3 && touch t/a/1 t/x0 t/x1/z t/y/2");
	TEST_REQUIRE(pthread_create(&thread, NULL, shuffle, NULL) == 0, "pthread_create");
	for (unsigned i = test_rounds(300); i > 0; i--) {
		struct walk_options options = {.symlinks = ways[i % 2]};
		struct record record = {0};
		struct walk_visitor visitor = record_visitor(&record);
		size_t found = 0;

		visitor.file = record_name;
		CHECK(walk_tree(&options, "t", &visitor), "walk");
		for (size_t k = 0; k < record.count; k++)
			found += strcmp(record.lines[k], "file t/a/1") == 0 ||
				 strcmp(record.lines[k], "file t/y/2") == 0;
		CHECK_INT((long long)found, 2, "what nobody moves");
		record_free(&record);
		CHECK_INT(dir_open_count(), 0, "released");
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
	run("rm -rf t");
}

/* --- The end before the end ---------------------------------------------------- */

static void test_stopping(void)
{
	struct walk_options options = {.symlinks = WALK_SYMLINKS_TEXT};
	struct record record = {0};
	size_t all;

	make_levels();
	run("mkdir t/a t/b && chmod 0 t/b && touch t/a/1 && ln -s 1 t/a/2 && mkfifo t/a/3");
	CHECK(record_walk(&record, &options, "t"), "walk");
	all = record.count;
	record_free(&record);
	CHECK(all > LEVELS + 3, "%zu", all);
	for (size_t i = 1; i <= all; i++) {
		record.stop_after = i;
		CHECK(!record_walk(&record, &options, "t"), "stopped after %zu", i);
		CHECK_INT((long long)record.count, (long long)i, "stopped");
		record_free(&record);
	}
	record.stop_after = all + 1;
	CHECK(record_walk(&record, &options, "t"), "walk");
	CHECK_INT((long long)record.count, (long long)all, "walk");
	record_free(&record);
	run("chmod 755 t/b && rm -r t");
}

static bool refuse_room(void *context)
{
	struct record *record = context;

	record_line(record, "room", "");
	return false;
}

/* When room is asked for: as when the user interrupts while files are waited for. */
static void test_stopping_for_room(void)
{
	struct walk_options options = {0};
	struct record record = {0};
	struct walk_visitor visitor = record_visitor(&record);
	struct dir *held[DIR_BUDGET];
	unsigned budget = dir_budget();

	run("mkdir -p t/a && touch t/a/1");
	visitor.make_room = refuse_room;
	for (unsigned i = 0; i < budget - 1; i++)
		TEST_REQUIRE((held[i] = dir_open(NULL, ".", false)) != NULL, "dir_open");
	CHECK(!walk_tree(&options, "t", &visitor), "stopped");
	for (unsigned i = 0; i < budget - 1; i++)
		dir_release(held[i]);
	CHECK_INT(dir_open_count(), 0, "released");
	record_expect(&record, "room \n", "stopped");
	run("rm -r t");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	if (!find_original()) {
		test_unavailable("the system's readdir cannot be found");
		return TEST_SKIPPED;
	}
	scratch_begin();
	/* The walk's reading goes through this file, or its faults would test nothing. */
	run("mkdir t");
	{
		struct walk_options options = {0};

		walk_expect(&options, "t", "");
	}
	run("rmdir t");
	if (faults.calls > 0) {
		TEST_RUN(test_error_while_listing);
		TEST_RUN(test_without_types);
	} else {
		test_unavailable("readdir cannot be replaced here");
	}
	TEST_RUN(test_forbidden);
	TEST_RUN(test_directories_that_vanish_or_turn);
	TEST_RUN(test_present_directory_moves);
	TEST_RUN(test_directories_above_move);
	TEST_RUN(test_shuffled_tree);
	TEST_RUN(test_stopping);
	TEST_RUN(test_stopping_for_room);
	scratch_end();
	return test_end();
}
