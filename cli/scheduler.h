/* SPDX-License-Identifier: MIT */
/*
 * scheduler.h - hashes jobs in several threads, and delivers them in the order in which they
 * were added.
 *
 * One thread, the owner, calls the functions below, and is the one in which jobs are delivered. How
 * many jobs are on their way at a time is bounded.
 */
#ifndef BLOCKSHA_CLI_SCHEDULER_H
#define BLOCKSHA_CLI_SCHEDULER_H

#include <stdbool.h>

#include "hashfile.h"
#include "job.h"

struct scheduler_options {
	unsigned threads; /* that hash; 1 at least. No more than a quarter of the descriptors */
	bool share_links; /* files in trees with several names are read once */
	struct hash_options hash;
	/* Called for each job, when it is finished and all before it were delivered. The job is
	   destroyed afterwards. */
	void (*deliver)(void *context, struct job *job);
	/* Called before the owner waits, so that what was delivered can be sent on, or NULL. */
	void (*before_waiting)(void *context);
	void *context;
};

struct scheduler;

/* The options are copied. Where no thread is to be had the owner hashes. NULL: no memory. */
struct scheduler *scheduler_create(const struct scheduler_options *options);

/* Takes over a job. Delivers those that are ready; waits when too many are on their way. */
void scheduler_add(struct scheduler *scheduler, struct job *job);

/* Waits until at least one more job is hashed, which may close a directory, and delivers those
   that are ready. Returns false when all were hashed before, or all was stopped. */
bool scheduler_wait(struct scheduler *scheduler);

/* Delivers all jobs that were added. */
void scheduler_drain(struct scheduler *scheduler);

/* From now on nothing more is hashed or delivered: jobs that are added are destroyed. May be called
   by any thread, but not by a signal handler. */
void scheduler_stop(struct scheduler *scheduler);
bool scheduler_stopped(const struct scheduler *scheduler);

/* Drops what was not delivered. A thread may hang in a read that nobody can end; then this returns
   without it, and what it uses stays. */
void scheduler_destroy(struct scheduler *scheduler);

#endif
