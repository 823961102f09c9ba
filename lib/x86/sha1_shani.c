/* SPDX-License-Identifier: MIT */
/*
 * sha1_shani.c - SHA-1, one message, with the SHA instructions of x86.
 *
 * sha1rnds4 does four rounds. What limits one message is the chain of these:
 * 20 for each block, each waiting for the one before (6 cycles on Zen 5), and
 * one addition at the end of the block. All else (byte order, message
 * schedule, sha1nexte) is beside that chain and has to stay there:
 *
 * - sha1nexte takes the state from before the four rounds that precede its
 *   use, so it runs in parallel with them;
 * - the schedule is kept four groups of rounds ahead of its use.
 */
#include "../common.h"
#include "../kernel.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("sha,sse4.1,ssse3")))

/* Four words of the message. The instructions want the first word in the
   highest lane, so all 16 bytes are reversed. */
static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load(const unsigned char *p)
{
	const __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), reverse);
}

/* W[t..t+3] from the 16 words before (FIPS 180-4 section 6.1.2, step 1). */
#define SCHEDULE(w0, w1, w2, w3) \
	_mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)

/* Four rounds of function f (0..3). e is the E of the first of them plus its W;
   next becomes the same of the four rounds after these, whose words are w. */
#define ROUNDS4(f, e, next, w)                          \
	do {                                            \
		next = _mm_sha1nexte_epu32(abcd, w);    \
		abcd = _mm_sha1rnds4_epu32(abcd, e, f); \
	} while (0)

/* The same, and the words that are four groups ahead take the place of w0. */
#define ROUNDS4_SCHEDULE(f, e, next, w0, w1, w2, w3) \
	do {                                         \
		ROUNDS4(f, e, next, w1);             \
		w0 = SCHEDULE(w0, w1, w2, w3);       \
	} while (0)

TARGET void blocksha_sha1_shani(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	/* A in the highest lane; E alone in the highest lane. */
	__m128i abcd =
		_mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)state), 0x1b);
	__m128i e = _mm_slli_si128(_mm_cvtsi32_si128((int)state[4]), 12);

	for (; nblocks > 0; nblocks--, data += 64) {
		const __m128i abcd_before = abcd;
		const __m128i e_before = e;
		__m128i w0 = load(data);
		__m128i w1 = load(data + 16);
		__m128i w2 = load(data + 32);
		__m128i w3 = load(data + 48);
		__m128i f;

		e = _mm_add_epi32(e, w0);
		ROUNDS4_SCHEDULE(0, e, f, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(0, f, e, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(0, e, f, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(0, f, e, w3, w0, w1, w2);
		ROUNDS4_SCHEDULE(0, e, f, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(1, f, e, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(1, e, f, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(1, f, e, w3, w0, w1, w2);
		ROUNDS4_SCHEDULE(1, e, f, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(1, f, e, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(2, e, f, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(2, f, e, w3, w0, w1, w2);
		ROUNDS4_SCHEDULE(2, e, f, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(2, f, e, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(2, e, f, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(3, f, e, w3, w0, w1, w2);
		ROUNDS4(3, e, f, w1);
		ROUNDS4(3, f, e, w2);
		ROUNDS4(3, e, f, w3);
		ROUNDS4(3, f, e, e_before);
		abcd = _mm_add_epi32(abcd, abcd_before);
	}

	_mm_storeu_si128((__m128i *)(void *)state, _mm_shuffle_epi32(abcd, 0x1b));
	state[4] = (uint32_t)_mm_extract_epi32(e, 3);
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
