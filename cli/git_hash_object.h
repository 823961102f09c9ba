/* SPDX-License-Identifier: MIT */
/*
 * git_hash_object.h - blocksha git hash-object.
 */
#ifndef BLOCKSHA_CLI_GIT_HASH_OBJECT_H
#define BLOCKSHA_CLI_GIT_HASH_OBJECT_H

#include "options.h"

/* The exit code. argv[0] is the program's name. */
int git_hash_object_main(int argc, char **argv);

/* Its options, for the completion of shells. */
const struct option_row *git_hash_object_option_rows(void);

#endif
