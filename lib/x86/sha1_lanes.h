/* SPDX-License-Identifier: MIT */
/*
 * sha1_lanes.h - SHA-1 of LANES_SETS * LANES_WIDTH messages side by side: the
 * template of the kernels that keep one message in each element of a vector.
 *
 * Parameters, to be defined before this file is included:
 *
 *   lanes_avx2.h or lanes_avx512.h   the vectors; LANES_WIDTH is their number of elements
 *   LANES_SETS                       1, or 2: two sets of messages, step by step in turn
 *   LANES_KERNEL                     the name of the function; not for sha1dc_lanes.h, which
 *                                    only uses the steps
 *
 * What bounds it: the newest state word goes through a rotation and an addition in
 * each of 80 steps, and on Zen 5 each of the two has a latency of 2 cycles. So one
 * set takes at least 320 cycles, whatever else there is to do, and leaves the vector
 * units idle for a third of the time. A second set fills them: then the about 840
 * vector instructions of a set (10 a step) bound it to 210 cycles.
 */
#include "../common.h"
#include "../kernel.h"
#include "lanes.h"

#define SHA1_STEPS 80

/*
 * The message schedule of all sets: word t of set i at [t * LANES_SETS + i]. All of it
 * stays in memory: registers do not suffice for the 16 words that the expansion looks
 * back at, and memory operands are free next to that much arithmetic. The step that
 * uses word t makes word t + 16, so that their one load serves both; steps go in fives,
 * so the last of them makes one word more than SHA-1 has.
 */
typedef vec sha1_schedule[(SHA1_STEPS + 1) * LANES_SETS];

/* f of FIPS 180-4 section 4.1.1. */
LANES_INLINE vec sha1_f(unsigned quarter, vec x, vec y, vec z)
{
	switch (quarter) {
	case 0:
		return vec_choose(x, y, z);
	case 2:
		return vec_majority(x, y, z);
	default:
		return vec_xor3(x, y, z);
	}
}

/*
 * Step r of five of one set. Instead of moving a to b, b to c and so on, the roles move:
 * after five steps they are where they were.
 */
LANES_INLINE void sha1_step(vec *state, unsigned r, unsigned quarter, vec k, vec *word)
{
	vec a = state[(5 - r) % 5], b = state[(6 - r) % 5];
	vec c = state[(7 - r) % 5], d = state[(8 - r) % 5];
	vec sum, a5, b30;

	/* a is the word that the step before has just made: it comes last, so that
	   nothing but one rotation and one addition waits for it. */
	sum = vec_add(state[(9 - r) % 5], k);
	LANES_FENCE(sum);
	sum = vec_add(sum, *word);
	a5 = vec_rotl(a, 5);
	b30 = vec_rotl(b, 30);
	LANES_FENCE2(sum, *word); /* from here on the word may be overwritten */
	sum = vec_add(sum, sha1_f(quarter, b, c, d));
	LANES_FENCE(sum);
	state[(9 - r) % 5] = vec_add(sum, a5);
	state[(6 - r) % 5] = b30;
}

/*
 * Makes word r + 16 of the schedule: rotl1(W[t-3] ^ W[t-8] ^ W[t-14] ^ W[t-16]) with t = r + 16
 * (section 6.1.2). word0 and word2 are the words r and r + 2, already in registers.
 */
LANES_INLINE void sha1_expand(vec *w, unsigned r, vec word0, vec word2)
{
	vec x = vec_xor3(word0, word2, w[(r + 8) * LANES_SETS]);

	w[(r + 16) * LANES_SETS] = vec_rotl(vec_xor(x, w[(r + 13) * LANES_SETS]), 1);
}

/* Step r of one set with its expansion; words[] keeps each word for the next step but one. */
LANES_INLINE void sha1_step_expand(vec *state, unsigned r, unsigned quarter, vec k, vec *w,
				   vec *words)
{
	words[r + 2] = w[(r + 2) * LANES_SETS];
	LANES_FENCE(words[r + 2]); /* one load for both */
	sha1_step(state, r, quarter, k, &words[r]);
	sha1_expand(w, r, words[r], words[r + 2]);
}

LANES_INLINE void sha1_first_words(vec *words, const vec *w)
{
	words[0] = w[0];
	words[1] = w[LANES_SETS];
	LANES_FENCE2(words[0], words[1]);
}

/* Step r of one set whose schedule is complete. */
LANES_INLINE void sha1_step_only(vec *state, unsigned r, unsigned quarter, vec k, const vec *w)
{
	vec word = w[r * LANES_SETS];

	sha1_step(state, r, quarter, k, &word);
}

/* Five steps of all sets; w is the place of the first one's word. */
LANES_INLINE void sha1_five_expand(vec state[LANES_SETS][5], unsigned quarter, vec k, vec *w)
{
	vec words[LANES_SETS][7];

	LANES_EACH_SET(sha1_first_words(words[set], w + set));
	LANES_EACH_SET(sha1_step_expand(state[set], 0, quarter, k, w + set, words[set]));
	LANES_EACH_SET(sha1_step_expand(state[set], 1, quarter, k, w + set, words[set]));
	LANES_EACH_SET(sha1_step_expand(state[set], 2, quarter, k, w + set, words[set]));
	LANES_EACH_SET(sha1_step_expand(state[set], 3, quarter, k, w + set, words[set]));
	LANES_EACH_SET(sha1_step_expand(state[set], 4, quarter, k, w + set, words[set]));
}

LANES_INLINE void sha1_five(vec state[LANES_SETS][5], unsigned quarter, vec k, const vec *w)
{
	LANES_EACH_SET(sha1_step_only(state[set], 0, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(state[set], 1, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(state[set], 2, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(state[set], 3, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(state[set], 4, quarter, k, w + set));
}

/*
 * The steps from 5 * from to 5 * to - 1, all of one quarter, and a piece of the next block
 * with each five. The last 15 steps find their words already made.
 */
LANES_INLINE void sha1_fives(vec state[LANES_SETS][5], unsigned from, unsigned to, vec k, vec *w,
			     const struct lanes_ahead *ahead)
{
	for (unsigned five = from; five < to; five++) {
		vec *at = w + (size_t)5 * five * LANES_SETS;

		if (from < 13)
			sha1_five_expand(state, from / 4, k, at);
		else
			sha1_five(state, from / 4, k, at);
		lanes_do_ahead(ahead, five);
	}
}

/* Word j of the state of one set. The calls are written out, as gcc -O2 would keep a loop. */
LANES_INLINE vec sha1_load(const uint32_t *state, size_t j)
{
	return vec_load(state + j * BLOCKSHA_LANES_MAX);
}

LANES_INLINE void sha1_add(uint32_t *state, size_t j, vec x)
{
	vec_store(state + j * BLOCKSHA_LANES_MAX, vec_add(sha1_load(state, j), x));
}

LANES_INLINE void sha1_load_state(vec *s, const uint32_t *state)
{
	s[0] = sha1_load(state, 0);
	s[1] = sha1_load(state, 1);
	s[2] = sha1_load(state, 2);
	s[3] = sha1_load(state, 3);
	s[4] = sha1_load(state, 4);
}

LANES_INLINE void sha1_add_state(uint32_t *state, const vec *s)
{
	sha1_add(state, 0, s[0]);
	sha1_add(state, 1, s[1]);
	sha1_add(state, 2, s[2]);
	sha1_add(state, 3, s[3]);
	sha1_add(state, 4, s[4]);
}

#ifdef LANES_KERNEL
LANES_TARGET void LANES_KERNEL(uint32_t *state, const unsigned char *const *data, size_t nblocks)
{
	_Alignas(64) unsigned char stage[LANES_MESSAGES][64];
	const unsigned char *staged[LANES_MESSAGES];
	const unsigned char *const *blocks = data;
	sha1_schedule schedule;

	for (size_t l = 0; l < LANES_MESSAGES; l++)
		staged[l] = stage[l];
	for (size_t n = 0; n < nblocks; n++) {
		const struct lanes_ahead ahead = lanes_look_ahead(stage, data, n, nblocks);
		vec s[LANES_SETS][5], *w = schedule;

		LANES_EACH_SET(vec_load_block(w + set, LANES_SETS, blocks + set * LANES_WIDTH));
		LANES_EACH_SET(sha1_load_state(s[set], state + set * LANES_WIDTH));
		sha1_fives(s, 0, 4, vec_set1(0x5a827999), w, &ahead);
		sha1_fives(s, 4, 8, vec_set1(0x6ed9eba1), w, &ahead);
		sha1_fives(s, 8, 12, vec_set1(0x8f1bbcdc), w, &ahead);
		sha1_fives(s, 12, 13, vec_set1(0xca62c1d6), w, &ahead);
		sha1_fives(s, 13, 16, vec_set1(0xca62c1d6), w, &ahead);
		LANES_EACH_SET(sha1_add_state(state + set * LANES_WIDTH, s[set]));
		blocks = staged;
	}
}
#endif
