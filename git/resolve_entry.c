/* SPDX-License-Identifier: MIT */
/*
 * resolve_entry.c - from an entry of the pack to its object.
 */
#define _POSIX_C_SOURCE 200809L

#include "resolve.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "delta.h"

/* --- Findings --------------------------------------------------------------------- */

static void mark_failed(struct worker *w, uint32_t entry, enum blocksha_git_kind kind)
{
	w->pack->entries[entry].flags |=
		GIT_ENTRY_FAILED | (kind == BLOCKSHA_GIT_LIMIT ? GIT_ENTRY_LIMIT : 0);
}

static void fail(struct worker *w, uint32_t entry, enum blocksha_git_kind kind, const char *text)
{
	mark_failed(w, entry, kind);
	blocksha_git_report_add(w->pack->report, kind, blocksha_git_pack_place(w->pack, entry),
				NULL, NULL, "%s", text);
}

static void fail_numbers(struct worker *w, uint32_t entry, enum blocksha_git_kind kind,
			 uint64_t expected, uint64_t found, const char *text)
{
	mark_failed(w, entry, kind);
	blocksha_git_report_numbers(w->pack->report, kind, blocksha_git_pack_place(w->pack, entry),
				    expected, found, text);
}

/* What inflating an entry came to; true when it is good. */
static bool judge(struct worker *w, uint32_t entry, enum git_inflated inflated)
{
	switch (inflated) {
	case GIT_INFLATED:
		return true;
	case GIT_INFLATE_UNREADABLE:
		w->pack->entries[entry].flags |= GIT_ENTRY_FAILED;
		blocksha_git_resolve_stop(w, NULL);
		return false;
	case GIT_INFLATE_NO_MEMORY:
		w->pack->entries[entry].flags |= GIT_ENTRY_FAILED;
		blocksha_git_resolve_stop(w, blocksha_git_inflate_text(inflated));
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

/* --- Reading entries -------------------------------------------------------------- */

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
		w->delta = blocksha_git_resolve_allocate(w, size + 1);
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

/* --- Objects that are no deltas --------------------------------------------------- */

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
	blocksha_git_resolve_begin_name(w, &naming.naming, entry, e->size);
	if (!judge(w, entry,
		   blocksha_git_inflate_stream(w->inflater, &stream, &used, pack->report)))
		return;
	check_end(w, entry, used);
	e->crc = naming.crc;
	e->flags |= GIT_ENTRY_HAS_CRC;
	blocksha_git_resolve_end_name(w, &naming.naming, entry);
	atomic_fetch_add_explicit(&w->resolver->done, git_pack_entry_end(pack, entry) - e->offset,
				  memory_order_relaxed);
}

/* Which names REF deltas have as their base is not known before the objects are named. */
static bool may_have_deltas(const struct git_pack *pack, uint32_t entry)
{
	return pack->base_name_count > 0 ||
	       pack->child_begin[entry] != pack->child_begin[entry + 1];
}

void blocksha_git_resolve_root(struct worker *w, uint32_t entry)
{
	struct git_entry *e = &w->pack->entries[entry];
	uint64_t packed = git_pack_entry_end(w->pack, entry) - e->offset;
	struct base *base;

	if (!is_allowed(w, entry, e->size))
		return;
	if (e->size > w->resolver->largest || packed > w->resolver->largest ||
	    !blocksha_git_inflate_is_possible(packed, e->size) ||
	    (!may_have_deltas(w->pack, entry) && !blocksha_git_resolve_is_free(w, e->size))) {
		stream_root(w, entry);
		return;
	}
	base = blocksha_git_resolve_create(w, entry, (size_t)e->size);
	if (base == NULL)
		return;
	base->data = blocksha_git_resolve_allocate_data(w, base->size);
	if (base->data != NULL && inflate_entry(w, entry, base->data, false))
		blocksha_git_resolve_finish(w, base);
	blocksha_git_resolve_release(w, base);
}

/* --- Deltas ----------------------------------------------------------------------- */

/* The data of an object once more, from its root. */
static unsigned char *rebuild(struct worker *w, uint32_t entry, size_t *size)
{
	const struct git_entry *entries = w->pack->entries;
	unsigned char *data;
	void *chain = w->chain;
	size_t length = 0;

	while (git_entry_is_delta(&entries[entry])) {
		if (!blocksha_git_resolve_grow(w, &chain, &w->chain_capacity, length,
					       sizeof(*w->chain)))
			return NULL;
		w->chain = chain;
		w->chain[length++] = entry;
		entry = entries[entry].parent;
	}
	*size = (size_t)entries[entry].size;
	data = blocksha_git_resolve_allocate_data(w, *size);
	if (data != NULL && !inflate_entry(w, entry, data, true)) {
		blocksha_git_resolve_free_data(w, data, *size);
		data = NULL;
	}
	while (data != NULL && length > 0) {
		struct git_delta delta = {0};
		unsigned char *result = NULL;

		if (get_delta(w, w->chain[--length], *size, true, &delta))
			result = blocksha_git_resolve_allocate_data(w, (size_t)delta.result_size);
		if (result != NULL)
			blocksha_git_delta_apply(&delta, data, result);
		blocksha_git_resolve_free_data(w, data, *size);
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

	blocksha_git_resolve_begin_name(w, &stream.naming, entry, delta->result_size);
	blocksha_git_delta_pieces(delta, base->data, take_inflated, &stream);
	blocksha_git_resolve_end_name(w, &stream.naming, entry);
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
	result = blocksha_git_resolve_create(w, entry, (size_t)delta.result_size);
	if (result == NULL)
		return;
	result->data = blocksha_git_resolve_allocate_data(w, result->size);
	if (result->data != NULL) {
		blocksha_git_delta_apply(&delta, base->data, result->data);
		blocksha_git_resolve_finish(w, result);
	}
	blocksha_git_resolve_release(w, result);
}

/* The next delta of the frame on top. */
void blocksha_git_resolve_step(struct worker *w)
{
	struct frame *top = &w->frames[w->frame_count - 1];
	struct base *base = top->base;
	uint32_t entry = *top->next++;

	/* The frame's own reference becomes ours with its last delta. */
	if (top->next == top->end)
		w->frame_count--;
	else
		blocksha_git_resolve_hold(base);
	if (has_data(w, base) && (w->pack->entries[entry].flags & GIT_ENTRY_FAILED) == 0)
		resolve_delta(w, entry, base);
	blocksha_git_resolve_release(w, base);
}
