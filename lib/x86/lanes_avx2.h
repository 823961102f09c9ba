/* SPDX-License-Identifier: MIT */
/*
 * lanes_avx2.h - vectors of 8 lanes for the templates sha1_lanes.h and
 * sha256_lanes.h: element l of a vector belongs to message l.
 */
#ifndef BLOCKSHA_X86_LANES_AVX2_H
#define BLOCKSHA_X86_LANES_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../common.h"

#define LANES_TARGET __attribute__((target("avx2")))
#define LANES_INLINE LANES_TARGET static BLOCKSHA_ALWAYS_INLINE
#define LANES_WIDTH 8

typedef __m256i vec;

LANES_INLINE vec vec_load(const void *p)
{
	return _mm256_loadu_si256(p);
}

LANES_INLINE void vec_store(void *p, vec x)
{
	_mm256_storeu_si256(p, x);
}

LANES_INLINE vec vec_set1(uint32_t x)
{
	return _mm256_set1_epi32((int)x);
}

LANES_INLINE vec vec_add(vec x, vec y)
{
	return _mm256_add_epi32(x, y);
}

LANES_INLINE vec vec_xor(vec x, vec y)
{
	return _mm256_xor_si256(x, y);
}

/* Macros, because the count has to be a constant without optimization, too. */
#define vec_shl(x, count) _mm256_slli_epi32(x, count)
#define vec_shr(x, count) _mm256_srli_epi32(x, count)
#define vec_rotl(x, count) _mm256_or_si256(vec_shl(x, count), vec_shr(x, 32 - (count)))
#define vec_rotr(x, count) vec_rotl(x, 32 - (count))

LANES_INLINE vec vec_xor3(vec x, vec y, vec z)
{
	return vec_xor(x, vec_xor(y, z));
}

LANES_INLINE vec vec_choose(vec x, vec y, vec z)
{
	return vec_xor(_mm256_and_si256(vec_xor(y, z), x), z);
}

LANES_INLINE vec vec_majority(vec x, vec y, vec z)
{
	return _mm256_or_si256(_mm256_and_si256(y, z), _mm256_and_si256(_mm256_or_si256(y, z), x));
}

/* 16 bytes of message 0 below, of message 4 above. */
LANES_INLINE vec vec_load_pair(const unsigned char *const *data, size_t offset)
{
	const void *low = data[0] + offset, *high = data[4] + offset;

	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
				       _mm_loadu_si128(high), 1);
}

LANES_INLINE vec vec_words_be(vec x)
{
	const __m128i reverse = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);

	return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(reverse));
}

/*
 * Loads one block of each message, at data[l], and stores its words: word t of all messages
 * at w[t * stride]. Four words at a time: messages l and l + 4 meet in a
 * register while they are loaded, so that all else is a 4 x 4 transposition inside each
 * 128-bit part.
 */
LANES_INLINE void vec_load_block(vec *w, size_t stride, const unsigned char *const *data)
{
	for (size_t offset = 0; offset < 64; offset += 16, w += 4 * stride) {
		vec r0 = vec_load_pair(data, offset), r1 = vec_load_pair(data + 1, offset);
		vec r2 = vec_load_pair(data + 2, offset), r3 = vec_load_pair(data + 3, offset);
		vec t0 = _mm256_unpacklo_epi32(r0, r1), t1 = _mm256_unpackhi_epi32(r0, r1);
		vec t2 = _mm256_unpacklo_epi32(r2, r3), t3 = _mm256_unpackhi_epi32(r2, r3);

		w[0 * stride] = vec_words_be(_mm256_unpacklo_epi64(t0, t2));
		w[1 * stride] = vec_words_be(_mm256_unpackhi_epi64(t0, t2));
		w[2 * stride] = vec_words_be(_mm256_unpacklo_epi64(t1, t3));
		w[3 * stride] = vec_words_be(_mm256_unpackhi_epi64(t1, t3));
	}
}

#endif
