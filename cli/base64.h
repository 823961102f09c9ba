/* SPDX-License-Identifier: MIT */
/*
 * base64.h - the base 64 encoding of RFC 4648, section 4: with padding, without line breaks.
 */
#ifndef BLOCKSHA_CLI_BASE64_H
#define BLOCKSHA_CLI_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* The characters of size bytes. */
#define BASE64_LENGTH(size) (((size) + 2) / 3 * 4)

/* Writes BASE64_LENGTH(size) characters and a NUL. */
void base64_encode(char *text, const void *bytes, size_t size);

/* Decodes the length characters of text into size bytes. Returns false unless they are base64 of
   exactly that many bytes. *canonical: whether an encoder writes them so, that is, the bits behind
   the last byte are 0. */
bool base64_decode(unsigned char *bytes, size_t size, const char *text, size_t length,
		   bool *canonical);

#endif
