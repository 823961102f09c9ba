/* SPDX-License-Identifier: MIT */
/*
 * A ring of jobs, numbered in the order in which they were added:
 *
 *	delivered <= started <= added
 *
 * The owner adds at one end and delivers at the other; the workers start what is between. A job
 * that was started is finished in any order. All is under one lock.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "scheduler.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "progress.h"

/* Many small files may be finished while a large one before them is still read. */
#define RING_JOBS ((uint64_t)8192)

/* How many ready jobs are taken out of the ring at a time. */
enum { DELIVER_JOBS = 64 };

/* How often the owner looks for an interruption while it waits, in milliseconds. */
enum { LOOK = 100 };

/* After so many looks without any progress destroying leaves workers to themselves that hang. */
enum { GRACE_LOOKS = 10 };

struct worker {
	struct scheduler *scheduler;
	struct hasher *hasher;
	pthread_t thread;
};

struct scheduler {
	struct scheduler_options
		options; /* a copy: a thread that hangs may outlive who made them */
	struct links *links;
	pthread_mutex_t lock;
	pthread_cond_t work;     /* a job can be started, or the workers should end */
	pthread_cond_t progress; /* a job was finished, a worker ended, or all was stopped */
	uint64_t added, started, delivered;
	uint64_t finished; /* how many, in any order */
	bool ending;
	unsigned idle; /* workers that wait, or will do so first */
	unsigned running, ended;
	atomic_bool stop;
	struct worker *workers;
	struct hasher *own; /* where there are no threads the owner hashes, job by job; else NULL */
	struct job *ring[RING_JOBS];
};

static struct job **place(struct scheduler *s, uint64_t number)
{
	return &s->ring[number % RING_JOBS];
}

/* --- The workers ------------------------------------------------------------------ */

static void finish(void *context, struct job *const *jobs, size_t count)
{
	struct scheduler *s = context;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < count; i++)
		jobs[i]->done = true;
	s->finished += count;
	pthread_cond_signal(&s->progress);
	pthread_mutex_unlock(&s->lock);
}

/* The next job, or NULL if there is none at the moment. *overlap: a CPU has nothing else to do. */
static struct job *start(struct scheduler *s, bool *overlap)
{
	struct job *job = NULL;

	pthread_mutex_lock(&s->lock);
	while (job == NULL && s->started < s->added) {
		job = *place(s, s->started++);
		if (job->done)
			job = NULL;
	}
	*overlap = s->started == s->added && (s->idle > 0 || s->running < s->options.threads);
	pthread_mutex_unlock(&s->lock);
	return job;
}

/* Waits, counted as idle, until there is a job. Returns false if there will be none. */
static bool wait_for_work(struct scheduler *s)
{
	bool more;

	pthread_mutex_lock(&s->lock);
	while (s->started == s->added && !s->ending)
		pthread_cond_wait(&s->work, &s->lock);
	s->idle--;
	more = s->started < s->added;
	pthread_mutex_unlock(&s->lock);
	return more;
}

static void become_idle(struct scheduler *s)
{
	pthread_mutex_lock(&s->lock);
	s->idle++;
	pthread_mutex_unlock(&s->lock);
}

static void *work(void *argument)
{
	struct worker *worker = argument;
	struct scheduler *s = worker->scheduler;

	while (wait_for_work(s)) {
		struct job *job;
		bool overlap;

		while ((job = start(s, &overlap)) != NULL)
			hasher_take(worker->hasher, job, overlap);
		hasher_flush(worker->hasher);
		become_idle(s);
	}
	pthread_mutex_lock(&s->lock);
	s->ended++;
	pthread_cond_signal(&s->progress);
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

/* Starts one worker more. */
static bool add_worker(struct scheduler *s)
{
	struct worker *worker = &s->workers[s->running];

	worker->scheduler = s;
	worker->hasher = hasher_create(&s->options.hash, s->links, &s->stop, finish, s);
	if (worker->hasher == NULL)
		return false;
	if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
		hasher_destroy(worker->hasher);
		return false;
	}
	return true;
}

/* With the lock held: one worker more if there are jobs that nobody is about to start. Without
   memory or threads for it those that are there do the work. */
static void add_worker_if_needed(struct scheduler *s)
{
	if (s->added - s->started <= s->idle || s->running == s->options.threads)
		return;
	if (add_worker(s)) {
		s->running++;
		s->idle++;
	}
}

/* --- The owner -------------------------------------------------------------------- */

static bool create_parts(struct scheduler *s)
{
	s->workers = calloc(s->options.threads, sizeof(*s->workers));
	if (s->workers == NULL)
		return false;
	if (s->options.share_links && (s->links = links_create()) == NULL)
		return false;
	if (add_worker(s)) {
		s->running = 1;
		s->idle = 1;
		return true;
	}
	s->own = hasher_create(&s->options.hash, s->links, &s->stop, finish, s);
	return s->own != NULL;
}

static void destroy_parts(struct scheduler *s)
{
	for (; s->delivered < s->added; s->delivered++)
		job_destroy(*place(s, s->delivered));
	for (unsigned i = 0; i < s->running; i++)
		hasher_destroy(s->workers[i].hasher);
	hasher_destroy(s->own);
	links_destroy(s->links);
	free(s->workers);
	pthread_cond_destroy(&s->progress);
	pthread_cond_destroy(&s->work);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Each worker has a file open. The walk takes a quarter of the descriptors for directories, too;
   the rest is for lists, what stdio has, and who started the program. */
static unsigned limit_threads(unsigned threads)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 4 >= threads)
		return threads;
	return limit.rlim_cur >= 8 ? (unsigned)(limit.rlim_cur / 4) : 1;
}

struct scheduler *scheduler_create(const struct scheduler_options *options)
{
	struct scheduler *s = calloc(1, sizeof(*s));

	if (s == NULL)
		return NULL;
	s->options = *options;
	s->options.threads = limit_threads(options->threads);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->work, NULL);
	pthread_cond_init(&s->progress, NULL);
	if (create_parts(s))
		return s;
	destroy_parts(s);
	return NULL;
}

/* Waits until something is finished, but not longer than to the next look. Returns whether it was
   woken. */
static bool wait_for_progress(struct scheduler *s)
{
	struct timespec until;
	int error;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += LOOK * 1000000L;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000L;
	}
	error = pthread_cond_timedwait(&s->progress, &s->lock, &until);
	if (progress_interrupted())
		atomic_store(&s->stop, true); /* for the workers, too */
	return error == 0;
}

static bool is_ready(const struct job *job)
{
	return job->done && (job->link == NULL || link_is_done(job->link));
}

static void deliver(struct scheduler *s, struct job *job)
{
	if (job->link != NULL)
		links_take(s->links, job);
	if (!scheduler_stopped(s))
		s->options.deliver(s->options.context, job);
	job_destroy(job);
}

/* Delivers the jobs that are ready, in order. Returns whether there were any. wait: until there
   is one. */
static bool deliver_ready(struct scheduler *s, bool wait)
{
	struct job *ready[DELIVER_JOBS];
	size_t count = 0;

	pthread_mutex_lock(&s->lock);
	while (wait && s->delivered < s->added && !is_ready(*place(s, s->delivered)) &&
	       !scheduler_stopped(s))
		wait_for_progress(s);
	while (count < DELIVER_JOBS && s->delivered < s->added && is_ready(*place(s, s->delivered)))
		ready[count++] = *place(s, s->delivered++);
	if (s->started < s->delivered)
		s->started = s->delivered; /* notes, which nobody needed to start */
	pthread_mutex_unlock(&s->lock);

	for (size_t i = 0; i < count; i++)
		deliver(s, ready[i]);
	return count > 0;
}

/* What was delivered so far should reach its reader before a pause. */
static void before_waiting(const struct scheduler *s)
{
	if (s->options.before_waiting != NULL)
		s->options.before_waiting(s->options.context);
}

static bool is_full(const struct scheduler *s)
{
	return s->added - s->delivered == RING_JOBS;
}

void scheduler_add(struct scheduler *s, struct job *job)
{
	while (is_full(s) && !scheduler_stopped(s)) {
		before_waiting(s);
		deliver_ready(s, true);
	}
	if (scheduler_stopped(s)) {
		job_destroy(job);
		return;
	}
	pthread_mutex_lock(&s->lock);
	*place(s, s->added++) = job;
	if (job_is_note(job)) {
		job->done = true;
		s->finished++;
	}
	if (s->own == NULL)
		add_worker_if_needed(s);
	if (s->idle > 0)
		pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->lock);
	if (s->own != NULL && !job_is_note(job)) {
		hasher_take(s->own, job, false);
		hasher_flush(s->own);
	}
	deliver_ready(s, false);
}

bool scheduler_wait(struct scheduler *s)
{
	uint64_t finished;
	bool any;

	before_waiting(s);
	pthread_mutex_lock(&s->lock);
	finished = s->finished;
	any = finished < s->added;
	while (any && s->finished == finished && !scheduler_stopped(s))
		wait_for_progress(s);
	pthread_mutex_unlock(&s->lock);
	while (deliver_ready(s, false))
		;
	return any && !scheduler_stopped(s);
}

void scheduler_drain(struct scheduler *s)
{
	while (s->delivered < s->added && !scheduler_stopped(s)) {
		if (deliver_ready(s, false))
			continue;
		before_waiting(s);
		deliver_ready(s, true);
	}
}

void scheduler_stop(struct scheduler *s)
{
	atomic_store(&s->stop, true);
	pthread_mutex_lock(&s->lock);
	pthread_cond_broadcast(&s->progress);
	pthread_mutex_unlock(&s->lock);
}

bool scheduler_stopped(const struct scheduler *s)
{
	return atomic_load_explicit(&s->stop, memory_order_relaxed) || progress_interrupted();
}

/* Waits for the workers to end, but not for ever. Returns whether they did. */
static bool end_workers(struct scheduler *s)
{
	int looks = 0;
	bool all;

	atomic_store(&s->stop, true);
	pthread_mutex_lock(&s->lock);
	s->ending = true;
	pthread_cond_broadcast(&s->work);
	while (s->ended < s->running && looks < GRACE_LOOKS)
		looks += !wait_for_progress(s);
	all = s->ended == s->running;
	pthread_mutex_unlock(&s->lock);
	for (unsigned i = 0; i < s->running; i++)
		if (all)
			pthread_join(s->workers[i].thread, NULL);
		else
			pthread_detach(s->workers[i].thread);
	return all;
}

void scheduler_destroy(struct scheduler *s)
{
	if (s != NULL && end_workers(s))
		destroy_parts(s);
}
