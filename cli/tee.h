/* SPDX-License-Identifier: MIT */
/*
 * tee.h - "blocksha sum --tee": copies standard input to standard output and hashes it on the
 * way.
 */
#ifndef BLOCKSHA_CLI_TEE_H
#define BLOCKSHA_CLI_TEE_H

#include "digest.h"
#include "line.h"

struct tee_options {
	const struct digest_set *algorithms;
	const struct digest_pass *pass;
	const struct line_format *format;
	const char *output; /* the file that receives the lines; NULL: standard error */
};

/* Returns the exit code. The lines are written only when every byte was. */
int tee_run(const struct tee_options *options);

#endif
