/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_filter_gfni.h - the filter of collision detection on one block, for the kernels
 * with SHA instructions: needs AVX-512 (VBMI) and GFNI. Defines TARGET, the target attribute of the
 * kernel that includes it.
 */
#ifndef BLOCKSHA_X86_SHA1DC_FILTER_H
#define BLOCKSHA_X86_SHA1DC_FILTER_H

#include <immintrin.h>

#include "../common.h"
#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"

#define TARGET __attribute__((target("sha,sse4.1,ssse3,avx512f,avx512bw,avx512vl,avx512vbmi,gfni")))

/* Byte 16 i + 4 (3 - j) of the words from group 8 on is the lowest one of W[32 + 4 i + j].
   The affine instruction takes eight bytes as the rows of a matrix, the last row first. */
#define WORD_BYTE(m, byte) (char)(16 * ((m) / 4) + 4 * (3 - (m) % 4) + (byte))
#define EIGHT_BYTES(m, byte)                                                                  \
	WORD_BYTE((m) + 7, byte), WORD_BYTE((m) + 6, byte), WORD_BYTE((m) + 5, byte),         \
		WORD_BYTE((m) + 4, byte), WORD_BYTE((m) + 3, byte), WORD_BYTE((m) + 2, byte), \
		WORD_BYTE((m) + 1, byte), WORD_BYTE((m), byte)

static const _Alignas(64) char pick[64] = {
	EIGHT_BYTES(0, 0), EIGHT_BYTES(8, 0), EIGHT_BYTES(16, 0), EIGHT_BYTES(24, 0),
	EIGHT_BYTES(0, 3), EIGHT_BYTES(8, 3), EIGHT_BYTES(16, 3), EIGHT_BYTES(24, 3),
};

static TARGET BLOCKSHA_ALWAYS_INLINE __m512i load64(const void *p)
{
	return _mm512_load_si512(p);
}

/* Four groups, each as it was stored: a load of all would wait for the stores to retire. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m512i load_groups(__m128i first, const __m128i *w)
{
	__m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(first), w[0], 1);
	__m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(w[1]), w[2], 1);

	return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* The row's violations, added to those found before. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m512i violations(__m512i before, __m512i bits,
							const struct blocksha_sha1dc_row16 *row)
{
	__m512i bits1 = _mm512_permutexvar_epi8(load64(row->bytes1), bits);
	__m512i bits2 = _mm512_permutexvar_epi8(load64(row->bytes2), bits);
	__m512i differ;

	bits1 = _mm512_rolv_epi32(bits1, load64(row->rotate1));
	bits2 = _mm512_rolv_epi32(bits2, load64(row->rotate2));
	differ = _mm512_ternarylogic_epi32(bits1, bits2, load64(row->differ), 0x96); /* x ^ y ^ z */
	return _mm512_ternarylogic_epi32(before, differ, load64(row->ks), 0xf8); /* x | (y & z) */
}

/* Whether a DV survives; survivors has them then. w are all words of the block in groups
   of four, the first in the highest lane. */
static TARGET BLOCKSHA_ALWAYS_INLINE int filter(const __m128i w[20], uint32_t survivors[4])
{
	const __m512i identity = _mm512_set1_epi64((long long)0x8040201008040201);
	const __m128i all =
		_mm_set_epi32((int)BLOCKSHA_SHA1DC_ALL_II2, (int)BLOCKSHA_SHA1DC_ALL_II0,
			      (int)BLOCKSHA_SHA1DC_ALL_I2, (int)BLOCKSHA_SHA1DC_ALL_I0);
	__m128i first = _mm_blend_epi16(w[8], w[16], 0xc0); /* W[64] takes the place of W[32] */
	__m512i bytes = _mm512_permutex2var_epi8(load_groups(first, w + 9), load64(pick),
						 load_groups(w[12], w + 13));
	__m512i bits = _mm512_gf2p8affine_epi64_epi8(identity, bytes, 0);
	__m512i found = _mm512_setzero_si512();
	__m256i found8;
	__m128i found4;

	found = violations(found, bits, &blocksha_sha1dc_rows16[0]);
	found = violations(found, bits, &blocksha_sha1dc_rows16[1]);
	found = violations(found, bits, &blocksha_sha1dc_rows16[2]);
	found = violations(found, bits, &blocksha_sha1dc_rows16[3]);
	found = violations(found, bits, &blocksha_sha1dc_rows16[4]);
	found8 =
		_mm256_or_si256(_mm512_castsi512_si256(found), _mm512_extracti64x4_epi64(found, 1));
	found4 = _mm_or_si128(_mm256_castsi256_si128(found8), _mm256_extracti128_si256(found8, 1));
	if (BLOCKSHA_LIKELY(_mm_testc_si128(found4, all)))
		return 0;
	_mm_storeu_si128((__m128i *)(void *)survivors, _mm_andnot_si128(found4, all));
	return 1;
}

#endif
