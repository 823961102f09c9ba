/* SPDX-License-Identifier: MIT */
/*
 * test_selftest.c - the self-test finds kernels that are wrong. The table of kernels exists
 * only here: each row has one fault, of a kind that CPUs, emulators and programmers have made.
 *
 * This file defines the table, so the linker does not take the one of lib/kernels.c out of the
 * static library.
 */
#include "test.h"

#include "blocksha.h"
#include "kernel.h"

enum { BLOCK = BLOCKSHA_BLOCK_SIZE, ALL_WORDS = BLOCKSHA_SHA1_SHA256_WORDS };

/* --- Kernels with a fault -------------------------------------------------------- */

enum fault {
	NONE,
	BIT,           /* one bit of one word of one lane is wrong */
	NOTHING,       /* the state stays as it was */
	ONE_BLOCK,     /* only the first block is compressed */
	BLOCK_SHORT,   /* all but the last block */
	SAME_BLOCK,    /* the first block again and again */
	SECOND_WRONG,  /* of two blocks the second is taken from the wrong place */
	THIRD_WRONG,   /* the first two blocks are right, those behind them come once more */
	BYTES_SWAPPED, /* the words of the result in the other byte order */
	WORDS_SWAPPED, /* two words change places */
	LANE_ZERO,     /* one lane has the data of lane 0 */
	LANE_STATE,    /* one lane begins with the state of lane 0 */
	LANES_SWAPPED, /* one lane and lane 0 change places */
	BLIND,         /* an attack in one lane is not found */
	ALARM,         /* an attack is found where there is none */
	WRONG_LANE,    /* an attack in one lane is found in lane 0 */
	SINGLE_FAULTS = LANE_ZERO
};

/* The fault of the rows that are called "faulty". */
static struct {
	enum fault kind;
	unsigned lane, word, bit;
} fault;

/* Whether the portable rows are wrong, too, in the same way. */
static bool portable_has_it;

static size_t words_of(enum blocksha_algorithm algorithm)
{
	static const size_t words[BLOCKSHA_ALGORITHMS] = {
		BLOCKSHA_SHA1_WORDS, BLOCKSHA_SHA256_WORDS, BLOCKSHA_SHA1_SHA256_WORDS,
		BLOCKSHA_SHA1_WORDS, BLOCKSHA_SHA1_SHA256_WORDS};

	return words[algorithm];
}

static bool is_detecting(enum blocksha_algorithm algorithm)
{
	return algorithm == BLOCKSHA_SHA1DC || algorithm == BLOCKSHA_SHA1DC_SHA256;
}

/* Returns whether there is an attack; not, if the kernel does not detect. */
static int good(enum blocksha_algorithm algorithm, uint32_t *state, const unsigned char *data,
		size_t nblocks)
{
	if (algorithm == BLOCKSHA_SHA1DC)
		return blocksha_sha1dc_portable(state, data, nblocks);
	if (algorithm == BLOCKSHA_SHA1DC_SHA256)
		return blocksha_sha1dc_sha256_portable(state, data, nblocks);
	if (algorithm == BLOCKSHA_SHA1)
		blocksha_sha1_portable(state, data, nblocks);
	else if (algorithm == BLOCKSHA_SHA256)
		blocksha_sha256_portable(state, data, nblocks);
	else
		blocksha_sha1_sha256_portable(state, data, nblocks);
	return 0;
}

static uint32_t bytes_swapped(uint32_t x)
{
	return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

/* The verdict is right; the state has the fault. */
static void compress_wrong(enum blocksha_algorithm algorithm, uint32_t *state,
			   const unsigned char *data, size_t nblocks)
{
	size_t words = words_of(algorithm), other = (fault.word + 1) % words;
	uint32_t word;

	switch (fault.kind) {
	case NOTHING:
		return;
	case ONE_BLOCK:
		good(algorithm, state, data, nblocks != 0);
		return;
	case BLOCK_SHORT:
		good(algorithm, state, data, nblocks - (nblocks != 0));
		return;
	case SAME_BLOCK:
		for (size_t i = 0; i < nblocks; i++)
			good(algorithm, state, data, 1);
		return;
	case SECOND_WRONG:
		for (size_t i = 0; i < nblocks; i++)
			good(algorithm, state, data + BLOCK * i - i % 2, 1);
		return;
	case THIRD_WRONG:
		for (size_t i = 0; i < nblocks; i++)
			good(algorithm, state, data + BLOCK * (i < 2 ? i : 1), 1);
		return;
	default:
		good(algorithm, state, data, nblocks);
	}
	if (fault.kind == BIT)
		state[fault.word] ^= (uint32_t)1 << fault.bit;
	if (fault.kind == BYTES_SWAPPED)
		for (size_t w = 0; w < words; w++)
			state[w] = bytes_swapped(state[w]);
	if (fault.kind == WORDS_SWAPPED) {
		word = state[fault.word];
		state[fault.word] = state[other];
		state[other] = word;
	}
}

static int compress_faulty(enum blocksha_algorithm algorithm, uint32_t *state,
			   const unsigned char *data, size_t nblocks)
{
	uint32_t copy[ALL_WORDS];
	int attack;

	memcpy(copy, state, 4 * words_of(algorithm));
	attack = good(algorithm, copy, data, nblocks);
	compress_wrong(algorithm, state, data, nblocks);
	if (fault.kind == BLIND)
		return 0;
	return fault.kind == ALARM && is_detecting(algorithm) ? 1 : attack;
}

static uint32_t compress_lanes(enum blocksha_algorithm algorithm, unsigned lanes, uint32_t *state,
			       const unsigned char *const *data, size_t nblocks)
{
	uint32_t attacks = 0;
	uint32_t lane_0[ALL_WORDS]; /* before the call */

	for (size_t w = 0; w < words_of(algorithm); w++)
		lane_0[w] = state[w * BLOCKSHA_LANES_MAX];
	for (unsigned l = 0; l < lanes; l++) {
		unsigned found_in = l == fault.lane && fault.kind == WRONG_LANE ? 0 : l;
		bool has_fault = l == fault.lane;
		const unsigned char *p = data[has_fault && fault.kind == LANE_ZERO ? 0 : l];
		uint32_t one[ALL_WORDS];

		for (size_t w = 0; w < words_of(algorithm); w++)
			one[w] = state[w * BLOCKSHA_LANES_MAX + l];
		if (has_fault && fault.kind == LANE_STATE)
			memcpy(one, lane_0, sizeof(one));
		if (has_fault && (fault.kind < SINGLE_FAULTS || fault.kind > LANES_SWAPPED))
			attacks |= (uint32_t)compress_faulty(algorithm, one, p, nblocks)
				   << found_in;
		else
			attacks |= (uint32_t)good(algorithm, one, p, nblocks) << l;
		for (size_t w = 0; w < words_of(algorithm); w++)
			state[w * BLOCKSHA_LANES_MAX + l] = one[w];
	}
	for (size_t w = 0; w < words_of(algorithm) && fault.kind == LANES_SWAPPED; w++) {
		uint32_t *row = state + w * BLOCKSHA_LANES_MAX, word = row[0];

		row[0] = row[fault.lane];
		row[fault.lane] = word;
	}
	return attacks;
}

#define KERNELS(ALGORITHM, hash)                                                                \
	static void hash##_portable(uint32_t *state, const unsigned char *data, size_t nblocks) \
	{                                                                                       \
		if (portable_has_it)                                                            \
			compress_faulty(BLOCKSHA_##ALGORITHM, state, data, nblocks);            \
		else                                                                            \
			good(BLOCKSHA_##ALGORITHM, state, data, nblocks);                       \
	}                                                                                       \
	static void hash##_faulty(uint32_t *state, const unsigned char *data, size_t nblocks)   \
	{                                                                                       \
		compress_faulty(BLOCKSHA_##ALGORITHM, state, data, nblocks);                    \
	}

#define KERNELS_OF_LANES(ALGORITHM, hash, lanes)                                       \
	static void hash##_x##lanes(uint32_t *state, const unsigned char *const *data, \
				    size_t nblocks)                                    \
	{                                                                              \
		compress_lanes(BLOCKSHA_##ALGORITHM, lanes, state, data, nblocks);     \
	}

#define DETECTING(ALGORITHM, hash)                                                             \
	static int hash##_portable(uint32_t *state, const unsigned char *data, size_t nblocks) \
	{                                                                                      \
		if (portable_has_it)                                                           \
			return compress_faulty(BLOCKSHA_##ALGORITHM, state, data, nblocks);    \
		return good(BLOCKSHA_##ALGORITHM, state, data, nblocks);                       \
	}                                                                                      \
	static int hash##_faulty(uint32_t *state, const unsigned char *data, size_t nblocks)   \
	{                                                                                      \
		return compress_faulty(BLOCKSHA_##ALGORITHM, state, data, nblocks);            \
	}

#define DETECTING_LANES(lanes)                                                             \
	static uint32_t sha1dc_x##lanes(uint32_t *state, const unsigned char *const *data, \
					size_t nblocks)                                    \
	{                                                                                  \
		return compress_lanes(BLOCKSHA_SHA1DC, lanes, state, data, nblocks);       \
	}

KERNELS(SHA1, sha1)
KERNELS(SHA256, sha256)
KERNELS(SHA1_SHA256, both)
KERNELS_OF_LANES(SHA1, sha1, 32)
KERNELS_OF_LANES(SHA1, sha1, 16)
KERNELS_OF_LANES(SHA1, sha1, 2)
KERNELS_OF_LANES(SHA256, sha256, 32)
KERNELS_OF_LANES(SHA256, sha256, 16)
KERNELS_OF_LANES(SHA256, sha256, 2)
DETECTING(SHA1DC, sha1dc)
DETECTING(SHA1DC_SHA256, both_dc)
DETECTING_LANES(32)
DETECTING_LANES(16)
DETECTING_LANES(2)

#define ROW(ALGORITHM, name_, lanes_, member)                                                     \
	{                                                                                         \
		.algorithm = BLOCKSHA_##ALGORITHM, .name = (name_), .lanes = (lanes_), .cost = 1, \
		member                                                                            \
	}
#define LANE_ROWS(ALGORITHM, function, hash)                       \
	ROW(ALGORITHM, "x32", 32, .function = hash##_x32),         \
		ROW(ALGORITHM, "x16", 16, .function = hash##_x16), \
		ROW(ALGORITHM, "x2", 2, .function = hash##_x2)
#define ROWS(ALGORITHM, function, hash)                         \
	ROW(ALGORITHM, "faulty", 1, .function = hash##_faulty), \
		ROW(ALGORITHM, "portable", 1, .function = hash##_portable)

const struct blocksha_kernel blocksha_kernels[] = {
	LANE_ROWS(SHA1, compress_lanes, sha1),
	ROWS(SHA1, compress, sha1),
	LANE_ROWS(SHA256, compress_lanes, sha256),
	ROWS(SHA256, compress, sha256),
	ROWS(SHA1_SHA256, compress, both),
	LANE_ROWS(SHA1DC, detect_lanes, sha1dc),
	ROWS(SHA1DC, detect, sha1dc),
	ROWS(SHA1DC_SHA256, detect, both_dc),
};

const size_t blocksha_kernel_count = TEST_COUNT(blocksha_kernels);

/* --- The tests -------------------------------------------------------------------- */

static const char *name_of(size_t i)
{
	static char text[80];

	snprintf(text, sizeof(text), "%s: %s, fault %d in lane %u, word %u, bit %u",
		 blocksha_algorithm_name(blocksha_kernels[i].algorithm), blocksha_kernels[i].name,
		 (int)fault.kind, fault.lane, fault.word, fault.bit);
	return text;
}

static bool is_portable(size_t i)
{
	return strcmp(blocksha_kernels[i].name, "portable") == 0;
}

static void test_no_fault(void)
{
	fault.kind = NONE;
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		CHECK_INT(blocksha_kernel_test(i), BLOCKSHA_OK, "%s", name_of(i));
}

static void check_found(size_t i)
{
	CHECK_INT(blocksha_kernel_test(i), BLOCKSHA_ERROR_SELF_TEST, "%s", name_of(i));
}

/* Each bit of each word, in each lane. */
static void test_bits(void)
{
	fault.kind = BIT;
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = &blocksha_kernels[i];

		if (is_portable(i))
			continue;
		for (fault.lane = 0; fault.lane < row->lanes; fault.lane++)
			for (fault.word = 0; fault.word < words_of(row->algorithm); fault.word++)
				for (fault.bit = 0; fault.bit < 32; fault.bit++)
					check_found(i);
	}
	fault.lane = fault.word = fault.bit = 0;
}

static void test_other_faults(void)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = &blocksha_kernels[i];

		if (is_portable(i))
			continue;
		for (unsigned kind = NOTHING; kind < SINGLE_FAULTS; kind++) {
			fault.kind = kind;
			for (fault.lane = 0; fault.lane < row->lanes; fault.lane++)
				check_found(i);
		}
		for (unsigned kind = LANE_ZERO; kind <= LANES_SWAPPED; kind++) {
			fault.kind = kind;
			for (fault.lane = 1; fault.lane < row->lanes; fault.lane++)
				check_found(i);
		}
		fault.lane = 0;
	}
}

/* The state is right and the verdict is wrong. */
static void test_wrong_verdicts(void)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = &blocksha_kernels[i];

		if (is_portable(i) || !is_detecting(row->algorithm))
			continue;
		for (unsigned kind = BLIND; kind <= WRONG_LANE; kind++) {
			fault.kind = kind;
			for (fault.lane = kind == WRONG_LANE; fault.lane < row->lanes; fault.lane++)
				check_found(i);
		}
		fault.lane = 0;
	}
}

/* A portable kernel cannot bear witness for the others when it is wrong itself: then no kernel
   of its algorithm passes, even if it agrees with the wrong one. */
static void test_wrong_portable(void)
{
	portable_has_it = true;
	for (unsigned kind = BIT; kind < SINGLE_FAULTS; kind++) {
		/* Not seen in one block, the message "abc". */
		if (kind == ONE_BLOCK || kind == SAME_BLOCK || kind == SECOND_WRONG ||
		    kind == THIRD_WRONG)
			continue;
		fault.kind = kind;
		for (size_t i = 0; i < blocksha_kernel_count; i++)
			check_found(i);
	}
	for (unsigned kind = BLIND; kind <= ALARM; kind++) {
		fault.kind = kind;
		for (size_t i = 0; i < blocksha_kernel_count; i++)
			if (is_portable(i) && is_detecting(blocksha_kernels[i].algorithm))
				check_found(i);
	}
	portable_has_it = false;
	test_no_fault();
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_no_fault);
	TEST_RUN(test_bits);
	TEST_RUN(test_other_faults);
	TEST_RUN(test_wrong_verdicts);
	TEST_RUN(test_wrong_portable);
	return test_end();
}
