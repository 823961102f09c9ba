/* SPDX-License-Identifier: MIT */
#include "base64.h"

#include <string.h>

/* The six bits that a character stands for, or -1. */
static int value(char c)
{
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c != '\0' ? strchr(alphabet, c) : NULL;

	return at != NULL ? (int)(at - alphabet) : -1;
}

bool base64_decode(unsigned char *bytes, size_t size, const char *text, size_t length,
		   bool *canonical)
{
	size_t digits = (8 * size + 5) / 6;
	unsigned bits = 0;  /* read and not yet written: the lowest */
	unsigned count = 0; /* of them */

	if (length != BASE64_LENGTH(size))
		return false;
	for (size_t i = 0; i < digits; i++) {
		int six = value(text[i]);

		if (six < 0)
			return false;
		bits = (bits << 6 | (unsigned)six) & 0xfff;
		count += 6;
		if (count >= 8) {
			count -= 8;
			*bytes++ = (unsigned char)(bits >> count);
		}
	}
	for (size_t i = digits; i < length; i++)
		if (text[i] != '=')
			return false;
	*canonical = (bits & ((1U << count) - 1)) == 0;
	return true;
}
