/* SPDX-License-Identifier: MIT */
/*
 * replace.h - writing a file that appears whole or not at all: it is written beside its place
 * and takes it, by rename, when it is complete and on the disk.
 */
#ifndef BLOCKSHA_CLI_REPLACE_H
#define BLOCKSHA_CLI_REPLACE_H

#include <stdio.h>

struct replace {
	FILE *file; /* to write to */
	char *target, *temporary;
};

/* Begins a file in the place of the one that name stands for; symbolic links are followed. What
   is there and is no regular file (a device, a pipe), or has a name in /dev, is written to
   directly. Returns 0, or an errno, and then there is nothing to end. */
int replace_begin(struct replace *replace, const char *name);

/* Puts the file in its place. Returns 0, or an errno, and then the old file is still there. */
int replace_commit(struct replace *replace);

/* Drops the file. */
void replace_abandon(struct replace *replace);

#endif
