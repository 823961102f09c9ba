/* SPDX-License-Identifier: MIT */
/*
 * git_tree.h - blocksha git tree.
 */
#ifndef BLOCKSHA_CLI_GIT_TREE_H
#define BLOCKSHA_CLI_GIT_TREE_H

#include "options.h"

/* The exit code. argv[0] is the program's name. */
int git_tree_main(int argc, char **argv);

/* Its options, for the completion of shells. */
const struct option_row *git_tree_option_rows(void);

#endif
