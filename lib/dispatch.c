/* SPDX-License-Identifier: MIT */
/* dispatch.c - which row of the table a new context uses. */
#include "kernel.h"

const struct blocksha_kernel *blocksha_kernel_for(enum blocksha_algorithm algorithm)
{
	const struct blocksha_kernel *row = blocksha_kernels;

	while (row->algorithm != algorithm)
		row++;
	return row;
}
