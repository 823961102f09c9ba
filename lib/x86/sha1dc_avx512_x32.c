/* SPDX-License-Identifier: MIT */
/* sha1dc_avx512_x32.c - SHA-1 with collision detection of 32 messages at once with AVX-512. */
#include "../common.h"

#if defined(__x86_64__)

#define LANES_SETS 2
#define DETECT_KERNEL blocksha_sha1dc_avx512_x32
#define LANES_FEW 4
#define LANES_CHECK_FEW blocksha_sha1dc_check_halves_shani

#include "lanes_avx512.h"
#include "sha1dc_shani_halves.h"
#include "sha1dc_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
