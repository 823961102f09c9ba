/* SPDX-License-Identifier: MIT */
/*
 * owner.h - what a file beside a pack, or beside many packs, belongs to: the index that has its
 * objects.
 */
#ifndef BLOCKSHA_GIT_OWNER_H
#define BLOCKSHA_GIT_OWNER_H

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

#endif
