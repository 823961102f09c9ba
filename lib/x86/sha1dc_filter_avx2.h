/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_filter_avx2.h - the filter of collision detection on one block, for the kernels
 * with SHA instructions: needs AVX2. Defines TARGET, the target attribute of the
 * kernel that includes it.
 */
#ifndef BLOCKSHA_X86_SHA1DC_FILTER_H
#define BLOCKSHA_X86_SHA1DC_FILTER_H

#include <immintrin.h>

#include "../common.h"
#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"
#include "sha1dc_rows8.h"

#define TARGET __attribute__((target("sha,sse4.1,ssse3,avx2")))

/* The bits 1, 4 and 6 of two groups of words, and bit 29 as bit 3. Each group comes as it was
   stored: a load of both would wait for the stores to retire. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i four_bits(__m128i w0, __m128i w1)
{
	__m256i words = _mm256_inserti128_si256(_mm256_castsi128_si256(w0), w1, 1);
	__m256i low = _mm256_and_si256(words, _mm256_set1_epi32(0x52));
	__m256i high = _mm256_and_si256(_mm256_srli_epi32(words, 26), _mm256_set1_epi32(0x08));

	return _mm256_or_si256(low, high);
}

/* Bit 7 - n of each byte: of the words 33 to 64, as the first of them stands last. */
static TARGET BLOCKSHA_ALWAYS_INLINE int one_bit(__m256i bytes, int n)
{
	uint32_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(bytes, n));

	return (int)(bits >> 1 | bits << 31);
}

/* The bits 1, 4, 6 and 29 of the words 33 to 64, and their complements. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i gather(const __m128i w[20])
{
	const __m256i complement = _mm256_set_epi64x(-1, -1, 0, 0);
	const __m256i order = _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0);
	const __m256i turn = _mm256_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203,
					       0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i first = _mm_blend_epi16(w[8], w[16], 0xc0); /* W[64] takes the place of W[32] */
	__m256i low = _mm256_packus_epi32(four_bits(first, w[9]), four_bits(w[10], w[11]));
	__m256i high = _mm256_packus_epi32(four_bits(w[12], w[13]), four_bits(w[14], w[15]));
	/* The bytes of the groups 8, 10, 12, 14 and 9, 11, 13, 15, each turned. */
	__m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
	__m128i bits;

	bytes = _mm256_shuffle_epi8(bytes, turn);
	bits = _mm_set_epi32(one_bit(bytes, 4), one_bit(bytes, 1), one_bit(bytes, 3),
			     one_bit(bytes, 6));
	return _mm256_xor_si256(_mm256_broadcastsi128_si256(bits), complement);
}

/* Whether a DV survives; survivors has them then. w are all words of the block in groups
   of four, the first in the highest lane. */
static TARGET BLOCKSHA_ALWAYS_INLINE int filter(const __m128i w[20], uint32_t survivors[4])
{
	return rows8_survivors(gather(w), survivors);
}

#endif
