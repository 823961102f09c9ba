/* SPDX-License-Identifier: MIT */
/*
 * git_anonymize.h - "blocksha git anonymize": a stream with stand-ins for the names of objects.
 */
#ifndef BLOCKSHA_CLI_GIT_ANONYMIZE_H
#define BLOCKSHA_CLI_GIT_ANONYMIZE_H

/* argv[0] is the name for messages about options. Returns the exit code. */
int git_anonymize_main(int argc, char **argv);

#endif
