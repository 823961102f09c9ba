/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_lanes.h - SHA-1 with collision detection of LANES_SETS * LANES_WIDTH messages side by
 * side: a template as sha1_lanes.h, with the same parameters, but these instead of LANES_KERNEL:
 *
 *   DETECT_KERNEL      the name of the function
 *   LANES_FEW          so many candidates at the end of a call are left to
 *   LANES_CHECK_FEW    a function like blocksha_sha1dc_check_halves()
 *
 * The filter (sha1dc_lanes_filter.h) looks at the words of all messages at once, between the
 * last steps of the block. Of 16 messages about one becomes a candidate: what the check needs is
 * written to a lane of a second computation, which runs when as many candidates have come as
 * there are messages.
 */
#include <string.h>

#include "blocksha_byteorder.h"
#include "../common.h"
#include "../kernel.h"
#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"
#include "sha1_lanes.h"
#include "sha1dc_lanes_filter.h"

/* The steps before which states are kept: 55, 60 and 65, one of which suits each DV. */
#define KEPT 3
#define KEPT_FIRST 11 /* in fives */

/* What is kept of the block under way until its candidates are taken. */
struct kept {
	_Alignas(64) uint32_t states[KEPT][5][LANES_MESSAGES];
	uint32_t survivors[LANES_MESSAGES]; /* DVs, in the order of lanes_dvs */
	uint32_t lanes;                     /* those with any */
};

/* Candidates that wait for the check, one a lane. */
struct candidates {
	_Alignas(64) unsigned char block[LANES_MESSAGES][64]; /* the other half's message */
	_Alignas(64) uint32_t common[5][LANES_MESSAGES];      /* the state of both halves */
	uint32_t out[5][LANES_MESSAGES];  /* the chaining value behind the block */
	uint32_t kept[LANES_MESSAGES];    /* which of the steps that state is before */
	uint32_t message[LANES_MESSAGES]; /* whose block it is */
	size_t count;
	uint32_t attacks; /* a bit for each message */
};

/* --- The check ------------------------------------------------------------- */

/*
 * The code of the check is kept small, by loops: it runs once in 16 blocks, and until then the
 * CPU has lost what it had decoded. Written out, 11 KB, it took two to five times as long between
 * blocks as it takes by itself.
 */

/* Loads a block of each message of one set; shared with the kernel for that reason. */
static LANES_TARGET __attribute__((noinline)) void
lanes_load_block(vec *w, const unsigned char *const *blocks)
{
	vec_load_block(w, LANES_SETS, blocks);
}

/* Makes the words 16 to 79 of one set. The words that are looked back at stay in registers:
   there is nothing else to do meanwhile that would hide the way through memory. */
LANES_INLINE void lanes_expand(vec *w)
{
	vec x[16];

#define LOAD(t) x[t] = w[(t)*LANES_SETS]
#define NEXT(t)                                                                                    \
	x[t] = vec_rotl(                                                                           \
		vec_xor(vec_xor3(x[t], x[((t) + 2) % 16], x[((t) + 8) % 16]), x[((t) + 13) % 16]), \
		1);                                                                                \
	w[(t)*LANES_SETS] = x[t]
#define SIXTEEN(do_) \
	do_(0);      \
	do_(1);      \
	do_(2);      \
	do_(3);      \
	do_(4);      \
	do_(5);      \
	do_(6);      \
	do_(7);      \
	do_(8);      \
	do_(9);      \
	do_(10);     \
	do_(11);     \
	do_(12);     \
	do_(13);     \
	do_(14);     \
	do_(15)
	SIXTEEN(LOAD);
	for (unsigned round = 0; round < 4; round++) {
		w += 16 * LANES_SETS;
		SIXTEEN(NEXT);
	}
#undef LOAD
#undef NEXT
#undef SIXTEEN
}

/* Five steps of one quarter, whose words are there. */
LANES_INLINE void lanes_five(vec s[LANES_SETS][5], unsigned quarter, uint32_t constant,
			     const vec *w)
{
	const vec k = vec_set1(constant);

	LANES_EACH_SET(sha1_step_only(s[set], 0, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(s[set], 1, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(s[set], 2, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(s[set], 3, quarter, k, w + set));
	LANES_EACH_SET(sha1_step_only(s[set], 4, quarter, k, w + set));
}

/* Lanes whose common state is before this step begin with it. */
LANES_INLINE void lanes_begin(vec *s, const vec *common, vec here)
{
	s[0] = vec_choose(here, common[0], s[0]);
	s[1] = vec_choose(here, common[1], s[1]);
	s[2] = vec_choose(here, common[2], s[2]);
	s[3] = vec_choose(here, common[3], s[3]);
	s[4] = vec_choose(here, common[4], s[4]);
}

/* The same lanes end here: adds to differ where they have another state. */
LANES_INLINE void lanes_compare(vec *differ, const vec *s, const vec *common, vec here)
{
	vec x = vec_xor(s[0], common[0]);

	x = vec_or_differ(x, s[1], common[1]);
	x = vec_or_differ(x, s[2], common[2]);
	x = vec_or_differ(x, s[3], common[3]);
	x = vec_or_differ(x, s[4], common[4]);
	*differ = vec_or(*differ, vec_and(x, here));
}

/* From the state behind step 79 to the other half's chaining value before the block. */
LANES_INLINE void lanes_begin_again(vec *s, uint32_t (*out)[LANES_MESSAGES], size_t l)
{
	s[0] = vec_sub(vec_load(out[0] + l), s[0]);
	s[1] = vec_sub(vec_load(out[1] + l), s[1]);
	s[2] = vec_sub(vec_load(out[2] + l), s[2]);
	s[3] = vec_sub(vec_load(out[3] + l), s[3]);
	s[4] = vec_sub(vec_load(out[4] + l), s[4]);
}

LANES_INLINE void lanes_load_five(vec *x, uint32_t (*from)[LANES_MESSAGES], size_t l)
{
	x[0] = vec_load(from[0] + l);
	x[1] = vec_load(from[1] + l);
	x[2] = vec_load(from[2] + l);
	x[3] = vec_load(from[3] + l);
	x[4] = vec_load(from[4] + l);
}

/* Clears the lanes without a candidate: they are computed like the others. */
LANES_INLINE void lanes_clear(uint32_t (*words)[LANES_MESSAGES], size_t rows, const uint32_t *mask)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t l = 0; l < LANES_MESSAGES; l += LANES_WIDTH)
			vec_store(words[i] + l,
				  vec_and(vec_load(words[i] + l), vec_load(mask + l)));
}

LANES_INLINE void lanes_clear_from(struct candidates *c, size_t count)
{
	uint32_t mask[LANES_MESSAGES];

	for (size_t l = 0; l < LANES_MESSAGES; l++)
		mask[l] = l < count ? UINT32_MAX : 0;
	lanes_clear(c->common, 5, mask);
	lanes_clear(c->out, 5, mask);
	lanes_clear(&c->kept, 1, mask);
}

/* Checks the first count candidates. The schedule is overwritten. */
static LANES_TARGET __attribute__((noinline)) void lanes_check(struct candidates *c, size_t count,
							       vec *w)
{
	static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
	const unsigned char *blocks[LANES_MESSAGES];
	vec common[LANES_SETS][5], s[LANES_SETS][5], differ[LANES_SETS];
	uint32_t nonzero = 0;

	if (count < LANES_MESSAGES)
		lanes_clear_from(c, count);
	for (size_t l = 0; l < LANES_MESSAGES; l++)
		blocks[l] = c->block[l < count ? l : 0];
	for (size_t set = 0; set < LANES_SETS; set++) {
		lanes_load_block(w + set, blocks + set * LANES_WIDTH);
		lanes_expand(w + set);
	}

	LANES_EACH_SET(lanes_load_five(common[set], c->common, set * LANES_WIDTH));
	LANES_EACH_SET(lanes_load_five(s[set], c->common, set * LANES_WIDTH));
	LANES_EACH_SET(differ[set] = vec_set1(0));
	/* The steps 55 to 79 and 0 to 64, in fives. Each lane begins before the step that its
	   common state is before, and ends there. */
	for (unsigned n = 0;; n++) {
		unsigned five = (n + KEPT_FIRST) % 16;
		const vec *words = w + (size_t)5 * five * LANES_SETS;

#define HERE vec_equal(vec_load(c->kept + set * LANES_WIDTH), vec_set1(five - KEPT_FIRST))
		if (n < KEPT) {
			LANES_EACH_SET(lanes_begin(s[set], common[set], HERE));
		} else if (n == 5) {
			LANES_EACH_SET(lanes_begin_again(s[set], c->out, set * LANES_WIDTH));
		} else if (n >= 16) {
			LANES_EACH_SET(lanes_compare(&differ[set], s[set], common[set], HERE));
			if (n == 15 + KEPT)
				break;
		}
#undef HERE
		switch (five / 4) {
		case 0:
			lanes_five(s, 0, constants[0], words);
			break;
		case 2:
			lanes_five(s, 2, constants[2], words);
			break;
		default:
			lanes_five(s, 1, constants[five / 4], words);
		}
	}

	LANES_EACH_SET(nonzero |= vec_nonzero(differ[set]) << (set * LANES_WIDTH));
	for (size_t l = 0; l < count; l++)
		if ((nonzero >> l & 1) == 0)
			c->attacks |= UINT32_C(1) << c->message[l];
}

/* The same for a few that are left at the end. */
static LANES_TARGET __attribute__((noinline)) void lanes_check_few(struct candidates *c)
{
	struct blocksha_sha1dc_half halves[LANES_FEW];
	uint32_t attacks;

	for (size_t n = 0; n < c->count; n++) {
		halves[n].block = c->block[n];
		for (size_t i = 0; i < 5; i++) {
			halves[n].common[i] = c->common[i][n];
			halves[n].out[i] = c->out[i][n];
		}
		halves[n].step = 5 * (KEPT_FIRST + c->kept[n]);
	}
	attacks = LANES_CHECK_FEW(halves, (unsigned)c->count);
	for (size_t n = 0; n < c->count; n++)
		if ((attacks >> n & 1) != 0)
			c->attacks |= UINT32_C(1) << c->message[n];
}

/* --- The kernel ------------------------------------------------------------ */

/* Lane l becomes candidate n, for this DV. */
LANES_INLINE void lanes_add(struct candidates *c, size_t n, const struct kept *kept,
			    const uint32_t *state, const unsigned char *block, size_t l,
			    const struct lanes_dv *dv)
{
	const uint32_t *common = kept->states[dv->kept][0] + l;

	vec_xor_words_be(c->block[n], block, lanes_difference(dv));
	c->common[0][n] = common[0 * LANES_MESSAGES];
	c->common[1][n] = common[1 * LANES_MESSAGES];
	c->common[2][n] = common[2 * LANES_MESSAGES];
	c->common[3][n] = common[3 * LANES_MESSAGES];
	c->common[4][n] = common[4 * LANES_MESSAGES];
	c->out[0][n] = state[0 * BLOCKSHA_LANES_MAX + l];
	c->out[1][n] = state[1 * BLOCKSHA_LANES_MAX + l];
	c->out[2][n] = state[2 * BLOCKSHA_LANES_MAX + l];
	c->out[3][n] = state[3 * BLOCKSHA_LANES_MAX + l];
	c->out[4][n] = state[4 * BLOCKSHA_LANES_MAX + l];
	c->kept[n] = dv->kept;
	c->message[n] = (uint32_t)l;
}

/* The first blocks of a call are not staged. So that the check sees the bytes that went into
   the digest, even if somebody changes the message meanwhile, they are made from their words. */
static LANES_TARGET __attribute__((noinline)) void lanes_stage_first(unsigned char (*stage)[64],
								     const vec *w, uint32_t lanes)
{
	for (; lanes != 0; lanes &= lanes - 1) {
		size_t l = (size_t)__builtin_ctz(lanes);
		const unsigned char *words = (const unsigned char *)(w + l / LANES_WIDTH);

		for (size_t t = 0; t < 16; t++) {
			uint32_t word;

			memcpy(&word, words + t * LANES_SETS * sizeof(vec) + l % LANES_WIDTH * 4,
			       4);
			blocksha_put_be32(stage[l] + 4 * t, word);
		}
	}
}

/* Takes the candidates among the blocks that have just been compressed. state is the chaining
   value behind them. The schedule is overwritten if a check is due. */
static LANES_TARGET __attribute__((noinline)) void
lanes_take(struct candidates *c, const struct kept *kept, const uint32_t *state,
	   const unsigned char *const *blocks, vec *schedule)
{
	size_t count = c->count;

	for (uint32_t lanes = kept->lanes; lanes != 0; lanes &= lanes - 1) {
		size_t l = (size_t)__builtin_ctz(lanes);

		for (uint32_t left = kept->survivors[l]; left != 0; left &= left - 1) {
			lanes_add(c, count++, kept, state, blocks[l], l,
				  &lanes_dvs[__builtin_ctz(left)]);
			if (!BLOCKSHA_LIKELY(count < LANES_MESSAGES)) {
				lanes_check(c, count, schedule);
				count = 0;
			}
		}
	}
	c->count = count;
}

LANES_INLINE void lanes_keep(uint32_t (*states)[LANES_MESSAGES], const vec *s, size_t l)
{
	vec_store(states[0] + l, s[0]);
	vec_store(states[1] + l, s[1]);
	vec_store(states[2] + l, s[2]);
	vec_store(states[3] + l, s[3]);
	vec_store(states[4] + l, s[4]);
}

LANES_INLINE void lanes_end_filter(struct kept *kept, const vec *bits, vec b0, const vec *w,
				   size_t set)
{
	vec survivors = lanes_survivors(bits, b0, w, LANES_SETS);

	vec_store(kept->survivors + set * LANES_WIDTH, survivors);
	kept->lanes |= vec_nonzero(survivors) << (set * LANES_WIDTH);
}

/* Where the blocks of all messages are staged (lanes.h): in turn at two places, so that the
   block under way is still there when its candidates are taken. */
struct stages {
	_Alignas(64) unsigned char stage[2][LANES_MESSAGES][64];
	const unsigned char *blocks[2][LANES_MESSAGES];
};

LANES_TARGET uint32_t DETECT_KERNEL(uint32_t *state, const unsigned char *const *data,
				    size_t nblocks)
{
	struct stages stages;
	sha1_schedule schedule;
	struct candidates candidates;
	struct kept kept;
	const unsigned char *const *blocks = data;

	candidates.count = 0;
	candidates.attacks = 0;
	for (size_t l = 0; l < LANES_MESSAGES; l++) {
		stages.blocks[0][l] = stages.stage[0][l];
		stages.blocks[1][l] = stages.stage[1][l];
	}
	for (size_t n = 0; n < nblocks; n++) {
		const struct lanes_ahead ahead =
			lanes_look_ahead(stages.stage[n % 2], data, n, nblocks);
		vec s[LANES_SETS][5], bits[LANES_SETS][8], b0[LANES_SETS], *w = schedule;

		LANES_EACH_SET(lanes_load_block(w + set, blocks + set * LANES_WIDTH));
		LANES_EACH_SET(sha1_load_state(s[set], state + set * LANES_WIDTH));
#define KEEP(i) LANES_EACH_SET(lanes_keep(kept.states[i], s[set], set *LANES_WIDTH))
		sha1_fives(s, 0, 4, vec_set1(0x5a827999), w, &ahead);
		sha1_fives(s, 4, 8, vec_set1(0x6ed9eba1), w, &ahead);
		sha1_fives(s, 8, 11, vec_set1(0x8f1bbcdc), w, &ahead);
		KEEP(0);
		LANES_EACH_SET(lanes_gather(bits[set], w + set, LANES_SETS));
		sha1_fives(s, 11, 12, vec_set1(0x8f1bbcdc), w, &ahead);
		KEEP(1);
		LANES_EACH_SET(b0[set] = lanes_survivors_b0(bits[set]));
		sha1_fives(s, 12, 13, vec_set1(0xca62c1d6), w, &ahead);
		KEEP(2);
		kept.lanes = 0;
		LANES_EACH_SET(lanes_end_filter(&kept, bits[set], b0[set], w + set, set));
		sha1_fives(s, 13, 16, vec_set1(0xca62c1d6), w, &ahead);
#undef KEEP
		LANES_EACH_SET(sha1_add_state(state + set * LANES_WIDTH, s[set]));
		if (kept.lanes != 0) {
			if (n == 0) {
				lanes_stage_first(stages.stage[1], schedule, kept.lanes);
				blocks = stages.blocks[1];
			}
			lanes_take(&candidates, &kept, state, blocks, schedule);
		}
		blocks = stages.blocks[n % 2];
	}
	if (candidates.count != 0 && candidates.count <= LANES_FEW)
		lanes_check_few(&candidates);
	else if (candidates.count != 0)
		lanes_check(&candidates, candidates.count, schedule);
	return candidates.attacks;
}
