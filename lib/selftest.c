/* SPDX-License-Identifier: MIT */
/*
 * selftest.c - whether a kernel gives right results on this machine. CPUs and
 * emulators that execute SHA or vector instructions wrongly have been met.
 *
 * A portable kernel must reach the published state after "abc"; every other
 * kernel must do what the portable one does with a few blocks of noise.
 */
#include "stream.h"

#define BLOCKS 5

struct algorithm {
	size_t words;
	const struct blocksha_kernel *portable; /* the last row */
	uint32_t initial[BLOCKSHA_SHA1_SHA256_WORDS];
	uint32_t abc[BLOCKSHA_SHA1_SHA256_WORDS];
};

/* The digests of "abc" in NIST's examples for FIPS 180-4. */
static const uint32_t sha1_abc[] = {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c, 0x9cd0d89d};
static const uint32_t sha256_abc[] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
				      0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};

static void describe(struct algorithm *a, enum blocksha_algorithm algorithm)
{
	a->words = 0;
	a->portable = blocksha_kernels; /* every algorithm has rows */
	if (algorithm != BLOCKSHA_SHA256) {
		memcpy(a->initial, blocksha_sha1_initial, sizeof(blocksha_sha1_initial));
		memcpy(a->abc, sha1_abc, sizeof(sha1_abc));
		a->words = BLOCKSHA_SHA1_WORDS;
	}
	if (algorithm != BLOCKSHA_SHA1) {
		memcpy(a->initial + a->words, blocksha_sha256_initial,
		       sizeof(blocksha_sha256_initial));
		memcpy(a->abc + a->words, sha256_abc, sizeof(sha256_abc));
		a->words += BLOCKSHA_SHA256_WORDS;
	}
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		if (blocksha_kernels[i].algorithm == algorithm)
			a->portable = &blocksha_kernels[i];
}

static int test_abc(const struct algorithm *a)
{
	unsigned char block[BLOCKSHA_BLOCK_SIZE] = {'a', 'b', 'c', 0x80};
	uint32_t state[BLOCKSHA_SHA1_SHA256_WORDS];

	block[BLOCKSHA_BLOCK_SIZE - 1] = 24; /* the length in bits */
	memcpy(state, a->initial, 4 * a->words);
	a->portable->compress(state, block, 1);
	return memcmp(state, a->abc, 4 * a->words) == 0;
}

/* Every lane its own blocks, one byte apart, and its own state. */
static int test_against_portable(const struct algorithm *a, const struct blocksha_kernel *row)
{
	unsigned char noise[BLOCKS * BLOCKSHA_BLOCK_SIZE + BLOCKSHA_LANES_MAX];
	const unsigned char *data[BLOCKSHA_LANES_MAX];
	uint32_t state[BLOCKSHA_SHA1_SHA256_WORDS * BLOCKSHA_LANES_MAX];
	uint32_t expected[BLOCKSHA_LANES_MAX][BLOCKSHA_SHA1_SHA256_WORDS];
	uint32_t x = 1;

	for (size_t i = 0; i < sizeof(noise); i++) {
		x = x * 1664525 + 1013904223;
		noise[i] = (unsigned char)(x >> 24);
	}
	for (unsigned l = 0; l < row->lanes; l++) {
		data[l] = noise + l;
		for (size_t w = 0; w < a->words; w++) {
			expected[l][w] = a->initial[w] + l;
			state[row->lanes == 1 ? w : w * BLOCKSHA_LANES_MAX + l] = expected[l][w];
		}
		a->portable->compress(expected[l], data[l], BLOCKS);
	}
	if (row->lanes == 1)
		row->compress(state, data[0], BLOCKS);
	else
		row->compress_lanes(state, data, BLOCKS);
	for (unsigned l = 0; l < row->lanes; l++)
		for (size_t w = 0; w < a->words; w++)
			if (state[row->lanes == 1 ? w : w * BLOCKSHA_LANES_MAX + l] !=
			    expected[l][w])
				return 0;
	return 1;
}

BLOCKSHA_EXPORT int blocksha_kernel_test(size_t index)
{
	const struct blocksha_kernel *row;
	struct algorithm a;

	if (index >= blocksha_kernel_count || !blocksha_kernel_usable(&blocksha_kernels[index]))
		return BLOCKSHA_ERROR_KERNEL;
	row = &blocksha_kernels[index];
	describe(&a, row->algorithm);
	if (!test_abc(&a) || !test_against_portable(&a, row))
		return BLOCKSHA_ERROR_SELF_TEST;
	return BLOCKSHA_OK;
}
