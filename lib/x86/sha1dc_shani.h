/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani.h - SHA-1 with collision detection, one message, with the SHA instructions
 * of x86: the template of the kernels, which include their filter and define
 * DETECT_KERNEL, the name of the function, before.
 */
#include "sha1dc_shani_rounds.h"

TARGET int DETECT_KERNEL(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	struct queue queue;
	uint32_t survivors[4];
	struct chain chain = {
		load_words(state),
		_mm_slli_si128(_mm_cvtsi32_si128((int)state[4]), 12),
	};

	make_queue(&queue);
	for (; nblocks > 0; nblocks--, data += 64) {
		struct block *slot = queue.under_way[0];

		if (BLOCKSHA_LIKELY(queue.count < QUEUE)) {
			COMPRESS(&chain, data, slot, LEAVE_OUT, NOTHING);
		} else {
			struct chain copy = chain; /* so that chain itself stays in registers */

			compress_and_check(&queue, &copy, data);
			chain = copy;
		}
		if (!BLOCKSHA_LIKELY(!filter(slot->w, survivors))) {
			slot->out_abcd = chain.abcd;
			slot->out_e = chain.e;
			add_survivors(&queue, 0, survivors);
		}
	}
	empty_queue(&queue);

	_mm_storeu_si128((__m128i *)(void *)state, _mm_shuffle_epi32(chain.abcd, 0x1b));
	state[4] = (uint32_t)_mm_extract_epi32(chain.e, 3);
	return queue.attacks != 0;
}
