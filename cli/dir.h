/* SPDX-License-Identifier: MIT */
/*
 * dir.h - open directories that are shared: by the walk through a tree and by the files that
 * are still to be opened in them.
 *
 * Names are opened relative to a directory, so neither the length of a path nor the depth of
 * a tree has a limit, and no name leads elsewhere when a directory above it is renamed. What
 * is limited is the number of descriptors: who opens directories compares dir_open_count with
 * dir_budget, and has some released when the budget is used up.
 */
#ifndef BLOCKSHA_CLI_DIR_H
#define BLOCKSHA_CLI_DIR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <sys/types.h>

/* Whoever keeps one holds it; the last release closes it. All but holders never changes. */
struct dir {
	atomic_uint holders;
	int fd;
	dev_t device;
	ino_t inode;
};

/* The directory path, relative to base (NULL: the working directory), held by the caller; or NULL
   and errno. follow: its last component may be a symbolic link; else one is ENOTDIR or ELOOP. */
struct dir *dir_open(const struct dir *base, const char *path, bool follow);

/* From any thread. dir_hold returns its argument; NULL is allowed, for the working directory. */
struct dir *dir_hold(struct dir *dir);
void dir_release(struct dir *dir);

/* What openat and its family take; AT_FDCWD for NULL. */
int dir_fd(const struct dir *dir);

/* openat without a limit to the length of path; a component has the file system's limit. Not
   for O_CREAT. */
int dir_open_path(const struct dir *base, const char *path, int flags);

/* What is written in a symbolic link, of any length: *size bytes that the caller frees; or NULL and
   errno. */
char *dir_read_link(const struct dir *base, const char *path, size_t *size);

/* How many are open, and how many should be at most: DIR_BUDGET, or a quarter of the descriptors
   that the process may have, which leaves the most of them to the files. */
#define DIR_BUDGET 256
unsigned dir_open_count(void);
unsigned dir_budget(void);

#endif
