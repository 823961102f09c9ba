/* SPDX-License-Identifier: MIT */
/*
 * sha256_shani.c - SHA-256, one message, with the SHA instructions of x86.
 *
 * sha256rnds2 does two rounds. The chain of the 32 of each block (4 cycles each
 * on Zen 5) and one addition at its end limit one message; the schedule runs
 * beside it.
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

/* Four words of the message. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load_be32(const unsigned char *p)
{
	const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);

	return _mm_shuffle_epi8(load(p), swap);
}

/* W[t..t+3] from the 16 words before (FIPS 180-4 section 6.2.2, step 1). */
#define SCHEDULE(w0, w1, w2, w3) \
	_mm_sha256msg2_epu32(    \
		_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

/* Rounds t..t+3, whose words are w. sha256rnds2 gives the new A, B, E, F; the
   old ones become C, D, G, H, so that the two variables change places. */
#define ROUNDS4(t, w)                                                                  \
	do {                                                                           \
		__m128i wk = _mm_add_epi32(w, load(sha256_k + (t)));                   \
		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);                          \
		abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e)); \
	} while (0)

/* The same; then the words that are four groups ahead take the place of w0. */
#define ROUNDS4_SCHEDULE(t, w0, w1, w2, w3)    \
	do {                                   \
		ROUNDS4(t, w0);                \
		w0 = SCHEDULE(w0, w1, w2, w3); \
	} while (0)

#define ROUNDS16_SCHEDULE(t)                                \
	do {                                                \
		ROUNDS4_SCHEDULE(t, w0, w1, w2, w3);        \
		ROUNDS4_SCHEDULE((t) + 4, w1, w2, w3, w0);  \
		ROUNDS4_SCHEDULE((t) + 8, w2, w3, w0, w1);  \
		ROUNDS4_SCHEDULE((t) + 12, w3, w0, w1, w2); \
	} while (0)

TARGET void blocksha_sha256_shani(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	/* In memory D C B A and H G F E (highest lane first); the instruction wants
	   A B E F and C D G H. */
	__m128i cdab = _mm_shuffle_epi32(load(state), 0xb1);
	__m128i efgh = _mm_shuffle_epi32(load(state + 4), 0x1b);
	__m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
	__m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);

	for (; nblocks > 0; nblocks--, data += 64) {
		const __m128i abef_before = abef;
		const __m128i cdgh_before = cdgh;
		__m128i w0 = load_be32(data);
		__m128i w1 = load_be32(data + 16);
		__m128i w2 = load_be32(data + 32);
		__m128i w3 = load_be32(data + 48);

		ROUNDS16_SCHEDULE(0);
		ROUNDS16_SCHEDULE(16);
		ROUNDS16_SCHEDULE(32);
		ROUNDS4(48, w0);
		ROUNDS4(52, w1);
		ROUNDS4(56, w2);
		ROUNDS4(60, w3);
		abef = _mm_add_epi32(abef, abef_before);
		cdgh = _mm_add_epi32(cdgh, cdgh_before);
	}

	__m128i feba = _mm_shuffle_epi32(abef, 0x1b);
	__m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
	_mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
	_mm_storeu_si128((__m128i *)(void *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
