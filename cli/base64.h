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

/* Whether text is what base64_encode writes for size bytes; then these are stored. The last
   character before the padding may have no more bits than needed: each value has one encoding.
   Otherwise what is in bytes has no meaning. */
bool base64_decode(void *bytes, size_t size, const char *text, size_t length);

#endif
