/* SPDX-License-Identifier: MIT */
#define FUZZ_KIND "midx"
#define FUZZ_PATH "multi-pack-index"
#include "fuzz_git_format.h"
