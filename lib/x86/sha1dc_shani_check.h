/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_check.h - the check of collision detection with the SHA instructions. To be
 * included with TARGET, the target attribute of functions, and QUEUE defined: 2 or 4, how
 * many candidates are checked side by side, since one check alone is a chain as long as a
 * block.
 */
#ifndef BLOCKSHA_X86_SHA1DC_SHANI_CHECK_H
#define BLOCKSHA_X86_SHA1DC_SHANI_CHECK_H

#include <immintrin.h>
#include <stdint.h>

#include "../common.h"

#define GROUPS 20      /* of four rounds */
#define FIRST_STATE 13 /* states are kept before the groups 13 to 17 */
#define STATES 5

/* A block in the form of the instructions: the first of four words, and A, in the
   highest lane. */
struct block {
	__m128i w[GROUPS];
	__m128i abcd[STATES];
	__m128i out_abcd;
	__m128i out_e; /* alone in the highest lane */
};

/* A block that must be checked for a DV. */
struct candidate {
	const struct block *block;
	const uint32_t *diff; /* the 80 words of the DV */
	unsigned first;       /* the group where both halves have the same state */
	uint32_t message;     /* its bit */
};

static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load_words(const void *p)
{
	return _mm_shuffle_epi32(_mm_loadu_si128(p), 0x1b);
}

static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load_block(const unsigned char *p)
{
	const __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), reverse);
}

/* Words of the schedule from the sixteen before them. */
#define SCHEDULE(w0, w1, w2, w3) \
	_mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w0, w1), w2), w3)

/* --- The check, as in ../sha1dc/check.c, of QUEUE candidates side by side --- */

/* One candidate on its way: the state before the group (abcd) and before the group
   before it, whose A, rotated, is this one's E. */
struct lane {
	const struct block *block;
	const uint32_t *diff;
	unsigned first; /* the group where the halves agree */
	__m128i abcd, before, differ;
};

static TARGET BLOCKSHA_ALWAYS_INLINE __m128i other_words(const struct lane *lane, unsigned group)
{
	return _mm_xor_si128(lane->block->w[group], load_words(lane->diff + 4 * group));
}

/* Written out, so that the lanes live in registers at any level of optimization. */
#if QUEUE == 2
#define EACH_LANE(do_, ...)         \
	do_(&lane[0], __VA_ARGS__); \
	do_(&lane[1], __VA_ARGS__)
#elif QUEUE == 4
#define EACH_LANE(do_, ...)         \
	do_(&lane[0], __VA_ARGS__); \
	do_(&lane[1], __VA_ARGS__); \
	do_(&lane[2], __VA_ARGS__); \
	do_(&lane[3], __VA_ARGS__)
#endif

/* Four rounds of function f; e is in the highest lane. */
#define ROUNDS4(lane, e, f)                                              \
	do {                                                             \
		__m128i next_ = _mm_sha1rnds4_epu32((lane)->abcd, e, f); \
		(lane)->before = (lane)->abcd;                           \
		(lane)->abcd = next_;                                    \
	} while (0)

#define GROUP(lane, g, f) \
	ROUNDS4(lane, _mm_sha1nexte_epu32((lane)->before, other_words(lane, g)), f)

/* The candidate's common state, when that is before group g. */
static TARGET BLOCKSHA_ALWAYS_INLINE void take_state(struct lane *lane, unsigned g)
{
	const __m128i *saved = lane->block->abcd + (g - FIRST_STATE);
	__m128i here = _mm_set1_epi32(-(lane->first == g));

	lane->abcd = _mm_blendv_epi8(lane->abcd, saved[0], here);
	lane->before = _mm_blendv_epi8(lane->before, saved[-1], here);
}

static TARGET BLOCKSHA_ALWAYS_INLINE void compare_state(struct lane *lane, unsigned g)
{
	const __m128i *saved = lane->block->abcd + (g - FIRST_STATE);
	__m128i here = _mm_set1_epi32(-(lane->first == g));
	__m128i abcd = _mm_xor_si128(lane->abcd, saved[0]);
	__m128i e = _mm_srli_si128(_mm_xor_si128(lane->before, saved[-1]), 12);

	lane->differ = _mm_or_si128(lane->differ, _mm_and_si128(_mm_or_si128(abcd, e), here));
}

/* From the state behind step 79 to the four rounds behind the chaining value before. */
static TARGET BLOCKSHA_ALWAYS_INLINE void begin_again(struct lane *lane, unsigned g)
{
	__m128i e = _mm_sha1nexte_epu32(lane->before, _mm_setzero_si128());

	lane->abcd = _mm_sub_epi32(lane->block->out_abcd, lane->abcd);
	e = _mm_sub_epi32(lane->block->out_e, e);
	ROUNDS4(lane, _mm_add_epi32(e, other_words(lane, g)), 0);
}

static TARGET BLOCKSHA_ALWAYS_INLINE struct lane make_lane(const struct candidate *candidate)
{
	struct lane lane;

	lane.block = candidate->block;
	lane.diff = candidate->diff;
	lane.first = candidate->first;
	lane.abcd = _mm_setzero_si128();
	lane.before = _mm_setzero_si128();
	lane.differ = _mm_setzero_si128();
	return lane;
}

/* For count candidates; empty lanes repeat the first. */
static TARGET BLOCKSHA_ALWAYS_INLINE void
make_lanes(struct lane *lane, const struct candidate *candidates, unsigned count)
{
	for (unsigned l = 0; l < QUEUE; l++)
		lane[l] = make_lane(&candidates[l < count ? l : 0]);
}

/* The messages with attacks. */
static TARGET BLOCKSHA_ALWAYS_INLINE uint32_t attacks_of(const struct lane *lane,
							 const struct candidate *candidates,
							 unsigned count)
{
	uint32_t attacks = 0;

	for (unsigned l = 0; l < count; l++)
		if (_mm_testz_si128(lane[l].differ, lane[l].differ))
			attacks |= candidates[l].message;
	return attacks;
}

/* Checks count candidates, 1 to QUEUE, and returns the messages with attacks. */
static TARGET __attribute__((noinline)) uint32_t check(const struct candidate *candidates,
						       unsigned count)
{
	struct lane lane[QUEUE];

	make_lanes(lane, candidates, count);
	EACH_LANE(take_state, 14);
	EACH_LANE(GROUP, 14, 2);
	EACH_LANE(take_state, 15);
	EACH_LANE(GROUP, 15, 3);
	EACH_LANE(take_state, 16);
	EACH_LANE(GROUP, 16, 3);
	EACH_LANE(take_state, 17);
	EACH_LANE(GROUP, 17, 3);
	EACH_LANE(GROUP, 18, 3);
	EACH_LANE(GROUP, 19, 3);
	EACH_LANE(begin_again, 0);
	EACH_LANE(GROUP, 1, 0);
	EACH_LANE(GROUP, 2, 0);
	EACH_LANE(GROUP, 3, 0);
	EACH_LANE(GROUP, 4, 0);
	EACH_LANE(GROUP, 5, 1);
	EACH_LANE(GROUP, 6, 1);
	EACH_LANE(GROUP, 7, 1);
	EACH_LANE(GROUP, 8, 1);
	EACH_LANE(GROUP, 9, 1);
	EACH_LANE(GROUP, 10, 2);
	EACH_LANE(GROUP, 11, 2);
	EACH_LANE(GROUP, 12, 2);
	EACH_LANE(GROUP, 13, 2);
	EACH_LANE(compare_state, 14);
	EACH_LANE(GROUP, 14, 2);
	EACH_LANE(compare_state, 15);
	EACH_LANE(GROUP, 15, 3);
	EACH_LANE(compare_state, 16);
	EACH_LANE(GROUP, 16, 3);
	EACH_LANE(compare_state, 17);
	return attacks_of(lane, candidates, count);
}

#endif
