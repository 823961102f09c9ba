/* SPDX-License-Identifier: MIT */
/*
 * inflate.h - zlib streams: what fits into memory by libdeflate, what does not, and what libdeflate
 * refuses, by zlib. So it is zlib's judgement that counts, as in git.
 */
#ifndef BLOCKSHA_GIT_INFLATE_H
#define BLOCKSHA_GIT_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "git_file.h"

enum git_inflated {
	GIT_INFLATED,      /* the stream, its checksum and its length are good */
	GIT_INFLATE_BAD,   /* no zlib stream, or its checksum is wrong */
	GIT_INFLATE_CUT,   /* the input ends before the stream does */
	GIT_INFLATE_LONG,  /* the stream gives more bytes than it should */
	GIT_INFLATE_SHORT, /* it gives fewer */
	GIT_INFLATE_NO_MEMORY,
	GIT_INFLATE_UNREADABLE, /* the file could not be read; the finding was made */
};

/* A phrase for a finding. */
const char *blocksha_git_inflate_text(enum git_inflated result);

/* No stream of so many bytes gives more: a match of 258 bytes takes two bits at least (RFC 1951).
 */
bool blocksha_git_inflate_is_possible(uint64_t packed, uint64_t size);

/* One for each thread. */
struct git_inflater;

struct git_inflater *blocksha_git_inflater_create(void); /* NULL: no memory */
void blocksha_git_inflater_destroy(struct git_inflater *inflater);

/* Inflates a stream that begins at in and should give size bytes. *used becomes the number of bytes
   that the stream has. */
enum git_inflated blocksha_git_inflate(struct git_inflater *inflater, const unsigned char *in,
				       size_t in_size, unsigned char *out, size_t size,
				       size_t *used);

/* The first bytes that a stream gives, as many as fit into out. Returns their number. */
size_t blocksha_git_inflate_begin(struct git_inflater *inflater, const unsigned char *in,
				  size_t in_size, unsigned char *out, size_t size);

/* Takes the next bytes that a stream gives, or that were read. */
typedef void git_sink(void *context, const unsigned char *data, size_t size);

struct git_stream {
	const struct git_file *file;
	uint64_t begin, end; /* where the stream begins, and where it must end at the latest */
	uint64_t size;       /* what it should give */
	git_sink *inflated, *packed; /* what takes its output and its input; or NULL */
	void *context;
};

/* The same from a file and in pieces. *used as above. */
enum git_inflated blocksha_git_inflate_stream(struct git_inflater *inflater,
					      const struct git_stream *stream, uint64_t *used,
					      struct git_report *report);

#endif
