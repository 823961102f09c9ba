/* SPDX-License-Identifier: MIT */
/*
 * source.h - where the jobs come from: names, lists of names, trees.
 */
#ifndef BLOCKSHA_CLI_SOURCE_H
#define BLOCKSHA_CLI_SOURCE_H

#include <stdbool.h>

#include "digest.h"
#include "scheduler.h"
#include "walk.h"

struct source {
	struct scheduler *scheduler;
	const struct digest_pass *pass;
	bool recursive; /* a name of a directory stands for all files below */
	struct walk_options walk;
	bool counted; /* count.h tells the progress how much there is; else source_add_file does */
	bool failed;  /* a list of names could not be read; a message told why */
};

/* Adds a job for a file, or for each file of a tree. */
void source_add(struct source *source, const char *name);

/* Adds a job that was made elsewhere, for a file that is named or a note; NULL: there was no memory
   for it. */
void source_add_job(struct source *source, struct job *job);

/* Adds the names in the file of that name ("-": standard input), each ended by the character
   end. */
void source_add_list(struct source *source, const char *list, char end);

#endif
