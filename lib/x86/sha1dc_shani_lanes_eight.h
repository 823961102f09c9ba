/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_lanes_eight.h - SHA-1 with collision detection of SHANI_LANES messages with the
 * SHA instructions and AVX2. The filter is that of the kernels with vector lanes: it looks at
 * eight blocks at once, some of each message that follow each other, and costs half as much a
 * block as one that looks at one block. The kernel files define SHANI_LANES and DETECT_KERNEL,
 * the name of the function.
 */
#include "../kernel.h"
#include "lanes_avx2.h"

#define TARGET __attribute__((target("sha,sse4.1,ssse3,avx2")))
#define UNDER_WAY LANES_WIDTH
#define QUEUE SHANI_LANES

#include "sha1dc_lanes_filter.h"
#include "sha1dc_shani_lanes.h"
#include "sha1dc_shani_queue.h"

/* The words of group g of all blocks, from four words of each block to a vector of each word. */
static TARGET BLOCKSHA_ALWAYS_INLINE void transpose_group(vec *words, struct block *const *blocks,
							  unsigned g)
{
#define PAIR(b) \
	_mm256_inserti128_si256(_mm256_castsi128_si256(blocks[b]->w[g]), blocks[(b) + 4]->w[g], 1)
	vec r0 = PAIR(0), r1 = PAIR(1), r2 = PAIR(2), r3 = PAIR(3);
	vec t0 = _mm256_unpacklo_epi32(r0, r1), t1 = _mm256_unpackhi_epi32(r0, r1);
	vec t2 = _mm256_unpacklo_epi32(r2, r3), t3 = _mm256_unpackhi_epi32(r2, r3);
#undef PAIR

	words[4 * g + 3] = _mm256_unpacklo_epi64(t0, t2);
	words[4 * g + 2] = _mm256_unpackhi_epi64(t0, t2);
	words[4 * g + 1] = _mm256_unpacklo_epi64(t1, t3);
	words[4 * g + 0] = _mm256_unpackhi_epi64(t1, t3);
}

/* Returns which of the blocks have candidates. */
static TARGET BLOCKSHA_ALWAYS_INLINE uint32_t filter_blocks(struct block *const *blocks,
							    uint32_t survivors[UNDER_WAY])
{
	vec words[68], bits[8], all; /* from word 32 on */

	for (unsigned g = 8; g < 17; g++)
		transpose_group(words, blocks, g);
	lanes_gather(bits, words, 1);
	all = lanes_survivors(bits, lanes_survivors_b0(bits), words, 1);
	vec_store(survivors, all);
	return vec_nonzero(all);
}

static TARGET __attribute__((noinline)) void add_blocks(struct queue *queue, uint32_t blocks,
							const uint32_t survivors[UNDER_WAY])
{
	for (; blocks != 0; blocks &= blocks - 1) {
		unsigned b = (unsigned)__builtin_ctz(blocks);

		for (uint32_t left = survivors[b]; left != 0; left &= left - 1) {
			const struct lanes_dv *dv = &lanes_dvs[__builtin_ctz(left)];
			const struct candidate candidate = {
				.block = queue->under_way[b],
				.diff = lanes_difference(dv),
				.first = dv->group,
				.message = UINT32_C(1) << b % SHANI_LANES,
			};

			add_candidate(queue, &candidate);
		}
		change_slot(queue, b);
	}
}

TARGET uint32_t DETECT_KERNEL(uint32_t *state, const unsigned char *const *data, size_t nblocks)
{
	struct message m[SHANI_LANES];
	struct queue queue;
	unsigned count = 0; /* blocks under way */

	make_queue(&queue);
	SHANI_EACH(sha1_shani_load_state(&m[l].s, state + l));
	for (size_t offset = 0; nblocks > 0; nblocks--, offset += 64) {
		uint32_t survivors[UNDER_WAY], blocks;

		detect_compress(m, queue.under_way + count, data, offset);
		SHANI_EACH(detect_keep_out(&m[l]));
		count += SHANI_LANES;
		if (count < UNDER_WAY && nblocks > 1)
			continue;
		/* At the end there may be fewer: the first one fills the lanes. */
		for (unsigned b = count; b < UNDER_WAY; b++)
			queue.under_way[b] = queue.under_way[0];
		blocks = filter_blocks(queue.under_way, survivors);
		blocks &= (UINT32_C(1) << count) - 1;
		if (blocks != 0)
			add_blocks(&queue, blocks, survivors);
		count = 0;
	}
	empty_queue(&queue);
	SHANI_EACH(sha1_shani_store_state(state + l, &m[l].s));
	return queue.attacks;
}
