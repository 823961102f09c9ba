/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_check.h - the check of collision detection with the SHA instructions, and
 * the queue of the candidates for it. To be included after a filter
 * (sha1dc_filter_gfni.h or sha1dc_filter_avx2.h), which defines TARGET, and with two
 * numbers defined: MESSAGES, how many messages the kernel advances at once, and QUEUE, 2
 * or 4, how many candidates are checked side by side: one check alone is a chain as long
 * as a block.
 */
#ifndef BLOCKSHA_X86_SHA1DC_SHANI_CHECK_H
#define BLOCKSHA_X86_SHA1DC_SHANI_CHECK_H

#include <immintrin.h>

#include "../common.h"
#include "../kernel.h"
#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"

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
	const struct blocksha_dv *dv;
	uint32_t message; /* its bit */
};

/* The blocks under way are always in slots, so that nothing is copied when one turns out
   to be a candidate: it stays where it is, and its message goes on in another slot. As
   many blocks as candidates may wait, so there is always a free one. */
struct queue {
	struct block *under_way[MESSAGES];
	uint32_t attacks; /* a bit for each message */
	unsigned count;   /* of candidates */
	unsigned blocks;  /* how many wait, in the first of these slots: */
	struct block *others[QUEUE];
	struct candidate candidates[QUEUE];
	struct block slots[MESSAGES + QUEUE];
};

static TARGET BLOCKSHA_ALWAYS_INLINE void make_queue(struct queue *queue)
{
	queue->attacks = 0;
	queue->count = 0;
	queue->blocks = 0;
	for (unsigned i = 0; i < MESSAGES; i++)
		queue->under_way[i] = &queue->slots[i];
	for (unsigned i = 0; i < QUEUE; i++)
		queue->others[i] = &queue->slots[MESSAGES + i];
}

static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load_words(const void *p)
{
	return _mm_shuffle_epi32(_mm_loadu_si128(p), 0x1b);
}

static TARGET BLOCKSHA_ALWAYS_INLINE __m128i load_block(const unsigned char *p)
{
	const __m128i reverse = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);

	return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)p), reverse);
}

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

static TARGET BLOCKSHA_ALWAYS_INLINE struct lane make_lane(const struct queue *queue, unsigned l)
{
	/* Empty lanes repeat the first. */
	const struct candidate *candidate = &queue->candidates[l < queue->count ? l : 0];
	struct lane lane;

	lane.block = candidate->block;
	lane.diff = blocksha_sha1dc_difference(candidate->dv);
	lane.first = candidate->dv->step / 4;
	lane.abcd = _mm_setzero_si128();
	lane.before = _mm_setzero_si128();
	lane.differ = _mm_setzero_si128();
	return lane;
}

/* Empties the queue after its lanes have been checked. */
static TARGET BLOCKSHA_ALWAYS_INLINE void end_check(struct queue *queue, const struct lane *lane)
{
	for (unsigned l = 0; l < queue->count; l++)
		if (_mm_testz_si128(lane[l].differ, lane[l].differ))
			queue->attacks |= queue->candidates[l].message;
	queue->count = 0;
	queue->blocks = 0;
}

static TARGET __attribute__((noinline)) void check_queue(struct queue *queue)
{
	struct lane lane[QUEUE];

	for (unsigned l = 0; l < QUEUE; l++)
		lane[l] = make_lane(queue, l);
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
	end_check(queue, lane);
}

/* Puts the block of message m into the queue once for each surviving DV. */
static TARGET __attribute__((noinline)) void add_candidates(struct queue *queue, unsigned m,
							    const uint32_t survivors[4])
{
	struct block *block = queue->under_way[m];

	for (unsigned class = 0; class < BLOCKSHA_SHA1DC_CLASSES; class ++) {
		for (uint32_t left = survivors[class]; left != 0; left &= left - 1) {
			unsigned k = (unsigned)__builtin_ctz(left) + 25;
			int i = blocksha_sha1dc_index[class][k - 43];

			if (queue->count == QUEUE)
				check_queue(queue);
			queue->candidates[queue->count++] = (struct candidate){
				.block = block,
				.dv = &blocksha_sha1dc_dvs[i],
				.message = UINT32_C(1) << m,
			};
		}
	}
	queue->under_way[m] = queue->others[queue->blocks];
	queue->others[queue->blocks++] = block;
}

#endif
