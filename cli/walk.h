/* SPDX-License-Identifier: MIT */
/*
 * walk.h - goes through a tree and names its files in the order of listing.h.
 *
 * Names may have any length and trees any depth: all is opened relative to the directory above
 * it, and what grows with the depth is on the heap. In memory are the listings of the directories
 * on the path from the root to the present one. Open are the lowest of these; the higher ones
 * are closed and opened again on the way back, if they are still where they were.
 *
 * The walk opens directories alone. What it says about a file is what the directory said when it
 * was listed; who opens the file finds out what it is by then (and takes O_NONBLOCK, since it
 * may be a FIFO).
 */
#ifndef BLOCKSHA_CLI_WALK_H
#define BLOCKSHA_CLI_WALK_H

#include <stdbool.h>

#include "listing.h"

struct dir;

enum walk_symlinks {
	WALK_SYMLINKS_SKIP,
	WALK_SYMLINKS_FOLLOW,
	WALK_SYMLINKS_TEXT, /* a link stands for what is written in it */
};

/* Errors that have no errno. walk_error_text knows both kinds; from the main thread only. */
enum {
	WALK_ERROR_LOOP = -1,
	WALK_ERROR_MOVED = -2,
};
const char *walk_error_text(int error);

struct walk_options {
	struct dir *base; /* what the root's name is relative to; NULL: the working directory */
	enum walk_symlinks symlinks;
	bool one_file_system;        /* enter no directory of another device than the root's */
	const char *const *excludes; /* patterns of exclude.h, behind the last one NULL; or NULL */
};

/* A file that was found. All is valid during the call. */
struct walk_file {
	struct dir *dir;  /* what path is relative to; dir_hold keeps it open */
	const char *name; /* as printed */
	const char *path; /* what openat gets: the end of name */
	bool named;       /* it is the root itself: to be read, whatever it is */
	bool follow;      /* path may be a symbolic link; else it was none: O_NOFOLLOW */
};

/* What the walk calls. All return whether it shall go on. */
struct walk_visitor {
	/* A regular file, or the root when it is no directory. */
	bool (*file)(void *context, const struct walk_file *file);
	/* A symbolic link, with WALK_SYMLINKS_TEXT. */
	bool (*link_text)(void *context, const struct walk_file *file);
	/* What is not read, and why: a symbolic link, a FIFO, ...; a directory: it is on another
	   file system. */
	bool (*skipped)(void *context, const char *name, enum file_kind kind);
	/* An errno or one of the errors above. The walk goes on behind it. */
	bool (*error)(void *context, const char *name, int error);
	/* Too many directories are open: the visitor releases those that it holds until
	   dir_open_count() is lower than before or it holds none. Called again until that is
	   below dir_budget() or no longer falls. */
	bool (*make_room)(void *context);
	void *context;
};

/* Goes through root, whose name is taken as it is and followed when it is a symbolic link; the
   names of what is in it begin with it. Returns false when the visitor ended the walk. */
bool walk_tree(const struct walk_options *options, const char *root,
	       const struct walk_visitor *visitor);

#endif
