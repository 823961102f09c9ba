/* SPDX-License-Identifier: MIT */
/*
 * The order of the scheduler, whatever takes how long; its bounds; its ends.
 */
#include "scratch.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "../cli/scheduler.h"
#include "textbook.h"

/* --- Files whose digests are known ---------------------------------------------------- */

enum { FILES = 48 };

static unsigned char digests[FILES][32];
static const struct digest_pass *pass;

static void file_name(char name[32], unsigned number)
{
	snprintf(name, 32, "file%u", number);
}

static void make_files(void)
{
	static unsigned char data[400 * 1024];
	char name[32];

	for (unsigned i = 0; i < FILES; i++) {
		size_t size = test_random_below(i % 8 == 0 ? sizeof(data) : 3000);
		int fd;

		test_random_bytes(data, size);
		textbook_hash(&textbook_sha256, data, size, digests[i]);
		file_name(name, i);
		fd = open(name, O_WRONLY | O_CREAT, 0644);
		TEST_REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size, name);
		close(fd);
	}
}

/* --- The owner's side ------------------------------------------------------------------ */

/* What a job should become. */
struct expected {
	uint64_t number;             /* in the order of adding */
	const unsigned char *digest; /* NULL: a note */
};

static struct {
	struct scheduler *scheduler;
	uint64_t added, delivered;
	unsigned long destroyed, waits;
	uint64_t stop_at;    /* the scheduler is stopped when so many are delivered; 0: not there */
	atomic_bool waiting; /* for the first time */
} state;

static void free_expected(void *data)
{
	state.destroyed++;
	free(data);
}

static void deliver(void *context, struct job *job)
{
	const struct expected *expected = job->data;

	CHECK(context == &state, "context");
	CHECK_INT((long long)expected->number, (long long)state.delivered, "order");
	state.delivered++;
	if (expected->digest == NULL) {
		CHECK(job_is_note(job), "%" PRIu64, expected->number);
	} else {
		CHECK(hash_has_digests(&job->result), "%s", job->name);
		CHECK_BYTES(job->result.digests[DIGEST_SHA256].bytes, expected->digest, 32, "%s",
			    job->name);
	}
	if (state.delivered == state.stop_at)
		scheduler_stop(state.scheduler);
}

static void before_waiting(void *context)
{
	(void)context;
	state.waits++;
	atomic_store(&state.waiting, true);
}

static void begin(unsigned threads)
{
	const struct scheduler_options options = {
		.threads = threads,
		.deliver = deliver,
		.before_waiting = before_waiting,
		.context = &state,
	};

	state.added = state.delivered = state.stop_at = 0;
	state.destroyed = state.waits = 0;
	atomic_store(&state.waiting, false);
	state.scheduler = scheduler_create(&options);
	TEST_REQUIRE(state.scheduler != NULL, "scheduler_create");
}

static void add(enum job_kind kind, const char *name, struct dir *dir, const unsigned char *digest)
{
	struct job *job = job_create(kind, name, dir, 0, digest != NULL ? pass : NULL);
	struct expected *expected = malloc(sizeof(*expected));

	TEST_REQUIRE(job != NULL && expected != NULL, "malloc");
	*expected = (struct expected){state.added++, digest};
	job->data = expected;
	job->free_data = free_expected;
	scheduler_add(state.scheduler, job);
}

static void add_file(void)
{
	unsigned number = (unsigned)test_random_below(FILES);
	char name[32];

	file_name(name, number);
	add(JOB_NAMED, name, NULL, digests[number]);
}

static void add_note(void)
{
	add(test_random_below(2) == 0 ? JOB_SKIPPED : JOB_FAILED, "note", NULL, NULL);
}

/* All that was added must have been delivered, or dropped after a stop. */
static void end(void)
{
	bool stopped = scheduler_stopped(state.scheduler);

	scheduler_destroy(state.scheduler);
	CHECK_INT((long long)state.destroyed, (long long)state.added, "destroyed");
	CHECK(stopped || state.delivered == state.added, "%" PRIu64 " of %" PRIu64, state.delivered,
	      state.added);
}

/* --- FIFOs, whose end somebody else decides ---------------------------------------------- */

struct feeder {
	pthread_t thread;
	char name[32];
	unsigned delay;     /* microseconds */
	bool until_waiting; /* first until the owner waits */
	unsigned char data[1000];
	unsigned char digest[32];
};

static void *feed(void *argument)
{
	const struct feeder *feeder = argument;
	int fd;

	while (feeder->until_waiting && !atomic_load(&state.waiting))
		usleep(1000);
	usleep(feeder->delay);
	fd = open(feeder->name, O_WRONLY);
	TEST_REQUIRE(fd >= 0, feeder->name);
	for (size_t sent = 0; sent < sizeof(feeder->data); sent += 100) {
		TEST_REQUIRE(write(fd, feeder->data + sent, 100) == 100, "write");
		usleep(feeder->delay / 100);
	}
	close(fd);
	return NULL;
}

static void begin_feeder(struct feeder *feeder, unsigned number, unsigned delay, bool until_waiting)
{
	feeder->delay = delay;
	feeder->until_waiting = until_waiting;
	snprintf(feeder->name, sizeof(feeder->name), "fifo%u", number);
	test_random_bytes(feeder->data, sizeof(feeder->data));
	textbook_hash(&textbook_sha256, feeder->data, sizeof(feeder->data), feeder->digest);
	TEST_REQUIRE(mkfifo(feeder->name, 0600) == 0, feeder->name);
	TEST_REQUIRE(pthread_create(&feeder->thread, NULL, feed, feeder) == 0, "pthread_create");
}

static void end_feeder(struct feeder *feeder)
{
	pthread_join(feeder->thread, NULL);
	unlink(feeder->name);
}

/* --- Tests --------------------------------------------------------------------------------- */

static void test_order(void)
{
	static const unsigned threads[] = {1, 2, 3, 8, 20};

	for (size_t t = 0; t < TEST_COUNT(threads); t++) {
		unsigned jobs = test_rounds(3000);

		begin(threads[t]);
		for (unsigned i = 0; i < jobs; i++) {
			if (test_random_below(5) == 0)
				add_note();
			else
				add_file();
			if (test_random_below(500) == 0)
				scheduler_drain(state.scheduler);
		}
		scheduler_drain(state.scheduler);
		CHECK_INT((long long)state.delivered, (long long)jobs, "drained, %u threads",
			  threads[t]);
		end();
	}
}

/* FIFOs that take their time, in any order, among files and notes. */
static void test_delays(void)
{
	enum { FIFOS = 12 };
	static const unsigned threads[] = {1, 3, 16};
	static struct feeder feeders[FIFOS];

	for (size_t t = 0; t < TEST_COUNT(threads); t++) {
		begin(threads[t]);
		for (unsigned i = 0; i < FIFOS; i++)
			begin_feeder(&feeders[i], i, (unsigned)test_random_below(20000), false);
		for (unsigned i = 0; i < FIFOS; i++) {
			for (size_t n = test_random_below(30); n > 0; n--)
				add_file();
			add(JOB_NAMED, feeders[i].name, NULL, feeders[i].digest);
			if (test_random_below(2) == 0)
				add_note();
		}
		scheduler_drain(state.scheduler);
		for (unsigned i = 0; i < FIFOS; i++)
			end_feeder(&feeders[i]);
		end();
	}
}

/* Behind a file that takes its time only so many jobs are on their way. */
static void test_bound(void)
{
	static struct feeder feeder;

	for (unsigned notes = 0; notes < 2; notes++) {
		uint64_t added = 0;

		begin(2);
		begin_feeder(&feeder, 0, 1000, true);
		add(JOB_NAMED, feeder.name, NULL, feeder.digest);
		for (unsigned i = 0; i < 20000; i++) {
			if (!atomic_load(&state.waiting)) {
				CHECK_INT((long long)state.delivered, 0, "all wait for the first");
				added = state.added;
			}
			if (notes == 1 || i % 16 != 0)
				add_note();
			else
				add_file();
		}
		CHECK(added >= 1000 && added <= 10000, "%" PRIu64 " jobs on their way", added);
		scheduler_drain(state.scheduler);
		end_feeder(&feeder);
		end();
	}
}

/* Notes alone are delivered at once. */
static void test_notes(void)
{
	begin(4);
	for (unsigned i = 1; i <= 20000; i++) {
		add_note();
		CHECK_INT((long long)state.delivered, i, "at once");
	}
	CHECK_INT((long long)state.waits, 0, "never waits");
	CHECK(!scheduler_wait(state.scheduler), "nothing to wait for");
	end();
}

/* What is added is hashed without anybody waiting, and then delivered by whatever comes next. */
static void test_without_draining(void)
{
	begin(3);
	for (unsigned i = 0; i < 300; i++) {
		add_file();
		if (i % 100 == 99)
			while (scheduler_wait(state.scheduler))
				;
	}
	CHECK_INT((long long)state.delivered, 300, "delivered by waiting");
	end();

	begin(3); /* dropped without a stop */
	for (unsigned i = 0; i < 300; i++)
		add_file();
	scheduler_destroy(state.scheduler);
	CHECK_INT((long long)state.destroyed, 300, "destroyed");

	begin(3); /* nothing at all */
	scheduler_drain(state.scheduler);
	end();
}

/* Directories are closed by waiting until all is hashed. */
static void test_wait_closes(void)
{
	int descriptors = count_descriptors();

	begin(3);
	for (unsigned i = 0; i < 40; i++) {
		struct dir *dir = dir_open(NULL, ".", true);
		char name[32];

		TEST_REQUIRE(dir != NULL, "dir_open");
		file_name(name, i);
		add(JOB_FOUND, name, dir, digests[i]);
		dir_release(dir);
	}
	while (scheduler_wait(state.scheduler))
		;
	CHECK_INT(dir_open_count(), 0, "directories");
	CHECK_INT(count_descriptors(), descriptors, "descriptors");
	end();
}

static void *stop_later(void *argument)
{
	usleep(*(const unsigned *)argument);
	scheduler_stop(state.scheduler);
	return NULL;
}

static void test_stop(void)
{
	for (unsigned i = test_rounds(100); i > 0; i--) {
		unsigned delay = (unsigned)test_random_below(3000);
		bool by_delivery = test_random_below(2) == 0;
		pthread_t thread;

		begin(1 + (unsigned)test_random_below(6));
		if (by_delivery)
			state.stop_at = 1 + test_random_below(400);
		else
			TEST_REQUIRE(pthread_create(&thread, NULL, stop_later, &delay) == 0,
				     "pthread_create");
		for (unsigned j = 0; j < 500; j++)
			if (test_random_below(10) == 0)
				add_note();
			else
				add_file();
		scheduler_drain(state.scheduler);
		if (!by_delivery)
			pthread_join(thread, NULL);
		else
			CHECK_INT((long long)state.delivered, (long long)state.stop_at,
				  "nothing is delivered after a stop");
		CHECK(scheduler_stopped(state.scheduler), "stopped");
		end();
	}
}

/* No stack is so large: no thread can be made. */
static void test_without_threads(void)
{
#ifdef __GLIBC__
	pthread_attr_t attributes, before;
	pthread_t thread;
	unsigned none = 0;

	TEST_REQUIRE(pthread_getattr_default_np(&before) == 0 &&
			     pthread_attr_init(&attributes) == 0,
		     "pthread_attr_init");
	if (pthread_attr_setstacksize(&attributes, SIZE_MAX / 4 & ~(size_t)0xffff) != 0 ||
	    pthread_setattr_default_np(&attributes) != 0) {
		test_unavailable("no default size of stacks");
		return;
	}
	begin(4);
	if (pthread_create(&thread, NULL, stop_later, &none) == 0) {
		pthread_join(thread, NULL);
		test_unavailable("threads are made whatever their stack");
		end();
	} else {
		for (unsigned i = 0; i < 300; i++) {
			add_file();
			CHECK_INT((long long)state.delivered, i + 1, "at once");
		}
		CHECK(!scheduler_wait(state.scheduler), "nothing to wait for");
		end();
	}
	TEST_REQUIRE(pthread_setattr_default_np(&before) == 0, "the default");
	pthread_attr_destroy(&attributes);
	pthread_attr_destroy(&before);
#else
	test_unavailable("a default size of stacks");
#endif
}

/* A worker hangs in opening a FIFO that nobody writes to. */
static void hang(void)
{
	struct timespec begin_time, end_time;
	unsigned delay = 20000;
	pthread_t thread;

	begin(2);
	add_file();
	add(JOB_NAMED, "nobody", NULL, digests[0]);
	add_file();
	TEST_REQUIRE(pthread_create(&thread, NULL, stop_later, &delay) == 0, "pthread_create");
	clock_gettime(CLOCK_MONOTONIC, &begin_time);
	scheduler_drain(state.scheduler);
	scheduler_destroy(state.scheduler);
	clock_gettime(CLOCK_MONOTONIC, &end_time);
	pthread_join(thread, NULL);
	CHECK(state.delivered <= 1, "%" PRIu64, state.delivered);
	CHECK(end_time.tv_sec - begin_time.tv_sec < 20, "it does not wait for ever");
}

/* In another process: the thread that stays behind is seen as a leak. So that nobody looks, the
   process ends by a signal when all is well. */
static void test_hang(void)
{
	int status;
	pid_t child;

	TEST_REQUIRE(mkfifo("nobody", 0600) == 0, "mkfifo");
	fflush(stdout);
	child = fork();
	TEST_REQUIRE(child >= 0, "fork");
	if (child == 0) {
		hang();
		if (test_failures == 0)
			raise(SIGKILL);
		_exit(1);
	}
	TEST_REQUIRE(waitpid(child, &status, 0) == child, "waitpid");
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "status %x", (unsigned)status);
}

int main(int argc, char **argv)
{
	struct digest_set set = {0};

	test_begin(argc, argv);
	digest_set_add(&set, &digest_algorithms[DIGEST_SHA256]);
	pass = digest_set_pass(&set, false);
	scratch_begin();
	make_files();
	TEST_RUN(test_order);
	TEST_RUN(test_delays);
	TEST_RUN(test_bound);
	TEST_RUN(test_notes);
	TEST_RUN(test_without_draining);
	TEST_RUN(test_wait_closes);
	TEST_RUN(test_stop);
	TEST_RUN(test_without_threads);
	TEST_RUN(test_hang);
	scratch_end();
	return test_end();
}
