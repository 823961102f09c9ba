/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_sha256_portable.c - SHA-1 with collision detection and SHA-256 of the same
 * bytes: as sha1_sha256_portable.c, one after the other.
 */
#include "../kernel.h"

#define CHUNK 128 /* blocks: 8 KiB */

int blocksha_sha1dc_sha256_portable(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	int attack = 0;

	while (nblocks > 0) {
		size_t n = nblocks < CHUNK ? nblocks : CHUNK;

		attack |= blocksha_sha1dc_portable(state, data, n);
		blocksha_sha256_portable(state + BLOCKSHA_SHA1_WORDS, data, n);
		data += 64 * n;
		nblocks -= n;
	}
	return attack;
}
