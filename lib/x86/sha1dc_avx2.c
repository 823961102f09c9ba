/* SPDX-License-Identifier: MIT */
/* sha1dc_avx2.c - SHA-1, one message: sha1_avx2.h with detection. */
#include "../common.h"

#if defined(__x86_64__)

#include "sha1_avx2.h"

AVX2_TARGET int blocksha_sha1dc_avx2(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	return sha1_avx2(state, data, nblocks, 1);
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
