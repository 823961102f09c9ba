/* SPDX-License-Identifier: MIT */
/*
 * Hashing files that stay as they are, and files that do not: what changes does so at a known
 * read, because the read that the program calls is the one of this file.
 */
#include "scratch.h"

#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "../cli/hashfile.h"
#include "textbook.h"

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WITH_MSAN
#endif
#endif

/* --- A read with faults -------------------------------------------------------------------- */

static struct {
	unsigned long calls;
	unsigned long at;     /* this call, counted from 1 */
	void (*before)(void); /* is preceded by this, if not NULL, */
	void (*after)(void);  /* and followed by this, */
	int error;            /* or fails, if not 0 */
	size_t limit;         /* of a single read; 0: none */
} hook;

ssize_t read(int fd, void *buffer, size_t size)
{
	bool hit = ++hook.calls == hook.at;
	ssize_t got;

	if (hit && hook.error != 0) {
		errno = hook.error;
		return -1;
	}
	if (hit && hook.before != NULL)
		hook.before();
	if (hook.limit != 0 && size > hook.limit)
		size = hook.limit;
	got = syscall(SYS_read, fd, buffer, size);
#ifdef WITH_MSAN
	if (got > 0)
		__msan_unpoison(buffer, (size_t)got);
#endif
	if (hit && hook.after != NULL)
		hook.after();
	return got;
}

/* From now on: the read of that number. */
static void at_read(unsigned long number, void (*before)(void), void (*after)(void), int error)
{
	hook.calls = 0;
	hook.at = number;
	hook.before = before;
	hook.after = after;
	hook.error = error;
}

/* --- Files and jobs ------------------------------------------------------------------------ */

enum { DATA_SIZE = 3 * 1024 * 1024 };
static unsigned char *data;

static void write_file(const char *name, const unsigned char *bytes, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	TEST_REQUIRE(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, name);
	close(fd);
}

static const struct digest_pass *pass_of(bool sha1, bool sha256, bool plain)
{
	struct digest_set set = {0};

	if (sha1)
		digest_set_add(&set, &digest_algorithms[DIGEST_SHA1]);
	if (sha256)
		digest_set_add(&set, &digest_algorithms[DIGEST_SHA256]);
	return digest_set_pass(&set, plain);
}

static struct hash_options options;
static atomic_bool stop;
static struct links *links;
static unsigned long finished, largest_batch;

static void finish(void *context, struct job *const *jobs, size_t count)
{
	CHECK(context == &finished, "context");
	for (size_t i = 0; i < count; i++) {
		CHECK(!jobs[i]->done, "finished once");
		CHECK(jobs[i]->dir == NULL, "the directory is released");
		jobs[i]->done = true;
	}
	finished += count;
	if (count > largest_batch)
		largest_batch = count;
}

static struct hasher *new_hasher(void)
{
	struct hasher *hasher = hasher_create(&options, links, &stop, finish, &finished);

	TEST_REQUIRE(hasher != NULL, "malloc");
	finished = largest_batch = 0;
	return hasher;
}

static struct job *new_job(enum job_kind kind, const char *name)
{
	struct job *job = job_create(kind, name, NULL, 0, pass_of(true, true, false));

	TEST_REQUIRE(job != NULL, "malloc");
	return job;
}

/* Hashes one file alone, to be destroyed by the caller. */
static struct job *hash_one(enum job_kind kind, const char *name, bool overlap)
{
	struct hasher *hasher = new_hasher();
	struct job *job = new_job(kind, name);

	hasher_take(hasher, job, overlap);
	hasher_flush(hasher);
	CHECK_INT((long long)finished, 1, "%s", name);
	hasher_destroy(hasher);
	return job;
}

static void check_digests(const struct job *job, const unsigned char *bytes, size_t size)
{
	unsigned char expected[32];

	CHECK(job->done, "%s", job->name);
	CHECK(hash_has_digests(&job->result), "%s: %d %s", job->name, job->result.error,
	      job->result.problem != NULL ? job->result.problem : "");
	CHECK_INT((long long)job->result.size, (long long)size, "%s", job->name);
	CHECK_INT((long long)job->result.attack.blocks, 0, "%s", job->name);
	textbook_hash(&textbook_sha1, bytes, size, expected);
	CHECK_BYTES(job->result.digests[DIGEST_SHA1].bytes, expected, 20, "%s", job->name);
	textbook_hash(&textbook_sha256, bytes, size, expected);
	CHECK_BYTES(job->result.digests[DIGEST_SHA256].bytes, expected, 32, "%s", job->name);
}

static void check_reason(const struct job *job, const char *reason)
{
	char text[HASH_TEXT_SIZE];

	CHECK(!hash_has_digests(&job->result), "%s: %s", job->name, reason);
	if (hash_has_digests(&job->result))
		return;
	hash_reason(&job->result, text);
	CHECK(strcmp(text, reason) == 0, "%s: \"%s\", not \"%s\"", job->name, text, reason);
}

/* --- Files that stay ------------------------------------------------------------------------- */

#define KIB 1024
static const size_t sizes[] = {0,
			       1,
			       55,
			       56,
			       64,
			       4095,
			       4096,
			       4097,
			       128 * KIB - 1,
			       128 * KIB,
			       128 * KIB + 1,
			       256 * KIB,
			       1024 * KIB - 1,
			       1024 * KIB,
			       1024 * KIB + 1,
			       2048 * KIB + 7};

static void test_sizes(void)
{
	static const size_t limits[] = {0, 4096, 1000};
	struct job *jobs[TEST_COUNT(sizes)];
	char name[32];

	for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
		snprintf(name, sizeof(name), "s%zu", i);
		write_file(name, data, sizes[i]);
	}
	for (size_t l = 0; l < TEST_COUNT(limits); l++)
		for (int overlap = 0; overlap < 2; overlap++) {
			struct hasher *hasher = new_hasher();

			hook.limit = limits[l];
			for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
				snprintf(name, sizeof(name), "s%zu", i);
				jobs[i] = new_job(i % 2 ? JOB_NAMED : JOB_FOUND, name);
				hasher_take(hasher, jobs[i], overlap);
			}
			hasher_flush(hasher);
			hasher_destroy(hasher);
			hook.limit = 0;
			for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
				check_digests(jobs[i], data, sizes[i]);
				job_destroy(jobs[i]);
			}
		}
}

/* Many files at once: as many as fit, by their number and by their size. */
static void test_batches(void)
{
	enum { FILES = 300 };
	static const size_t largest[] = {50, 128 * KIB};
	static struct job *jobs[FILES];
	static size_t file_sizes[FILES];

	for (size_t l = 0; l < TEST_COUNT(largest); l++) {
		struct hasher *hasher = new_hasher();

		for (unsigned i = 0; i < FILES; i++) {
			char name[32];

			snprintf(name, sizeof(name), "b%u", i);
			file_sizes[i] = largest[l] - test_random_below(40);
			write_file(name, data + i, file_sizes[i]);
			jobs[i] = new_job(JOB_FOUND, name);
			hasher_take(hasher, jobs[i], false);
		}
		CHECK(finished >= FILES - 64, "%lu", finished);
		hasher_flush(hasher);
		CHECK_INT((long long)finished, FILES, "all");
		CHECK(l == 0 ? largest_batch == 64 : largest_batch < 64, "%lu", largest_batch);
		hasher_destroy(hasher);
		for (unsigned i = 0; i < FILES; i++) {
			check_digests(jobs[i], data + i, file_sizes[i]);
			job_destroy(jobs[i]);
		}
	}
}

/* Files of one batch that need different digests. */
static void test_mixed_passes(void)
{
	enum { FILES = 60 };
	static struct job *jobs[FILES];
	static unsigned kinds[FILES];
	struct hasher *hasher = new_hasher();
	unsigned char expected[32];

	for (unsigned i = 0; i < FILES; i++) {
		char name[32];

		kinds[i] = (unsigned)test_random_below(5);
		snprintf(name, sizeof(name), "m%u", i);
		write_file(name, data + i, 100 + i);
		jobs[i] = new_job(JOB_NAMED, name);
		jobs[i]->pass = pass_of(kinds[i] != 0, kinds[i] != 1 && kinds[i] != 2,
					kinds[i] == 1 || kinds[i] == 3);
		hasher_take(hasher, jobs[i], false);
	}
	CHECK_INT((long long)finished, 0, "all in one batch");
	hasher_flush(hasher);
	CHECK_INT((long long)largest_batch, FILES, "all in one batch");
	hasher_destroy(hasher);
	for (unsigned i = 0; i < FILES; i++) {
		const struct digest_value *digests = jobs[i]->result.digests;

		if (kinds[i] != 0) {
			textbook_hash(&textbook_sha1, data + i, 100 + i, expected);
			CHECK_BYTES(digests[DIGEST_SHA1].bytes, expected, 20, "kind %u", kinds[i]);
		}
		if (kinds[i] != 1 && kinds[i] != 2) {
			textbook_hash(&textbook_sha256, data + i, 100 + i, expected);
			CHECK_BYTES(digests[DIGEST_SHA256].bytes, expected, 32, "kind %u",
				    kinds[i]);
		}
		job_destroy(jobs[i]);
	}
}

/* Files whose size stat does not know. */
static void test_proc(void)
{
	static const char *const names[] = {"/proc/version", "/proc/filesystems", "/proc/devices",
					    "/sys/kernel/mm/transparent_hugepage/enabled"};
	static unsigned char bytes[64 * KIB];

	for (size_t i = 0; i < TEST_COUNT(names); i++) {
		struct job *job;
		size_t size = 0;
		ssize_t got;
		int fd = open(names[i], O_RDONLY);

		if (fd < 0) {
			test_unavailable("%s", names[i]);
			continue;
		}
		while ((got = read(fd, bytes + size, sizeof(bytes) - size)) > 0)
			size += (size_t)got;
		close(fd);
		job = hash_one(i % 2 ? JOB_FOUND : JOB_NAMED, names[i], false);
		check_digests(job, bytes, size);
		job_destroy(job);
	}
}

static void test_link_text(void)
{
	static char text[4001];
	struct job *job;

	memset(text, 'x', sizeof(text) - 1);
	TEST_REQUIRE(symlink(text, "long") == 0 && symlink("nowhere", "short") == 0, "symlink");
	job = hash_one(JOB_LINK_TEXT, "long", false);
	check_digests(job, (const unsigned char *)text, sizeof(text) - 1);
	job_destroy(job);
	job = hash_one(JOB_LINK_TEXT, "short", false);
	check_digests(job, (const unsigned char *)"nowhere", 7);
	job_destroy(job);
	write_file("file", data, 5);
	job = hash_one(JOB_LINK_TEXT, "file", false);
	check_reason(job, "not a symbolic link any more");
	job_destroy(job);
	job = hash_one(JOB_LINK_TEXT, "missing", false);
	check_reason(job, "No such file or directory");
	job_destroy(job);
}

/* --- Files that change ---------------------------------------------------------------------------
 */

static void append(void)
{
	int fd = open("victim", O_WRONLY | O_APPEND);

	TEST_REQUIRE(fd >= 0 && write(fd, data + 100, 1000) == 1000, "append");
	close(fd);
}

static void shrink(void)
{
	TEST_REQUIRE(truncate("victim", 10) == 0, "truncate");
}

static void empty(void)
{
	TEST_REQUIRE(truncate("victim", 0) == 0, "truncate");
}

/* Other bytes, as many; at a time that the clock of the file system can tell from the other. */
static void rewrite(void)
{
	const struct timespec times[2] = {{1700000000, 1}, {1700000000, 1}};
	int fd = open("victim", O_WRONLY);

	TEST_REQUIRE(fd >= 0 && pwrite(fd, "!!", 2, 0) == 2 && futimens(fd, times) == 0, "rewrite");
	close(fd);
}

static void remove_it(void)
{
	TEST_REQUIRE(unlink("victim") == 0, "unlink");
}

static void rename_it(void)
{
	TEST_REQUIRE(rename("victim", "elsewhere") == 0, "rename");
}

/* A change at one of the first reads of a file of this size, in a batch among others. What was
   read is of the old or of the new version, and the verdict is the same. */
static void check_change(void (*change)(void), bool changed, size_t size)
{
	for (unsigned long number = 1; number <= 2; number++)
		for (int after = 0; after < 2; after++)
			for (int allow = 0; allow < 2; allow++) {
				struct hasher *hasher;
				struct job *before, *job, *behind;
				bool hit;

				write_file("victim", data, size);
				write_file("other", data, 777);
				options.allow_changing = allow;
				hasher = new_hasher();
				before = new_job(JOB_FOUND, "other");
				job = new_job(JOB_FOUND, "victim");
				behind = new_job(JOB_FOUND, "other");
				hasher_take(hasher, before, false);
				at_read(number, after ? NULL : change, after ? change : NULL, 0);
				hasher_take(hasher, job, false);
				hit = hook.calls >= number;
				at_read(0, NULL, NULL, 0);
				hasher_take(hasher, behind, false);
				hasher_flush(hasher);
				hasher_destroy(hasher);
				check_digests(before, data, 777);
				check_digests(behind, data, 777);
				CHECK(job->result.changed == (hit && changed), "%zu, read %lu",
				      size, number);
				if (job->result.changed && !allow)
					check_reason(job, "changed while reading");
				else
					CHECK(hash_has_digests(&job->result), "%zu", size);
				if (!job->result.changed)
					check_digests(job, data, size);
				job_destroy(before);
				job_destroy(job);
				job_destroy(behind);
				unlink("victim");
				unlink("elsewhere");
			}
	options.allow_changing = false;
}

static void test_changes(void)
{
	static const size_t victims[] = {500, 5000, 128 * KIB, 128 * KIB + 1, 700 * KIB};

	for (size_t i = 0; i < TEST_COUNT(victims); i++) {
		check_change(append, true, victims[i]);
		check_change(shrink, true, victims[i]);
		check_change(empty, true, victims[i]);
		check_change(rewrite, true, victims[i]);
		check_change(remove_it, false, victims[i]); /* the descriptor has it still */
		check_change(rename_it, false, victims[i]);
	}
}

/* With --allow-changing a digest is still that of bytes that were there. */
static void test_allowed_changes(void)
{
	static unsigned char expected[6000];
	struct job *job;

	options.allow_changing = true;
	write_file("victim", data, 5000);
	at_read(1, append, NULL, 0);
	job = hash_one(JOB_FOUND, "victim", false);
	memcpy(expected, data, 5000);
	memcpy(expected + 5000, data + 100, 1000);
	check_digests(job, expected, 6000);
	job_destroy(job);

	write_file("victim", data, 5000);
	at_read(1, NULL, append, 0);
	hook.limit = 2500;
	job = hash_one(JOB_FOUND, "victim", false);
	hook.limit = 0;
	check_digests(job, expected, job->result.size == 5000 ? 5000 : 6000);
	job_destroy(job);

	write_file("victim", data, 5000);
	at_read(1, shrink, NULL, 0);
	job = hash_one(JOB_FOUND, "victim", false);
	check_digests(job, data, 10);
	CHECK(job->result.changed, "changed");
	job_destroy(job);
	at_read(0, NULL, NULL, 0);
	options.allow_changing = false;
}

/* A large file that is cut while a second thread reads it: no signal, and all is told. */
static void test_shrinks_below_the_reader(void)
{
	for (unsigned long number = 1; number <= 20; number++)
		for (int overlap = 0; overlap < 2; overlap++) {
			struct job *job;

			write_file("victim", data, DATA_SIZE);
			at_read(number, empty, NULL, 0);
			job = hash_one(JOB_NAMED, "victim", overlap);
			check_reason(job, "changed while reading");
			CHECK_INT((long long)job->result.size, (long long)(number - 1) * 128 * KIB,
				  "read %lu", number);
			job_destroy(job);
		}
	at_read(0, NULL, NULL, 0);
}

/* --- Errors -------------------------------------------------------------------------------------
 */

static void test_errors(void)
{
	static const size_t victims[] = {100, 100 * KIB, 3000 * KIB};
	char reason[64];

	for (size_t i = 0; i < TEST_COUNT(victims); i++)
		for (unsigned long number = 1; number <= 12; number++)
			for (int overlap = 0; overlap < 2; overlap++) {
				struct job *job;
				size_t done;

				hook.limit = i == 2 ? 0 : victims[i] / 5;
				write_file("victim", data, victims[i]);
				at_read(number, NULL, NULL, EIO);
				job = hash_one(JOB_NAMED, "victim", overlap);
				if (hook.calls < number) {
					check_digests(job, data, victims[i]);
					job_destroy(job);
					continue;
				}
				done = (number - 1) * (i == 2 ? 128 * KIB : hook.limit);
				snprintf(reason, sizeof(reason),
					 done == 0 ? "Input/output error"
						   : "at byte %zu: Input/output error",
					 done);
				check_reason(job, reason);
				CHECK(job->result.opened, "it was open");
				job_destroy(job);

				at_read(number, NULL, NULL, EINTR);
				job = hash_one(JOB_NAMED, "victim", overlap);
				check_digests(job, data, victims[i]);
				job_destroy(job);
			}
	hook.limit = 0;
	at_read(0, NULL, NULL, 0);
}

/* What the walk saw as a regular file is something else now. */
static void test_other_kinds(void)
{
	const char *const not_regular = "not a regular file any more";
	struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int descriptors = count_descriptors();
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	static const struct {
		enum job_kind kind;
		const char *name, *reason;
		bool opened;
	} rows[] = {
		{JOB_FOUND, "to_file", NULL, false},
		{JOB_FOUND, "fifo", NULL, true},
		{JOB_FOUND, "folder", NULL, true},
		{JOB_FOUND, "socket", NULL, false},
		{JOB_FOUND, "gone", "No such file or directory", false},
		{JOB_FOUND, "file/x", "Not a directory", false},
		{JOB_FOLLOWED, "to_fifo", NULL, true},
		{JOB_FOLLOWED, "folder", NULL, true},
		{JOB_FOLLOWED, "socket", NULL, false},
		{JOB_FOLLOWED, "loop", "Too many levels of symbolic links", false},
		{JOB_NAMED, "folder", "Is a directory", true},
		{JOB_NAMED, "gone", "No such file or directory", false},
		{JOB_NAMED, "socket", "No such device or address", false},
	};

	TEST_REQUIRE(fd >= 0 && bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0,
		     "bind");
	close(fd);
	write_file("file", data, 5);
	TEST_REQUIRE(symlink("file", "to_file") == 0 && symlink("fifo", "to_fifo") == 0 &&
			     symlink("loop", "loop") == 0 && mkfifo("fifo", 0600) == 0 &&
			     mkdir("folder", 0755) == 0,
		     "files");
	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		struct job *job = hash_one(rows[i].kind, rows[i].name, false);

		check_reason(job, rows[i].reason != NULL ? rows[i].reason : not_regular);
		CHECK(job->result.opened == rows[i].opened, "%s", rows[i].name);
		job_destroy(job);
	}
	CHECK_INT(count_descriptors(), descriptors, "descriptors");
}

static void test_stop(void)
{
	struct job *job;

	write_file("victim", data, 1000);
	atomic_store(&stop, true);
	job = hash_one(JOB_NAMED, "victim", false);
	CHECK_INT(job->result.error, ECANCELED, "a stop before");
	job_destroy(job);
	atomic_store(&stop, false);
}

/* --- Several names
 * -------------------------------------------------------------------------------- */

static void test_links(void)
{
	static const size_t victims[] = {1000, 500 * KIB};
	static const char *const names[] = {"victim", "second", "third"};
	char reason[HASH_TEXT_SIZE];

	for (size_t i = 0; i < TEST_COUNT(victims); i++)
		for (int fault = 0; fault < 3; fault++) {
			struct hasher *hasher;
			struct job *jobs[3];
			unsigned long calls = 0;

			write_file("victim", data, victims[i]);
			TEST_REQUIRE(link("victim", "second") == 0 && link("victim", "third") == 0,
				     "link");
			links = links_create();
			TEST_REQUIRE(links != NULL, "malloc");
			hasher = new_hasher();
			at_read(fault == 0 ? 0 : 1, fault == 2 ? append : NULL, NULL,
				fault == 1 ? EIO : 0);
			for (size_t n = 0; n < 3; n++) {
				jobs[n] = new_job(JOB_FOUND, names[n]);
				hasher_take(hasher, jobs[n], false);
				if (n == 0)
					calls = hook.calls;
			}
			CHECK((hook.calls == calls) == (fault != 2),
			      "read once, unless another version is there");
			hasher_flush(hasher);
			CHECK_INT((long long)finished, 3, "all finished");
			at_read(0, NULL, NULL, 0);
			for (size_t n = 0; n < 3; n++)
				if (jobs[n]->link != NULL)
					links_take(links, jobs[n]);
			for (size_t n = 0; n < 3; n++) {
				if (fault == 0) {
					check_digests(jobs[n], data, victims[i]);
				} else if (fault == 1) {
					CHECK_INT(jobs[n]->result.error, EIO, "%s", names[n]);
				} else if (n == 0) {
					hash_reason(&jobs[n]->result, reason);
					CHECK(strcmp(reason, "changed while reading") == 0, "%s",
					      reason);
				} else {
					CHECK(hash_has_digests(&jobs[n]->result), "%s", names[n]);
					CHECK_INT((long long)jobs[n]->result.size,
						  (long long)victims[i] + 1000, "the new one");
				}
			}
			for (size_t n = 0; n < 3; n++) {
				job_destroy(jobs[n]);
				unlink(names[n]);
			}
			hasher_destroy(hasher);
			links_destroy(links);
			links = NULL;
		}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	data = malloc(DATA_SIZE);
	TEST_REQUIRE(data != NULL, "malloc");
	test_random_bytes(data, DATA_SIZE);
	scratch_begin();
	TEST_RUN(test_sizes);
	TEST_RUN(test_batches);
	TEST_RUN(test_mixed_passes);
	TEST_RUN(test_proc);
	TEST_RUN(test_link_text);
	TEST_RUN(test_changes);
	TEST_RUN(test_allowed_changes);
	TEST_RUN(test_shrinks_below_the_reader);
	TEST_RUN(test_errors);
	TEST_RUN(test_other_kinds);
	TEST_RUN(test_stop);
	TEST_RUN(test_links);
	scratch_end();
	free(data);
	return test_end();
}
