/* SPDX-License-Identifier: MIT */
/*
 * status.h - exit codes of the program.
 */
#ifndef BLOCKSHA_CLI_STATUS_H
#define BLOCKSHA_CLI_STATUS_H

enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1, /* something did not verify, or could not be read or written */
	STATUS_USAGE = 2,  /* 1 under the names of coreutils */
};

#endif
