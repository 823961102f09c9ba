/* SPDX-License-Identifier: MIT */
/* sha256_shani_x2.c - SHA-256 of 2 messages at once with the SHA instructions. */
#include "../common.h"

#if defined(__x86_64__)

#define SHANI_LANES 2
#define SHANI_KERNEL blocksha_sha256_shani_x2

#include "sha256_shani_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
