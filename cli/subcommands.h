/* SPDX-License-Identifier: MIT */
/*
 * subcommands.h - the table of subcommands, from which come running one of them, the help text and
 * the completion of shells.
 */
#ifndef BLOCKSHA_CLI_SUBCOMMANDS_H
#define BLOCKSHA_CLI_SUBCOMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

struct subcommand {
	const char *name;
	const char *command; /* how its help is asked for */
	int (*run)(int argc, char **argv);
	const struct option_row *(*options)(void);
	bool takes_files; /* as operands; otherwise it has none */
	const char *summary;
};

/* Ends with a row whose name is NULL. */
extern const struct subcommand subcommands[];

/* The one of this name, or NULL. */
const struct subcommand *subcommand_find(const char *name);

#endif
