/* SPDX-License-Identifier: MIT */
/*
 * midx.h - one index for many packs (gitformat-pack, "multi-pack-index (MIDX) files").
 */
#ifndef BLOCKSHA_GIT_MIDX_H
#define BLOCKSHA_GIT_MIDX_H

#include "chunks.h"

enum {
	GIT_MIDX_PACK_NAMES,
	GIT_MIDX_FANOUT,
	GIT_MIDX_NAMES,
	GIT_MIDX_OFFSETS,
	GIT_MIDX_LARGE,
	GIT_MIDX_REVERSE,
	GIT_MIDX_BITMAPPED,
	GIT_MIDX_CHUNKS,
};

struct git_midx {
	struct git_chunk_file file;
	struct git_chunk chunks[GIT_MIDX_CHUNKS];
	uint32_t pack_count;
	const char **packs; /* names of their indexes, in the file; NULL: one cannot be used */
};

/* Reads it, and checks all that can be checked without the packs. False when the members other than
   file.data are not to be used. free is needed in any case. */
bool blocksha_git_midx_load(struct git_midx *midx, const struct git_file *file,
			    struct git_report *report);
void blocksha_git_midx_free(struct git_midx *midx);

/* Of object i: in which pack it is, and where. */
uint32_t blocksha_git_midx_pack(const struct git_midx *midx, uint32_t i);
uint64_t blocksha_git_midx_offset(const struct git_midx *midx, uint32_t i);

/* Whether a table of count positions (4 bytes each) has the objects in the order of a pack that
   consists of all packs, the preferred one first: that of the first position. A finding at the
   first place where not; offset is that of the table in the file of the report. */
void blocksha_git_midx_check_order(const struct git_midx *midx, const unsigned char *table,
				   uint32_t count, uint64_t offset, struct git_report *report);

/* As row of the table of kinds. */
void blocksha_git_midx_verify(struct git_file *file, struct git_report *report);

#endif
