/* SPDX-License-Identifier: MIT */
/*
 * loose.h - loose objects: one to a file, whose name is the object's.
 */
#ifndef BLOCKSHA_GIT_LOOSE_H
#define BLOCKSHA_GIT_LOOSE_H

#include "git_hash.h"
#include "inflate.h"

/* Reads the header of an object, "blob 12" and a NUL, at most size bytes. Returns NULL and sets
 *type, *body_size and *header_size, or says what is wrong. */
const char *blocksha_git_loose_header(const unsigned char *data, size_t size,
				      enum blocksha_git_type *type, uint64_t *body_size,
				      size_t *header_size);

/* The name that the last two parts of a path stand for: "ab/cdef..." of 40 or 64 digits. Returns
   the format, BLOCKSHA_GIT_INFER when it is none. */
enum blocksha_git_format blocksha_git_loose_name(const char *path,
						 unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE]);

/* Verifies one. */
void blocksha_git_loose_verify(struct git_file *file, struct git_report *report);

/* The same with an inflater that is used for many. */
void blocksha_git_loose_verify_with(struct git_inflater *inflater, const struct git_file *file,
				    struct git_report *report);

#endif
