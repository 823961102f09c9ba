/* SPDX-License-Identifier: MIT */
/*
 * resolve_memory.c - objects in memory, how much of them, and the stack of a thread.
 */
#define _POSIX_C_SOURCE 200809L

#include "resolve.h"

#include <stdlib.h>
#include <string.h>

/* From this size on memory comes fresh from the system each time. */
#define LARGE ((size_t)256 * 1024)

void blocksha_git_resolve_stop(struct worker *w, const char *text)
{
	if (!atomic_exchange(&w->resolver->stopped, true) && text != NULL)
		blocksha_git_report_add(w->pack->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL,
					NULL, "%s", text);
}

bool blocksha_git_resolve_is_stopped(struct worker *w)
{
	return atomic_load_explicit(&w->resolver->stopped, memory_order_relaxed);
}

/* --- Objects in memory ------------------------------------------------------------ */

void *blocksha_git_resolve_allocate(struct worker *w, size_t size)
{
	void *memory = malloc(size);

	if (memory == NULL)
		blocksha_git_resolve_stop(w, "no memory");
	return memory;
}

static void drop(struct worker *w, struct base *base)
{
	blocksha_git_resolve_free_data(w, base->data, base->size);
	base->data = NULL;
}

void blocksha_git_resolve_hold(struct base *base)
{
	atomic_fetch_add_explicit(&base->references, 1, memory_order_relaxed);
}

void blocksha_git_resolve_release(struct worker *w, struct base *base)
{
	if (atomic_fetch_sub_explicit(&base->references, 1, memory_order_acq_rel) != 1)
		return;
	drop(w, base);
	free(base);
}

static bool too_much(struct worker *w, size_t size)
{
	return atomic_load_explicit(&w->resolver->used, memory_order_relaxed) + size >
	       w->resolver->memory;
}

/* Drops the objects that were on the stack for the longest time, until size bytes more are allowed.
   Those that others hold stay: kept, and what another thread works on. */
static bool make_room(struct worker *w, size_t size)
{
	if (!too_much(w, size))
		return true;
	if (!blocksha_git_resolve_flush(w))
		return false;
	for (size_t i = 0; i < w->frame_count && too_much(w, size); i++)
		if (atomic_load_explicit(&w->frames[i].base->references, memory_order_acquire) == 1)
			drop(w, w->frames[i].base);
	return true;
}

/* Fresh memory costs a page fault for every 4 KiB, which for a large object is as much as hashing
   it. So that of one large object is kept for the next. Objects that fill less than half of it do
   not get it: they would count for less than they take. */
static unsigned char *take_spare(struct worker *w, size_t size)
{
	unsigned char *spare = w->spare;

	if (size < LARGE || size > w->spare_capacity || size < w->spare_capacity / 2)
		return NULL;
	w->spare = NULL;
	w->spare_capacity = 0;
	return spare;
}

static void free_or_spare(struct worker *w, unsigned char *data, size_t size)
{
	if (size < LARGE || size <= w->spare_capacity || size > w->resolver->largest / 4) {
		free(data);
		return;
	}
	free(w->spare);
	w->spare = data;
	w->spare_capacity = size;
}

/* Every thread may have a small base and a small result at any time. Larger ones are for one thread
   alone, until it has none of them any more; so all together stay within the memory. What is large
   is never given to another thread. */

bool blocksha_git_resolve_is_free(struct worker *w, uint64_t size)
{
	if (size > w->resolver->small && !w->has_large_lock)
		w->has_large_lock = pthread_mutex_trylock(&w->resolver->large_lock) == 0;
	return size <= w->resolver->small || w->has_large_lock;
}

static void count_large(struct worker *w, size_t size)
{
	if (size <= w->resolver->small)
		return;
	if (!w->has_large_lock)
		pthread_mutex_lock(&w->resolver->large_lock);
	w->has_large_lock = true;
	w->large_count++;
}

static void unlock_large(struct worker *w)
{
	if (w->has_large_lock && w->large_count == 0) {
		w->has_large_lock = false;
		pthread_mutex_unlock(&w->resolver->large_lock);
	}
}

static void uncount(struct worker *w, size_t size)
{
	atomic_fetch_sub_explicit(&w->resolver->used, size, memory_order_relaxed);
	if (size > w->resolver->small) {
		w->large_count--;
		unlock_large(w);
	}
}

/* There is one byte at least. */
unsigned char *blocksha_git_resolve_allocate_data(struct worker *w, size_t size)
{
	unsigned char *data;

	count_large(w, size);
	data = make_room(w, size) ? take_spare(w, size) : NULL;
	if (data == NULL && !blocksha_git_resolve_is_stopped(w))
		data = blocksha_git_resolve_allocate(w, size + (size == 0));
	atomic_fetch_add_explicit(&w->resolver->used, size, memory_order_relaxed);
	if (data == NULL)
		uncount(w, size);
	return data;
}

void blocksha_git_resolve_free_data(struct worker *w, unsigned char *data, size_t size)
{
	if (data == NULL)
		return;
	free_or_spare(w, data, size);
	uncount(w, size);
}

struct base *blocksha_git_resolve_create(struct worker *w, uint32_t entry, size_t size)
{
	struct base *base = blocksha_git_resolve_allocate(w, sizeof(*base));

	if (base == NULL)
		return NULL;
	atomic_init(&base->references, 1);
	base->entry = entry;
	base->size = size;
	base->data = NULL;
	return base;
}

/* --- The stack -------------------------------------------------------------------- */

bool blocksha_git_resolve_grow(struct worker *w, void *array, size_t *capacity, size_t count,
			       size_t size)
{
	void **pointer = array;
	size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
	void *grown;

	if (count < *capacity)
		return true;
	grown = realloc(*pointer, larger * size);
	if (grown == NULL) {
		blocksha_git_resolve_stop(w, "no memory");
		return false;
	}
	*pointer = grown;
	*capacity = larger;
	return true;
}

bool blocksha_git_resolve_push(struct worker *w, struct base *base, const uint32_t *begin,
			       const uint32_t *end)
{
	void *frames = w->frames;

	if (begin == end)
		return true;
	if (!blocksha_git_resolve_grow(w, &frames, &w->frame_capacity, w->frame_count,
				       sizeof(*w->frames)))
		return false;
	w->frames = frames;
	blocksha_git_resolve_hold(base);
	w->frames[w->frame_count++] = (struct frame){base, begin, end};
	return true;
}

void blocksha_git_resolve_give_up(struct worker *w)
{
	for (unsigned i = 0; i < w->batch_count; i++)
		blocksha_git_resolve_release(w, w->batch[i]);
	w->batch_count = 0;
	w->next_root = w->end_root;
	while (w->frame_count > 0)
		blocksha_git_resolve_release(w, w->frames[--w->frame_count].base);
	unlock_large(w);
}
