/* SPDX-License-Identifier: MIT */
/*
 * nameset.h - names of files, to be found again. Two names are the same when they differ only in
 * what does not matter: empty components, "." and slashes at the end.
 */
#ifndef BLOCKSHA_CLI_NAMESET_H
#define BLOCKSHA_CLI_NAMESET_H

#include <stdbool.h>

/* All zero: empty. */
struct nameset {
	void *tree;
};

/* Returns false when there is no memory. */
bool nameset_add(struct nameset *set, const char *name);
bool nameset_has(const struct nameset *set, const char *name);
void nameset_free(struct nameset *set);

/* The name without what does not matter; to be freed; NULL: no memory. */
char *nameset_key(const char *name);

/* Whether the file of the first key is that of the other one, or below it. */
bool nameset_is_below(const char *key, const char *directory_key);

#endif
