/* SPDX-License-Identifier: MIT */
/*
 * git_file.h - a file that is read at any place by pread, never mapped, and never believed to
 * stay what it is; or a stretch of memory in its stead, for tests.
 */
#ifndef BLOCKSHA_GIT_FILE_H
#define BLOCKSHA_GIT_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "git_report.h"

struct git_file {
	const char *path;
	int fd; /* -1: memory */
	const unsigned char *memory;
	uint64_t size;   /* when it was opened, from origin on */
	uint64_t origin; /* where offset 0 is: not 0 for a pack inside a bundle */
	struct stat opened;
};

/* Opens a regular file. False after a finding: one that is not there is BLOCKSHA_GIT_CHANGED when
   listed says that a folder had it a moment ago, else BLOCKSHA_GIT_UNREADABLE. path must stay
   valid. */
bool blocksha_git_file_open(struct git_file *file, const char *path, bool listed,
			    struct git_report *report);

/* Memory in the place of a file. */
void blocksha_git_file_in_memory(struct git_file *file, const char *path, const void *data,
				 size_t size);

/* Reads exactly size bytes at offset, which must lie in the file as it was opened. False after a
   finding: BLOCKSHA_GIT_CHANGED when the file became shorter, or BLOCKSHA_GIT_UNREADABLE. Any
   number of threads may read the same file. */
bool blocksha_git_file_read(const struct git_file *file, void *buffer, size_t size, uint64_t offset,
			    struct git_report *report);

/* The whole file in memory, to be freed by the caller; NULL after a finding, also when the file is
   larger than limit. An empty file gives memory all the same. */
unsigned char *blocksha_git_file_load(const struct git_file *file, uint64_t limit,
				      struct git_report *report);

/* Closes it. If path no longer names what was opened, or its contents changed since then, that is a
   finding (BLOCKSHA_GIT_CHANGED), and what else was found since then is worth no more than that. */
void blocksha_git_file_close(struct git_file *file, struct git_report *report);

#endif
