/* SPDX-License-Identifier: MIT */
/*
 * git_standin.h - names of git's objects, and the stand-in that each gets: all zero but the last
 * four bytes, which count from 1, big-endian, in the order in which the names came.
 */
#ifndef BLOCKSHA_CLI_GIT_STANDIN_H
#define BLOCKSHA_CLI_GIT_STANDIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { STANDIN_SIZE = 32 }; /* the largest name in bytes */

struct standin_name {
	unsigned char bytes[STANDIN_SIZE]; /* those beyond size are 0 */
	unsigned char size;                /* 20 or 32 */
};

struct standins {
	struct standin_name *names; /* names[n - 1] has the number n */
	uint32_t *slots;            /* an open hash table of numbers; 0: empty */
	size_t count, room;
	size_t slot_count;                     /* a power of two, or 0 */
	uint64_t secret[STANDIN_SIZE / 4 + 1]; /* keys of the hash */
};

void standins_init(struct standins *table);
void standins_free(struct standins *table);

/* The number of a name, a new one if the name is. Returns 0 when there is no memory, or when
   2^32-1 names are there. */
uint32_t standins_number(struct standins *table, const unsigned char *name, size_t size);

/* Reads or writes the table as text: a line a name, the name, a space and its stand-in, in the
   order of the numbers. load returns the line that is wrong or one for which there is no memory,
   or 0; what the stream itself has to say is left to the caller. */
uint64_t standins_load(struct standins *table, FILE *file);
void standins_save(const struct standins *table, FILE *file);

/* Writes the 2 * size digits of the stand-in. */
void standin_write(char *hex, uint32_t number, size_t size);

#endif
