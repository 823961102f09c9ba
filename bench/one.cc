/* SPDX-License-Identifier: MIT */
/*
 * one.cc - one message, from init to final.
 *
 * BM_SHA1/... starts a message as soon as the CPU likes: the end of one may overlap with
 * the beginning of the next, as with messages that have nothing to do with each other.
 * In BM_SHA1_chained/... each digest says where the next message lies, so that each has
 * to end before the next begins.
 */
#include "bench.h"

/* 0 to 64 bytes are a short message: 55 are the most that fit one block with the
   padding. 1 KiB and more are the sizes for which figures of others are published. */
static const size_t short_sizes[] = {0, 20, 55, 56, 64};
static const size_t long_sizes[] = {1024, 4096, 32768, 262144, 1048576};

static bool is_right(benchmark::State &state, const Algorithm &algorithm, size_t size,
		     const std::string &digest)
{
	if (digest == expected_digest(algorithm, random_bytes(size), size))
		return true;
	fail(state, "wrong digest");
	return false;
}

static void finish(benchmark::State &state, const Way &way, size_t size)
{
	state.SetItemsProcessed(state.iterations());
	state.SetBytesProcessed(state.iterations() * (int64_t)size);
	describe(state, way.label, way.lanes);
}

static void one(benchmark::State &state, const Algorithm &algorithm, const Way &way, size_t size)
{
	Forced forced(way.force);
	const unsigned char *data = random_bytes(size);
	std::string digest(algorithm.digest_size, '\0');
	unsigned char *out = (unsigned char *)digest.data();

	way.hash(data, size, out);
	if (!is_right(state, algorithm, size, digest))
		return;
	for (auto _ : state) {
		way.hash(data, size, out);
		benchmark::ClobberMemory();
	}
	finish(state, way, size);
}

static void chained(benchmark::State &state, const Algorithm &algorithm, const Way &way,
		    size_t size)
{
	Forced forced(way.force);
	const unsigned char *data = random_bytes(chain_size);
	std::string digest(algorithm.digest_size, '\0');
	unsigned char *out = (unsigned char *)digest.data();

	way.hash(data, size, out);
	if (!is_right(state, algorithm, size, digest))
		return;
	for (auto _ : state) {
		way.hash(data + chain_distance * out[0], size, out);
		benchmark::ClobberMemory();
	}
	finish(state, way, size);
}

static void in_child(benchmark::State &state, const Algorithm &algorithm, const Way &way,
		     size_t size)
{
	std::string digest;

	while (state.KeepRunningBatch(state.max_iterations)) {
		double seconds = time_in_child(algorithm, way, size, state.max_iterations, digest);

		if (seconds < 0)
			return fail(state, "the process of its own failed");
		state.SetIterationTime(seconds);
	}
	if (is_right(state, algorithm, size, digest))
		finish(state, way, size);
}

typedef void one_fn(benchmark::State &state, const Algorithm &algorithm, const Way &way,
		    size_t size);

static benchmark::internal::Benchmark *add(one_fn *function, const char *what,
					   const Algorithm &algorithm, const Way &way, size_t size)
{
	std::string name = std::string("BM_") + algorithm.name + what + "/";

	name += way.name.empty() ? "" : way.name + "/";
	return benchmark::RegisterBenchmark(
		(name + std::to_string(size)).c_str(),
		[=](benchmark::State &state) { function(state, algorithm, way, size); });
}

static void add_sizes(const Algorithm &algorithm, const Way &way)
{
	if (way.ia32cap) {
		for (size_t size : long_sizes)
			add(in_child, "", algorithm, way, size)->UseManualTime();
		return;
	}
	for (size_t size : long_sizes)
		add(one, "", algorithm, way, size);
	for (size_t size : short_sizes) {
		add(one, "", algorithm, way, size);
		/* An empty message lies nowhere. */
		if (size > 0 && (way.name.empty() || way.name == "openssl"))
			add(chained, "_chained", algorithm, way, size);
	}
}

void register_one()
{
	for (const Algorithm &algorithm : algorithms)
		for (auto list : {our_ways, peer_ways})
			for (const Way &way : list(algorithm))
				if (way.hash)
					add_sizes(algorithm, way);
}
