/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - what a kernel is, and the one table of them.
 *
 * A kernel does whole 64-byte blocks and nothing else: no buffering, no
 * counting, no padding. Everything above (streaming, tests, benchmark, the
 * program's listing) finds kernels in the table and nowhere else.
 */
#ifndef BLOCKSHA_KERNEL_H
#define BLOCKSHA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

/* Compresses nblocks (0 is allowed) consecutive blocks at data, any alignment,
   into state: 5 words for SHA-1, 8 for SHA-256, in the order of FIPS 180-4
   section 6.1.2 and 6.2.2. Reads exactly 64 * nblocks bytes. */
typedef void blocksha_compress_fn(uint32_t *state, const unsigned char *data, size_t nblocks);

enum blocksha_algorithm {
	BLOCKSHA_SHA1,
	BLOCKSHA_SHA256,
	BLOCKSHA_ALGORITHMS /* how many */
};

/* One row of the table. */
struct blocksha_kernel {
	const char *name;                  /* "portable", ... */
	enum blocksha_algorithm algorithm; /* rows of one algorithm stand together, best first */
	blocksha_compress_fn *compress;
};

/* Ends with a row whose name is NULL. */
extern const struct blocksha_kernel blocksha_kernels[];

/* The row that new contexts of this algorithm use. Never NULL. */
const struct blocksha_kernel *blocksha_kernel_for(enum blocksha_algorithm algorithm);

/* The kernels. */
blocksha_compress_fn blocksha_sha1_portable;
blocksha_compress_fn blocksha_sha256_portable;

#endif
