/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "git_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One pread asks for no more: several systems refuse or cut reads near 2 GiB. */
#define MAX_READ ((size_t)8 * 1024 * 1024)

static void report_errno(struct git_report *report, uint64_t offset, const char *what)
{
	/* strerror is not required to be safe among threads; glibc's and musl's are. */
	blocksha_git_report_add(report, BLOCKSHA_GIT_UNREADABLE, GIT_AT(offset), NULL,
				strerror(errno), "%s", what);
}

static bool check_kind(struct git_file *file, struct git_report *report)
{
	if (fstat(file->fd, &file->opened) != 0) {
		report_errno(report, BLOCKSHA_GIT_NO_OFFSET, "cannot be examined");
		return false;
	}
	if (!S_ISREG(file->opened.st_mode)) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_UNREADABLE, GIT_NOWHERE, NULL, NULL,
					"not a regular file");
		return false;
	}
	file->size = (uint64_t)file->opened.st_size;
	return true;
}

bool blocksha_git_file_open(struct git_file *file, const char *path, bool listed,
			    struct git_report *report)
{
	memset(file, 0, sizeof(*file));
	file->path = path;
	/* Without waiting for the other end of a FIFO. */
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (file->fd < 0 && errno == ENOENT && listed) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_CHANGED, GIT_NOWHERE, NULL, NULL,
					"vanished before it could be opened");
		return false;
	}
	if (file->fd < 0) {
		report_errno(report, BLOCKSHA_GIT_NO_OFFSET, "cannot be opened");
		return false;
	}
	if (check_kind(file, report))
		return true;
	close(file->fd);
	return false;
}

void blocksha_git_file_in_memory(struct git_file *file, const char *path, const void *data,
				 size_t size)
{
	memset(file, 0, sizeof(*file));
	file->path = path;
	file->fd = -1;
	file->memory = data;
	file->size = size;
}

static bool read_fd(const struct git_file *file, unsigned char *to, size_t size, uint64_t offset,
		    struct git_report *report)
{
	while (size > 0) {
		ssize_t got = pread(file->fd, to, size < MAX_READ ? size : MAX_READ, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			report_errno(report, offset, "cannot be read");
			return false;
		}
		if (got == 0) {
			blocksha_git_report_numbers(report, BLOCKSHA_GIT_CHANGED, GIT_AT(offset),
						    file->size, offset,
						    "became shorter while it was read");
			return false;
		}
		to += got;
		size -= (size_t)got;
		offset += (uint64_t)got;
	}
	return true;
}

bool blocksha_git_file_read(const struct git_file *file, void *buffer, size_t size, uint64_t offset,
			    struct git_report *report)
{
	if (file->fd >= 0)
		return read_fd(file, buffer, size, file->origin + offset, report);
	if (size > 0)
		memcpy(buffer, file->memory + file->origin + offset, size);
	return true;
}

unsigned char *blocksha_git_file_load(const struct git_file *file, uint64_t limit,
				      struct git_report *report)
{
	unsigned char *data = NULL;

	if (file->size <= limit && file->size < SIZE_MAX)
		data = malloc((size_t)file->size + 1);
	if (data == NULL) {
		blocksha_git_report_numbers(report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, limit,
					    file->size, "needs more memory than is allowed");
		return NULL;
	}
	if (blocksha_git_file_read(file, data, (size_t)file->size, 0, report))
		return data;
	free(data);
	return NULL;
}

static bool same_contents(const struct stat *one, const struct stat *other)
{
	return one->st_size == other->st_size && one->st_mtim.tv_sec == other->st_mtim.tv_sec &&
	       one->st_mtim.tv_nsec == other->st_mtim.tv_nsec;
}

void blocksha_git_file_close(struct git_file *file, struct git_report *report)
{
	struct stat now;

	if (file->fd < 0)
		return;
	if (fstat(file->fd, &now) != 0 || !same_contents(&file->opened, &now)) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_CHANGED, GIT_NOWHERE, NULL, NULL,
					"was changed while it was read");
	} else if (stat(file->path, &now) != 0 || now.st_ino != file->opened.st_ino ||
		   now.st_dev != file->opened.st_dev) {
		/* What was read was all of the old file: if that was good, so be it. */
		blocksha_git_report_add(report,
					blocksha_git_report_is_good(report) ? BLOCKSHA_GIT_NOTE
									    : BLOCKSHA_GIT_CHANGED,
					GIT_NOWHERE, NULL, NULL,
					"vanished or was replaced while it was read");
	}
	close(file->fd);
	file->fd = -1;
}
