/* SPDX-License-Identifier: MIT */
/*
 * check_four.c - filter and check of four blocks at once. Compilers that know vectors make the
 * filter of vectors here, one block in each element, wherever the CPU has them; that takes half
 * of the instructions.
 */
#include <string.h>

#include "../common.h"
#include "check.h"

#if defined(__GNUC__) && (defined(__SSE2__) || defined(__ARM_NEON)) && !defined(BLOCKSHA_COMPACT)

typedef uint32_t four_words __attribute__((vector_size(16)));
#define BLOCKSHA_SHA1DC_WORD four_words
#include "filter.h"

static BLOCKSHA_ALWAYS_INLINE four_words word_of_each(const struct blocksha_sha1dc_block *blocks,
						      unsigned t)
{
	return (four_words){blocks[0].w[t], blocks[1].w[t], blocks[2].w[t], blocks[3].w[t]};
}

/* As for one block in check.c, but for 16 words at a time, so that no bit moves out. Bit 29
   moves down instead of up. */
static BLOCKSHA_ALWAYS_INLINE struct blocksha_sha1dc_bits
gather_four(const struct blocksha_sha1dc_block *blocks)
{
	struct blocksha_sha1dc_bits low = {{0}, {0}, {0}, {0}}, high = low;

	for (unsigned i = 0; i < 16; i++) {
		four_words up = word_of_each(blocks, 48 - i), up16 = word_of_each(blocks, 64 - i);

		low.b1 = (low.b1 << 1) + (up & 1u << 1);
		low.b4 = (low.b4 << 1) + (up & 1u << 4);
		low.b6 = (low.b6 << 1) + (up & 1u << 6);
		low.b29 = (low.b29 << 1) + (up >> 29 & 1u);
		high.b1 = (high.b1 << 1) + (up16 & 1u << 1);
		high.b4 = (high.b4 << 1) + (up16 & 1u << 4);
		high.b6 = (high.b6 << 1) + (up16 & 1u << 6);
		high.b29 = (high.b29 << 1) + (up16 >> 29 & 1u);
	}
	return (struct blocksha_sha1dc_bits){
		.b1 = low.b1 >> 1 | high.b1 << 15,
		.b4 = low.b4 >> 4 | high.b4 << 12,
		.b6 = low.b6 >> 6 | high.b6 << 10,
		.b29 = low.b29 | high.b29 << 16,
	};
}

static BLOCKSHA_ALWAYS_INLINE int check_four(const struct blocksha_sha1dc_block *blocks,
					     struct blocksha_sha1dc_bits bits)
{
	four_words survivors[BLOCKSHA_SHA1DC_CLASSES];
	four_words any = blocksha_sha1dc_survivors(bits, survivors);
	uint32_t attacks = 0;

	for (unsigned i = 0; i < 4; i++) {
		if (any[i] != 0) {
			const uint32_t of_block[BLOCKSHA_SHA1DC_CLASSES] = {
				survivors[0][i], survivors[1][i], survivors[2][i], survivors[3][i]};

			attacks |= blocksha_sha1dc_check(
				&blocks[i], blocksha_sha1dc_candidates(blocks[i].w, of_block));
		}
	}
	return attacks != 0;
}

int blocksha_sha1dc_check_four(const struct blocksha_sha1dc_block blocks[4])
{
	return check_four(blocks, gather_four(blocks));
}

int blocksha_sha1dc_check_gathered(const struct blocksha_sha1dc_block blocks[4],
				   const struct blocksha_sha1dc_gathered *bits)
{
	struct blocksha_sha1dc_bits vectors;

	memcpy(&vectors.b1, bits->b1, sizeof(vectors.b1));
	memcpy(&vectors.b4, bits->b4, sizeof(vectors.b4));
	memcpy(&vectors.b6, bits->b6, sizeof(vectors.b6));
	memcpy(&vectors.b29, bits->b29, sizeof(vectors.b29));
	return check_four(blocks, vectors);
}

#else

int blocksha_sha1dc_check_four(const struct blocksha_sha1dc_block blocks[4])
{
	uint32_t attacks = 0;

	for (unsigned i = 0; i < 4; i++)
		attacks |= blocksha_sha1dc_check(&blocks[i], blocksha_sha1dc_filter(blocks[i].w));
	return attacks != 0;
}

int blocksha_sha1dc_check_gathered(const struct blocksha_sha1dc_block blocks[4],
				   const struct blocksha_sha1dc_gathered *bits)
{
	(void)bits;
	return blocksha_sha1dc_check_four(blocks);
}

#endif
