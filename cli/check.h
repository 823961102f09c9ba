/* SPDX-License-Identifier: MIT */
/*
 * check.h - verifies the files that a checksum list names.
 */
#ifndef BLOCKSHA_CLI_CHECK_H
#define BLOCKSHA_CLI_CHECK_H

#include <stdbool.h>

#include "checklist.h"
#include "digest.h"
#include "hashfile.h"
#include "nameset.h"

/* What is printed; the last one of these options wins. */
enum check_report {
	CHECK_REPORT_ALL,
	CHECK_REPORT_WARN,   /* also each malformed line */
	CHECK_REPORT_QUIET,  /* all but OK */
	CHECK_REPORT_STATUS, /* no verdicts and no summary, and no attacks if the exit code tells */
};

struct check_options {
	struct digest_set algorithms; /* that lines may have */
	enum check_report report;
	bool plain_sha1;     /* without detection of collision attacks */
	bool strict;         /* a malformed line is a failure */
	bool strict_all;     /* so is every line whose file was not verified */
	bool ignore_missing; /* a file that is not there is no failure, unless strict_all */
	bool safe_paths;     /* refuse absolute names, and those with ".." */
	bool quoted;         /* names in verdicts as coreutils 9.11 has them */
	bool json;           /* objects instead of verdicts */
	unsigned jobs;       /* files that are hashed at a time */
	struct hash_options hash;
	struct nameset *listed; /* gets the names in the list, unless NULL */
	bool as_coreutils;      /* messages and grammar of coreutils 9.1 */
};

/* Reads the list of that name ("-": standard input) and verifies what it names. Returns the exit
   code (status.h): STATUS_OK if at least one file was verified, nothing failed, and no file
   carries an attack. form: see checklist.h; coreutils keeps it from one list to the next. */
int check_list(const struct check_options *options, const char *name, enum checklist_form *form);

#endif
