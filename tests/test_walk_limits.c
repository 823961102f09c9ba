/* SPDX-License-Identifier: MIT */
/*
 * The walk where trees are deep, directories large, names long and descriptors few.
 */
#include "walk_record.h"

#include <pthread.h>
#include <sys/resource.h>

static void limit_descriptors(rlim_t count)
{
	struct rlimit limit;

	TEST_REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
	limit.rlim_cur = count;
	TEST_REQUIRE(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
}

static rlim_t descriptor_limit(void)
{
	struct rlimit limit;

	TEST_REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
	return limit.rlim_cur;
}

static void test_budget_of_limit(void)
{
	static const struct {
		rlim_t limit;
		unsigned budget;
	} rows[] = {{20, 5}, {16, 4}, {12, 4}, {64, 16}, {1020, 255}, {1024, 256}, {2048, 256}};
	rlim_t before = descriptor_limit();

	for (size_t i = 0; i < TEST_COUNT(rows) && rows[i].limit <= before; i++) {
		limit_descriptors(rows[i].limit);
		CHECK_INT(dir_budget(), rows[i].budget, "of %u", (unsigned)rows[i].limit);
	}
	limit_descriptors(before);
}

/* --- Depth ------------------------------------------------------------------ */

/* Makes "name" with levels directories called d in each other, and in every step-th of them, and
   in the lowest, a file z, which comes behind d. */
static void make_chain(const char *name, size_t levels, size_t step)
{
	int fd = AT_FDCWD;

	for (size_t level = 0; level <= levels; level++) {
		const char *own = level == 0 ? name : "d";
		int next;

		TEST_REQUIRE(mkdirat(fd, own, 0755) == 0, "mkdirat");
		next = openat(fd, own, O_RDONLY | O_DIRECTORY);
		TEST_REQUIRE(next >= 0, "openat");
		if (level % step == 0 || level == levels)
			make_file_at(next, "z");
		if (fd != AT_FDCWD)
			close(fd);
		fd = next;
	}
	close(fd);
}

/* Removes it, from below. */
static void remove_chain(const char *name, size_t levels)
{
	int fd = open(name, O_RDONLY | O_DIRECTORY);

	for (size_t level = 0; level < levels; level++) {
		int next = openat(fd, "d", O_RDONLY | O_DIRECTORY);

		TEST_REQUIRE(next >= 0, "openat");
		close(fd);
		fd = next;
	}
	for (size_t level = levels + 1; level-- > 0;) {
		int next = openat(fd, "..", O_RDONLY | O_DIRECTORY);

		(void)unlinkat(fd, "z", 0);
		close(fd);
		TEST_REQUIRE(next >= 0, "openat");
		TEST_REQUIRE(unlinkat(next, level == 0 ? name : "d", AT_REMOVEDIR) == 0,
			     "unlinkat");
		fd = next;
	}
	close(fd);
}

/* The files of a chain, from below: "file NAME/d/d/.../z". */
static void check_chain(const struct record *record, const char *name, size_t levels, size_t step)
{
	size_t start = strlen("file ") + strlen(name);
	size_t level = levels;
	bool right = true;

	CHECK_INT((long long)record->count, (long long)(levels / step + 1 + (levels % step != 0)),
		  "of %zu levels", levels);
	for (size_t i = 0; i < record->count && right; i++) {
		const char *line = record->lines[i];

		right = strlen(line) == start + 2 * level + 2 && strncmp(line, "file ", 5) == 0 &&
			strncmp(line + 5, name, strlen(name)) == 0 &&
			strcmp(line + start + 2 * level, "/z") == 0;
		for (size_t k = 0; k < level && right; k++)
			right = memcmp(line + start + 2 * k, "/d", 2) == 0;
		CHECK(right, "line %zu, level %zu: %.200s", i, level, line);
		level = level % step != 0 ? level - level % step : level - step;
	}
}

static void walk_chain(size_t levels, size_t step, const struct walk_options *options)
{
	struct record record = {0};

	make_chain("chain", levels, step);
	CHECK(record_walk(&record, options, "chain"), "%zu", levels);
	check_chain(&record, "chain", levels, step);
	CHECK(record.most_open <= 33, "%u directories were open", record.most_open);
	record_free(&record);
	remove_chain("chain", levels);
}

static void test_depth(void)
{
	static const char *const patterns[] = {"*.none", "none", NULL};
	struct walk_options options = {0};

	for (size_t levels = 0; levels < 100; levels += 1 + levels / 4)
		walk_chain(levels, 1, &options);
	walk_chain(5000, 1, &options);
	options.symlinks = WALK_SYMLINKS_FOLLOW;
	options.one_file_system = true;
	options.excludes = patterns;
	walk_chain(1000, 3, &options);
}

/* Where names that are 200 KB long must be built without going over them again and again. */
static void test_great_depth(void)
{
	struct walk_options options = {0};
	rlim_t before = descriptor_limit();

	limit_descriptors(64);
	walk_chain(test_quick() ? 20000 : 100000, 1000, &options);
	limit_descriptors(before);
}

/* Down through links, the way back is not "..": by the names from above, then. */
static void test_depth_through_links(void)
{
	struct walk_options options = {.symlinks = WALK_SYMLINKS_FOLLOW};
	struct record record = {0};
	size_t z = 0;

	make_chain("first", 100, 1);
	make_chain("second", 100, 1);
	make_chain("third", 5, 1);
	/* The lowest of each has a link "a" to the next one. */
	make_chain("way", 0, 1);
	for (int i = 0; i < 2; i++) {
		static const char *const from[] = {"first", "second"}, *const to[] = {"second",
										      "third"};
		char text[sizeof(scratch) + 16];
		struct dir *dir = dir_open(NULL, from[i], false);

		for (int level = 0; level < 100; level++) {
			struct dir *next = dir_open(dir, "d", false);

			TEST_REQUIRE(next != NULL, "d");
			dir_release(dir);
			dir = next;
		}
		snprintf(text, sizeof(text), "%s/%s", scratch, to[i]);
		TEST_REQUIRE(symlinkat(text, dir_fd(dir), "a") == 0, "symlinkat");
		TEST_REQUIRE(symlinkat("z", dir_fd(dir), "y") == 0, "symlinkat");
		dir_release(dir);
	}
	CHECK(record_walk(&record, &options, "first"), "walk");
	for (size_t i = 0; i < record.count; i++)
		z += strncmp(record.lines[i], "file ", 5) == 0;
	CHECK_INT((long long)z, 101 + 101 + 6 + 2, "files");
	CHECK_INT((long long)record.count, (long long)z, "lines");
	CHECK(strcmp(record.lines[record.count - 1], "file first/z") == 0, "%s",
	      record.lines[record.count - 1]);
	record_free(&record);
	remove_chain("way", 0);
	run("rm -r first second third");
}

/* --- Width ------------------------------------------------------------------ */

static void test_large_directory(void)
{
	struct walk_options options = {0};
	struct record record = {0};
	size_t count = test_quick() ? 10000 : 100000;
	char name[32];

	make_dir("wide");
	for (size_t i = 0; i < count; i++) {
		/* In another order than that of the names; the numbers are all different. */
		snprintf(name, sizeof(name), "wide/%06zu", i * 7919 % count);
		if (i % 2 == 0)
			make_file(name);
		else
			TEST_REQUIRE(mkfifo(name, 0600) == 0, name);
	}
	CHECK(record_walk(&record, &options, "wide"), "walk");
	CHECK_INT((long long)record.count, (long long)count, "files");
	for (size_t i = 0; i < record.count; i++) {
		snprintf(name, sizeof(name), " wide/%06zu", i);
		CHECK(strcmp(strchr(record.lines[i], ' '), name) == 0, "%zu: %s", i,
		      record.lines[i]);
	}
	record_free(&record);
	run("rm -r wide");
}

/* --- Names ------------------------------------------------------------------ */

/* Names on the command line that openat refuses whole. */
static void test_long_names(void)
{
	struct walk_options options = {0};
	struct record record = {0};
	size_t length = 9000; /* of "chain/d/d/..." */
	char *name = malloc(length + 300);
	int fd;

	TEST_REQUIRE(name != NULL, "malloc");
	make_chain("chain", (length - 5) / 2, length);
	strcpy(name, "chain");
	while (strlen(name) < length - 1)
		strcat(name, "/d");

	CHECK(record_walk(&record, &options, name), "walk");
	CHECK_INT((long long)record.count, 1, "files");
	CHECK(strncmp(record.lines[0], "file chain/d/d/", 15) == 0, "%.80s", record.lines[0]);
	record_free(&record);

	for (int slashes = 0; slashes < 2; slashes++) {
		/* "/z" or "//////z" */
		memset(name + strlen(name), 0, 300);
		strcat(name, slashes == 0 ? "/z" : "///////z");
		fd = dir_open_path(NULL, name, O_RDONLY | O_CLOEXEC);
		CHECK(fd >= 0, "%s", strerror(errno));
		close(fd);
		CHECK(record_walk(&record, &options, name), "walk");
		CHECK_INT((long long)record.count, 1, "files");
		CHECK(strncmp(record.lines[0], "named chain/d/d/", 16) == 0, "%.80s",
		      record.lines[0]);
		record_free(&record);
		*strstr(name, "/z") = '\0';
		while (name[strlen(name) - 1] == '/')
			name[strlen(name) - 1] = '\0';
	}
	/* With a slash behind it, a directory may be meant and no file. */
	strcat(name, "/");
	fd = dir_open_path(NULL, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(fd >= 0, "%s", strerror(errno));
	close(fd);
	strcat(name, "z/");
	CHECK(dir_open_path(NULL, name, O_RDONLY | O_CLOEXEC) < 0 && errno == ENOTDIR, "%s",
	      strerror(errno));
	name[strlen(name) - 2] = 'x';
	CHECK(dir_open_path(NULL, name, O_RDONLY | O_CLOEXEC) < 0 && errno == ENOENT, "%s",
	      strerror(errno));
	/* No component of that length. */
	memset(name, 'x', length);
	name[length] = '\0';
	CHECK(dir_open_path(NULL, name, O_RDONLY | O_CLOEXEC) < 0 && errno == ENAMETOOLONG, "%s",
	      strerror(errno));
	/* All slashes name the root. */
	memset(name, '/', length);
	fd = dir_open_path(NULL, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(fd >= 0, "%s", strerror(errno));
	close(fd);
	free(name);
	remove_chain("chain", (length - 5) / 2);
}

/* --- Directories that files in flight hold ---------------------------------- */

/* As many as there are files: what bounds them is the walk. */
struct held {
	struct record record; /* first: it is what the recorder's functions get */
	struct dir *dirs[8192];
	size_t begin, end;
	size_t rooms; /* how often room was asked for */
	bool stubborn;
};

static bool hold_file(void *context, const struct walk_file *file)
{
	struct held *held = context;

	TEST_REQUIRE(held->end < TEST_COUNT(held->dirs), "held");
	held->dirs[held->end++] = dir_hold(file->dir);
	return record_file(&held->record, file);
}

static bool release_oldest(void *context)
{
	struct held *held = context;

	unsigned before = dir_open_count();

	held->rooms++;
	while (!held->stubborn && held->begin < held->end && dir_open_count() == before)
		dir_release(held->dirs[held->begin++]);
	return true;
}

static void release_all(struct held *held)
{
	while (held->begin < held->end)
		dir_release(held->dirs[held->begin++]);
}

static struct walk_visitor held_visitor(struct held *held)
{
	struct walk_visitor visitor = record_visitor(&held->record);

	visitor.file = hold_file;
	visitor.make_room = release_oldest;
	return visitor;
}

/* A tree of many small directories: count in all, with two files each. */
static void make_bush(const char *name, unsigned count)
{
	char path[64];

	make_dir(name);
	for (unsigned i = 0; i < count; i++) {
		if (i % 20 == 0) {
			snprintf(path, sizeof(path), "%s/%u", name, i / 20);
			make_dir(path);
		}
		snprintf(path, sizeof(path), "%s/%u/%u", name, i / 20, i);
		make_dir(path);
		strcat(path, "/a");
		make_file(path);
		path[strlen(path) - 1] = 'b';
		make_file(path);
	}
}

static void test_held_directories(void)
{
	static const rlim_t limits[] = {1024, 256, 64, 24};
	struct held *held = calloc(1, sizeof(*held));
	struct walk_options options = {0};
	struct walk_visitor visitor;
	rlim_t before = descriptor_limit();

	TEST_REQUIRE(held != NULL, "calloc");
	visitor = held_visitor(held);
	make_bush("bush", 1000);
	for (size_t i = 0; i < TEST_COUNT(limits) && limits[i] <= before; i++) {
		limit_descriptors(limits[i]);
		CHECK(walk_tree(&options, "bush", &visitor), "walk");
		limit_descriptors(before);
		CHECK_INT((long long)held->record.count, 2000, "files");
		CHECK(held->rooms > 700, "%zu", held->rooms);
		CHECK(held->record.most_open <= (limits[i] / 4 > 4 ? limits[i] / 4 : 4),
		      "%u open of %u", held->record.most_open, (unsigned)limits[i]);
		release_all(held);
		CHECK_INT(dir_open_count(), 0, "released");
		record_free(&held->record);
		memset(held, 0, sizeof(*held));
	}
	free(held);
}

/* Files that are read need descriptors, too: they run out before the budget is used up. */
struct reading {
	struct held held; /* first */
	int fds[TEST_COUNT(((struct held *)0)->dirs)][4];
	size_t failed;
};

static bool open_and_hold(void *context, const struct walk_file *file)
{
	struct reading *reading = context;
	int *fds = reading->fds[reading->held.end];

	for (size_t i = 0; i < TEST_COUNT(reading->fds[0]); i++) {
		fds[i] = dir_open_path(file->dir, file->path, O_RDONLY | O_CLOEXEC);
		reading->failed += fds[i] < 0;
	}
	return hold_file(context, file);
}

static bool close_oldest(void *context)
{
	struct reading *reading = context;
	unsigned before = dir_open_count();

	while (reading->held.begin < reading->held.end && dir_open_count() == before) {
		for (size_t i = 0; i < TEST_COUNT(reading->fds[0]); i++)
			if (reading->fds[reading->held.begin][i] >= 0)
				close(reading->fds[reading->held.begin][i]);
		dir_release(reading->held.dirs[reading->held.begin++]);
	}
	return true;
}

static void test_descriptors_run_out(void)
{
	struct reading *reading = calloc(1, sizeof(*reading));
	struct walk_options options = {0};
	struct walk_visitor visitor;
	rlim_t before = descriptor_limit();

	TEST_REQUIRE(reading != NULL, "calloc");
	visitor = record_visitor(&reading->held.record);
	visitor.file = open_and_hold;
	visitor.make_room = close_oldest;
	limit_descriptors(64);
	CHECK(walk_tree(&options, "bush", &visitor), "walk");
	CHECK(reading->failed > 0, "there were enough");
	CHECK_INT((long long)reading->held.end, 2000, "files");
	CHECK_INT((long long)reading->held.record.count, 2000, "lines");
	while (reading->held.begin < reading->held.end)
		close_oldest(reading);
	limit_descriptors(before);
	CHECK_INT(dir_open_count(), 0, "released");
	record_free(&reading->held.record);
	free(reading);
}

/* A visitor that releases nothing: the walk asks, goes on, and in the end has no descriptor. */
static void test_no_room(void)
{
	struct held *held = calloc(1, sizeof(*held));
	struct walk_options options = {0};
	struct walk_visitor visitor;
	rlim_t before = descriptor_limit();
	size_t errors = 0;
	char text[32];

	TEST_REQUIRE(held != NULL, "calloc");
	visitor = held_visitor(held);
	held->stubborn = true;
	limit_descriptors(64);
	CHECK(walk_tree(&options, "bush", &visitor), "walk");
	limit_descriptors(before);
	snprintf(text, sizeof(text), "error %d bush/", EMFILE);
	for (size_t i = 0; i < held->record.count; i++)
		errors += strncmp(held->record.lines[i], text, strlen(text)) == 0;
	CHECK_INT((long long)(held->record.count - errors), (long long)held->end, "files");
	CHECK(held->end >= 80 && held->end < 128 && errors > 40, "%zu files, %zu errors", held->end,
	      errors);
	release_all(held);
	CHECK_INT(dir_open_count(), 0, "released");
	record_free(&held->record);
	free(held);
}

/* The same with threads, which open the files and release their directories. */
struct crew {
	struct record record;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct dir *dirs[64];
	char names[64][8]; /* in them */
	size_t begin, end; /* what waits: begin .. end - 1, modulo 64 */
	size_t busy;
	size_t opened;
	bool over;
};

static void *crew_work(void *context)
{
	struct crew *crew = context;

	pthread_mutex_lock(&crew->mutex);
	while (crew->begin < crew->end || !crew->over) {
		struct dir *dir;
		char name[8];
		int fd;

		if (crew->begin == crew->end) {
			pthread_cond_wait(&crew->changed, &crew->mutex);
			continue;
		}
		dir = crew->dirs[crew->begin % 64];
		memcpy(name, crew->names[crew->begin++ % 64], sizeof(name));
		crew->busy++;
		pthread_mutex_unlock(&crew->mutex);
		fd = openat(dir_fd(dir), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
		if (fd >= 0)
			close(fd);
		dir_release(dir);
		pthread_mutex_lock(&crew->mutex);
		crew->opened += fd >= 0;
		crew->busy--;
		pthread_cond_broadcast(&crew->changed);
	}
	pthread_mutex_unlock(&crew->mutex);
	return NULL;
}

static bool crew_file(void *context, const struct walk_file *file)
{
	struct crew *crew = context;

	pthread_mutex_lock(&crew->mutex);
	while (crew->end - crew->begin == 64)
		pthread_cond_wait(&crew->changed, &crew->mutex);
	crew->dirs[crew->end % 64] = dir_hold(file->dir);
	snprintf(crew->names[crew->end++ % 64], 8, "%s", file->path);
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->mutex);
	return record_file(&crew->record, file);
}

static bool crew_make_room(void *context)
{
	struct crew *crew = context;

	pthread_mutex_lock(&crew->mutex);
	while (crew->begin < crew->end || crew->busy > 0)
		pthread_cond_wait(&crew->changed, &crew->mutex);
	pthread_mutex_unlock(&crew->mutex);
	return true;
}

static void test_threads(void)
{
	static struct crew crew = {.mutex = PTHREAD_MUTEX_INITIALIZER,
				   .changed = PTHREAD_COND_INITIALIZER};
	struct walk_visitor visitor = record_visitor(&crew.record);
	struct walk_options options = {0};
	rlim_t before = descriptor_limit();
	pthread_t threads[4];

	visitor.file = crew_file;
	visitor.make_room = crew_make_room;
	for (size_t i = 0; i < TEST_COUNT(threads); i++)
		TEST_REQUIRE(pthread_create(&threads[i], NULL, crew_work, &crew) == 0, "thread");
	limit_descriptors(64);
	CHECK(walk_tree(&options, "bush", &visitor), "walk");
	pthread_mutex_lock(&crew.mutex);
	crew.over = true;
	pthread_cond_broadcast(&crew.changed);
	pthread_mutex_unlock(&crew.mutex);
	for (size_t i = 0; i < TEST_COUNT(threads); i++)
		pthread_join(threads[i], NULL);
	limit_descriptors(before);
	CHECK_INT((long long)crew.record.count, 2000, "files");
	CHECK_INT((long long)crew.opened, 2000, "files");
	CHECK(crew.record.most_open <= 16, "%u", crew.record.most_open);
	CHECK_INT(dir_open_count(), 0, "released");
	record_free(&crew.record);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	scratch_begin();
	TEST_RUN(test_budget_of_limit);
	TEST_RUN(test_depth);
	TEST_RUN(test_great_depth);
	TEST_RUN(test_depth_through_links);
	TEST_RUN(test_large_directory);
	TEST_RUN(test_long_names);
	TEST_RUN(test_held_directories);
	TEST_RUN(test_descriptors_run_out);
	TEST_RUN(test_no_room);
	TEST_RUN(test_threads);
	run("rm -r bush");
	scratch_end();
	return test_end();
}
