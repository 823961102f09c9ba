/* SPDX-License-Identifier: MIT */
/*
 * kernels.h - blocksha kernels, and the environment variable that forces kernels.
 */
#ifndef BLOCKSHA_CLI_KERNELS_H
#define BLOCKSHA_CLI_KERNELS_H

#include <stdbool.h>

#include "options.h"

/* blocksha kernels [OPTION]...; the exit code. argv[0] is the program's name. */
int kernels_main(int argc, char **argv);

/* Its options, for the completion of shells. */
const struct option_row *kernels_option_rows(void);

/* Forces what BLOCKSHA_KERNEL names. Returns false, after a message that lists what may be
   named, when that is not possible. */
bool kernels_from_environment(void);

#endif
