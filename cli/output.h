/* SPDX-License-Identifier: MIT */
/*
 * output.h - standard output: whole lines, and no write error that goes unseen.
 *
 * Results are written with stdio to stdout. After each file output_flush sends them, so
 * that they come before the messages about later files where both streams end in the
 * same place.
 */
#ifndef BLOCKSHA_CLI_OUTPUT_H
#define BLOCKSHA_CLI_OUTPUT_H

#include <stdbool.h>

/* Before the first output. */
void output_setup(void);

/* Sends what was written on its way. */
void output_flush(void);

/* Whether a write failed so far. */
bool output_failed(void);

/* Ends standard output. Returns false, after a message, when not everything could be
   written. as_coreutils: the message is that of coreutils 9.1, which knows the reason
   only when closing fails too. */
bool output_close(bool as_coreutils);

#endif
