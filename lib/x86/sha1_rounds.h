/* SPDX-License-Identifier: MIT */
/*
 * sha1_rounds.h - SHA-1's rounds in integer registers, for the kernels whose message
 * schedule is made in vector registers (sha1_ssse3.c, sha1_avx2.c).
 *
 * The rounds are one chain: each A needs the one before, rotated and added, two cycles
 * at least, 160 for a block. There are units enough to do all else beside it, but only
 * if nothing else waits for the youngest A: E + W + K + f(B, C, D) has to be complete
 * before rol(A, 5) is added, and f has to take B as late as it can. Compilers sort such
 * sums as they like and gcc runs out of registers on them, so each round is inline
 * assembly: (e, a, b, c, d, wk) adds wk + f(b, c, d) + rol(a, 5) to e and rotates b.
 */
#ifndef BLOCKSHA_SHA1_ROUNDS_H
#define BLOCKSHA_SHA1_ROUNDS_H

/* Operands of a round. t is scratch. */
#define SHA1_ROUND(code, e, a, b, c, d, wk)                        \
	__asm__(code                                               \
		: [E] "+&r"(e), [B] "+&r"(b), [T] "=&r"(t)         \
		: [A] "r"(a), [C] "r"(c), [D] "r"(d), [WK] "m"(wk) \
		: "cc")

/* Four rounds. The roles have moved by four places then: the next four rounds
   start with (b, c, d, e, a). */
#define SHA1_ROUNDS4(f, a, b, c, d, e, wk) \
	do {                               \
		f(e, a, b, c, d, (wk)[0]); \
		f(d, e, a, b, c, (wk)[1]); \
		f(c, d, e, a, b, (wk)[2]); \
		f(b, c, d, e, a, (wk)[3]); \
	} while (0)

/* Adds the state before the block. The pins keep clang from making vectors of this: the
   way there and back costs 20 cycles. */
#define SHA1_ADD_STATE(state, a, b, c, d, e)                               \
	do {                                                               \
		a += (state)[0];                                           \
		b += (state)[1];                                           \
		c += (state)[2];                                           \
		d += (state)[3];                                           \
		e += (state)[4];                                           \
		__asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e)); \
		(state)[0] = a;                                            \
		(state)[1] = b;                                            \
		(state)[2] = c;                                            \
		(state)[3] = d;                                            \
		(state)[4] = e;                                            \
	} while (0)

#endif
