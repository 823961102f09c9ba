/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define ZLIB_CONST

#include "inflate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>
#include <zlib.h>

#define PIECE ((size_t)128 * 1024)

struct git_inflater {
	struct libdeflate_decompressor *fast;
	z_stream slow;
	bool slow_is_ready;
	unsigned char *pieces; /* input and output of streaming; NULL before the first use */
};

const char *blocksha_git_inflate_text(enum git_inflated result)
{
	static const char *const texts[] = {
		[GIT_INFLATED] = "is good",
		[GIT_INFLATE_BAD] = "compressed data is damaged",
		[GIT_INFLATE_CUT] = "compressed data ends early",
		[GIT_INFLATE_LONG] = "inflates to more than its declared size",
		[GIT_INFLATE_SHORT] = "inflates to less than its declared size",
		[GIT_INFLATE_NO_MEMORY] = "no memory to inflate it",
		[GIT_INFLATE_UNREADABLE] = "cannot be read",
	};

	return texts[result];
}

bool blocksha_git_inflate_is_possible(uint64_t packed, uint64_t size)
{
	return size / 1032 <= packed;
}

struct git_inflater *blocksha_git_inflater_create(void)
{
	struct git_inflater *inflater = calloc(1, sizeof(*inflater));

	if (inflater == NULL)
		return NULL;
	inflater->fast = libdeflate_alloc_decompressor();
	if (inflater->fast != NULL)
		return inflater;
	free(inflater);
	return NULL;
}

void blocksha_git_inflater_destroy(struct git_inflater *inflater)
{
	if (inflater == NULL)
		return;
	libdeflate_free_decompressor(inflater->fast);
	if (inflater->slow_is_ready)
		inflateEnd(&inflater->slow);
	free(inflater->pieces);
	free(inflater);
}

static bool begin_slow(struct git_inflater *inflater)
{
	if (inflater->slow_is_ready)
		return inflateReset(&inflater->slow) == Z_OK;
	inflater->slow_is_ready = inflateInit(&inflater->slow) == Z_OK;
	return inflater->slow_is_ready;
}

/* zlib counts in unsigned int. */
static unsigned at_most(size_t size)
{
	return size < INT_MAX ? (unsigned)size : INT_MAX;
}

/* --- In memory -------------------------------------------------------------------- */

/* zlib's judgement when all room for output may be full: it goes on, with room for one byte more,
   until the stream ends. */
static enum git_inflated judge(int status, bool overflowed, bool full)
{
	if (overflowed)
		return GIT_INFLATE_LONG;
	if (status == Z_STREAM_END)
		return full ? GIT_INFLATED : GIT_INFLATE_SHORT;
	if (status == Z_MEM_ERROR)
		return GIT_INFLATE_NO_MEMORY;
	if (status == Z_OK || status == Z_BUF_ERROR)
		return GIT_INFLATE_CUT;
	return GIT_INFLATE_BAD;
}

static enum git_inflated inflate_slowly(struct git_inflater *inflater, const unsigned char *in,
					size_t in_size, unsigned char *out, size_t size,
					size_t *used)
{
	z_stream *slow = &inflater->slow;
	unsigned char more = 0;
	size_t taken = 0, given = 0;
	int status = Z_OK;

	if (!begin_slow(inflater))
		return GIT_INFLATE_NO_MEMORY;
	while (status == Z_OK && given <= size) {
		unsigned room = given < size ? at_most(size - given) : 1;
		unsigned rest = at_most(in_size - taken);

		slow->next_in = in + taken;
		slow->avail_in = rest;
		slow->next_out = given < size ? out + given : &more;
		slow->avail_out = room;
		status = inflate(slow, Z_NO_FLUSH);
		taken += rest - slow->avail_in;
		given += room - slow->avail_out;
	}
	*used = taken;
	return judge(status, given > size, given == size);
}

enum git_inflated blocksha_git_inflate(struct git_inflater *inflater, const unsigned char *in,
				       size_t in_size, unsigned char *out, size_t size,
				       size_t *used)
{
	unsigned char nothing;
	size_t given;
	enum libdeflate_result result;

	if (out == NULL)
		out = &nothing;
	result =
		libdeflate_zlib_decompress_ex(inflater->fast, in, in_size, out, size, used, &given);
	if (result == LIBDEFLATE_SUCCESS)
		return given == size ? GIT_INFLATED : GIT_INFLATE_SHORT;
	return inflate_slowly(inflater, in, in_size, out, size, used);
}

size_t blocksha_git_inflate_begin(struct git_inflater *inflater, const unsigned char *in,
				  size_t in_size, unsigned char *out, size_t size)
{
	if (!begin_slow(inflater))
		return 0;
	inflater->slow.next_in = in;
	inflater->slow.avail_in = at_most(in_size);
	inflater->slow.next_out = out;
	inflater->slow.avail_out = at_most(size);
	(void)inflate(&inflater->slow, Z_SYNC_FLUSH);
	return size - inflater->slow.avail_out;
}

/* --- In pieces -------------------------------------------------------------------- */

/* Gives zlib the next piece of the file. */
static bool refill(struct git_inflater *inflater, const struct git_stream *stream, uint64_t at,
		   struct git_report *report)
{
	size_t size = stream->end - at < PIECE ? (size_t)(stream->end - at) : PIECE;

	if (!blocksha_git_file_read(stream->file, inflater->pieces, size, at, report))
		return false;
	inflater->slow.next_in = inflater->pieces;
	inflater->slow.avail_in = (unsigned)size;
	return true;
}

enum git_inflated blocksha_git_inflate_stream(struct git_inflater *inflater,
					      const struct git_stream *stream, uint64_t *used,
					      struct git_report *report)
{
	z_stream *slow = &inflater->slow;
	uint64_t at = stream->begin, given = 0;
	int status = Z_OK;

	if (inflater->pieces == NULL)
		inflater->pieces = malloc(2 * PIECE);
	if (inflater->pieces == NULL || !begin_slow(inflater))
		return GIT_INFLATE_NO_MEMORY;
	slow->avail_in = 0;
	/* Where there is no progress (Z_BUF_ERROR), input is wanted and there is none. */
	while (status == Z_OK && given <= stream->size) {
		unsigned before;

		if (slow->avail_in == 0 && !refill(inflater, stream, at, report))
			return GIT_INFLATE_UNREADABLE;
		before = slow->avail_in;
		slow->next_out = inflater->pieces + PIECE;
		slow->avail_out = (unsigned)PIECE;
		status = inflate(slow, Z_NO_FLUSH);
		if (stream->packed != NULL)
			stream->packed(stream->context, slow->next_in - (before - slow->avail_in),
				       before - slow->avail_in);
		at += before - slow->avail_in;
		given += PIECE - slow->avail_out;
		if (stream->inflated != NULL && given <= stream->size)
			stream->inflated(stream->context, inflater->pieces + PIECE,
					 PIECE - slow->avail_out);
	}
	*used = at - stream->begin;
	return judge(status, given > stream->size, given == stream->size);
}
