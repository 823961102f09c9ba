/* SPDX-License-Identifier: MIT */
/* sha1dc_avx2_x8.c - SHA-1 with collision detection of 8 messages at once with AVX2. */
#include "../common.h"

#if defined(__x86_64__)

#define LANES_SETS 1
#define DETECT_KERNEL blocksha_sha1dc_avx2_x8
#define LANES_FEW 1
#define LANES_CHECK_FEW blocksha_sha1dc_check_halves

#include "lanes_avx2.h"
#include "sha1dc_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
