/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_sha256_shani_gfni.c - SHA-1 with collision detection and SHA-256 of the same
 * bytes: SHA instructions, and a filter on one block that needs AVX-512 (VBMI) and GFNI.
 */
#include "../common.h"

#if defined(__x86_64__)

#define DETECT_KERNEL blocksha_sha1dc_sha256_shani_gfni

#include "sha1dc_filter_gfni.h"
#include "sha1dc_sha256_shani.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
