/* SPDX-License-Identifier: MIT */
/* sha1_avx2.c - SHA-1, one message: sha1_avx2.h without detection. */
#include "../common.h"

#if defined(__x86_64__)

#include "sha1_avx2.h"

AVX2_TARGET void blocksha_sha1_avx2(uint32_t *state, const unsigned char *data, size_t nblocks)
{
	sha1_avx2(state, data, nblocks, 0);
}

#else
BLOCKSHA_EMPTY_FILE;
#endif
