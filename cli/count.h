/* SPDX-License-Identifier: MIT */
/*
 * count.h - counts files and bytes ahead of those who hash them, for the progress.
 */
#ifndef BLOCKSHA_CLI_COUNT_H
#define BLOCKSHA_CLI_COUNT_H

#include "walk.h"

struct count;

/* Counts in a thread of its own what those names stand for; walk: NULL if directories stand for
   themselves. All must stay until count_end. NULL when there is no memory or thread for it. */
struct count *count_begin(char *const *names, int number, const struct walk_options *walk);

/* Ends counting. Those who hash may be faster, or were stopped: then the total is what they have
   done. NULL is allowed. */
void count_end(struct count *count);

#endif
