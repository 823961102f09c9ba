/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_lanes_one.h - SHA-1 with collision detection of SHANI_LANES messages with the
 * SHA instructions and a filter that looks at one block. The kernel files define SHANI_LANES
 * and DETECT_KERNEL, the name of the function, and include the filter before.
 */
#include "../kernel.h"

#define UNDER_WAY SHANI_LANES
#define QUEUE SHANI_LANES

#include "sha1dc_shani_lanes.h"
#include "sha1dc_shani_survivors.h"

static TARGET BLOCKSHA_ALWAYS_INLINE void filter_block(struct queue *queue, const struct message *m,
						       unsigned l)
{
	uint32_t survivors[4];

	if (BLOCKSHA_LIKELY(!filter(m->block->w, survivors)))
		return;
	detect_keep_out(m);
	add_survivors(queue, l, survivors);
}

TARGET uint32_t DETECT_KERNEL(uint32_t *state, const unsigned char *const *data, size_t nblocks)
{
	struct message m[SHANI_LANES];
	struct queue queue;

	make_queue(&queue);
	SHANI_EACH(sha1_shani_load_state(&m[l].s, state + l));
	for (size_t offset = 0; nblocks > 0; nblocks--, offset += 64) {
		detect_compress(m, queue.under_way, data, offset);
		SHANI_EACH(filter_block(&queue, &m[l], l));
	}
	empty_queue(&queue);
	SHANI_EACH(sha1_shani_store_state(state + l, &m[l].s));
	return queue.attacks;
}
