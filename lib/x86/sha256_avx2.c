/* SPDX-License-Identifier: MIT */
/*
 * sha256_avx2.c - SHA-256, one message, for x86 CPUs with AVX2 and BMI2 but without the
 * SHA instructions.
 *
 * The message schedule of two blocks is made at once, one in each half of a ymm register,
 * and stored as W[t] + K[t]; the rounds run in integer registers (sha256_rounds.h). The
 * vector work stands between the rounds of the first block of the two, four groups of
 * four rounds before its use; it begins in the last rounds of the block before.
 */
#include "../common.h"
#include "../kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "../sha256_k.h"
#include "sha256_rounds.h"

#define TARGET __attribute__((target("avx2,bmi2")))

/* W[t..t+3], t < 16, of the blocks at p and at q. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i load(const unsigned char *p, const unsigned char *q)
{
	const __m256i swap = _mm256_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203,
					       0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i low = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i high = _mm_loadu_si128((const __m128i *)(const void *)q);

	return _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1),
				   swap);
}

static TARGET BLOCKSHA_ALWAYS_INLINE void store(uint32_t *wk, const uint32_t *k, __m256i w)
{
	__m128i k4 = _mm_loadu_si128((const __m128i *)(const void *)k);

	_mm256_store_si256((__m256i *)(void *)wk,
			   _mm256_add_epi32(w, _mm256_broadcastsi128_si256(k4)));
}

/* sigma0 of FIPS 180-4 section 4.1.2. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i sigma0(__m256i x)
{
	__m256i r7 = _mm256_xor_si256(_mm256_srli_epi32(x, 7), _mm256_slli_epi32(x, 25));
	__m256i r18 = _mm256_xor_si256(_mm256_srli_epi32(x, 18), _mm256_slli_epi32(x, 14));

	return _mm256_xor_si256(_mm256_xor_si256(r7, r18), _mm256_srli_epi32(x, 3));
}

/* sigma1 of the words in lanes 0 and 2 of each half, in these lanes; the others are
   of no use. A 64-bit shift of a word that stands there twice is a rotation. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i sigma1(__m256i x)
{
	x = _mm256_shuffle_epi32(x, 0xa0);
	__m256i r = _mm256_xor_si256(_mm256_srli_epi64(x, 17), _mm256_srli_epi64(x, 19));

	return _mm256_xor_si256(r, _mm256_srli_epi32(x, 10));
}

/* W[t..t+3] from the 16 words before, in three steps. First what does not depend on W[t-2]
   and later ones. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i schedule_sum(__m256i w0, __m256i w1, __m256i w2,
							  __m256i w3)
{
	__m256i sum = _mm256_add_epi32(w0, _mm256_alignr_epi8(w3, w2, 4));

	return _mm256_add_epi32(sum, sigma0(_mm256_alignr_epi8(w1, w0, 4)));
}

/* W[t] and W[t+1] in lanes 0 and 2; last is W[t-2] and W[t-1] in the same form. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i schedule_01(__m256i sum, __m256i last)
{
	return _mm256_add_epi32(_mm256_shuffle_epi32(sum, 0x50), sigma1(last));
}

/* W[t+2] and W[t+3] in lanes 0 and 2; w01 is W[t] and W[t+1] in the same form. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m256i schedule_23(__m256i sum, __m256i w01)
{
	return _mm256_add_epi32(_mm256_shuffle_epi32(sum, 0xfa), sigma1(w01));
}

static TARGET BLOCKSHA_ALWAYS_INLINE __m256i join(__m256i w01, __m256i w23)
{
	return _mm256_castps_si256(
		_mm256_shuffle_ps(_mm256_castsi256_ps(w01), _mm256_castsi256_ps(w23), 0x88));
}

/* Group i of the schedule, of those of the next two blocks. */
#define LOAD4(i, w)                                        \
	do {                                               \
		w = load(p + 16 * (i), q + 16 * (i));      \
		store(s + 8 * (i), sha256_k + 4 * (i), w); \
	} while (0)

#define ROUND(...)                              \
	SHA256_ROUND("rorx $2, %[A], %[D]\n\t"  \
		     "rorx $13, %[A], %[X]\n\t" \
		     "xorl %[X], %[D]\n\t"      \
		     "rorx $22, %[A], %[X]\n\t" \
		     "xorl %[X], %[D]\n\t",     \
		     "rorx $6, %[E], %[T]\n\t"  \
		     "rorx $11, %[E], %[Y]\n\t" \
		     "xorl %[Y], %[T]\n\t"      \
		     "rorx $25, %[E], %[Y]\n\t" \
		     "xorl %[Y], %[T]\n\t",     \
		     __VA_ARGS__)

/* Four rounds; i counts groups from wk. */
#define ROUNDS4(i) SHA256_ROUNDS4(ROUND, wk + 8 * (i))

/* Keeps the step of the schedule that gives v between the round that gives x and the one
   that takes it; costs no instruction. gcc moves all vector work to the front otherwise,
   where the rounds have to wait for it. */
#define BETWEEN(x, v) __asm__("" : "+r"(x), "+x"(v))

/* The same four rounds with group i + 4 of the schedule, counted from wk and k. */
#define ROUNDS4_SCHEDULE(i, w0, w1, w2, w3)                           \
	do {                                                          \
		uint32_t y;                                           \
		__m256i w01, sum = schedule_sum(w0, w1, w2, w3);      \
		BETWEEN(x, sum);                                      \
		ROUND(a, b, c, d, e, f, g, h, x, y, wk[8 * (i)]);     \
		w01 = schedule_01(sum, w23);                          \
		BETWEEN(y, w01);                                      \
		ROUND(d, a, b, c, h, e, f, g, y, x, wk[8 * (i) + 1]); \
		w23 = schedule_23(sum, w01);                          \
		BETWEEN(x, w23);                                      \
		ROUND(c, d, a, b, g, h, e, f, x, y, wk[8 * (i) + 2]); \
		w0 = join(w01, w23);                                  \
		store(wk + 8 * ((i) + 4), k + 4 * ((i) + 4), w0);     \
		BETWEEN(y, w0);                                       \
		ROUND(b, c, d, a, f, g, h, e, y, x, wk[8 * (i) + 3]); \
	} while (0)

TARGET void blocksha_sha256_avx2(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	/* W[t..t+3] + K[t..t+3] of two blocks, for each of the 16 groups of four rounds. */
	_Alignas(32) uint32_t s[16 * 8];
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
	uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
	const unsigned char *p = data, *q = nblocks > 1 ? data + 64 : data;
	__m256i w0, w1, w2, w3;

	if (nblocks == 0)
		return;
	LOAD4(0, w0);
	LOAD4(1, w1);
	LOAD4(2, w2);
	LOAD4(3, w3);
	for (;;) {
		__m256i w23 = _mm256_shuffle_epi32(w3, 0xfa);
		const uint32_t *k = sha256_k;
		uint32_t *wk = s;
		uint32_t x = b ^ c;

		for (; wk != s + 12 * 8; wk += 4 * 8, k += 4 * 4) {
			ROUNDS4_SCHEDULE(0, w0, w1, w2, w3);
			ROUNDS4_SCHEDULE(1, w1, w2, w3, w0);
			ROUNDS4_SCHEDULE(2, w2, w3, w0, w1);
			ROUNDS4_SCHEDULE(3, w3, w0, w1, w2);
		}
		ROUNDS4(0);
		ROUNDS4(1);
		ROUNDS4(2);
		ROUNDS4(3);
		SHA256_ADD_STATE(state, a, b, c, d, e, f, g, h);
		if (nblocks <= 1)
			return;

		/* The next two blocks; at the end something harmless takes their place. */
		nblocks -= 2;
		if (nblocks > 0)
			p = q + 64;
		q = nblocks > 1 ? p + 64 : p;
		x = b ^ c;
		for (wk = s + 4; wk != s + 12 * 8 + 4; wk += 4 * 8) {
			ROUNDS4(0);
			ROUNDS4(1);
			ROUNDS4(2);
			ROUNDS4(3);
		}
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
