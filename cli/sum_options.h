/* SPDX-License-Identifier: MIT */
/*
 * sum_options.h - the options of "blocksha sum": their table, what they mean together, and
 * which do not go together.
 */
#ifndef BLOCKSHA_CLI_SUM_OPTIONS_H
#define BLOCKSHA_CLI_SUM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "check.h"
#include "digest.h"
#include "hashfile.h"
#include "line.h"
#include "options.h"
#include "progress.h"
#include "source.h"

struct sum_options {
	struct digest_set algorithms;
	struct digest_set wanted; /* those of --algorithm alone */
	enum progress_mode progress;
	unsigned jobs;        /* 0: the usable CPUs */
	struct source source; /* of the names on the command line */
	const char **excludes;
	size_t exclude_count;
	const char *list; /* of names */
	const char *directory;
	const char *update;  /* the list to be kept */
	const char *program; /* for help */
	struct check_options check;
	struct hash_options hash;
	struct line_format format;
	char list_end;   /* what ends a name in the list of names */
	bool plain_sha1; /* without detection of collision attacks */
	bool json;
	bool text;   /* --text was given, and nothing against it later */
	bool marked; /* --binary, --text or --tag was given */
	bool checking;
	bool quote_given; /* --quote, whatever its argument */
	bool tee;
	const char *output; /* of --tee */
	bool recheck;
	bool comparing; /* two lists */
	bool as_coreutils;
};

enum sum_parsed {
	SUM_PARSED_RUN,
	SUM_PARSED_DONE,  /* help or version was printed */
	SUM_PARSED_WRONG, /* a message told what */
};

/* The table, also for the completion of shells. */
const struct option_row *sum_option_rows(void);

/* Reads the options into a struct in which program and as_coreutils are set, and under the names of
   coreutils the algorithm. Afterwards the operands begin at argv[optind]. */
enum sum_parsed sum_options_parse(struct sum_options *options, int argc, char **argv);

void sum_options_free(struct sum_options *options);

#endif
