/* SPDX-License-Identifier: MIT */
/*
 * Progress: the text for every width, the rate, the signals, and what is left on a terminal
 * when messages and the line share it.
 */
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../cli/message.h"
#include "../cli/progress.h"
#include "../cli/progress_line.h"
#include "../cli/statusline.h"

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

/* --- Texts --- */

struct row {
	size_t width;
	struct progress_state state;
	const char *text;
};

#define STATE(files, all_files, bytes, all_bytes, counting, rate, name)                    \
	{                                                                                  \
		{(files), (bytes)}, {(all_files), (all_bytes)}, (counting), (rate), (name) \
	}

static const struct row rows[] = {
	{80, STATE(0, 0, 0, 0, true, 0, NULL), "0/0+ files, 0/0+ B, 0 B/s"},
	{80, STATE(1, 4, 100, 1000, false, 100, "a"),
	 "1/4 files, 100/1000 B, 100 B/s, 0:00:09 left  a"},
	{80, STATE(1, 4, 0, 0, false, 0, NULL), "1/4 files, 0/0 B, 0 B/s, 0:00:00 left"},
	{80, STATE(1, 4, 0, 1, false, 0, NULL), "1/4 files, 0/1 B, 0 B/s, -:--:-- left"},
	{80, STATE(4567, 123456, GIB / 2, 89 * GIB / 10, false, 430.1 * 1048576, "the/file"),
	 "4567/123456 files, 0.5/8.9 GiB, 430.1 MiB/s, 0:00:20 left  the/file"},
	{80, STATE(2, 9, 3 * MIB, 12 * MIB, true, 1048576, "f"),
	 "2/9+ files, 3.0/12.0+ MiB, 1.0 MiB/s  f"},
	/* 9 MiB are left at 2 KiB/s: 4608 s */
	{80, STATE(2, 9, 3 * MIB, 12 * MIB, false, 2048, NULL),
	 "2/9 files, 3.0/12.0 MiB, 2.0 KiB/s, 1:16:48 left"},
	/* a pipe, or a file that grew */
	{80, STATE(0, 1, 5 * GIB, 0, false, 1536, "-"), "0/1 files, 5.0 GiB, 1.5 KiB/s  -"},
	{80, STATE(3, 2, 5, 9, true, 1, "x"), "3 files, 5/9+ B, 1 B/s  x"},
	{80, STATE(0, 1, 1, UINT64_MAX, false, 1, NULL),
	 "0/1 files, 0.0/16.0 EiB, 1 B/s, -:--:-- left"},
	/* names: control bytes, UTF-8, an incomplete character, quotes */
	{80, STATE(0, 1, 0, 0, true, 0, "a\n\033[2Jb\x7f"), "0/1+ files, 0/0+ B, 0 B/s  a??[2Jb?"},
	{80, STATE(0, 1, 0, 0, true, 0, "gr\xc3\xbc\xc3\x9f\xe2\x82\xac\xf0\x9f\x98\x80"),
	 "0/1+ files, 0/0+ B, 0 B/s  gr????"},
	{80,
	 STATE(0, 1, 0, 0, true, 0,
	       "\x9b"
	       "1m\xff\xe2"),
	 "0/1+ files, 0/0+ B, 0 B/s  ?1m??"},
	/* "0/1+ files, 0/0+ B, 0 B/s" has 25 columns */
	{36, STATE(0, 1, 0, 0, true, 0, "12345678"), "0/1+ files, 0/0+ B, 0 B/s  12345678"},
	{36, STATE(0, 1, 0, 0, true, 0, "123456789"), "0/1+ files, 0/0+ B, 0 B/s  ...56789"},
	{35, STATE(0, 1, 0, 0, true, 0, "1"), "0/1+ files, 0/0+ B, 0 B/s"},
	{26, STATE(0, 1, 0, 0, true, 0, "1"), "0/1+ files, 0/0+ B, 0 B/s"},
	{25, STATE(0, 1, 0, 0, true, 0, "1"), "0/1+ files, 0/0+ B"},
	{11, STATE(0, 1, 0, 0, true, 0, "1"), "0/1+ files"},
	{10, STATE(0, 1, 0, 0, true, 0, "1"), ""},
	{1, STATE(0, 1, 0, 0, true, 0, "1"), ""},
	{0, STATE(0, 1, 0, 0, true, 0, "1"), ""},
};

static void test_texts(void)
{
	char line[STATUSLINE_SIZE];

	for (size_t i = 0; i < TEST_COUNT(rows); i++) {
		progress_line(line, sizeof(line), rows[i].width, &rows[i].state);
		CHECK(strcmp(line, rows[i].text) == 0, "row %zu: \"%s\"", i, line);
	}
}

static void test_bytes(void)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} sizes[] = {
		{0, "0 B"},
		{1023, "1023 B"},
		{1024, "1.0 KiB"},
		{1536, "1.5 KiB"},
		{1023 * KIB + 972, "1023.9 KiB"},
		{MIB - 1, "1.0 MiB"}, /* not 1024.0 KiB */
		{MIB, "1.0 MiB"},
		{1023 * GIB, "1023.0 GiB"},
		{1024 * GIB, "1.0 TiB"},
		{UINT64_MAX, "16.0 EiB"},
	};
	char text[PROGRESS_BYTES_SIZE];

	for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
		progress_bytes(text, sizes[i].bytes);
		CHECK(strcmp(text, sizes[i].text) == 0, "%" PRIu64 ": \"%s\"", sizes[i].bytes,
		      text);
	}
}

/* A number of any magnitude. */
static uint64_t random_number(void)
{
	return test_random() >> test_random_below(64);
}

static void random_name(char *name, size_t size)
{
	static const char *const parts[] = {"\xc3\xa4", "\xe6\xbc\xa2", "\033[", "\r", "\n",
					    "/",        "dir"};
	size_t used = 0, length = test_random_below(size - 8);

	while (used < length) {
		const char *part = parts[test_random_below(TEST_COUNT(parts))];

		if (test_random_below(3) == 0) {
			name[used++] = (char)(1 + test_random_below(255));
			continue;
		}
		memcpy(name + used, part, strlen(part));
		used += strlen(part);
	}
	name[used] = '\0';
}

static void check_line(const char *line, size_t room, size_t width)
{
	size_t length = strlen(line);

	CHECK(length < width || length == 0, "width %zu: \"%s\"", width, line);
	CHECK(length < room, "room %zu: \"%s\"", room, line);
	for (size_t i = 0; i < length; i++)
		CHECK(line[i] >= 0x20 && line[i] < 0x7f, "width %zu: byte %d", width, line[i]);
}

/* Never too wide, and nothing that is not printable; the text ends in its memory. */
static void test_widths(void)
{
	struct test_guarded memory = test_guarded_new(STATUSLINE_SIZE);
	char name[1500];

	for (unsigned round = test_rounds(200); round > 0; round--)
		for (size_t width = 0; width <= 200; width++) {
			size_t room = test_random_below(2) == 0 ? STATUSLINE_SIZE
								: 1 + test_random_below(100);
			char *line = (char *)memory.end - room;
			struct progress_state state = {
				.done = {random_number(), random_number()},
				.total = {random_number(), random_number()},
				.counting = test_random_below(2) == 0,
				.rate = (double)random_number(),
				.name = name,
			};

			random_name(name, test_random_below(4) == 0 ? sizeof(name) : 60);
			progress_line(line, room, width, &state);
			check_line(line, room, width);
		}
	test_guarded_free(&memory);
}

static bool near(double value, double expected)
{
	return value > 0.99 * expected && value < 1.01 * expected;
}

static void test_rate(void)
{
	struct progress_rate rate = {0, 0, 0};
	uint64_t bytes = 0;
	double time = 0;

	progress_rate_add(&rate, 0, 0);
	CHECK(rate.value == 0, "no time has passed");
	progress_rate_add(&rate, 0.5, 500);
	CHECK(near(rate.value, 1000), "the first sample: %f", rate.value);
	progress_rate_add(&rate, 1, 3500);
	CHECK(near(rate.value, 3500), "the mean of the first second: %f", rate.value);
	progress_rate_add(&rate, 1, 3500);
	CHECK(near(rate.value, 3500), "no time has passed: %f", rate.value);

	memset(&rate, 0, sizeof(rate));
	for (unsigned i = 0; i < 100; i++)
		progress_rate_add(&rate, time += 0.2, bytes += 2000);
	CHECK(near(rate.value, 10000), "always the same: %f", rate.value);
	progress_rate_add(&rate, time += 0.2, bytes += 20000);
	CHECK(rate.value > 10000 && rate.value < 15000, "one fast moment: %f", rate.value);
	for (unsigned i = 0; i < 150; i++)
		progress_rate_add(&rate, time += 0.2, bytes += 200);
	CHECK(rate.value > 1000 && rate.value < 1100, "slow since 30 seconds: %f", rate.value);
	progress_rate_add(&rate, time + 10000, bytes);
	CHECK(rate.value < 1, "nothing since long: %f", rate.value);
}

/* --- Signals and the terminal; each in a process of its own, with another standard error --- */

/* What has been on the terminal, line by line. */
static void emulate(char *screen, size_t size, const char *bytes, size_t count)
{
	char line[256] = "";
	size_t column = 0, used = 0;

	for (size_t i = 0; i < count; i++) {
		if (bytes[i] == '\r') {
			column = 0;
		} else if (bytes[i] == '\n') {
			size_t length = strlen(line);

			while (length > 0 && line[length - 1] == ' ')
				length--;
			used += (size_t)snprintf(screen + used, size - used, "%.*s\n", (int)length,
						 line);
			memset(line, 0, sizeof(line));
			column = 0;
		} else if (column + 1 < sizeof(line)) {
			line[column++] = bytes[i];
		}
	}
	CHECK(strspn(line, " ") == strlen(line), "the last line stays: \"%s\"", line);
	screen[used] = '\0';
}

/* Runs body with descriptor other as standard error, and reads what comes out at end. Returns the
   number of bytes; status is what wait says. */
static size_t run_child(void (*body)(void), int other, int end, char *bytes, size_t size,
			int *status)
{
	size_t used = 0;
	ssize_t count;
	pid_t child;

	fflush(stdout);
	child = fork();
	TEST_REQUIRE(child >= 0, "fork");
	if (child == 0) {
		dup2(other, STDERR_FILENO);
		body();
		fflush(stdout);
		_exit(test_failures > 0);
	}
	close(other);
	while (used < size && (count = read(end, bytes + used, size - used)) > 0)
		used += (size_t)count;
	close(end);
	TEST_REQUIRE(waitpid(child, status, 0) == child, "waitpid");
	return used;
}

static void pause_ms(long milliseconds)
{
	struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};

	while (nanosleep(&time, &time) != 0)
		;
}

/* Waits until a condition holds, at most ten seconds. */
static bool wait_for(bool (*condition)(void))
{
	for (unsigned i = 0; i < 1000 && !condition(); i++)
		pause_ms(10);
	return condition();
}

static atomic_int waked;

static void wake(void *data)
{
	*(atomic_int *)data += 1;
}

static bool is_waked(void)
{
	return atomic_load(&waked) > 0;
}

static void start(enum progress_mode mode)
{
	struct progress_options options = {mode, wake, &waked};

	message_setup("test");
	CHECK_INT(progress_start(&options), 0, "progress_start");
}

static void interrupted_once(void)
{
	start(PROGRESS_TERMINAL);
	progress_add_total(7, 3000);
	progress_done(3, 2048);
	CHECK(!progress_interrupted(), "not yet");
	kill(getpid(), SIGINT);
	CHECK(wait_for(is_waked), "the callback");
	CHECK(progress_interrupted(), "SIGINT came");
	progress_stop();
	CHECK_INT(atomic_load(&waked), 1, "the callback was called once");
}

static void interrupted_twice(void)
{
	start(PROGRESS_NEVER);
	kill(getpid(), SIGINT);
	CHECK(wait_for(is_waked), "the callback");
	kill(getpid(), SIGINT);
	pause_ms(10000);
}

static void interrupted_but_ignored(void)
{
	signal(SIGINT, SIG_IGN);
	start(PROGRESS_TERMINAL);
	kill(getpid(), SIGINT);
	pause_ms(100);
	CHECK(!progress_interrupted(), "SIGINT is ignored");
	progress_stop();
}

/* Ignoring SIGUSR1 must not keep the thread from ending. */
static void asked(void)
{
	signal(SIGUSR1, SIG_IGN);
	start(PROGRESS_NEVER);
	progress_add_total(7, 3000);
	progress_total_known();
	progress_done(2, 3000);
	progress_current("a\nb");
	kill(getpid(), SIGUSR1);
	pause_ms(300);
	progress_stop();
	kill(getpid(), SIGUSR1); /* too late, but no harm */
	progress_stop();
	progress_done(1, 1);
}

static void always(void)
{
	start(PROGRESS_ALWAYS);
	progress_add_total(1, 10);
	progress_total_known();
	progress_done(1, 10);
	progress_stop();
}

static void started_twice(void)
{
	start(PROGRESS_TERMINAL);
	progress_stop();
	start(PROGRESS_TERMINAL);
	progress_stop();
	message("end");
}

static void *say(void *number)
{
	for (unsigned i = 0; i < 20; i++) {
		message("message %c", *(const char *)number);
		pause_ms(20);
	}
	return NULL;
}

/* Two threads that write messages, and a narrow line behind them. */
static void talking(void)
{
	static char names[] = {'A', 'B'};
	pthread_t threads[2];

	start(PROGRESS_TERMINAL);
	progress_add_total(1, 10);
	for (size_t i = 0; i < 2; i++)
		TEST_REQUIRE(pthread_create(&threads[i], NULL, say, &names[i]) == 0, "thread");
	for (unsigned i = 0; i < 10; i++) {
		progress_done(1000, 1000000);
		progress_current(i % 2 == 0 ? "name" : "a/much/longer/name/in/this/place");
		pause_ms(80);
	}
	for (size_t i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	progress_stop();
}

static size_t through_pipe(void (*body)(void), char *bytes, size_t size, int *status)
{
	int ends[2];

	TEST_REQUIRE(pipe(ends) == 0, "pipe");
	return run_child(body, ends[1], ends[0], bytes, size, status);
}

static void check_pipe(const char *what, void (*body)(void), int status, const char *expected)
{
	char bytes[4096];
	int actual;
	size_t size = through_pipe(body, bytes, sizeof(bytes) - 1, &actual);

	bytes[size] = '\0';
	CHECK_INT(actual, status, "%s", what);
	CHECK(strcmp(bytes, expected) == 0, "%s: \"%s\"", what, bytes);
}

/* As check_pipe for texts with a rate: expected is what stands before it and after it. */
static void check_printed(const char *what, void (*body)(void), const char *before,
			  const char *after)
{
	char bytes[4096];
	int status;
	size_t size = through_pipe(body, bytes, sizeof(bytes) - 1, &status);
	size_t length = strlen(after);

	bytes[size] = '\0';
	CHECK_INT(status, 0, "%s", what);
	CHECK(strncmp(bytes, before, strlen(before)) == 0, "%s: \"%s\"", what, bytes);
	CHECK(size > length && strcmp(bytes + size - length, after) == 0, "%s: \"%s\"", what,
	      bytes);
	CHECK(strchr(bytes, '\n') == bytes + size - 1, "%s: one line", what);
}

static void test_signals(void)
{
	check_pipe("SIGINT", interrupted_once, 0, "test: interrupted: 3 files, 2.0 KiB done\n");
	check_pipe("a second SIGINT", interrupted_twice, SIGINT, "");
	check_pipe("SIGINT ignored", interrupted_but_ignored, 0, "");
	check_pipe("twice", started_twice, 0, "test: end\n");
	check_printed("SIGUSR1", asked, "test: 2/7 files, 2.9/2.9 KiB, ", " 0:00:00 left  a?b\n");
	check_printed("always", always, "test: 1/1 files, 10/10 B, ", " 0:00:00 left\n");
}

/* On a terminal of 40 columns; the line must have been seen, and be gone in the end. */
static void test_terminal(void)
{
	static char bytes[256 * 1024], screen[sizeof(bytes)];
	struct winsize size = {.ws_row = 24, .ws_col = 40};
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	unsigned lines = 0;
	size_t count;
	int other, status;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
		test_unavailable("there are no pseudo-terminals");
		return;
	}
	other = open(ptsname(master), O_RDWR | O_NOCTTY);
	TEST_REQUIRE(other >= 0, "the terminal");
	TEST_REQUIRE(ioctl(other, TIOCSWINSZ, &size) == 0, "TIOCSWINSZ");
	count = run_child(talking, other, master, bytes, sizeof(bytes), &status);
	CHECK_INT(status, 0, "the child");

	CHECK(memmem(bytes, count, "000 files", 9) != NULL, "the line was drawn");
	emulate(screen, sizeof(screen), bytes, count);
	for (char *line = strtok(screen, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++)
		CHECK(strcmp(line, "test: message A") == 0 || strcmp(line, "test: message B") == 0,
		      "\"%s\"", line);
	CHECK_INT(lines, 40, "all messages");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_texts);
	TEST_RUN(test_bytes);
	TEST_RUN(test_widths);
	TEST_RUN(test_rate);
	TEST_RUN(test_signals);
	TEST_RUN(test_terminal);
	return test_end();
}
