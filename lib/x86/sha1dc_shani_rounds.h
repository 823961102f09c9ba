/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_rounds.h - the rounds of SHA-1 with collision detection, one message, with
 * the SHA instructions of x86: what the kernels for SHA-1 alone (sha1dc_shani.h) and
 * for SHA-1 and SHA-256 (sha1dc_sha256_shani.h) share. To be included after a filter.
 *
 * sha1_shani.c explains the rounds. What detection adds has no place in the chain of
 * sha1rnds4 that bounds the speed: the words and the states before the groups 13 to 17 of
 * four rounds are stored, the filter looks at the words while the next block is under
 * way, and the few candidates wait in a queue until two can be checked beside a block.
 */
#include "../kernel.h"

#define UNDER_WAY 1
#define QUEUE 2

#include "sha1dc_shani_survivors.h"

/* --- The rounds ------------------------------------------------------------ */

/* Four rounds of function f; e is E plus the first word, next becomes the same for
   the four rounds behind these, whose words are w. */
#define MAIN_ROUNDS4(f, e, next, w)                     \
	do {                                            \
		next = _mm_sha1nexte_epu32(abcd, w);    \
		abcd = _mm_sha1rnds4_epu32(abcd, e, f); \
	} while (0)

/* The same, and the words of group g, four groups ahead, take the place of w0. */
#define MAIN_GROUP(f, e, next, w0, w1, w2, w3, g) \
	do {                                      \
		MAIN_ROUNDS4(f, e, next, w1);     \
		w0 = SCHEDULE(w0, w1, w2, w3);    \
		block->w[g] = w0;                 \
	} while (0)

#define KEEP_STATE(g) block->abcd[(g)-FIRST_STATE] = abcd

/* CHECK(...): the check of two candidates, or nothing. BESIDE(n), n = 0 to 15: a sixteenth
   of another hash, or nothing. */
#define COMPRESS_BLOCK(CHECK, BESIDE)                                         \
	do {                                                                  \
		MAIN_GROUP(0, e, f, w0, w1, w2, w3, 4);                       \
		BESIDE(0);                                                    \
		CHECK(EACH_LANE(take_state, 14); EACH_LANE(GROUP, 14, 2);)    \
		MAIN_GROUP(0, f, e, w1, w2, w3, w0, 5);                       \
		BESIDE(1);                                                    \
		CHECK(EACH_LANE(take_state, 15); EACH_LANE(GROUP, 15, 3);)    \
		MAIN_GROUP(0, e, f, w2, w3, w0, w1, 6);                       \
		BESIDE(2);                                                    \
		CHECK(EACH_LANE(take_state, 16); EACH_LANE(GROUP, 16, 3);)    \
		MAIN_GROUP(0, f, e, w3, w0, w1, w2, 7);                       \
		BESIDE(3);                                                    \
		CHECK(EACH_LANE(take_state, 17); EACH_LANE(GROUP, 17, 3);)    \
		MAIN_GROUP(0, e, f, w0, w1, w2, w3, 8);                       \
		CHECK(EACH_LANE(GROUP, 18, 3);)                               \
		MAIN_GROUP(1, f, e, w1, w2, w3, w0, 9);                       \
		BESIDE(4);                                                    \
		CHECK(EACH_LANE(GROUP, 19, 3);)                               \
		MAIN_GROUP(1, e, f, w2, w3, w0, w1, 10);                      \
		BESIDE(5);                                                    \
		CHECK(EACH_LANE(begin_again, 0);)                             \
		MAIN_GROUP(1, f, e, w3, w0, w1, w2, 11);                      \
		BESIDE(6);                                                    \
		CHECK(EACH_LANE(GROUP, 1, 0);)                                \
		MAIN_GROUP(1, e, f, w0, w1, w2, w3, 12);                      \
		BESIDE(7);                                                    \
		CHECK(EACH_LANE(GROUP, 2, 0);)                                \
		MAIN_GROUP(1, f, e, w1, w2, w3, w0, 13);                      \
		CHECK(EACH_LANE(GROUP, 3, 0);)                                \
		MAIN_GROUP(2, e, f, w2, w3, w0, w1, 14);                      \
		BESIDE(8);                                                    \
		CHECK(EACH_LANE(GROUP, 4, 0);)                                \
		MAIN_GROUP(2, f, e, w3, w0, w1, w2, 15);                      \
		BESIDE(9);                                                    \
		CHECK(EACH_LANE(GROUP, 5, 1);)                                \
		MAIN_GROUP(2, e, f, w0, w1, w2, w3, 16);                      \
		BESIDE(10);                                                   \
		CHECK(EACH_LANE(GROUP, 6, 1);)                                \
		KEEP_STATE(13);                                               \
		MAIN_GROUP(2, f, e, w1, w2, w3, w0, 17);                      \
		BESIDE(11);                                                   \
		CHECK(EACH_LANE(GROUP, 7, 1);)                                \
		KEEP_STATE(14);                                               \
		MAIN_GROUP(2, e, f, w2, w3, w0, w1, 18);                      \
		CHECK(EACH_LANE(GROUP, 8, 1);)                                \
		KEEP_STATE(15);                                               \
		MAIN_GROUP(3, f, e, w3, w0, w1, w2, 19);                      \
		BESIDE(12);                                                   \
		CHECK(EACH_LANE(GROUP, 9, 1);)                                \
		KEEP_STATE(16);                                               \
		MAIN_ROUNDS4(3, e, f, w1);                                    \
		BESIDE(13);                                                   \
		CHECK(EACH_LANE(GROUP, 10, 2);)                               \
		KEEP_STATE(17);                                               \
		MAIN_ROUNDS4(3, f, e, w2);                                    \
		BESIDE(14);                                                   \
		CHECK(EACH_LANE(GROUP, 11, 2);)                               \
		MAIN_ROUNDS4(3, e, f, w3);                                    \
		BESIDE(15);                                                   \
		CHECK(EACH_LANE(GROUP, 12, 2);)                               \
		MAIN_ROUNDS4(3, f, e, e_before);                              \
		CHECK(EACH_LANE(GROUP, 13, 2);)                               \
		CHECK(EACH_LANE(compare_state, 14); EACH_LANE(GROUP, 14, 2);) \
		CHECK(EACH_LANE(compare_state, 15); EACH_LANE(GROUP, 15, 3);) \
		CHECK(EACH_LANE(compare_state, 16); EACH_LANE(GROUP, 16, 3);) \
		CHECK(EACH_LANE(compare_state, 17);)                          \
	} while (0)

#define RUN(...) __VA_ARGS__
#define LEAVE_OUT(...)
#define NOTHING(n) (void)0

/* The chaining value. */
struct chain {
	__m128i abcd, e;
};

/* Compresses the block into a slot of the queue. */
#define COMPRESS(chain, data, slot, CHECK, BESIDE)                  \
	do {                                                        \
		struct block *block = (slot);                       \
		__m128i abcd = (chain)->abcd, e = (chain)->e, f;    \
		__m128i w0 = load_block(data);                      \
		__m128i w1 = load_block((data) + 16);               \
		__m128i w2 = load_block((data) + 32);               \
		__m128i w3 = load_block((data) + 48);               \
		const __m128i e_before = e;                         \
                                                                    \
		block->w[0] = w0;                                   \
		block->w[1] = w1;                                   \
		block->w[2] = w2;                                   \
		block->w[3] = w3;                                   \
		e = _mm_add_epi32(e, w0);                           \
		COMPRESS_BLOCK(CHECK, BESIDE);                      \
		(chain)->abcd = _mm_add_epi32((chain)->abcd, abcd); \
		(chain)->e = e;                                     \
	} while (0)

/* The same, and the check of the candidates beside it: three chains take little longer
   than one. */
static TARGET __attribute__((noinline)) void
compress_and_check(struct queue *queue, struct chain *chain, const unsigned char *data)
{
	struct lane lane[QUEUE] = {
		make_lane(&queue->candidates[0]),
		make_lane(&queue->candidates[1]),
	};

	COMPRESS(chain, data, queue->under_way[0], RUN, NOTHING);
	queue->attacks |= attacks_of(lane, queue->candidates, QUEUE);
	queue->count = 0;
	queue->blocks = 0;
}
