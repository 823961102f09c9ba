/* SPDX-License-Identifier: MIT */
/*
 * cursor.h - reading forward through memory that may end anywhere: what does not fit gives zero
 * and is remembered, so that a parser can look once at the end of each of its steps.
 */
#ifndef BLOCKSHA_GIT_CURSOR_H
#define BLOCKSHA_GIT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "blocksha_byteorder.h"

struct git_cursor {
	const unsigned char *data;
	size_t at, end;
	bool overrun; /* something did not fit */
};

static inline size_t git_cursor_left(const struct git_cursor *cursor)
{
	return cursor->end - cursor->at;
}

/* The next size bytes, or NULL. */
static inline const unsigned char *git_cursor_take(struct git_cursor *cursor, uint64_t size)
{
	const unsigned char *taken = cursor->data + cursor->at;

	if (cursor->overrun || size > git_cursor_left(cursor)) {
		cursor->overrun = true;
		return NULL;
	}
	cursor->at += (size_t)size;
	return taken;
}

static inline uint32_t git_cursor_be32(struct git_cursor *cursor)
{
	const unsigned char *at = git_cursor_take(cursor, 4);

	return at != NULL ? blocksha_get_be32(at) : 0;
}

/* A string that ends with that byte, which is taken, too: its length, and where it begins in
 *text, or NULL. */
static inline size_t git_cursor_text(struct git_cursor *cursor, unsigned char end,
				     const unsigned char **text)
{
	const unsigned char *begin = cursor->data + cursor->at;
	const unsigned char *found = NULL;
	size_t length;

	*text = NULL;
	if (begin != NULL && !cursor->overrun && git_cursor_left(cursor) > 0)
		found = memchr(begin, end, git_cursor_left(cursor));
	if (found == NULL) {
		cursor->overrun = true;
		return 0;
	}
	length = (size_t)(found - begin);
	cursor->at += length + 1;
	*text = begin;
	return length;
}

/* A number of variable length, as offsets of deltas in packs have it: gitformat-index, "Version 4".
   One that does not fit into 64 bits counts as overrun. */
static inline uint64_t git_cursor_varint(struct git_cursor *cursor)
{
	const unsigned char *at = git_cursor_take(cursor, 1);
	uint64_t value = at != NULL ? *at & 0x7f : 0;

	while (at != NULL && (*at & 0x80) != 0) {
		if (value >= UINT64_MAX >> 7) {
			cursor->overrun = true;
			return 0;
		}
		at = git_cursor_take(cursor, 1);
		value = ((value + 1) << 7) | (at != NULL ? *at & 0x7f : 0);
	}
	return value;
}

#endif
