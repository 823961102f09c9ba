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

/* Reads the four characters of one group of count bytes. */
static bool decode_group(unsigned char *bytes, size_t count, const char *text)
{
	unsigned char all[3];
	uint32_t group = 0;

	for (size_t i = 0; i < 4; i++) {
		/* Padding has the value 0 in its place. */
		int value = i <= count ? value_of(text[i]) : text[i] == '=' ? 0 : -1;

		if (value < 0)
			return false;
		group = group << 6 | (uint32_t)value;
	}
	all[0] = (unsigned char)(group >> 16);
	all[1] = (unsigned char)(group >> 8 & 0xff);
	all[2] = (unsigned char)(group & 0xff);
	memcpy(bytes, all, count);
	/* The bits behind the last byte. */
	return (group & (UINT32_C(0xffffff) >> 8 * count)) == 0;
}

bool base64_decode(void *bytes, size_t size, const char *text, size_t length)
{
	unsigned char *p = bytes;

	if (length != BASE64_LENGTH(size))
		return false;
	for (; size > 0; text += 4) {
		size_t count = size < 3 ? size : 3;

		if (!decode_group(p, count, text))
			return false;
		p += count;
		size -= count;
	}
	return true;
}
