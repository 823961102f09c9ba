/* SPDX-License-Identifier: MIT */
/*
 * progress.h - how far the work is, on standard error, and the signals about it.
 *
 * A thread of its own draws the line (statusline.h) and takes the signals:
 *
 *	SIGUSR1  prints the progress once, as a line
 *	SIGINT   asks the program to end: progress_interrupted is true from then on, and wake is
 *	         called. A second one kills. If SIGINT was ignored from the start, it stays so.
 *
 * SIGTERM and SIGHUP kill at once, as ever. What counts here is there once in a program, as its
 * terminal and its signals are.
 */
#ifndef BLOCKSHA_CLI_PROGRESS_H
#define BLOCKSHA_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum progress_mode {
	PROGRESS_TERMINAL, /* when standard error is a terminal */
	PROGRESS_NEVER,    /* the signals alone */
	PROGRESS_ALWAYS,   /* without a terminal: a line every ten seconds, and one at the end */
};

struct progress_options {
	enum progress_mode mode;
	/* Called once in the other thread after SIGINT came; NULL: nothing is. Reads that wait are
	   not interrupted: the signal is blocked in all threads. */
	void (*wake)(void *data);
	void *data;
};

/* Before other threads start, because the signals must be blocked in them. Returns 0, or an errno
   value: then nothing has changed, and the signals do what they do by default. */
int progress_start(const struct progress_options *options);

/* Ends what progress_start began, takes the line away and, after an interruption, prints a summary.
   Without progress_start it does nothing. */
void progress_stop(void);

/* From any thread, with and without progress_start. Each takes a lock for a moment: with many small
   files tell of several at once. */
void progress_add_total(uint64_t files, uint64_t bytes); /* there is so much more to do */
void progress_total_known(void);                         /* no more is going to be added */
void progress_total_is_done(void);                       /* it is what is done by now */
void progress_done(uint64_t files, uint64_t bytes);      /* so much more is done */
void progress_current(const char *name);                 /* copied; NULL: none */

/* Whether SIGINT came. */
bool progress_interrupted(void);

#endif
