/* SPDX-License-Identifier: MIT */
/*
 * git_folder.h - the name of a folder as a tree of git.
 */
#ifndef BLOCKSHA_CLI_GIT_FOLDER_H
#define BLOCKSHA_CLI_GIT_FOLDER_H

#include "git_namer.h"

struct git_folder_options {
	struct git_formats formats;
	bool exclude_git; /* leave out what is called .git */
	void *context;
	/* Something in the folder that has no name, and why: error, an errno; 0: it is nothing that
	   a tree can hold, which is no failure. */
	void (*report)(void *context, const char *path, int error);
	/* An attack in a file, or in a tree. */
	void (*attack)(void *context, const char *path, const struct git_named *named);
};

/* Names the folder at path as "git add --all; git write-tree" does: files by contents and by
   whether their owner can execute them, symlinks by where they point, folders, but not those
   without any file; nothing is ignored. False: something could not be read, and named is not set.
 */
bool git_folder_name(const char *path, const struct git_folder_options *options,
		     struct git_namer *namer, struct git_named *named);

#endif
