/* SPDX-License-Identifier: MIT */
/*
 * resolve.h - the threads that inflate and name the objects of a pack (pack_resolve.c says how),
 * and what each of them does: objects in memory and the stack (resolve_memory.c), names
 * (resolve_name.c), entries (resolve_entry.c).
 *
 * Functions that return bool return false when the object at hand cannot be gone on with; there is
 * a finding then.
 */
#ifndef BLOCKSHA_GIT_RESOLVE_H
#define BLOCKSHA_GIT_RESOLVE_H

#include <pthread.h>
#include <stdatomic.h>

#include "inflate.h"
#include "pack.h"
#include "window.h"

/* A batch is hashed when it has so many objects or bytes: enough for all lanes of any kernel,
   several times over, and no more than stays in the second level cache. */
#define BATCH_COUNT 256u
#define BATCH_BYTES ((size_t)2 * 1024 * 1024)

/* An object, while something needs it. */
struct base {
	atomic_uint references; /* frames, batches, and functions at work on it */
	uint32_t entry;
	size_t size;
	unsigned char *data; /* NULL: dropped. Changed only by the owner of the only reference */
};

struct frame {
	struct base *base;
	const uint32_t *next, *end; /* deltas */
};

struct resolver {
	struct git_pack *pack;
	uint64_t memory;  /* for the data of objects, in bytes */
	uint64_t largest; /* objects above this are not kept in memory */
	uint64_t small;   /* those above this only by the one thread that has the lock */
	pthread_mutex_t large_lock;
	unsigned workers;
	uint32_t *roots;
	uint32_t root_count;
	atomic_uint next_root;
	atomic_bool *base_name_taken; /* its REF deltas are on a stack, or were */
	atomic_uint_fast64_t used;    /* of the memory */
	atomic_uint_fast64_t done;    /* bytes of the pack */
	atomic_uint hungry;           /* threads that wait for frames which nobody has given yet */
	atomic_bool stopped;          /* no memory, or unreadable */
	pthread_mutex_t lock;         /* of what follows */
	pthread_cond_t change;
	unsigned idle;
	bool finished;
	struct frame *queue; /* given away; one for each thread at most */
	unsigned queued;
};

struct worker {
	struct resolver *resolver;
	struct git_pack *pack;
	pthread_t thread;
	bool checks_trailer, reports_progress;
	struct git_inflater *inflater;
	struct git_window window;
	unsigned char *delta; /* an inflated delta */
	size_t delta_capacity;
	bool has_large_lock;
	unsigned large_count; /* objects that are not small and that this thread has in memory */
	unsigned char *spare; /* memory of a large object that is no longer needed, or NULL */
	size_t spare_capacity;
	struct frame *frames; /* the stack */
	size_t frame_count, frame_capacity;
	uint32_t next_root, end_root; /* its share of the resolver's roots */
	uint32_t *chain;              /* entries from one to its root */
	size_t chain_capacity;

	struct base *batch[BATCH_COUNT];
	char headers[BATCH_COUNT][BLOCKSHA_GIT_HEADER_SIZE];
	struct blocksha_piece pieces[BATCH_COUNT][2];
	struct blocksha_message messages[BATCH_COUNT];
	struct blocksha_attack attacks[BATCH_COUNT];
	unsigned char names[BATCH_COUNT * BLOCKSHA_GIT_MAX_NAME_SIZE];
	unsigned batch_count;
	size_t batch_bytes;
};

/* --- Objects in memory, and the stack (resolve_memory.c) -------------------------- */

/* Ends the work of all threads. text: why, or NULL when there is a finding already. */
void blocksha_git_resolve_stop(struct worker *w, const char *text);
bool blocksha_git_resolve_is_stopped(struct worker *w);

/* Memory, or NULL after stopping. */
void *blocksha_git_resolve_allocate(struct worker *w, size_t size);

/* Makes room for one more element behind count. *array may move. */
bool blocksha_git_resolve_grow(struct worker *w, void *array, size_t *capacity, size_t count,
			       size_t size);

/* Data of an object, counted; first what was on the stack for the longest time is dropped, until
   that is allowed. NULL: no memory. */
unsigned char *blocksha_git_resolve_allocate_data(struct worker *w, size_t size);
void blocksha_git_resolve_free_data(struct worker *w, unsigned char *data, size_t size);

/* Whether data of this size can be had without waiting for another thread. */
bool blocksha_git_resolve_is_free(struct worker *w, uint64_t size);

/* A base without data, held once; NULL: no memory. */
struct base *blocksha_git_resolve_create(struct worker *w, uint32_t entry, size_t size);
void blocksha_git_resolve_hold(struct base *base);
void blocksha_git_resolve_release(struct worker *w, struct base *base);

/* Puts deltas of a base on the stack; none is allowed. */
bool blocksha_git_resolve_push(struct worker *w, struct base *base, const uint32_t *begin,
			       const uint32_t *end);

/* Empties stack and batch. */
void blocksha_git_resolve_give_up(struct worker *w);

/* --- Names (resolve_name.c) ------------------------------------------------------- */

/* An object is there: it is to be named, and its deltas can be resolved. */
bool blocksha_git_resolve_finish(struct worker *w, struct base *base);

/* Names what is in the batch. */
bool blocksha_git_resolve_flush(struct worker *w);

/* The same for an object that comes in pieces. */
void blocksha_git_resolve_begin_name(struct worker *w, struct blocksha_git_naming *naming,
				     uint32_t entry, uint64_t size);
void blocksha_git_resolve_end_name(struct worker *w, struct blocksha_git_naming *naming,
				   uint32_t entry);

/* --- Entries (resolve_entry.c) ---------------------------------------------------- */

/* An object that is no delta. */
void blocksha_git_resolve_root(struct worker *w, uint32_t entry);

/* The next delta of the frame on top. */
void blocksha_git_resolve_step(struct worker *w);

#endif
