/* SPDX-License-Identifier: MIT */
/*
 * The hashed writer: what it writes and its digest, in pieces and with buffers of all sizes;
 * checkpoints; the faults that a descriptor can really have: a full device, a limit of size, a
 * pipe whose reader goes away, one in non-blocking mode, a storm of signals.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "blocksha_writer.h"

enum { DATA_SIZE = 300 * 1000, BUFFER_SIZE = 4096 };

static unsigned char data[DATA_SIZE], other[DATA_SIZE];
static unsigned char buffer[BUFFER_SIZE];
static unsigned char got[DATA_SIZE + 64];

static const struct algorithm {
	int id;
	size_t size;
	void (*hash)(const void *data, size_t size, unsigned char *digest);
} algorithms[] = {
	{BLOCKSHA_WRITER_SHA1, BLOCKSHA_SHA1_DIGEST_SIZE, blocksha_sha1},
	{BLOCKSHA_WRITER_SHA256, BLOCKSHA_SHA256_DIGEST_SIZE, blocksha_sha256},
};

static int temporary_file(void)
{
	char name[] = "/tmp/blocksha-writer-XXXXXX";
	int fd = mkstemp(name);

	TEST_REQUIRE(fd >= 0, "mkstemp");
	TEST_REQUIRE(unlink(name) == 0, "unlink");
	return fd;
}

/* The file holds those bytes and nothing else. */
static void check_file(int fd, const unsigned char *expected, size_t size, const char *what)
{
	ssize_t n = pread(fd, got, sizeof(got), 0);

	CHECK_INT(n, (long long)size, "%s", what);
	if (n == (ssize_t)size)
		CHECK(memcmp(got, expected, size) == 0, "%s: other bytes", what);
}

static void begin(blocksha_hashed_writer *writer, int fd, const struct algorithm *algorithm,
		  size_t buffer_size)
{
	CHECK_INT(blocksha_hashed_writer_init(writer, fd, algorithm->id, buffer, buffer_size), 0,
		  "init");
}

/* --- Pieces ---------------------------------------------------------------- */

/* FIPS 180-2, appendices A.1 and B.1: the digests of "abc" stand in the file. */
static void test_known(void)
{
	static const char *const expected[] = {
		"616263a9993e364706816aba3e25717850c26c9cd0d89d",
		"616263ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	};
	unsigned char bytes[3 + 32], digest[32];
	blocksha_hashed_writer writer;

	for (size_t i = 0; i < TEST_COUNT(algorithms); i++) {
		size_t size = algorithms[i].size;
		int fd = temporary_file();

		test_from_hex(bytes, expected[i], 3 + size);
		begin(&writer, fd, &algorithms[i], BUFFER_SIZE);
		CHECK_INT(blocksha_hashed_writer_write(&writer, "abc", 3), 0, "write");
		CHECK_INT(blocksha_hashed_writer_finish(&writer, BLOCKSHA_WRITER_TRAILER, digest),
			  0, "finish");
		CHECK_BYTES(digest, bytes + 3, size, "digest");
		check_file(fd, bytes, 3 + size, "file");
		CHECK(test_is_filled(&writer.hash, 0, sizeof(writer.hash)), "wiped");
		close(fd);
	}
}

static void check_pieces(const struct algorithm *algorithm, size_t buffer_size, size_t size,
			 size_t piece)
{
	unsigned char digest[32], expected[32], peeked[32];
	bool trailer = test_random_below(2) != 0;
	blocksha_hashed_writer writer;
	int fd = temporary_file();
	size_t done = 0;

	begin(&writer, fd, algorithm, buffer_size);
	while (done < size) {
		size_t n = 1 + test_random_below(piece);

		n = n < size - done ? n : size - done;
		CHECK_INT(blocksha_hashed_writer_write(&writer, data + done, n), 0, "write");
		done += n;
		CHECK_INT((long long)blocksha_hashed_writer_size(&writer), (long long)done, "size");
		if (test_random_below(20) == 0)
			CHECK_INT(blocksha_hashed_writer_flush(&writer), 0, "flush");
	}
	CHECK_INT(blocksha_hashed_writer_write(&writer, NULL, 0), 0, "nothing");
	algorithm->hash(data, size, expected);
	CHECK_INT(blocksha_hashed_writer_peek(&writer, peeked), 0, "peek");
	CHECK_BYTES(peeked, expected, algorithm->size, "peek");
	CHECK_INT(blocksha_hashed_writer_finish(&writer, trailer, digest), 0, "finish");
	CHECK_BYTES(digest, expected, algorithm->size, "buffer %zu size %zu piece %zu", buffer_size,
		    size, piece);
	memcpy(other, data, size);
	memcpy(other + size, expected, algorithm->size);
	check_file(fd, other, size + (trailer ? algorithm->size : 0), "file");
	close(fd);
}

static void test_pieces(void)
{
	for (size_t i = 0; i < TEST_COUNT(algorithms); i++) {
		for (size_t size = 0; size < 70; size++)
			check_pieces(&algorithms[i], 1 + size % 33, size, 1 + size / 2);
		for (unsigned n = 0; n < test_rounds(200); n++)
			check_pieces(&algorithms[i], 1 + test_random_below(BUFFER_SIZE),
				     test_random_below(30000), 1 + test_random_below(9000));
		check_pieces(&algorithms[i], BUFFER_SIZE, DATA_SIZE - 32, DATA_SIZE);
	}
}

static void test_misuse(void)
{
	blocksha_writer_checkpoint checkpoint, sha256;
	blocksha_hashed_writer writer;
	unsigned char digest[32];
	int fd = temporary_file();

	CHECK_INT(blocksha_hashed_writer_init(&writer, fd, 3, buffer, 10), EINVAL, "algorithm");
	CHECK_INT(blocksha_hashed_writer_init(&writer, fd, 1, NULL, 10), EINVAL, "no buffer");
	CHECK_INT(blocksha_hashed_writer_init(&writer, fd, 1, buffer, 0), EINVAL, "no room");
	CHECK_INT(blocksha_hashed_writer_write(&writer, "a", 1), EINVAL, "without init");
	begin(&writer, fd, &algorithms[1], 100);
	CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &sha256), 0, "checkpoint");
	begin(&writer, fd, &algorithms[0], 100);
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 2, digest), EINVAL, "unknown flag");
	CHECK_INT(blocksha_hashed_writer_truncate(&writer, &sha256), EINVAL, "other algorithm");
	CHECK_INT(blocksha_hashed_writer_write(&writer, "a", 1), EINVAL, "it sticks");
	begin(&writer, fd, &algorithms[0], 100);
	CHECK_INT(blocksha_hashed_writer_write(&writer, "a", 1), 0, "write");
	CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &checkpoint), 0, "checkpoint");
	begin(&writer, fd, &algorithms[0], 100);
	CHECK_INT(blocksha_hashed_writer_truncate(&writer, &checkpoint), EINVAL, "forwards");
	begin(&writer, fd, &algorithms[0], 100);
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 0, NULL), 0, "finish");
	CHECK_INT(blocksha_hashed_writer_write(&writer, "a", 1), EINVAL, "after finish");
	CHECK_INT(blocksha_hashed_writer_flush(&writer), EINVAL, "after finish");
	CHECK_INT(blocksha_hashed_writer_peek(&writer, digest), EINVAL, "after finish");
	CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &checkpoint), EINVAL, "finished");
	CHECK_INT(blocksha_hashed_writer_truncate(&writer, &checkpoint), EINVAL, "finished");
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 0, NULL), EINVAL, "finish twice");
	close(fd);
}

/* --- Checkpoints ----------------------------------------------------------- */

enum { CHECKPOINTS = 8 };

/* Goes back at random, and on with other bytes. other is what should stand in the file. */
static void check_checkpoints(const struct algorithm *algorithm, size_t buffer_size, int flags)
{
	static const char before[] = "stands before";
	blocksha_writer_checkpoint checkpoints[CHECKPOINTS];
	const size_t start = sizeof(before);
	unsigned char digest[32], expected[32];
	blocksha_hashed_writer writer;
	size_t count = 0, size = 0;
	int fd = temporary_file();

	TEST_REQUIRE(write(fd, before, start) == (ssize_t)start, "write");
	TEST_REQUIRE(fcntl(fd, F_SETFL, flags) == 0, "fcntl");
	memcpy(other, before, start);
	begin(&writer, fd, algorithm, buffer_size);
	for (unsigned n = 0; n < 40; n++) {
		size_t more = test_random_below(2 * buffer_size + 10);

		if (count < CHECKPOINTS && test_random_below(2) == 0)
			CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &checkpoints[count++]),
				  0, "checkpoint");
		if (count > 0 && test_random_below(4) == 0) {
			size_t back = test_random_below(count);

			CHECK_INT(blocksha_hashed_writer_truncate(&writer, &checkpoints[back]), 0,
				  "truncate");
			size = (size_t)checkpoints[back].size;
			count = back + 1;
			CHECK_INT((long long)blocksha_hashed_writer_size(&writer), (long long)size,
				  "size");
		}
		test_random_bytes(other + start + size, more);
		CHECK_INT(blocksha_hashed_writer_write(&writer, other + start + size, more), 0,
			  "write");
		size += more;
	}
	algorithm->hash(other + start, size, expected);
	CHECK_INT(blocksha_hashed_writer_finish(&writer, BLOCKSHA_WRITER_TRAILER, digest), 0,
		  "finish");
	CHECK_BYTES(digest, expected, algorithm->size, "buffer %zu", buffer_size);
	memcpy(other + start + size, expected, algorithm->size);
	check_file(fd, other, start + size + algorithm->size, "file");
	close(fd);
}

static void test_checkpoints(void)
{
	for (unsigned n = 0; n < test_rounds(100); n++)
		for (size_t i = 0; i < TEST_COUNT(algorithms); i++)
			check_checkpoints(&algorithms[i], 1 + test_random_below(BUFFER_SIZE / 2),
					  n % 2 == 0 ? 0 : O_APPEND);
}

/* On a pipe only what still waits can be taken back. */
static void test_checkpoint_pipe(void)
{
	blocksha_writer_checkpoint first, second;
	blocksha_hashed_writer writer;
	int ends[2];

	TEST_REQUIRE(pipe(ends) == 0, "pipe");
	begin(&writer, ends[1], &algorithms[0], 100);
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, 50), 0, "write");
	CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &first), 0, "checkpoint");
	CHECK_INT(blocksha_hashed_writer_write(&writer, "xxx", 3), 0, "write");
	CHECK_INT(blocksha_hashed_writer_truncate(&writer, &first), 0, "what waits");
	CHECK_INT(blocksha_hashed_writer_write(&writer, data + 50, 60), 0, "write");
	CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &second), 0, "checkpoint");
	CHECK_INT(blocksha_hashed_writer_flush(&writer), 0, "flush");
	CHECK_INT(read(ends[0], got, sizeof(got)), 110, "written");
	CHECK_BYTES(got, data, 110, "written");
	CHECK_INT(blocksha_hashed_writer_truncate(&writer, &second), 0, "nothing to take back");
	CHECK_INT(blocksha_hashed_writer_truncate(&writer, &first), ESPIPE, "what was written");
	CHECK_INT(blocksha_hashed_writer_flush(&writer), ESPIPE, "it sticks");
	close(ends[0]);
	close(ends[1]);
}

/* --- Faults ---------------------------------------------------------------- */

static void test_full(void)
{
	unsigned char digest[32] = {0};
	blocksha_hashed_writer writer;
	int fd = open("/dev/full", O_WRONLY);

	if (fd < 0) {
		test_unavailable("/dev/full");
		return;
	}
	begin(&writer, fd, &algorithms[0], BUFFER_SIZE);
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, 10), 0, "waits");
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 1, digest), ENOSPC, "finish");
	CHECK(test_is_filled(digest, 0, sizeof(digest)), "no digest");
	begin(&writer, fd, &algorithms[0], BUFFER_SIZE);
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, BUFFER_SIZE), 0, "fills the buffer");
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, 1), ENOSPC, "write");
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, 1), ENOSPC, "it sticks");
	CHECK_INT(blocksha_hashed_writer_peek(&writer, digest), ENOSPC, "peek");
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 1, digest), ENOSPC, "finish");
	CHECK(test_is_filled(digest, 0, sizeof(digest)), "no digest");
	close(fd);
}

/* A disk that becomes full in the middle of a write: the writer goes back, the limit is
   lifted, and the file is made to its end. */
static void check_limit(size_t buffer_size, size_t piece, size_t limit)
{
	const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
	const struct rlimit limited = {limit, RLIM_INFINITY};
	unsigned char digest[32], expected[32];
	blocksha_writer_checkpoint checkpoint;
	const size_t size = 5000;
	blocksha_hashed_writer writer;
	size_t done = 0, kept = 0;
	int fd = temporary_file();
	int error = 0;

	TEST_REQUIRE(setrlimit(RLIMIT_FSIZE, &limited) == 0, "setrlimit");
	begin(&writer, fd, &algorithms[0], buffer_size);
	CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &checkpoint), 0, "checkpoint");
	while (done < size && error == 0) {
		size_t n = piece < size - done ? piece : size - done;

		error = blocksha_hashed_writer_write(&writer, data + done, n);
		done += n;
		if (error == 0 && test_random_below(2) == 0) {
			CHECK_INT(blocksha_hashed_writer_checkpoint(&writer, &checkpoint), 0,
				  "checkpoint");
			kept = done;
		}
	}
	if (error == 0)
		error = blocksha_hashed_writer_flush(&writer);
	CHECK_INT(error, EFBIG, "buffer %zu piece %zu limit %zu", buffer_size, piece, limit);
	TEST_REQUIRE(setrlimit(RLIMIT_FSIZE, &unlimited) == 0, "setrlimit");
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 1, digest), EFBIG, "it sticks");

	CHECK_INT(blocksha_hashed_writer_truncate(&writer, &checkpoint), 0, "back");
	CHECK_INT(blocksha_hashed_writer_write(&writer, data + kept, size - kept), 0, "again");
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 1, digest), 0, "finish");
	blocksha_sha1(data, size, expected);
	memcpy(other, data, size);
	memcpy(other + size, expected, 20);
	check_file(fd, other, size + 20, "file after a full disk");
	close(fd);
}

static void test_limit(void)
{
	signal(SIGXFSZ, SIG_IGN);
	for (unsigned n = 0; n < test_rounds(200); n++)
		check_limit(1 + test_random_below(1500), 1 + test_random_below(1500),
			    test_random_below(5000));
	signal(SIGXFSZ, SIG_DFL);
}

static void test_closed_pipe(void)
{
	blocksha_hashed_writer writer;
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	TEST_REQUIRE(pipe(ends) == 0, "pipe");
	begin(&writer, ends[1], &algorithms[1], 100);
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, 1000), 0, "write");
	close(ends[0]);
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, 50), 0, "waits");
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 0, NULL), EPIPE, "finish");
	close(ends[1]);
	begin(&writer, ends[1], &algorithms[1], 100);
	CHECK_INT(blocksha_hashed_writer_write(&writer, data, 100), 0, "waits");
	CHECK_INT(blocksha_hashed_writer_flush(&writer), EBADF, "closed descriptor");
	signal(SIGPIPE, SIG_DFL);
}

/* Reads a pipe to its end, slowly at first. */
struct drain {
	int fd;
	size_t size;
};

static void *drain(void *argument)
{
	struct drain *to = argument;
	ssize_t n;

	while ((n = read(to->fd, got + to->size, to->size < 100000 ? 999 : sizeof(got))) != 0)
		if (n > 0)
			to->size += (size_t)n;
	return NULL;
}

static void on_alarm(int number)
{
	(void)number;
}

/* Into a pipe of one page, whose reader takes little at a time. */
static void check_drained(int flags, const char *what)
{
	unsigned char digest[32], expected[32];
	const size_t size = DATA_SIZE - 100;
	blocksha_hashed_writer writer;
	struct drain to = {-1, 0};
	pthread_t thread;
	sigset_t alarms;
	int ends[2];

	TEST_REQUIRE(pipe(ends) == 0, "pipe");
	(void)fcntl(ends[1], F_SETPIPE_SZ, 4096);
	TEST_REQUIRE(fcntl(ends[1], F_SETFL, flags) == 0, "fcntl");
	to.fd = ends[0];
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms,
			NULL); /* for the reader; the signals are the writer's */
	TEST_REQUIRE(pthread_create(&thread, NULL, drain, &to) == 0, "thread");
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);

	begin(&writer, ends[1], &algorithms[0], BUFFER_SIZE);
	for (size_t done = 0; done < size;) {
		size_t n = 1 + test_random_below(20000);

		n = n < size - done ? n : size - done;
		CHECK_INT(blocksha_hashed_writer_write(&writer, data + done, n), 0, "%s", what);
		done += n;
	}
	CHECK_INT(blocksha_hashed_writer_finish(&writer, 1, digest), 0, "%s", what);
	close(ends[1]);
	pthread_join(thread, NULL);
	close(ends[0]);
	blocksha_sha1(data, size, expected);
	CHECK_INT((long long)to.size, (long long)size + 20, "%s", what);
	CHECK(memcmp(got, data, size) == 0, "%s: other bytes", what);
	CHECK_BYTES(got + size, expected, 20, "%s: trailer", what);
	CHECK_BYTES(digest, expected, 20, "%s: digest", what);
}

static void test_nonblocking(void)
{
	check_drained(O_NONBLOCK, "non-blocking");
}

/* A signal every 50 microseconds, without SA_RESTART: write ends with EINTR or early. */
static void test_signals(void)
{
	const struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = on_alarm};

	TEST_REQUIRE(sigaction(SIGALRM, &action, NULL) == 0, "sigaction");
	TEST_REQUIRE(setitimer(ITIMER_REAL, &often, NULL) == 0, "setitimer");
	check_drained(0, "signals");
	check_drained(O_NONBLOCK, "signals, non-blocking");
	TEST_REQUIRE(setitimer(ITIMER_REAL, &never, NULL) == 0, "setitimer");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	test_random_bytes(data, sizeof(data));
	TEST_RUN(test_known);
	TEST_RUN(test_pieces);
	TEST_RUN(test_misuse);
	TEST_RUN(test_checkpoints);
	TEST_RUN(test_checkpoint_pipe);
	TEST_RUN(test_full);
	TEST_RUN(test_limit);
	TEST_RUN(test_closed_pipe);
	TEST_RUN(test_nonblocking);
	TEST_RUN(test_signals);
	return test_end();
}
