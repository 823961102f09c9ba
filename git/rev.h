/* SPDX-License-Identifier: MIT */
/*
 * rev.h - small files beside a pack, a table with four bytes for each object: reverse indexes
 * (.rev) and times (.mtimes), as in gitformat-pack.
 */
#ifndef BLOCKSHA_GIT_REV_H
#define BLOCKSHA_GIT_REV_H

#include "git_hash.h"
#include "idx.h"
#include "midx.h"

/* The index of objects that a file belongs to: of the pack, or of many packs. */
struct git_owner {
	struct git_idx idx;
	struct git_midx midx;
	bool is_midx;
	const unsigned char *checksum; /* of the pack or the multi-pack-index */
	uint32_t count;                /* of objects */
	char *path;
};

/* Loads the index beside a file of that suffix: PACK.idx; for multi-pack-index-HEX.SUFFIX the
   multi-pack-index. False after a note or finding, when there is none to compare with; free is
   needed in any case. */
bool blocksha_git_owner_load(struct git_owner *owner, const char *path, const char *suffix,
			     enum blocksha_git_format format, struct git_report *report);
void blocksha_git_owner_free(struct git_owner *owner);

/* As rows of the table of kinds. */
void blocksha_git_rev_verify(struct git_file *file, struct git_report *report);
void blocksha_git_mtimes_verify(struct git_file *file, struct git_report *report);

#endif
