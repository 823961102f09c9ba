/* SPDX-License-Identifier: MIT */
/*
 * ewah.h - compressed bitmaps, as the index, bitmap files and the untracked cache have them
 * (gitformat-bitmap, "Appendix A: Serialization format for an EWAH bitmap").
 */
#ifndef BLOCKSHA_GIT_EWAH_H
#define BLOCKSHA_GIT_EWAH_H

#include "cursor.h"

struct git_ewah {
	uint32_t bits; /* as the bitmap itself says */
	uint64_t set;  /* how many are */
	uint64_t end;  /* one more than the highest that is set; 0: none */
};

/* Takes a bitmap, and looks at all of its structure. Returns what is wrong with it, a static
   string, or NULL. */
const char *blocksha_git_ewah_take(struct git_cursor *cursor, struct git_ewah *ewah);

#endif
