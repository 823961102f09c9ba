/* SPDX-License-Identifier: MIT */
/*
 * git_namer.h - names of many objects: small ones are gathered and hashed side by side, large ones
 * are read in pieces. Header and body are never copied together.
 */
#ifndef BLOCKSHA_CLI_GIT_NAMER_H
#define BLOCKSHA_CLI_GIT_NAMER_H

#include <stdbool.h>
#include <stdint.h>

#include "blocksha_git.h"

/* Which names are made of each object. */
struct git_formats {
	bool sha1, sha256; /* one at least */
};

struct git_named {
	int error;             /* an errno; 0: the names are there */
	bool changed;          /* instead: the file's size changed while it was read */
	const char *malformed; /* instead: what is wrong with the object; a static string */
	unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE];
	unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE];
	struct blocksha_attack attack; /* 0 blocks: none */
};

struct git_namer;

/* Names objects of that type only if their form is right. */
void git_namer_check(struct git_namer *namer, enum blocksha_git_type type);

/* NULL: no memory. */
struct git_namer *git_namer_create(struct git_formats formats);
void git_namer_destroy(struct git_namer *namer);

/* Names what fd gives as an object of the type, which is any word. size is what fstat says, or
   UINT64_MAX: not known before the end, so that everything is kept in memory. named is set at the
   latest by the next flush, and must stay where it is until then. */
void git_namer_add_fd(struct git_namer *namer, const char *type, int fd, uint64_t size,
		      struct git_named *named);

/* The same with data in memory, which is copied if it is needed later. */
void git_namer_add_data(struct git_namer *namer, const char *type, const void *data, size_t size,
			struct git_named *named);

/* Sets all results. */
void git_namer_flush(struct git_namer *namer);

#endif
