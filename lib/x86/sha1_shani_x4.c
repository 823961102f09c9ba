/* SPDX-License-Identifier: MIT */
/* sha1_shani_x4.c - SHA-1 of 4 messages at once with the SHA instructions. */
#include "../common.h"

#if defined(__x86_64__)

#define SHANI_LANES 4
#define SHANI_KERNEL blocksha_sha1_shani_x4

#include "sha1_shani_lanes.h"

#else
BLOCKSHA_EMPTY_FILE;
#endif
