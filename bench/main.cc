/* SPDX-License-Identifier: MIT */
/* main.cc - the algorithms, what the parts share, and the start of it all. */
#include "bench.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

static bool failed;

/* --- Our own library ------------------------------------------------------- */

static void both(const unsigned char *data, size_t size, unsigned char *digest)
{
	blocksha_sha1_sha256(data, size, digest, digest + BLOCKSHA_SHA1_DIGEST_SIZE);
}

static void sha1(const unsigned char *data, size_t size, unsigned char *digest)
{
	blocksha_sha1(data, size, digest);
}

static void sha256(const unsigned char *data, size_t size, unsigned char *digest)
{
	blocksha_sha256(data, size, digest);
}

static void sha1_many(const Messages &messages, unsigned char *digests)
{
	blocksha_sha1_many(messages.data(), messages.size(),
			   (unsigned char(*)[BLOCKSHA_SHA1_DIGEST_SIZE])digests);
}

static void sha256_many(const Messages &messages, unsigned char *digests)
{
	blocksha_sha256_many(messages.data(), messages.size(),
			     (unsigned char(*)[BLOCKSHA_SHA256_DIGEST_SIZE])digests);
}

static void sha1dc(const unsigned char *data, size_t size, unsigned char *digest)
{
	blocksha_sha1dc(data, size, digest, nullptr);
}

static void sha1dc_many(const Messages &messages, unsigned char *digests)
{
	blocksha_sha1dc_many(messages.data(), messages.size(),
			     (unsigned char(*)[BLOCKSHA_SHA1_DIGEST_SIZE])digests, nullptr);
}

static void sha1dc_both(const unsigned char *data, size_t size, unsigned char *digest)
{
	blocksha_sha1dc_sha256(data, size, digest, digest + BLOCKSHA_SHA1_DIGEST_SIZE, nullptr);
}

const std::vector<Algorithm> algorithms = {
	{.name = "SHA1",
	 .id = BLOCKSHA_SHA1,
	 .digest_size = BLOCKSHA_SHA1_DIGEST_SIZE,
	 .hash = sha1,
	 .many = sha1_many},
	{.name = "SHA256",
	 .id = BLOCKSHA_SHA256,
	 .digest_size = BLOCKSHA_SHA256_DIGEST_SIZE,
	 .hash = sha256,
	 .many = sha256_many},
	{.name = "SHA1_SHA256",
	 .id = BLOCKSHA_SHA1_SHA256,
	 .digest_size = max_digest_size,
	 .hash = both},
	{.name = "SHA1DC",
	 .id = BLOCKSHA_SHA1DC,
	 .digest_size = BLOCKSHA_SHA1_DIGEST_SIZE,
	 .hash = sha1dc,
	 .many = sha1dc_many},
	{.name = "SHA1DC_SHA256",
	 .id = BLOCKSHA_SHA1DC_SHA256,
	 .digest_size = max_digest_size,
	 .hash = sha1dc_both},
};

bool is_usable(enum blocksha_algorithm algorithm, const std::string &name)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		if (blocksha_kernels[i].algorithm == algorithm && blocksha_kernels[i].name == name)
			return blocksha_kernel_usable(&blocksha_kernels[i]);
	return false;
}

/* The kernels that many messages use by themselves, widest first. */
static std::string selected_for_many(const Algorithm &algorithm, unsigned *width)
{
	blocksha_plan plan;
	std::string names;

	blocksha_plan_for(algorithm.id, &plan);
	for (unsigned i = 1; i < plan.count; i++)
		names += std::string(plan.rows[i]->name) + " ";
	*width = plan.width;
	return names + plan.rows[0]->name;
}

std::vector<Way> our_ways(const Algorithm &algorithm)
{
	std::vector<Way> ways;
	const std::string one = blocksha_kernel_for(algorithm.id)->name;

	ways.push_back({.name = "", .label = one, .hash = algorithm.hash});
	if (algorithm.many) {
		unsigned width;
		std::string names = selected_for_many(algorithm, &width);

		ways.push_back(
			{.name = "", .label = names, .lanes = width, .many = algorithm.many});
	}
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const blocksha_kernel &row = blocksha_kernels[i];
		const std::string name = row.name;

		if (row.algorithm != algorithm.id || !blocksha_kernel_usable(&row))
			continue;
		Way way = {.name = name, .label = name, .lanes = row.lanes};
		way.force = blocksha_algorithm_name(row.algorithm) + (":" + name);
		if (row.lanes == 1)
			way.hash = algorithm.hash;
		/* Of the kernels for one message only the selected one does many. */
		if (row.lanes > 1 || name == one)
			way.many = algorithm.many;
		ways.push_back(way);
	}
	return ways;
}

std::string Forced::current;

static void force(const std::string &list)
{
	if (blocksha_force_kernels(list.c_str()) != BLOCKSHA_OK) {
		fprintf(stderr, "cannot force %s\n", list.c_str());
		exit(EXIT_FAILURE);
	}
}

Forced::Forced(const std::string &list) : before(current)
{
	force(current = list);
}

Forced::~Forced()
{
	force(current = before);
}

/* --- Data and digests ------------------------------------------------------ */

unsigned char *random_bytes(size_t size)
{
	static std::vector<unsigned char> bytes;

	if (bytes.empty()) {
		std::mt19937 random(1);

		bytes.resize(1 << 20);
		for (unsigned char &byte : bytes)
			byte = (unsigned char)random();
	}
	if (size > bytes.size()) {
		fprintf(stderr, "there are no %zu random bytes\n", size);
		exit(EXIT_FAILURE);
	}
	return bytes.data();
}

static std::string digest_of(const Way &way, size_t digest_size, const unsigned char *data,
			     size_t size)
{
	Forced forced(way.force);
	std::string digest(digest_size, '\0');

	way.hash(data, size, (unsigned char *)digest.data());
	return digest;
}

std::string expected_digest(const Algorithm &algorithm, const unsigned char *data, size_t size)
{
	if (algorithm.id == BLOCKSHA_SHA1DC)
		return expected_digest(algorithms[0], data, size);
	if (algorithm.id == BLOCKSHA_SHA1_SHA256 || algorithm.id == BLOCKSHA_SHA1DC_SHA256)
		return expected_digest(algorithms[0], data, size) +
		       expected_digest(algorithms[1], data, size);
	for (const Way &peer : peer_ways(algorithm))
		if (peer.hash && !peer.ia32cap)
			return digest_of(peer, algorithm.digest_size, data, size);
	Way portable = {.name = "portable", .label = "", .hash = algorithm.hash};
	portable.force = blocksha_algorithm_name(algorithm.id) + std::string(":portable");
	return digest_of(portable, algorithm.digest_size, data, size);
}

void fail(benchmark::State &state, const std::string &why)
{
	state.SkipWithError(why.c_str());
	failed = true;
}

void describe(benchmark::State &state, const std::string &label, unsigned lanes)
{
	state.SetLabel(label);
	state.counters["lanes"] = lanes;
}

/* --- Start ----------------------------------------------------------------- */

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--child") == 0)
		return child_main(argc, argv);
	benchmark::Initialize(&argc, argv);
	if (benchmark::ReportUnrecognizedArguments(argc, argv))
		return 2;
	benchmark::AddCustomContext("clock", "CPU time of the thread, "
					     "or of a process of its own where a name ends in "
					     "/manual_time; no cycle counter");
	benchmark::AddCustomContext("compiler of the benchmark", __VERSION__);
#if defined(LEFT_OUT)
	benchmark::AddCustomContext("not installed, left out", LEFT_OUT);
#endif
	for (const Algorithm &algorithm : algorithms)
		for (const Way &way : our_ways(algorithm))
			if (way.name.empty())
				benchmark::AddCustomContext(
					std::string(algorithm.name) +
						(way.hash ? ", one message" : ", many messages"),
					way.label);
	register_one();
	register_many();
	register_kernels();
	benchmark::RunSpecifiedBenchmarks();
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
