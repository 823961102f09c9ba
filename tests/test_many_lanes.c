/* SPDX-License-Identifier: MIT */
/*
 * test_many_lanes.c - many messages in one call, with a table of kernels that exists only
 * here: kernels of 2 to 32 lanes made of the portable one. So the lanes are tested on every
 * CPU, also on those that have no kernel for many messages, and the test sees which kernel is
 * called with how many blocks.
 *
 * This file defines the table, so the linker does not take the one of lib/kernels.c out of the
 * static library.
 */
#define MANY_HUGE_SIZE (128 << 10) /* here a lane without a message costs as much as one with */
#include "many_template.h"

/* --- The table ---------------------------------------------------------------- */

/* What was called: how many blocks each row has advanced, and in how many calls. */
enum { ROWS_MAX = 32 };
static struct {
	size_t calls, blocks;
} log_of[ROWS_MAX];
static size_t first_called;
static size_t calls;

static void log_call(const struct blocksha_kernel *row, size_t nblocks)
{
	size_t i = (size_t)(row - blocksha_kernels);

	if (calls++ == 0)
		first_called = i;
	log_of[i].calls++;
	log_of[i].blocks += nblocks;
}

static const struct blocksha_kernel *row_of(enum blocksha_algorithm algorithm, unsigned lanes)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		if (blocksha_kernels[i].algorithm == algorithm &&
		    blocksha_kernels[i].lanes == lanes)
			return &blocksha_kernels[i];
	return NULL;
}

/* Returns whether there is an attack. */
static int compress_one(enum blocksha_algorithm algorithm, uint32_t *state,
			const unsigned char *data, size_t nblocks)
{
	if (algorithm == BLOCKSHA_SHA1DC)
		return blocksha_sha1dc_portable(state, data, nblocks);
	if (algorithm == BLOCKSHA_SHA1)
		blocksha_sha1_portable(state, data, nblocks);
	else
		blocksha_sha256_portable(state, data, nblocks);
	return 0;
}

/* One message after the other; reads those of idle lanes, too, as a real kernel does, and tells
   of attacks in them. */
static uint32_t compress_lanes(enum blocksha_algorithm algorithm, unsigned lanes, uint32_t *state,
			       const unsigned char *const *data, size_t nblocks)
{
	size_t words = algorithm == BLOCKSHA_SHA256 ? BLOCKSHA_SHA256_WORDS : BLOCKSHA_SHA1_WORDS;
	uint32_t attacks = 0;

	log_call(row_of(algorithm, lanes), nblocks);
	for (unsigned l = 0; l < lanes; l++) {
		uint32_t one[BLOCKSHA_SHA256_WORDS];

		for (size_t w = 0; w < words; w++)
			one[w] = state[w * BLOCKSHA_LANES_MAX + l];
		attacks |= (uint32_t)compress_one(algorithm, one, data[l], nblocks) << l;
		for (size_t w = 0; w < words; w++)
			state[w * BLOCKSHA_LANES_MAX + l] = one[w];
	}
	return attacks;
}

#define KERNEL(lanes)                                                                      \
	static void sha1_x##lanes(uint32_t *state, const unsigned char *const *data,       \
				  size_t nblocks)                                          \
	{                                                                                  \
		compress_lanes(BLOCKSHA_SHA1, lanes, state, data, nblocks);                \
	}                                                                                  \
	static void sha256_x##lanes(uint32_t *state, const unsigned char *const *data,     \
				    size_t nblocks)                                        \
	{                                                                                  \
		compress_lanes(BLOCKSHA_SHA256, lanes, state, data, nblocks);              \
	}                                                                                  \
	static uint32_t sha1dc_x##lanes(uint32_t *state, const unsigned char *const *data, \
					size_t nblocks)                                    \
	{                                                                                  \
		return compress_lanes(BLOCKSHA_SHA1DC, lanes, state, data, nblocks);       \
	}

KERNEL(32)
KERNEL(31)
KERNEL(16)
KERNEL(7)
KERNEL(3)
KERNEL(2)

static void sha1_one(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	log_call(row_of(BLOCKSHA_SHA1, 1), nblocks);
	blocksha_sha1_portable(state, data, nblocks);
}

static void sha256_one(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	log_call(row_of(BLOCKSHA_SHA256, 1), nblocks);
	blocksha_sha256_portable(state, data, nblocks);
}

static int sha1dc_one(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	log_call(row_of(BLOCKSHA_SHA1DC, 1), nblocks);
	return blocksha_sha1dc_portable(state, data, nblocks);
}

/* No machine has this feature. */
#define NOWHERE (UINT32_C(1) << 30)

/* With these costs 31 lanes never pay, each other number does for some count of messages. A
   row that cannot run and one that was not compiled would be the best ones. */
#define ROW(ALGORITHM, name_, lanes_, cost_, needs_, member)                           \
	{                                                                              \
		.algorithm = BLOCKSHA_##ALGORITHM, .name = (name_), .lanes = (lanes_), \
		.cost = (cost_), .needs = (needs_), member                             \
	}
#define ROWS(ALGORITHM, of_lanes, of_one, hash)                                        \
	ROW(ALGORITHM, "x32", 32, 100, 0, .of_lanes = hash##_x32),                     \
		ROW(ALGORITHM, "x31", 31, 101, 0, .of_lanes = hash##_x31),             \
		ROW(ALGORITHM, "nowhere-x30", 30, 1, NOWHERE, .of_lanes = hash##_x31), \
		ROW(ALGORITHM, "nothing-x29", 29, 1, 0, .of_lanes = NULL),             \
		ROW(ALGORITHM, "x16", 16, 60, 0, .of_lanes = hash##_x16),              \
		ROW(ALGORITHM, "x7", 7, 40, 0, .of_lanes = hash##_x7),                 \
		ROW(ALGORITHM, "x3", 3, 25, 0, .of_lanes = hash##_x3),                 \
		ROW(ALGORITHM, "x2", 2, 18, 0, .of_lanes = hash##_x2),                 \
		ROW(ALGORITHM, "portable", 1, 10, 0, .of_one = hash##_one)

const struct blocksha_kernel blocksha_kernels[] = {
	ROWS(SHA1, compress_lanes, compress, sha1),
	ROWS(SHA256, compress_lanes, compress, sha256),
	ROW(SHA1_SHA256, "portable", 1, 20, 0, .compress = blocksha_sha1_sha256_portable),
	ROWS(SHA1DC, detect_lanes, detect, sha1dc),
	ROW(SHA1DC_SHA256, "portable", 1, 20, 0, .detect = blocksha_sha1dc_sha256_portable),
};

const size_t blocksha_kernel_count = TEST_COUNT(blocksha_kernels);

/* --- Which kernels are called --------------------------------------------------- */

/* Hashes count messages, one block each with its padding but the first, which has
   first_blocks; notes the calls. */
static void log_messages(const struct hash *hash, size_t count, size_t first_blocks)
{
	static unsigned char data[64 * 1000];
	struct blocksha_piece first = {data, 64 * first_blocks - 9}, other = {data, 55};
	struct batch batch = {.count = 0};

	TEST_REQUIRE(first.size <= sizeof(data), "data of this test");
	add_new(hash, &batch, &first, 1);
	while (batch.count < count)
		add_new(hash, &batch, &other, 1);
	memset(log_of, 0, sizeof(log_of));
	calls = 0;
	check_batch(hash, &batch, "%zu messages", count);
}

static void check_calls(const struct hash *hash, unsigned lanes, size_t row_calls, size_t blocks,
			const char *what)
{
	size_t i = (size_t)(row_of(hash->algorithm, lanes) - blocksha_kernels);

	CHECK_INT((long long)log_of[i].calls, (long long)row_calls, "%s, %u lanes: %s",
		  hash->textbook->name, lanes, what);
	CHECK_INT((long long)log_of[i].blocks, (long long)blocks, "%s, %u lanes: %s",
		  hash->textbook->name, lanes, what);
}

/* The first call has the kernel that takes so many messages at the least cost. */
static void test_pick(const struct hash *hash)
{
	static const struct {
		unsigned from, to, lanes;
	} expected[] = {
		/* ceil(count / lanes) * cost, against the next best: */
		{2, 2, 2},    /* 18 (10 + 10 one by one) */
		{3, 3, 3},    /* 25 (28: the pair costs 36) */
		{4, 4, 2},    /* 36 (40 by sevens or one by one) */
		{5, 7, 7},    /* 40 (50 by threes) */
		{8, 16, 16},  /* 60 (80 by sevens) */
		{17, 32, 32}, /* 100 (120 by sixteens) */
	};

	for (size_t i = 0; i < TEST_COUNT(expected); i++)
		for (unsigned count = expected[i].from; count <= expected[i].to; count++) {
			log_messages(hash, count, 1);
			CHECK(blocksha_kernels[first_called].lanes == expected[i].lanes,
			      "%s: %u messages begin with %s", hash->textbook->name, count,
			      blocksha_kernels[first_called].name);
		}
}

/* Full lanes as long as there are messages, and the rest with fewer: 9 x 32 + 16 + 3. */
static void test_tail(const struct hash *hash)
{
	log_messages(hash, 9 * 32 + 16 + 3, 1);
	check_calls(hash, 32, 10, 10, "the last call with 19 messages");
	CHECK_INT((long long)calls, 10, "%s", hash->textbook->name);

	log_messages(hash, 9 * 32 + 8, 1);
	check_calls(hash, 32, 9, 9, "full lanes");
	check_calls(hash, 16, 1, 1, "the last 8 messages");
	CHECK_INT((long long)calls, 10, "%s", hash->textbook->name);
}

/* A lane whose message ends takes the next one: while the long message goes on, 310 short ones
   pass through the other 31 lanes, and what is left of it then goes to the kernel for one
   message: 989 blocks in one call, and the padded one. */
static void test_refill(const struct hash *hash)
{
	log_messages(hash, 311, 1000);
	check_calls(hash, 32, 10, 10, "the short messages");
	check_calls(hash, 1, 2, 990, "the rest of the long message");
	CHECK_INT((long long)calls, 12, "%s", hash->textbook->name);
}

/* A single message does not go through the lanes: one call for its whole blocks and one for
   its padding. */
static void test_single(const struct hash *hash)
{
	log_messages(hash, 1, 1000);
	check_calls(hash, 1, 2, 1000, "one message");
	CHECK_INT((long long)calls, 2, "%s", hash->textbook->name);
}

static void test_plan(const struct hash *hash)
{
	struct blocksha_plan plan;

	blocksha_plan_for(hash->algorithm, &plan);
	CHECK_INT(plan.width, 32, "%s", hash->textbook->name);
	CHECK_INT(plan.count, 7, "%s: all but those that cannot run", hash->textbook->name);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	for (size_t i = 0; i < TEST_COUNT(many_hashes); i++) {
		const struct hash *hash = &many_hashes[i];

		test_plan(hash);
		test_pick(hash);
		test_tail(hash);
		test_refill(hash);
		test_single(hash);
		test_many(hash, "x31");
		test_many(hash, "x3");
		test_many(hash, NULL);
	}
	for (size_t i = 0; i < TEST_COUNT(many_hashes); i++)
		test_many_free(&many_hashes[i]);
	return test_end();
}
