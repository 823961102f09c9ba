/* SPDX-License-Identifier: MIT */
/*
 * sha1_ssse3.h - SHA-1, one message, with SSSE3: the template of sha1_ssse3.c and
 * sha1dc_ssse3.c. The message schedule is made in vectors, the rounds run in integer registers
 * (sha1_rounds.h). With detection the filter takes four blocks at once.
 */
#ifndef BLOCKSHA_X86_SHA1_SSSE3_H
#define BLOCKSHA_X86_SHA1_SSSE3_H

#include <immintrin.h>

#include "../common.h"
#include "../kernel.h"
#include "sha1_rounds.h"
#include "sha1dc_scalar.h"

#define SSSE3_TARGET __attribute__((target("ssse3")))

static SSSE3_TARGET BLOCKSHA_ALWAYS_INLINE __m128i rol(__m128i x, int n)
{
	return _mm_or_si128(_mm_slli_epi32(x, n), _mm_srli_epi32(x, 32 - n));
}

/* W[t..t+3], t < 16. */
static SSSE3_TARGET BLOCKSHA_ALWAYS_INLINE __m128i load(const unsigned char *p)
{
	const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), swap);
}

/* W[t..t+3], 16 <= t < 32, from the four vectors before, w4 the oldest. The
   last lane needs the first (W[t+3] has W[t] in it), which is put in
   afterwards. */
static SSSE3_TARGET BLOCKSHA_ALWAYS_INLINE __m128i schedule16(__m128i w4, __m128i w3, __m128i w2,
							      __m128i w1)
{
	__m128i x = _mm_xor_si128(_mm_xor_si128(_mm_alignr_epi8(w3, w4, 8), w4), w2);

	x = _mm_xor_si128(x, _mm_srli_si128(w1, 4));
	return _mm_xor_si128(rol(x, 1), rol(_mm_slli_si128(x, 12), 2));
}

/* W[t..t+3], t >= 32. There W[t] is also rol(W[t-6] ^ W[t-16] ^ W[t-28] ^
   W[t-32], 2): the recurrence put into itself, without a lane that needs
   another one. */
static SSSE3_TARGET BLOCKSHA_ALWAYS_INLINE __m128i schedule32(__m128i w8, __m128i w7, __m128i w4,
							      __m128i w2, __m128i w1)
{
	__m128i x = _mm_xor_si128(_mm_xor_si128(w8, w7), w4);

	return rol(_mm_xor_si128(x, _mm_alignr_epi8(w1, w2, 8)), 2);
}

#define STORE(g, w) _mm_store_si128((__m128i *)(void *)s.wk[g], _mm_add_epi32(w, k[(g) / 5]))

/* What detection needs. */
#define KEEP_WORDS(block_, g, words)                                                       \
	do {                                                                               \
		if (detects)                                                               \
			_mm_storeu_si128((__m128i *)(void *)&(block_)->w[4 * (g)], words); \
	} while (0)

#define KEEP_STATE(i, a, b, c, d, e)                                 \
	do {                                                         \
		if (detects)                                         \
			sha1dc_keep(block->state[i], a, b, c, d, e); \
	} while (0)

#define LOAD4(g, w)                        \
	do {                               \
		w = load(data + 16 * (g)); \
		STORE(g, w);               \
		KEEP_WORDS(next, g, w);    \
	} while (0)

/* The vectors' names go round in eights: the oldest is replaced. */
#define SCHEDULE16(g, w, w4, w3, w2, w1)        \
	do {                                    \
		w = schedule16(w4, w3, w2, w1); \
		STORE(g, w);                    \
		KEEP_WORDS(next, g, w);         \
	} while (0)

#define SCHEDULE32(g, w8, w7, w4, w2, w1)            \
	do {                                         \
		w8 = schedule32(w8, w7, w4, w2, w1); \
		STORE(g, w8);                        \
		KEEP_WORDS(block, g, w8);            \
	} while (0)

#define ROUND(f, e, a, b, c, d, wk)                                      \
	do {                                                             \
		uint32_t t;                                              \
		SHA1_ROUND("addl %[WK], %[E]\n\t" f "roll $30, %[B]\n\t" \
			   "movl %[A], %[T]\n\t"                         \
			   "roll $5, %[T]\n\t"                           \
			   "addl %[T], %[E]",                            \
			   e, a, b, c, d, wk);                           \
	} while (0)

#define CH(e, a, b, c, d, wk)        \
	ROUND("movl %[C], %[T]\n\t"  \
	      "xorl %[D], %[T]\n\t"  \
	      "andl %[B], %[T]\n\t"  \
	      "xorl %[D], %[T]\n\t"  \
	      "addl %[T], %[E]\n\t", \
	      e, a, b, c, d, wk)

#define PARITY(e, a, b, c, d, wk)    \
	ROUND("movl %[C], %[T]\n\t"  \
	      "xorl %[D], %[T]\n\t"  \
	      "xorl %[B], %[T]\n\t"  \
	      "addl %[T], %[E]\n\t", \
	      e, a, b, c, d, wk)

/* Two terms without a common bit, which may be added instead of or-ed. */
#define MAJ(e, a, b, c, d, wk)       \
	ROUND("movl %[C], %[T]\n\t"  \
	      "andl %[D], %[T]\n\t"  \
	      "addl %[T], %[E]\n\t"  \
	      "movl %[C], %[T]\n\t"  \
	      "xorl %[D], %[T]\n\t"  \
	      "andl %[B], %[T]\n\t"  \
	      "addl %[T], %[E]\n\t", \
	      e, a, b, c, d, wk)

#define ROUNDS(f, g, a, b, c, d, e) SHA1_ROUNDS4(f, a, b, c, d, e, wk + 4 * (g))

/* Both kernels, plain and detecting: returns whether a block is part of an
 * attack. */
static SSSE3_TARGET BLOCKSHA_ALWAYS_INLINE int
sha1_ssse3(uint32_t *state, const unsigned char *data, size_t nblocks, const int detects)
{
	const __m128i k[4] = {_mm_set1_epi32(0x5a827999), _mm_set1_epi32(0x6ed9eba1),
			      _mm_set1_epi32((int)0x8f1bbcdc), _mm_set1_epi32((int)0xca62c1d6)};
	/* W[t..t+3] + K(t), for each of the 20 groups of four rounds. */
	struct {
		_Alignas(16) uint32_t wk[20][4];
	} s;
	/* Hides from the compiler that the rounds read what the vector code stored:
	   it would take each word out of the vector register, which costs an
	   instruction or two a word; the memory operand of an addition costs none. */
	const uint32_t *wk = s.wk[0];
	__asm__("" : "+r"(wk));
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
	__m128i w0, w1, w2, w3, w4, w5, w6, w7;
	/* Twice four blocks: the filter takes four, when the fifth has begun. */
	struct blocksha_sha1dc_block blocks[8];
	struct blocksha_sha1dc_block *block = &blocks[0], *next = block;
	struct blocksha_sha1dc_gathered bits;
	size_t n = 0;
	int attack = 0;

	if (nblocks == 0)
		return 0;
	LOAD4(0, w0);
	LOAD4(1, w1);
	LOAD4(2, w2);
	LOAD4(3, w3);
	SCHEDULE16(4, w4, w0, w1, w2, w3);
	SCHEDULE16(5, w5, w1, w2, w3, w4);
	SCHEDULE16(6, w6, w2, w3, w4, w5);
	SCHEDULE16(7, w7, w3, w4, w5, w6);
	for (;;) {
		SCHEDULE32(8, w0, w1, w4, w6, w7);
		ROUNDS(CH, 0, a, b, c, d, e);
		SCHEDULE32(9, w1, w2, w5, w7, w0);
		ROUNDS(CH, 1, b, c, d, e, a);
		SCHEDULE32(10, w2, w3, w6, w0, w1);
		ROUNDS(CH, 2, c, d, e, a, b);
		SCHEDULE32(11, w3, w4, w7, w1, w2);
		ROUNDS(CH, 3, d, e, a, b, c);
		SCHEDULE32(12, w4, w5, w0, w2, w3);
		ROUNDS(CH, 4, e, a, b, c, d);
		SCHEDULE32(13, w5, w6, w1, w3, w4);
		ROUNDS(PARITY, 5, a, b, c, d, e);
		SCHEDULE32(14, w6, w7, w2, w4, w5);
		ROUNDS(PARITY, 6, b, c, d, e, a);
		SCHEDULE32(15, w7, w0, w3, w5, w6);
		ROUNDS(PARITY, 7, c, d, e, a, b);
		SCHEDULE32(16, w0, w1, w4, w6, w7);
		ROUNDS(PARITY, 8, d, e, a, b, c);
		SCHEDULE32(17, w1, w2, w5, w7, w0);
		ROUNDS(PARITY, 9, e, a, b, c, d);
		SCHEDULE32(18, w2, w3, w6, w0, w1);
		ROUNDS(MAJ, 10, a, b, c, d, e);
		SCHEDULE32(19, w3, w4, w7, w1, w2);
		ROUNDS(MAJ, 11, b, c, d, e, a);
		if (detects) {
			sha1dc_ssse3_gather(block->w, &bits, n % 4);
			next = &blocks[++n % 8];
		}
		/* The next block; after the last one, the last once more. */
		if (--nblocks > 0)
			data += 64;
		LOAD4(0, w0);
		ROUNDS(MAJ, 12, c, d, e, a, b);
		LOAD4(1, w1);
		ROUNDS(MAJ, 13, d, e, a, b, c);
		LOAD4(2, w2);
		KEEP_STATE(0, e, a, b, c, d);
		ROUNDS(MAJ, 14, e, a, b, c, d);
		LOAD4(3, w3);
		KEEP_STATE(1, a, b, c, d, e);
		ROUNDS(PARITY, 15, a, b, c, d, e);
		SCHEDULE16(4, w4, w0, w1, w2, w3);
		KEEP_STATE(2, b, c, d, e, a);
		ROUNDS(PARITY, 16, b, c, d, e, a);
		SCHEDULE16(5, w5, w1, w2, w3, w4);
		KEEP_STATE(3, c, d, e, a, b);
		ROUNDS(PARITY, 17, c, d, e, a, b);
		SCHEDULE16(6, w6, w2, w3, w4, w5);
		ROUNDS(PARITY, 18, d, e, a, b, c);
		SCHEDULE16(7, w7, w3, w4, w5, w6);
		ROUNDS(PARITY, 19, e, a, b, c, d);
		SHA1_ADD_STATE(state, a, b, c, d, e);
		if (detects) {
			sha1dc_keep(block->out, a, b, c, d, e);
			if (n % 4 == 0)
				attack |= blocksha_sha1dc_check_gathered(block - 3, &bits);
			else if (nblocks == 0)
				attack |= sha1dc_check_rest(block - (n % 4 - 1), n % 4);
		}
		block = next;
		if (nblocks == 0)
			return attack;
	}
}

#endif
