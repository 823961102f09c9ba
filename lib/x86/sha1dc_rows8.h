/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_rows8.h - the conditions of collision detection in AVX2 lanes, for kernels that
 * have gathered the bits: see struct blocksha_sha1dc_row8.
 */
#ifndef BLOCKSHA_X86_SHA1DC_ROWS8_H
#define BLOCKSHA_X86_SHA1DC_ROWS8_H

#include <immintrin.h>

#include "../common.h"
#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"

#define ROWS8_TARGET __attribute__((target("avx2")))

static ROWS8_TARGET BLOCKSHA_ALWAYS_INLINE __m256i rows8_load(const void *p)
{
	return _mm256_load_si256(p);
}

static ROWS8_TARGET BLOCKSHA_ALWAYS_INLINE __m256i
rows8_violations(__m256i before, __m256i bits, const struct blocksha_sha1dc_row8 *row)
{
	__m256i bits1 = _mm256_permutevar8x32_epi32(bits, rows8_load(row->word1));
	__m256i bits2 = _mm256_permutevar8x32_epi32(bits, rows8_load(row->word2));
	__m256i differ;

	bits1 = _mm256_sllv_epi32(bits1, rows8_load(row->shift1));
	bits2 = _mm256_sllv_epi32(bits2, rows8_load(row->shift2));
	differ = _mm256_and_si256(_mm256_xor_si256(bits1, bits2), rows8_load(row->ks));
	return _mm256_or_si256(before, differ);
}

/* bits: bit i of the words is the bit 1, 4, 6 or 29 of W[33 + i], and in the upper half its
   complement. Whether a DV survives; survivors has them then. */
static ROWS8_TARGET BLOCKSHA_ALWAYS_INLINE int rows8_survivors(__m256i bits, uint32_t survivors[4])
{
	const __m128i all =
		_mm_set_epi32((int)BLOCKSHA_SHA1DC_ALL_II2, (int)BLOCKSHA_SHA1DC_ALL_II0,
			      (int)BLOCKSHA_SHA1DC_ALL_I2, (int)BLOCKSHA_SHA1DC_ALL_I0);
	__m256i found = _mm256_setzero_si256();
	__m128i found4;

	found = rows8_violations(found, bits, &blocksha_sha1dc_rows8[0]);
	found = rows8_violations(found, bits, &blocksha_sha1dc_rows8[1]);
	found = rows8_violations(found, bits, &blocksha_sha1dc_rows8[2]);
	found = rows8_violations(found, bits, &blocksha_sha1dc_rows8[3]);
	found = rows8_violations(found, bits, &blocksha_sha1dc_rows8[4]);
	found = rows8_violations(found, bits, &blocksha_sha1dc_rows8[5]);
	found4 = _mm_or_si128(_mm256_castsi256_si128(found), _mm256_extracti128_si256(found, 1));
	if (BLOCKSHA_LIKELY(_mm_testc_si128(found4, all)))
		return 0;
	_mm_storeu_si128((__m128i *)(void *)survivors, _mm_andnot_si128(found4, all));
	return 1;
}

#endif
