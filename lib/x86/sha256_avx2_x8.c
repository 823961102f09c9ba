/* SPDX-License-Identifier: MIT */
/* sha256_avx2_x8.c - SHA-256 of 8 messages at once with AVX2. */
#include "../common.h"

#if defined(__x86_64__)

#define LANES_SETS 1
#define LANES_KERNEL blocksha_sha256_avx2_x8

#include "lanes_avx2.h"
#include "sha256_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
