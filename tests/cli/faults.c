/* SPDX-License-Identifier: MIT */
/*
 * faults.c - a library to preload: read, write and pthread_create with the faults that the
 * environment asks for.
 *
 *	FAULT_SHORT=N		a read gives at most N bytes
 *	FAULT_EINTR=N		every N-th read is interrupted
 *	FAULT_EIO=OFFSET	from there on the file named FAULT_NAME (its end) cannot be read
 *	FAULT_ERRNO=N		then the error is not EIO but this one
 *	FAULT_WRITE_SHORT=N	a write takes at most N bytes
 *	FAULT_WRITE_EINTR=N	every N-th write is interrupted
 *	FAULT_WRITE_ENOSPC=N	from the N-th byte on writes to standard output fail
 *	FAULT_CLOSE=1		closing a copy of standard output fails with EDQUOT
 *	FAULT_THREADS=1		no thread can be made
 *	FAULT_THREADS=N		above 1: making the N-th thread ends the program, status 42
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long setting(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? strtol(value, NULL, 10) : 0;
}

static int has_name(int fd, const char *end)
{
	char link[64], path[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (end == NULL || length < (ssize_t)strlen(end))
		return 0;
	path[length] = '\0';
	return strcmp(path + length - strlen(end), end) == 0;
}

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
	if (limit != 0 && size > (size_t)limit)
		size = (size_t)limit;
	if (getenv("FAULT_EIO") != NULL && has_name(fd, getenv("FAULT_NAME"))) {
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
