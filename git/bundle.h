/* SPDX-License-Identifier: MIT */
/*
 * bundle.h - a pack with the names of what it has and of what it needs (gitformat-bundle, versions
 * 2 and 3).
 */
#ifndef BLOCKSHA_GIT_BUNDLE_H
#define BLOCKSHA_GIT_BUNDLE_H

#include "git_file.h"

/* As row of the table of kinds. */
void blocksha_git_bundle_verify(struct git_file *file, struct git_report *report);

#endif
