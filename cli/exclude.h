/* SPDX-License-Identifier: MIT */
/*
 * exclude.h - which names --exclude leaves out.
 *
 * A pattern is a glob as fnmatch knows it, where * and ? match slashes and leading periods too,
 * as in tar and du. It leaves out a name that it matches as a whole, as printed, or from behind
 * one of its slashes on:
 *
 *     *.o          every name that ends in .o
 *     build        everything called build, wherever it is
 *     src/gen*     in every directory src, all that begins with gen
 *     build/       only directories: their names count with a final slash, too
 *     ./README     README in the directory that was named as .
 *
 * Components . and .. can only be matched by those of a pattern, from its beginning: .* means the
 * hidden files, and not all that a walk through . prints as ./NAME.
 */
#ifndef BLOCKSHA_CLI_EXCLUDE_H
#define BLOCKSHA_CLI_EXCLUDE_H

#include <stdbool.h>

/* Whether a pattern of the list, which ends with NULL (and may be NULL), matches name. For a
   directory: without and with a final slash is asked by the caller. */
bool exclude_matches(const char *const *patterns, const char *name);

#endif
