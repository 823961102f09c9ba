/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_shani_x2_gfni.c - SHA-1 with collision detection of 2 messages at once: SHA
 * instructions, and a filter on one block that needs AVX-512 (VBMI) and GFNI.
 */
#include "../common.h"

#if defined(__x86_64__)

#define SHANI_LANES 2
#define DETECT_KERNEL blocksha_sha1dc_shani_x2_gfni

#include "sha1dc_filter_gfni.h"
#include "sha1dc_shani_lanes_one.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
