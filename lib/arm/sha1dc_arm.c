/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_arm.c - SHA-1 with collision detection, one message, with the SHA-1
 * instructions of ARMv8 (AArch64): sha1_arm.c, which keeps what detection needs, and a
 * filter that gathers its bits with NEON. Simple, as it could not be measured.
 */
#include "../common.h"
#include "../kernel.h"

#include "arm_target.h"

#if BLOCKSHA_ARM_SHA

#include <arm_neon.h>

#include "../sha1dc/check.h"
#include "../sha1dc/filter.h"

static ARM_TARGET BLOCKSHA_ALWAYS_INLINE uint32x4_t load_be32(const unsigned char *p)
{
	return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(p)));
}

/* --- The filter ------------------------------------------------------------ */

/* The bits 1, 4 and 6 of four words, and bit 29 as bit 3. */
static ARM_TARGET BLOCKSHA_ALWAYS_INLINE uint16x4_t four_bits(const uint32_t *w)
{
	uint32x4_t words = vld1q_u32(w);
	uint32x4_t low = vandq_u32(words, vdupq_n_u32(0x52));
	uint32x4_t high = vandq_u32(vshrq_n_u32(words, 26), vdupq_n_u32(0x08));

	return vmovn_u32(vorrq_u32(low, high));
}

/* The same of sixteen words, a byte each. */
static ARM_TARGET BLOCKSHA_ALWAYS_INLINE uint8x16_t sixteen_words(const uint32_t *w)
{
	return vcombine_u8(vmovn_u16(vcombine_u16(four_bits(w), four_bits(w + 4))),
			   vmovn_u16(vcombine_u16(four_bits(w + 8), four_bits(w + 12))));
}

/* Whether each byte has this bit, as 16 bits: each byte keeps the bit of its place, and
   three additions of neighbours bring the eight of each half together. */
static ARM_TARGET BLOCKSHA_ALWAYS_INLINE uint32_t sixteen_bits(uint8x16_t bytes, uint8_t bit)
{
	static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128,
					   1, 2, 4, 8, 16, 32, 64, 128};
	uint8x16_t x = vandq_u8(vtstq_u8(bytes, vdupq_n_u8(bit)), vld1q_u8(places));

	x = vpaddq_u8(x, x);
	x = vpaddq_u8(x, x);
	x = vpaddq_u8(x, x);
	return vgetq_lane_u16(vreinterpretq_u16_u8(x), 0);
}

/* One bit of the words 33 to 64; bit is its place in the bytes, last its value in W[64]. */
static ARM_TARGET BLOCKSHA_ALWAYS_INLINE uint32_t one_bit(uint8x16_t low, uint8x16_t high,
							  uint8_t bit, uint32_t last)
{
	uint32_t bits = sixteen_bits(low, bit) | sixteen_bits(high, bit) << 16;

	return bits >> 1 | last << 31;
}

static ARM_TARGET BLOCKSHA_ALWAYS_INLINE int filter(const uint32_t w[80], uint32_t survivors[4])
{
	uint8x16_t low = sixteen_words(w + 32), high = sixteen_words(w + 48);
	struct blocksha_sha1dc_bits bits = {
		.b1 = one_bit(low, high, 0x02, w[64] >> 1),
		.b4 = one_bit(low, high, 0x10, w[64] >> 4),
		.b6 = one_bit(low, high, 0x40, w[64] >> 6),
		.b29 = one_bit(low, high, 0x08, w[64] >> 29),
	};

	return blocksha_sha1dc_survivors(bits, survivors) != 0;
}

/* --- The rounds: see sha1_arm.c -------------------------------------------- */

#define K0 0x5a827999
#define K1 0x6ed9eba1
#define K2 0x8f1bbcdc
#define K3 0xca62c1d6

#define ROUNDS4(op, k, g, v)                                           \
	do {                                                           \
		uint32_t next_e = vsha1h_u32(vgetq_lane_u32(abcd, 0)); \
		vst1q_u32(&block.w[4 * (g)], v);                       \
		abcd = op(abcd, e, vaddq_u32(v, vdupq_n_u32(k)));      \
		e = next_e;                                            \
	} while (0)

#define ROUNDS4_SCHEDULE(op, k, g, v0, v1, v2, v3)                 \
	do {                                                       \
		ROUNDS4(op, k, g, v0);                             \
		v0 = vsha1su1q_u32(vsha1su0q_u32(v0, v1, v2), v3); \
	} while (0)

#define KEEP_STATE(i)                            \
	do {                                     \
		vst1q_u32(block.state[i], abcd); \
		block.state[i][4] = e;           \
	} while (0)

ARM_TARGET int blocksha_sha1dc_arm(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	struct blocksha_sha1dc_block block;
	uint32_t attacks = 0;
	uint32x4_t abcd = vld1q_u32(state);
	uint32_t e = state[4];

	for (; nblocks > 0; nblocks--, data += 64) {
		const uint32x4_t abcd_before = abcd;
		const uint32_t e_before = e;
		uint32_t survivors[BLOCKSHA_SHA1DC_CLASSES];
		uint32x4_t v0 = load_be32(data);
		uint32x4_t v1 = load_be32(data + 16);
		uint32x4_t v2 = load_be32(data + 32);
		uint32x4_t v3 = load_be32(data + 48);

		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, 0, v0, v1, v2, v3);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, 1, v1, v2, v3, v0);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, 2, v2, v3, v0, v1);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, 3, v3, v0, v1, v2);
		ROUNDS4_SCHEDULE(vsha1cq_u32, K0, 4, v0, v1, v2, v3);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, 5, v1, v2, v3, v0);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, 6, v2, v3, v0, v1);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, 7, v3, v0, v1, v2);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, 8, v0, v1, v2, v3);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K1, 9, v1, v2, v3, v0);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, 10, v2, v3, v0, v1);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, 11, v3, v0, v1, v2);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, 12, v0, v1, v2, v3);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, 13, v1, v2, v3, v0);
		KEEP_STATE(0);
		ROUNDS4_SCHEDULE(vsha1mq_u32, K2, 14, v2, v3, v0, v1);
		KEEP_STATE(1);
		ROUNDS4_SCHEDULE(vsha1pq_u32, K3, 15, v3, v0, v1, v2);
		KEEP_STATE(2);
		ROUNDS4(vsha1pq_u32, K3, 16, v0);
		KEEP_STATE(3);
		ROUNDS4(vsha1pq_u32, K3, 17, v1);
		ROUNDS4(vsha1pq_u32, K3, 18, v2);
		ROUNDS4(vsha1pq_u32, K3, 19, v3);
		abcd = vaddq_u32(abcd, abcd_before);
		e += e_before;
		if (!BLOCKSHA_LIKELY(!filter(block.w, survivors))) {
			vst1q_u32(block.out, abcd);
			block.out[4] = e;
			attacks |= blocksha_sha1dc_check(
				&block, blocksha_sha1dc_candidates(block.w, survivors));
		}
	}

	vst1q_u32(state, abcd);
	state[4] = e;
	return attacks != 0;
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
