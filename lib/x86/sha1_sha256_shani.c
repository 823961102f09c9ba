/* SPDX-License-Identifier: MIT */
/*
 * sha1_sha256_shani.c - SHA-1 and SHA-256 of the same bytes in one pass, with the
 * SHA instructions of x86.
 *
 * Either hash alone is a chain of instructions that wait for each other (see
 * sha1_shani.c and sha256_shani.c) and leaves the units idle most of the time.
 * Here each step does four rounds of both, so that one chain runs in the gaps of
 * the other. SHA-256 has 16 such steps and SHA-1 has 20: those without a partner
 * are spread, one after every four.
 */
#include "../common.h"
#include "../kernel.h"
#include "../sha256_k.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("sha,sse4.1,ssse3")))

static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load(const void *p)
{
	return _mm_loadu_si128(p);
}

static TARGET BLOCKSHA_ALWAYS_INLINE void store(void *p, __m128i v)
{
	_mm_storeu_si128(p, v);
}

/* Four words of the message in SHA-1's form, the first in the highest lane. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load_reversed(const unsigned char *p)
{
	const __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);

	return _mm_shuffle_epi8(load(p), reverse);
}

/* The same in SHA-256's form: the first in the lowest lane. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i in_order(__m128i reversed)
{
	return _mm_shuffle_epi32(reversed, 0x1b);
}

/* Keeps the program order of what makes x and what makes y; costs no instruction. */
#define IN_ORDER(x, y) __asm__("" : "+x"(x), "+x"(y))

/* Four rounds of SHA-1 with function f (0..3), and the words four groups ahead;
   see sha1_shani.c. */
#define SHA1_ROUNDS4(f, e, next, w)                     \
	do {                                            \
		next = _mm_sha1nexte_epu32(abcd, w);    \
		abcd = _mm_sha1rnds4_epu32(abcd, e, f); \
	} while (0)

#define SHA1_SCHEDULE(v0, v1, v2, v3) \
	(v0 = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(v0, v1), v2), v3))

/* The first and the last two of four rounds of SHA-256; see sha256_shani.c. */
#define SHA256_FIRST2(wk)                                     \
	do {                                                  \
		IN_ORDER(abcd, cdgh);                         \
		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk); \
		IN_ORDER(abcd, cdgh);                         \
	} while (0)

#define SHA256_LAST2(wk)                                                               \
	do {                                                                           \
		IN_ORDER(abcd, abef);                                                  \
		abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e)); \
		IN_ORDER(abcd, abef);                                                  \
	} while (0)

#define SHA256_SCHEDULE(w0, w1, w2, w3) \
	(w0 = _mm_sha256msg2_epu32(     \
		 _mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3))

/* 20 rounds of SHA-1 and 16 of SHA-256. */
#define STEP_SCHEDULE(f, t, e0, e1, v0, v1, v2, v3)                \
	do {                                                       \
		__m128i wk;                                        \
		SHA1_ROUNDS4(f, e0, e1, v1);                       \
		SHA1_SCHEDULE(v0, v1, v2, v3);                     \
		wk = _mm_add_epi32(w0, load(sha256_k + (t)));      \
		SHA256_FIRST2(wk);                                 \
		SHA256_LAST2(wk);                                  \
		SHA256_SCHEDULE(w0, w1, w2, w3);                   \
		SHA1_ROUNDS4(f, e1, e0, v2);                       \
		SHA1_SCHEDULE(v1, v2, v3, v0);                     \
		wk = _mm_add_epi32(w1, load(sha256_k + (t) + 4));  \
		SHA256_FIRST2(wk);                                 \
		SHA256_LAST2(wk);                                  \
		SHA256_SCHEDULE(w1, w2, w3, w0);                   \
		SHA1_ROUNDS4(f, e0, e1, v3);                       \
		SHA1_SCHEDULE(v2, v3, v0, v1);                     \
		wk = _mm_add_epi32(w2, load(sha256_k + (t) + 8));  \
		SHA256_FIRST2(wk);                                 \
		SHA1_ROUNDS4(f, e1, e0, v0);                       \
		SHA1_SCHEDULE(v3, v0, v1, v2);                     \
		SHA256_LAST2(wk);                                  \
		SHA256_SCHEDULE(w2, w3, w0, w1);                   \
		wk = _mm_add_epi32(w3, load(sha256_k + (t) + 12)); \
		SHA256_FIRST2(wk);                                 \
		SHA1_ROUNDS4(f, e0, e1, v1);                       \
		SHA1_SCHEDULE(v0, v1, v2, v3);                     \
		SHA256_LAST2(wk);                                  \
		SHA256_SCHEDULE(w3, w0, w1, w2);                   \
	} while (0)

/* state: the 5 words of SHA-1, then the 8 of SHA-256. */
TARGET void blocksha_sha1_sha256_shani(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	__m128i abcd = _mm_shuffle_epi32(load(state), 0x1b);
	__m128i e = _mm_slli_si128(_mm_cvtsi32_si128((int)state[4]), 12);
	__m128i cdab = _mm_shuffle_epi32(load(state + 5), 0xb1);
	__m128i efgh = _mm_shuffle_epi32(load(state + 9), 0x1b);
	__m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
	__m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);

	for (; nblocks > 0; nblocks--, data += 64) {
		const __m128i abcd_before = abcd, e_before = e;
		const __m128i abef_before = abef, cdgh_before = cdgh;
		__m128i v0 = load_reversed(data), w0 = in_order(v0);
		__m128i v1 = load_reversed(data + 16), w1 = in_order(v1);
		__m128i v2 = load_reversed(data + 32), w2 = in_order(v2);
		__m128i v3 = load_reversed(data + 48), w3 = in_order(v3);
		__m128i f;

		e = _mm_add_epi32(e, v0);
		STEP_SCHEDULE(0, 0, e, f, v0, v1, v2, v3);
		STEP_SCHEDULE(1, 16, f, e, v1, v2, v3, v0);
		STEP_SCHEDULE(2, 32, e, f, v2, v3, v0, v1);

		__m128i wk;
		SHA1_ROUNDS4(3, f, e, v0);
		SHA1_SCHEDULE(v3, v0, v1, v2);
		wk = _mm_add_epi32(w0, load(sha256_k + 48));
		SHA256_FIRST2(wk);
		SHA256_LAST2(wk);
		SHA1_ROUNDS4(3, e, f, v1);
		wk = _mm_add_epi32(w1, load(sha256_k + 52));
		SHA256_FIRST2(wk);
		SHA256_LAST2(wk);
		SHA1_ROUNDS4(3, f, e, v2);
		wk = _mm_add_epi32(w2, load(sha256_k + 56));
		SHA256_FIRST2(wk);
		SHA1_ROUNDS4(3, e, f, v3);
		SHA256_LAST2(wk);
		wk = _mm_add_epi32(w3, load(sha256_k + 60));
		SHA256_FIRST2(wk);
		SHA1_ROUNDS4(3, f, e, e_before);
		SHA256_LAST2(wk);

		abcd = _mm_add_epi32(abcd, abcd_before);
		abef = _mm_add_epi32(abef, abef_before);
		cdgh = _mm_add_epi32(cdgh, cdgh_before);
	}

	store(state, _mm_shuffle_epi32(abcd, 0x1b));
	state[4] = (uint32_t)_mm_extract_epi32(e, 3);
	__m128i feba = _mm_shuffle_epi32(abef, 0x1b);
	__m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
	store(state + 5, _mm_blend_epi16(feba, dchg, 0xf0));
	store(state + 9, _mm_alignr_epi8(dchg, feba, 8));
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
