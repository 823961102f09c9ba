/* SPDX-License-Identifier: MIT */
/*
 * delta.h - the instructions by which a pack makes one object of another (gitformat-pack,
 * "Deltified representation").
 */
#ifndef BLOCKSHA_GIT_DELTA_H
#define BLOCKSHA_GIT_DELTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct git_delta {
	const unsigned char *instructions, *end;
	uint64_t base_size, result_size; /* as the delta declares them */
};

/* Checks a delta from its first byte to its last: the sizes, that each instruction is whole and
   copies what a base of base_size bytes has, and that all give together the declared size. Returns
   NULL when it is good, or a phrase. What was checked can be applied without further care. */
const char *blocksha_git_delta_check(struct git_delta *delta, const unsigned char *data,
				     size_t size, uint64_t base_size);

/* Writes the result, delta->result_size bytes, to out. */
void blocksha_git_delta_apply(const struct git_delta *delta, const unsigned char *base,
			      unsigned char *out);

/* Gives the result to take, piece by piece, and needs no room for it. */
void blocksha_git_delta_pieces(const struct git_delta *delta, const unsigned char *base,
			       void (*take)(void *context, const unsigned char *data, size_t size),
			       void *context);

#endif
