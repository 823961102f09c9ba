/* SPDX-License-Identifier: MIT */
#include "version.h"

#include <stdio.h>

#include "blocksha.h"

void version_print(void)
{
	/* Of the library that runs: the shared one may be newer than the program. */
	int version = blocksha_version();

	printf("blocksha %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
}
