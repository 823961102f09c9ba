/* SPDX-License-Identifier: MIT */
/*
 * replace.h - writes a new version of a file so that there is always a whole one: the new one is
 * written beside the old one, synced, and renamed.
 *
 * The new version is NAME.blocksha-new until then. It is locked while it is there, from before the
 * old version is read, so that of two programs that do so one fails; what a killed one left is
 * written over.
 */
#ifndef BLOCKSHA_CLI_REPLACE_H
#define BLOCKSHA_CLI_REPLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

struct replace {
	char *path;     /* of the file, without symbolic links */
	char *new_path; /* of the new version; NULL: there is none, it is written into path */
	FILE *out;      /* the new version, empty at first */
	int old;        /* the old version, to be read; -1: there is none */
};

/* Locks the file of that name, which need not be there. into: what is no regular file (a device, a
   pipe), or has a name in /dev, is written into instead; otherwise it is refused. Returns NULL, or
   what is wrong. */
const char *replace_begin(struct replace *replace, const char *name, bool into);

/* Makes what was written to replace->out the file, and ends. Returns NULL, or what is
   wrong: then the old version is still there. */
const char *replace_commit(struct replace *replace);

/* Ends without a change. */
void replace_abandon(struct replace *replace);

/* Whether status is that of the old or the new version. */
bool replace_is_own(const struct replace *replace, const struct stat *status);

#endif
