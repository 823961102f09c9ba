/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_queue.h - the queue of candidates in the kernels with SHA instructions. To be
 * included after a filter (sha1dc_filter_gfni.h or sha1dc_filter_avx2.h), which defines
 * TARGET, and with two numbers defined: UNDER_WAY, how many blocks the kernel has before the
 * filter at once, and QUEUE, how many candidates are checked at once.
 */
#ifndef BLOCKSHA_X86_SHA1DC_SHANI_QUEUE_H
#define BLOCKSHA_X86_SHA1DC_SHANI_QUEUE_H

#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"
#include "sha1dc_shani_check.h"

/* The blocks under way are always in slots, so that nothing is copied when one turns out
   to be a candidate: it stays where it is, and its message goes on in another slot. As
   many blocks as candidates may wait, so there is always a free one. */
struct queue {
	struct block *under_way[UNDER_WAY];
	uint32_t attacks; /* a bit for each message */
	unsigned count;   /* of candidates */
	unsigned blocks;  /* how many wait, in the first of these slots: */
	struct block *others[QUEUE];
	struct candidate candidates[QUEUE];
	struct block slots[UNDER_WAY + QUEUE];
};

static TARGET BLOCKSHA_ALWAYS_INLINE void make_queue(struct queue *queue)
{
	queue->attacks = 0;
	queue->count = 0;
	queue->blocks = 0;
	for (unsigned i = 0; i < UNDER_WAY; i++)
		queue->under_way[i] = &queue->slots[i];
	for (unsigned i = 0; i < QUEUE; i++)
		queue->others[i] = &queue->slots[UNDER_WAY + i];
}

/* Checks the candidates that wait, if any. */
static TARGET __attribute__((noinline)) void empty_queue(struct queue *queue)
{
	if (queue->count > 0)
		queue->attacks |= check(queue->candidates, queue->count);
	queue->count = 0;
	queue->blocks = 0;
}

static TARGET BLOCKSHA_ALWAYS_INLINE void add_candidate(struct queue *queue,
							const struct candidate *candidate)
{
	if (queue->count == QUEUE)
		empty_queue(queue);
	queue->candidates[queue->count++] = *candidate;
}

/* Block m was added: its message goes on in another slot. */
static TARGET BLOCKSHA_ALWAYS_INLINE void change_slot(struct queue *queue, unsigned m)
{
	struct block *block = queue->under_way[m];

	queue->under_way[m] = queue->others[queue->blocks];
	queue->others[queue->blocks++] = block;
}

#endif
