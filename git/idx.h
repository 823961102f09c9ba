/* SPDX-License-Identifier: MIT */
/*
 * idx.h - the index of a pack, versions 1 and 2 (gitformat-pack, "pack-*.idx files").
 */
#ifndef BLOCKSHA_GIT_IDX_H
#define BLOCKSHA_GIT_IDX_H

#include "git_hash.h"

struct git_idx {
	unsigned char *data; /* the file */
	size_t size;
	enum blocksha_git_format format;
	size_t name_size;
	unsigned version;
	uint32_t count; /* of objects */
	size_t stride;  /* from one name to the next */
	const unsigned char *names;
	const unsigned char *crcs, *offsets; /* version 2 */
	const unsigned char *large;          /* offsets of 64 bits */
	size_t large_count;
	const unsigned char *pack_checksum; /* as the index has it */
};

/* Reads an index and checks all that can be checked without the pack: findings in report. False
   when it is not to be used: something in it is wrong. Other than that it could not be read and has
   no known structure, the members are set all the same, and free is needed in any case. */
bool blocksha_git_idx_load(struct git_idx *idx, const struct git_file *file,
			   struct git_report *report);
void blocksha_git_idx_free(struct git_idx *idx);

/* Name, offset and CRC of object i in the order of names. An offset that the table of large offsets
   does not have is UINT64_MAX. */
const unsigned char *blocksha_git_idx_name(const struct git_idx *idx, uint32_t i);
uint64_t blocksha_git_idx_offset(const struct git_idx *idx, uint32_t i);
bool blocksha_git_idx_crc(const struct git_idx *idx, uint32_t i, uint32_t *crc); /* false: v1 */

/* The positions 0 to count - 1 in the order of offsets; NULL: no memory. Freed by the caller. */
uint32_t *blocksha_git_idx_by_offset(const struct git_idx *idx);

/* The position of a name, or UINT32_MAX. */
uint32_t blocksha_git_idx_find(const struct git_idx *idx, const unsigned char *name);

/* As row of the table of kinds. */
void blocksha_git_idx_verify(struct git_file *file, struct git_report *report);

#endif
