/* SPDX-License-Identifier: MIT */
/* common.h - compiler macros. Knows nothing of hashing. */
#ifndef BLOCKSHA_COMMON_H
#define BLOCKSHA_COMMON_H

/* Marks what the shared library exports; all else is hidden (-fvisibility=hidden). */
#if defined(__GNUC__)
#define BLOCKSHA_EXPORT __attribute__((visibility("default")))
#define BLOCKSHA_ALWAYS_INLINE inline __attribute__((always_inline))
#define BLOCKSHA_LIKELY(x) __builtin_expect(!!(x), 1)
/* The number of zero bits below the lowest one; x != 0. */
#define BLOCKSHA_LOWEST_BIT(x) ((unsigned)__builtin_ctz(x))
#else
#define BLOCKSHA_EXPORT
#define BLOCKSHA_ALWAYS_INLINE inline
#define BLOCKSHA_LIKELY(x) (x)
#define BLOCKSHA_LOWEST_BIT(x) blocksha_lowest_bit(x)
static inline unsigned blocksha_lowest_bit(unsigned long x)
{
	unsigned bit = 0;

	while ((x >> bit & 1) == 0)
		bit++;
	return bit;
}
#endif

/* For a source file that is empty on this CPU: ISO C wants a declaration in each. */
#define BLOCKSHA_EMPTY_FILE extern int blocksha_empty_file

#endif
