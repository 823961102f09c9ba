/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* O_CLOEXEC, F_DUPFD_CLOEXEC */

#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_bool stdin_used;

bool input_is_stdin(const char *name)
{
	return strcmp(name, "-") == 0;
}

/* A copy of fd that is none of the three standard descriptors, or -1 and errno. */
static int copy_above_standard(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int input_open_at(int dir, const char *path, int flags)
{
	int fd, copy, error;

	do
		fd = openat(dir, path, O_RDONLY | O_CLOEXEC | flags);
	while (fd < 0 && errno == EINTR);
	if (fd < 0 || fd > STDERR_FILENO)
		return fd;

	/* A standard stream was closed: the file must not take its place. */
	copy = copy_above_standard(fd);
	error = errno;
	close(fd);
	errno = error;
	return copy;
}

int input_open(const char *name)
{
	if (!input_is_stdin(name))
		return input_open_at(AT_FDCWD, name, 0);
	stdin_used = true;
	/* So that the caller closes every descriptor in the same way. */
	return copy_above_standard(STDIN_FILENO);
}

int input_close_stdin(void)
{
	if (!stdin_used)
		return 0;
	stdin_used = false;
	return close(STDIN_FILENO) == 0 ? 0 : errno;
}
