/* SPDX-License-Identifier: MIT */
/*
 * pack_compare.c - what was found in a pack against what its index says; and what was not found.
 */
#define _POSIX_C_SOURCE 200809L

#include "pack.h"

#include <stdlib.h>
#include <string.h>

#include "blocksha_byteorder.h"

/* --- Deltas without a base -------------------------------------------------------- */

static void report_ref(struct git_pack *pack, const struct git_base_name *base)
{
	struct git_entry *e = &pack->entries[base->entry];
	enum blocksha_git_kind kind = BLOCKSHA_GIT_MISSING;
	char hex[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];

	e->flags |= GIT_ENTRY_FAILED;
	blocksha_hex_encode(hex, base->name, pack->name_size);
	if (pack->idx != NULL && blocksha_git_idx_find(pack->idx, base->name) != GIT_NO_ENTRY) {
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_MALFORMED,
					blocksha_git_pack_place(pack, base->entry), NULL, NULL,
					"unresolved delta: its base %s is damaged or depends on it",
					hex);
		return;
	}
	if (pack->promisor)
		kind = BLOCKSHA_GIT_NOTE;
	e->flags |= GIT_ENTRY_MISSING;
	blocksha_git_report_add(pack->report, kind, git_object_at(e->offset, base->name), NULL,
				NULL, "unresolved delta: its base %s was not found", hex);
}

/* A delta on an object that is known, and that was not resolved itself or could not be kept. */
static void report_delta(struct git_pack *pack, uint32_t entry)
{
	struct git_entry *e = &pack->entries[entry];
	unsigned parent = pack->entries[e->parent].flags;
	enum blocksha_git_kind kind = BLOCKSHA_GIT_DAMAGED;
	const char *text = "unresolved delta: so is the object that it is based on";

	e->flags |= (unsigned char)(GIT_ENTRY_FAILED |
				    (parent & (GIT_ENTRY_MISSING | GIT_ENTRY_LIMIT)));
	if ((parent & GIT_ENTRY_NAMED) != 0) {
		e->flags |= GIT_ENTRY_LIMIT;
		text = "unresolved delta: it is based on an object that needs more memory than is "
		       "allowed";
	}
	if ((e->flags & GIT_ENTRY_LIMIT) != 0)
		kind = BLOCKSHA_GIT_LIMIT;
	else if ((e->flags & GIT_ENTRY_MISSING) != 0)
		kind = pack->promisor ? BLOCKSHA_GIT_NOTE : BLOCKSHA_GIT_MISSING;
	blocksha_git_report_add(pack->report, kind, blocksha_git_pack_place(pack, entry), NULL,
				NULL, "%s", text);
}

void blocksha_git_pack_report_unresolved(struct git_pack *pack)
{
	const unsigned done = GIT_ENTRY_NAMED | GIT_ENTRY_FAILED;

	for (uint32_t i = 0; i < pack->base_name_count; i++) {
		const struct git_entry *e = &pack->entries[pack->base_names[i].entry];

		if ((e->flags & done) == 0 && e->parent == GIT_NO_ENTRY)
			report_ref(pack, &pack->base_names[i]);
	}
	/* The base of an OFS delta comes before it. */
	for (uint32_t i = 0; i < pack->count; i++)
		if ((pack->entries[i].flags & done) == 0)
			report_delta(pack, i);
}

/* --- The index -------------------------------------------------------------------- */

static void compare_name(struct git_pack *pack, uint32_t entry, uint32_t position,
			 struct git_report *idx_report)
{
	const unsigned char *expected = blocksha_git_idx_name(pack->idx, position);
	const unsigned char *found = git_pack_name(pack, entry);
	static const char text[] = "object has another name than the index says";

	if ((pack->entries[entry].flags & GIT_ENTRY_NAMED) == 0 ||
	    memcmp(expected, found, pack->name_size) == 0)
		return;
	if (git_pack_trailer_is_good(pack))
		blocksha_git_report_digests(
			idx_report, BLOCKSHA_GIT_DAMAGED,
			git_object_at((uint64_t)(expected - pack->idx->data), expected), found,
			expected, pack->name_size, text);
	else
		blocksha_git_report_digests(pack->report, BLOCKSHA_GIT_DAMAGED,
					    git_object_at(pack->entries[entry].offset, expected),
					    expected, found, pack->name_size, text);
}

static void compare_crc(struct git_pack *pack, uint32_t entry, uint32_t position,
			struct git_report *idx_report)
{
	const struct git_idx *idx = pack->idx;
	const struct git_entry *e = &pack->entries[entry];
	const unsigned char *name = blocksha_git_idx_name(idx, position);
	char computed[9], stored[9];
	unsigned char bytes[4];
	uint32_t crc;

	if ((e->flags & GIT_ENTRY_HAS_CRC) == 0 || !blocksha_git_idx_crc(idx, position, &crc) ||
	    crc == e->crc)
		return;
	blocksha_put_be32(bytes, e->crc);
	blocksha_hex_encode(computed, bytes, sizeof(bytes));
	blocksha_put_be32(bytes, crc);
	blocksha_hex_encode(stored, bytes, sizeof(bytes));
	if (git_pack_trailer_is_good(pack)) {
		uint64_t at = (uint64_t)(idx->crcs - idx->data) + (uint64_t)4 * position;

		blocksha_git_report_add(idx_report, BLOCKSHA_GIT_DAMAGED, git_object_at(at, name),
					computed, stored, "wrong CRC of an entry of the pack");
	} else {
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_DAMAGED,
					git_object_at(e->offset, name), stored, computed,
					"entry has another CRC than the index says");
	}
}

/* An object that the pack does not have where the index has it. */
static void report_absent(struct git_pack *pack, uint32_t position, struct git_report *idx_report)
{
	const struct git_idx *idx = pack->idx;
	const unsigned char *name = blocksha_git_idx_name(idx, position);
	const unsigned char *at =
		idx->version == 1 ? name - 4 : idx->offsets + (size_t)4 * position;
	uint64_t offset = blocksha_git_idx_offset(idx, position);

	if (git_pack_trailer_is_good(pack))
		blocksha_git_report_add(idx_report, BLOCKSHA_GIT_DAMAGED,
					git_object_at((uint64_t)(at - idx->data), name), NULL, NULL,
					"no object of the pack begins at %llu",
					(unsigned long long)offset);
	else
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_DAMAGED,
					git_object_at(offset, name), NULL, NULL,
					"no object begins where the index has it");
}

static void report_unlisted(struct git_pack *pack, uint32_t entry, struct git_report *idx_report)
{
	struct git_place place = {BLOCKSHA_GIT_NO_OFFSET, NULL, false};
	uint64_t offset = pack->entries[entry].offset;

	if ((pack->entries[entry].flags & GIT_ENTRY_NAMED) != 0)
		place.name = git_pack_name(pack, entry);
	if (git_pack_trailer_is_good(pack)) {
		blocksha_git_report_add(idx_report, BLOCKSHA_GIT_DAMAGED, place, NULL, NULL,
					"object at %llu of the pack is not in the index",
					(unsigned long long)offset);
	} else {
		place.offset = offset;
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_DAMAGED, place, NULL, NULL,
					"object is not in the index");
	}
}

void blocksha_git_pack_compare(struct git_pack *pack, struct git_report *idx_report)
{
	const struct git_idx *idx = pack->idx;
	uint32_t position = 0;

	for (uint32_t entry = 0; entry < pack->count; entry++) {
		uint64_t offset = pack->entries[entry].offset;
		bool listed = false;

		while (position < idx->count &&
		       blocksha_git_idx_offset(idx, pack->idx_order[position]) < offset)
			report_absent(pack, pack->idx_order[position++], idx_report);
		while (position < idx->count &&
		       blocksha_git_idx_offset(idx, pack->idx_order[position]) == offset) {
			compare_name(pack, entry, pack->idx_order[position], idx_report);
			compare_crc(pack, entry, pack->idx_order[position], idx_report);
			position++;
			listed = true;
		}
		if (!listed)
			report_unlisted(pack, entry, idx_report);
	}
	/* Where no further entry can be found, nothing is known of the rest. */
	while (pack->complete && position < idx->count)
		report_absent(pack, pack->idx_order[position++], idx_report);
}

/* --- All objects ------------------------------------------------------------------ */

/* qsort has no argument for its comparison. So names and entries are sorted together. */
struct named {
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	uint32_t entry;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = memcmp(a->name, b->name, sizeof(a->name));

	if (order != 0)
		return order;
	return a->entry < b->entry ? -1 : 1;
}

bool blocksha_git_pack_note_duplicates(struct git_pack *pack)
{
	struct named *sorted = calloc((size_t)pack->count + 1, sizeof(*sorted));
	size_t count = 0;

	if (sorted == NULL)
		return false;
	for (uint32_t i = 0; i < pack->count; i++) {
		if ((pack->entries[i].flags & GIT_ENTRY_NAMED) == 0)
			continue;
		memcpy(sorted[count].name, git_pack_name(pack, i), pack->name_size);
		sorted[count++].entry = i;
	}
	qsort(sorted, count, sizeof(*sorted), compare_named);
	for (size_t i = 1; i < count; i++)
		if (memcmp(sorted[i - 1].name, sorted[i].name, sizeof(sorted[i].name)) == 0)
			blocksha_git_report_add(pack->report, BLOCKSHA_GIT_NOTE,
						git_object_at(pack->entries[sorted[i].entry].offset,
							      sorted[i].name),
						NULL, NULL, "object is in the pack more than once");
	free(sorted);
	return true;
}

void blocksha_git_pack_list(const struct git_pack *pack)
{
	const struct blocksha_git_options *options = pack->options;

	if (options->object == NULL)
		return;
	for (uint32_t i = 0; i < pack->count; i++) {
		const struct git_entry *e = &pack->entries[i];
		struct blocksha_git_object object = {
			.file = pack->file->path,
			.offset = e->offset,
			.format = pack->format,
			.name = git_pack_name(pack, i),
			.type = (enum blocksha_git_type)e->object_type,
			.size = e->size,
			.packed_size = git_pack_entry_end(pack, i) - e->offset,
			.depth = e->depth,
		};

		if ((e->flags & GIT_ENTRY_NAMED) == 0)
			continue;
		if (e->depth > 0)
			object.base = git_pack_name(pack, e->parent);
		options->object(options->context, &object);
	}
}
