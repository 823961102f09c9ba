/* SPDX-License-Identifier: MIT */
/*
 * statusline.h - one line at the bottom of the terminal that changes in place, and the lock that
 * keeps messages, output and this line apart.
 *
 * Whoever writes lines to the terminal does it between statusline_hide and statusline_show: the
 * line is gone meanwhile, and no other thread writes. Without a line both only lock.
 */
#ifndef BLOCKSHA_CLI_STATUSLINE_H
#define BLOCKSHA_CLI_STATUSLINE_H

/* The longest line, with its end; longer ones are cut. */
#define STATUSLINE_SIZE 1024

/* Shows text, which is printable ASCII without newlines and shorter than the terminal is wide, in
   place of the line so far. NULL or "" takes the line away. */
void statusline_set(const char *text);

/* Not to be nested. */
void statusline_hide(void);
void statusline_show(void);

#endif
