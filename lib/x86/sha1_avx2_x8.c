/* SPDX-License-Identifier: MIT */
/* sha1_avx2_x8.c - SHA-1 of 8 messages at once with AVX2. */
#include "../common.h"

#if defined(__x86_64__)

#define LANES_SETS 1
#define LANES_KERNEL blocksha_sha1_avx2_x8

#include "lanes_avx2.h"
#include "sha1_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
