/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_x4_avx2.c - SHA-1 with collision detection of 4 messages at once: SHA
 * instructions, and AVX2 for the filter.
 */
#include "../common.h"

#if defined(__x86_64__)

#define SHANI_LANES 4
#define DETECT_KERNEL blocksha_sha1dc_shani_x4_avx2

#include "sha1dc_shani_lanes_eight.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
