/* SPDX-License-Identifier: MIT */
/*
 * lanes.h - what sha1_lanes.h and sha256_lanes.h share: barriers for the compiler, and
 * work done ahead for the blocks to come. To be included after the vectors (lanes_avx2.h or
 * lanes_avx512.h) and with LANES_SETS defined.
 */
#ifndef BLOCKSHA_X86_LANES_H
#define BLOCKSHA_X86_LANES_H

#define LANES_MESSAGES (LANES_SETS * LANES_WIDTH)

/*
 * Does something for each set; in it, `set` is the set's number. Not a loop, because a
 * vector of an array stays in a register only where its index is a constant.
 */
#define LANES_DO(number, ...)            \
	do {                             \
		enum { set = (number) }; \
		__VA_ARGS__;             \
	} while (0)
#if LANES_SETS == 1
#define LANES_EACH_SET(...) LANES_DO(0, __VA_ARGS__)
#elif LANES_SETS == 2
#define LANES_EACH_SET(...)               \
	do {                              \
		LANES_DO(0, __VA_ARGS__); \
		LANES_DO(1, __VA_ARGS__); \
	} while (0)
#endif

/*
 * Barriers for the compiler: what was computed so far comes before what follows. They cost
 * no instruction; each makes the compiler believe that a value has changed, so that it can
 * neither look through it nor reorder a sum across it. Without them gcc 12 adds in an order
 * that sends the newest state word through three additions instead of one, and looks up
 * schedule words twice: SHA-1 falls from 12.4 to 6.7 GB/s with one set of lanes and from 17.7
 * to 12.2 with two, SHA-256 from 6.7 to 5.0 with one set (Zen 5, -O2; with -O3 no better).
 */
#define LANES_FENCE(x) __asm__("" : "+v"(x))
#define LANES_FENCE2(x, y) __asm__("" : "+v"(x), "+v"(y))

/*
 * What is done ahead, a piece at a time, while the steps of a block run.
 *
 * The next block of each message is copied to a place of our own. Messages that lie a multiple
 * of 4096 bytes apart, as pages and power-of-two buffers do, share one set of the first-level
 * cache, which has room for 8 or 12 lines; with more messages than that each line has to come
 * from the second level. The steps hide that time, the transposition does not. For such
 * messages SHA-1 of 32 gains a fifth by the copy, a third if they are not aligned to lines
 * either; for others nothing changes (Zen 5).
 *
 * A later block is fetched into the cache. So many streams are more than the CPU recognizes by
 * itself: without this, messages that come from memory are hashed at half the speed (SHA-1 of
 * 32: 7 GB/s instead of 15).
 */
#define LANES_FETCH_DISTANCE 4 /* in blocks; 1, 2 and 8 were not better */

struct lanes_ahead {
	const unsigned char *const *data;
	size_t next, later; /* offsets; those of this block when the message ends before */
	unsigned char (*stage)[64];
};

/* For block n of nblocks. */
LANES_INLINE struct lanes_ahead lanes_look_ahead(unsigned char (*stage)[64],
						 const unsigned char *const *data, size_t n,
						 size_t nblocks)
{
	const size_t left = nblocks - n;
	const struct lanes_ahead ahead = {
		.data = data,
		.next = 64 * (left > 1 ? n + 1 : n),
		.later = 64 * (left > LANES_FETCH_DISTANCE ? n + LANES_FETCH_DISTANCE : n),
		.stage = stage,
	};

	return ahead;
}

/* Piece 0 to 15 of the blocks of each set; a piece is as long as a vector. */
LANES_INLINE void lanes_do_ahead(const struct lanes_ahead *ahead, size_t piece)
{
	size_t l = piece * sizeof(vec) / 64, at = piece * sizeof(vec) % 64;

	for (; l < LANES_MESSAGES; l += LANES_WIDTH) {
		const unsigned char *data = ahead->data[l] + at;

		vec_store(ahead->stage[l] + at, vec_load(data + ahead->next));
		__builtin_prefetch(data + ahead->later);
	}
}

#endif
