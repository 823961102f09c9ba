/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_portable.c - SHA-1 with collision detection in C for every CPU: the steps
 * as in sha1_portable.c, but all 80 words and the states that the check needs are
 * kept.
 */
#include "blocksha_byteorder.h"
#include "../common.h"
#include "../kernel.h"
#include "../sha1dc/check.h"
#include "../sha1_steps.h"

#define W(t) w[t]
#define LOAD(t) (W(t) = blocksha_get_be32(data + 4 * (t)))
#define EXPAND(t) (W(t) = sha1_schedule(W((t)-3), W((t)-8), W((t)-14), W((t)-16)))

static inline void keep(uint32_t state[5], uint32_t a, uint32_t b, uint32_t c, uint32_t d,
			uint32_t e)
{
	state[0] = a;
	state[1] = b;
	state[2] = c;
	state[3] = d;
	state[4] = e;
}

#ifndef BLOCKSHA_COMPACT

void blocksha_sha1dc_compress(uint32_t *state, const unsigned char *data,
			      struct blocksha_sha1dc_block *block)
{
	/* cppcheck-suppress ctuuninitvar; only written */
	uint32_t *w = block->w;
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

	FIVE(Ch, K0, LOAD, 0);
	FIVE(Ch, K0, LOAD, 5);
	FIVE(Ch, K0, LOAD, 10);
	STEP(Ch, K0, LOAD(15), a, b, c, d, e);
	STEP(Ch, K0, EXPAND(16), e, a, b, c, d);
	STEP(Ch, K0, EXPAND(17), d, e, a, b, c);
	STEP(Ch, K0, EXPAND(18), c, d, e, a, b);
	STEP(Ch, K0, EXPAND(19), b, c, d, e, a);
	FIVE(Parity, K1, EXPAND, 20);
	FIVE(Parity, K1, EXPAND, 25);
	FIVE(Parity, K1, EXPAND, 30);
	FIVE(Parity, K1, EXPAND, 35);
	FIVE(Maj, K2, EXPAND, 40);
	FIVE(Maj, K2, EXPAND, 45);
	FIVE(Maj, K2, EXPAND, 50);
	STEP(Maj, K2, EXPAND(55), a, b, c, d, e);
	/* cppcheck-suppress uninitvar; only written */
	keep(block->state[0], e, a, b, c, d);
	STEP(Maj, K2, EXPAND(56), e, a, b, c, d);
	STEP(Maj, K2, EXPAND(57), d, e, a, b, c);
	STEP(Maj, K2, EXPAND(58), c, d, e, a, b);
	STEP(Maj, K2, EXPAND(59), b, c, d, e, a);
	keep(block->state[1], a, b, c, d, e);
	STEP(Parity, K3, EXPAND(60), a, b, c, d, e);
	STEP(Parity, K3, EXPAND(61), e, a, b, c, d);
	STEP(Parity, K3, EXPAND(62), d, e, a, b, c);
	STEP(Parity, K3, EXPAND(63), c, d, e, a, b);
	keep(block->state[2], b, c, d, e, a);
	STEP(Parity, K3, EXPAND(64), b, c, d, e, a);
	STEP(Parity, K3, EXPAND(65), a, b, c, d, e);
	STEP(Parity, K3, EXPAND(66), e, a, b, c, d);
	STEP(Parity, K3, EXPAND(67), d, e, a, b, c);
	keep(block->state[3], c, d, e, a, b);
	STEP(Parity, K3, EXPAND(68), c, d, e, a, b);
	STEP(Parity, K3, EXPAND(69), b, c, d, e, a);
	FIVE(Parity, K3, EXPAND, 70);
	FIVE(Parity, K3, EXPAND, 75);

	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	keep(block->out, state[0], state[1], state[2], state[3], state[4]);
}

#else

void blocksha_sha1dc_compress(uint32_t *state, const unsigned char *data,
			      struct blocksha_sha1dc_block *block)
{
	/* cppcheck-suppress ctuuninitvar; only written */
	uint32_t *w = block->w;
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];

	for (unsigned t = 0; t < 80; t++) {
		uint32_t word = t < 16 ? LOAD(t) : EXPAND(t);
		uint32_t sum = ROTL(a, 5) + sha1_f(t, b, c, d) + e + word;

		if (t >= 56 && t <= 68 && t % 4 == 0)
			keep(block->state[(t - 56) / 4], a, b, c, d, e);
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
	keep(block->out, state[0], state[1], state[2], state[3], state[4]);
}

#endif

int blocksha_sha1dc_portable(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	struct blocksha_sha1dc_block blocks[4];
	int attack = 0;

	for (; nblocks >= 4; nblocks -= 4, data += 256) {
		for (size_t i = 0; i < 4; i++)
			blocksha_sha1dc_compress(state, data + 64 * i, &blocks[i]);
		attack |= blocksha_sha1dc_check_four(blocks);
	}
	for (; nblocks > 0; nblocks--, data += 64) {
		uint32_t dvs;

		blocksha_sha1dc_compress(state, data, &blocks[0]);
		dvs = blocksha_sha1dc_filter(blocks[0].w);
		if (dvs != 0 && blocksha_sha1dc_check(&blocks[0], dvs) != 0)
			attack = 1;
	}
	return attack;
}
