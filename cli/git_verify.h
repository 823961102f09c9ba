/* SPDX-License-Identifier: MIT */
/*
 * git_verify.h - blocksha git verify.
 */
#ifndef BLOCKSHA_CLI_GIT_VERIFY_H
#define BLOCKSHA_CLI_GIT_VERIFY_H

/* The exit code. argv[0] is the program's name. */
int git_verify_main(int argc, char **argv);

#endif
