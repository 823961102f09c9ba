/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - what a kernel is, and the one table of them.
 *
 * A kernel does whole 64-byte blocks and nothing else: no buffering, no
 * counting, no padding. Everything above (streaming, many messages, tests,
 * benchmark, the program's listing) finds kernels in the table and nowhere else.
 */
#ifndef BLOCKSHA_KERNEL_H
#define BLOCKSHA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum blocksha_algorithm {
	BLOCKSHA_SHA1,
	BLOCKSHA_SHA256,
	BLOCKSHA_SHA1_SHA256, /* both of the same bytes */
	BLOCKSHA_SHA1DC,      /* SHA-1 with collision detection */
	BLOCKSHA_SHA1DC_SHA256,
	BLOCKSHA_ALGORITHMS /* how many */
};

/* Words of the state: of SHA-1 and SHA-256 in the order of FIPS 180-4 section
   6.1.2 and 6.2.2; of both the 5 of SHA-1, then the 8 of SHA-256. */
#define BLOCKSHA_SHA1_WORDS 5
#define BLOCKSHA_SHA256_WORDS 8
#define BLOCKSHA_SHA1_SHA256_WORDS 13

/* One message: compresses nblocks (0 is allowed) consecutive blocks at data, any
   alignment, into state. Reads exactly 64 * nblocks bytes. */
typedef void blocksha_compress_fn(uint32_t *state, const unsigned char *data, size_t nblocks);

/* The same with collision detection: returns whether a block is part of a collision
   attack. state is that of the plain hash in any case. Which block, and of which attack,
   is found by going over the blocks again (lib/detect.c): that happens too rarely to
   burden kernels with it. */
typedef int blocksha_detect_fn(uint32_t *state, const unsigned char *data, size_t nblocks);

/* The most messages that a kernel advances at once, and the distance in words
   between two words of one message's state there. */
#define BLOCKSHA_LANES_MAX 32

/* N messages, N the lanes of the kernel: compresses nblocks (0 is allowed)
   consecutive blocks at each of data[0..N-1], any alignment, into N states. Word w
   of lane l is state[w * BLOCKSHA_LANES_MAX + l]; other words are not touched. The
   pointers stay as they are. Reads exactly 64 * nblocks bytes of each lane. */
typedef void blocksha_compress_lanes_fn(uint32_t *state, const unsigned char *const *data,
					size_t nblocks);

/* The same with collision detection: returns a bit for each lane. */
typedef uint32_t blocksha_detect_lanes_fn(uint32_t *state, const unsigned char *const *data,
					  size_t nblocks);

/* One row of the table. */
struct blocksha_kernel {
	enum blocksha_algorithm algorithm;
	const char *name; /* arch, instruction set, lanes: "x86-avx512-x16" */
	unsigned lanes;   /* messages that it advances at once */
	unsigned cost;    /* of one block of all lanes: see kernels.c */
	uint32_t needs;   /* CPU features, cpu.h */

	/* One of these; none in a row that was not compiled for this CPU. */
	blocksha_compress_fn *compress;             /* lanes == 1 */
	blocksha_compress_lanes_fn *compress_lanes; /* lanes > 1 */
	blocksha_detect_fn *detect;                 /* lanes == 1 */
	blocksha_detect_lanes_fn *detect_lanes;     /* lanes > 1 */
};

/* Rows of one algorithm stand together: those of many messages, widest first, then those
   of one message, best first, the portable one last.
   A row without a function was not compiled for this CPU. */
extern const struct blocksha_kernel blocksha_kernels[];
extern const size_t blocksha_kernel_count;

/* The name of an algorithm as users write it: "sha1". */
const char *blocksha_algorithm_name(enum blocksha_algorithm algorithm);

/* --- Dispatch (dispatch.c) ------------------------------------------------- */

/* Whether this CPU and operating system can run the row. */
int blocksha_kernel_usable(const struct blocksha_kernel *row);

/* The row that new contexts of this algorithm use. Never NULL. */
const struct blocksha_kernel *blocksha_kernel_for(enum blocksha_algorithm algorithm);

/* The rows that a call for many messages may use. */
#define BLOCKSHA_PLAN_MAX 12
struct blocksha_plan {
	const struct blocksha_kernel *rows[BLOCKSHA_PLAN_MAX]; /* rows[0] takes one message */
	unsigned count;
	unsigned width; /* how many messages to keep in flight */
};

void blocksha_plan_for(enum blocksha_algorithm algorithm, struct blocksha_plan *plan);

/* The row of the plan that advances this many messages (>= 1) at the least cost. */
const struct blocksha_kernel *blocksha_plan_pick(const struct blocksha_plan *plan, unsigned active);

/* --- The kernels ----------------------------------------------------------- */

blocksha_compress_fn blocksha_sha1_portable;
blocksha_compress_fn blocksha_sha256_portable;
blocksha_compress_fn blocksha_sha1_sha256_portable;
blocksha_detect_fn blocksha_sha1dc_portable;
blocksha_detect_fn blocksha_sha1dc_sha256_portable;

#if defined(__x86_64__)
blocksha_compress_fn blocksha_sha1_ssse3;
blocksha_compress_fn blocksha_sha1_avx2;
blocksha_compress_fn blocksha_sha1_shani;
blocksha_compress_fn blocksha_sha256_ssse3;
blocksha_compress_fn blocksha_sha256_avx2;
blocksha_compress_fn blocksha_sha256_shani;
blocksha_compress_fn blocksha_sha1_sha256_shani;
blocksha_detect_fn blocksha_sha1dc_shani_gfni;
blocksha_detect_fn blocksha_sha1dc_shani_avx2;
blocksha_detect_lanes_fn blocksha_sha1dc_avx512_x32;
blocksha_detect_lanes_fn blocksha_sha1dc_avx512_x16;
blocksha_detect_lanes_fn blocksha_sha1dc_avx2_x8;
blocksha_detect_lanes_fn blocksha_sha1dc_shani_x2_gfni;
blocksha_detect_lanes_fn blocksha_sha1dc_shani_x4_gfni;
blocksha_detect_lanes_fn blocksha_sha1dc_shani_x2_avx2;
blocksha_detect_lanes_fn blocksha_sha1dc_shani_x4_avx2;
blocksha_detect_fn blocksha_sha1dc_sha256_shani_gfni;
blocksha_detect_fn blocksha_sha1dc_sha256_shani_avx2;
blocksha_detect_fn blocksha_sha1dc_avx2;
blocksha_detect_fn blocksha_sha1dc_ssse3;
blocksha_compress_lanes_fn blocksha_sha1_shani_x2;
blocksha_compress_lanes_fn blocksha_sha1_shani_x4;
blocksha_compress_lanes_fn blocksha_sha1_avx2_x8;
blocksha_compress_lanes_fn blocksha_sha1_avx512_x16;
blocksha_compress_lanes_fn blocksha_sha1_avx512_x32;
blocksha_compress_lanes_fn blocksha_sha256_shani_x2;
blocksha_compress_lanes_fn blocksha_sha256_shani_x4;
blocksha_compress_lanes_fn blocksha_sha256_avx2_x8;
blocksha_compress_lanes_fn blocksha_sha256_avx512_x16;
blocksha_compress_lanes_fn blocksha_sha256_avx512_x32;
#endif

#if defined(__aarch64__)
blocksha_compress_fn blocksha_sha1_arm;
blocksha_compress_fn blocksha_sha256_arm;
blocksha_detect_fn blocksha_sha1dc_arm;
#endif

#endif
