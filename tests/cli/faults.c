/* SPDX-License-Identifier: MIT */
/*
 * faults.c - a library to preload: read, write, openat, pthread_create and malloc with the faults
 * that the environment asks for.
 *
 *	FAULT_NAME=END		the file that is meant: its path ends so
 *	FAULT_SHORT=N		a read gives at most N bytes
 *	FAULT_EINTR=N		every N-th read is interrupted
 *	FAULT_EIO=OFFSET	from there on the file cannot be read
 *	FAULT_ERRNO=N		then the error is not EIO but this one
 *	FAULT_COMMAND=COMMAND	is run by a shell, once: before the N-th read of the file with
 *	FAULT_READ=N		or, without it, before it is opened
 *	FAULT_LOG=PATH		each read of a regular file adds its path there, a line each
 *	FAULT_WRITE_SHORT=N	a write takes at most N bytes
 *	FAULT_WRITE_EINTR=N	every N-th write is interrupted
 *	FAULT_WRITE_ENOSPC=N	from the N-th byte on writes to standard output fail
 *	FAULT_CLOSE=1		closing a copy of standard output fails with EDQUOT
 *	FAULT_THREADS=1		no thread can be made
 *	FAULT_THREADS=N		above 1: making the N-th thread ends the program, status 42
 *	FAULT_MALLOC=N		the N-th call for memory fails
 *	FAULT_MALLOC_FROM=N	and all from the N-th on
 *	FAULT_MALLOC_LOG=PATH	at the end the number of calls is written there
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long setting(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? strtol(value, NULL, 10) : 0;
}

static bool ends_so(const char *path, const char *end)
{
	size_t length = strlen(path);

	return end != NULL && length >= strlen(end) &&
	       strcmp(path + length - strlen(end), end) == 0;
}

/* Returns false for what has no path. */
static bool path_of(int fd, char path[4096])
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, 4095);
	path[length > 0 ? length : 0] = '\0';
	return length > 0;
}

static bool is_meant(int fd)
{
	char path[4096];

	return getenv("FAULT_NAME") != NULL && path_of(fd, path) &&
	       ends_so(path, getenv("FAULT_NAME"));
}

/* --- Changes and records ------------------------------------------------------------------- */

static void run_once(void)
{
	static atomic_bool done;

	/* The command is a program with this library, too: it has no settings. */
	if (!atomic_exchange(&done, true) && getenv("FAULT_COMMAND") != NULL) {
		char command[4096];

		snprintf(command, sizeof(command), "unset LD_PRELOAD; %s", getenv("FAULT_COMMAND"));
		if (system(command) != 0)
			_exit(43);
	}
}

static void before_read(int fd)
{
	static atomic_long reads;
	long at = setting("FAULT_READ");

	if (at != 0 && is_meant(fd) && atomic_fetch_add(&reads, 1) + 1 == at)
		run_once();
}

static void log_read(int fd)
{
	char path[4096 + 1];
	struct stat status;
	int log;

	if (getenv("FAULT_LOG") == NULL || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
	    !path_of(fd, path))
		return;
	strcat(path, "\n");
	log = open(getenv("FAULT_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0644);
	if (write(log, path, strlen(path)) < 0)
		_exit(44);
	close(log);
}

/* --- What the program calls ------------------------------------------------------------------ */

ssize_t read(int fd, void *buffer, size_t size)
{
	static ssize_t (*original)(int, void *, size_t);
	static _Thread_local long calls;
	long limit = setting("FAULT_SHORT");
	long interval = setting("FAULT_EINTR");

	if (original == NULL)
		*(void **)&original = dlsym(RTLD_NEXT, "read");
	if (interval != 0 && ++calls % interval == 0) {
		errno = EINTR;
		return -1;
	}
	before_read(fd);
	log_read(fd);
	if (limit != 0 && size > (size_t)limit)
		size = (size_t)limit;
	if (getenv("FAULT_EIO") != NULL && is_meant(fd)) {
		off_t left = setting("FAULT_EIO") - lseek(fd, 0, SEEK_CUR);

		if (left <= 0) {
			errno = getenv("FAULT_ERRNO") != NULL ? (int)setting("FAULT_ERRNO") : EIO;
			return -1;
		}
		if (size > (size_t)left)
			size = (size_t)left;
	}
	return original(fd, buffer, size);
}

/* Named openat and, for programs with 64-bit offsets, openat64. */
static int open_with_faults(const char *name, int dir, const char *path, int flags, mode_t mode)
{
	int (*original)(int, const char *, int, ...);

	*(void **)&original = dlsym(RTLD_NEXT, name);
	if (getenv("FAULT_NAME") != NULL && getenv("FAULT_READ") == NULL &&
	    strcmp(path, getenv("FAULT_NAME")) == 0)
		run_once();
	return original(dir, path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return open_with_faults("openat", dir, path, flags, mode);
}

int openat64(int dir, const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	return open_with_faults("openat64", dir, path, flags, mode);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	static ssize_t (*original)(int, const void *, size_t);
	static _Thread_local long calls;
	static _Thread_local long written;
	long limit = setting("FAULT_WRITE_SHORT");
	long interval = setting("FAULT_WRITE_EINTR");
	ssize_t n;

	if (original == NULL)
		*(void **)&original = dlsym(RTLD_NEXT, "write");
	if (interval != 0 && ++calls % interval == 0) {
		errno = EINTR;
		return -1;
	}
	if (limit != 0 && size > (size_t)limit)
		size = (size_t)limit;
	if (fd == STDOUT_FILENO && getenv("FAULT_WRITE_ENOSPC") != NULL) {
		long left = setting("FAULT_WRITE_ENOSPC") - written;

		if (left <= 0) {
			errno = ENOSPC;
			return -1;
		}
		if (size > (size_t)left)
			size = (size_t)left;
	}
	n = original(fd, buffer, size);
	if (fd == STDOUT_FILENO && n > 0)
		written += n;
	return n;
}

static int copy_of_stdout = -1;

int dup(int fd)
{
	static int (*original)(int);
	int copy;

	if (original == NULL)
		*(void **)&original = dlsym(RTLD_NEXT, "dup");
	copy = original(fd);
	if (fd == STDOUT_FILENO)
		copy_of_stdout = copy;
	return copy;
}

int close(int fd)
{
	static int (*original)(int);
	int result;

	if (original == NULL)
		*(void **)&original = dlsym(RTLD_NEXT, "close");
	result = original(fd);
	if (setting("FAULT_CLOSE") != 0 && fd >= 0 && fd == copy_of_stdout) {
		copy_of_stdout = -1;
		errno = EDQUOT;
		return -1;
	}
	return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
		   void *argument)
{
	static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	static atomic_int made;

	if (setting("FAULT_THREADS") == 1)
		return EAGAIN;
	if (setting("FAULT_THREADS") > 1 &&
	    atomic_fetch_add(&made, 1) + 1 == setting("FAULT_THREADS"))
		_exit(42);
	if (original == NULL)
		*(void **)&original = dlsym(RTLD_NEXT, "pthread_create");
	return original(thread, attributes, start, argument);
}

/* --- Memory ------------------------------------------------------------------------------------
 */

/* glibc's own names for its functions: dlsym may call for memory itself. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static atomic_long memory_calls;

static bool no_memory(void)
{
	long call = atomic_fetch_add(&memory_calls, 1) + 1;
	long from = setting("FAULT_MALLOC_FROM");

	if (call != setting("FAULT_MALLOC") && (from == 0 || call < from))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return no_memory() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return no_memory() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
	return no_memory() ? NULL : __libc_realloc(memory, size);
}

__attribute__((destructor)) static void log_memory(void)
{
	const char *path = getenv("FAULT_MALLOC_LOG");
	int fd = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

	if (fd >= 0) {
		dprintf(fd, "%ld\n", atomic_load(&memory_calls));
		close(fd);
	}
}
