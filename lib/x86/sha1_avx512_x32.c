/* SPDX-License-Identifier: MIT */
/* sha1_avx512_x32.c - SHA-1 of 32 messages at once with AVX-512. */
#include "../common.h"

#if defined(__x86_64__)

#define LANES_SETS 2
#define LANES_KERNEL blocksha_sha1_avx512_x32

#include "lanes_avx512.h"
#include "sha1_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
