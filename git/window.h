/* SPDX-License-Identifier: MIT */
/*
 * window.h - the part of a file that is in memory, moved along as it is wanted.
 */
#ifndef BLOCKSHA_GIT_WINDOW_H
#define BLOCKSHA_GIT_WINDOW_H

#include "git_file.h"

struct git_window {
	const struct git_file *file;
	uint64_t end; /* nothing behind it is read */
	size_t least; /* so many bytes are read at once, if they are there */
	unsigned char *buffer;
	size_t capacity, size;
	uint64_t begin; /* where in the file the buffer begins */
};

void blocksha_git_window_begin(struct git_window *window, const struct git_file *file, uint64_t end,
			       size_t least);
void blocksha_git_window_end(struct git_window *window);

/* The bytes at offset, which is not behind the end: size of them, or fewer at the end; *got says
   how many there are at least. Valid until the next call. NULL after a finding. */
const unsigned char *blocksha_git_window_get(struct git_window *window, uint64_t offset,
					     size_t size, size_t *got, struct git_report *report);

#endif
