/* SPDX-License-Identifier: MIT */
/*
 * syntax.h - the insides of trees, commits and tags, one object at a time.
 */
#ifndef BLOCKSHA_GIT_SYNTAX_H
#define BLOCKSHA_GIT_SYNTAX_H

#include <stdbool.h>

#include "git_report.h"

/* What is wrong, and whether git fsck calls it an error. at: the offset in the object. */
typedef void git_problem_fn(void *context, bool error, size_t at, const char *text);

/* Calls problem for each thing that is wrong with an object, in the order of places. Blobs are
   right whatever they contain. */
void blocksha_git_check_object(enum blocksha_git_format format, enum blocksha_git_type type,
			       const unsigned char *data, size_t size, git_problem_fn *problem,
			       void *context);

/* The same with findings about the object at that place. */
void blocksha_git_report_syntax(struct git_report *report, struct git_place place,
				enum blocksha_git_type type, const unsigned char *data,
				size_t size);

#endif
