/* SPDX-License-Identifier: MIT */
/*
 * sha256_rounds.h - SHA-256's rounds in integer registers, for the kernels whose message
 * schedule is made in vector registers (sha256_ssse3.c, sha256_avx2.c).
 *
 * Two chains limit the rounds: from E to the next E, and from A to the next A. Written as
 * in FIPS 180-4 section 6.2.2, step 3, either takes five cycles a round:
 *
 *     T1 = H + Sigma1(E) + Ch(E, F, G) + WK    E' = D + T1
 *     T2 = Sigma0(A) + Maj(A, B, C)            A' = T1 + T2
 *
 * Here either takes four, for two more operations a round:
 *
 * - D goes into the sum before anything that depends on E, so that Sigma1, the slowest
 *   term, is added last and gives E'. A' is then E' - D + T2.
 * - Maj(A, B, C) = (B & C) + (A & (B ^ C)), whose terms have no common bit: all but one
 *   operation can be done before A is known. B ^ C is left over from the round before (its
 *   A ^ B).
 *
 * The compilers undo this (they sort sums as they like, and run out of registers), so
 * each round is inline assembly.
 */
#ifndef BLOCKSHA_SHA256_ROUNDS_H
#define BLOCKSHA_SHA256_ROUNDS_H

/* One round. E' takes the place of h and A' that of d. x is B ^ C, and scratch after
   that; y becomes A ^ B. wk is W[t] + K[t], in memory. sigma0 and sigma1 are code that
   leaves Sigma0(A) in D and Sigma1(E) in T, with X and Y as scratch. */
#define SHA256_ROUND(sigma0, sigma1, a, b, c, d, e, f, g, h, x, y, wk)                            \
	do {                                                                                      \
		uint32_t t;                                                                       \
		__asm__("addl %[WK], %[H]\n\t"                                                    \
			"addl %[D], %[H]\n\t"                                                     \
			"movl %[F], %[T]\n\t"                                                     \
			"xorl %[G], %[T]\n\t"                                                     \
			"andl %[E], %[T]\n\t"                                                     \
			"xorl %[G], %[T]\n\t"                                                     \
			"addl %[T], %[H]\n\t" sigma1 "addl %[T], %[H]\n\t"                        \
			"movl %[B], %[T]\n\t"                                                     \
			"andl %[C], %[T]\n\t"                                                     \
			"subl %[D], %[T]\n\t"                                                     \
			"movl %[A], %[Y]\n\t"                                                     \
			"xorl %[B], %[Y]\n\t"                                                     \
			"andl %[A], %[X]\n\t"                                                     \
			"addl %[X], %[T]\n\t"                                                     \
			"addl %[H], %[T]\n\t" sigma0 "addl %[T], %[D]"                            \
			: [D] "+&r"(d), [H] "+&r"(h), [X] "+&r"(x), [Y] "=&r"(y), [T] "=&r"(t)    \
			: [A] "r"(a), [B] "r"(b), [C] "r"(c), [E] "r"(e), [F] "r"(f), [G] "r"(g), \
			  [WK] "m"(wk)                                                            \
			: "cc");                                                                  \
	} while (0)

/* Four rounds, after which all names are back in their places. */
#define SHA256_ROUNDS4(round, wk)                             \
	do {                                                  \
		uint32_t y;                                   \
		round(a, b, c, d, e, f, g, h, x, y, (wk)[0]); \
		round(d, a, b, c, h, e, f, g, y, x, (wk)[1]); \
		round(c, d, a, b, g, h, e, f, x, y, (wk)[2]); \
		round(b, c, d, a, f, g, h, e, y, x, (wk)[3]); \
	} while (0)

/* Adds the state before the block. The pins keep clang from making vectors of this: the
   way there and back costs more than it saves. */
#define SHA256_ADD_STATE(state, a, b, c, d, e, f, g, h)           \
	do {                                                      \
		a += (state)[0];                                  \
		b += (state)[1];                                  \
		c += (state)[2];                                  \
		d += (state)[3];                                  \
		e += (state)[4];                                  \
		f += (state)[5];                                  \
		g += (state)[6];                                  \
		h += (state)[7];                                  \
		__asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d)); \
		__asm__("" : "+r"(e), "+r"(f), "+r"(g), "+r"(h)); \
		(state)[0] = a;                                   \
		(state)[1] = b;                                   \
		(state)[2] = c;                                   \
		(state)[3] = d;                                   \
		(state)[4] = e;                                   \
		(state)[5] = f;                                   \
		(state)[6] = g;                                   \
		(state)[7] = h;                                   \
	} while (0)

#endif
