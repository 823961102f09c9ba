/* SPDX-License-Identifier: MIT */
/*
 * base64.h - digests in base64 (RFC 4648, the first alphabet, with padding).
 */
#ifndef BLOCKSHA_CLI_BASE64_H
#define BLOCKSHA_CLI_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* The characters that size bytes take, padding included. */
#define BASE64_LENGTH(size) (((size) + 2) / 3 * 4)

/* Decodes the length characters of text into size bytes. Returns false unless they are base64 of
   exactly that many bytes. *canonical: whether an encoder writes them so, that is, the bits behind
   the last byte are 0. */
bool base64_decode(unsigned char *bytes, size_t size, const char *text, size_t length,
		   bool *canonical);

#endif
