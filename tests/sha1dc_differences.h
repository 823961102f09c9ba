/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_differences.h - lets a test choose which blocks are attacks.
 *
 * Nobody can make an attack on SHA-1 for a test. But what an attack is depends on one table,
 * the differences between the words of both halves. A program that includes this file has a
 * table of its own, which it can change, so that the linker does not take the one of
 * lib/sha1dc/tables.c out of the static library. Then
 *
 * - with the difference zero for a DV, both halves are the same, and every block is an attack
 *   for which that DV passes the filter: this shows what the filter inside a kernel lets pass;
 * - for any block and DV one can compute a difference with which the block is an attack. One
 *   wrong bit anywhere, and it is none: this shows what the check inside a kernel does.
 *
 * The library takes the table for constant, but cannot know its contents.
 */
#ifndef BLOCKSHA_SHA1DC_DIFFERENCES_H
#define BLOCKSHA_SHA1DC_DIFFERENCES_H

#ifdef BLOCKSHA_SHA1DC_TABLES_H
#error "to be included before sha1dc/tables.h"
#endif

/* The other tables, and the published differences under another name. */
#define blocksha_sha1dc_differences published_differences
#include "sha1dc/tables.c"
#undef blocksha_sha1dc_differences

#include "sha1dc_blocks.h"

uint32_t blocksha_sha1dc_differences[BLOCKSHA_SHA1DC_CLASSES][BLOCKSHA_SHA1DC_WORDS];

/* The 80 words of a DV; those of its class overlap. */
static inline uint32_t *difference_of(unsigned dv)
{
	const struct blocksha_dv *v = &blocksha_sha1dc_dvs[dv];
	ptrdiff_t begin = blocksha_sha1dc_difference(v) - &published_differences[0][0];

	return &blocksha_sha1dc_differences[0][0] + begin;
}

static inline void differences_published(void)
{
	memcpy(blocksha_sha1dc_differences, published_differences, sizeof(published_differences));
}

/* No block is an attack; each word is different from zero. */
static inline void differences_random(void)
{
	static uint32_t words[BLOCKSHA_SHA1DC_CLASSES * BLOCKSHA_SHA1DC_WORDS];

	for (size_t i = 0; words[0] == 0 && i < TEST_COUNT(words); i++)
		words[TEST_COUNT(words) - 1 - i] = (uint32_t)test_random() | 1;
	memcpy(blocksha_sha1dc_differences, words, sizeof(words));
}

/* Every block is one for which this DV passes the filter, and none else: for the other DVs of
   the class at least one word, at an end, is not zero. words is 80, or 16 for a kernel that
   makes the other half's words from the first 16 of them by the message schedule. */
static inline void differences_zero_for(unsigned dv, unsigned words)
{
	differences_random();
	memset(difference_of(dv), 0, words * sizeof(uint32_t));
}

/* Every block that passes the filter at all. */
static inline void differences_zero(void)
{
	memset(blocksha_sha1dc_differences, 0, sizeof(blocksha_sha1dc_differences));
}

/* Chooses the words of the five steps from t on, so that they lead from s to target. */
static inline void choose_last_words(uint32_t *w, unsigned t, uint32_t s[5],
				     const uint32_t target[5])
{
	/* What a must be behind each step; later steps move it on to b, c, d, e. */
	const uint32_t a[5] = {textbook_rotr(target[4], 30), textbook_rotr(target[3], 30),
			       textbook_rotr(target[2], 30), target[1], target[0]};

	for (unsigned i = 0; i < 5; i++) {
		w[t + i] = a[i] - textbook_rotl(s[0], 5) -
			   textbook_f_and_k(t + i, s[1], s[2], s[3]) - s[4];
		textbook_step(t + i, s, w[t + i]);
	}
}

/* Makes the other half of the block with this chaining value before it, for this DV. It is
   random but for the words that lead it to the common state before step from, and from there to
   the chaining value behind; from there to step to it has the block's words. If reached is not
   NULL, then that is the state before step from that it reaches instead of the common one. */
static inline void differences_of_other_half(unsigned dv, const uint32_t in[5],
					     const uint32_t w[80], unsigned from, unsigned to,
					     const uint32_t reached[5])
{
	uint32_t common[5], out[5], s[5], target[5], other_w[80];

	memcpy(out, in, sizeof(out));
	textbook_steps(0, 80, out, w);
	textbook_add(out, out, in);

	test_random_bytes(other_w, sizeof(other_w));
	test_random_bytes(s, sizeof(s)); /* the other half's chaining value before */
	for (unsigned i = 0; i < 5; i++)
		target[i] = out[i] - s[i];
	memcpy(common, in, sizeof(common));
	textbook_steps(0, from, common, w);
	textbook_steps(0, from - 5, s, other_w);
	choose_last_words(other_w, from - 5, s, reached != NULL ? reached : common);
	memcpy(s, common, sizeof(s));
	memcpy(other_w + from, w + from, (to - from) * sizeof(w[0]));
	textbook_steps(from, 75, s, other_w);
	choose_last_words(other_w, 75, s, target);

	differences_random();
	for (unsigned t = 0; t < 80; t++)
		difference_of(dv)[t] = w[t] ^ other_w[t];
}

/* The block is half of an attack on this DV, and no block else is. As in a real attack both
   halves have one state before all published steps, so that a kernel may check from any. */
static inline void differences_for_attack(unsigned dv, const uint32_t in[5], const uint32_t w[80])
{
	const struct expected_vector *v = &expected_vectors[dv];

	differences_of_other_half(dv, in, w, v->zero_from, v->zero_to, NULL);
}

/* It is none: a kernel that checks from step t finds all as it should be but for one bit of the
   state before step t. */
static inline void differences_for_near_miss(unsigned dv, const uint32_t in[5],
					     const uint32_t w[80], unsigned t, unsigned bit)
{
	uint32_t reached[5];

	memcpy(reached, in, sizeof(reached));
	textbook_steps(0, t, reached, w);
	reached[bit / 32] ^= UINT32_C(1) << bit % 32;
	differences_of_other_half(dv, in, w, t, t, reached);
}

#endif
