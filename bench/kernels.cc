/* SPDX-License-Identifier: MIT */
/*
 * kernels.cc - kernels without what stands around them, and the instructions that
 * bound them.
 *
 * BM_SHA1_blocks/KERNEL/N: one message of N blocks, its compressions alone,
 * always from the same state on; and _chained as in one.cc: the new state says where the
 * next blocks lie.
 * BM_SHA1_step/KERNEL: all lanes go on by one block; data in the first-level cache. Its
 * time is the cost in the kernel table.
 * BM_instruction/NAME: a chain of one instruction, each waiting for the one before.
 */
#include "bench.h"

#include <cstring>
#include <numeric>

constexpr unsigned max_words = BLOCKSHA_SHA1_SHA256_WORDS;

/* Any state will do: no kernel takes more or less time for some of them. */
struct States {
	uint32_t word[max_words * BLOCKSHA_LANES_MAX];

	States()
	{
		std::iota(word, word + max_words * BLOCKSHA_LANES_MAX, 0x12345678u);
	}
};

static bool is_right(benchmark::State &state, const blocksha_kernel &row)
{
	if (blocksha_kernel_test((size_t)(&row - blocksha_kernels)) == BLOCKSHA_OK)
		return true;
	fail(state, "the kernel's own test failed");
	return false;
}

/* Runs any kernel; what it detects does not matter here. */
static void run(const blocksha_kernel &row, uint32_t *state, const unsigned char *const *data,
		size_t nblocks)
{
	if (row.compress != nullptr)
		row.compress(state, data[0], nblocks);
	else if (row.compress_lanes != nullptr)
		row.compress_lanes(state, data, nblocks);
	else if (row.detect != nullptr)
		row.detect(state, data[0], nblocks);
	else
		row.detect_lanes(state, data, nblocks);
}

static void blocks(benchmark::State &state, const blocksha_kernel &row, size_t nblocks, bool chain)
{
	const States initial;
	States states;
	const unsigned char *data = random_bytes(chain_size), *next = data;

	if (!is_right(state, row))
		return;
	for (auto _ : state) {
		memcpy(states.word, initial.word, max_words * sizeof(uint32_t));
		run(row, states.word, &next, nblocks);
		benchmark::ClobberMemory();
		if (chain)
			next = data + chain_distance * (states.word[0] % 256);
	}
	state.SetItemsProcessed(state.iterations());
	state.SetBytesProcessed(state.iterations() * (int64_t)(nblocks * BLOCKSHA_BLOCK_SIZE));
	describe(state, row.name, row.lanes);
}

static void step(benchmark::State &state, const blocksha_kernel &row)
{
	/* 16 KiB for 32 lanes; a cache line between two lanes, so that they do not all
	   want the same place of the cache. */
	constexpr size_t nblocks = 8, distance = (nblocks + 1) * BLOCKSHA_BLOCK_SIZE;
	const unsigned char *data[BLOCKSHA_LANES_MAX];
	States states;

	for (unsigned lane = 0; lane < row.lanes; lane++)
		data[lane] = random_bytes(BLOCKSHA_LANES_MAX * distance) + lane * distance;
	if (!is_right(state, row))
		return;
	for (auto _ : state) {
		run(row, states.word, data, nblocks);
		benchmark::ClobberMemory();
	}
	state.SetItemsProcessed(state.iterations() * (int64_t)nblocks);
	state.SetBytesProcessed(state.iterations() *
				(int64_t)(nblocks * BLOCKSHA_BLOCK_SIZE * row.lanes));
	describe(state, row.name, row.lanes);
}

static void register_kernel(const blocksha_kernel &row)
{
	std::string algorithm;

	for (const Algorithm &a : algorithms)
		if (a.id == row.algorithm)
			algorithm = std::string("BM_") + a.name;
	benchmark::RegisterBenchmark((algorithm + "_step/" + row.name).c_str(),
				     [&row](benchmark::State &state) { step(state, row); });
	if (row.lanes > 1)
		return;
	for (bool chain : {false, true})
		for (size_t nblocks : {1u, 2u}) { /* what 0 to 64 bytes are with the padding */
			std::string name = algorithm + (chain ? "_blocks_chained/" : "_blocks/") +
					   row.name + "/" + std::to_string(nblocks);

			benchmark::RegisterBenchmark(name.c_str(),
						     [=, &row](benchmark::State &state) {
							     blocks(state, row, nblocks, chain);
						     });
		}
}

#if defined(__x86_64__)
#include <immintrin.h>

/* One cycle each on every x86 CPU, so that times can be read as cycles. */
static void add_chain(unsigned times)
{
	unsigned long value = 1, one = 1;

	for (unsigned i = 0; i < times; i += 8)
		__asm__ volatile("add %1, %0; add %1, %0; add %1, %0; add %1, %0;"
				 "add %1, %0; add %1, %0; add %1, %0; add %1, %0"
				 : "+r"(value)
				 : "r"(one));
}

/* From the state to the state, as in SHA-1: 20 in a row are a block. */
__attribute__((target("sha,sse4.1"))) static void sha1rnds4_chain(unsigned times)
{
	__m128i state = _mm_set1_epi32(1), message = _mm_set1_epi32(2);

	for (unsigned i = 0; i < times; i++) {
		state = _mm_sha1rnds4_epu32(state, message, 0);
		__asm__ volatile("" : "+x"(state));
	}
}

/* The two halves of the state take turns, as in SHA-256: 32 in a row are a block. */
__attribute__((target("sha,sse4.1"))) static void sha256rnds2_chain(unsigned times)
{
	__m128i abef = _mm_set1_epi32(1), cdgh = _mm_set1_epi32(2), message = _mm_set1_epi32(3);

	for (unsigned i = 0; i < times; i += 2) {
		cdgh = _mm_sha256rnds2_epu32(cdgh, abef, message);
		abef = _mm_sha256rnds2_epu32(abef, cdgh, message);
		__asm__ volatile("" : "+x"(abef), "+x"(cdgh));
	}
}

static void register_instruction(const char *name, void (*chain)(unsigned))
{
	benchmark::RegisterBenchmark((std::string("BM_instruction/") + name).c_str(),
				     [=](benchmark::State &state) {
					     constexpr unsigned times = 1000;

					     for (auto _ : state)
						     chain(times);
					     state.SetItemsProcessed(state.iterations() * times);
					     state.SetLabel("latency");
				     });
}

static void register_instructions()
{
	register_instruction("add", add_chain);
	if (is_usable(BLOCKSHA_SHA1, "x86-shani"))
		register_instruction("sha1rnds4", sha1rnds4_chain);
	if (is_usable(BLOCKSHA_SHA256, "x86-shani"))
		register_instruction("sha256rnds2", sha256rnds2_chain);
}
#else
static void register_instructions()
{
}
#endif

void register_kernels()
{
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		if (blocksha_kernel_usable(&blocksha_kernels[i]))
			register_kernel(blocksha_kernels[i]);
	register_instructions();
}
