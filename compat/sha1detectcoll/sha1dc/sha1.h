/* SPDX-License-Identifier: MIT */
/*
 * sha1dc/sha1.h - the interface of libsha1detectcoll 1.0 (SHA-1 with detection of
 * collision attacks by Marc Stevens and Dan Shumow), on top of blocksha.
 *
 *     SHA1_CTX ctx;
 *     unsigned char digest[20];
 *     SHA1DCInit(&ctx);
 *     SHA1DCUpdate(&ctx, data, size);
 *     if (SHA1DCFinal(digest, &ctx))
 *         ...the message carries a collision attack...
 *
 * Programs written and compiled for that library work with this one: the functions,
 * the type of the context, its size and the places of its members are the same. New
 * programs use blocksha.h, whose contexts are a tenth of the size.
 *
 * Contexts belong to the caller; assigning one clones it. Different threads may use
 * different contexts at the same time. Sizes are in bytes. Nothing is allocated.
 */
#ifndef SHA1DC_SHA1_H
#define SHA1DC_SHA1_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called for each block that is part of an attack: its offset in the message in bytes,
   the chaining values (5 words) before it of the message and of the other message of the
   collision, and the expanded messages (80 words) of both. */
typedef void (*collision_block_callback)(uint64_t, const uint32_t *, const uint32_t *,
					 const uint32_t *, const uint32_t *);

/* Set options by the functions below. Of the members only found_collision is kept up to date
   for readers, and total, the length so far; the others are there for the places of the members
   behind them. */
typedef struct {
	uint64_t total;
	uint32_t ihv[5];
	unsigned char buffer[64];
	int found_collision;
	int safe_hash;
	int detect_coll;
	int ubc_check;
	int reduced_round_coll;
	collision_block_callback callback;

	uint32_t ihv1[5];
	uint32_t ihv2[5];
	uint32_t m1[80];
	uint32_t m2[80];
	uint32_t states[80][5]; /* the state of blocksha lies here */
} SHA1_CTX;

/* Begins a message, with the options as the comments below say. */
void SHA1DCInit(SHA1_CTX *);

/* On (1) or off (0), at any time. Safe hash: a block that is part of an attack is
   compressed twice more, so that the digests of colliding messages differ, and differ from
   SHA-1. On by default; off, the digest is that of SHA-1. */
void SHA1DCSetSafeHash(SHA1_CTX *, int);

/* The filter of unavoidable bit conditions. On by default; off is slow. */
void SHA1DCSetUseUBC(SHA1_CTX *, int);

/* Detection as a whole. On by default. */
void SHA1DCSetUseDetectColl(SHA1_CTX *, int);

/* Attacks on SHA-1 with fewer steps, too. Off by default; on is slow. */
void SHA1DCSetDetectReducedRoundCollision(SHA1_CTX *, int);

/* NULL, the default: none. The original library 1.0 never calls it; this one does. */
void SHA1DCSetCallback(SHA1_CTX *, collision_block_callback);

void SHA1DCUpdate(SHA1_CTX *, const char *, size_t);

/* Writes the digest; returns whether an attack was found (and detection is on). */
int SHA1DCFinal(unsigned char[20], SHA1_CTX *);

#ifdef __cplusplus
}
#endif

#endif
