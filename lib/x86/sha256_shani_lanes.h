/* SPDX-License-Identifier: MIT */
/*
 * sha256_shani_lanes.h - SHA-256 of SHANI_LANES messages with the SHA instructions: the
 * template of the kernels x86-shani-x2 and x86-shani-x4. SHANI_LANES and SHANI_KERNEL, the name
 * of the function, are to be defined before.
 *
 * A block takes 32 sha256rnds2, 64 cycles of the one unit that has it on Zen 5; with four
 * messages it takes 72, with two 84, with one 130.
 */
#include "../kernel.h"
#include "../sha256_k.h"
#include "shani_lanes.h"

/* One message. a and c are the highest elements; the first of four words is the lowest. */
struct sha256_shani {
	__m128i abef, cdgh;
	__m128i words[4]; /* the last 16 of the schedule, words 4 * group and on at group % 4 */
	__m128i sum;      /* the words of four rounds with their constants */
	__m128i abef_before, cdgh_before;
};

SHANI_INLINE void sha256_shani_load_state(struct sha256_shani *s, const uint32_t *state)
{
	s->abef = _mm_set_epi32(
		(int)state[0 * BLOCKSHA_LANES_MAX], (int)state[1 * BLOCKSHA_LANES_MAX],
		(int)state[4 * BLOCKSHA_LANES_MAX], (int)state[5 * BLOCKSHA_LANES_MAX]);
	s->cdgh = _mm_set_epi32(
		(int)state[2 * BLOCKSHA_LANES_MAX], (int)state[3 * BLOCKSHA_LANES_MAX],
		(int)state[6 * BLOCKSHA_LANES_MAX], (int)state[7 * BLOCKSHA_LANES_MAX]);
}

SHANI_INLINE void sha256_shani_store_state(uint32_t *state, const struct sha256_shani *s)
{
	state[0 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abef, 3);
	state[1 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abef, 2);
	state[2 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->cdgh, 3);
	state[3 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->cdgh, 2);
	state[4 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abef, 1);
	state[5 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abef, 0);
	state[6 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->cdgh, 1);
	state[7 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->cdgh, 0);
}

SHANI_INLINE void sha256_shani_begin(struct sha256_shani *s, const unsigned char *block)
{
	const __m128i reverse = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);

	s->words[0] = _mm_shuffle_epi8(shani_load(block), reverse);
	s->words[1] = _mm_shuffle_epi8(shani_load(block + 16), reverse);
	s->words[2] = _mm_shuffle_epi8(shani_load(block + 32), reverse);
	s->words[3] = _mm_shuffle_epi8(shani_load(block + 48), reverse);
	s->abef_before = s->abef;
	s->cdgh_before = s->cdgh;
}

SHANI_INLINE void sha256_shani_end(struct sha256_shani *s)
{
	s->abef = _mm_add_epi32(s->abef, s->abef_before);
	s->cdgh = _mm_add_epi32(s->cdgh, s->cdgh_before);
}

/* Makes words 4 * group + 16 and on, in the place of the four oldest. */
SHANI_INLINE void sha256_shani_expand(struct sha256_shani *s, unsigned group)
{
	__m128i last = s->words[(group + 3) % 4];
	__m128i x = _mm_sha256msg1_epu32(s->words[group % 4], s->words[(group + 1) % 4]);

	/* W[t-7] lies across two registers. */
	x = _mm_add_epi32(x, _mm_alignr_epi8(last, s->words[(group + 2) % 4], 4));
	s->words[group % 4] = _mm_sha256msg2_epu32(x, last);
}

/*
 * Two rounds, and two more. sha256rnds2 takes their words from the lower half of its last
 * operand. What was a, b, e, f before is c, d, g, h after, so the two registers swap.
 */
SHANI_INLINE void sha256_shani_two(struct sha256_shani *s, unsigned group)
{
	s->sum = _mm_add_epi32(s->words[group % 4], shani_load(sha256_k + (size_t)4 * group));
	s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, s->sum);
}

SHANI_INLINE void sha256_shani_two_more(struct sha256_shani *s, unsigned group)
{
	s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(s->sum, 0x0e));
	if (group < 12)
		sha256_shani_expand(s, group);
}

SHANI_TARGET void SHANI_KERNEL(uint32_t *state, const unsigned char *const *data, size_t nblocks)
{
	struct sha256_shani s[SHANI_LANES];

	SHANI_EACH(sha256_shani_load_state(&s[l], state + l));
	for (size_t offset = 0; nblocks > 0; nblocks--, offset += 64) {
		SHANI_EACH(sha256_shani_begin(&s[l], data[l] + offset));
		SHANI_EACH(sha256_shani_two(&s[l], 0));
		SHANI_EACH(sha256_shani_two_more(&s[l], 0));
		SHANI_EACH(sha256_shani_two(&s[l], 1));
		SHANI_EACH(sha256_shani_two_more(&s[l], 1));
		SHANI_EACH(sha256_shani_two(&s[l], 2));
		SHANI_EACH(sha256_shani_two_more(&s[l], 2));
		SHANI_EACH(sha256_shani_two(&s[l], 3));
		SHANI_EACH(sha256_shani_two_more(&s[l], 3));
		SHANI_EACH(sha256_shani_two(&s[l], 4));
		SHANI_EACH(sha256_shani_two_more(&s[l], 4));
		SHANI_EACH(sha256_shani_two(&s[l], 5));
		SHANI_EACH(sha256_shani_two_more(&s[l], 5));
		SHANI_EACH(sha256_shani_two(&s[l], 6));
		SHANI_EACH(sha256_shani_two_more(&s[l], 6));
		SHANI_EACH(sha256_shani_two(&s[l], 7));
		SHANI_EACH(sha256_shani_two_more(&s[l], 7));
		SHANI_EACH(sha256_shani_two(&s[l], 8));
		SHANI_EACH(sha256_shani_two_more(&s[l], 8));
		SHANI_EACH(sha256_shani_two(&s[l], 9));
		SHANI_EACH(sha256_shani_two_more(&s[l], 9));
		SHANI_EACH(sha256_shani_two(&s[l], 10));
		SHANI_EACH(sha256_shani_two_more(&s[l], 10));
		SHANI_EACH(sha256_shani_two(&s[l], 11));
		SHANI_EACH(sha256_shani_two_more(&s[l], 11));
		SHANI_EACH(sha256_shani_two(&s[l], 12));
		SHANI_EACH(sha256_shani_two_more(&s[l], 12));
		SHANI_EACH(sha256_shani_two(&s[l], 13));
		SHANI_EACH(sha256_shani_two_more(&s[l], 13));
		SHANI_EACH(sha256_shani_two(&s[l], 14));
		SHANI_EACH(sha256_shani_two_more(&s[l], 14));
		SHANI_EACH(sha256_shani_two(&s[l], 15));
		SHANI_EACH(sha256_shani_two_more(&s[l], 15));
		SHANI_EACH(sha256_shani_end(&s[l]));
	}
	SHANI_EACH(sha256_shani_store_state(state + l, &s[l]));
}
