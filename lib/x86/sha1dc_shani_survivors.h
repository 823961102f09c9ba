/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_survivors.h - the candidates of a block that the filters on one block find
 * (sha1dc_filter_gfni.h or sha1dc_filter_avx2.h, to be included before).
 */
#ifndef BLOCKSHA_X86_SHA1DC_SHANI_SURVIVORS_H
#define BLOCKSHA_X86_SHA1DC_SHANI_SURVIVORS_H

#include "../sha1dc/check.h"
#include "../sha1dc/tables.h"
#include "sha1dc_shani_queue.h"

/* Puts the block of message m into the queue once for each surviving DV. */
static TARGET __attribute__((noinline)) void add_survivors(struct queue *queue, unsigned m,
							   const uint32_t survivors[4])
{
	for (unsigned class = 0; class < BLOCKSHA_SHA1DC_CLASSES; class ++) {
		for (uint32_t left = survivors[class]; left != 0; left &= left - 1) {
			unsigned k = (unsigned)__builtin_ctz(left) + 25;
			int i = blocksha_sha1dc_index[class][k - 43];
			const struct blocksha_dv *dv = &blocksha_sha1dc_dvs[i];
			const struct candidate candidate = {
				.block = queue->under_way[m],
				.diff = blocksha_sha1dc_difference(dv),
				.first = dv->step / 4,
				.message = UINT32_C(1) << m,
			};

			add_candidate(queue, &candidate);
		}
	}
	change_slot(queue, m);
}

#endif
