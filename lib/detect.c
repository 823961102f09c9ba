/* SPDX-License-Identifier: MIT */
/* detect.c - finds out which blocks are part of an attack, and of which; options. */
#include "common.h"
#include "detect.h"
#include "sha1dc/check.h"
#include "sha1dc/tables.h"
#include "stream.h"

/* So many blocks at most are computed again for one attack. */
#define CHUNK 1024

/* What only the way block by block does. */
#define SLOW_OPTIONS (BLOCKSHA_SHA1DC_REDUCED_ROUNDS | BLOCKSHA_SHA1DC_NO_FILTER)

void blocksha_detect_init(struct blocksha_detection *d)
{
	static const struct blocksha_detection nothing;

	*d = nothing;
}

static void call_back(const struct blocksha_detection *d, const struct blocksha_sha1dc_block *block,
		      const uint32_t in[5], unsigned vector)
{
	const uint32_t *diff = blocksha_sha1dc_difference(&blocksha_sha1dc_dvs[vector]);
	uint32_t other[5], other_w[80];

	if (blocksha_sha1dc_check(block, UINT32_C(1) << vector) != 0)
		blocksha_sha1dc_other_in(block, vector, other);
	else /* fewer rounds: both halves begin alike */
		memcpy(other, in, sizeof(other));
	for (unsigned t = 0; t < 80; t++)
		other_w[t] = block->w[t] ^ diff[t];
	d->callback(d->callback_arg, d->done, in, other, block->w, other_w);
}

static void remember(struct blocksha_detection *d, const struct blocksha_sha1dc_block *block,
		     const uint32_t in[5], uint32_t attacks)
{
	unsigned vector = 0;

	while ((attacks >> vector & 1) == 0)
		vector++;
	if (d->blocks++ == 0) {
		d->offset = d->done;
		d->vector = vector;
	}
	if (d->callback != NULL)
		call_back(d, block, in, vector);
}

void blocksha_detect_again(struct blocksha_detection *d, uint32_t *state, const unsigned char *data,
			   size_t nblocks)
{
	struct blocksha_sha1dc_block block;

	for (; nblocks > 0; nblocks--, data += BLOCKSHA_BLOCK_SIZE) {
		uint32_t in[BLOCKSHA_SHA1_WORDS];
		uint32_t dvs, attacks;

		memcpy(in, state, sizeof(in));
		blocksha_sha1dc_compress(state, data, &block);
		dvs = (d->options & BLOCKSHA_SHA1DC_NO_FILTER) != 0
			      ? UINT32_MAX
			      : blocksha_sha1dc_filter(block.w);
		attacks = blocksha_sha1dc_check(&block, dvs);
		if ((d->options & BLOCKSHA_SHA1DC_REDUCED_ROUNDS) != 0)
			attacks |= blocksha_sha1dc_check_reduced(&block, in, dvs);
		if (attacks != 0) {
			remember(d, &block, in, attacks);
			if ((d->options & BLOCKSHA_SHA1DC_SAFE_HASH) != 0) {
				blocksha_sha1dc_compress(state, data, &block);
				blocksha_sha1dc_compress(state, data, &block);
			}
		}
		d->done += BLOCKSHA_BLOCK_SIZE;
	}
}

static void detect_chunk(struct blocksha_detection *d, const struct blocksha_kernel *kernel,
			 uint32_t *state, const unsigned char *data, size_t nblocks)
{
	uint32_t before[BLOCKSHA_SHA1_WORDS];

	memcpy(before, state, sizeof(before));
	if ((kernel->detect(state, data, nblocks) == 0 && (d->options & SLOW_OPTIONS) == 0) ||
	    (d->options & BLOCKSHA_SHA1DC_IGNORE) != 0) {
		d->done += (uint64_t)nblocks * BLOCKSHA_BLOCK_SIZE;
		return;
	}
	memcpy(state, before, sizeof(before));
	blocksha_detect_again(d, state, data, nblocks);
}

void blocksha_detect_blocks(struct blocksha_detection *d, const struct blocksha_kernel *kernel,
			    uint32_t *state, const unsigned char *data, size_t nblocks)
{
	while (nblocks > 0) {
		size_t n = nblocks < CHUNK ? nblocks : CHUNK;

		detect_chunk(d, kernel, state, data, n);
		data += n * BLOCKSHA_BLOCK_SIZE;
		nblocks -= n;
	}
}

int blocksha_detect_verdict(const struct blocksha_detection *d, struct blocksha_attack *attack)
{
	if (attack != NULL) {
		attack->offset = d->offset;
		attack->blocks = d->blocks;
		attack->vector = d->vector;
	}
	return d->blocks == 0 ? BLOCKSHA_OK : BLOCKSHA_ATTACK;
}

/* --- Saved states: the words of the state are followed by these ------------ */

enum { OPTIONS, VECTOR, BLOCKS, OFFSET = BLOCKS + 2, EXTRA_WORDS = OFFSET + 2 };

#define MAX_WORDS (BLOCKSHA_SHA1_SHA256_WORDS + EXTRA_WORDS)

static void put_two_words(uint32_t *words, uint64_t value)
{
	words[0] = (uint32_t)(value >> 32);
	words[1] = (uint32_t)value;
}

static uint64_t get_two_words(const uint32_t *words)
{
	return (uint64_t)words[0] << 32 | words[1];
}

int blocksha_detect_export(const struct blocksha_stream *s, const uint32_t *state, size_t words,
			   const struct blocksha_detection *d, unsigned char id, unsigned char *out)
{
	uint32_t all[MAX_WORDS];
	uint32_t *extra = all + words;

	memcpy(all, state, words * sizeof(all[0]));
	extra[OPTIONS] = d->options;
	extra[VECTOR] = d->vector;
	put_two_words(extra + BLOCKS, d->blocks);
	put_two_words(extra + OFFSET, d->offset);
	return blocksha_stream_export(s, all, words + EXTRA_WORDS, id, out);
}

/* Whether a message with so many whole blocks can have such a verdict. */
static int is_possible(const struct blocksha_detection *d)
{
	if ((d->options & ~BLOCKSHA_SHA1DC_OPTIONS) != 0)
		return 0;
	if (d->blocks == 0)
		return d->offset == 0 && d->vector == 0;
	return d->vector < BLOCKSHA_SHA1DC_DVS && d->offset % BLOCKSHA_BLOCK_SIZE == 0 &&
	       d->offset < d->done && d->blocks <= (d->done - d->offset) / BLOCKSHA_BLOCK_SIZE;
}

int blocksha_detect_import(struct blocksha_stream *s, uint32_t *state, size_t words,
			   struct blocksha_detection *d, unsigned char id, const void *saved,
			   size_t size)
{
	uint32_t all[MAX_WORDS] = {0};
	uint32_t *extra = all + words;
	int error;

	if (size != STREAM_EXPORT_SIZE(words + EXTRA_WORDS))
		return BLOCKSHA_ERROR_FORMAT;
	/* Options may be there before the first block; all else is as at the beginning. */
	memcpy(all, state, words * sizeof(all[0]));
	extra[OPTIONS] = blocksha_get_be32((const unsigned char *)saved +
					   STREAM_EXPORT_WORD(words + OPTIONS));
	error = blocksha_stream_import(s, all, words + EXTRA_WORDS, id, saved, size);
	if (error != BLOCKSHA_OK)
		return error;
	memcpy(state, all, words * sizeof(all[0]));
	d->done = s->length - stream_used(s);
	d->options = extra[OPTIONS];
	d->vector = extra[VECTOR];
	d->blocks = get_two_words(extra + BLOCKS);
	d->offset = get_two_words(extra + OFFSET);
	return is_possible(d) ? BLOCKSHA_OK : BLOCKSHA_ERROR_FORMAT;
}

/* --- Names ----------------------------------------------------------------- */

BLOCKSHA_EXPORT const char *blocksha_vector_name(unsigned vector)
{
	static const char *const names[BLOCKSHA_SHA1DC_DVS] = {
		"I(43,0)",  "I(44,0)",  "I(45,0)",  "I(46,0)",  "I(46,2)",  "I(47,0)",  "I(47,2)",
		"I(48,0)",  "I(48,2)",  "I(49,0)",  "I(49,2)",  "I(50,0)",  "I(50,2)",  "I(51,0)",
		"I(51,2)",  "I(52,0)",  "II(45,0)", "II(46,0)", "II(46,2)", "II(47,0)", "II(48,0)",
		"II(49,0)", "II(49,2)", "II(50,0)", "II(50,2)", "II(51,0)", "II(51,2)", "II(52,0)",
		"II(53,0)", "II(54,0)", "II(55,0)", "II(56,0)",
	};

	return vector < BLOCKSHA_SHA1DC_DVS ? names[vector] : "unknown";
}
