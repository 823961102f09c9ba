/* SPDX-License-Identifier: MIT */
/*
 * check.c - the filter and the check in C for every CPU.
 *
 * The check needs no step backwards. If the block is one half of a near-collision
 * built on the DV, then the other half, with the words W' = W ^ difference, has the
 * same state before dv->step and the same chaining value out behind the block. So
 * its steps from dv->step to 79 give s80', and its chaining value before the block
 * is out - s80'. The steps are bijective: it is an attack if and only if the steps
 * from there, with W', lead to the state before dv->step.
 */
#include <string.h>

#include "../common.h"
#include "blocksha_byteorder.h"
#include "../sha1_steps.h"
#include "check.h"
#include "filter.h"
#include "tables.h"

/* Whether w fulfils all conditions of the DV of this class and K. */
static int fulfils(const uint32_t *w, unsigned class, unsigned k)
{
	for (unsigned i = blocksha_sha1dc_first[class]; i < blocksha_sha1dc_first[class + 1]; i++) {
		const struct blocksha_ubc *c = &blocksha_sha1dc_conditions[i];
		uint32_t bit1 = w[(int)k + c->offset1] >> c->bit1;
		uint32_t bit2 = w[(int)k + c->offset2] >> c->bit2;

		if ((c->ks >> (k - 43) & 1) != 0 && ((bit1 ^ bit2) & 1) != c->differ)
			return 0;
	}
	return 1;
}

uint32_t blocksha_sha1dc_candidates(const uint32_t w[80], const uint32_t survivors[4])
{
	uint32_t dvs = 0;

	for (unsigned class = 0; class < BLOCKSHA_SHA1DC_CLASSES; class ++)
		for (uint32_t left = survivors[class]; left != 0; left &= left - 1) {
			unsigned k = BLOCKSHA_LOWEST_BIT(left) + 25;

			if (fulfils(w, class, k))
				dvs |= UINT32_C(1) << blocksha_sha1dc_index[class][k - 43];
		}
	return dvs;
}

/* Each sum moves up by one bit a word, from the last word to the first, so that the
   chosen bits of the words come to lie side by side. Bits 4 and 29 are 25 apart and
   share a sum for 16 words at a time. */
static struct blocksha_sha1dc_bits gather(const uint32_t *w)
{
	uint64_t low = 0, high = 0, one = 0, six = 0;

	for (unsigned t = 48; t >= 33; t--) {
		low = 2 * low + (w[t] & UINT32_C(0x20000010));
		high = 2 * high + (w[t + 16] & UINT32_C(0x20000010));
	}
	for (unsigned t = 64; t >= 33; t--) {
		one = 2 * one + (w[t] & UINT32_C(0x02));
		six = 2 * six + (w[t] & UINT32_C(0x40));
	}
	return (struct blocksha_sha1dc_bits){
		.b1 = (uint32_t)(one >> 1),
		.b4 = (uint32_t)((low >> 4 & 0xffff) | (high >> 4 & 0xffff) << 16),
		.b6 = (uint32_t)(six >> 6),
		.b29 = (uint32_t)((low >> 29 & 0xffff) | (high >> 29 & 0xffff) << 16),
	};
}

uint32_t blocksha_sha1dc_filter(const uint32_t w[80])
{
	uint32_t survivors[BLOCKSHA_SHA1DC_CLASSES];

	if (blocksha_sha1dc_survivors(gather(w), survivors) == 0)
		return 0;
	return blocksha_sha1dc_candidates(w, survivors);
}

/* The steps t..to-1, as far as they have the function f. Most go in fours, without the moves
   between them. */
#define WORD(t) (w[t] ^ diff[t])
#define STEPS(f, k, end)                                        \
	for (; t < to && t < (end); t++) {                      \
		uint32_t x = a;                                 \
                                                                \
		if (t + 4 <= to && t + 4 <= (end)) {            \
			STEP(f, k, WORD(t), x, b, c, d, e);     \
			STEP(f, k, WORD(t + 1), e, x, b, c, d); \
			STEP(f, k, WORD(t + 2), d, e, x, b, c); \
			STEP(f, k, WORD(t + 3), c, d, e, x, b); \
			a = b, b = c, c = d, d = e, e = x;      \
			t += 3;                                 \
		} else {                                        \
			STEP(f, k, WORD(t), x, b, c, d, e);     \
			a = e, e = d, d = c, c = b, b = x;      \
		}                                               \
	}

/* The steps from..to-1 of FIPS 180-4 section 6.1.2 step 3 on the words W ^ diff. */
static void steps(uint32_t s[5], const uint32_t *w, const uint32_t *diff, unsigned from,
		  unsigned to)
{
	uint32_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4];
	unsigned t = from;

	STEPS(Ch, K0, 20)
	STEPS(Parity, K1, 40)
	STEPS(Maj, K2, 60)
	STEPS(Parity, K3, 80)
	s[0] = a;
	s[1] = b;
	s[2] = c;
	s[3] = d;
	s[4] = e;
}

/* Whether the steps of the other half lead from this chaining value to the common state. */
static int leads_to_common(const struct blocksha_sha1dc_block *block, const struct blocksha_dv *dv,
			   const uint32_t in[5])
{
	uint32_t s[5];

	memcpy(s, in, sizeof(s));
	steps(s, block->w, blocksha_sha1dc_difference(dv), 0, dv->step);
	return memcmp(s, block->state[(dv->step - 56) / 4], sizeof(s)) == 0;
}

void blocksha_sha1dc_other_in(const struct blocksha_sha1dc_block *block, unsigned vector,
			      uint32_t in[5])
{
	const struct blocksha_dv *dv = &blocksha_sha1dc_dvs[vector];

	memcpy(in, block->state[(dv->step - 56) / 4], 5 * sizeof(in[0]));
	steps(in, block->w, blocksha_sha1dc_difference(dv), dv->step, 80);
	for (unsigned i = 0; i < 5; i++)
		in[i] = block->out[i] - in[i];
}

uint32_t blocksha_sha1dc_check(const struct blocksha_sha1dc_block *block, uint32_t dvs)
{
	uint32_t attacks = 0;

	for (; dvs != 0; dvs &= dvs - 1) {
		unsigned i = BLOCKSHA_LOWEST_BIT(dvs);
		uint32_t in[5];

		blocksha_sha1dc_other_in(block, i, in);
		if (leads_to_common(block, &blocksha_sha1dc_dvs[i], in))
			attacks |= UINT32_C(1) << i;
	}
	return attacks;
}

uint32_t blocksha_sha1dc_check_reduced(const struct blocksha_sha1dc_block *block,
				       const uint32_t in[5], uint32_t dvs)
{
	uint32_t attacks = 0;

	for (unsigned i = 0; i < BLOCKSHA_SHA1DC_DVS; i++)
		if ((dvs >> i & 1) != 0 && leads_to_common(block, &blocksha_sha1dc_dvs[i], in))
			attacks |= UINT32_C(1) << i;
	return attacks;
}

static int check_half(const struct blocksha_sha1dc_half *half)
{
	static const uint32_t no_difference[80];
	uint32_t w[80], s[5];

	for (unsigned t = 0; t < 16; t++)
		w[t] = blocksha_get_be32(half->block + 4 * t);
	for (unsigned t = 16; t < 80; t++)
		w[t] = sha1_schedule(w[t - 3], w[t - 8], w[t - 14], w[t - 16]);
	memcpy(s, half->common, sizeof(s));
	steps(s, w, no_difference, half->step, 80);
	for (unsigned i = 0; i < 5; i++)
		s[i] = half->out[i] - s[i];
	steps(s, w, no_difference, 0, half->step);
	return memcmp(s, half->common, sizeof(s)) == 0;
}

uint32_t blocksha_sha1dc_check_halves(const struct blocksha_sha1dc_half *halves, unsigned count)
{
	uint32_t attacks = 0;

	for (unsigned i = 0; i < count; i++)
		attacks |= (uint32_t)check_half(&halves[i]) << i;
	return attacks;
}
