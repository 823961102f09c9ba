/* SPDX-License-Identifier: MIT */
#include "subcommands.h"

#include <string.h>

#include "git.h"
#include "kernels.h"
#include "sum.h"

const struct subcommand subcommands[] = {
	{"sum", "blocksha sum", sum_main, sum_option_rows, true,
	 "hash files; make and check lists of digests"},
#ifdef BLOCKSHA_HAVE_GIT /* the option BLOCKSHA_GIT of CMake */
	{"git", "blocksha git", git_main, git_option_rows, true,
	 "name and verify the objects and files of git"},
#endif
	{"kernels", "blocksha kernels", kernels_main, kernels_option_rows, false,
	 "list compression functions, and test them"},
	{NULL, NULL, NULL, NULL, false, NULL},
};

const struct subcommand *subcommand_find(const char *name)
{
	for (const struct subcommand *row = subcommands; row->name != NULL; row++)
		if (strcmp(name, row->name) == 0)
			return row;
	return NULL;
}
