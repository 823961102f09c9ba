/* SPDX-License-Identifier: MIT */
/*
 * input.h - opening by name, where "-" is standard input.
 */
#ifndef BLOCKSHA_CLI_INPUT_H
#define BLOCKSHA_CLI_INPUT_H

#include <stdbool.h>

/* Whether name stands for standard input. */
bool input_is_stdin(const char *name);

/* A descriptor to read from, which the caller closes; or -1 and errno. */
int input_open(const char *name);

/* The same for a path from an open directory, which is never standard input, with more flags of
   open. */
int input_open_at(int dir, const char *path, int flags);

/* Closes standard input if it was ever opened by name. Returns 0 or an errno. */
int input_close_stdin(void);

#endif
