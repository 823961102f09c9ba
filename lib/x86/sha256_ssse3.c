/* SPDX-License-Identifier: MIT */
/*
 * sha256_ssse3.c - SHA-256, one message, for x86 CPUs with SSSE3 and neither the SHA
 * instructions nor AVX2.
 *
 * The message schedule is made four words at a time in vector registers and stored as
 * W[t] + K[t]; the rounds run in integer registers (sha256_rounds.h). The vector work
 * stands between the rounds, four groups of four rounds before its use; it begins in
 * the last rounds of the block before.
 */
#include "../common.h"
#include "../kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "../sha256_k.h"
#include "sha256_rounds.h"

#define TARGET __attribute__((target("ssse3")))

/* W[t..t+3], t < 16. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load(const unsigned char *p)
{
	const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), swap);
}

static TARGET BLOCKSHA_ALWAYS_INLINE void store(uint32_t *wk, const uint32_t *k, __m128i w)
{
	__m128i k4 = _mm_loadu_si128((const __m128i *)(const void *)k);

	_mm_store_si128((__m128i *)(void *)wk, _mm_add_epi32(w, k4));
}

/* sigma0 of FIPS 180-4 section 4.1.2. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i sigma0(__m128i x)
{
	__m128i r7 = _mm_xor_si128(_mm_srli_epi32(x, 7), _mm_slli_epi32(x, 25));
	__m128i r18 = _mm_xor_si128(_mm_srli_epi32(x, 18), _mm_slli_epi32(x, 14));

	return _mm_xor_si128(_mm_xor_si128(r7, r18), _mm_srli_epi32(x, 3));
}

/* sigma1 of the words in lanes 0 and 2, in these lanes; the others are
   of no use. A 64-bit shift of a word that stands there twice is a rotation. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i sigma1(__m128i x)
{
	x = _mm_shuffle_epi32(x, 0xa0);
	__m128i r = _mm_xor_si128(_mm_srli_epi64(x, 17), _mm_srli_epi64(x, 19));

	return _mm_xor_si128(r, _mm_srli_epi32(x, 10));
}

/* W[t..t+3] from the 16 words before, in three steps. First what does not depend on W[t-2]
   and later ones. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i schedule_sum(__m128i w0, __m128i w1, __m128i w2,
							  __m128i w3)
{
	__m128i sum = _mm_add_epi32(w0, _mm_alignr_epi8(w3, w2, 4));

	return _mm_add_epi32(sum, sigma0(_mm_alignr_epi8(w1, w0, 4)));
}

/* W[t] and W[t+1] in lanes 0 and 2; last is W[t-2] and W[t-1] in the same form. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i schedule_01(__m128i sum, __m128i last)
{
	return _mm_add_epi32(_mm_shuffle_epi32(sum, 0x50), sigma1(last));
}

/* W[t+2] and W[t+3] in lanes 0 and 2; w01 is W[t] and W[t+1] in the same form. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i schedule_23(__m128i sum, __m128i w01)
{
	return _mm_add_epi32(_mm_shuffle_epi32(sum, 0xfa), sigma1(w01));
}

static TARGET BLOCKSHA_ALWAYS_INLINE __m128i join(__m128i w01, __m128i w23)
{
	return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(w01), _mm_castsi128_ps(w23), 0x88));
}

/* Group i of the schedule, of the next block. */
#define LOAD4(i, w)                                        \
	do {                                               \
		w = load(data + 16 * (i));                 \
		store(s + 4 * (i), sha256_k + 4 * (i), w); \
	} while (0)

/* Sigma0(a) = ror(a ^ ror(a, 11) ^ ror(a, 20), 2) and Sigma1(e) = ror(e ^ ror(e, 5) ^
   ror(e, 19), 6) need a copy less than the three rotations of FIPS 180-4, and wait for
   themselves less than two rotations inside each other, ror(a ^ ror(a ^ ror(a, 9), 11), 2),
   which need one copy less still. */
#define ROUND(...)                         \
	SHA256_ROUND("movl %[A], %[D]\n\t" \
		     "rorl $11, %[D]\n\t"  \
		     "movl %[A], %[X]\n\t" \
		     "rorl $20, %[X]\n\t"  \
		     "xorl %[A], %[D]\n\t" \
		     "xorl %[X], %[D]\n\t" \
		     "rorl $2, %[D]\n\t",  \
		     "movl %[E], %[T]\n\t" \
		     "rorl $5, %[T]\n\t"   \
		     "movl %[E], %[Y]\n\t" \
		     "rorl $19, %[Y]\n\t"  \
		     "xorl %[E], %[T]\n\t" \
		     "xorl %[Y], %[T]\n\t" \
		     "rorl $6, %[T]\n\t",  \
		     __VA_ARGS__)

/* Four rounds; i counts groups from wk. */
#define ROUNDS4(i) SHA256_ROUNDS4(ROUND, wk + 4 * (i))

/* Keeps the step of the schedule that gives v between the round that gives x and the one
   that takes it; costs no instruction. gcc moves all vector work to the front otherwise,
   where the rounds have to wait for it. */
#define BETWEEN(x, v) __asm__("" : "+r"(x), "+x"(v))

/* The same four rounds with group i + 4 of the schedule, counted from wk and k. */
#define ROUNDS4_SCHEDULE(i, w0, w1, w2, w3)                           \
	do {                                                          \
		uint32_t y;                                           \
		__m128i w01, sum = schedule_sum(w0, w1, w2, w3);      \
		BETWEEN(x, sum);                                      \
		ROUND(a, b, c, d, e, f, g, h, x, y, wk[4 * (i)]);     \
		w01 = schedule_01(sum, w23);                          \
		BETWEEN(y, w01);                                      \
		ROUND(d, a, b, c, h, e, f, g, y, x, wk[4 * (i) + 1]); \
		w23 = schedule_23(sum, w01);                          \
		BETWEEN(x, w23);                                      \
		ROUND(c, d, a, b, g, h, e, f, x, y, wk[4 * (i) + 2]); \
		w0 = join(w01, w23);                                  \
		store(wk + 4 * ((i) + 4), k + 4 * ((i) + 4), w0);     \
		BETWEEN(y, w0);                                       \
		ROUND(b, c, d, a, f, g, h, e, y, x, wk[4 * (i) + 3]); \
	} while (0)

TARGET void blocksha_sha256_ssse3(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	/* W[t..t+3] + K[t..t+3], for each of the 16 groups of four rounds. */
	_Alignas(16) uint32_t s[16 * 4];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
	__m128i w0, w1, w2, w3;

	if (nblocks == 0)
		return;
	LOAD4(0, w0);
	LOAD4(1, w1);
	LOAD4(2, w2);
	LOAD4(3, w3);
	for (;;) {
		__m128i w23 = _mm_shuffle_epi32(w3, 0xfa);
		const uint32_t *k = sha256_k;
		uint32_t *wk = s;
		uint32_t x = b ^ c;

		for (; wk != s + 12 * 4; wk += 4 * 4, k += 4 * 4) {
			ROUNDS4_SCHEDULE(0, w0, w1, w2, w3);
			ROUNDS4_SCHEDULE(1, w1, w2, w3, w0);
			ROUNDS4_SCHEDULE(2, w2, w3, w0, w1);
			ROUNDS4_SCHEDULE(3, w3, w0, w1, w2);
		}

		/* The next block; after the last one, the last once more. */
		if (--nblocks > 0)
			data += 64;
		LOAD4(0, w0);
		ROUNDS4(0);
		LOAD4(1, w1);
		ROUNDS4(1);
		LOAD4(2, w2);
		ROUNDS4(2);
		LOAD4(3, w3);
		ROUNDS4(3);
		SHA256_ADD_STATE(state, a, b, c, d, e, f, g, h);
		if (nblocks == 0)
			return;
	}
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
