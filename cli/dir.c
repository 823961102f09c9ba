/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_PATH */

#include "dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory that is only passed through need not be readable. */
#ifdef O_PATH
#define OPEN_TO_PASS (O_PATH | O_DIRECTORY | O_CLOEXEC)
#else
#define OPEN_TO_PASS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

/* With the NUL no more than the smallest PATH_MAX in use (4096 on Linux, 1024 on the BSDs), and
   room for a component of 255 bytes, the usual NAME_MAX. */
#define PIECE_SIZE 1024

static atomic_uint open_count;

int dir_fd(const struct dir *dir)
{
	return dir != NULL ? dir->fd : AT_FDCWD;
}

static void close_keeping_errno(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
}

/* C11's free may change it. */
static void free_keeping_errno(void *memory)
{
	int error = errno;

	free(memory);
	errno = error;
}

/* Opens the directory that the beginning of *path names, as much of it as one call takes, and
   moves *path behind it. */
static int open_piece(int at, const char **path)
{
	char piece[PIECE_SIZE];
	size_t length = PIECE_SIZE - 1;

	while (length > 0 && (*path)[length] != '/')
		length--;
	if (length == 0) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(piece, *path, length);
	piece[length] = '\0';
	*path += length;
	*path += strspn(*path, "/");
	return openat(at, piece, OPEN_TO_PASS);
}

static int open_in_pieces(int at, const char *path, int flags)
{
	int start = at;
	int fd;

	while (strnlen(path, PIECE_SIZE) == PIECE_SIZE) {
		fd = open_piece(at, &path);
		if (at != start)
			close_keeping_errno(at);
		if (fd < 0)
			return -1;
		at = fd;
	}
	fd = openat(at, *path != '\0' ? path : ".", flags);
	if (at != start)
		close_keeping_errno(at);
	return fd;
}

int dir_open_path(const struct dir *base, const char *path, int flags)
{
	int fd = openat(dir_fd(base), path, flags);

	if (fd >= 0 || errno != ENAMETOOLONG)
		return fd;
	return open_in_pieces(dir_fd(base), path, flags);
}

char *dir_read_link(const struct dir *base, const char *path, size_t *size)
{
	size_t capacity = 256;
	char *text = NULL;

	for (;;) {
		char *larger = realloc(text, capacity);
		ssize_t length;

		if (larger == NULL)
			break;
		text = larger;
		length = readlinkat(dir_fd(base), path, text, capacity);
		if (length < 0)
			break;
		if ((size_t)length < capacity) {
			*size = (size_t)length;
			return text;
		}
		capacity *= 2; /* perhaps not all of it */
	}
	free_keeping_errno(text);
	return NULL;
}

struct dir *dir_open(const struct dir *base, const char *path, bool follow)
{
	/* Without O_NONBLOCK, a FIFO that took the directory's place could block. */
	int flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	struct dir *dir = malloc(sizeof(*dir));
	struct stat status = {0}; /* clang 14's MSan does not know that fstat fills it in */

	if (dir == NULL)
		return NULL;
	dir->fd = dir_open_path(base, path, follow ? flags : flags | O_NOFOLLOW);
	if (dir->fd >= 0 && fstat(dir->fd, &status) != 0) {
		close_keeping_errno(dir->fd);
		dir->fd = -1;
	}
	if (dir->fd < 0) {
		free_keeping_errno(dir);
		return NULL;
	}
	dir->device = status.st_dev;
	dir->inode = status.st_ino;
	atomic_init(&dir->holders, 1);
	atomic_fetch_add(&open_count, 1);
	return dir;
}

struct dir *dir_hold(struct dir *dir)
{
	if (dir != NULL)
		atomic_fetch_add(&dir->holders, 1);
	return dir;
}

void dir_release(struct dir *dir)
{
	if (dir == NULL || atomic_fetch_sub(&dir->holders, 1) > 1)
		return;
	close(dir->fd);
	free(dir);
	atomic_fetch_sub(&open_count, 1);
}

unsigned dir_open_count(void)
{
	return atomic_load(&open_count);
}

unsigned dir_budget(void)
{
	const unsigned least = 4; /* the walk's own: a directory, one within it, one above it */
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 4 >= DIR_BUDGET)
		return DIR_BUDGET;
	return limit.rlim_cur / 4 > least ? (unsigned)(limit.rlim_cur / 4) : least;
}
