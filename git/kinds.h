/* SPDX-License-Identifier: MIT */
/*
 * kinds.h - the table of the kinds of files that can be verified.
 */
#ifndef BLOCKSHA_GIT_KINDS_H
#define BLOCKSHA_GIT_KINDS_H

#include "git_file.h"

struct git_file_kind {
	const char *name; /* of the file, without its folders, or how it begins if this ends with a
			     dot; or NULL */
	const char *suffix; /* of the file's name, or NULL */
	const char *start;  /* what the file begins with, or NULL */
	size_t start_size;
	/* Findings about another file that belongs to it have a report of their own; its result
	   goes into report->companion. */
	void (*verify)(struct git_file *file, struct git_report *report);
};

/* The kind by the name alone, or NULL. */
const struct git_file_kind *blocksha_git_kind_by_name(const char *path);

/* Opens a file, finds its kind by its name or else by its first bytes, verifies it and hands on
   what was found. listed: a folder had it a moment ago. */
int blocksha_git_verify_file(const char *path, bool listed,
			     const struct blocksha_git_options *options);

/* All files of a repository. */
int blocksha_git_verify_repository(const char *path, const struct blocksha_git_options *options);

/* The worse of two results: an attack before all else. */
static inline int git_worse(int one, int other)
{
	if (one == BLOCKSHA_ATTACK || other == BLOCKSHA_ATTACK)
		return BLOCKSHA_ATTACK;
	return one != BLOCKSHA_OK ? one : other;
}

#endif
