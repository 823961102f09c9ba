/* SPDX-License-Identifier: MIT */
/*
 * stream.h - from bytes to whole blocks: the buffer, the count and the padding
 * of FIPS 180-4 section 5.1.1, written once for all hashes.
 *
 * A front end (sha1.c, sha256.c) passes its context and a function that
 * compresses whole blocks into it. Both are known when the code is compiled, so
 * that nothing of this remains as a call.
 */
#ifndef BLOCKSHA_STREAM_H
#define BLOCKSHA_STREAM_H

#include <string.h>

#include "blocksha.h"
#include "blocksha_byteorder.h"
#include "common.h"
#include "kernel.h"

/* The longest message in bytes: its length in bits must fit 64 bits. */
#define STREAM_MAX_LENGTH ((UINT64_C(1) << 61) - 1)

#define STREAM_IN_USE 1
#define STREAM_FINISHED 0

/* The initial states of FIPS 180-4 section 5.3 (sha1.c, sha256.c). */
extern const uint32_t blocksha_sha1_initial[BLOCKSHA_SHA1_WORDS];
extern const uint32_t blocksha_sha256_initial[BLOCKSHA_SHA256_WORDS];

/* Compresses whole blocks into the context. */
typedef void stream_blocks_fn(void *ctx, const unsigned char *data, size_t nblocks);

static inline unsigned stream_used(const struct blocksha_stream *s)
{
	return (unsigned)(s->length % BLOCKSHA_BLOCK_SIZE);
}

static inline void stream_init(struct blocksha_stream *s, enum blocksha_algorithm algorithm)
{
	s->length = 0;
	s->kernel = blocksha_kernel_for(algorithm);
	s->status = STREAM_IN_USE;
}

static BLOCKSHA_ALWAYS_INLINE void stream_update(struct blocksha_stream *s, void *ctx,
						 stream_blocks_fn *blocks, const void *data,
						 size_t size)
{
	const unsigned char *p = data;
	unsigned used = stream_used(s);

	if (s->status != STREAM_IN_USE) {
		if (s->status == STREAM_FINISHED)
			s->status = BLOCKSHA_ERROR_ORDER;
		return;
	}
	if (size > STREAM_MAX_LENGTH - s->length) {
		s->status = BLOCKSHA_ERROR_LENGTH;
		return;
	}
	s->length += size;
	if (used != 0) {
		size_t room = BLOCKSHA_BLOCK_SIZE - used;

		if (size < room) {
			if (size != 0) /* memcpy must not see NULL */
				memcpy(s->buffer + used, p, size);
			return;
		}
		memcpy(s->buffer + used, p, room);
		blocks(ctx, s->buffer, 1);
		p += room;
		size -= room;
	}
	if (size >= BLOCKSHA_BLOCK_SIZE) {
		size_t whole = size / BLOCKSHA_BLOCK_SIZE;

		blocks(ctx, p, whole);
		p += whole * BLOCKSHA_BLOCK_SIZE;
		size %= BLOCKSHA_BLOCK_SIZE;
	}
	if (size != 0)
		memcpy(s->buffer, p, size);
}

/* The error that peek, final and export return for this status. */
static inline int stream_error(const struct blocksha_stream *s)
{
	if (s->status == STREAM_IN_USE)
		return BLOCKSHA_OK;
	return s->status == STREAM_FINISHED ? BLOCKSHA_ERROR_ORDER : s->status;
}

/* Appends the padding: a one bit, zeros, and the length in bits. */
static BLOCKSHA_ALWAYS_INLINE void stream_pad(struct blocksha_stream *s, void *ctx,
					      stream_blocks_fn *blocks)
{
	unsigned used = stream_used(s);

	s->buffer[used++] = 0x80;
	if (used > BLOCKSHA_BLOCK_SIZE - 8) {
		memset(s->buffer + used, 0, BLOCKSHA_BLOCK_SIZE - used);
		blocks(ctx, s->buffer, 1);
		used = 0;
	}
	memset(s->buffer + used, 0, BLOCKSHA_BLOCK_SIZE - 8 - used);
	blocksha_put_be64(s->buffer + BLOCKSHA_BLOCK_SIZE - 8, s->length * 8);
	blocks(ctx, s->buffer, 1);
}

/* Makes one or two whole blocks of the end of a message in memory of its own, of which used
   bytes, at most 119, are there and all others are zero; returns how many. */
#define STREAM_LAST_SIZE (2 * BLOCKSHA_BLOCK_SIZE)

static inline size_t stream_pad_last(unsigned char last[STREAM_LAST_SIZE], size_t used,
				     uint64_t length)
{
	size_t nblocks = used < BLOCKSHA_BLOCK_SIZE - 8 ? 1 : 2;

	last[used] = 0x80;
	blocksha_put_be64(last + nblocks * BLOCKSHA_BLOCK_SIZE - 8, length * 8);
	return nblocks;
}

/* The same with the bytes elsewhere. Clears the memory in two constant sizes: that is a few wide
   stores, for which kernels wait less than for those of the exact length. */
static inline size_t stream_last_blocks(unsigned char last[STREAM_LAST_SIZE], const void *data,
					size_t size, uint64_t length)
{
	memset(last, 0, BLOCKSHA_BLOCK_SIZE);
	memset(last + BLOCKSHA_BLOCK_SIZE, 0, BLOCKSHA_BLOCK_SIZE);
	if (size != 0) /* memcpy must not see NULL */
		memcpy(last, data, size);
	return stream_pad_last(last, size, length);
}

static inline void stream_put_words(unsigned char *out, const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		blocksha_put_be32(out + 4 * i, words[i]);
}

/* memset that the compiler may not drop, although nobody reads the memory again. */
static inline void stream_wipe(void *p, size_t size)
{
#if defined(__GNUC__)
	memset(p, 0, size);
	__asm__ volatile("" : : "r"(p) : "memory");
#else
	volatile unsigned char *bytes = p;

	while (size-- > 0)
		*bytes++ = 0;
#endif
}

/* A message that is there as a whole needs no context. state: the initial one. */
static BLOCKSHA_ALWAYS_INLINE void stream_one_shot(enum blocksha_algorithm algorithm,
						   uint32_t *state, const void *data, size_t size)
{
	const struct blocksha_kernel *kernel = blocksha_kernel_for(algorithm);
	const unsigned char *p = data;
	unsigned char last[STREAM_LAST_SIZE];
	size_t whole = size / BLOCKSHA_BLOCK_SIZE;

	if (whole != 0) {
		kernel->compress(state, p, whole);
		p += whole * BLOCKSHA_BLOCK_SIZE;
	}
	kernel->compress(state, last,
			 stream_last_blocks(last, p, size % BLOCKSHA_BLOCK_SIZE, size));
	stream_wipe(last, sizeof(last));
}

/*
 * The exported form of a context (export.c), for all hashes:
 *
 *   offset      size  what
 *        0         4  "bsha"
 *        4         1  version of the form, 1
 *        5         1  algorithm, STREAM_EXPORT_*
 *        6         2  zero
 *        8         8  length of the message so far in bytes, big-endian
 *       16     4 * n  the n words of the state, big-endian
 *  16 + 4n        64  the length % 64 bytes not yet compressed, then zeros
 *  80 + 4n         4  the first bytes of the SHA-256 of all before
 */
#define STREAM_EXPORT_SHA1 1
#define STREAM_EXPORT_SHA256 2
#define STREAM_EXPORT_SHA1_SHA256 3
#define STREAM_EXPORT_SHA1DC 4
#define STREAM_EXPORT_SHA1DC_SHA256 5
#define STREAM_EXPORT_WORD(i) (16 + 4 * (i)) /* offset of word i of the state */
#define STREAM_EXPORT_SIZE(words) (STREAM_EXPORT_WORD(words) + BLOCKSHA_BLOCK_SIZE + 4)

int blocksha_stream_export(const struct blocksha_stream *s, const uint32_t *state, size_t words,
			   unsigned char id, unsigned char *out);

/* Fills length, buffer and state, but neither kernel nor status. state must be the
   initial one, which a message of less than a block has. */
int blocksha_stream_import(struct blocksha_stream *s, uint32_t *state, size_t words,
			   unsigned char id, const void *saved, size_t size);

#endif
