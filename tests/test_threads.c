/* SPDX-License-Identifier: MIT */
/*
 * test_threads.c - threads that hash at the same time. The first calls of the whole
 * process race for the selection of a kernel; ThreadSanitizer sees a data race there
 * even when the digests come out right.
 */
#include "test.h"

#if TEST_HAVE_MMAP /* a POSIX system */
#include <pthread.h>

#include "blocksha.h"
#include "textbook.h"

enum { THREADS = 8, ROUNDS = 200, MAX_LENGTH = 1000 };

static unsigned char message[MAX_LENGTH];
static unsigned char expected_sha1[MAX_LENGTH + 1][BLOCKSHA_SHA1_DIGEST_SIZE];
static unsigned char expected_sha256[MAX_LENGTH + 1][BLOCKSHA_SHA256_DIGEST_SIZE];

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_opens = PTHREAD_COND_INITIALIZER;
static bool gate_is_open;

/* One thread: how many digests came out wrong. */
struct worker {
	pthread_t thread;
	unsigned number, wrong;
};

static bool sha1_is_right(size_t size)
{
	unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE];
	blocksha_sha1_ctx ctx;

	blocksha_sha1_init(&ctx);
	blocksha_sha1_update(&ctx, message, size / 3);
	blocksha_sha1_update(&ctx, message + size / 3, size - size / 3);
	return blocksha_sha1_final(&ctx, digest) == BLOCKSHA_OK &&
	       memcmp(digest, expected_sha1[size], sizeof(digest)) == 0;
}

static bool sha256_is_right(size_t size)
{
	unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE];

	blocksha_sha256(message, size, digest);
	return memcmp(digest, expected_sha256[size], sizeof(digest)) == 0;
}

static void wait_for_gate(void)
{
	pthread_mutex_lock(&gate);
	while (!gate_is_open)
		pthread_cond_wait(&gate_opens, &gate);
	pthread_mutex_unlock(&gate);
}

static void open_gate(void)
{
	pthread_mutex_lock(&gate);
	gate_is_open = true;
	pthread_cond_broadcast(&gate_opens);
	pthread_mutex_unlock(&gate);
}

/* Half of the threads begin with SHA-1, half with SHA-256. */
static void *work(void *arg)
{
	struct worker *w = arg;

	wait_for_gate();
	for (unsigned i = 0; i < ROUNDS; i++) {
		size_t size = (i * 37 + w->number * 101) % (MAX_LENGTH + 1);
		bool right = (i + w->number) % 2 == 0 ? sha1_is_right(size) : sha256_is_right(size);

		w->wrong += !right;
	}
	return NULL;
}

static void test_threads(void)
{
	struct worker workers[THREADS];

	/* The library is not called before the threads do. */
	test_random_bytes(message, MAX_LENGTH);
	for (size_t size = 0; size <= MAX_LENGTH; size++) {
		textbook_hash(&textbook_sha1, message, size, expected_sha1[size]);
		textbook_hash(&textbook_sha256, message, size, expected_sha256[size]);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.number = i};
		TEST_REQUIRE(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0,
			     "pthread_create");
	}
	open_gate();
	for (unsigned i = 0; i < THREADS; i++) {
		TEST_REQUIRE(pthread_join(workers[i].thread, NULL) == 0, "pthread_join");
		CHECK_INT(workers[i].wrong, 0, "wrong digests in thread %u", i);
	}
}
#endif

int main(int argc, char **argv)
{
	test_begin(argc, argv);
#if TEST_HAVE_MMAP
	TEST_RUN(test_threads);
#else
	test_unavailable("no POSIX threads");
#endif
	return test_end();
}
