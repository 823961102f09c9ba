/* SPDX-License-Identifier: MIT */
/*
 * sum.h - "blocksha sum": hashes files, and checks them against lists.
 */
#ifndef BLOCKSHA_CLI_SUM_H
#define BLOCKSHA_CLI_SUM_H

#include "digest.h"

/* argv[0] is the name for messages about options. Both return the exit code. */
int sum_main(int argc, char **argv);

/* As sha1sum or sha256sum of coreutils 9.1: the same output, messages and exit codes. */
int sum_as_coreutils(int argc, char **argv, enum digest_id algorithm);

#endif
