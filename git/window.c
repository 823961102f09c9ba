/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "window.h"

#include <stdlib.h>
#include <string.h>

void blocksha_git_window_begin(struct git_window *window, const struct git_file *file, uint64_t end,
			       size_t least)
{
	memset(window, 0, sizeof(*window));
	window->file = file;
	window->end = end;
	window->least = least;
}

void blocksha_git_window_end(struct git_window *window)
{
	free(window->buffer);
	window->buffer = NULL;
}

static bool grow(struct git_window *window, size_t size, struct git_report *report)
{
	if (size <= window->capacity)
		return true;
	free(window->buffer);
	window->capacity = 0;
	window->size = 0;
	window->buffer = malloc(size);
	if (window->buffer == NULL) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
		return false;
	}
	window->capacity = size;
	return true;
}

static bool move(struct git_window *window, uint64_t offset, size_t size, struct git_report *report)
{
	uint64_t rest = window->end - offset;

	if (size < window->least)
		size = window->least;
	if (size > rest)
		size = (size_t)rest;
	/* One byte more, so that there is always a buffer. */
	if (!grow(window, size + 1, report))
		return false;
	window->size = 0;
	if (!blocksha_git_file_read(window->file, window->buffer, size, offset, report))
		return false;
	window->begin = offset;
	window->size = size;
	return true;
}

const unsigned char *blocksha_git_window_get(struct git_window *window, uint64_t offset,
					     size_t size, size_t *got, struct git_report *report)
{
	if (size > window->end - offset)
		size = (size_t)(window->end - offset);
	if (offset < window->begin || offset - window->begin > window->size ||
	    window->size - (size_t)(offset - window->begin) < size || window->buffer == NULL)
		if (!move(window, offset, size, report))
			return NULL;
	*got = window->size - (size_t)(offset - window->begin);
	return window->buffer + (offset - window->begin);
}
