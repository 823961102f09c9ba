/* SPDX-License-Identifier: MIT */
#include "foreign.h"

#include <string.h>

struct foreign {
	const char *tag;
	size_t size;
};

/* The tags of coreutils, of the BSDs, and of both generations of OpenSSL. */
static const struct foreign table[] = {
	{"MD2", 16},          {"MD4", 16},          {"MD5", 16},        {"MD5-SHA1", 36},
	{"RMD160", 20},       {"RIPEMD160", 20},    {"RIPEMD-160", 20}, {"SHA224", 28},
	{"SHA384", 48},       {"SHA512", 64},       {"SHA512/224", 28}, {"SHA512/256", 32},
	{"SHA512-224", 28},   {"SHA512-256", 32},   {"SHA512t224", 28}, {"SHA512t256", 32},
	{"SHA512_256", 32},   {"SHA2-224", 28},     {"SHA2-384", 48},   {"SHA2-512", 64},
	{"SHA2-512/224", 28}, {"SHA2-512/256", 32}, {"SHA3-224", 28},   {"SHA3-256", 32},
	{"SHA3-384", 48},     {"SHA3-512", 64},     {"BLAKE2b", 64},    {"BLAKE2s", 32},
	{"BLAKE2b512", 64},   {"BLAKE2s256", 32},   {"BLAKE3", 32},     {"SM3", 32},
	{"SKEIN256", 32},     {"SKEIN512", 64},     {"SKEIN1024", 128}, {"WHIRLPOOL", 64},
	{"whirlpool", 64},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* "BLAKE2b-256", "BLAKE2S-256": any number of whole bytes up to the largest. */
static size_t size_of_blake2(const char *tag, size_t length)
{
	static const struct foreign families[] = {
		{"BLAKE2b-", 64}, {"BLAKE2B-", 64}, {"BLAKE2s-", 32}, {"BLAKE2S-", 32}};
	const size_t prefix = strlen(families[0].tag); /* all have the same */
	size_t bits = 0;

	if (length <= prefix || length > prefix + 3 || tag[prefix] == '0')
		return 0;
	for (size_t i = prefix; i < length; i++) {
		if (tag[i] < '0' || tag[i] > '9')
			return 0;
		bits = 10 * bits + (size_t)(tag[i] - '0');
	}
	for (size_t i = 0; i < COUNT(families); i++)
		if (memcmp(tag, families[i].tag, prefix) == 0)
			return bits % 8 == 0 && bits / 8 <= families[i].size ? bits / 8 : 0;
	return 0;
}

size_t foreign_size_of_tag(const char *tag, size_t length)
{
	for (size_t i = 0; i < COUNT(table); i++)
		if (strlen(table[i].tag) == length && memcmp(table[i].tag, tag, length) == 0)
			return table[i].size;
	return size_of_blake2(tag, length);
}

size_t foreign_size_of_digits(size_t digits)
{
	switch (digits) {
	case 32:  /* MD5 */
	case 56:  /* SHA-224 */
	case 96:  /* SHA-384 */
	case 128: /* SHA-512, BLAKE2b */
		return digits / 2;
	default:
		return 0;
	}
}
