/* SPDX-License-Identifier: MIT */
/*
 * links.h - files that have several names (hard links), so that each is read once.
 *
 * The first job that meets such a file owns it and hashes it; those that meet it later share the
 * result. Nobody waits here: a job that shares is finished at once, and its result is
 * there as soon as link_is_done. All functions may be called by several threads.
 */
#ifndef BLOCKSHA_CLI_LINKS_H
#define BLOCKSHA_CLI_LINKS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "job.h"

struct links;

struct links *links_create(void);
void links_destroy(struct links *links);

/* A job met a file with more than one name. Returns whether it has to hash the file itself; if
   not, or if others may share what it finds, job->link is set. */
bool links_meet(struct links *links, struct job *job, const struct stat *status);

/* A job is finished: if it owns its link, its result is there for the others. */
void links_finish(struct links *links, const struct job *job);

/* Whether the result of a job that shares is there. */
bool link_is_done(const struct link *link);

/* Copies the result to a job that shares. Then, or for the owner, lets go of job->link, which is
   forgotten when all its names have been met. */
void links_take(struct links *links, struct job *job);

#endif
