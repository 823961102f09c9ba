/* SPDX-License-Identifier: MIT */
/* sha256_avx512_x16.c - SHA-256 of 16 messages at once with AVX-512. */
#include "../common.h"

#if defined(__x86_64__)

#define LANES_SETS 1
#define LANES_KERNEL blocksha_sha256_avx512_x16

#include "lanes_avx512.h"
#include "sha256_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
