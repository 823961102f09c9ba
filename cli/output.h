/* SPDX-License-Identifier: MIT */
/*
 * output.h - standard output: whole lines, and no write error that goes unseen.
 *
 * Results are written with stdio to stdout. They are sent before every message, so that both
 * come in their order where both streams end in the same place, and before every pause.
 */
#ifndef BLOCKSHA_CLI_OUTPUT_H
#define BLOCKSHA_CLI_OUTPUT_H

#include <stdbool.h>

/* Before the first output. */
void output_setup(void);

/* Sends what was written on its way. Does nothing in a thread other than that of output_setup,
   which may be in the middle of a line. */
void output_flush(void);

/* Between lines: sends what was written when the buffer may not hold the next line, too. */
void output_line_ends(void);

/* Whether a write failed so far. */
bool output_failed(void);

/* Ends standard output. Returns false, after a message, when not everything could be
   written. as_coreutils: the message is that of coreutils 9.1, which knows the reason
   only when closing fails too. */
bool output_close(bool as_coreutils);

#endif
