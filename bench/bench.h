/* SPDX-License-Identifier: MIT */
/*
 * bench.h - what the parts of the benchmark share.
 *
 * The benchmark is a table of algorithms (main.cc), for each of them a list of ways
 * to compute it (ours as selected, our kernels by name, peers.cc), and loops that
 * register every way with every size (one.cc, many.cc). kernels.cc measures kernels
 * and instructions without what stands around them.
 *
 * Names are BM_ALGORITHM[_WHAT]/WAY/SIZE, without WAY for what the library selects.
 * items_per_second counts the thing that is timed: messages, steps, instructions.
 */
#ifndef BLOCKSHA_BENCH_H
#define BLOCKSHA_BENCH_H

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

#include "blocksha.h"
extern "C" {
#include "kernel.h"
}

/* Writes the digest of one whole message, init to final. */
typedef void hash_fn(const unsigned char *data, size_t size, unsigned char *digest);

/* Writes the digests of whole messages of one piece each, one after the other. */
typedef std::vector<blocksha_message> Messages;
typedef void many_fn(const Messages &messages, unsigned char *digests);

/* A hash of the library. */
struct Algorithm {
	const char *name; /* in names of benchmarks */
	enum blocksha_algorithm id;
	size_t digest_size;
	hash_fn *hash;
	many_fn *many = nullptr;
};

extern const std::vector<Algorithm> algorithms;

constexpr size_t max_digest_size = BLOCKSHA_SHA1_DIGEST_SIZE + BLOCKSHA_SHA256_DIGEST_SIZE;

/* A way to compute it. */
struct Way {
	std::string name;              /* "x86-shani"; empty for what the library selects */
	std::string label;             /* what it is, for the reader */
	unsigned lanes = 1;            /* messages at once, as far as we know (or 0) */
	hash_fn *hash = nullptr;       /* nullptr, if it does many messages only */
	many_fn *many = nullptr;       /* nullptr, if it does one message only */
	std::string force = "";        /* for blocksha_force_kernels */
	const char *ia32cap = nullptr; /* OPENSSL_ia32cap for a process of its own */
};

/* The library as it is, then its usable kernels. */
std::vector<Way> our_ways(const Algorithm &algorithm);

/* The libraries that were there when this program was compiled (peers.cc). */
std::vector<Way> peer_ways(const Algorithm &algorithm);

/* Whether the library has this kernel and this machine can run it. */
bool is_usable(enum blocksha_algorithm algorithm, const std::string &name);

/* Forces kernels as long as it lives, then what was forced before. */
class Forced
{
	static std::string current;
	const std::string before;

      public:
	explicit Forced(const std::string &list);
	~Forced();
	Forced(const Forced &) = delete;
	Forced &operator=(const Forced &) = delete;
};

/* Bytes without a pattern, the same in every run; size is at most 1 MiB. */
unsigned char *random_bytes(size_t size);

/* Where chained messages lie: 256 places in random_bytes(chain_size), so far apart. */
constexpr size_t chain_distance = 2 * BLOCKSHA_BLOCK_SIZE, chain_size = 256 * chain_distance;

/* The digest according to a peer or, if there is none, to the portable kernel. */
std::string expected_digest(const Algorithm &algorithm, const unsigned char *data, size_t size);

/* Ends a benchmark whose result is wrong; main then returns failure. */
void fail(benchmark::State &state, const std::string &why);

/* The label, and the lanes as a counter. */
void describe(benchmark::State &state, const std::string &label, unsigned lanes);

void register_one();
void register_many();
void register_kernels();

/* For a Way with ia32cap. In a process of its own, hashes a message of random_bytes so
   often; returns the seconds of CPU time and writes the digest. < 0: it did not work. */
double time_in_child(const Algorithm &algorithm, const Way &way, size_t size, int64_t times,
		     std::string &digest);

/* The other end of it: what main does when it is that process. */
int child_main(int argc, char **argv);

#endif
