/* SPDX-License-Identifier: MIT */
/* common.h - compiler macros. Knows nothing of hashing. */
#ifndef BLOCKSHA_COMMON_H
#define BLOCKSHA_COMMON_H

/* Marks what the shared library exports; all else is hidden (-fvisibility=hidden). */
#if defined(__GNUC__)
#define BLOCKSHA_EXPORT __attribute__((visibility("default")))
#define BLOCKSHA_ALWAYS_INLINE inline __attribute__((always_inline))
#define BLOCKSHA_LIKELY(x) __builtin_expect(!!(x), 1)
#else
#define BLOCKSHA_EXPORT
#define BLOCKSHA_ALWAYS_INLINE inline
#define BLOCKSHA_LIKELY(x) (x)
#endif

/* For a source file that is empty on this CPU: ISO C wants a declaration in each. */
#define BLOCKSHA_EMPTY_FILE extern int blocksha_empty_file

#endif
