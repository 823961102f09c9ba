/* SPDX-License-Identifier: MIT */
/*
 * foreign.h - algorithms whose digests stand in checksum lists, but that the program does not
 * have: enough of them to tell such a line from a damaged one.
 */
#ifndef BLOCKSHA_CLI_FOREIGN_H
#define BLOCKSHA_CLI_FOREIGN_H

#include <stddef.h>

/* No digest of theirs is longer, in bytes. */
enum { FOREIGN_MAX_SIZE = 128 };

/* The size of the digests of the algorithm whose tag has these length characters; 0: no such
   algorithm is known, or it is one of ours. */
size_t foreign_size_of_tag(const char *tag, size_t length);

/* The size of an untagged digest of so many hexadecimal digits, if it can only be foreign; else
   0. */
size_t foreign_size_of_digits(size_t digits);

#endif
