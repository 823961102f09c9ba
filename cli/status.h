/* SPDX-License-Identifier: MIT */
/*
 * status.h - exit codes of the program. Under the names of coreutils 1 stands for 2 and 3.
 */
#ifndef BLOCKSHA_CLI_STATUS_H
#define BLOCKSHA_CLI_STATUS_H

enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1, /* something did not verify, or could not be read or written */
	STATUS_USAGE = 2,
	STATUS_ATTACK = 3,        /* a collision attack on SHA-1 was found */
	STATUS_INTERRUPTED = 130, /* by SIGINT, as shells count signals */
};

/* The one of two that counts: 2 before 3 before 1. */
static inline int status_worst(int one, int other)
{
	if (one == STATUS_USAGE || other == STATUS_USAGE)
		return STATUS_USAGE;
	return one > other ? one : other;
}

#endif
