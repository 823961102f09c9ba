/* SPDX-License-Identifier: MIT */
/*
 * sha256_lanes.h - SHA-256 of LANES_SETS * LANES_WIDTH messages side by side: the
 * template of the kernels that keep one message in each element of a vector.
 *
 * Parameters and plan are those of sha1_lanes.h.
 *
 * What bounds it: e goes through a rotation, an exclusive or and two additions in each
 * of 64 steps, 8 cycles on Zen 5 where each of them has a latency of 2. So one set takes
 * at least 512 cycles. A second set fills the gaps, and then the about 1700 vector
 * instructions of a set (28 a step) bound it to 426 cycles.
 */
#include "../common.h"
#include "../kernel.h"
#include "lanes.h"
#include "../sha256_k.h"

#define SHA256_STEPS 64

/*
 * The message schedule of all sets: word t of set i at [t * LANES_SETS + i]. All of it
 * stays in memory, and the step that uses word t makes word t + 16, as in sha1_lanes.h.
 */
typedef vec sha256_schedule[SHA256_STEPS * LANES_SETS];

/* The functions of FIPS 180-4 section 4.1.2: two that rotate, two that also shift. */
#define SHA256_BIG_SIGMA(x, i, j, k) vec_xor3(vec_rotr(x, i), vec_rotr(x, j), vec_rotr(x, k))
#define SHA256_SMALL_SIGMA(x, i, j, k) vec_xor3(vec_rotr(x, i), vec_rotr(x, j), vec_shr(x, k))

/*
 * Step r of eight of one set. Instead of moving a to b, b to c and so on, the roles move:
 * after eight steps they are where they were.
 */
LANES_INLINE void sha256_step(vec *state, unsigned r, uint32_t k, vec *word)
{
	vec a = state[(8 - r) % 8], b = state[(9 - r) % 8], c = state[(10 - r) % 8];
	vec e = state[(12 - r) % 8], f = state[(13 - r) % 8], g = state[(14 - r) % 8];
	vec t1, t2;

	/* e is the word that the step before has just made: it comes last. */
	t1 = vec_add(state[(15 - r) % 8], vec_set1(k));
	LANES_FENCE(t1);
	t1 = vec_add(t1, *word);
	LANES_FENCE2(t1, *word);
	t1 = vec_add(t1, vec_choose(e, f, g));
	LANES_FENCE(t1);
	t1 = vec_add(t1, SHA256_BIG_SIGMA(e, 6, 11, 25));
	t2 = vec_add(vec_majority(a, b, c), SHA256_BIG_SIGMA(a, 2, 13, 22));
	LANES_FENCE(t2);
	state[(11 - r) % 8] = vec_add(state[(11 - r) % 8], t1);
	state[(15 - r) % 8] = vec_add(t1, t2);
}

/* Step r of one set, and word r + 16 of its schedule. words[] keeps each word for the next step. */
LANES_INLINE void sha256_step_expand(vec *state, unsigned r, uint32_t k, vec *w, vec *words)
{
	vec x, word14 = w[(r + 14) * LANES_SETS];

	words[r + 1] = w[(r + 1) * LANES_SETS];
	LANES_FENCE2(words[r + 1], word14); /* one load each */
	sha256_step(state, r, k, &words[r]);
	x = vec_add(words[r], w[(r + 9) * LANES_SETS]);
	LANES_FENCE(x);
	x = vec_add(x, SHA256_SMALL_SIGMA(words[r + 1], 7, 18, 3));
	LANES_FENCE(x);
	w[(r + 16) * LANES_SETS] = vec_add(x, SHA256_SMALL_SIGMA(word14, 17, 19, 10));
}

/* Step r of one set whose schedule is complete. */
LANES_INLINE void sha256_step_only(vec *state, unsigned r, uint32_t k, const vec *w)
{
	vec word = w[r * LANES_SETS];

	sha256_step(state, r, k, &word);
}

/* Eight steps of all sets; w is the place of the first one's word. */
LANES_INLINE void sha256_eight_expand(vec state[LANES_SETS][8], const uint32_t *k, vec *w)
{
	vec words[LANES_SETS][9];

	LANES_EACH_SET(words[set][0] = w[set]);
	LANES_EACH_SET(sha256_step_expand(state[set], 0, k[0], w + set, words[set]));
	LANES_EACH_SET(sha256_step_expand(state[set], 1, k[1], w + set, words[set]));
	LANES_EACH_SET(sha256_step_expand(state[set], 2, k[2], w + set, words[set]));
	LANES_EACH_SET(sha256_step_expand(state[set], 3, k[3], w + set, words[set]));
	LANES_EACH_SET(sha256_step_expand(state[set], 4, k[4], w + set, words[set]));
	LANES_EACH_SET(sha256_step_expand(state[set], 5, k[5], w + set, words[set]));
	LANES_EACH_SET(sha256_step_expand(state[set], 6, k[6], w + set, words[set]));
	LANES_EACH_SET(sha256_step_expand(state[set], 7, k[7], w + set, words[set]));
}

LANES_INLINE void sha256_eight(vec state[LANES_SETS][8], const uint32_t *k, const vec *w)
{
	LANES_EACH_SET(sha256_step_only(state[set], 0, k[0], w + set));
	LANES_EACH_SET(sha256_step_only(state[set], 1, k[1], w + set));
	LANES_EACH_SET(sha256_step_only(state[set], 2, k[2], w + set));
	LANES_EACH_SET(sha256_step_only(state[set], 3, k[3], w + set));
	LANES_EACH_SET(sha256_step_only(state[set], 4, k[4], w + set));
	LANES_EACH_SET(sha256_step_only(state[set], 5, k[5], w + set));
	LANES_EACH_SET(sha256_step_only(state[set], 6, k[6], w + set));
	LANES_EACH_SET(sha256_step_only(state[set], 7, k[7], w + set));
}

/*
 * The steps from 8 * from to 8 * to - 1, and two pieces of the next block with each eight.
 * The last 16 steps find their words already made.
 */
LANES_INLINE void sha256_eights(vec state[LANES_SETS][8], unsigned from, unsigned to, vec *w,
				const struct lanes_ahead *ahead)
{
	for (unsigned eight = from; eight < to; eight++) {
		vec *at = w + (size_t)8 * eight * LANES_SETS;
		const uint32_t *k = sha256_k + (size_t)8 * eight;

		if (from < 6)
			sha256_eight_expand(state, k, at);
		else
			sha256_eight(state, k, at);
		lanes_do_ahead(ahead, 2 * eight);
		lanes_do_ahead(ahead, 2 * eight + 1);
	}
}

/* Word j of the state of one set. The calls are written out, as gcc -O2 would keep a loop. */
LANES_INLINE vec sha256_load(const uint32_t *state, size_t j)
{
	return vec_load(state + j * BLOCKSHA_LANES_MAX);
}

LANES_INLINE void sha256_add(uint32_t *state, size_t j, vec x)
{
	vec_store(state + j * BLOCKSHA_LANES_MAX, vec_add(sha256_load(state, j), x));
}

LANES_INLINE void sha256_load_state(vec *s, const uint32_t *state)
{
	s[0] = sha256_load(state, 0);
	s[1] = sha256_load(state, 1);
	s[2] = sha256_load(state, 2);
	s[3] = sha256_load(state, 3);
	s[4] = sha256_load(state, 4);
	s[5] = sha256_load(state, 5);
	s[6] = sha256_load(state, 6);
	s[7] = sha256_load(state, 7);
}

LANES_INLINE void sha256_add_state(uint32_t *state, const vec *s)
{
	sha256_add(state, 0, s[0]);
	sha256_add(state, 1, s[1]);
	sha256_add(state, 2, s[2]);
	sha256_add(state, 3, s[3]);
	sha256_add(state, 4, s[4]);
	sha256_add(state, 5, s[5]);
	sha256_add(state, 6, s[6]);
	sha256_add(state, 7, s[7]);
}

LANES_TARGET void LANES_KERNEL(uint32_t *state, const unsigned char *const *data, size_t nblocks)
{
	_Alignas(64) unsigned char stage[LANES_MESSAGES][64];
	const unsigned char *staged[LANES_MESSAGES];
	const unsigned char *const *blocks = data;
	sha256_schedule schedule;

	for (size_t l = 0; l < LANES_MESSAGES; l++)
		staged[l] = stage[l];
	for (size_t n = 0; n < nblocks; n++) {
		const struct lanes_ahead ahead = lanes_look_ahead(stage, data, n, nblocks);
		vec s[LANES_SETS][8], *w = schedule;

		LANES_EACH_SET(vec_load_block(w + set, LANES_SETS, blocks + set * LANES_WIDTH));
		LANES_EACH_SET(sha256_load_state(s[set], state + set * LANES_WIDTH));
		sha256_eights(s, 0, 6, w, &ahead);
		sha256_eights(s, 6, 8, w, &ahead);
		LANES_EACH_SET(sha256_add_state(state + set * LANES_WIDTH, s[set]));
		blocks = staged;
	}
}
