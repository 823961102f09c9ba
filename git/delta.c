/* SPDX-License-Identifier: MIT */
#include "delta.h"

#include <string.h>

#include "common.h"

/* Copy instructions have this bit; the bits below it say which bytes of offset and size follow. */
#define COPY 0x80u

/* The size that is meant when a copy has none. */
#define DEFAULT_SIZE 0x10000u

/* Reads a size, seven bits a byte, the lowest first. Returns where it ends, or NULL. */
static const unsigned char *get_size(const unsigned char *at, const unsigned char *end,
				     uint64_t *size)
{
	unsigned shift = 0;

	*size = 0;
	while (at < end && shift < 64) {
		uint64_t bits = *at & 0x7fu;

		if (bits << shift >> shift != bits)
			return NULL;
		*size |= bits << shift;
		if ((*at++ & 0x80u) == 0)
			return at;
		shift += 7;
	}
	return NULL;
}

struct copy {
	uint32_t offset, size;
};

/* How many bytes follow the first one of a copy instruction. */
static unsigned copy_arguments(unsigned instruction)
{
	unsigned count = 0;

	for (unsigned bits = instruction & 0x7fu; bits != 0; bits &= bits - 1)
		count++;
	return count;
}

/* Decodes the arguments of a copy, which are all there; returns where they end. */
static BLOCKSHA_ALWAYS_INLINE const unsigned char *
get_copy(unsigned instruction, const unsigned char *at, struct copy *copy)
{
	copy->offset = 0;
	copy->size = 0;
	for (unsigned i = 0; i < 4; i++)
		if ((instruction & 1u << i) != 0)
			copy->offset |= (uint32_t)*at++ << 8 * i;
	for (unsigned i = 0; i < 3; i++)
		if ((instruction & 0x10u << i) != 0)
			copy->size |= (uint32_t)*at++ << 8 * i;
	if (copy->size == 0)
		copy->size = DEFAULT_SIZE;
	return at;
}

const char *blocksha_git_delta_check(struct git_delta *delta, const unsigned char *data,
				     size_t size, uint64_t base_size)
{
	const unsigned char *at, *end = data + size;
	uint64_t given = 0;

	at = get_size(data, end, &delta->base_size);
	if (at != NULL)
		at = get_size(at, end, &delta->result_size);
	if (at == NULL)
		return "delta without sizes";
	if (delta->base_size != base_size)
		return "delta is for a base of another size";
	delta->instructions = at;
	delta->end = end;
	while (at < end) {
		unsigned instruction = *at++;

		if ((instruction & COPY) != 0) {
			struct copy copy;

			if (copy_arguments(instruction) > (size_t)(end - at))
				return "delta ends within an instruction";
			at = get_copy(instruction, at, &copy);
			if ((uint64_t)copy.offset + copy.size > base_size)
				return "delta copies from beyond its base";
			given += copy.size;
		} else if (instruction == 0) {
			return "delta with a reserved instruction";
		} else {
			if (instruction > (size_t)(end - at))
				return "delta ends within an instruction";
			at += instruction;
			given += instruction;
		}
		if (given > delta->result_size)
			return "delta gives more than its declared size";
	}
	return given == delta->result_size ? NULL : "delta gives less than its declared size";
}

void blocksha_git_delta_apply(const struct git_delta *delta, const unsigned char *base,
			      unsigned char *out)
{
	for (const unsigned char *at = delta->instructions; at < delta->end;) {
		unsigned instruction = *at++;

		if ((instruction & COPY) != 0) {
			struct copy copy;

			at = get_copy(instruction, at, &copy);
			memcpy(out, base + copy.offset, copy.size);
			out += copy.size;
		} else {
			memcpy(out, at, instruction);
			at += instruction;
			out += instruction;
		}
	}
}

void blocksha_git_delta_pieces(const struct git_delta *delta, const unsigned char *base,
			       void (*take)(void *context, const unsigned char *data, size_t size),
			       void *context)
{
	for (const unsigned char *at = delta->instructions; at < delta->end;) {
		unsigned instruction = *at++;

		if ((instruction & COPY) != 0) {
			struct copy copy;

			at = get_copy(instruction, at, &copy);
			take(context, base + copy.offset, copy.size);
		} else {
			take(context, at, instruction);
			at += instruction;
		}
	}
}
