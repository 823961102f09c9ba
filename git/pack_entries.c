/* SPDX-License-Identifier: MIT */
/*
 * pack_entries.c - finds the entries of a pack, and which deltas are based on which.
 */
#define _POSIX_C_SOURCE 200809L

#include "pack.h"

#include <stdlib.h>
#include <string.h>

#include "inflate.h"
#include "window.h"

/* The size of an object in 10 bytes, and a distance in 10 or a name. */
#define MAX_ENTRY_HEADER (10u + BLOCKSHA_GIT_MAX_NAME_SIZE)

/* Read at once where only headers are wanted, and where everything is. */
#define HEADERS_WINDOW ((size_t)16 * 1024)
#define SCAN_WINDOW ((size_t)256 * 1024)

/* Up to this size objects are inflated in memory when entries are found by inflating. */
#define SCAN_MEMORY ((uint64_t)64 * 1024 * 1024)

struct git_place blocksha_git_pack_place(const struct git_pack *pack, uint32_t entry)
{
	struct git_place place = {pack->entries[entry].offset, NULL, false};

	if (pack->entries_from_idx)
		place.name = blocksha_git_idx_name(pack->idx, pack->idx_order[entry]);
	return place;
}

/* --- The header of an entry ------------------------------------------------------- */

struct header {
	const unsigned char *at, *end;
	uint64_t distance;         /* of an OFS delta */
	const unsigned char *base; /* of a REF delta */
};

static bool get_type_and_size(struct header *header, struct git_entry *entry)
{
	unsigned shift = 4;
	unsigned byte;

	if (header->at == header->end)
		return false;
	byte = *header->at++;
	entry->type = byte >> 4 & 7;
	entry->size = byte & 15;
	while ((byte & 0x80) != 0) {
		uint64_t bits;

		if (header->at == header->end || shift >= 64)
			return false;
		byte = *header->at++;
		bits = byte & 0x7f;
		if (bits << shift >> shift != bits)
			return false;
		entry->size |= bits << shift;
		shift += 7;
	}
	return true;
}

/* A distance: seven bits a byte, the highest first, and one is added before each further byte. */
static bool get_distance(struct header *header)
{
	uint64_t distance = 0;
	unsigned byte;

	do {
		if (header->at == header->end || distance >= UINT64_MAX >> 8)
			return false;
		byte = *header->at++;
		distance = distance << 7 | (byte & 0x7f);
		if ((byte & 0x80) != 0)
			distance++;
	} while ((byte & 0x80) != 0);
	header->distance = distance;
	return true;
}

/* Returns NULL, or what is wrong. */
static const char *parse_header(const struct git_pack *pack, struct header *header,
				struct git_entry *entry)
{
	const unsigned char *begin = header->at;

	if (!get_type_and_size(header, entry))
		return "size of an object without end";
	switch (entry->type) {
	case BLOCKSHA_GIT_COMMIT:
	case BLOCKSHA_GIT_TREE:
	case BLOCKSHA_GIT_BLOB:
	case BLOCKSHA_GIT_TAG:
		entry->object_type = entry->type;
		break;
	case GIT_ENTRY_OFS_DELTA:
		if (!get_distance(header))
			return "distance to the base of a delta without end";
		if (header->distance == 0)
			return "delta that is its own base";
		if (header->distance > entry->offset - GIT_PACK_HEADER_SIZE)
			return "base of a delta lies before the first object";
		break;
	case GIT_ENTRY_REF_DELTA:
		if ((size_t)(header->end - header->at) < pack->name_size)
			return "name of the base of a delta is cut";
		header->base = header->at;
		header->at += pack->name_size;
		break;
	default:
		return "unknown type of object";
	}
	entry->header_size = (uint8_t)(header->at - begin);
	return NULL;
}

/* The entry before number that begins at offset. */
static uint32_t find_entry(const struct git_pack *pack, uint32_t number, uint64_t offset)
{
	uint32_t low = 0, high = number;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (pack->entries[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low < number && pack->entries[low].offset == offset ? low : GIT_NO_ENTRY;
}

/* --- Reading the headers ---------------------------------------------------------- */

static bool no_memory(struct git_pack *pack)
{
	blocksha_git_report_add(pack->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
				"no memory for a table of its objects");
	return false;
}

/* Adds the base of a REF delta; the array grows by doubling. */
static bool add_base_name(struct git_pack *pack, uint32_t entry, const unsigned char *name)
{
	uint32_t count = pack->base_name_count;

	if ((count & (count - 1)) == 0) {
		size_t capacity = count == 0 ? 1 : (size_t)2 * count;
		void *grown = realloc(pack->base_names, capacity * sizeof(*pack->base_names));

		if (grown == NULL)
			return no_memory(pack);
		pack->base_names = grown;
	}
	memset(&pack->base_names[count], 0, sizeof(pack->base_names[count]));
	memcpy(pack->base_names[count].name, name, pack->name_size);
	pack->base_names[count].entry = entry;
	pack->base_name_count++;
	return true;
}

static void bad_entry(struct git_pack *pack, uint32_t number, const char *text)
{
	struct git_entry *entry = &pack->entries[number];

	entry->type = GIT_ENTRY_BAD;
	entry->flags |= GIT_ENTRY_FAILED | GIT_ENTRY_CONTRADICTS;
	blocksha_git_report_add(pack->report, BLOCKSHA_GIT_MALFORMED,
				blocksha_git_pack_place(pack, number), NULL, NULL, "%s", text);
}

/* Reads the header of an entry whose offset is set. A bad one is a finding and true; false: it
   cannot go on. */
static bool read_header(struct git_pack *pack, struct git_window *window, uint32_t number,
			uint64_t limit)
{
	struct git_entry *entry = &pack->entries[number];
	struct header header = {0};
	const char *wrong;
	size_t size;

	entry->parent = GIT_NO_ENTRY;
	header.at = blocksha_git_window_get(window, entry->offset, MAX_ENTRY_HEADER, &size,
					    pack->report);
	if (header.at == NULL)
		return false;
	if (size > limit - entry->offset)
		size = (size_t)(limit - entry->offset);
	header.end = header.at + size;
	wrong = parse_header(pack, &header, entry);
	if (wrong == NULL && entry->type == GIT_ENTRY_OFS_DELTA) {
		entry->parent = find_entry(pack, number, entry->offset - header.distance);
		if (entry->parent == GIT_NO_ENTRY)
			wrong = "base of a delta is not the beginning of an object";
	}
	if (wrong != NULL) {
		bad_entry(pack, number, wrong);
		return true;
	}
	if (entry->type == GIT_ENTRY_REF_DELTA)
		return add_base_name(pack, number, header.base);
	return true;
}

static bool allocate(struct git_pack *pack, uint32_t count)
{
	pack->entries = calloc((size_t)count + 1, sizeof(*pack->entries));
	pack->names = malloc(((size_t)count + 1) * pack->name_size);
	return (pack->entries != NULL && pack->names != NULL) || no_memory(pack);
}

void blocksha_git_pack_forget_entries(struct git_pack *pack)
{
	pack->entries = NULL;
	pack->names = NULL;
	pack->child_begin = NULL;
	pack->children = NULL;
	pack->base_names = NULL;
	pack->ref_children = NULL;
	pack->base_name_count = 0;
	pack->count = 0;
}

void blocksha_git_pack_free_entries(struct git_pack *pack)
{
	free(pack->entries);
	free(pack->names);
	free(pack->child_begin);
	free(pack->children);
	free(pack->base_names);
	free(pack->ref_children);
	blocksha_git_pack_forget_entries(pack);
}

bool blocksha_git_pack_entries_by_idx(struct git_pack *pack)
{
	struct git_window window;
	bool going = allocate(pack, pack->idx->count);

	if (!going)
		return false;
	pack->entries_from_idx = true;
	pack->complete = true;
	pack->count = pack->idx->count;
	pack->entries_end = pack->end;
	for (uint32_t i = 0; i < pack->count; i++)
		pack->entries[i].offset = blocksha_git_idx_offset(pack->idx, pack->idx_order[i]);
	blocksha_git_window_begin(&window, pack->file, pack->end, HEADERS_WINDOW);
	for (uint32_t i = 0; going && i < pack->count; i++)
		going = read_header(pack, &window, i, git_pack_entry_end(pack, i));
	blocksha_git_window_end(&window);
	return going;
}

/* --- Finding entries by inflating ------------------------------------------------- */

struct scan {
	struct git_window window;
	struct git_inflater *inflater;
	unsigned char *out;
	size_t capacity;
};

static bool grow_out(struct scan *scan, size_t size)
{
	if (size <= scan->capacity)
		return true;
	free(scan->out);
	scan->out = malloc(size);
	scan->capacity = scan->out != NULL ? size : 0;
	return scan->out != NULL;
}

/* The length of the zlib stream at an offset. In memory what a compressor of any sense has made; if
   that fails, by streaming, which also says what is wrong. */
static enum git_inflated measure(struct git_pack *pack, struct scan *scan, uint64_t begin,
				 uint64_t size, uint64_t *used)
{
	struct git_stream stream = {pack->file, begin, pack->end, size, NULL, NULL, NULL};
	size_t got, length;

	if (size <= SCAN_MEMORY && blocksha_git_inflate_is_possible(pack->end - begin, size) &&
	    grow_out(scan, (size_t)size + 1)) {
		const unsigned char *in = blocksha_git_window_get(&scan->window, begin,
								  (size_t)(size + size / 1024 + 64),
								  &got, pack->report);

		if (in == NULL)
			return GIT_INFLATE_UNREADABLE;
		if (blocksha_git_inflate(scan->inflater, in, got, scan->out, (size_t)size,
					 &length) == GIT_INFLATED) {
			*used = length;
			return GIT_INFLATED;
		}
	}
	return blocksha_git_inflate_stream(scan->inflater, &stream, used, pack->report);
}

/* Finds entry number at pack->entries_end and moves that behind it. False: it cannot go on. */
static bool scan_entry(struct git_pack *pack, struct scan *scan, uint32_t number)
{
	struct git_entry *entry = &pack->entries[number];
	enum git_inflated inflated;
	uint64_t begin, used;

	entry->offset = pack->entries_end;
	pack->count = number + 1;
	pack->entries_end = pack->end;
	if (!read_header(pack, &scan->window, number, pack->end) || entry->type == GIT_ENTRY_BAD)
		return false;
	begin = entry->offset + entry->header_size;
	inflated = measure(pack, scan, begin, entry->size, &used);
	if (inflated == GIT_INFLATED) {
		pack->entries_end = begin + used;
		return true;
	}
	entry->flags |= GIT_ENTRY_FAILED;
	if (inflated != GIT_INFLATE_UNREADABLE)
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_DAMAGED,
					blocksha_git_pack_place(pack, number), NULL, NULL, "%s",
					blocksha_git_inflate_text(inflated));
	return false;
}

static void check_scanned(struct git_pack *pack, uint32_t found)
{
	uint64_t at = found < pack->count ? pack->entries[found].offset : pack->entries_end;

	if (found < pack->declared) {
		blocksha_git_report_numbers(pack->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(at),
					    pack->declared, found,
					    "no further object can be found");
		return;
	}
	pack->complete = true;
	if (pack->entries_end != pack->end)
		blocksha_git_report_numbers(pack->report, BLOCKSHA_GIT_MALFORMED,
					    GIT_AT(pack->entries_end), pack->end, pack->entries_end,
					    "bytes between the last object and the checksum");
}

bool blocksha_git_pack_entries_by_scan(struct git_pack *pack)
{
	struct scan scan = {.inflater = blocksha_git_inflater_create()};
	uint32_t found = 0;

	pack->entries_from_idx = false;
	pack->complete = false;
	pack->entries_end = GIT_PACK_HEADER_SIZE;
	if (scan.inflater == NULL || !allocate(pack, pack->declared)) {
		blocksha_git_inflater_destroy(scan.inflater);
		return false;
	}
	blocksha_git_window_begin(&scan.window, pack->file, pack->end, SCAN_WINDOW);
	while (found < pack->declared && pack->entries_end < pack->end &&
	       scan_entry(pack, &scan, found))
		found++;
	check_scanned(pack, found);
	blocksha_git_window_end(&scan.window);
	blocksha_git_inflater_destroy(scan.inflater);
	free(scan.out);
	return true;
}

/* --- Which deltas belong to which entry ------------------------------------------- */

/* The deltas of an entry are resolved one after the other, and its data is needed until the last
   one is begun. So the one with the most descendants comes last: then no more than the binary
   logarithm of all entries are needed at the same time. */
static void largest_last(struct git_pack *pack, const uint32_t *descendants)
{
	for (uint32_t i = 0; i < pack->count; i++) {
		uint32_t last = pack->child_begin[i + 1] - 1, largest = pack->child_begin[i], swap;

		if (pack->child_begin[i] + 1 >= pack->child_begin[i + 1])
			continue;
		for (uint32_t at = largest; at <= last; at++)
			if (descendants[pack->children[at]] >= descendants[pack->children[largest]])
				largest = at;
		swap = pack->children[last];
		pack->children[last] = pack->children[largest];
		pack->children[largest] = swap;
	}
}

/* Lists the OFS deltas of each entry. The base of one comes before it. */
static void list_children(struct git_pack *pack, uint32_t *descendants)
{
	const struct git_entry *entries = pack->entries;
	uint32_t *begin = pack->child_begin;

	for (uint32_t i = pack->count; i-- > 0;) {
		if (entries[i].type != GIT_ENTRY_OFS_DELTA)
			continue;
		begin[entries[i].parent + 1]++;
		descendants[entries[i].parent] += descendants[i] + 1;
	}
	for (uint32_t i = 0; i < pack->count; i++)
		begin[i + 1] += begin[i];
	for (uint32_t i = 0; i < pack->count; i++)
		if (entries[i].type == GIT_ENTRY_OFS_DELTA)
			pack->children[begin[entries[i].parent]++] = i;
	/* Each beginning has become an end, and so the beginning of the next. */
	memmove(begin + 1, begin, (size_t)pack->count * sizeof(*begin));
	begin[0] = 0;
}

static int compare_base_names(const void *left, const void *right)
{
	const struct git_base_name *a = left, *b = right;
	int order = memcmp(a->name, b->name, sizeof(a->name));

	if (order != 0)
		return order;
	return a->entry < b->entry ? -1 : 1;
}

bool blocksha_git_pack_find_children(struct git_pack *pack)
{
	uint32_t *descendants = calloc((size_t)pack->count + 1, sizeof(*descendants));

	pack->child_begin = calloc((size_t)pack->count + 2, sizeof(*pack->child_begin));
	pack->children = calloc((size_t)pack->count + 1, sizeof(*pack->children));
	pack->ref_children = calloc((size_t)pack->base_name_count + 1, sizeof(*pack->ref_children));
	if (descendants == NULL || pack->child_begin == NULL || pack->children == NULL ||
	    pack->ref_children == NULL) {
		free(descendants);
		return no_memory(pack);
	}
	list_children(pack, descendants);
	largest_last(pack, descendants);
	free(descendants);
	if (pack->base_name_count > 0)
		qsort(pack->base_names, pack->base_name_count, sizeof(*pack->base_names),
		      compare_base_names);
	for (uint32_t i = 0; i < pack->base_name_count; i++)
		pack->ref_children[i] = pack->base_names[i].entry;
	return true;
}
