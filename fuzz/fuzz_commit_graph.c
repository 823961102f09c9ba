/* SPDX-License-Identifier: MIT */
#define FUZZ_KIND "commit_graph"
#define FUZZ_PATH "commit-graph"
#include "fuzz_git_format.h"
