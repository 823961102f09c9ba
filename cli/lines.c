/* SPDX-License-Identifier: MIT */
#include "lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "progress.h"

#define FIRST_CAPACITY ((size_t)64 * 1024)

bool lines_begin(struct lines *lines, int fd, char end_mark)
{
	memset(lines, 0, sizeof(*lines));
	lines->fd = fd;
	lines->end_mark = end_mark;
	lines->capacity = FIRST_CAPACITY;
	lines->buffer = malloc(lines->capacity + 1); /* + 1: see struct line */
	return lines->buffer != NULL;
}

void lines_end(struct lines *lines)
{
	free(lines->buffer);
	lines->buffer = NULL;
}

/* Makes room behind the unread bytes. Returns false when they are a line that is too long, which
   includes one for which there is no memory. */
static bool make_room(struct lines *lines)
{
	size_t kept = lines->end - lines->start;
	char *larger;

	if (lines->start > 0) {
		memmove(lines->buffer, lines->buffer + lines->start, kept);
		lines->start = 0;
		lines->end = kept;
	}
	if (kept < lines->capacity)
		return true;
	if (lines->capacity > LINES_LIMIT)
		return false;
	larger = realloc(lines->buffer, 2 * lines->capacity + 1);
	if (larger == NULL)
		return false;
	lines->buffer = larger;
	lines->capacity *= 2;
	return true;
}

/* How often an interruption is looked for while the next line is not there, in milliseconds. */
enum { LOOK = 100 };

/* As read, but SIGINT, which is blocked and interrupts no read, ends it with EINTR. */
static ssize_t read_or_end(int fd, char *buffer, size_t size)
{
	struct pollfd input = {.fd = fd, .events = POLLIN};

	while (poll(&input, 1, LOOK) == 0)
		if (progress_interrupted()) {
			errno = EINTR;
			return -1;
		}
	return read(fd, buffer, size);
}

/* Reads what there is, at least one byte; there must be room. Sets at_end when there is none. */
static void read_more(struct lines *lines)
{
	ssize_t got;

	do
		got = read_or_end(lines->fd, lines->buffer + lines->end,
				  lines->capacity - lines->end);
	while (got < 0 && errno == EINTR && !progress_interrupted());
	if (got > 0) {
		lines->end += (size_t)got;
		return;
	}
	lines->at_end = true;
	if (got < 0)
		lines->error = errno;
}

/* Where the newline of the first unread line stands, its first searched bytes being known to
   have none; or NULL. */
static char *find_newline(const struct lines *lines, size_t searched)
{
	return memchr(lines->buffer + lines->start + searched, lines->end_mark,
		      lines->end - lines->start - searched);
}

/* Passes over the rest of a line that is too long. */
static void skip_line(struct lines *lines)
{
	const char *newline;

	lines->first[0] = lines->buffer[lines->start];
	while ((newline = find_newline(lines, 0)) == NULL && !lines->at_end) {
		lines->start = 0;
		lines->end = 0;
		read_more(lines);
	}
	lines->start = newline != NULL ? (size_t)(newline + 1 - lines->buffer) : lines->end;
}

bool lines_next(struct lines *lines, struct line *line)
{
	const char *newline;
	size_t searched = 0;
	size_t length;

	while ((newline = find_newline(lines, searched)) == NULL && !lines->at_end) {
		searched = lines->end - lines->start;
		if (!make_room(lines))
			break;
		read_more(lines);
	}
	if (newline == NULL && lines->start == lines->end)
		return false;

	lines->number++;
	length = (newline != NULL ? (size_t)(newline - lines->buffer) : lines->end) - lines->start;
	line->too_long = length > LINES_LIMIT || (newline == NULL && !lines->at_end);
	if (line->too_long) {
		skip_line(lines);
		line->text = lines->first;
		line->length = 1;
		return true;
	}
	line->text = lines->buffer + lines->start;
	line->length = length;
	lines->start += length + (newline != NULL);
	return true;
}
