/* SPDX-License-Identifier: MIT */
/*
 * blocksha_byteorder.h - read and write 16, 32 and 64 bit integers of either
 * byte order at any address.
 *
 * The bytes are combined by shifts on unsigned char, so the result depends on
 * the values in memory alone: not on the CPU's byte order, not on the address
 * (every alignment is valid), and on no compiler extension. There is no cast
 * from bytes to words and therefore neither a type-punning nor an alignment
 * trap. gcc and clang turn each 32 and 64 bit function into one memory access
 * and, where the byte order differs from the CPU's, one byte swap;
 * docs/byteorder.md shows the machine code and the measurements.
 *
 *     unsigned char header[6];
 *     blocksha_put_be32(header, 0xcafebabe);
 *     blocksha_put_le16(header + 4, 513);
 *     uint32_t magic = blocksha_get_be32(header);
 *
 * This header is self-contained: it can be used without the library.
 *
 * All functions: p points to at least 2, 4 or 8 readable (get) or writable
 * (put) bytes, at any alignment, and is not NULL. Nothing fails, nothing is
 * kept, every function may be called from any thread. "be" is big-endian (most
 * significant byte at the lowest address: network order, SHA-1, git files),
 * "le" is little-endian.
 */
#ifndef BLOCKSHA_BYTEORDER_H
#define BLOCKSHA_BYTEORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint16_t blocksha_get_be16(const unsigned char *p)
{
	return (uint16_t)((unsigned)p[0] << 8 | p[1]);
}

static inline uint32_t blocksha_get_be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint64_t blocksha_get_be64(const unsigned char *p)
{
	return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
	       (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
	       (uint64_t)p[6] << 8 | p[7];
}

static inline uint16_t blocksha_get_le16(const unsigned char *p)
{
	return (uint16_t)((unsigned)p[1] << 8 | p[0]);
}

static inline uint32_t blocksha_get_le32(const unsigned char *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint64_t blocksha_get_le64(const unsigned char *p)
{
	return (uint64_t)p[7] << 56 | (uint64_t)p[6] << 48 | (uint64_t)p[5] << 40 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[3] << 24 | (uint64_t)p[2] << 16 |
	       (uint64_t)p[1] << 8 | p[0];
}

static inline void blocksha_put_be16(unsigned char *p, uint16_t value)
{
	p[0] = (unsigned char)(value >> 8);
	p[1] = (unsigned char)value;
}

static inline void blocksha_put_be32(unsigned char *p, uint32_t value)
{
	p[0] = (unsigned char)(value >> 24);
	p[1] = (unsigned char)(value >> 16);
	p[2] = (unsigned char)(value >> 8);
	p[3] = (unsigned char)value;
}

static inline void blocksha_put_be64(unsigned char *p, uint64_t value)
{
	p[0] = (unsigned char)(value >> 56);
	p[1] = (unsigned char)(value >> 48);
	p[2] = (unsigned char)(value >> 40);
	p[3] = (unsigned char)(value >> 32);
	p[4] = (unsigned char)(value >> 24);
	p[5] = (unsigned char)(value >> 16);
	p[6] = (unsigned char)(value >> 8);
	p[7] = (unsigned char)value;
}

static inline void blocksha_put_le16(unsigned char *p, uint16_t value)
{
	p[0] = (unsigned char)value;
	p[1] = (unsigned char)(value >> 8);
}

static inline void blocksha_put_le32(unsigned char *p, uint32_t value)
{
	p[0] = (unsigned char)value;
	p[1] = (unsigned char)(value >> 8);
	p[2] = (unsigned char)(value >> 16);
	p[3] = (unsigned char)(value >> 24);
}

static inline void blocksha_put_le64(unsigned char *p, uint64_t value)
{
	p[0] = (unsigned char)value;
	p[1] = (unsigned char)(value >> 8);
	p[2] = (unsigned char)(value >> 16);
	p[3] = (unsigned char)(value >> 24);
	p[4] = (unsigned char)(value >> 32);
	p[5] = (unsigned char)(value >> 40);
	p[6] = (unsigned char)(value >> 48);
	p[7] = (unsigned char)(value >> 56);
}

#ifdef __cplusplus
}
#endif

#endif
