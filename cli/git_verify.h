/* SPDX-License-Identifier: MIT */
/*
 * git_verify.h - blocksha git verify.
 */
#ifndef BLOCKSHA_CLI_GIT_VERIFY_H
#define BLOCKSHA_CLI_GIT_VERIFY_H

#include "options.h"

/* The exit code. argv[0] is the program's name. */
int git_verify_main(int argc, char **argv);

/* Its options, for the completion of shells. */
const struct option_row *git_verify_option_rows(void);

#endif
