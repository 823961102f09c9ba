/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "transfer.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

/* After a call that failed: whether to make it again. Waits where the descriptor does not. */
static bool again(int fd, short events)
{
	struct pollfd wanted = {.fd = fd, .events = events};

	if (errno == EINTR)
		return true;
	if (errno != EAGAIN && errno != EWOULDBLOCK)
		return false;
	return poll(&wanted, 1, -1) >= 0 || errno == EINTR;
}

int transfer_read(int fd, void *data, size_t size, size_t *got)
{
	ssize_t n;

	do
		n = read(fd, data, size);
	while (n < 0 && again(fd, POLLIN));
	*got = n > 0 ? (size_t)n : 0;
	return n < 0 ? errno : 0;
}

int transfer_write(int fd, const void *data, size_t size)
{
	const unsigned char *at = data;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n == 0)
			return ENOSPC; /* as git takes it: there is no sense in asking for ever */
		if (n < 0 && !again(fd, POLLOUT))
			return errno;
		if (n > 0) {
			at += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

int transfer_end(int fd)
{
	int copy = dup(fd);

	/* POSIX leaves open what EINTR means here; Linux has closed it. */
	if (copy < 0 || (close(copy) != 0 && errno != EINTR))
		return errno;
	return 0;
}
