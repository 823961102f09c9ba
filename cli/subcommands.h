/* SPDX-License-Identifier: MIT */
/*
 * subcommands.h - the table of subcommands, from which come running one of them, the help text and
 * the completion of shells.
 */
#ifndef BLOCKSHA_CLI_SUBCOMMANDS_H
#define BLOCKSHA_CLI_SUBCOMMANDS_H

#include <stddef.h>

#include "options.h"

struct subcommand {
	const char *name;
	const char *command; /* how its help is asked for */
	int (*run)(int argc, char **argv);
	const struct option_row *(*options)(void);
	const struct subcommand *group; /* commands of its own, a table like this one, or NULL */
	const char *operands;           /* FILE or DIR, as in options.h; NULL: it has none */
	const char *summary;
};

/* What a table ends with. */
#define SUBCOMMANDS_END                                  \
	{                                                \
		NULL, NULL, NULL, NULL, NULL, NULL, NULL \
	}

extern const struct subcommand subcommands[];

/* The one of this name in a table, or NULL. */
const struct subcommand *subcommand_find(const struct subcommand *table, const char *name);

/* Writes the table for --help to standard output. */
void subcommands_help(const struct subcommand *table);

#endif
