/* SPDX-License-Identifier: MIT */
/*
 * quote.h - names of files in messages, quoted so that a shell reads them back.
 */
#ifndef BLOCKSHA_CLI_QUOTE_H
#define BLOCKSHA_CLI_QUOTE_H

#include <stdio.h>

/* Writes name as coreutils 9.1 does in its messages in the C locale: bare when
   nothing in it is special, else in quotes, with unprintable bytes as $'\n' or
   $'\377'. The result never contains a newline or another control character. */
void quote_name(FILE *out, const char *name);

#endif
