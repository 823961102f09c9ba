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

#include "pack.h"

#include <libdeflate.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "delta.h"
#include "inflate.h"
#include "options.h"
#include "syntax.h"
#include "window.h"

/* A batch is hashed when it has so many objects or bytes: enough for all lanes of any kernel,
   several times over, and no more than stays in the second level cache. */
#define BATCH_COUNT 256u
#define BATCH_BYTES ((size_t)2 * 1024 * 1024)

/* So many bytes are read at once: neighbours in the pack are often neighbours in a tree, too. */
#define ENTRY_WINDOW ((size_t)8 * 1024)

/* Roots that a thread takes at once. */
#define ROOTS 16u
#define ROOTS_BYTES (64u * 1024u)

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

/* --- Findings --------------------------------------------------------------------------- */

static void fail(struct worker *w, uint32_t entry, enum blocksha_git_kind kind, const char *text)
{
	w->pack->entries[entry].flags |= GIT_ENTRY_FAILED;
	blocksha_git_report_add(w->pack->report, kind, blocksha_git_pack_place(w->pack, entry),
				NULL, NULL, "%s", text);
}

static void fail_numbers(struct worker *w, uint32_t entry, enum blocksha_git_kind kind,
			 uint64_t expected, uint64_t found, const char *text)
{
	w->pack->entries[entry].flags |= GIT_ENTRY_FAILED;
	blocksha_git_report_numbers(w->pack->report, kind, blocksha_git_pack_place(w->pack, entry),
				    expected, found, text);
}

static void stop(struct worker *w, const char *text)
{
	if (!atomic_exchange(&w->resolver->stopped, true) && text != NULL)
		blocksha_git_report_add(w->pack->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL,
					NULL, "%s", text);
}

static bool is_stopped(struct worker *w)
{
	return atomic_load_explicit(&w->resolver->stopped, memory_order_relaxed);
}

/* What inflating an entry came to; true when it is good. */
static bool judge(struct worker *w, uint32_t entry, enum git_inflated inflated)
{
	switch (inflated) {
	case GIT_INFLATED:
		return true;
	case GIT_INFLATE_UNREADABLE:
		w->pack->entries[entry].flags |= GIT_ENTRY_FAILED;
		stop(w, NULL);
		return false;
	case GIT_INFLATE_NO_MEMORY:
		w->pack->entries[entry].flags |= GIT_ENTRY_FAILED;
		stop(w, blocksha_git_inflate_text(inflated));
		return false;
	case GIT_INFLATE_BAD:
	case GIT_INFLATE_CUT:
	case GIT_INFLATE_LONG:
	case GIT_INFLATE_SHORT:
		break;
	}
	w->pack->entries[entry].flags |= GIT_ENTRY_CONTRADICTS;
	fail(w, entry, BLOCKSHA_GIT_DAMAGED, blocksha_git_inflate_text(inflated));
	return false;
}

/* The stream of an entry must end where the next entry begins. */
static void check_end(struct worker *w, uint32_t entry, uint64_t used)
{
	struct git_entry *e = &w->pack->entries[entry];
	uint64_t end = e->offset + e->header_size + used;

	if (end == git_pack_entry_end(w->pack, entry))
		return;
	e->flags |= GIT_ENTRY_CONTRADICTS;
	blocksha_git_report_numbers(w->pack->report, BLOCKSHA_GIT_MALFORMED,
				    blocksha_git_pack_place(w->pack, entry),
				    git_pack_entry_end(w->pack, entry), end,
				    "bytes between the end of the object and the next one");
}

/* --- Objects in memory ------------------------------------------------------------------- */

static void *allocate(struct worker *w, size_t size)
{
	void *memory = malloc(size);

	if (memory == NULL)
		stop(w, "no memory");
	return memory;
}

static void drop(struct worker *w, struct base *base)
{
	if (base->data == NULL)
		return;
	free(base->data);
	base->data = NULL;
	atomic_fetch_sub_explicit(&w->resolver->used, base->size, memory_order_relaxed);
}

static void hold(struct base *base)
{
	atomic_fetch_add_explicit(&base->references, 1, memory_order_relaxed);
}

static void release(struct worker *w, struct base *base)
{
	if (atomic_fetch_sub_explicit(&base->references, 1, memory_order_acq_rel) != 1)
		return;
	drop(w, base);
	free(base);
}

static bool flush(struct worker *w);

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
	if (!flush(w))
		return false;
	for (size_t i = 0; i < w->frame_count && too_much(w, size); i++)
		if (atomic_load_explicit(&w->frames[i].base->references, memory_order_acquire) == 1)
			drop(w, w->frames[i].base);
	return true;
}

/* Memory for size bytes of an object, counted. There is one byte at least. */
static unsigned char *allocate_data(struct worker *w, size_t size)
{
	unsigned char *data;

	if (!make_room(w, size))
		return NULL;
	data = allocate(w, size + (size == 0));
	if (data != NULL)
		atomic_fetch_add_explicit(&w->resolver->used, size, memory_order_relaxed);
	return data;
}

static void free_data(struct worker *w, unsigned char *data, size_t size)
{
	if (data == NULL)
		return;
	free(data);
	atomic_fetch_sub_explicit(&w->resolver->used, size, memory_order_relaxed);
}

/* --- Reading entries ------------------------------------------------------------------------ */

/* Inflates an entry into out. again: it was read before, and nothing need be checked. */
static bool inflate_entry(struct worker *w, uint32_t entry, unsigned char *out, bool again)
{
	struct git_entry *e = &w->pack->entries[entry];
	size_t packed = (size_t)(git_pack_entry_end(w->pack, entry) - e->offset);
	const unsigned char *data;
	size_t got, used = 0;

	data = blocksha_git_window_get(&w->window, e->offset, packed, &got, w->pack->report);
	if (data == NULL)
		return judge(w, entry, GIT_INFLATE_UNREADABLE);
	if (!again) {
		e->crc = libdeflate_crc32(0, data, packed);
		e->flags |= GIT_ENTRY_HAS_CRC;
		atomic_fetch_add_explicit(&w->resolver->done, packed, memory_order_relaxed);
	}
	if (!judge(w, entry,
		   blocksha_git_inflate(w->inflater, data + e->header_size, packed - e->header_size,
					out, (size_t)e->size, &used)))
		return false;
	if (!again)
		check_end(w, entry, used);
	return true;
}

/* Whether an entry can be taken into memory: false after a finding. */
static bool fits(struct worker *w, uint32_t entry)
{
	const struct git_entry *e = &w->pack->entries[entry];
	uint64_t packed = git_pack_entry_end(w->pack, entry) - e->offset;

	if (!blocksha_git_inflate_is_possible(packed, e->size)) {
		w->pack->entries[entry].flags |= GIT_ENTRY_CONTRADICTS;
		fail_numbers(w, entry, BLOCKSHA_GIT_MALFORMED, packed * 1032, e->size,
			     "declared size is more than its bytes can give");
		return false;
	}
	if (e->size > w->resolver->largest || packed > w->resolver->largest) {
		fail_numbers(w, entry, BLOCKSHA_GIT_LIMIT, w->resolver->largest,
			     e->size > packed ? e->size : packed,
			     "delta needs more memory than is allowed");
		return false;
	}
	return true;
}

static bool is_allowed(struct worker *w, uint32_t entry, uint64_t size)
{
	uint64_t limit = w->pack->options->max_object_size;

	if (limit == 0 || size <= limit)
		return true;
	fail_numbers(w, entry, BLOCKSHA_GIT_LIMIT, limit, size, "object is larger than is allowed");
	return false;
}

/* The delta of an entry, inflated into w->delta, and checked. */
static bool get_delta(struct worker *w, uint32_t entry, size_t base_size, bool again,
		      struct git_delta *delta)
{
	size_t size = (size_t)w->pack->entries[entry].size;
	const char *wrong;

	if (!fits(w, entry))
		return false;
	if (size + 1 > w->delta_capacity) {
		free(w->delta);
		w->delta_capacity = 0;
		w->delta = allocate(w, size + 1);
		if (w->delta == NULL)
			return false;
		w->delta_capacity = size + 1;
	}
	if (!inflate_entry(w, entry, w->delta, again))
		return false;
	wrong = blocksha_git_delta_check(delta, w->delta, size, base_size);
	if (wrong != NULL)
		fail(w, entry, BLOCKSHA_GIT_MALFORMED, wrong);
	return wrong == NULL;
}

/* --- The stack ------------------------------------------------------------------------------ */

static bool grow_array(struct worker *w, void *array, size_t *capacity, size_t count, size_t size)
{
	void **pointer = array;
	size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
	void *grown;

	if (count < *capacity)
		return true;
	grown = realloc(*pointer, larger * size);
	if (grown == NULL) {
		stop(w, "no memory");
		return false;
	}
	*pointer = grown;
	*capacity = larger;
	return true;
}

static bool push(struct worker *w, struct base *base, const uint32_t *begin, const uint32_t *end)
{
	void *frames = w->frames;

	if (begin == end)
		return true;
	if (!grow_array(w, &frames, &w->frame_capacity, w->frame_count, sizeof(*w->frames)))
		return false;
	w->frames = frames;
	hold(base);
	w->frames[w->frame_count++] = (struct frame){base, begin, end};
	return true;
}

/* The REF deltas on this name. One entry has them: of two of the same name, the first. */
static bool push_ref_children(struct worker *w, struct base *base)
{
	struct git_pack *pack = w->pack;
	const unsigned char *name = git_pack_name(pack, base->entry);
	uint32_t low = 0, high = pack->base_name_count, end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (memcmp(pack->base_names[middle].name, name, pack->name_size) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	end = low;
	while (end < pack->base_name_count &&
	       memcmp(pack->base_names[end].name, name, pack->name_size) == 0)
		end++;
	if (low == end || atomic_exchange(&w->resolver->base_name_taken[low], true))
		return true;
	return push(w, base, &pack->ref_children[low], &pack->ref_children[end]);
}

/* --- Names ------------------------------------------------------------------------------------ */

static void set_name(struct worker *w, uint32_t entry, const unsigned char *name,
		     const struct blocksha_attack *attack)
{
	struct git_pack *pack = w->pack;

	memcpy(git_pack_name(pack, entry), name, pack->name_size);
	pack->entries[entry].flags |= GIT_ENTRY_NAMED;
	if (attack->blocks != 0)
		blocksha_git_report_attack(
			pack->report, git_object_at(pack->entries[entry].offset, name), attack);
}

static void check_syntax(struct worker *w, const struct base *base)
{
	const struct git_entry *e = &w->pack->entries[base->entry];

	if (w->pack->options->tier == BLOCKSHA_GIT_SYNTAX)
		blocksha_git_report_syntax(
			w->pack->report,
			git_object_at(e->offset, git_pack_name(w->pack, base->entry)),
			(enum blocksha_git_type)e->object_type, base->data, base->size);
}

/* The longest first: then no lane works alone on a long one at the end. */
static int compare_sizes(const void *left, const void *right)
{
	const struct base *a = *(struct base *const *)left, *b = *(struct base *const *)right;

	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return a->entry < b->entry ? -1 : 1;
}

static void make_message(struct worker *w, unsigned i)
{
	const struct base *base = w->batch[i];
	enum blocksha_git_type type =
		(enum blocksha_git_type)w->pack->entries[base->entry].object_type;

	w->pieces[i][0].data = w->headers[i];
	w->pieces[i][0].size = blocksha_git_header(w->headers[i], type, base->size);
	w->pieces[i][1].data = base->data;
	w->pieces[i][1].size = base->size;
	w->messages[i].pieces = w->pieces[i];
	w->messages[i].count = 2;
}

/* Names what is in the batch. */
static bool flush(struct worker *w)
{
	struct git_pack *pack = w->pack;
	unsigned count = w->batch_count;
	bool pushed = true;

	w->batch_count = 0;
	w->batch_bytes = 0;
	if (count == 0)
		return true;
	qsort(w->batch, count, sizeof(struct base *), compare_sizes);
	for (unsigned i = 0; i < count; i++)
		make_message(w, i);
	blocksha_git_name_many(pack->format, w->messages, count, w->names, w->attacks);
	for (unsigned i = 0; i < count; i++) {
		set_name(w, w->batch[i]->entry, w->names + i * pack->name_size, &w->attacks[i]);
		check_syntax(w, w->batch[i]);
		if (pushed && pack->base_name_count > 0)
			pushed = push_ref_children(w, w->batch[i]);
		release(w, w->batch[i]);
	}
	return pushed;
}

static void add_to_batch(struct worker *w, struct base *base)
{
	hold(base);
	w->batch[w->batch_count++] = base;
	w->batch_bytes += base->size;
}

/* An object is there: it is to be named, and its deltas can be resolved. */
static bool finish_object(struct worker *w, struct base *base)
{
	const struct git_pack *pack = w->pack;

	add_to_batch(w, base);
	if (!push(w, base, &pack->children[pack->child_begin[base->entry]],
		  &pack->children[pack->child_begin[base->entry + 1]]))
		return false;
	if (w->batch_count == BATCH_COUNT || w->batch_bytes >= BATCH_BYTES)
		return flush(w);
	return true;
}

/* --- Objects that are no deltas ------------------------------------------------------------- */

struct naming_stream {
	struct blocksha_git_naming naming;
	uint32_t crc;
};

static void take_inflated(void *context, const unsigned char *data, size_t size)
{
	struct naming_stream *stream = context;

	blocksha_git_naming_update(&stream->naming, data, size);
}

static void take_packed(void *context, const unsigned char *data, size_t size)
{
	struct naming_stream *stream = context;

	stream->crc = libdeflate_crc32(stream->crc, data, size);
}

static void begin_naming(struct blocksha_git_naming *naming, const struct git_pack *pack,
			 unsigned type, uint64_t size)
{
	char header[BLOCKSHA_GIT_HEADER_SIZE];
	size_t header_size = blocksha_git_header(header, (enum blocksha_git_type)type, size);

	blocksha_git_naming_init(naming, pack->format, header, header_size);
}

static void end_naming(struct worker *w, struct blocksha_git_naming *naming, uint32_t entry)
{
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	struct blocksha_attack attack;

	blocksha_git_naming_final(naming, name, &attack);
	set_name(w, entry, name, &attack);
	if (w->pack->options->tier == BLOCKSHA_GIT_SYNTAX &&
	    w->pack->entries[entry].object_type != BLOCKSHA_GIT_BLOB)
		blocksha_git_report_add(
			w->pack->report, BLOCKSHA_GIT_LIMIT,
			git_object_at(w->pack->entries[entry].offset, name), NULL, NULL,
			"too large for the memory that is allowed: its inside was not checked");
}

/* Names an object that is too large to be kept; its deltas cannot be resolved. */
static void stream_root(struct worker *w, uint32_t entry)
{
	struct git_pack *pack = w->pack;
	struct git_entry *e = &pack->entries[entry];
	struct naming_stream naming = {.crc = 0};
	struct git_stream stream = {pack->file,
				    e->offset + e->header_size,
				    git_pack_entry_end(pack, entry),
				    e->size,
				    take_inflated,
				    take_packed,
				    &naming};
	unsigned char header[2 * BLOCKSHA_GIT_MAX_NAME_SIZE];
	uint64_t used;

	if (!blocksha_git_file_read(pack->file, header, e->header_size, e->offset, pack->report)) {
		judge(w, entry, GIT_INFLATE_UNREADABLE);
		return;
	}
	naming.crc = libdeflate_crc32(0, header, e->header_size);
	begin_naming(&naming.naming, pack, e->type, e->size);
	if (!judge(w, entry,
		   blocksha_git_inflate_stream(w->inflater, &stream, &used, pack->report)))
		return;
	check_end(w, entry, used);
	e->crc = naming.crc;
	e->flags |= GIT_ENTRY_HAS_CRC;
	end_naming(w, &naming.naming, entry);
	atomic_fetch_add_explicit(&w->resolver->done, git_pack_entry_end(pack, entry) - e->offset,
				  memory_order_relaxed);
}

/* A base without data, held by the caller. */
static struct base *create_base(struct worker *w, uint32_t entry, size_t size)
{
	struct base *base = allocate(w, sizeof(*base));

	if (base == NULL)
		return NULL;
	atomic_init(&base->references, 1);
	base->entry = entry;
	base->size = size;
	base->data = NULL;
	return base;
}

static void resolve_root(struct worker *w, uint32_t entry)
{
	struct git_entry *e = &w->pack->entries[entry];
	uint64_t packed = git_pack_entry_end(w->pack, entry) - e->offset;
	struct base *base;

	if (!is_allowed(w, entry, e->size))
		return;
	if (e->size > w->resolver->largest || packed > w->resolver->largest ||
	    !blocksha_git_inflate_is_possible(packed, e->size)) {
		stream_root(w, entry);
		return;
	}
	base = create_base(w, entry, (size_t)e->size);
	if (base == NULL)
		return;
	base->data = allocate_data(w, base->size);
	if (base->data != NULL && inflate_entry(w, entry, base->data, false))
		finish_object(w, base);
	release(w, base);
}

/* --- Deltas ----------------------------------------------------------------------------------- */

/* The data of an object once more, from its root. */
static unsigned char *rebuild(struct worker *w, uint32_t entry, size_t *size)
{
	const struct git_entry *entries = w->pack->entries;
	unsigned char *data;
	void *chain = w->chain;
	size_t length = 0;

	while (git_entry_is_delta(&entries[entry])) {
		if (!grow_array(w, &chain, &w->chain_capacity, length, sizeof(*w->chain)))
			return NULL;
		w->chain = chain;
		w->chain[length++] = entry;
		entry = entries[entry].parent;
	}
	*size = (size_t)entries[entry].size;
	data = allocate_data(w, *size);
	if (data != NULL && !inflate_entry(w, entry, data, true)) {
		free_data(w, data, *size);
		data = NULL;
	}
	while (data != NULL && length > 0) {
		struct git_delta delta = {0};
		unsigned char *result = NULL;

		if (get_delta(w, w->chain[--length], *size, true, &delta))
			result = allocate_data(w, (size_t)delta.result_size);
		if (result != NULL)
			blocksha_git_delta_apply(&delta, data, result);
		free_data(w, data, *size);
		data = result;
		*size = (size_t)delta.result_size;
	}
	return data;
}

static bool has_data(struct worker *w, struct base *base)
{
	size_t size;

	if (base->data == NULL)
		base->data = rebuild(w, base->entry, &size);
	return base->data != NULL;
}

/* Names the result of a delta that is too large to be kept. */
static void stream_delta(struct worker *w, uint32_t entry, const struct base *base,
			 const struct git_delta *delta)
{
	struct naming_stream stream;

	begin_naming(&stream.naming, w->pack, w->pack->entries[entry].object_type,
		     delta->result_size);
	blocksha_git_delta_pieces(delta, base->data, take_inflated, &stream);
	end_naming(w, &stream.naming, entry);
}

static void resolve_delta(struct worker *w, uint32_t entry, struct base *base)
{
	struct git_entry *e = &w->pack->entries[entry];
	const struct git_entry *parent = &w->pack->entries[base->entry];
	struct base *result;
	struct git_delta delta;

	e->parent = base->entry;
	e->depth = parent->depth + 1;
	e->object_type = parent->object_type;
	if (!get_delta(w, entry, base->size, false, &delta) ||
	    !is_allowed(w, entry, delta.result_size))
		return;
	if (delta.result_size > w->resolver->largest) {
		stream_delta(w, entry, base, &delta);
		return;
	}
	result = create_base(w, entry, (size_t)delta.result_size);
	if (result == NULL)
		return;
	result->data = allocate_data(w, result->size);
	if (result->data != NULL) {
		blocksha_git_delta_apply(&delta, base->data, result->data);
		finish_object(w, result);
	}
	release(w, result);
}

/* The next delta of the frame on top. */
static void step(struct worker *w)
{
	struct frame *top = &w->frames[w->frame_count - 1];
	struct base *base = top->base;
	uint32_t entry = *top->next++;

	/* The frame's own reference becomes ours with its last delta. */
	if (top->next == top->end)
		w->frame_count--;
	else
		hold(base);
	if (has_data(w, base) && (w->pack->entries[entry].flags & GIT_ENTRY_FAILED) == 0)
		resolve_delta(w, entry, base);
	release(w, base);
}

/* --- Sharing the work ---------------------------------------------------------------------------
 */

/* A frame that another thread can have. False: there is none to spare. */
static bool spare_frame(struct worker *w, struct frame *frame)
{
	struct frame *bottom = w->frames;
	size_t rest = (size_t)(bottom->end - bottom->next);

	if (w->frame_count > 1) {
		*frame = *bottom;
		memmove(bottom, bottom + 1, --w->frame_count * sizeof(*bottom));
		return true;
	}
	if (rest < 2)
		return false;
	*frame = (struct frame){bottom->base, bottom->next + rest / 2, bottom->end};
	/* Two threads must not rebuild the same object. */
	if (bottom->base->data == NULL)
		frame->base = create_base(w, bottom->base->entry, bottom->base->size);
	else
		hold(bottom->base);
	if (frame->base == NULL)
		return false;
	bottom->end = frame->next;
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
		push(w, frame.base, frame.next, frame.end);
		release(w, frame.base);
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

static void give_up(struct worker *w)
{
	for (unsigned i = 0; i < w->batch_count; i++)
		release(w, w->batch[i]);
	w->batch_count = 0;
	w->next_root = w->end_root;
	while (w->frame_count > 0)
		release(w, w->frames[--w->frame_count].base);
}

static void *run(void *argument)
{
	struct worker *w = argument;
	unsigned steps = 0;

	if (w->checks_trailer && !blocksha_git_pack_compute_checksum(w->pack))
		stop(w, NULL);
	for (;;) {
		if (is_stopped(w))
			give_up(w);
		if (++steps % 256 == 0)
			tell_progress(w);
		if (w->frame_count > 0) {
			if (atomic_load_explicit(&w->resolver->hungry, memory_order_relaxed) > 0)
				give(w);
			if (w->frame_count > 0)
				step(w);
		} else if (w->next_root < w->end_root) {
			resolve_root(w, w->resolver->roots[w->next_root++]);
		} else if (is_stopped(w) || !take_roots(w)) {
			if (w->batch_count > 0)
				flush(w);
			else if (!take(w))
				break;
		}
	}
	tell_progress(w);
	return NULL;
}

/* --- Threads
 * --------------------------------------------------------------------------------------- */

static void end_worker(struct worker *w)
{
	give_up(w);
	blocksha_git_inflater_destroy(w->inflater);
	blocksha_git_window_end(&w->window);
	free(w->delta);
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

	/* Each thread works on a base and a result. */
	r.largest = r.memory / (2 * (uint64_t)jobs);
	if (r.largest > SIZE_MAX / 2)
		r.largest = SIZE_MAX / 2;
	pthread_mutex_init(&r.lock, NULL);
	pthread_cond_init(&r.change, NULL);
	r.queue = calloc(jobs, sizeof(*r.queue));
	r.base_name_taken = calloc((size_t)pack->base_name_count + 1, sizeof(*r.base_name_taken));
	done = r.queue != NULL && r.base_name_taken != NULL && find_roots(&r) &&
	       run_workers(&r, jobs);
	if (!done)
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
	for (unsigned i = 0; i < r.queued; i++) {
		free(r.queue[i].base->data);
		free(r.queue[i].base);
	}
	free(r.queue);
	free(r.base_name_taken);
	free(r.roots);
	pthread_cond_destroy(&r.change);
	pthread_mutex_destroy(&r.lock);
	return done && !atomic_load(&r.stopped);
}
