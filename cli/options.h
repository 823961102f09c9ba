/* SPDX-License-Identifier: MIT */
/*
 * options.h - one table of options, from which come what getopt_long needs and the help text.
 */
#ifndef BLOCKSHA_CLI_OPTIONS_H
#define BLOCKSHA_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* The code of an option is its letter, or one of these and above for those without. */
#define OPTION_WITHOUT_LETTER 256

struct option_row {
	int code;             /* 0: not an option but a heading, whose text is help */
	const char *name;     /* "check" for --check */
	const char *argument; /* what help calls its argument, see below; NULL: it has none */
	const char *help;     /* lines with newlines between them */
	bool blocksha_only;   /* unknown under the names of coreutils */
};

/*
 * Shells complete an argument by what it is called (completion.c):
 *
 *	FILE	names of files
 *	DIR	names of folders
 *	LIST	names of algorithms
 *	a|b|c	these words
 *	else	nothing
 */

/* What a row list ends with. */
#define OPTION_ROWS_END                    \
	{                                  \
		0, NULL, NULL, NULL, false \
	}

static inline bool option_is_end(const struct option_row *row)
{
	return row->help == NULL;
}

static inline bool option_has_letter(const struct option_row *row)
{
	return row->code > 0 && row->code < OPTION_WITHOUT_LETTER;
}

/* The next option of the command line, its argument in optarg: the code of its row; -1 behind the
   last one, when argv[optind] is the first operand; '?' after a message for what is no option.
   The rows in their order must be the same in all calls. */
int options_next(int argc, char **argv, const struct option_row *rows, bool as_coreutils);

/* Writes the table for --help. */
void options_help(FILE *out, const struct option_row *rows, bool as_coreutils);

#endif
