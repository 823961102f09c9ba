/* SPDX-License-Identifier: MIT */
#define FUZZ_KIND "bitmap"
#define FUZZ_PATH "pack.bitmap"
#include "fuzz_git_format.h"
