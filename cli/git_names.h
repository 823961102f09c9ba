/* SPDX-License-Identifier: MIT */
/*
 * git_names.h - the lines in which names of objects are printed.
 */
#ifndef BLOCKSHA_CLI_GIT_NAMES_H
#define BLOCKSHA_CLI_GIT_NAMES_H

#include "git_namer.h"

struct git_names_format {
	struct git_formats formats;
	bool json;
};

/* The line of one object: its name in each format, with a space between them; or why there is none,
   on standard error. name is that of the file. Returns an exit code. */
int git_names_print(const struct git_names_format *format, const char *name,
		    const struct git_named *named);

/* Which formats --object-format and --both mean. */
struct git_formats git_names_formats(enum blocksha_git_format format, bool both);

#endif
