/* SPDX-License-Identifier: MIT */
#define FUZZ_KIND "rev"
#define FUZZ_PATH "pack.rev"
#include "fuzz_git_format.h"
