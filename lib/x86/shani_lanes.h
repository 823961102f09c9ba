/* SPDX-License-Identifier: MIT */
/*
 * shani_lanes.h - what sha1_shani_lanes.h and sha256_shani_lanes.h share. To be included
 * with SHANI_LANES defined, the number of messages: 2 or 4.
 *
 * The instructions for rounds wait for each other: sha1rnds4 has a latency of 6 cycles on
 * Zen 5 and sha256rnds2 one of 4, but either can start every 2 cycles. So the rounds of
 * other messages fit in between. All of the interleaving is left to the CPU: within 4
 * rounds the messages come one after the other.
 */
#ifndef BLOCKSHA_X86_SHANI_LANES_H
#define BLOCKSHA_X86_SHANI_LANES_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "../common.h"
#include "../kernel.h"

#define SHANI_TARGET __attribute__((target("sha,sse4.1,ssse3")))
#define SHANI_INLINE SHANI_TARGET static BLOCKSHA_ALWAYS_INLINE

/*
 * Does something for each message; in it, `l` is the message's number. Not a loop, because
 * a vector of an array stays in a register only where its index is a constant.
 */
#define SHANI_DO(number, ...)          \
	do {                           \
		enum { l = (number) }; \
		__VA_ARGS__;           \
	} while (0)
#if SHANI_LANES == 2
#define SHANI_EACH(...)                   \
	do {                              \
		SHANI_DO(0, __VA_ARGS__); \
		SHANI_DO(1, __VA_ARGS__); \
	} while (0)
#elif SHANI_LANES == 4
#define SHANI_EACH(...)                   \
	do {                              \
		SHANI_DO(0, __VA_ARGS__); \
		SHANI_DO(1, __VA_ARGS__); \
		SHANI_DO(2, __VA_ARGS__); \
		SHANI_DO(3, __VA_ARGS__); \
	} while (0)
#endif

SHANI_INLINE __m128i shani_load(const void *p)
{
	return _mm_loadu_si128(p);
}

#endif
