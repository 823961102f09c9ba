/* SPDX-License-Identifier: MIT */
/*
 * report.h - what is printed about a file that was hashed: its lines, or why there are none.
 */
#ifndef BLOCKSHA_CLI_REPORT_H
#define BLOCKSHA_CLI_REPORT_H

#include <stdbool.h>

#include "digest.h"
#include "job.h"
#include "json.h"
#include "line.h"

struct report {
	const struct digest_set *algorithms;
	const struct line_format *format;
	bool json; /* objects instead of lines */
	bool as_coreutils;
	int status; /* the exit code so far (status.h) */
};

/* Prints the lines of a job, or its object, and messages. */
void report_job(struct report *report, const struct job *job);

/* The members of an object that tell what became of a file: size, digests, attack, error. */
void report_result(struct json *json, const struct digest_set *set,
		   const struct hash_result *result);

#endif
