/* SPDX-License-Identifier: MIT */
/*
 * lines.h - reads a text line by line, in memory that a line cannot exceed.
 */
#ifndef BLOCKSHA_CLI_LINES_H
#define BLOCKSHA_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest line that is kept whole, in bytes without the newline. A line of a checksum list
   with the longest name that Linux opens, 4095 bytes and all of them escaped, has 8 KiB. */
#define LINES_LIMIT ((size_t)1024 * 1024)

struct lines {
	int fd;
	char end_mark;
	int error;       /* the errno of the read that failed; it ends the text */
	uint64_t number; /* of the line that was returned last; the first is 1 */
	char *buffer;
	size_t capacity;
	size_t start, end; /* what is read and not yet returned */
	bool at_end;
	char first[2];
};

struct line {
	char *text;    /* without the mark; there is one writable byte behind it */
	size_t length; /* may count NUL bytes within */
	bool too_long; /* only the first byte is there */
};

/* Begins to read fd, where end_mark ends a line: a newline, or NUL. Returns false when there is
   no memory. */
bool lines_begin(struct lines *lines, int fd, char end_mark);
void lines_end(struct lines *lines);

/* The next line, valid until the next call; false at the end. The last line needs no mark.
   What came before a failing read is still returned. */
bool lines_next(struct lines *lines, struct line *line);

#endif
