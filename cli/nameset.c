/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* tsearch */

#include "nameset.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

char *nameset_key(const char *name)
{
	char *key = malloc(strlen(name) + 1);
	char *out = key;

	if (key == NULL)
		return NULL;
	if (*name == '/')
		*out++ = '/';
	while (*name != '\0') {
		size_t length = strcspn(name, "/");

		if (length > 0 && !(length == 1 && name[0] == '.')) {
			if (out > key && out[-1] != '/')
				*out++ = '/';
			memcpy(out, name, length);
			out += length;
		}
		name += length;
		name += strspn(name, "/");
	}
	*out = '\0';
	return key;
}

bool nameset_is_below(const char *key, const char *directory_key)
{
	size_t length = strlen(directory_key);

	if (length == 0) /* the working directory */
		return key[0] != '/' && strcmp(key, "..") != 0 && strncmp(key, "../", 3) != 0;
	if (strncmp(key, directory_key, length) != 0)
		return false;
	return directory_key[length - 1] == '/' || key[length] == '/' || key[length] == '\0';
}

static int compare(const void *one, const void *other)
{
	return strcmp(one, other);
}

bool nameset_add(struct nameset *set, const char *name)
{
	char *key = nameset_key(name);
	char **node = key != NULL ? tsearch(key, &set->tree, compare) : NULL;

	if (node == NULL || *node != key)
		free(key);
	return node != NULL;
}

bool nameset_has(const struct nameset *set, const char *name)
{
	char *key = nameset_key(name);
	bool found = key != NULL && tfind(key, &set->tree, compare) != NULL;

	free(key);
	return found;
}

void nameset_free(struct nameset *set)
{
	while (set->tree != NULL) {
		char *key = *(char **)set->tree;

		tdelete(key, &set->tree, compare);
		free(key);
	}
}
