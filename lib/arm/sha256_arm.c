/* SPDX-License-Identifier: MIT */
/*
 * sha256_arm.c - SHA-256, one message, with the SHA-256 instructions of ARMv8 (AArch64).
 *
 * sha256h and sha256h2 do the same four rounds; one gives the new A, B, C, D and the
 * other the new E, F, G, H.
 */
#include "../common.h"
#include "../kernel.h"

#include "arm_target.h"

#if BLOCKSHA_ARM_SHA

#include <arm_neon.h>

#include "../sha256_k.h"

/* Four words of the message. */
static ARM_TARGET BLOCKSHA_ALWAYS_INLINE uint32x4_t load_be32(const unsigned char *p)
{
	return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)));
}

/* W[t..t+3] from the 16 words before (FIPS 180-4 section 6.2.2, step 1). */
#define SCHEDULE(w0, w1, w2, w3) vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3)

/* Rounds t..t+3, whose words are w. */
#define ROUNDS4(t, w)                                                    \
	do {                                                             \
		uint32x4_t wk = vaddq_u32(w, vld1q_u32(sha256_k + (t))); \
		uint32x4_t abcd_old = abcd;                              \
		abcd = vsha256hq_u32(abcd, efgh, wk);                    \
		efgh = vsha256h2q_u32(efgh, abcd_old, wk);               \
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

ARM_TARGET void blocksha_sha256_arm(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	uint32x4_t abcd = vld1q_u32(state);
	uint32x4_t efgh = vld1q_u32(state + 4);

	for (; nblocks > 0; nblocks--, data += 64) {
		const uint32x4_t abcd_before = abcd;
		const uint32x4_t efgh_before = efgh;
		uint32x4_t w0 = load_be32(data);
		uint32x4_t w1 = load_be32(data + 16);
		uint32x4_t w2 = load_be32(data + 32);
		uint32x4_t w3 = load_be32(data + 48);

		ROUNDS16_SCHEDULE(0);
		ROUNDS16_SCHEDULE(16);
		ROUNDS16_SCHEDULE(32);
		ROUNDS4(48, w0);
		ROUNDS4(52, w1);
		ROUNDS4(56, w2);
		ROUNDS4(60, w3);
		abcd = vaddq_u32(abcd, abcd_before);
		efgh = vaddq_u32(efgh, efgh_before);
	}

	vst1q_u32(state, abcd);
	vst1q_u32(state + 4, efgh);
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
