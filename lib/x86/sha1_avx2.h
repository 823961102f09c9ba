/* SPDX-License-Identifier: MIT */
/*
 * sha1_avx2.h - SHA-1, one message, with AVX2: the template of sha1_avx2.c and sha1dc_avx2.c.
 * The message schedule of two blocks is made in vectors, the first block in the lower half and
 * the second in the upper one; the rounds run in integer registers (sha1_rounds.h).
 *
 * With detection the bits that the filter looks at are gathered of both blocks while their
 * words are in registers, and the filter takes four blocks at once.
 */
#ifndef BLOCKSHA_X86_SHA1_AVX2_H
#define BLOCKSHA_X86_SHA1_AVX2_H

#include <immintrin.h>

#include "../common.h"
#include "../kernel.h"
#include "sha1_rounds.h"
#include "sha1dc_scalar.h"

#define AVX2_TARGET __attribute__((target("avx2,bmi,bmi2")))

/* Two blocks' W[t..t+3] + K(t), for each of the 20 groups of four rounds. */
struct schedule {
	uint32_t wk[20][8];
};

static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE __m256i rol(__m256i x, int n)
{
	return _mm256_or_si256(_mm256_slli_epi32(x, n), _mm256_srli_epi32(x, 32 - n));
}

/* W[t..t+3], t < 16, of the blocks at p and at q. */
static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE __m256i load(const unsigned char *p,
						       const unsigned char *q)
{
	const __m256i swap = _mm256_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203,
					       0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i high = _mm_loadu_si128((const __m128i *)(const void *)q);

	return _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1),
				   swap);
}

/* W[t..t+3], 16 <= t < 32, from the four vectors before, w4 the oldest. The
   last lane needs the first (W[t+3] has W[t] in it), which is put in
   afterwards. */
static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE __m256i schedule16(__m256i w4, __m256i w3, __m256i w2,
							     __m256i w1)
{
	__m256i x = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_si256(w1, 4), w2),
				     _mm256_xor_si256(_mm256_alignr_epi8(w3, w4, 8), w4));

	return _mm256_xor_si256(rol(x, 1), rol(_mm256_slli_si256(x, 12), 2));
}

/* W[t..t+3], t >= 32. There W[t] is also rol(W[t-6] ^ W[t-16] ^ W[t-28] ^
   W[t-32], 2): the recurrence put into itself, without a lane that needs
   another one. */
static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE __m256i schedule32(__m256i w8, __m256i w7, __m256i w4,
							     __m256i w2, __m256i w1)
{
	__m256i x = _mm256_xor_si256(_mm256_xor_si256(w8, w7), w4);

	return rol(_mm256_xor_si256(x, _mm256_alignr_epi8(w1, w2, 8)), 2);
}

#define STORE(g, w) _mm256_storeu_si256((__m256i *)(void *)s.wk[g], _mm256_add_epi32(w, k[(g) / 5]))

/* What detection needs. */
#define GATHER(g, old, words)                                  \
	do {                                                   \
		if (detects)                                   \
			gather_words(gathered, g, old, words); \
	} while (0)

#define KEEP_WORDS(pair, g, words)                  \
	do {                                        \
		if (detects)                        \
			keep_words(pair, g, words); \
	} while (0)

#define KEEP_STATE(kept, a, b, c, d, e)                   \
	do {                                              \
		if (detects)                              \
			sha1dc_keep(kept, a, b, c, d, e); \
	} while (0)

static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE void keep_words(struct blocksha_sha1dc_block *pair,
							  unsigned g, __m256i words)
{
	/* cppcheck-suppress uninitvar; only written */
	void *first = pair[0].w + 4 * (size_t)g;
	void *second = pair[1].w + 4 * (size_t)g;

	_mm_storeu_si128(first, _mm256_castsi256_si128(words));
	_mm_storeu_si128(second, _mm256_extracti128_si256(words, 1));
}

static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE __m256i four_bits(__m256i words)
{
	__m256i low = _mm256_and_si256(words, _mm256_set1_epi32(0x52));
	__m256i high = _mm256_and_si256(_mm256_srli_epi32(words, 26), _mm256_set1_epi32(0x08));

	return _mm256_or_si256(low, high);
}

/* Of the words of group g; old are those of group g - 8. */
static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE void gather_words(__m256i gathered[8], unsigned g,
							    __m256i old, __m256i words)
{
	if (g < 16)
		gathered[g - 8] = four_bits(words);
	else if (g == 16)
		gathered[0] = four_bits(_mm256_blend_epi32(old, words, 0x11));
}

/* Bit 7 - n of each byte: of the words 33 to 64, as the last of them stands first. */
static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE uint32_t one_bit(__m256i bytes, int n)
{
	uint32_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(bytes, n));

	return bits >> 1 | bits << 31;
}

/* The bits of both blocks, the second of which is block i + 1. */
static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE void gather_bits(struct blocksha_sha1dc_gathered *bits,
							   size_t i, const __m256i gathered[8])
{
	__m256i low = _mm256_packus_epi16(_mm256_packs_epi32(gathered[0], gathered[1]),
					  _mm256_packs_epi32(gathered[2], gathered[3]));
	__m256i high = _mm256_packus_epi16(_mm256_packs_epi32(gathered[4], gathered[5]),
					   _mm256_packs_epi32(gathered[6], gathered[7]));
	__m256i bytes[2] = {_mm256_permute2x128_si256(low, high, 0x20),
			    _mm256_permute2x128_si256(low, high, 0x31)};

	for (size_t lane = 0; lane < 2; lane++) {
		bits->b1[i + lane] = one_bit(bytes[lane], 6);
		bits->b4[i + lane] = one_bit(bytes[lane], 3);
		bits->b6[i + lane] = one_bit(bytes[lane], 1);
		bits->b29[i + lane] = one_bit(bytes[lane], 4);
	}
}

#define LOAD4(g, w)                                   \
	do {                                          \
		w = load(p + 16 * (g), q + 16 * (g)); \
		STORE(g, w);                          \
		KEEP_WORDS(next, g, w);               \
	} while (0)

/* The vectors' names go round in eights: the oldest is replaced. */
#define SCHEDULE16(g, w, w4, w3, w2, w1)        \
	do {                                    \
		w = schedule16(w4, w3, w2, w1); \
		STORE(g, w);                    \
		KEEP_WORDS(next, g, w);         \
	} while (0)

#define SCHEDULE32(g, w8, w7, w4, w2, w1)                   \
	do {                                                \
		__m256i w = schedule32(w8, w7, w4, w2, w1); \
                                                            \
		STORE(g, w);                                \
		KEEP_WORDS(pair, g, w);                     \
		GATHER(g, w8, w);                           \
		w8 = w;                                     \
	} while (0)

/* The rounds; see sha1_rounds.h. rorx leaves its source alone, so that b
   changes its register: the new one is in t, and the old one serves as scratch.
 */
#define ROUND(f, e, a, b, c, d, wk)                                           \
	do {                                                                  \
		uint32_t t;                                                   \
		SHA1_ROUND("addl %[WK], %[E]\n\t" f "rorx $2, %[B], %[T]\n\t" \
			   "rorx $27, %[A], %[B]\n\t"                         \
			   "addl %[B], %[E]",                                 \
			   e, a, b, c, d, wk);                                \
		b = t;                                                        \
	} while (0)

/* Terms without a common bit may be added instead of or-ed. */
#define CH(e, a, b, c, d, wk)             \
	ROUND("andn %[D], %[B], %[T]\n\t" \
	      "addl %[T], %[E]\n\t"       \
	      "movl %[C], %[T]\n\t"       \
	      "andl %[B], %[T]\n\t"       \
	      "addl %[T], %[E]\n\t",      \
	      e, a, b, c, d, wk)

#define PARITY(e, a, b, c, d, wk)    \
	ROUND("movl %[C], %[T]\n\t"  \
	      "xorl %[D], %[T]\n\t"  \
	      "xorl %[B], %[T]\n\t"  \
	      "addl %[T], %[E]\n\t", \
	      e, a, b, c, d, wk)

#define MAJ(e, a, b, c, d, wk)       \
	ROUND("movl %[C], %[T]\n\t"  \
	      "andl %[D], %[T]\n\t"  \
	      "addl %[T], %[E]\n\t"  \
	      "movl %[C], %[T]\n\t"  \
	      "xorl %[D], %[T]\n\t"  \
	      "andl %[B], %[T]\n\t"  \
	      "addl %[T], %[E]\n\t", \
	      e, a, b, c, d, wk)

/* lane: 0 for the first block, 4 for the second. */
#define ROUNDS(f, g, lane, a, b, c, d, e) SHA1_ROUNDS4(f, a, b, c, d, e, wk + 8 * (g) + (lane))

/* Both kernels, plain and detecting: returns whether a block is part of an
 * attack. */
static AVX2_TARGET BLOCKSHA_ALWAYS_INLINE int sha1_avx2(uint32_t *state, const unsigned char *data,
							size_t nblocks, const int detects)
{
	const __m256i k[4] = {_mm256_set1_epi32(0x5a827999), _mm256_set1_epi32(0x6ed9eba1),
			      _mm256_set1_epi32((int)0x8f1bbcdc),
			      _mm256_set1_epi32((int)0xca62c1d6)};
	struct schedule s;
	/* Hides from the compiler that the rounds read what the vector code stored:
	   it would take each word out of the vector register, which costs an
	   instruction or two a word; the memory operand of an addition costs none. */
	/* cppcheck-suppress uninitvar; only the address is taken */
	const uint32_t *wk = s.wk[0];
	__asm__("" : "+r"(wk));
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
	__m256i w0, w1, w2, w3, w4, w5, w6, w7;
	const unsigned char *p = data, *q = nblocks > 1 ? data + 64 : data;
	/* Twice four blocks: the filter takes four, when the fifth and sixth have begun. */
	struct blocksha_sha1dc_block blocks[8];
	struct blocksha_sha1dc_block *pair = &blocks[0], *next = pair;
	struct blocksha_sha1dc_gathered bits;
	__m256i gathered[8];
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
		ROUNDS(CH, 0, 0, a, b, c, d, e);
		SCHEDULE32(9, w1, w2, w5, w7, w0);
		ROUNDS(CH, 1, 0, b, c, d, e, a);
		SCHEDULE32(10, w2, w3, w6, w0, w1);
		ROUNDS(CH, 2, 0, c, d, e, a, b);
		SCHEDULE32(11, w3, w4, w7, w1, w2);
		ROUNDS(CH, 3, 0, d, e, a, b, c);
		SCHEDULE32(12, w4, w5, w0, w2, w3);
		ROUNDS(CH, 4, 0, e, a, b, c, d);
		SCHEDULE32(13, w5, w6, w1, w3, w4);
		ROUNDS(PARITY, 5, 0, a, b, c, d, e);
		SCHEDULE32(14, w6, w7, w2, w4, w5);
		ROUNDS(PARITY, 6, 0, b, c, d, e, a);
		SCHEDULE32(15, w7, w0, w3, w5, w6);
		ROUNDS(PARITY, 7, 0, c, d, e, a, b);
		SCHEDULE32(16, w0, w1, w4, w6, w7);
		ROUNDS(PARITY, 8, 0, d, e, a, b, c);
		SCHEDULE32(17, w1, w2, w5, w7, w0);
		ROUNDS(PARITY, 9, 0, e, a, b, c, d);
		SCHEDULE32(18, w2, w3, w6, w0, w1);
		ROUNDS(MAJ, 10, 0, a, b, c, d, e);
		SCHEDULE32(19, w3, w4, w7, w1, w2);
		ROUNDS(MAJ, 11, 0, b, c, d, e, a);
		if (detects)
			gather_bits(&bits, n % 4, gathered);
		ROUNDS(MAJ, 12, 0, c, d, e, a, b);
		ROUNDS(MAJ, 13, 0, d, e, a, b, c);
		KEEP_STATE(pair[0].state[0], e, a, b, c, d);
		ROUNDS(MAJ, 14, 0, e, a, b, c, d);
		KEEP_STATE(pair[0].state[1], a, b, c, d, e);
		ROUNDS(PARITY, 15, 0, a, b, c, d, e);
		KEEP_STATE(pair[0].state[2], b, c, d, e, a);
		ROUNDS(PARITY, 16, 0, b, c, d, e, a);
		KEEP_STATE(pair[0].state[3], c, d, e, a, b);
		ROUNDS(PARITY, 17, 0, c, d, e, a, b);
		ROUNDS(PARITY, 18, 0, d, e, a, b, c);
		ROUNDS(PARITY, 19, 0, e, a, b, c, d);
		SHA1_ADD_STATE(state, a, b, c, d, e);
		KEEP_STATE(pair[0].out, a, b, c, d, e);
		if (nblocks <= 1) {
			if (detects)
				attack |= sha1dc_check_rest(pair - n % 4, n % 4 + 1);
			return attack;
		}

		/* The next two blocks; at the end something harmless takes their place. */
		nblocks -= 2;
		if (nblocks > 0)
			p = q + 64;
		q = nblocks > 1 ? p + 64 : p;
		if (detects) {
			n += 2;
			next = &blocks[n % 8];
		}
		ROUNDS(CH, 0, 4, a, b, c, d, e);
		ROUNDS(CH, 1, 4, b, c, d, e, a);
		ROUNDS(CH, 2, 4, c, d, e, a, b);
		ROUNDS(CH, 3, 4, d, e, a, b, c);
		ROUNDS(CH, 4, 4, e, a, b, c, d);
		ROUNDS(PARITY, 5, 4, a, b, c, d, e);
		ROUNDS(PARITY, 6, 4, b, c, d, e, a);
		ROUNDS(PARITY, 7, 4, c, d, e, a, b);
		ROUNDS(PARITY, 8, 4, d, e, a, b, c);
		ROUNDS(PARITY, 9, 4, e, a, b, c, d);
		ROUNDS(MAJ, 10, 4, a, b, c, d, e);
		ROUNDS(MAJ, 11, 4, b, c, d, e, a);
		LOAD4(0, w0);
		ROUNDS(MAJ, 12, 4, c, d, e, a, b);
		LOAD4(1, w1);
		ROUNDS(MAJ, 13, 4, d, e, a, b, c);
		LOAD4(2, w2);
		KEEP_STATE(pair[1].state[0], e, a, b, c, d);
		ROUNDS(MAJ, 14, 4, e, a, b, c, d);
		LOAD4(3, w3);
		KEEP_STATE(pair[1].state[1], a, b, c, d, e);
		ROUNDS(PARITY, 15, 4, a, b, c, d, e);
		SCHEDULE16(4, w4, w0, w1, w2, w3);
		KEEP_STATE(pair[1].state[2], b, c, d, e, a);
		ROUNDS(PARITY, 16, 4, b, c, d, e, a);
		SCHEDULE16(5, w5, w1, w2, w3, w4);
		KEEP_STATE(pair[1].state[3], c, d, e, a, b);
		ROUNDS(PARITY, 17, 4, c, d, e, a, b);
		SCHEDULE16(6, w6, w2, w3, w4, w5);
		ROUNDS(PARITY, 18, 4, d, e, a, b, c);
		SCHEDULE16(7, w7, w3, w4, w5, w6);
		ROUNDS(PARITY, 19, 4, e, a, b, c, d);
		SHA1_ADD_STATE(state, a, b, c, d, e);
		if (detects) {
			sha1dc_keep(pair[1].out, a, b, c, d, e);
			if (n % 4 == 0)
				attack |= blocksha_sha1dc_check_gathered(pair - 2, &bits);
			else if (nblocks == 0)
				attack |= sha1dc_check_rest(pair, 2);
			pair = next;
		}
		if (nblocks == 0)
			return attack;
	}
}

#endif
