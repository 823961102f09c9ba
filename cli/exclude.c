/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "exclude.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

/* Whether the first component is . or .. */
static bool begins_with_dots(const char *name)
{
	size_t dots = strspn(name, ".");

	return (dots == 1 || dots == 2) && (name[dots] == '/' || name[dots] == '\0');
}

/* A cheap look before fnmatch, which measures the whole name. */
static bool may_match(const char *pattern, const char *name)
{
	return strchr("*?[\\", pattern[0]) != NULL || pattern[0] == name[0];
}

static bool pattern_matches(const char *pattern, const char *name)
{
	bool dots = begins_with_dots(pattern);

	while (name != NULL && *name != '\0') {
		if (dots || !begins_with_dots(name)) {
			if (may_match(pattern, name) && fnmatch(pattern, name, 0) == 0)
				return true;
			/* What * does not find here it does not find in a part of it. */
			if (pattern[0] == '*')
				return false;
		}
		name = strchr(name, '/');
		if (name != NULL)
			name++;
	}
	return false;
}

bool exclude_matches(const char *const *patterns, const char *name)
{
	for (; patterns != NULL && *patterns != NULL; patterns++)
		if (pattern_matches(*patterns, name))
			return true;
	return false;
}
