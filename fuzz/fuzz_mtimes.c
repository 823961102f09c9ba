/* SPDX-License-Identifier: MIT */
#define FUZZ_KIND "mtimes"
#define FUZZ_PATH "pack.mtimes"
#include "fuzz_git_format.h"
