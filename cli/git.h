/* SPDX-License-Identifier: MIT */
/*
 * git.h - blocksha git: the table of its commands.
 */
#ifndef BLOCKSHA_CLI_GIT_H
#define BLOCKSHA_CLI_GIT_H

/* blocksha git COMMAND [OPTION]...; the exit code. argv[0] is the program's name. */
int git_main(int argc, char **argv);

#endif
