/* SPDX-License-Identifier: MIT */
#include "base64.h"

#include <stdint.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_encode(char *text, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	for (; size > 0; text += 4) {
		size_t count = size < 3 ? size : 3;
		uint32_t group = (uint32_t)p[0] << 16;

		if (count > 1)
			group |= (uint32_t)p[1] << 8;
		if (count > 2)
			group |= p[2];
		text[0] = digits[group >> 18];
		text[1] = digits[group >> 12 & 63];
		text[2] = digits[group >> 6 & 63];
		text[3] = digits[group & 63];
		memset(text + count + 1, '=', 3 - count);
		p += count;
		size -= count;
	}
	*text = '\0';
}

/* The value of a digit, or -1. */
static int value_of(char c)
{
	const char *digit = c != '\0' ? strchr(digits, c) : NULL;

	return digit != NULL ? (int)(digit - digits) : -1;
}

bool base64_decode(unsigned char *bytes, size_t size, const char *text, size_t length,
		   bool *canonical)
{
	size_t characters = (8 * size + 5) / 6;
	unsigned bits = 0;  /* read and not yet written: the lowest */
	unsigned count = 0; /* of them */

	if (length != BASE64_LENGTH(size))
		return false;
	for (size_t i = 0; i < characters; i++) {
		int six = value_of(text[i]);

		if (six < 0)
			return false;
		bits = (bits << 6 | (unsigned)six) & 0xfff;
		count += 6;
		if (count >= 8) {
			count -= 8;
			*bytes++ = (unsigned char)(bits >> count);
		}
	}
	for (size_t i = characters; i < length; i++)
		if (text[i] != '=')
			return false;
	*canonical = (bits & ((1U << count) - 1)) == 0;
	return true;
}
