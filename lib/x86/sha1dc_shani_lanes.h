/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_lanes.h - SHA-1 with collision detection of SHANI_LANES messages with the SHA
 * instructions: the rounds. They are those of sha1_shani_lanes.h, but all words of a block
 * lie in its slot of the queue (sha1dc_shani_queue.h), where the filter and the check find
 * them. What to define before: see there.
 */
#ifndef BLOCKSHA_X86_SHA1DC_SHANI_LANES_H
#define BLOCKSHA_X86_SHA1DC_SHANI_LANES_H

#include "sha1_shani_lanes.h"
#include "sha1dc_shani_queue.h"

/* One message. a and the first of four words are the highest elements. */
struct message {
	struct sha1_shani s;
	struct block *block; /* its slot */
};

static TARGET BLOCKSHA_ALWAYS_INLINE void detect_begin(struct message *m, struct block *slot,
						       const unsigned char *data)
{
	sha1_shani_begin(&m->s, data);
	m->block = slot;
	slot->w[0] = m->s.words[0];
	slot->w[1] = m->s.words[1];
	slot->w[2] = m->s.words[2];
	slot->w[3] = m->s.words[3];
}

static TARGET BLOCKSHA_ALWAYS_INLINE void detect_four(struct message *m, __m128i sum,
						      unsigned group)
{
	if (group >= FIRST_STATE && group < FIRST_STATE + STATES)
		m->block->abcd[group - FIRST_STATE] = m->s.abcd;
	sha1_shani_four(&m->s, sum, group);
	if (group < 16)
		m->block->w[group + 4] = m->s.words[group % 4];
}

static TARGET BLOCKSHA_ALWAYS_INLINE void detect_first(struct message *m)
{
	detect_four(m, _mm_add_epi32(m->s.e, m->s.words[0]), 0);
}

static TARGET BLOCKSHA_ALWAYS_INLINE void detect_group(struct message *m, unsigned group)
{
	detect_four(m, _mm_sha1nexte_epu32(m->s.e, m->s.words[group % 4]), group);
}

/* Compresses a block of each message, at data[l] + offset, into the slots. */
static TARGET BLOCKSHA_ALWAYS_INLINE void detect_compress(struct message *m,
							  struct block *const *slots,
							  const unsigned char *const *data,
							  size_t offset)
{
	SHANI_EACH(detect_begin(&m[l], slots[l], data[l] + offset));
	SHANI_EACH(detect_first(&m[l]));
	SHANI_EACH(detect_group(&m[l], 1));
	SHANI_EACH(detect_group(&m[l], 2));
	SHANI_EACH(detect_group(&m[l], 3));
	SHANI_EACH(detect_group(&m[l], 4));
	SHANI_EACH(detect_group(&m[l], 5));
	SHANI_EACH(detect_group(&m[l], 6));
	SHANI_EACH(detect_group(&m[l], 7));
	SHANI_EACH(detect_group(&m[l], 8));
	SHANI_EACH(detect_group(&m[l], 9));
	SHANI_EACH(detect_group(&m[l], 10));
	SHANI_EACH(detect_group(&m[l], 11));
	SHANI_EACH(detect_group(&m[l], 12));
	SHANI_EACH(detect_group(&m[l], 13));
	SHANI_EACH(detect_group(&m[l], 14));
	SHANI_EACH(detect_group(&m[l], 15));
	SHANI_EACH(detect_group(&m[l], 16));
	SHANI_EACH(detect_group(&m[l], 17));
	SHANI_EACH(detect_group(&m[l], 18));
	SHANI_EACH(detect_group(&m[l], 19));
	SHANI_EACH(sha1_shani_end(&m[l].s));
}

/* The chaining value behind the block, for the check. */
static TARGET BLOCKSHA_ALWAYS_INLINE void detect_keep_out(const struct message *m)
{
	m->block->out_abcd = m->s.abcd;
	m->block->out_e = m->s.e;
}

#endif
