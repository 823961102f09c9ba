/* SPDX-License-Identifier: MIT */
/*
 * tables.h - the facts on which the detection of collision attacks on SHA-1
 * rests: "Counter-cryptanalysis" (Stevens, CRYPTO 2013) and "Speeding up
 * detection of SHA-1 collision attacks using unavoidable attack conditions"
 * (Stevens and Shumow, USENIX Security 2017). docs/detection.md explains them.
 *
 * A disturbance vector (DV) is of type I or II and has the parameters K and b.
 * The 32 of them fall into four classes, (I,0), (I,2), (II,0), (II,2); within a
 * class one DV is another one shifted by the difference of their K.
 */
#ifndef BLOCKSHA_SHA1DC_TABLES_H
#define BLOCKSHA_SHA1DC_TABLES_H

#include <stdint.h>

#define BLOCKSHA_SHA1DC_DVS 32
#define BLOCKSHA_SHA1DC_CLASSES 4
#define BLOCKSHA_SHA1DC_WORDS 92
#define BLOCKSHA_SHA1DC_CONDITIONS 73

/* One DV. Its index in the array is the bit that it has in every mask of DVs. */
struct blocksha_dv {
	unsigned char class;
	unsigned char k;
	unsigned char step; /* 56, 60, 64 or 68: before it both halves have the same state */
};

extern const struct blocksha_dv blocksha_sha1dc_dvs[BLOCKSHA_SHA1DC_DVS];

/* The index of the DV of a class with K = 43 + i, or -1. */
extern const signed char blocksha_sha1dc_index[BLOCKSHA_SHA1DC_CLASSES][16];

/* The differences between the expanded messages of the two halves of a
   near-collision: those of the DV with the largest K of each class. Use
   blocksha_sha1dc_difference(). */
extern const uint32_t blocksha_sha1dc_differences[BLOCKSHA_SHA1DC_CLASSES][BLOCKSHA_SHA1DC_WORDS];

/* The 80 words W_t ^ W'_t of a DV. */
static inline const uint32_t *blocksha_sha1dc_difference(const struct blocksha_dv *dv)
{
	unsigned last_k = dv->class < 2 ? 52 : 56;

	return blocksha_sha1dc_differences[dv->class] + (last_k - dv->k);
}

/* One unavoidable bit condition (UBC), relative to K: a block can be part of an
   attack on the DV only if bit bit1 of W[K + offset1] and bit bit2 of
   W[K + offset2] differ (differ = 1) or agree (differ = 0). Bit i of ks: it
   holds for K = 43 + i. */
struct blocksha_ubc {
	unsigned char class;
	unsigned char bit1;
	signed char offset1;
	unsigned char bit2;
	signed char offset2;
	unsigned char differ;
	uint16_t ks;
};

/* Ordered by class; within a class those on the bits 1, 4, 6 and 29 alone, which
   the kernels look at, come last. */
extern const struct blocksha_ubc blocksha_sha1dc_conditions[BLOCKSHA_SHA1DC_CONDITIONS];

/* The first condition of each class, and the end. */
extern const unsigned char blocksha_sha1dc_first[BLOCKSHA_SHA1DC_CLASSES + 1];

/* --- The same conditions, laid out for vectors ------------------------------ */

/* The vector kernels gather, for each bit position, that bit of the words 33 to 64 into
   one word, and look at many conditions for all K at once. A row has a condition a lane;
   the lanes l, l + 4, ... are of class l. A violation at bit K - 25 is

     (bits1 moved left) ^ (bits2 moved left) ^ differ & ks

   What holds in all rows passes. Conditions that stop few blocks are missing: what passes
   is looked at once more with all. */

/* For 16 lanes and all bits: bytes1 and bytes2 pick the gathered bits, byte b * 8 + j of
   the source being bit j of the words 32 + 8 b and the seven behind it, or for b >= 4 bit
   24 + j of the words 32 + 8 (b - 4); W[64] stands in the place of W[32], which is in no
   condition. */
struct blocksha_sha1dc_row16 {
	_Alignas(64) uint8_t bytes1[64];
	uint32_t rotate1[16];
	uint8_t bytes2[64];
	uint32_t rotate2[16];
	uint32_t differ[16];
	uint32_t ks[16];
};

#define BLOCKSHA_SHA1DC_ROWS16 5
extern const struct blocksha_sha1dc_row16 blocksha_sha1dc_rows16[BLOCKSHA_SHA1DC_ROWS16];

/* For 8 lanes: word1 and word2 pick from the bits 1, 4, 6, 29 (bit i is of W[33 + i]) and,
   as 4 to 7, from their complements, in the place of differ. */
struct blocksha_sha1dc_row8 {
	_Alignas(32) uint32_t word1[8];
	uint32_t shift1[8];
	uint32_t word2[8];
	uint32_t shift2[8];
	uint32_t ks[8];
};

#define BLOCKSHA_SHA1DC_ROWS8 6
extern const struct blocksha_sha1dc_row8 blocksha_sha1dc_rows8[BLOCKSHA_SHA1DC_ROWS8];

#endif
