/* SPDX-License-Identifier: MIT */
/*
 * sha1_steps.h - the functions, constants and steps of SHA-1 as the portable
 * kernels write them: FIPS 180-4 sections 4.1.1, 4.2.1 and 6.1.2.
 */
#ifndef BLOCKSHA_SHA1_STEPS_H
#define BLOCKSHA_SHA1_STEPS_H

#include <stdint.h>

/* Ch and Maj are written with the fewest operations; the two terms of Maj have no
   bit in common, so + does for |, and the sum may then be added in any order. */
#define Ch(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define Parity(x, y, z) ((x) ^ (y) ^ (z))
#define Maj(x, y, z) (((x) & (y)) + ((z) & ((x) ^ (y))))

/* K for the steps 0-19, 20-39, 40-59, 60-79. */
#define K0 UINT32_C(0x5a827999)
#define K1 UINT32_C(0x6ed9eba1)
#define K2 UINT32_C(0x8f1bbcdc)
#define K3 UINT32_C(0xca62c1d6)

#define ROTL(x, n) ((x) << (n) | (x) >> (32 - (n)))

/* The message schedule: W_t from W_t-3, W_t-8, W_t-14 and W_t-16. */
static inline uint32_t sha1_schedule(uint32_t w3, uint32_t w8, uint32_t w14, uint32_t w16)
{
	uint32_t x = w3 ^ w8 ^ w14 ^ w16;

	return ROTL(x, 1);
}

/* One step without the moves: what the standard calls T lands in e, which is the
   next step's a. */
#define STEP(f, k, word, a, b, c, d, e)                      \
	do {                                                 \
		e += (word) + ROTL(a, 5) + f(b, c, d) + (k); \
		b = ROTL(b, 30);                             \
	} while (0)

/* Five steps, after which every variable is back in its role. word(t) gives W_t. */
#define FIVE(f, k, word, t)                       \
	STEP(f, k, word(t), a, b, c, d, e);       \
	STEP(f, k, word((t) + 1), e, a, b, c, d); \
	STEP(f, k, word((t) + 2), d, e, a, b, c); \
	STEP(f, k, word((t) + 3), c, d, e, a, b); \
	STEP(f, k, word((t) + 4), b, c, d, e, a)

/* The value of f with its constant in step t, for code that loops. */
static inline uint32_t sha1_f(unsigned t, uint32_t b, uint32_t c, uint32_t d)
{
	if (t < 20)
		return Ch(b, c, d) + K0;
	if (t < 40)
		return Parity(b, c, d) + K1;
	if (t < 60)
		return Maj(b, c, d) + K2;
	return Parity(b, c, d) + K3;
}

#endif
