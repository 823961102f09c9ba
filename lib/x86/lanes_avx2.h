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

LANES_INLINE vec vec_sub(vec x, vec y)
{
	return _mm256_sub_epi32(x, y);
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

/* --- For the detection of collision attacks: sha1dc_lanes.h ----------------- */

LANES_INLINE vec vec_or(vec x, vec y)
{
	return _mm256_or_si256(x, y);
}

LANES_INLINE vec vec_and(vec x, vec y)
{
	return _mm256_and_si256(x, y);
}

LANES_INLINE vec vec_and3(vec x, vec y, vec z)
{
	return vec_and(vec_and(x, y), z);
}

/* Where x and y differ, and where they agree. */
#define vec_differ(x, y) vec_xor(x, y)

LANES_INLINE vec vec_agree(vec x, vec y)
{
	return vec_xor3(x, y, vec_set1(UINT32_MAX));
}

/* Where x differs from y and z; where all agree; where x differs from y and agrees with z. */
LANES_INLINE vec vec_differ_both(vec x, vec y, vec z)
{
	return vec_and(vec_xor(x, y), vec_xor(x, z));
}

LANES_INLINE vec vec_agree_both(vec x, vec y, vec z)
{
	return vec_xor(vec_or(vec_xor(x, y), vec_xor(x, z)), vec_set1(UINT32_MAX));
}

LANES_INLINE vec vec_differ_agree(vec x, vec y, vec z)
{
	return _mm256_andnot_si256(vec_xor(x, z), vec_xor(x, y));
}

/* x, and all else where y and z differ or agree. */
LANES_INLINE vec vec_or_differ(vec x, vec y, vec z)
{
	return vec_or(x, vec_xor(y, z));
}

LANES_INLINE vec vec_or_agree(vec x, vec y, vec z)
{
	return vec_or(x, vec_agree(y, z));
}

/* All ones in the elements in which x and y are equal. */
LANES_INLINE vec vec_equal(vec x, vec y)
{
	return _mm256_cmpeq_epi32(x, y);
}

/* A bit for each element that is not 0. */
LANES_INLINE uint32_t vec_nonzero(vec x)
{
	vec zero = vec_equal(x, _mm256_setzero_si256());

	return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(zero)) ^ 0xff;
}

/* Moves the bits of each element to the left by n, or to the right if n < 0. What comes in from
   the other side does not matter. */
#define vec_move(x, n) ((n) < 0 ? vec_shr(x, -(n)) : vec_shl(x, n))

/* One step of a transposition: afterwards x holds the first n bits of each 2 n of both, and y
   the rest. Nothing is turned by that, but place 5 is by vec_pack_bits(). */
#define vec_exchange(x, y, first, n)                                                              \
	do {                                                                                      \
		vec rest_ = vec_or(vec_and(vec_shr(x, n), first), _mm256_andnot_si256(first, y)); \
		x = vec_or(vec_and(x, first), vec_shl(vec_and(y, first), n));                     \
		y = rest_;                                                                        \
	} while (0)
#define VEC_TURNED(p) 0

/* The bytes of each element in the order given by the bytes of order, 0x80 for 0. */
LANES_INLINE vec vec_bytes(vec x, uint32_t order)
{
	const __m256i elements = _mm256_set_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0, 0x0c0c0c0c,
						  0x08080808, 0x04040404, 0);

	return _mm256_shuffle_epi8(x, vec_or(elements, vec_set1(order)));
}

/* Byte k of each element: the bits 0 to 4, 6 and 7 of the word w_k, and in the place of bit
   5 bit 29 of the word behind it (behind w3 comes w0). */
LANES_INLINE vec vec_pack_bits(vec w0, vec w1, vec w2, vec w3)
{
	vec x = vec_or(vec_and(w0, vec_set1(0xff0000ff)), vec_bytes(w2, 0x80000380));
	vec y = vec_or(vec_bytes(w1, 0x80800003), vec_bytes(w3, 0x00038080));

	return vec_choose(vec_set1(0x20df20df), x, y);
}

/* Place 5 after the transposition: that byte back. */
LANES_INLINE vec vec_straighten(vec x)
{
	return vec_bytes(x, 0x02010003);
}

/* Stores the exclusive or of the 16 words of a block, in the order of its bytes, and 16
   others. */
LANES_INLINE void vec_xor_words_be(unsigned char *to, const unsigned char *block,
				   const uint32_t *others)
{
	vec_store(to, vec_xor(vec_load(block), vec_words_be(vec_load(others))));
	vec_store(to + 32, vec_xor(vec_load(block + 32), vec_words_be(vec_load(others + 8))));
}

#endif
