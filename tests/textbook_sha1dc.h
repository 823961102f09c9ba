/* SPDX-License-Identifier: MIT */
/*
 * textbook_sha1dc.h - detection of collision attacks on SHA-1, written down from its
 * definition (Stevens, "Counter-cryptanalysis", CRYPTO 2013; Stevens and Shumow, USENIX
 * Security 2017) with nothing taken from the library: the reference of the tests. The other
 * half of an attack is computed from the common state forwards and backwards; conditions are
 * looked at one after the other, as they are printed.
 */
#ifndef BLOCKSHA_TEXTBOOK_SHA1DC_H
#define BLOCKSHA_TEXTBOOK_SHA1DC_H

#include "textbook.h"

/* --- Published facts (make_sha1dc_expected.py) ------------------------------- */

enum { VECTORS = 32, CONDITIONS = 373 };

/* A disturbance vector (DV). */
struct expected_vector {
	const char *name;
	unsigned char zero_from, zero_to; /* before these steps both halves have one state */
	uint32_t difference[16];          /* of the message words of both halves */
};

/* An attack on this DV needs W[t1] bit bit1 and W[t2] bit bit2 to differ or to agree. */
struct expected_condition {
	unsigned char dv, t1, bit1, t2, bit2, differ;
};

#include "expected/sha1dc_tables.h"

/* --- Steps -------------------------------------------------------------------- */

/* The message schedule: w[16..79] from w[0..15]. */
static inline void textbook_schedule(uint32_t w[80])
{
	for (unsigned t = 16; t < 80; t++)
		w[t] = textbook_rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
}

static inline void textbook_schedule_block(uint32_t w[80], const unsigned char *data)
{
	for (unsigned t = 0; t < 16; t++)
		w[t] = textbook_word(data, t);
	textbook_schedule(w);
}

/* What step t adds to the word: f(b, c, d) and K. */
static inline uint32_t textbook_f_and_k(unsigned t, uint32_t b, uint32_t c, uint32_t d)
{
	if (t < 20)
		return textbook_ch(b, c, d) + 0x5a827999;
	if (t < 40)
		return textbook_parity(b, c, d) + 0x6ed9eba1;
	if (t < 60)
		return textbook_maj(b, c, d) + 0x8f1bbcdc;
	return textbook_parity(b, c, d) + 0xca62c1d6;
}

/* From the state before step t to the one behind it. */
static inline void textbook_step(unsigned t, uint32_t s[5], uint32_t word)
{
	uint32_t a = textbook_rotl(s[0], 5) + textbook_f_and_k(t, s[1], s[2], s[3]) + s[4] + word;

	s[4] = s[3];
	s[3] = s[2];
	s[2] = textbook_rotl(s[1], 30);
	s[1] = s[0];
	s[0] = a;
}

/* And back. */
static inline void textbook_step_back(unsigned t, uint32_t s[5], uint32_t word)
{
	uint32_t a = s[0];

	s[0] = s[1];
	s[1] = textbook_rotr(s[2], 30);
	s[2] = s[3];
	s[3] = s[4];
	s[4] = a - textbook_rotl(s[0], 5) - textbook_f_and_k(t, s[1], s[2], s[3]) - word;
}

/* The steps from, from + 1, ... to - 1. */
static inline void textbook_steps(unsigned from, unsigned to, uint32_t s[5], const uint32_t *w)
{
	for (unsigned t = from; t < to; t++)
		textbook_step(t, s, w[t]);
}

/* The same steps backwards: from the state behind them to the one before. */
static inline void textbook_steps_back(unsigned from, unsigned to, uint32_t s[5], const uint32_t *w)
{
	for (unsigned t = to; t > from; t--)
		textbook_step_back(t - 1, s, w[t - 1]);
}

static inline void textbook_add(uint32_t sum[5], const uint32_t x[5], const uint32_t y[5])
{
	for (unsigned i = 0; i < 5; i++)
		sum[i] = x[i] + y[i];
}

/* --- The filter --------------------------------------------------------------- */

/* The words of the other half of an attack on this DV. */
static inline void textbook_other_words(unsigned dv, const uint32_t w[80], uint32_t other[80])
{
	uint32_t difference[80];

	memcpy(difference, expected_vectors[dv].difference, 16 * sizeof(difference[0]));
	textbook_schedule(difference);
	for (unsigned t = 0; t < 80; t++)
		other[t] = w[t] ^ difference[t];
}

static inline int textbook_fulfils(const struct expected_condition *c, const uint32_t w[80])
{
	return ((w[c->t1] >> c->bit1 ^ w[c->t2] >> c->bit2) & 1) == c->differ;
}

/* The DVs all of whose conditions hold: bit i is DV i. */
static inline uint32_t textbook_filter(const uint32_t w[80])
{
	uint32_t dvs = UINT32_MAX;

	for (unsigned i = 0; i < CONDITIONS; i++) {
		const struct expected_condition *c = &expected_conditions[i];

		if ((dvs >> c->dv & 1) != 0 && !textbook_fulfils(c, w))
			dvs &= ~(UINT32_C(1) << c->dv);
	}
	return dvs;
}

/* --- The check ---------------------------------------------------------------- */

/* Given the state before step t: the chaining values before and behind the other half. */
static inline void textbook_other_half(const uint32_t other_w[80], unsigned t,
				       const uint32_t state[5], uint32_t in[5], uint32_t out[5])
{
	memcpy(in, state, 5 * sizeof(in[0]));
	memcpy(out, state, 5 * sizeof(out[0]));
	textbook_steps_back(0, t, in, other_w);
	textbook_steps(t, 80, out, other_w);
	textbook_add(out, out, in);
}

/* The DVs for which a block is part of an attack, without the filter. in is the chaining
   value before it, other_in, if not NULL, becomes that of the other half for each DV. */
static inline uint32_t textbook_attacks(const uint32_t in[5], const uint32_t w[80], int reduced,
					uint32_t (*other_in)[5])
{
	uint32_t states[81][5], out[5], attacks = 0;

	memcpy(states[0], in, sizeof(states[0]));
	for (unsigned t = 0; t < 80; t++) {
		memcpy(states[t + 1], states[t], sizeof(states[0]));
		textbook_step(t, states[t + 1], w[t]);
	}
	textbook_add(out, in, states[80]);
	for (unsigned dv = 0; dv < VECTORS; dv++) {
		unsigned t = expected_vectors[dv].zero_to;
		uint32_t other_w[80], before[5], behind[5];

		textbook_other_words(dv, w, other_w);
		textbook_other_half(other_w, t, states[t], before, behind);
		if (memcmp(behind, out, sizeof(out)) == 0 ||
		    (reduced && memcmp(before, in, sizeof(before)) == 0))
			attacks |= UINT32_C(1) << dv;
		if (other_in != NULL)
			memcpy(other_in[dv], before, sizeof(before));
	}
	return attacks;
}

static inline unsigned textbook_lowest(uint32_t dvs)
{
	unsigned dv = 0;

	while ((dvs >> dv & 1) == 0)
		dv++;
	return dv;
}

#endif
