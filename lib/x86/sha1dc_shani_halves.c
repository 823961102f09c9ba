/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_halves.c - the check of candidates that were collected by themselves, two side
 * by side, with the SHA instructions. For what is left at the end of a call of the kernels
 * with many lanes: most lanes of a check would be empty then.
 */
#include "../common.h"

#if defined(__x86_64__)

#define TARGET __attribute__((target("sha,sse4.1,ssse3")))
#define QUEUE 2

#include "../sha1_steps.h"
#include "sha1dc_shani_check.h"
#include "sha1dc_shani_halves.h"

static TARGET __m128i highest(uint32_t x)
{
	return _mm_slli_si128(_mm_cvtsi32_si128((int)x), 12);
}

/* a to d, or what is to be there; a in the highest lane. */
static TARGET __m128i four(const uint32_t x[5])
{
	return _mm_set_epi32((int)x[0], (int)x[1], (int)x[2], (int)x[3]);
}

/* The words of the block, and its own state before the first step from half->step on that is a
   multiple of four, however the first half may look there: steps are bijective, so that to end
   in this state is to end in the common one. Returns the group that begins there. */
static TARGET unsigned make_block(struct block *block, const struct blocksha_sha1dc_half *half)
{
	uint32_t s[5] = {half->common[0], half->common[1], half->common[2], half->common[3],
			 half->common[4]};
	unsigned t = half->step;
	__m128i *w = block->w;

	/* The check loads all states and masks away those that are not asked for. */
	for (unsigned i = 0; i < STATES; i++)
		block->abcd[i] = _mm_setzero_si128();
	for (unsigned g = 0; g < 4; g++)
		w[g] = load_block(half->block + 16 * g);
	for (unsigned g = 4; g < GROUPS; g++)
		w[g] = SCHEDULE(w[g - 4], w[g - 3], w[g - 2], w[g - 1]);

	for (; t % 4 != 0; t++) {
		uint32_t words[4], sum;

		_mm_storeu_si128((__m128i *)(void *)words, w[t / 4]);
		sum = ROTL(s[0], 5) + sha1_f(t, s[1], s[2], s[3]) + s[4] + words[3 - t % 4];
		s[4] = s[3];
		s[3] = s[2];
		s[2] = ROTL(s[1], 30);
		s[1] = s[0];
		s[0] = sum;
	}
	block->abcd[t / 4 - FIRST_STATE] = four(s);
	block->abcd[t / 4 - 1 - FIRST_STATE] = highest(ROTL(s[4], 2)); /* the A that is E now */
	block->out_abcd = four(half->out);
	block->out_e = highest(half->out[4]);
	return t / 4;
}

TARGET uint32_t blocksha_sha1dc_check_halves_shani(const struct blocksha_sha1dc_half *halves,
						   unsigned count)
{
	static const uint32_t no_difference[80]; /* the words are those of the other half */
	struct block blocks[QUEUE];
	struct candidate candidates[QUEUE];
	uint32_t attacks = 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned n = i % QUEUE;

		candidates[n] = (struct candidate){
			.block = &blocks[n],
			.diff = no_difference,
			.first = make_block(&blocks[n], &halves[i]),
			.message = UINT32_C(1) << i,
		};
		if (n + 1 == QUEUE || i + 1 == count)
			attacks |= check(candidates, n + 1);
	}
	return attacks;
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
