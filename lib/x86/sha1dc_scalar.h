/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_scalar.h - what the detecting kernels whose rounds run in integer
 * registers (sha1_ssse3.h, sha1_avx2.h) share.
 */
#ifndef BLOCKSHA_X86_SHA1DC_SCALAR_H
#define BLOCKSHA_X86_SHA1DC_SCALAR_H

#include <immintrin.h>

#include "../common.h"
#include "../sha1dc/check.h"

static inline void sha1dc_keep(uint32_t state[5], uint32_t a, uint32_t b, uint32_t c, uint32_t d,
			       uint32_t e)
{
	state[0] = a;
	state[1] = b;
	state[2] = c;
	state[3] = d;
	state[4] = e;
}

/* The last blocks of a call, when they are less than four. */
static __attribute__((noinline, unused)) int
sha1dc_check_rest(const struct blocksha_sha1dc_block *blocks, size_t count)
{
	uint32_t attacks = 0;

	for (size_t i = 0; i < count; i++)
		attacks |= blocksha_sha1dc_check(&blocks[i], blocksha_sha1dc_filter(blocks[i].w));
	return attacks != 0;
}

/* The bits 1, 4 and 6 of four words, and bit 29 as bit 3. */
static __attribute__((target("ssse3"))) BLOCKSHA_ALWAYS_INLINE __m128i
sha1dc_four_bits(const uint32_t *w)
{
	__m128i words = _mm_loadu_si128((const __m128i *)(const void *)w);
	__m128i low = _mm_and_si128(words, _mm_set1_epi32(0x52));
	__m128i high = _mm_and_si128(_mm_srli_epi32(words, 26), _mm_set1_epi32(0x08));

	return _mm_or_si128(low, high);
}

static __attribute__((target("ssse3"))) BLOCKSHA_ALWAYS_INLINE __m128i
sha1dc_sixteen_words(const uint32_t *w)
{
	return _mm_packus_epi16(_mm_packs_epi32(sha1dc_four_bits(w), sha1dc_four_bits(w + 4)),
				_mm_packs_epi32(sha1dc_four_bits(w + 8), sha1dc_four_bits(w + 12)));
}

/* Bit 7 - n of each byte: of the words 33 to 64. */
static __attribute__((target("ssse3"))) BLOCKSHA_ALWAYS_INLINE uint32_t
sha1dc_one_bit(__m128i low, __m128i high, uint32_t last, int n)
{
	uint32_t bits = (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(low, n)) |
			(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(high, n)) << 16;

	return bits >> 1 | last << 31;
}

/* The bits of a block, as blocksha_sha1dc_check_gathered() takes them of four. */
static __attribute__((target("ssse3"))) BLOCKSHA_ALWAYS_INLINE void
sha1dc_ssse3_gather(const uint32_t w[80], struct blocksha_sha1dc_gathered *bits, size_t i)
{
	__m128i low = sha1dc_sixteen_words(w + 32), high = sha1dc_sixteen_words(w + 48);
	uint32_t last = w[64];

	bits->b1[i] = sha1dc_one_bit(low, high, last >> 1, 6);
	bits->b4[i] = sha1dc_one_bit(low, high, last >> 4, 3);
	bits->b6[i] = sha1dc_one_bit(low, high, last >> 6, 1);
	bits->b29[i] = sha1dc_one_bit(low, high, last >> 29, 4);
}

#endif
