/* SPDX-License-Identifier: MIT */
/*
 * resolve_name.c - names of objects, many side by side; and what a name makes possible: that the
 * REF deltas that have it as their base go on the stack.
 */
#define _POSIX_C_SOURCE 200809L

#include "resolve.h"

#include <string.h>

#include "syntax.h"

/* Bits of a size_t, at most. */
#define MAGNITUDES 64u

/* The REF deltas on a name: from *begin to before *end in the sorted base names. */
static void find_ref_children(const struct git_pack *pack, const unsigned char *name,
			      uint32_t *begin, uint32_t *end)
{
	uint32_t low = 0, high = pack->base_name_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (memcmp(pack->base_names[middle].name, name, pack->name_size) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*begin = low;
	while (low < pack->base_name_count &&
	       memcmp(pack->base_names[low].name, name, pack->name_size) == 0)
		low++;
	*end = low;
}

/* One entry has the REF deltas on its name: of two of the same name, the first. */
static bool push_ref_children(struct worker *w, struct base *base)
{
	const struct git_pack *pack = w->pack;
	uint32_t begin, end;

	find_ref_children(pack, git_pack_name(pack, base->entry), &begin, &end);
	if (begin == end || atomic_exchange(&w->resolver->base_name_taken[begin], true))
		return true;
	return blocksha_git_resolve_push(w, base, &pack->ref_children[begin],
					 &pack->ref_children[end]);
}

/* The REF deltas of an object that is not kept learn at least on what they are based. */
static void tell_ref_children(struct worker *w, uint32_t entry)
{
	const struct git_pack *pack = w->pack;
	uint32_t begin, end;

	find_ref_children(pack, git_pack_name(pack, entry), &begin, &end);
	if (begin == end || atomic_exchange(&w->resolver->base_name_taken[begin], true))
		return;
	for (uint32_t i = begin; i < end; i++)
		pack->entries[pack->ref_children[i]].parent = entry;
}

/* --- Names ------------------------------------------------------------------------ */

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

/* The number of bits of a size. */
static unsigned magnitude(size_t size)
{
	unsigned bits = 0;

	for (; size != 0; size >>= 1)
		bits++;
	return bits;
}

/* The longest first: then no lane works alone on a long one at the end. Sizes of one magnitude stay
   in their order. */
static void sort_batch(struct worker *w)
{
	struct base *sorted[BATCH_COUNT] = {NULL};
	unsigned begin[MAGNITUDES + 1] = {0};

	for (unsigned i = 0; i < w->batch_count; i++)
		begin[MAGNITUDES - magnitude(w->batch[i]->size)]++;
	for (unsigned i = 0; i < MAGNITUDES; i++)
		begin[i + 1] += begin[i];
	for (unsigned i = w->batch_count; i-- > 0;)
		sorted[--begin[MAGNITUDES - magnitude(w->batch[i]->size)]] = w->batch[i];
	for (unsigned i = 0; i < w->batch_count; i++)
		w->batch[i] = sorted[i];
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
bool blocksha_git_resolve_flush(struct worker *w)
{
	struct git_pack *pack = w->pack;
	unsigned count = w->batch_count;
	bool pushed = true;

	if (count == 0)
		return true;
	sort_batch(w);
	w->batch_count = 0;
	w->batch_bytes = 0;
	for (unsigned i = 0; i < count; i++)
		make_message(w, i);
	blocksha_git_name_many(pack->format, w->messages, count, w->names, w->attacks);
	for (unsigned i = 0; i < count; i++) {
		set_name(w, w->batch[i]->entry, w->names + i * pack->name_size, &w->attacks[i]);
		check_syntax(w, w->batch[i]);
		if (pushed && pack->base_name_count > 0)
			pushed = push_ref_children(w, w->batch[i]);
		blocksha_git_resolve_release(w, w->batch[i]);
	}
	return pushed;
}

static void add_to_batch(struct worker *w, struct base *base)
{
	blocksha_git_resolve_hold(base);
	w->batch[w->batch_count++] = base;
	w->batch_bytes += base->size;
}

/* An object is there: it is to be named, and its deltas can be resolved. */
bool blocksha_git_resolve_finish(struct worker *w, struct base *base)
{
	const struct git_pack *pack = w->pack;

	add_to_batch(w, base);
	if (!blocksha_git_resolve_push(w, base, &pack->children[pack->child_begin[base->entry]],
				       &pack->children[pack->child_begin[base->entry + 1]]))
		return false;
	if (w->batch_count == BATCH_COUNT || w->batch_bytes >= BATCH_BYTES)
		return blocksha_git_resolve_flush(w);
	return true;
}

/* --- Objects in pieces ------------------------------------------------------------ */

void blocksha_git_resolve_begin_name(struct worker *w, struct blocksha_git_naming *naming,
				     uint32_t entry, uint64_t size)
{
	char header[BLOCKSHA_GIT_HEADER_SIZE];
	size_t header_size = blocksha_git_header(
		header, (enum blocksha_git_type)w->pack->entries[entry].object_type, size);

	blocksha_git_naming_init(naming, w->pack->format, header, header_size);
}

void blocksha_git_resolve_end_name(struct worker *w, struct blocksha_git_naming *naming,
				   uint32_t entry)
{
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	struct blocksha_attack attack;

	blocksha_git_naming_final(naming, name, &attack);
	set_name(w, entry, name, &attack);
	tell_ref_children(w, entry);
	if (w->pack->options->tier == BLOCKSHA_GIT_SYNTAX &&
	    w->pack->entries[entry].object_type != BLOCKSHA_GIT_BLOB)
		blocksha_git_report_add(
			w->pack->report, BLOCKSHA_GIT_LIMIT,
			git_object_at(w->pack->entries[entry].offset, name), NULL, NULL,
			"too large for the memory that is allowed: its inside was not checked");
}
