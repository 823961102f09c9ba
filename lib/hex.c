/* SPDX-License-Identifier: MIT */
/* hex.c - hexadecimal digits, both ways; no locale. */
#include "blocksha.h"
#include "common.h"

BLOCKSHA_EXPORT void blocksha_hex_encode(char *hex, const void *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = bytes;

	for (size_t i = 0; i < size; i++) {
		unsigned char byte = p[i];

		hex[2 * i] = digits[byte >> 4];
		hex[2 * i + 1] = digits[byte & 15];
	}
	hex[2 * size] = '\0';
}

/* The value of one digit, or -1. */
static int value_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

BLOCKSHA_EXPORT int blocksha_hex_decode(void *bytes, const char *hex, size_t size)
{
	unsigned char *p = bytes;

	for (size_t i = 0; i < size; i++) {
		int high = value_of(hex[2 * i]);
		int low = high < 0 ? -1 : value_of(hex[2 * i + 1]);

		if (low < 0)
			return BLOCKSHA_ERROR_FORMAT;
		p[i] = (unsigned char)(high << 4 | low);
	}
	return BLOCKSHA_OK;
}
