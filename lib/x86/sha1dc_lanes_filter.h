/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_lanes_filter.h - the filter of collision detection for many messages side by side:
 * one message in each element of a vector. To be included after the vectors (lanes_avx2.h
 * or lanes_avx512.h).
 *
 * As in ../sha1dc/check.c, a bit of the words 33 to 64 is gathered into one 32-bit word, and
 * two such words, moved against each other, show a condition for all K of a class at once.
 * Gathering is a transposition of bits. Four words that are 8 steps apart share a vector: a
 * byte of each, in which bit 29, from the highest byte, takes the place of bit 5. Eight such
 * vectors are 8 x 8 bits in each byte, and transposed they are the bits 0 to 4, 29, 6 and 7 of
 * all 32 words.
 *
 * With AVX-512, 66 instructions gather and 126 look at 46 conditions, for 16 messages; with AVX2
 * they are 174 and 224 for 8.
 */
#ifndef BLOCKSHA_X86_SHA1DC_LANES_FILTER_H
#define BLOCKSHA_X86_SHA1DC_LANES_FILTER_H

#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"

/* bits[p]: bit p of the words 33 to 64, that of word 33 + i at i + VEC_TURNED(p), and bits[5]
   bit 29 of them. w[t * stride] is word t. */
LANES_INLINE void lanes_gather(vec bits[8], const vec *w, size_t stride)
{
	const vec first4 = vec_set1(0x0f0f0f0f), first2 = vec_set1(0x33333333);
	const vec first1 = vec_set1(0x55555555);

#define PACK(i)                                                                 \
	bits[i] = vec_pack_bits(w[(33 + (i)) * stride], w[(41 + (i)) * stride], \
				w[(49 + (i)) * stride], w[(57 + (i)) * stride])
	PACK(0);
	PACK(4);
	vec_exchange(bits[0], bits[4], first4, 4);
	PACK(2);
	PACK(6);
	vec_exchange(bits[2], bits[6], first4, 4);
	vec_exchange(bits[0], bits[2], first2, 2);
	vec_exchange(bits[4], bits[6], first2, 2);
	PACK(1);
	PACK(5);
	vec_exchange(bits[1], bits[5], first4, 4);
	PACK(3);
	PACK(7);
	vec_exchange(bits[3], bits[7], first4, 4);
	vec_exchange(bits[1], bits[3], first2, 2);
	vec_exchange(bits[5], bits[7], first2, 2);
	vec_exchange(bits[0], bits[1], first1, 1);
	vec_exchange(bits[2], bits[3], first1, 1);
	vec_exchange(bits[4], bits[5], first1, 1);
	vec_exchange(bits[6], bits[7], first1, 1);
	bits[5] = vec_straighten(bits[5]);
#undef PACK
}

/* Bit p of W[K + offset] of all K at once, each at K - 25; p = 5 is bit 29. */
#define BIT(p, offset) vec_move(bits[p], 8 - (offset)-VEC_TURNED(p))
#define BIT29(offset) BIT(5, offset)

/* The K that a condition is not for. */
#define NOT_FOR(from, to) vec_set1(2 * BLOCKSHA_SHA1DC_K_BIT(to) - BLOCKSHA_SHA1DC_K_BIT(from))

/* I(43..52,0) */
LANES_INLINE vec lanes_survivors_i0(const vec *bits)
{
	vec x = BIT(4, -6), y = BIT(4, -10);
	vec all, some, others;

	all = vec_differ_agree(x, BIT(4, -4), BIT(4, -2));
	some = vec_differ_agree(x, BIT(4, 0), BIT29(-3));
	others = vec_differ_agree(x, BIT29(-1), BIT29(1));
	all = vec_and3(all, some, others);
	some = vec_differ_both(x, BIT29(3), BIT29(4));
	others = vec_or_agree(NOT_FOR(43, 43), x, BIT29(-4));
	all = vec_and3(all, some, others);
	some = vec_or_agree(NOT_FOR(43, 44), y, BIT29(-6));
	others = vec_or_agree(NOT_FOR(43, 46), y, BIT29(-7));
	all = vec_and3(all, some, others);
	return vec_and(all, vec_or_differ(NOT_FOR(46, 52), BIT(1, 18), BIT(6, 19)));
}

/* II(45..56,0) */
LANES_INLINE vec lanes_survivors_ii0(const vec *bits)
{
	vec x = BIT(4, -4), y = BIT(4, -9), z = BIT(4, 2), u = BIT(4, 4), v = BIT(4, -16);
	vec all, some, others;

	all = vec_agree_both(x, BIT29(0), BIT29(-1));
	some = vec_agree(x, BIT29(-2));
	others = vec_agree(y, BIT29(-5));
	all = vec_and3(all, some, others);
	some = vec_agree(u, BIT29(8));
	others = vec_or_agree(NOT_FOR(45, 45), y, BIT29(-6));
	all = vec_and3(all, some, others);
	some = vec_or_agree(NOT_FOR(45, 46), y, BIT29(-7));
	others = vec_or_agree(NOT_FOR(45, 46), BIT(4, -12), BIT29(-8));
	all = vec_and3(all, some, others);
	some = vec_or_differ(NOT_FOR(54, 56), z, u);
	others = vec_or_agree(NOT_FOR(56, 56), z, BIT29(4));
	all = vec_and3(all, some, others);
	some = vec_or_agree(NOT_FOR(55, 56), z, BIT29(5));
	others = vec_or_differ(NOT_FOR(53, 56), z, BIT29(7));
	all = vec_and3(all, some, others);
	some = vec_or_differ(NOT_FOR(45, 51), v, BIT(4, -14));
	others = vec_or_agree(NOT_FOR(45, 52), v, BIT29(-13));
	return vec_and3(all, some, others);
}

/* I(46..51,2) */
LANES_INLINE vec lanes_survivors_i2(const vec *bits)
{
	vec x = BIT(1, -7), y = BIT(1, -11), z = BIT(1, -14);
	vec all, some, others;

	all = vec_differ_both(x, BIT(1, 1), BIT(6, -6));
	some = vec_differ_both(x, BIT(6, -4), BIT(6, -2));
	others = vec_differ(x, BIT(6, 0));
	all = vec_and3(all, some, others);
	some = vec_differ(y, BIT(6, -10));
	others = vec_or_differ(NOT_FOR(46, 48), y, BIT(1, -9));
	all = vec_and3(all, some, others);
	some = vec_or_differ(NOT_FOR(46, 48), z, BIT(6, -13));
	others = vec_or_agree(NOT_FOR(46, 50), z, BIT(6, -14));
	all = vec_and3(all, some, others);
	return vec_and(all, vec_or_differ(NOT_FOR(49, 51), BIT(2, 15), BIT(7, 16)));
}

/* II(46,2) and II(49..51,2) */
LANES_INLINE vec lanes_survivors_ii2(const vec *bits)
{
	vec x = BIT(1, 1), y = BIT(1, -5), z = BIT(1, -10);
	vec all, some, others;

	all = vec_differ_both(x, BIT(1, 5), BIT(6, 2));
	some = vec_differ(x, BIT(6, 4));
	others = vec_differ_both(y, BIT(1, -3), BIT(6, -4));
	all = vec_and3(all, some, others);
	some = vec_differ(z, BIT(6, -9));
	others = vec_or_differ(NOT_FOR(46, 46), z, BIT(1, -8));
	all = vec_and3(all, some, others);
	return vec_and(all, vec_or_differ(NOT_FOR(49, 51), BIT(2, 15), BIT(7, 16)));
}

/*
 * The survivors of one block of each message: a mask of DVs, in the order of lanes_dvs. What
 * survives is checked, so conditions that spare less than they cost are left out: 0.060 DVs a
 * block survive, of which 0.049 fulfil all. In two parts, to be put between the steps of a block:
 * the classes with b = 0 first.
 */
LANES_INLINE vec lanes_survivors_b0(const vec *bits)
{
	/* Bit K - 25 stays there for I(K,0) and moves to K - 17 for II(K,0). */
	vec i0 = lanes_survivors_i0(bits), ii0 = lanes_survivors_ii0(bits);

	return vec_choose(vec_set1(0x0ffc0000), i0, vec_rotl(ii0, 8));
}

/* The conditions on the bits 0, 5 and 30 for II(K,2), K 49 to 51: whether they hold, in the place
   of the DV; all else is set. They are on six words only, which need no gathering. */
#define HOLDS(k)                                                           \
	vec_or(vec_set1(~(UINT32_C(1) << ((k)-35))),                       \
	       vec_differ_both(vec_move(w[((k)-13) * stride], (k)-35),     \
			       vec_move(w[((k)-12) * stride], (k)-35 - 5), \
			       vec_move(w[((k)-8) * stride], (k)-35 - 30)))

LANES_INLINE vec lanes_survivors(const vec *bits, vec b0, const vec *w, size_t stride)
{
	/* To K - 38 for I(K,2), to K - 35 for II(K,2), but to 17 for II(46,2). */
	vec i2 = lanes_survivors_i2(bits), ii2 = lanes_survivors_ii2(bits);
	vec x = vec_choose(vec_set1(0x00003f00), vec_move(i2, -13), b0);

	x = vec_choose(vec_set1(0x0001c000), vec_move(ii2, -10), x);
	x = vec_choose(vec_set1(0x00020000), vec_move(ii2, -4), x);
	x = vec_and3(x, HOLDS(49), HOLDS(50));
	return vec_and(x, HOLDS(51));
}

/* What the check needs of the DVs, in the order of the masks of survivors. */
struct lanes_dv {
	uint8_t class, first; /* where its words begin in blocksha_sha1dc_differences */
	uint8_t kept;         /* which of the steps 55, 60 and 65 it has the same state before */
	uint8_t group;        /* of four steps that begins with the same state */
};

static inline const uint32_t *lanes_difference(const struct lanes_dv *dv)
{
	return blocksha_sha1dc_differences[dv->class] + dv->first;
}

#define I0(k) 0, 52 - (k)
#define I2(k) 1, 52 - (k)
#define II0(k) 2, 56 - (k)
#define II2(k) 3, 56 - (k)
static const struct lanes_dv lanes_dvs[32] = {
	{II0(49), 1, 15}, {II0(50), 1, 15}, {II0(51), 1, 15}, {II0(52), 2, 16}, {II0(53), 2, 16},
	{II0(54), 2, 16}, {II0(55), 2, 16}, {II0(56), 2, 17}, {I2(46), 0, 14},  {I2(47), 0, 14},
	{I2(48), 0, 14},  {I2(49), 0, 14},  {I2(50), 0, 14},  {I2(51), 1, 14},  {II2(49), 1, 15},
	{II2(50), 1, 15}, {II2(51), 1, 15}, {II2(46), 0, 14}, {I0(43), 0, 14},  {I0(44), 0, 14},
	{I0(45), 0, 14},  {I0(46), 0, 14},  {I0(47), 0, 14},  {I0(48), 0, 14},  {I0(49), 0, 14},
	{I0(50), 0, 14},  {I0(51), 1, 14},  {I0(52), 1, 15},  {II0(45), 0, 14}, {II0(46), 0, 14},
	{II0(47), 1, 14}, {II0(48), 1, 15},
};
#undef I0
#undef I2
#undef II0
#undef II2

#undef HOLDS
#undef BIT
#undef BIT29
#undef NOT_FOR

#endif
