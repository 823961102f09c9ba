/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* TIOCGWINSZ */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "progress_line.h"
#include "statusline.h"

#define NANOSECONDS 1000000000L

/* How often the line is drawn, and how often it is printed where there is no terminal. */
static const struct timespec draw_interval = {0, NANOSECONDS / 5};
static const struct timespec print_interval = {10, 0};

#define DEFAULT_WIDTH 80

/* What is counted. A lock, because not every machine has 64-bit atomics. */
static struct {
	pthread_mutex_t lock;
	struct progress_count done;
	struct progress_count total;
	bool total_known;
	char name[512]; /* the end of it, if it is longer */
} work = {.lock = PTHREAD_MUTEX_INITIALIZER};

static atomic_bool interrupted;

/* The thread. What is here but stopping changes only while it does not run, or in it. */
static struct {
	bool running;
	atomic_bool stopping;
	pthread_t id;
	struct progress_options options;
	bool terminal; /* the line is drawn */
	bool printing; /* the line is printed from time to time */
	sigset_t waited;
	sigset_t mask_before;
	struct timespec begin;
	struct progress_rate rate;
} thread;

void progress_add_total(uint64_t files, uint64_t bytes)
{
	pthread_mutex_lock(&work.lock);
	work.total.files += files;
	work.total.bytes += bytes;
	pthread_mutex_unlock(&work.lock);
}

void progress_total_known(void)
{
	pthread_mutex_lock(&work.lock);
	work.total_known = true;
	pthread_mutex_unlock(&work.lock);
}

void progress_total_is_done(void)
{
	pthread_mutex_lock(&work.lock);
	work.total = work.done;
	work.total_known = true;
	pthread_mutex_unlock(&work.lock);
}

void progress_done(uint64_t files, uint64_t bytes)
{
	pthread_mutex_lock(&work.lock);
	work.done.files += files;
	work.done.bytes += bytes;
	pthread_mutex_unlock(&work.lock);
}

void progress_current(const char *name)
{
	size_t length = name != NULL ? strlen(name) : 0;

	if (length >= sizeof(work.name)) {
		name += length - (sizeof(work.name) - 1);
		length = sizeof(work.name) - 1;
	}
	pthread_mutex_lock(&work.lock);
	if (length > 0)
		memcpy(work.name, name, length);
	work.name[length] = '\0';
	pthread_mutex_unlock(&work.lock);
}

bool progress_interrupted(void)
{
	return atomic_load(&interrupted);
}

static double seconds_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begin->tv_sec) +
	       (double)(now.tv_nsec - begin->tv_nsec) / NANOSECONDS;
}

/* The progress now, as a text of less than width columns. */
static void describe(char line[STATUSLINE_SIZE], size_t width)
{
	char name[sizeof(work.name)];
	struct progress_state state;

	pthread_mutex_lock(&work.lock);
	state.done = work.done;
	state.total = work.total;
	state.counting = !work.total_known;
	memcpy(name, work.name, sizeof(name));
	pthread_mutex_unlock(&work.lock);

	state.name = name[0] != '\0' ? name : NULL;
	progress_rate_add(&thread.rate, seconds_since(&thread.begin), state.done.bytes);
	state.rate = thread.rate.value;
	progress_line(line, STATUSLINE_SIZE, width, &state);
}

static void print(void)
{
	char line[STATUSLINE_SIZE];

	describe(line, STATUSLINE_SIZE);
	message("%s", line);
}

static size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return DEFAULT_WIDTH;
	return size.ws_col;
}

/* Whether another program has the terminal: it is not to be written over. */
static bool in_background(void)
{
	pid_t foreground = tcgetpgrp(STDERR_FILENO);

	return foreground > 0 && foreground != getpgrp();
}

static void draw(void)
{
	char line[STATUSLINE_SIZE];

	describe(line, terminal_width());
	statusline_set(in_background() ? NULL : line);
}

/* The first SIGINT: the second one is no longer waited for nor blocked, and kills. */
static void interrupt(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigdelset(&thread.waited, SIGINT);
	atomic_store(&interrupted, true);
	if (thread.options.wake != NULL)
		thread.options.wake(thread.options.data);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* The next signal; -1 when it is time to draw or to print. */
static int next_signal(void)
{
	if (thread.terminal)
		return sigtimedwait(&thread.waited, NULL, &draw_interval);
	if (thread.printing)
		return sigtimedwait(&thread.waited, NULL, &print_interval);
	return sigwaitinfo(&thread.waited, NULL);
}

static void *run(void *unused)
{
	(void)unused;
	for (;;) {
		int number = next_signal();

		if (atomic_load(&thread.stopping))
			return NULL;
		if (number == SIGINT)
			interrupt();
		else if (number == SIGUSR1 || thread.printing)
			print();
		else if (thread.terminal)
			draw();
	}
}

/* A signal that is caught cannot be one that is ignored: those may get lost while they are
   blocked. And one that comes late does no harm. */
static void do_nothing(int number)
{
	(void)number;
}

/* Blocks the signals that the thread waits for. */
static int prepare_signals(void)
{
	struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
	struct sigaction before;

	sigemptyset(&thread.waited);
	sigaddset(&thread.waited, SIGUSR1);
	if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaddset(&thread.waited, SIGINT);
	sigemptyset(&action.sa_mask);
	if (sigaction(SIGUSR1, &action, NULL) != 0)
		return errno;
	return pthread_sigmask(SIG_BLOCK, &thread.waited, &thread.mask_before);
}

int progress_start(const struct progress_options *options)
{
	bool is_terminal = isatty(STDERR_FILENO) != 0;
	int error = prepare_signals();

	if (error != 0)
		return error;
	thread.options = *options;
	thread.terminal = is_terminal && options->mode != PROGRESS_NEVER;
	thread.printing = !is_terminal && options->mode == PROGRESS_ALWAYS;
	clock_gettime(CLOCK_MONOTONIC, &thread.begin);
	atomic_store(&thread.stopping, false);
	error = pthread_create(&thread.id, NULL, run, NULL);
	if (error != 0)
		pthread_sigmask(SIG_SETMASK, &thread.mask_before, NULL);
	thread.running = error == 0;
	return error;
}

static void print_summary(void)
{
	char bytes[PROGRESS_BYTES_SIZE];
	struct progress_count done;

	pthread_mutex_lock(&work.lock);
	done = work.done;
	pthread_mutex_unlock(&work.lock);
	progress_bytes(bytes, done.bytes);
	message("interrupted: %" PRIu64 " file%s, %s done", done.files, done.files == 1 ? "" : "s",
		bytes);
}

void progress_stop(void)
{
	if (!thread.running)
		return;
	atomic_store(&thread.stopping, true);
	pthread_kill(thread.id, SIGUSR1); /* it looks at stopping first */
	pthread_join(thread.id, NULL);
	thread.running = false;
	pthread_sigmask(SIG_SETMASK, &thread.mask_before, NULL);

	if (thread.terminal)
		statusline_set(NULL);
	if (progress_interrupted())
		print_summary();
	else if (thread.printing)
		print();
}
