/* SPDX-License-Identifier: MIT */
/*
 * rev.h - small files beside a pack, a table with four bytes for each object: reverse indexes
 * (.rev) and times (.mtimes), as in gitformat-pack.
 */
#ifndef BLOCKSHA_GIT_REV_H
#define BLOCKSHA_GIT_REV_H

#include "git_file.h"

/* As rows of the table of kinds. */
void blocksha_git_rev_verify(struct git_file *file, struct git_report *report);
void blocksha_git_mtimes_verify(struct git_file *file, struct git_report *report);

#endif
