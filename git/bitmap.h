/* SPDX-License-Identifier: MIT */
/*
 * bitmap.h - which objects can be reached from some commits (gitformat-bitmap).
 */
#ifndef BLOCKSHA_GIT_BITMAP_H
#define BLOCKSHA_GIT_BITMAP_H

#include "git_file.h"

/* As row of the table of kinds. */
void blocksha_git_bitmap_verify(struct git_file *file, struct git_report *report);

#endif
