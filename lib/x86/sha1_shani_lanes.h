/* SPDX-License-Identifier: MIT */
/*
 * sha1_shani_lanes.h - SHA-1 of SHANI_LANES messages with the SHA instructions: the template
 * of the kernels x86-shani-x2 and x86-shani-x4. SHANI_LANES and SHANI_KERNEL, the name of the
 * function, are to be defined before.
 *
 * A block takes twenty sha1rnds4, 40 cycles of the one unit that has it on Zen 5; with four
 * messages it takes 50, with two 70, with one 123. Three messages at once took 59 each, little
 * less than with an idle fourth lane, so there is no such kernel.
 */
#include "../kernel.h"
#include "shani_lanes.h"

/* One message. a and the first of four words are the highest elements. */
struct sha1_shani {
	__m128i abcd, e;
	__m128i words[4]; /* the last 16 of the schedule, words 4 * group and on at group % 4 */
	__m128i abcd_before, e_before;
};

SHANI_INLINE void sha1_shani_load_state(struct sha1_shani *s, const uint32_t *state)
{
	s->abcd = _mm_set_epi32(
		(int)state[0 * BLOCKSHA_LANES_MAX], (int)state[1 * BLOCKSHA_LANES_MAX],
		(int)state[2 * BLOCKSHA_LANES_MAX], (int)state[3 * BLOCKSHA_LANES_MAX]);
	s->e = _mm_set_epi32((int)state[4 * BLOCKSHA_LANES_MAX], 0, 0, 0);
}

SHANI_INLINE void sha1_shani_store_state(uint32_t *state, const struct sha1_shani *s)
{
	state[0 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abcd, 3);
	state[1 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abcd, 2);
	state[2 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abcd, 1);
	state[3 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->abcd, 0);
	state[4 * BLOCKSHA_LANES_MAX] = (uint32_t)_mm_extract_epi32(s->e, 3);
}

SHANI_INLINE void sha1_shani_begin(struct sha1_shani *s, const unsigned char *block)
{
	const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

	s->words[0] = _mm_shuffle_epi8(shani_load(block), reverse);
	s->words[1] = _mm_shuffle_epi8(shani_load(block + 16), reverse);
	s->words[2] = _mm_shuffle_epi8(shani_load(block + 32), reverse);
	s->words[3] = _mm_shuffle_epi8(shani_load(block + 48), reverse);
	s->abcd_before = s->abcd;
	s->e_before = s->e;
}

SHANI_INLINE void sha1_shani_end(struct sha1_shani *s)
{
	s->abcd = _mm_add_epi32(s->abcd, s->abcd_before);
	s->e = _mm_sha1nexte_epu32(s->e, s->e_before);
}

/* Makes words 4 * group + 16 and on, in the place of the four oldest. */
SHANI_INLINE void sha1_shani_expand(struct sha1_shani *s, unsigned group)
{
	__m128i x = _mm_sha1msg1_epu32(s->words[group % 4], s->words[(group + 1) % 4]);

	x = _mm_xor_si128(x, s->words[(group + 2) % 4]);
	s->words[group % 4] = _mm_sha1msg2_epu32(x, s->words[(group + 3) % 4]);
}

/* The function that sha1rnds4 takes from the number of the quarter has to be a constant. */
SHANI_INLINE __m128i sha1_shani_rounds(__m128i abcd, __m128i sum, unsigned quarter)
{
	switch (quarter) {
	case 0:
		return _mm_sha1rnds4_epu32(abcd, sum, 0);
	case 1:
		return _mm_sha1rnds4_epu32(abcd, sum, 1);
	case 2:
		return _mm_sha1rnds4_epu32(abcd, sum, 2);
	default:
		return _mm_sha1rnds4_epu32(abcd, sum, 3);
	}
}

/*
 * Four rounds; sum is e plus their words. The e of the next four is this a, rotated: until
 * then s->e keeps it as it is, and sha1nexte rotates it while it adds the words.
 */
SHANI_INLINE void sha1_shani_four(struct sha1_shani *s, __m128i sum, unsigned group)
{
	s->e = s->abcd;
	s->abcd = sha1_shani_rounds(s->abcd, sum, group / 5);
	if (group < 16)
		sha1_shani_expand(s, group);
}

SHANI_INLINE void sha1_shani_first(struct sha1_shani *s)
{
	sha1_shani_four(s, _mm_add_epi32(s->e, s->words[0]), 0);
}

SHANI_INLINE void sha1_shani_group(struct sha1_shani *s, unsigned group)
{
	sha1_shani_four(s, _mm_sha1nexte_epu32(s->e, s->words[group % 4]), group);
}

#ifdef SHANI_KERNEL
SHANI_TARGET void SHANI_KERNEL(uint32_t *state, const unsigned char *const *data, size_t nblocks)
{
	struct sha1_shani s[SHANI_LANES];

	SHANI_EACH(sha1_shani_load_state(&s[l], state + l));
	for (size_t offset = 0; nblocks > 0; nblocks--, offset += 64) {
		SHANI_EACH(sha1_shani_begin(&s[l], data[l] + offset));
		SHANI_EACH(sha1_shani_first(&s[l]));
		SHANI_EACH(sha1_shani_group(&s[l], 1));
		SHANI_EACH(sha1_shani_group(&s[l], 2));
		SHANI_EACH(sha1_shani_group(&s[l], 3));
		SHANI_EACH(sha1_shani_group(&s[l], 4));
		SHANI_EACH(sha1_shani_group(&s[l], 5));
		SHANI_EACH(sha1_shani_group(&s[l], 6));
		SHANI_EACH(sha1_shani_group(&s[l], 7));
		SHANI_EACH(sha1_shani_group(&s[l], 8));
		SHANI_EACH(sha1_shani_group(&s[l], 9));
		SHANI_EACH(sha1_shani_group(&s[l], 10));
		SHANI_EACH(sha1_shani_group(&s[l], 11));
		SHANI_EACH(sha1_shani_group(&s[l], 12));
		SHANI_EACH(sha1_shani_group(&s[l], 13));
		SHANI_EACH(sha1_shani_group(&s[l], 14));
		SHANI_EACH(sha1_shani_group(&s[l], 15));
		SHANI_EACH(sha1_shani_group(&s[l], 16));
		SHANI_EACH(sha1_shani_group(&s[l], 17));
		SHANI_EACH(sha1_shani_group(&s[l], 18));
		SHANI_EACH(sha1_shani_group(&s[l], 19));
		SHANI_EACH(sha1_shani_end(&s[l]));
	}
	SHANI_EACH(sha1_shani_store_state(state + l, &s[l]));
}
#endif
