/* SPDX-License-Identifier: MIT */
/*
 * pack_resolve.c - inflates all objects of a pack and computes their names, in several threads.
 *
 * An object that is no delta is the root of a tree of those that are based on it, directly or not.
 * A thread takes roots in their order and goes down each tree, depth first, with a stack of its own
 * on the heap: a frame is an object and those of its deltas that are still to be resolved. The last
 * delta of an object takes its place on the stack, so a long chain needs one frame. When other
 * threads have nothing to do, the frame at the bottom is given away, or half of the only one.
 *
 * Objects are not named one by one but in batches, so that they can be hashed side by side. A REF
 * delta names its base, so it can go on the stack only when that name was computed; then a cycle is
 * never entered.
 *
 * The data of objects on the stacks is bounded. When it grows too large, the objects at the bottom
 * lose theirs; they are rebuilt from the root when they are wanted again.
 */
#define _POSIX_C_SOURCE 200809L

#include "resolve.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"

/* So many bytes are read at once: neighbours in the pack are often neighbours in a tree, too. */
#define ENTRY_WINDOW ((size_t)8 * 1024)

/* Roots that a thread takes at once. */
#define ROOTS 16u
#define ROOTS_BYTES (64u * 1024u)

/* --- Sharing the work ------------------------------------------------------------- */

/* The frame that is longest on the stack and whose object is small; NULL: there is none. */
static struct frame *oldest_small(struct worker *w)
{
	for (size_t i = 0; i < w->frame_count; i++)
		if (w->frames[i].base->size <= w->resolver->small)
			return &w->frames[i];
	return NULL;
}

/* A frame that another thread can have. False: there is none to spare. */
static bool spare_frame(struct worker *w, struct frame *frame)
{
	struct frame *oldest = oldest_small(w);
	size_t rest = oldest != NULL ? (size_t)(oldest->end - oldest->next) : 0;

	if (oldest == NULL)
		return false;
	if (w->frame_count > 1) {
		*frame = *oldest;
		memmove(oldest, oldest + 1,
			(size_t)(w->frames + --w->frame_count - oldest) * sizeof(*oldest));
		return true;
	}
	if (rest < 2)
		return false;
	*frame = (struct frame){oldest->base, oldest->next + rest / 2, oldest->end};
	/* Two threads must not rebuild the same object. */
	if (oldest->base->data == NULL)
		frame->base =
			blocksha_git_resolve_create(w, oldest->base->entry, oldest->base->size);
	else
		blocksha_git_resolve_hold(oldest->base);
	if (frame->base == NULL)
		return false;
	oldest->end = frame->next;
	return true;
}

static void give(struct worker *w)
{
	struct resolver *r = w->resolver;
	struct frame frame;

	pthread_mutex_lock(&r->lock);
	if (r->queued < r->idle && spare_frame(w, &frame)) {
		r->queue[r->queued++] = frame;
		atomic_fetch_sub(&r->hungry, 1);
		pthread_cond_signal(&r->change);
	}
	pthread_mutex_unlock(&r->lock);
}

/* Waits for a frame. False: all is done. */
static bool take(struct worker *w)
{
	struct resolver *r = w->resolver;
	bool taken = false;

	pthread_mutex_lock(&r->lock);
	r->idle++;
	atomic_fetch_add(&r->hungry, 1);
	if (r->idle == r->workers && r->queued == 0) {
		r->finished = true;
		pthread_cond_broadcast(&r->change);
	}
	while (r->queued == 0 && !r->finished)
		pthread_cond_wait(&r->change, &r->lock);
	if (r->queued > 0) {
		struct frame frame = r->queue[--r->queued];

		r->idle--;
		taken = true;
		blocksha_git_resolve_push(w, frame.base, frame.next, frame.end);
		blocksha_git_resolve_release(w, frame.base);
	}
	pthread_mutex_unlock(&r->lock);
	return taken;
}

/* Takes a few roots that lie side by side, or one that is large. False: there are none. */
static bool take_roots(struct worker *w)
{
	struct resolver *r = w->resolver;
	const struct git_entry *entries = w->pack->entries;
	uint32_t begin = atomic_load_explicit(&r->next_root, memory_order_relaxed), end;

	do {
		if (begin >= r->root_count)
			return false;
		end = begin + 1;
		while (end < r->root_count && end - begin < ROOTS &&
		       entries[r->roots[end]].offset - entries[r->roots[begin]].offset <
			       ROOTS_BYTES)
			end++;
	} while (!atomic_compare_exchange_weak(&r->next_root, &begin, end));
	w->next_root = begin;
	w->end_root = end;
	return true;
}

static void tell_progress(struct worker *w)
{
	const struct blocksha_git_options *options = w->pack->options;

	if (w->reports_progress && options->progress != NULL)
		options->progress(options->context, atomic_load(&w->resolver->done),
				  w->pack->file->size);
}

static void *run(void *argument)
{
	struct worker *w = argument;
	unsigned steps = 0;

	if (w->checks_trailer && !blocksha_git_pack_compute_checksum(w->pack))
		blocksha_git_resolve_stop(w, NULL);
	for (;;) {
		if (blocksha_git_resolve_is_stopped(w))
			blocksha_git_resolve_give_up(w);
		if (++steps % 256 == 0)
			tell_progress(w);
		if (w->frame_count > 0) {
			if (atomic_load_explicit(&w->resolver->hungry, memory_order_relaxed) > 0)
				give(w);
			if (w->frame_count > 0)
				blocksha_git_resolve_step(w);
		} else if (w->next_root < w->end_root) {
			blocksha_git_resolve_root(w, w->resolver->roots[w->next_root++]);
		} else if (blocksha_git_resolve_is_stopped(w) || !take_roots(w)) {
			if (w->batch_count > 0)
				blocksha_git_resolve_flush(w);
			else if (!take(w))
				break;
		}
	}
	tell_progress(w);
	return NULL;
}

/* --- Threads ---------------------------------------------------------------------- */

static void end_worker(struct worker *w)
{
	blocksha_git_resolve_give_up(w);
	blocksha_git_inflater_destroy(w->inflater);
	blocksha_git_window_end(&w->window);
	free(w->delta);
	free(w->spare);
	free(w->frames);
	free(w->chain);
	free(w);
}

static struct worker *begin_worker(struct resolver *r)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return NULL;
	w->resolver = r;
	w->pack = r->pack;
	blocksha_git_window_begin(&w->window, r->pack->file, r->pack->end, ENTRY_WINDOW);
	w->inflater = blocksha_git_inflater_create();
	if (w->inflater != NULL)
		return w;
	free(w);
	return NULL;
}

/* Runs as many of count workers as there can be: with fewer threads it only takes longer. The
   calling thread is one. */
static bool run_workers(struct resolver *r, unsigned count)
{
	struct worker **workers = calloc(count, sizeof(struct worker *));
	unsigned begun = 0, threads = 0;

	while (workers != NULL && begun < count && (workers[begun] = begin_worker(r)) != NULL)
		begun++;
	if (begun == 0) {
		free(workers);
		return false;
	}
	r->workers = begun;
	workers[0]->reports_progress = true;
	workers[begun - 1]->checks_trailer = true;
	for (unsigned i = 1; i < begun; i++, threads++)
		if (pthread_create(&workers[i]->thread, NULL, run, workers[i]) != 0)
			break;
	if (threads + 1 < begun) {
		pthread_mutex_lock(&r->lock);
		r->workers = threads + 1;
		pthread_cond_broadcast(&r->change);
		pthread_mutex_unlock(&r->lock);
		workers[0]->checks_trailer = true;
	}
	run(workers[0]);
	for (unsigned i = 1; i <= threads; i++)
		pthread_join(workers[i]->thread, NULL);
	for (unsigned i = 0; i < begun; i++)
		end_worker(workers[i]);
	free(workers);
	return true;
}

static bool find_roots(struct resolver *r)
{
	const struct git_pack *pack = r->pack;

	r->roots = malloc(((size_t)pack->count + 1) * sizeof(*r->roots));
	if (r->roots == NULL)
		return false;
	for (uint32_t i = 0; i < pack->count; i++) {
		const struct git_entry *e = &pack->entries[i];

		if (!git_entry_is_delta(e) && (e->flags & GIT_ENTRY_FAILED) == 0)
			r->roots[r->root_count++] = i;
	}
	return true;
}

bool blocksha_git_pack_resolve(struct git_pack *pack)
{
	struct resolver r = {.pack = pack, .memory = blocksha_git_memory(pack->options)};
	unsigned jobs = blocksha_git_jobs(pack->options);
	bool done;

	/* A small base and a small result for each thread take a quarter, those of the thread that
	   has large ones the rest. One thread needs no such division. */
	r.small = jobs > 1 ? r.memory / (8 * (uint64_t)jobs) : r.memory / 2;
	r.largest = jobs > 1 ? r.memory / 8 * 3 : r.memory / 2;
	if (r.largest > SIZE_MAX / 2)
		r.largest = SIZE_MAX / 2;
	pthread_mutex_init(&r.large_lock, NULL);
	pthread_mutex_init(&r.lock, NULL);
	pthread_cond_init(&r.change, NULL);
	r.queue = calloc(jobs, sizeof(*r.queue));
	r.base_name_taken = calloc((size_t)pack->base_name_count + 1, sizeof(*r.base_name_taken));
	done = r.queue != NULL && r.base_name_taken != NULL && find_roots(&r) &&
	       run_workers(&r, jobs);
	if (!done)
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
	free(r.queue);
	free(r.base_name_taken);
	free(r.roots);
	pthread_cond_destroy(&r.change);
	pthread_mutex_destroy(&r.lock);
	pthread_mutex_destroy(&r.large_lock);
	return done && !atomic_load(&r.stopped);
}
