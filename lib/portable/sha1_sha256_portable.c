/* SPDX-License-Identifier: MIT */
/*
 * sha1_sha256_portable.c - both hashes of the same bytes. One after the other
 * in chunks that stay in the first-level cache: mixing the steps of both would
 * need 13 working variables, more than most CPUs have registers.
 */
#include "../kernel.h"

#define CHUNK 128 /* blocks: 8 KiB */

void blocksha_sha1_sha256_portable(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	while (nblocks > 0) {
		size_t n = nblocks < CHUNK ? nblocks : CHUNK;

		blocksha_sha1_portable(state, data, n);
		blocksha_sha256_portable(state + BLOCKSHA_SHA1_WORDS, data, n);
		data += 64 * n;
		nblocks -= n;
	}
}
