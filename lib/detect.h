/* SPDX-License-Identifier: MIT */
/*
 * detect.h - what is remembered of the attacks in a message, for the front ends
 * (sha1dc.c, many.c). Knows blocks; the kernels only say that something is there.
 */
#ifndef BLOCKSHA_DETECT_H
#define BLOCKSHA_DETECT_H

#include "blocksha.h"
#include "kernel.h"

#define BLOCKSHA_SHA1DC_OPTIONS                                                                   \
	(BLOCKSHA_SHA1DC_SAFE_HASH | BLOCKSHA_SHA1DC_REDUCED_ROUNDS | BLOCKSHA_SHA1DC_NO_FILTER | \
	 BLOCKSHA_SHA1DC_IGNORE)

/* Begins a message. */
void blocksha_detect_init(struct blocksha_detection *d);

/* Compresses nblocks blocks into state with a kernel of one message that detects.
   If it finds an attack, or where an option asks for more than a kernel does, the
   SHA-1 part of state (its first five words) is computed again, block by block. */
void blocksha_detect_blocks(struct blocksha_detection *d, const struct blocksha_kernel *kernel,
			    uint32_t *state, const unsigned char *data, size_t nblocks);

/* Compresses block by block into a SHA-1 state and remembers the attacks. */
void blocksha_detect_again(struct blocksha_detection *d, uint32_t *state, const unsigned char *data,
			   size_t nblocks);

/* Tells the verdict: BLOCKSHA_OK or BLOCKSHA_ATTACK; attack may be NULL. */
int blocksha_detect_verdict(const struct blocksha_detection *d, struct blocksha_attack *attack);

/* Saved states with options and verdict; otherwise as the functions of stream.h. */
int blocksha_detect_export(const struct blocksha_stream *s, const uint32_t *state, size_t words,
			   const struct blocksha_detection *d, unsigned char id,
			   unsigned char *out);
int blocksha_detect_import(struct blocksha_stream *s, uint32_t *state, size_t words,
			   struct blocksha_detection *d, unsigned char id, const void *saved,
			   size_t size);

#endif
