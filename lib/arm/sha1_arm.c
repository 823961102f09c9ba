/* SPDX-License-Identifier: MIT */
/*
 * sha1_arm.c - SHA-1, one message, with the SHA-1 instructions of ARMv8 (AArch64).
 *
 * sha1c, sha1p and sha1m do four rounds each, with the functions Ch, Parity and Maj.
 * The E of the four rounds after these is the A of before, rotated (sha1h).
 */
#include "../common.h"
#include "../kernel.h"

#include "arm_target.h"

#if BLOCKSHA_ARM_SHA

#include <arm_neon.h>

/* Four words of the message. */
static ARM_TARGET BLOCKSHA_ALWAYS_INLINE uint32x4_t load_be32(const unsigned char *p)
{
	return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)));
}

/* W[t..t+3] from the 16 words before (FIPS 180-4 section 6.1.2, step 1). */
#define SCHEDULE(w0, w1, w2, w3) vsha1su1q_u32(vsha1su0q_u32(w0, w1, w2), w3)

/* Four rounds, whose words are w; op is sha1c, sha1p or sha1m, k the constant. */
#define ROUNDS4(op, k, w)                                              \
	do {                                                           \
		uint32_t next_e = vsha1h_u32(vgetq_lane_u32(abcd, 0)); \
		abcd = op(abcd, e, vaddq_u32(w, vdupq_n_u32(k)));      \
		e = next_e;                                            \
	} while (0)

/* The same; then the words that are four groups ahead take the place of w0. */
#define ROUNDS4_SCHEDULE(op, k, w0, w1, w2, w3) \
	do {                                    \
		ROUNDS4(op, k, w0);             \
		w0 = SCHEDULE(w0, w1, w2, w3);  \
	} while (0)

/* FIPS 180-4 section 4.2.1. */
#define K0 0x5a827999
#define K1 0x6ed9eba1
#define K2 0x8f1bbcdc
#define K3 0xca62c1d6

ARM_TARGET void blocksha_sha1_arm(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	uint32x4_t abcd = vld1q_u32(state);
	uint32_t e = state[4];

	for (; nblocks > 0; nblocks--, data += 64) {
		const uint32x4_t abcd_before = abcd;
		const uint32_t e_before = e;
		uint32x4_t w0 = load_be32(data);
		uint32x4_t w1 = load_be32(data + 16);
		uint32x4_t w2 = load_be32(data + 32);
		uint32x4_t w3 = load_be32(data + 48);

		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, w3, w0, w1, w2);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, w3, w0, w1, w2);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, w3, w0, w1, w2);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, w0, w1, w2, w3);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, w1, w2, w3, w0);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, w2, w3, w0, w1);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K3, w3, w0, w1, w2);
		ROUNDS4(vsha1pq_u32, K3, w0);
		ROUNDS4(vsha1pq_u32, K3, w1);
		ROUNDS4(vsha1pq_u32, K3, w2);
		ROUNDS4(vsha1pq_u32, K3, w3);
		abcd = vaddq_u32(abcd, abcd_before);
		e += e_before;
	}

	vst1q_u32(state, abcd);
	state[4] = e;
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
