/* SPDX-License-Identifier: MIT */
/*
 * git_anonymize.h - "blocksha git anonymize": a stream with stand-ins for the names of objects.
 */
#ifndef BLOCKSHA_CLI_GIT_ANONYMIZE_H
#define BLOCKSHA_CLI_GIT_ANONYMIZE_H

#include "options.h"

/* argv[0] is the name for messages about options. Returns the exit code. */
int git_anonymize_main(int argc, char **argv);

/* Its options, for the completion of shells. */
const struct option_row *git_anonymize_option_rows(void);

#endif
