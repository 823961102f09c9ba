/* SPDX-License-Identifier: MIT */
/* kernels.c - the one table of kernels: a row each, best first, portable last. */
#include "kernel.h"

const struct blocksha_kernel blocksha_kernels[] = {
	{"portable", BLOCKSHA_SHA1, blocksha_sha1_portable},
	{"portable", BLOCKSHA_SHA256, blocksha_sha256_portable},
	{NULL, BLOCKSHA_ALGORITHMS, NULL},
};
