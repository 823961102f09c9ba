/* SPDX-License-Identifier: MIT */
#define FUZZ_KIND "bundle"
#define FUZZ_PATH "some.bundle"
#include "fuzz_git_format.h"
