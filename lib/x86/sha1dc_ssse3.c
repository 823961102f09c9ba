/* SPDX-License-Identifier: MIT */
/* sha1dc_ssse3.c - SHA-1 with collision detection, one message: sha1_ssse3.h.
 */
#include "../common.h"

#if defined(__x86_64__)

#include "sha1_ssse3.h"

SSSE3_TARGET int blocksha_sha1dc_ssse3(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	return sha1_ssse3(state, data, nblocks, 1);
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
