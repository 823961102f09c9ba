/* SPDX-License-Identifier: MIT */
/*
 * Files with several names: who reads, who shares, and what is forgotten when.
 */
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

#include "../cli/links.h"

/* A file as stat sees it. */
static struct stat file_of(ino_t inode, nlink_t names)
{
	struct stat status;

	memset(&status, 0, sizeof(status));
	status.st_dev = 7;
	status.st_ino = inode;
	status.st_nlink = names;
	status.st_size = 1000;
	status.st_mtim.tv_sec = 1700000000;
	status.st_mtim.tv_nsec = 5;
	return status;
}

/* A job whose digests and size tell which one it is. */
static struct job *new_job(unsigned number)
{
	struct job *job = job_create(JOB_FOUND, "name", NULL, 0, NULL);

	TEST_REQUIRE(job != NULL, "malloc");
	job->result.size = number;
	memset(job->result.digests, (int)number & 0xff, sizeof(job->result.digests));
	return job;
}

static struct links *new_links(void)
{
	struct links *links = links_create();

	TEST_REQUIRE(links != NULL, "malloc");
	return links;
}

static void check_result(const struct job *job, unsigned number)
{
	CHECK_INT((long long)job->result.size, number, "size");
	CHECK(test_is_filled(job->result.digests[0].bytes, (unsigned char)number, DIGEST_MAX_SIZE),
	      "digest of %u", number);
	CHECK(job->link == NULL, "%u", number);
}

/* One owns, the others share, whatever the order in which they are finished and taken. */
static void test_order(void)
{
	static const unsigned char finish_orders[][3] = {
		{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {2, 1, 0}};
	static const unsigned char take_orders[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}};

	for (size_t f = 0; f < TEST_COUNT(finish_orders); f++)
		for (size_t t = 0; t < TEST_COUNT(take_orders); t++) {
			struct links *links = new_links();
			const struct stat status = file_of(1, 3);
			struct job *jobs[3];
			bool owner_finished = false;

			for (unsigned i = 0; i < 3; i++) {
				jobs[i] = new_job(i == 0 ? 50 : 0);
				CHECK(links_meet(links, jobs[i], &status) == (i == 0), "%u", i);
				CHECK(jobs[i]->link != NULL, "%u", i);
				CHECK(!link_is_done(jobs[i]->link), "%u", i);
			}
			for (unsigned i = 0; i < 3; i++) {
				unsigned one = finish_orders[f][i];

				links_finish(links, jobs[one]);
				owner_finished |= one == 0;
				CHECK(link_is_done(jobs[one]->link) == owner_finished, "%zu %u", f,
				      i);
			}
			for (unsigned i = 0; i < 3; i++) {
				struct job *job = jobs[take_orders[t][i]];

				links_take(links, job);
				check_result(job, 50);
				job_destroy(job);
			}
			links_destroy(links);
		}
}

/* A file is forgotten when all its names have been met, and not before. */
static void test_names(void)
{
	struct links *links = new_links();
	const struct stat status = file_of(1, 2);
	struct job *first = new_job(1), *second = new_job(0), *third = new_job(3);

	CHECK(links_meet(links, first, &status), "first");
	links_finish(links, first);
	links_take(links, first);
	CHECK(!links_meet(links, second, &status), "it is remembered without holders");
	CHECK(links_meet(links, third, &status), "more names than it has");
	CHECK(third->link == NULL, "which is nobody's business");
	links_finish(links, second);
	links_take(links, second);
	check_result(second, 1);
	job_destroy(second);
	second = new_job(9);
	CHECK(links_meet(links, second, &status), "it was forgotten");
	CHECK(second->link != NULL, "and is new");
	job_destroy(first);
	job_destroy(second);
	job_destroy(third);
	links_destroy(links); /* with one that still has names */
}

static void test_changed(void)
{
	struct links *links = new_links();
	struct stat status = file_of(1, 9);
	struct job *owner = new_job(1);

	CHECK(links_meet(links, owner, &status), "owner");
	for (int i = 0; i < 4; i++) {
		struct stat other = status;
		struct job *job = new_job(2);

		other.st_size += i == 0;
		other.st_mtim.tv_sec += i == 1;
		other.st_mtim.tv_nsec -= i == 2;
		CHECK(links_meet(links, job, &other) == (i < 3), "%d", i);
		CHECK((job->link == NULL) == (i < 3), "%d", i);
		job_destroy(job);
	}
	job_destroy(owner);
	links_destroy(links);
}

static void test_failure_is_shared(void)
{
	struct links *links = new_links();
	const struct stat status = file_of(1, 2);
	struct job *owner = new_job(77), *other = new_job(0);

	CHECK(links_meet(links, owner, &status), "owner");
	CHECK(!links_meet(links, other, &status), "other");
	owner->result.error = EIO;
	owner->result.problem = "a problem";
	owner->result.attack.blocks = 2;
	links_finish(links, other);
	links_finish(links, owner);
	links_take(links, other);
	check_result(other, 77);
	CHECK_INT(other->result.error, EIO, "error");
	CHECK(strcmp(other->result.problem, "a problem") == 0, "problem");
	CHECK_INT((long long)other->result.attack.blocks, 2, "attack");
	links_take(links, owner);
	CHECK_INT(owner->result.error, EIO, "the owner keeps its own");
	job_destroy(owner);
	job_destroy(other);
	links_destroy(links);
}

/* The owner was delivered; a later job lies where it lay. */
static void test_same_address(void)
{
	struct links *links = new_links();
	const struct stat status = file_of(1, 3);
	struct job *job = new_job(5);

	CHECK(links_meet(links, job, &status), "owner");
	links_finish(links, job);
	links_take(links, job);
	job->result = (struct hash_result){0};
	CHECK(!links_meet(links, job, &status), "the same memory");
	links_finish(links, job);
	links_take(links, job);
	check_result(job, 5);
	job_destroy(job);
	links_destroy(links);
}

/* Many files, the same inodes on two devices. */
static void test_many(void)
{
	enum { FILES = 5000 };
	struct links *links = new_links();
	struct job **jobs = calloc(2 * FILES, sizeof(*jobs));

	TEST_REQUIRE(jobs != NULL, "malloc");
	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < 2 * FILES; i++) {
			struct stat status = file_of(1000 + i / 2, 2);
			struct job *job = new_job(round == 0 ? i : 0);

			status.st_dev = i % 2;
			CHECK(links_meet(links, job, &status) == (round == 0), "%u", i);
			links_finish(links, job);
			if (round == 0) {
				jobs[i] = job;
				continue;
			}
			links_take(links, jobs[i]);
			links_take(links, job);
			check_result(job, i);
			job_destroy(job);
			job_destroy(jobs[i]);
		}
	free(jobs);
	links_destroy(links);
}

/* --- Threads ---------------------------------------------------------------------- */

enum { THREADS = 8, INODES = 200 };

static struct links *shared_links;
static unsigned owned[THREADS][INODES];
static struct job *met[THREADS][INODES];

/* Each meets all files, from another one on. */
static void *meet_all(void *argument)
{
	unsigned thread = *(const unsigned *)argument;

	for (unsigned i = 0; i < INODES; i++) {
		unsigned inode = (i + thread * 25) % INODES;
		const struct stat status = file_of(inode, THREADS);
		struct job *job = new_job(0);

		met[thread][inode] = job;
		owned[thread][inode] = links_meet(shared_links, job, &status);
		if (owned[thread][inode])
			job->result.size = inode;
		links_finish(shared_links, job);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	unsigned numbers[THREADS];

	shared_links = new_links();
	for (unsigned i = 0; i < THREADS; i++) {
		numbers[i] = i;
		TEST_REQUIRE(pthread_create(&threads[i], NULL, meet_all, &numbers[i]) == 0,
			     "pthread_create");
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (unsigned inode = 0; inode < INODES; inode++) {
		unsigned owners = 0;

		for (unsigned i = 0; i < THREADS; i++)
			owners += owned[i][inode];
		CHECK_INT(owners, 1, "inode %u", inode);
		for (unsigned i = 0; i < THREADS; i++) {
			struct job *job = met[i][inode];

			CHECK(link_is_done(job->link), "%u", inode);
			links_take(shared_links, job);
			CHECK_INT((long long)job->result.size, inode, "thread %u", i);
			job_destroy(job);
		}
	}
	links_destroy(shared_links);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_order);
	TEST_RUN(test_names);
	TEST_RUN(test_changed);
	TEST_RUN(test_failure_is_shared);
	TEST_RUN(test_same_address);
	TEST_RUN(test_many);
	TEST_RUN(test_threads);
	return test_end();
}
