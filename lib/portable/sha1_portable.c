/* SPDX-License-Identifier: MIT */
/*
 * sha1_portable.c - the SHA-1 compression function, FIPS 180-4 section 6.1.2,
 * in C for every CPU and compiler.
 *
 * Two forms of the same 80 steps. The default one is unrolled: the five working
 * variables change their roles from step to step instead of being moved, and
 * the compiler sees which step it is in. The compact one (BLOCKSHA_COMPACT)
 * loops, for machines where code size counts. Both keep the message schedule as
 * a circle of 16 words in memory: 80 words would only cost stack, and where
 * registers are few the compiler takes a word from memory as an operand.
 * docs/performance.md has both figures.
 */
#include "blocksha_byteorder.h"
#include "../common.h"
#include "../kernel.h"
#include "../sha1_steps.h"

/* The message schedule, section 6.1.2 step 1 (and 6.1.3 for the circle): W_t
   from the block, and from the words before. */
#define W(t) w[(t)&15]
#define LOAD(t) (W(t) = blocksha_get_be32(data + 4 * (t)))
#define EXPAND(t) (W(t) = sha1_schedule(W((t)-3), W((t)-8), W((t)-14), W(t)))

#ifndef BLOCKSHA_COMPACT

#define TWENTY(f, k, t)               \
	FIVE(f, k, EXPAND, t);        \
	FIVE(f, k, EXPAND, (t) + 5);  \
	FIVE(f, k, EXPAND, (t) + 10); \
	FIVE(f, k, EXPAND, (t) + 15)

void blocksha_sha1_portable(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	uint32_t w[16];

	for (; nblocks > 0; nblocks--, data += 64) {
		uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

		FIVE(Ch, K0, LOAD, 0);
		FIVE(Ch, K0, LOAD, 5);
		FIVE(Ch, K0, LOAD, 10);
		STEP(Ch, K0, LOAD(15), a, b, c, d, e);
		STEP(Ch, K0, EXPAND(16), e, a, b, c, d);
		STEP(Ch, K0, EXPAND(17), d, e, a, b, c);
		STEP(Ch, K0, EXPAND(18), c, d, e, a, b);
		STEP(Ch, K0, EXPAND(19), b, c, d, e, a);
		TWENTY(Parity, K1, 20);
		TWENTY(Maj, K2, 40);
		TWENTY(Parity, K3, 60);

		state[0] += a;
		state[1] += b;
		state[2] += c;
		state[3] += d;
		state[4] += e;
	}
}

#else

void blocksha_sha1_portable(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	uint32_t w[16];

	for (; nblocks > 0; nblocks--, data += 64) {
		uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

		for (unsigned t = 0; t < 80; t++) {
			uint32_t sum = t < 16 ? LOAD(t) : EXPAND(t);

			sum += ROTL(a, 5) + sha1_f(t, b, c, d) + e;
			e = d;
			d = c;
			c = ROTL(b, 30);
			b = a;
			a = sum;
		}

		state[0] += a;
		state[1] += b;
		state[2] += c;
		state[3] += d;
		state[4] += e;
	}
}

#endif
