/* SPDX-License-Identifier: MIT */
#include "subcommands.h"

#include <stdio.h>
#include <string.h>

#include "git.h"
#include "kernels.h"
#include "sum.h"
#include "sum_options.h"

const struct subcommand subcommands[] = {
	{"sum", "blocksha sum", sum_main, sum_option_rows, NULL, "FILE",
	 "hash files; make and check lists of digests"},
#ifdef BLOCKSHA_HAVE_GIT /* the option BLOCKSHA_GIT of CMake */
	{"git", "blocksha git", git_main, git_option_rows, git_commands, NULL,
	 "name and verify the objects and files of git"},
#endif
	{"kernels", "blocksha kernels", kernels_main, kernels_option_rows, NULL, NULL,
	 "list compression functions, and test them"},
	SUBCOMMANDS_END,
};

const struct subcommand *subcommand_find(const struct subcommand *table, const char *name)
{
	for (; table->name != NULL; table++)
		if (strcmp(name, table->name) == 0)
			return table;
	return NULL;
}

void subcommands_help(const struct subcommand *table)
{
	for (; table->name != NULL; table++)
		printf("  %-12s %s\n", table->name, table->summary);
}
