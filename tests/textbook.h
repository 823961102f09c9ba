/* SPDX-License-Identifier: MIT */
/*
 * textbook.h - SHA-1 and SHA-256 written down step by step from FIPS 180-4, with
 * nothing taken from the library: the reference of the tests. It is slow and
 * meant to be compared with the standard by eye.
 */
#ifndef BLOCKSHA_TEXTBOOK_H
#define BLOCKSHA_TEXTBOOK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TEXTBOOK_MAX_WORDS 13
#define TEXTBOOK_MAX_DIGEST 52

struct textbook {
	const char *name;
	size_t words; /* of the state; the digest is all of them */
	uint32_t initial[TEXTBOOK_MAX_WORDS];
	void (*block)(uint32_t *state, const unsigned char *data);
};

static inline uint32_t textbook_rotl(uint32_t x, unsigned n)
{
	return (x << n) | (x >> (32 - n));
}

static inline uint32_t textbook_rotr(uint32_t x, unsigned n)
{
	return (x >> n) | (x << (32 - n));
}

static inline uint32_t textbook_ch(uint32_t x, uint32_t y, uint32_t z)
{
	return (x & y) ^ (~x & z);
}

static inline uint32_t textbook_parity(uint32_t x, uint32_t y, uint32_t z)
{
	return x ^ y ^ z;
}

static inline uint32_t textbook_maj(uint32_t x, uint32_t y, uint32_t z)
{
	return (x & y) ^ (x & z) ^ (y & z);
}

/* Word t of the block M. */
static inline uint32_t textbook_word(const unsigned char *M, unsigned t)
{
	return (uint32_t)M[4 * t] << 24 | (uint32_t)M[4 * t + 1] << 16 |
	       (uint32_t)M[4 * t + 2] << 8 | (uint32_t)M[4 * t + 3];
}

/* Section 6.1.2. */
static inline void textbook_sha1_block(uint32_t *H, const unsigned char *M)
{
	uint32_t W[80];
	uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4];

	for (unsigned t = 0; t < 16; t++)
		W[t] = textbook_word(M, t);
	for (unsigned t = 16; t < 80; t++)
		W[t] = textbook_rotl(W[t - 3] ^ W[t - 8] ^ W[t - 14] ^ W[t - 16], 1);

	for (unsigned t = 0; t < 80; t++) {
		uint32_t f, K, T;

		if (t < 20) {
			f = textbook_ch(b, c, d);
			K = 0x5a827999;
		} else if (t < 40) {
			f = textbook_parity(b, c, d);
			K = 0x6ed9eba1;
		} else if (t < 60) {
			f = textbook_maj(b, c, d);
			K = 0x8f1bbcdc;
		} else {
			f = textbook_parity(b, c, d);
			K = 0xca62c1d6;
		}
		T = textbook_rotl(a, 5) + f + e + K + W[t];
		e = d;
		d = c;
		c = textbook_rotl(b, 30);
		b = a;
		a = T;
	}

	H[0] += a;
	H[1] += b;
	H[2] += c;
	H[3] += d;
	H[4] += e;
}

/* Section 6.2.2. */
static inline void textbook_sha256_block(uint32_t *H, const unsigned char *M)
{
	/* Section 4.2.2. */
	static const uint32_t K[64] = {
		0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
		0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
		0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
		0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
		0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
		0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
		0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
		0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
		0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
		0xc67178f2,
	};
	uint32_t W[64];
	uint32_t a = H[0], b = H[1], c = H[2], d = H[3], e = H[4], f = H[5], g = H[6], h = H[7];

	for (unsigned t = 0; t < 16; t++)
		W[t] = textbook_word(M, t);
	for (unsigned t = 16; t < 64; t++) {
		uint32_t x = W[t - 15], y = W[t - 2];
		uint32_t sigma0 = textbook_rotr(x, 7) ^ textbook_rotr(x, 18) ^ (x >> 3);
		uint32_t sigma1 = textbook_rotr(y, 17) ^ textbook_rotr(y, 19) ^ (y >> 10);

		W[t] = sigma1 + W[t - 7] + sigma0 + W[t - 16];
	}

	for (unsigned t = 0; t < 64; t++) {
		uint32_t Sigma0 = textbook_rotr(a, 2) ^ textbook_rotr(a, 13) ^ textbook_rotr(a, 22);
		uint32_t Sigma1 = textbook_rotr(e, 6) ^ textbook_rotr(e, 11) ^ textbook_rotr(e, 25);
		uint32_t T1 = h + Sigma1 + textbook_ch(e, f, g) + K[t] + W[t];
		uint32_t T2 = Sigma0 + textbook_maj(a, b, c);

		h = g;
		g = f;
		f = e;
		e = d + T1;
		d = c;
		c = b;
		b = a;
		a = T1 + T2;
	}

	H[0] += a;
	H[1] += b;
	H[2] += c;
	H[3] += d;
	H[4] += e;
	H[5] += f;
	H[6] += g;
	H[7] += h;
}

/* Both, of the same bytes: first SHA-1, then SHA-256. */
static inline void textbook_sha1_sha256_block(uint32_t *H, const unsigned char *M)
{
	textbook_sha1_block(H, M);
	textbook_sha256_block(H + 5, M);
}

/* The initial states: sections 5.3.1 and 5.3.3. */
static const struct textbook textbook_sha1 = {
	"sha1",
	5,
	{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
	textbook_sha1_block,
};

static const struct textbook textbook_sha256 = {
	"sha256",
	8,
	{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
	 0x5be0cd19},
	textbook_sha256_block,
};

static const struct textbook textbook_sha1_sha256 = {
	"sha1+sha256",
	13,
	{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0, 0x6a09e667, 0xbb67ae85,
	 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
	textbook_sha1_sha256_block,
};

/* With detection of attacks the state is the same; textbook_sha1dc.h has the verdict. */
static const struct textbook textbook_sha1dc = {
	"sha1dc",
	5,
	{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
	textbook_sha1_block,
};

static const struct textbook textbook_sha1dc_sha256 = {
	"sha1dc+sha256",
	13,
	{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0, 0x6a09e667, 0xbb67ae85,
	 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
	textbook_sha1_sha256_block,
};

/* The digest of a whole message; padding as in section 5.1.1. */
static inline void textbook_hash(const struct textbook *hash, const unsigned char *data,
				 size_t size, unsigned char *digest)
{
	uint32_t state[TEXTBOOK_MAX_WORDS];
	unsigned char last[128] = {0}; /* the end of the message with its padding */
	size_t whole = size / 64, rest = size % 64;
	size_t last_size = rest < 56 ? 64 : 128;
	uint64_t bits = (uint64_t)size * 8;

	memcpy(state, hash->initial, sizeof(state));
	for (size_t i = 0; i < whole; i++)
		hash->block(state, data + 64 * i);

	for (size_t i = 0; i < rest; i++)
		last[i] = data[64 * whole + i];
	last[rest] = 0x80;
	for (size_t i = 0; i < 8; i++)
		last[last_size - 1 - i] = (unsigned char)(bits >> 8 * i);
	for (size_t i = 0; i < last_size; i += 64)
		hash->block(state, last + i);

	for (size_t i = 0; i < 4 * hash->words; i++)
		digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}

#endif
