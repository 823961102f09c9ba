/* SPDX-License-Identifier: MIT */
/* sha1_ssse3.c - SHA-1, one message: sha1_ssse3.h without detection. */
#include "../common.h"

#if defined(__x86_64__)

#include "sha1_ssse3.h"

SSSE3_TARGET void blocksha_sha1_ssse3(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	sha1_ssse3(state, data, nblocks, 0);
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
