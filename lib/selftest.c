/* SPDX-License-Identifier: MIT */
/*
 * selftest.c - whether a kernel gives right results on this machine. CPUs and
 * emulators that execute SHA or vector instructions wrongly have been met.
 *
 * A portable kernel must reach the published state after "abc"; every other
 * kernel must do what the portable one does with a few blocks of noise; one that
 * detects must find a published attack.
 */
#include "stream.h"

#define BLOCKS 5

/* The fifth block of the first SHAttered file, the second of its near-collision blocks
   (Stevens et al., "The first collision for full SHA-1", CRYPTO 2017, table 1), and the
   chaining value before it. */
static const unsigned char attack_block[BLOCKSHA_BLOCK_SIZE] = {
	0x3c, 0x57, 0x0f, 0xeb, 0x14, 0x13, 0x98, 0xbb, 0x55, 0x2e, 0xf5, 0xa0, 0xa8,
	0x2b, 0xe3, 0x31, 0xfe, 0xa4, 0x80, 0x37, 0xb8, 0xb5, 0xd7, 0x1f, 0x0e, 0x33,
	0x2e, 0xdf, 0x93, 0xac, 0x35, 0x00, 0xeb, 0x4d, 0xdc, 0x0d, 0xec, 0xc1, 0xa8,
	0x64, 0x79, 0x0c, 0x78, 0x2c, 0x76, 0x21, 0x56, 0x60, 0xdd, 0x30, 0x97, 0x91,
	0xd0, 0x6b, 0xd0, 0xaf, 0x3f, 0x98, 0xcd, 0xa4, 0xbc, 0x46, 0x29, 0xb1,
};
static const uint32_t attack_state[BLOCKSHA_SHA1_WORDS] = {0x8d64c821, 0xffed52e2, 0xebc85915,
							   0x5ec7eb36, 0x738a5a7b};

struct algorithm {
	size_t words;
	int detects;
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
	a->detects = algorithm == BLOCKSHA_SHA1DC || algorithm == BLOCKSHA_SHA1DC_SHA256;
	a->portable = blocksha_kernels; /* every algorithm has rows */
	if (algorithm != BLOCKSHA_SHA256) {
		memcpy(a->initial, blocksha_sha1_initial, sizeof(blocksha_sha1_initial));
		memcpy(a->abc, sha1_abc, sizeof(sha1_abc));
		a->words = BLOCKSHA_SHA1_WORDS;
	}
	if (algorithm != BLOCKSHA_SHA1 && algorithm != BLOCKSHA_SHA1DC) {
		memcpy(a->initial + a->words, blocksha_sha256_initial,
		       sizeof(blocksha_sha256_initial));
		memcpy(a->abc + a->words, sha256_abc, sizeof(sha256_abc));
		a->words += BLOCKSHA_SHA256_WORDS;
	}
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		if (blocksha_kernels[i].algorithm == algorithm)
			a->portable = &blocksha_kernels[i];
}

/* Runs any kernel; returns the lanes in which it detects an attack. */
static uint32_t run(const struct blocksha_kernel *row, uint32_t *state,
		    const unsigned char *const *data, size_t nblocks)
{
	if (row->compress != NULL)
		row->compress(state, data[0], nblocks);
	else if (row->compress_lanes != NULL)
		row->compress_lanes(state, data, nblocks);
	else if (row->detect != NULL)
		return (uint32_t)row->detect(state, data[0], nblocks);
	else
		return row->detect_lanes(state, data, nblocks);
	return 0;
}

/* Word w of lane l in the state of a kernel. */
static uint32_t *word_of(const struct blocksha_kernel *row, uint32_t *state, size_t w, size_t l)
{
	return row->lanes == 1 ? &state[w] : &state[w * BLOCKSHA_LANES_MAX + l];
}

static int test_abc(const struct algorithm *a)
{
	unsigned char block[BLOCKSHA_BLOCK_SIZE] = {'a', 'b', 'c', 0x80};
	const unsigned char *data[1] = {block};
	uint32_t state[BLOCKSHA_SHA1_SHA256_WORDS];

	block[BLOCKSHA_BLOCK_SIZE - 1] = 24; /* the length in bits */
	memcpy(state, a->initial, 4 * a->words);
	run(a->portable, state, data, 1);
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
			*word_of(row, state, w, l) = expected[l][w];
		}
		run(a->portable, expected[l], &data[l], BLOCKS);
	}
	if (run(row, state, data, BLOCKS) != 0)
		return 0;
	for (unsigned l = 0; l < row->lanes; l++)
		for (size_t w = 0; w < a->words; w++)
			if (*word_of(row, state, w, l) != expected[l][w])
				return 0;
	return 1;
}

/* The attack in one lane after the other, "abc" in all others. */
static int test_attack(const struct blocksha_kernel *row)
{
	unsigned char harmless[BLOCKSHA_BLOCK_SIZE] = {'a', 'b', 'c', 0x80};

	for (unsigned lane = 0; lane < row->lanes; lane++) {
		const unsigned char *data[BLOCKSHA_LANES_MAX];
		uint32_t state[BLOCKSHA_SHA1_SHA256_WORDS * BLOCKSHA_LANES_MAX] = {0};

		for (unsigned l = 0; l < row->lanes; l++) {
			data[l] = l == lane ? attack_block : harmless;
			for (size_t w = 0; w < BLOCKSHA_SHA1_WORDS; w++)
				*word_of(row, state, w, l) = attack_state[w];
		}
		if (run(row, state, data, 1) != UINT32_C(1) << lane)
			return 0;
	}
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
	if (!test_abc(&a) || !test_against_portable(&a, row) || (a.detects && !test_attack(row)))
		return BLOCKSHA_ERROR_SELF_TEST;
	return BLOCKSHA_OK;
}
