/* SPDX-License-Identifier: MIT */
/*
 * lanes_avx512.h - vectors of 16 lanes for the templates sha1_lanes.h and
 * sha256_lanes.h: element l of a vector belongs to message l.
 *
 * AVX-512F and BW (for the byte shuffle). A rotation is one instruction, and so is
 * any function of three inputs; its 8-bit constant is the function's truth table.
 */
#ifndef BLOCKSHA_X86_LANES_AVX512_H
#define BLOCKSHA_X86_LANES_AVX512_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../common.h"

#define LANES_TARGET __attribute__((target("avx512f,avx512bw")))
#define LANES_INLINE LANES_TARGET static BLOCKSHA_ALWAYS_INLINE
#define LANES_WIDTH 16

typedef __m512i vec;

LANES_INLINE vec vec_load(const void *p)
{
	return _mm512_loadu_si512(p);
}

LANES_INLINE void vec_store(void *p, vec x)
{
	_mm512_storeu_si512(p, x);
}

LANES_INLINE vec vec_set1(uint32_t x)
{
	return _mm512_set1_epi32((int)x);
}

LANES_INLINE vec vec_add(vec x, vec y)
{
	return _mm512_add_epi32(x, y);
}

LANES_INLINE vec vec_sub(vec x, vec y)
{
	return _mm512_sub_epi32(x, y);
}

LANES_INLINE vec vec_xor(vec x, vec y)
{
	return _mm512_xor_si512(x, y);
}

/* Macros, because the count has to be a constant without optimization, too. */
#define vec_rotl(x, count) _mm512_rol_epi32(x, count)
#define vec_rotr(x, count) _mm512_ror_epi32(x, count)
#define vec_shr(x, count) _mm512_srli_epi32(x, count)

LANES_INLINE vec vec_xor3(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0x96);
}

LANES_INLINE vec vec_choose(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0xca);
}

LANES_INLINE vec vec_majority(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0xe8);
}

/* 32 bytes of message 0 below, of message 4 above. */
LANES_INLINE vec vec_load_pair(const unsigned char *const *data, size_t offset)
{
	const void *low = data[0] + offset, *high = data[4] + offset;

	return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(low)),
				  _mm256_loadu_si256(high), 1);
}

/* The front and back halves of the blocks of messages 0 and 4. */
LANES_INLINE void vec_load_halves(vec *front, vec *back, const unsigned char *const *data)
{
	*front = vec_load_pair(data, 0);
	*back = vec_load_pair(data, 32);
}

/* Transposes the 4 x 4 words of each 128-bit part. */
LANES_INLINE void vec_transpose_parts(vec *r)
{
	vec t0 = _mm512_unpacklo_epi32(r[0], r[1]), t1 = _mm512_unpackhi_epi32(r[0], r[1]);
	vec t2 = _mm512_unpacklo_epi32(r[2], r[3]), t3 = _mm512_unpackhi_epi32(r[2], r[3]);

	r[0] = _mm512_unpacklo_epi64(t0, t2);
	r[1] = _mm512_unpackhi_epi64(t0, t2);
	r[2] = _mm512_unpacklo_epi64(t1, t3);
	r[3] = _mm512_unpackhi_epi64(t1, t3);
}

LANES_INLINE vec vec_words_be(vec x)
{
	const __m128i reverse = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);

	return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(reverse));
}

/* Stores the words j and j + 4 of half a block; low holds messages 0-7, high 8-15. */
LANES_INLINE void vec_store_words(vec *w, size_t stride, size_t j, vec low, vec high)
{
	w[j * stride] = vec_words_be(_mm512_shuffle_i32x4(low, high, 0x88));
	w[(j + 4) * stride] = vec_words_be(_mm512_shuffle_i32x4(low, high, 0xdd));
}

LANES_INLINE void vec_store_half(vec *w, size_t stride, vec *low, vec *high)
{
	vec_transpose_parts(low);
	vec_transpose_parts(high);
	vec_store_words(w, stride, 0, low[0], high[0]);
	vec_store_words(w, stride, 1, low[1], high[1]);
	vec_store_words(w, stride, 2, low[2], high[2]);
	vec_store_words(w, stride, 3, low[3], high[3]);
}

/*
 * Loads one block of each message, at data[l], and stores its words: word t of all
 * messages at w[t * stride].
 *
 * A 16 x 16 transposition. Two messages meet in a register while they are loaded, and
 * most of the rest works inside 128-bit parts, where unpacking runs on every vector unit
 * of Zen 5; only the last step crosses parts, which half of them can do. The two halves of
 * a message are loaded one after the other: when the messages lie a multiple of 4096 bytes
 * apart, as pages do, their lines compete for one set of the first-level cache, and a line
 * would not live there until the other messages' turns are over.
 */
LANES_INLINE void vec_load_block(vec *w, size_t stride, const unsigned char *const *data)
{
	vec front_low[4], front_high[4], back_low[4], back_high[4];

	vec_load_halves(&front_low[0], &back_low[0], data);
	vec_load_halves(&front_high[0], &back_high[0], data + 8);
	vec_load_halves(&front_low[1], &back_low[1], data + 1);
	vec_load_halves(&front_high[1], &back_high[1], data + 9);
	vec_load_halves(&front_low[2], &back_low[2], data + 2);
	vec_load_halves(&front_high[2], &back_high[2], data + 10);
	vec_load_halves(&front_low[3], &back_low[3], data + 3);
	vec_load_halves(&front_high[3], &back_high[3], data + 11);
	vec_store_half(w, stride, front_low, front_high);
	vec_store_half(w + 8 * stride, stride, back_low, back_high);
}

/* --- For the detection of collision attacks: sha1dc_lanes.h ----------------- */

LANES_INLINE vec vec_or(vec x, vec y)
{
	return _mm512_or_si512(x, y);
}

LANES_INLINE vec vec_and(vec x, vec y)
{
	return _mm512_and_si512(x, y);
}

/* Where x and y differ, and where they agree. */
#define vec_differ(x, y) vec_xor(x, y)

LANES_INLINE vec vec_agree(vec x, vec y)
{
	return _mm512_ternarylogic_epi32(x, y, y, 0xc3);
}

/* Where x differs from y and z; where all agree; where x differs from y and agrees with z. */
LANES_INLINE vec vec_differ_both(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0x18);
}

LANES_INLINE vec vec_agree_both(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0x81);
}

LANES_INLINE vec vec_differ_agree(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0x24);
}

/* x, and all else where y and z differ or agree. */
LANES_INLINE vec vec_or_differ(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0xf6);
}

LANES_INLINE vec vec_or_agree(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0xf9);
}

LANES_INLINE vec vec_and3(vec x, vec y, vec z)
{
	return _mm512_ternarylogic_epi32(x, y, z, 0x80);
}

/* All ones in the elements in which x and y are equal. */
LANES_INLINE vec vec_equal(vec x, vec y)
{
	return _mm512_maskz_set1_epi32(_mm512_cmpeq_epi32_mask(x, y), -1);
}

/* Moves the bits of each element to the left by n, or to the right if n < 0. What comes in from
   the other side does not matter. */
#define vec_move(x, n) ((n) % 32 == 0 ? (x) : vec_rotl(x, (n)&31))

/* One step of a transposition: afterwards x holds the first n bits of each 2 n of both, and y
   the rest, turned left by n. After all three steps what came to place p is turned by
   VEC_TURNED(p); vec_pack_bits() has turned 5 by a byte before. */
#define vec_exchange(x, y, first, n)                       \
	do {                                               \
		vec turned_ = vec_rotl(y, n);              \
		vec rest_ = vec_choose(first, turned_, x); \
		x = vec_choose(first, x, turned_);         \
		y = rest_;                                 \
	} while (0)
#define VEC_TURNED(p) ((p) == 5 ? 5 - 8 : (p))

/* Place 5 after the transposition: stays turned, which costs nothing when it is moved. */
LANES_INLINE vec vec_straighten(vec x)
{
	return x;
}

/* A bit for each element that is not 0. */
LANES_INLINE uint32_t vec_nonzero(vec x)
{
	return _mm512_test_epi32_mask(x, x);
}

/* Byte k of each element: the bits 0 to 4, 6 and 7 of the word w_k, and in the place of bit
   5 bit 29 of the word behind it (behind w3 comes w0). */
LANES_INLINE vec vec_pack_bits(vec w0, vec w1, vec w2, vec w3)
{
	const __m128i others = _mm_set_epi8(0, 12, 15, 0, 0, 8, 11, 0, 0, 4, 7, 0, 0, 0, 3, 0);
	const __mmask64 middle = 0x6666666666666666;
	vec x = _mm512_mask_shuffle_epi8(w0, middle, w2, _mm512_broadcast_i32x4(others));
	vec y = _mm512_mask_shuffle_epi8(w1, middle, w3, _mm512_broadcast_i32x4(others));

	return vec_choose(vec_set1(0x20df20df), x, vec_rotl(y, 8));
}

/* Stores the exclusive or of the 16 words of a block, in the order of its bytes, and 16
   others. */
LANES_INLINE void vec_xor_words_be(unsigned char *to, const unsigned char *block,
				   const uint32_t *others)
{
	vec_store(to, vec_xor(vec_load(block), vec_words_be(vec_load(others))));
}

#endif
