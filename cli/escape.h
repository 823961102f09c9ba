/* SPDX-License-Identifier: MIT */
/*
 * escape.h - names of files in lines: \\, \n and \r stand for a backslash, a newline and a carriage
 * return, as in coreutils.
 */
#ifndef BLOCKSHA_CLI_ESCAPE_H
#define BLOCKSHA_CLI_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a name with escapes. */
void escape_write(FILE *out, const char *name);

/* Turns the escapes of a name into what they stand for, in place. The name ends at end, which is
   written to. A lone backslash, an unknown escape or a NUL byte is an error. */
bool escape_undo(char *name, char *end);

#endif
