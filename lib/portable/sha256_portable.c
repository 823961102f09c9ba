/* SPDX-License-Identifier: MIT */
/*
 * sha256_portable.c - the SHA-256 compression function, FIPS 180-4 section
 * 6.2.2, in C for every CPU and compiler.
 *
 * As in sha1_portable.c there is an unrolled form, where the eight working
 * variables change their roles instead of being moved, and a compact one
 * (BLOCKSHA_COMPACT), and the message schedule is a circle of 16 words.
 */
#include "blocksha_byteorder.h"
#include "../common.h"
#include "../kernel.h"
#include "../sha256_k.h"

#define ROTR(x, n) ((x) >> (n) | (x) << (32 - (n)))

/* Section 4.1.2; sums of terms without common bits, as in sha1_portable.c. */
#define Ch(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define Maj(x, y, z) (((x) & (y)) + ((z) & ((x) ^ (y))))
#define Sigma0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define Sigma1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define sigma0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ (x) >> 3)
#define sigma1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ (x) >> 10)

/* The message schedule, section 6.2.2 step 1: W_t from the block, and from the
   words before. */
#define W(t) w[(t)&15]
#define LOAD(t) (W(t) = blocksha_get_be32(data + 4 * (t)))
#define EXPAND(t) (W(t) += sigma1(W((t)-2)) + W((t)-7) + sigma0(W((t)-15)))

#ifndef BLOCKSHA_COMPACT

/* Step t without the moves: T1 + T2 lands in h, which is the next step's a, and
   d + T1 in d, the next step's e. */
#define STEP(word, t, a, b, c, d, e, f, g, h)                        \
	do {                                                         \
		h += Sigma1(e) + Ch(e, f, g) + sha256_k[t] + (word); \
		d += h;                                              \
		h += Sigma0(a) + Maj(a, b, c);                       \
	} while (0)

#define EIGHT(word, t)                                        \
	STEP(word(t), t, a, b, c, d, e, f, g, h);             \
	STEP(word((t) + 1), (t) + 1, h, a, b, c, d, e, f, g); \
	STEP(word((t) + 2), (t) + 2, g, h, a, b, c, d, e, f); \
	STEP(word((t) + 3), (t) + 3, f, g, h, a, b, c, d, e); \
	STEP(word((t) + 4), (t) + 4, e, f, g, h, a, b, c, d); \
	STEP(word((t) + 5), (t) + 5, d, e, f, g, h, a, b, c); \
	STEP(word((t) + 6), (t) + 6, c, d, e, f, g, h, a, b); \
	STEP(word((t) + 7), (t) + 7, b, c, d, e, f, g, h, a)

void blocksha_sha256_portable(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	uint32_t w[16];

	for (; nblocks > 0; nblocks--, data += 64) {
		uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
		uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

		EIGHT(LOAD, 0);
		EIGHT(LOAD, 8);
		for (unsigned t = 16; t < 64; t += 16) {
			EIGHT(EXPAND, t);
			EIGHT(EXPAND, t + 8);
		}

		state[0] += a;
		state[1] += b;
		state[2] += c;
		state[3] += d;
		state[4] += e;
		state[5] += f;
		state[6] += g;
		state[7] += h;
	}
}

#else

void blocksha_sha256_portable(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	uint32_t w[16];

	for (; nblocks > 0; nblocks--, data += 64) {
		uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
		uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

		for (unsigned t = 0; t < 64; t++) {
			uint32_t t1 = t < 16 ? LOAD(t) : EXPAND(t);

			t1 += h + Sigma1(e) + Ch(e, f, g) + sha256_k[t];
			h = g;
			g = f;
			f = e;
			e = d + t1;
			t1 += Sigma0(a) + Maj(a, b, c);
			d = c;
			c = b;
			b = a;
			a = t1;
		}

		state[0] += a;
		state[1] += b;
		state[2] += c;
		state[3] += d;
		state[4] += e;
		state[5] += f;
		state[6] += g;
		state[7] += h;
	}
}

#endif
