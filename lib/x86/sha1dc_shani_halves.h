/* SPDX-License-Identifier: MIT */
/* sha1dc_shani_halves.h - blocksha_sha1dc_check_halves() with the SHA instructions. */
#ifndef BLOCKSHA_X86_SHA1DC_SHANI_HALVES_H
#define BLOCKSHA_X86_SHA1DC_SHANI_HALVES_H

#include "../sha1dc/check.h"

uint32_t blocksha_sha1dc_check_halves_shani(const struct blocksha_sha1dc_half *halves,
					    unsigned count);

#endif
