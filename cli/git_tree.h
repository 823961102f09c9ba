/* SPDX-License-Identifier: MIT */
/*
 * git_tree.h - blocksha git tree.
 */
#ifndef BLOCKSHA_CLI_GIT_TREE_H
#define BLOCKSHA_CLI_GIT_TREE_H

/* The exit code. argv[0] is the program's name. */
int git_tree_main(int argc, char **argv);

#endif
