/* SPDX-License-Identifier: MIT */
/*
 * check.h - which disturbance vectors (DVs) a block must be checked for, and the
 * check. Shared by all detecting kernels; docs/detection.md explains both.
 */
#ifndef BLOCKSHA_SHA1DC_CHECK_H
#define BLOCKSHA_SHA1DC_CHECK_H

#include <stdint.h>

#include "tables.h"

/* What a kernel leaves behind of a block that it has compressed. */
struct blocksha_sha1dc_block {
	uint32_t w[80];       /* the expanded message W_t */
	uint32_t state[4][5]; /* a to e before the steps 56, 60, 64 and 68 */
	uint32_t out[5];      /* the chaining value behind the block */
};

/* Compresses one block into state, in C, and leaves all of that behind. */
void blocksha_sha1dc_compress(uint32_t *state, const unsigned char *data,
			      struct blocksha_sha1dc_block *block);

/* In the four masks of survivors, one a class, bit K - 25 stands for the DV of
   that class with this K. */
#define BLOCKSHA_SHA1DC_K_BIT(k) (UINT32_C(1) << ((k)-25))

/* All DVs of each class. */
#define BLOCKSHA_SHA1DC_ALL_I0 UINT32_C(0x0ffc0000)  /* K 43 to 52 */
#define BLOCKSHA_SHA1DC_ALL_I2 UINT32_C(0x07e00000)  /* K 46 to 51 */
#define BLOCKSHA_SHA1DC_ALL_II0 UINT32_C(0xfff00000) /* K 45 to 56 */
#define BLOCKSHA_SHA1DC_ALL_II2 UINT32_C(0x07200000) /* K 46, 49, 50, 51 */

/* Of the DVs in survivors those all of whose unavoidable conditions w fulfils, as a
   mask of DV indices. */
uint32_t blocksha_sha1dc_candidates(const uint32_t w[80], const uint32_t survivors[4]);

/* The filter: all DVs whose unavoidable conditions w fulfils. */
uint32_t blocksha_sha1dc_filter(const uint32_t w[80]);

/* Those of the DVs in the mask for which the block is part of a collision attack. */
uint32_t blocksha_sha1dc_check(const struct blocksha_sha1dc_block *block, uint32_t dvs);

/* Filter and check of four blocks: whether one of them is part of an attack. */
int blocksha_sha1dc_check_four(const struct blocksha_sha1dc_block blocks[4]);

/* The bits of the words 33 to 64 of four blocks: those of filter.h. */
struct blocksha_sha1dc_gathered {
	uint32_t b1[4], b4[4], b6[4], b29[4];
};

/* The same when they are gathered already. */
int blocksha_sha1dc_check_gathered(const struct blocksha_sha1dc_block blocks[4],
				   const struct blocksha_sha1dc_gathered *bits);

/* The chaining value that the other half of an attack on this DV must have had before the
   block. */
void blocksha_sha1dc_other_in(const struct blocksha_sha1dc_block *block, unsigned vector,
			      uint32_t in[5]);

/* Those for which the block is part of an attack on fewer steps: one whose other half has
   the same chaining value in before the block. */
uint32_t blocksha_sha1dc_check_reduced(const struct blocksha_sha1dc_block *block,
				       const uint32_t in[5], uint32_t dvs);

/* The other half of a supposed attack, by itself: for kernels that collect candidates of many
   messages. */
struct blocksha_sha1dc_half {
	const unsigned char *block; /* its message block */
	uint32_t common[5];         /* the state of both halves before step */
	uint32_t out[5];            /* the chaining value of both behind the block */
	unsigned step;
};

/* Which of them, a bit each, are what an attack would have: the steps from common lead to a
   state that, subtracted from out, is a chaining value from which the steps lead to common. */
uint32_t blocksha_sha1dc_check_halves(const struct blocksha_sha1dc_half *halves, unsigned count);

#endif
