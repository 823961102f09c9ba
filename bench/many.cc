/* SPDX-License-Identifier: MIT */
/*
 * many.cc - many messages in one call.
 *
 * BM_SHA1_many/SIZE: hundreds of messages of this size, or of sizes as git's objects
 * have them. BM_SHA1_many/4096xN: N messages of 4 KiB, which shows how well the lanes
 * are chosen. Each message lies in memory of its own, where malloc puts it.
 */
#include "bench.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>

/* Messages to hash. */
struct Load {
	std::string name;
	std::vector<std::vector<unsigned char>> data;
	std::vector<blocksha_piece> pieces;
	Messages messages;
	size_t bytes = 0;
	std::map<enum blocksha_algorithm, std::string> digests; /* those that are right */

	Load(const std::string &load_name, const std::vector<size_t> &sizes) : name(load_name)
	{
		std::mt19937 random(2);

		for (size_t size : sizes) {
			/* Somewhere in the random bytes, so that no two are alike. */
			unsigned char *from = random_bytes(65536 + size) + random() % 65536;

			data.emplace_back(from, from + size);
			bytes += size;
		}
		for (const std::vector<unsigned char> &one : data)
			pieces.push_back({one.data(), one.size()});
		for (const blocksha_piece &piece : pieces)
			messages.push_back({&piece, 1});
	}
};

/* A third below 1 KiB, a third to 16 KiB, a third to 64 KiB, in any order: of the objects
   in git's own history 33, 36 and 27 % are such; the rest is larger. */
static std::vector<size_t> git_sizes()
{
	static const size_t limits[] = {0, 1024, 16384, 65536};
	std::mt19937 random(3);
	std::vector<size_t> sizes;

	for (unsigned i = 0; i < 384; i++) {
		size_t low = limits[i % 3], high = limits[i % 3 + 1];

		sizes.push_back(low + random() % (high - low));
	}
	std::shuffle(sizes.begin(), sizes.end(), random);
	return sizes;
}

/* A MiB each, but at least 64 messages, so that the widest kernel fills its lanes twice:
   4 MiB for 64 KiB; and git's 6 MiB. */
static const std::vector<std::shared_ptr<Load>> &loads()
{
	static std::vector<std::shared_ptr<Load>> all;

	if (all.empty()) {
		for (size_t size : {64u, 256u, 736u, 1024u, 4096u, 65536u}) {
			size_t count = std::clamp<size_t>((1 << 20) / size, 64, 1024);

			all.push_back(std::make_shared<Load>(std::to_string(size),
							     std::vector<size_t>(count, size)));
		}
		all.push_back(std::make_shared<Load>("git", git_sizes()));
	}
	return all;
}

static const std::string &right_digests(Load &load, const Algorithm &algorithm)
{
	std::string &digests = load.digests[algorithm.id];

	if (digests.empty())
		for (const std::vector<unsigned char> &data : load.data)
			digests += expected_digest(algorithm, data.data(), data.size());
	return digests;
}

static void many(benchmark::State &state, const Algorithm &algorithm, const Way &way, Load &load)
{
	Forced forced(way.force);
	std::string digests(load.data.size() * algorithm.digest_size, '\0');
	unsigned char *out = (unsigned char *)digests.data();

	way.many(load.messages, out);
	if (digests != right_digests(load, algorithm))
		return fail(state, "wrong digest");
	for (auto _ : state) {
		way.many(load.messages, out);
		benchmark::ClobberMemory();
	}
	state.SetItemsProcessed(state.iterations() * (int64_t)load.data.size());
	state.SetBytesProcessed(state.iterations() * (int64_t)load.bytes);
	describe(state, way.label, way.lanes);
}

static void add(const Algorithm &algorithm, const Way &way, const std::shared_ptr<Load> &load)
{
	std::string name = std::string("BM_") + algorithm.name + "_many/";

	name += way.name.empty() ? "" : way.name + "/";
	benchmark::RegisterBenchmark((name + load->name).c_str(), [=](benchmark::State &state) {
		many(state, algorithm, way, *load);
	});
}

/* 1 to 64 messages, with what the library selects for so many. */
static void add_counts(const Algorithm &algorithm, Way way)
{
	blocksha_plan plan;

	blocksha_plan_for(algorithm.id, &plan);
	for (unsigned n = 1; n <= 64; n++) {
		const blocksha_kernel *first = blocksha_plan_pick(&plan, std::min(n, plan.width));

		way.label = first->name;
		way.lanes = first->lanes;
		add(algorithm, way,
		    std::make_shared<Load>("4096x" + std::to_string(n),
					   std::vector<size_t>(n, 4096)));
	}
}

void register_many()
{
	for (const Algorithm &algorithm : algorithms)
		for (auto list : {our_ways, peer_ways})
			for (const Way &way : list(algorithm)) {
				if (!way.many)
					continue;
				for (const std::shared_ptr<Load> &load : loads())
					add(algorithm, way, load);
				if (way.name.empty())
					add_counts(algorithm, way);
			}
}
