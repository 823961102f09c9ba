/* SPDX-License-Identifier: MIT */
/*
 * listing.h - what is in one directory, in the order in which a tree is printed.
 *
 * That is the order of the bytes in the names, where the name of a directory counts as if it
 * ended in '/'. The names of a whole tree then come in the order of `LC_ALL=C sort`, as if they
 * had been sorted together: "a.c", "a/x", "ab".
 */
#ifndef BLOCKSHA_CLI_LISTING_H
#define BLOCKSHA_CLI_LISTING_H

#include <stdbool.h>
#include <stddef.h>

struct dir;

enum file_kind {
	FILE_KIND_UNKNOWN, /* it could not be found out */
	FILE_KIND_REGULAR,
	FILE_KIND_DIRECTORY,
	FILE_KIND_SYMLINK,
	FILE_KIND_FIFO,
	FILE_KIND_SOCKET,
	FILE_KIND_BLOCK_DEVICE,
	FILE_KIND_CHARACTER_DEVICE,
	FILE_KIND_OTHER, /* what only some systems have */
};

struct listing {
	char *names;    /* all of them, one behind the other, each with its kind before it */
	char **entries; /* into names, in order */
	size_t count;
};

/* Lists dir, all but "." and "..". Returns 0, or the errno that ended it: what was read before is
   in the listing then. follow: a symbolic link counts as what it points to, and as unknown when
   that cannot be found out. */
int listing_read(struct listing *listing, const struct dir *dir, bool follow);
void listing_free(struct listing *listing);

/* Of one of listing->entries: its kind, and whether it is a symbolic link that was followed. */
enum file_kind listing_kind(const char *entry);
bool listing_followed(const char *entry);

/* Asks for the kind of one file. Returns 0 or an errno. */
int file_kind_find(const struct dir *dir, const char *path, bool follow, enum file_kind *kind);

/* "FIFO" */
const char *file_kind_text(enum file_kind kind);

#endif
