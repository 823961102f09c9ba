/* SPDX-License-Identifier: MIT */
/*
 * git.h - blocksha git: the table of its commands.
 */
#ifndef BLOCKSHA_CLI_GIT_H
#define BLOCKSHA_CLI_GIT_H

#include "subcommands.h"

/* blocksha git COMMAND [OPTION]...; the exit code. argv[0] is the program's name. */
int git_main(int argc, char **argv);

/* The options of the command itself, without those of its own commands. */
const struct option_row *git_option_rows(void);

extern const struct subcommand git_commands[];

#endif
