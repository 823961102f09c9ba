/* SPDX-License-Identifier: MIT */
#define FUZZ_KIND "index"
#define FUZZ_PATH "index"
#include "fuzz_git_format.h"
