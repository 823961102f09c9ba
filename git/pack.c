/* SPDX-License-Identifier: MIT */
/*
 * pack.c - verifying a pack: the order of things.
 */
#define _POSIX_C_SOURCE 200809L

#include "pack.h"

#include <stdlib.h>
#include <string.h>

#include "blocksha_byteorder.h"

/* The shortest entry: a byte of type and size, and the zlib stream of no bytes. */
#define LEAST_ENTRY 9u

/* --- Header and trailer ----------------------------------------------------------- */

static bool check_header(struct git_pack *pack)
{
	unsigned char header[GIT_PACK_HEADER_SIZE];
	uint64_t most;
	uint32_t version;

	if (pack->file->size < GIT_PACK_HEADER_SIZE + BLOCKSHA_SHA1_DIGEST_SIZE) {
		blocksha_git_report_numbers(pack->report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE,
					    GIT_PACK_HEADER_SIZE + BLOCKSHA_SHA1_DIGEST_SIZE,
					    pack->file->size, "too short for a pack");
		return false;
	}
	if (!blocksha_git_file_read(pack->file, header, sizeof(header), 0, pack->report))
		return false;
	if (memcmp(header, "PACK", 4) != 0) {
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(0), NULL, NULL,
					"does not begin as a pack");
		return false;
	}
	version = blocksha_get_be32(header + 4);
	if (version != 2 && version != 3) {
		blocksha_git_report_numbers(pack->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(4), 2,
					    version, "unknown version of a pack");
		return false;
	}
	pack->declared = blocksha_get_be32(header + 8);
	most = (pack->file->size - GIT_PACK_HEADER_SIZE - BLOCKSHA_SHA1_DIGEST_SIZE) / LEAST_ENTRY;
	if (pack->declared <= most)
		return true;
	blocksha_git_report_numbers(pack->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(8), most,
				    pack->declared, "more objects than there is room for");
	return false;
}

static bool set_format(struct git_pack *pack, enum blocksha_git_format format)
{
	pack->format = format;
	pack->name_size = blocksha_git_name_size(format);
	pack->report->format = format;
	pack->checksum_is_known = false;
	if (pack->file->size < GIT_PACK_HEADER_SIZE + pack->name_size) {
		blocksha_git_report_numbers(pack->report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE,
					    GIT_PACK_HEADER_SIZE + pack->name_size,
					    pack->file->size, "too short for a pack");
		return false;
	}
	pack->end = pack->file->size - pack->name_size;
	return blocksha_git_file_read(pack->file, pack->trailer, pack->name_size, pack->end,
				      pack->report);
}

bool blocksha_git_pack_compute_checksum(struct git_pack *pack)
{
	if (!pack->checksum_is_known)
		pack->checksum_is_known = blocksha_git_checksum_range(
			pack->file, pack->format, pack->end, pack->checksum, pack->report);
	return pack->checksum_is_known;
}

/* Whether the trailer is right when names are digests of that hash; -1: it could not be read. */
static int trailer_fits(struct git_pack *pack, enum blocksha_git_format format)
{
	if (pack->file->size < GIT_PACK_HEADER_SIZE + blocksha_git_name_size(format))
		return 0;
	if (!set_format(pack, format) || !blocksha_git_pack_compute_checksum(pack))
		return -1;
	return git_pack_trailer_is_good(pack);
}

/* A pack does not say what its names are digests of. A good index does; else it is the hash of
   which its trailer is right, or when there is none, what a damaged index says, or what most packs
   have. */
static bool find_format(struct git_pack *pack, bool idx_is_good)
{
	int fits;

	if (pack->options->format != BLOCKSHA_GIT_INFER)
		return set_format(pack, pack->options->format);
	if (idx_is_good)
		return set_format(pack, pack->idx->format);
	fits = trailer_fits(pack, BLOCKSHA_GIT_SHA1);
	if (fits == 0)
		fits = trailer_fits(pack, BLOCKSHA_GIT_SHA256);
	if (fits != 0)
		return fits > 0;
	return set_format(pack, pack->idx != NULL ? pack->idx->format : BLOCKSHA_GIT_SHA1);
}

/* What the names of an index are digests of must be the same as in the pack. */
static void check_formats(struct git_pack *pack, struct git_report *idx_report)
{
	if (pack->idx == NULL || pack->idx->format == pack->format)
		return;
	blocksha_git_report_numbers(idx_report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE,
				    pack->name_size, pack->idx->name_size,
				    "names have another size than in the pack");
	pack->idx = NULL;
}

/* Pack and index differ in the number of objects. */
static void report_count(struct git_pack *pack, struct git_report *idx_report)
{
	static const char text[] = "pack and index have different numbers of objects";

	if (git_pack_trailer_is_good(pack))
		blocksha_git_report_numbers(idx_report, BLOCKSHA_GIT_DAMAGED, GIT_NOWHERE,
					    pack->declared, pack->idx->count, text);
	else
		blocksha_git_report_numbers(pack->report, BLOCKSHA_GIT_DAMAGED, GIT_AT(8),
					    pack->idx->count, pack->declared, text);
}

static void report_trailer(struct git_pack *pack, struct git_report *idx_report)
{
	if (!pack->checksum_is_known)
		return;
	if (!git_pack_trailer_is_good(pack))
		blocksha_git_report_digests(pack->report, BLOCKSHA_GIT_DAMAGED,
					    GIT_WHOLE_AT(pack->end), pack->checksum, pack->trailer,
					    pack->name_size, "wrong checksum of the pack");
	if (pack->idx == NULL)
		return;
	if (pack->idx->count != pack->declared)
		report_count(pack, idx_report);
	/* With damage in the pack, which was found, there is no more to say. */
	if (!git_pack_trailer_is_good(pack) ||
	    memcmp(pack->idx->pack_checksum, pack->trailer, pack->name_size) == 0)
		return;
	blocksha_git_report_digests(
		idx_report, BLOCKSHA_GIT_DAMAGED,
		GIT_WHOLE_AT((uint64_t)(pack->idx->pack_checksum - pack->idx->data)), pack->trailer,
		pack->idx->pack_checksum, pack->name_size, "is the index of another pack");
}

/* pack-NAME.pack is named by its trailer since git 1.8.5; older names are digests of the sorted
   names of the objects. Only other names that look like one are worth a note. */
static void note_name(struct git_pack *pack)
{
	const char *slash = strrchr(pack->file->path, '/');
	const char *name = slash != NULL ? slash + 1 : pack->file->path;
	char hex[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];

	blocksha_hex_encode(hex, pack->trailer, pack->name_size);
	if (strncmp(name, "pack-", 5) == 0 && strlen(name) == 5 + 2 * pack->name_size + 5 &&
	    strncmp(name + 5, hex, 2 * pack->name_size) != 0)
		blocksha_git_report_add(pack->report, BLOCKSHA_GIT_NOTE, GIT_NOWHERE, hex, NULL,
					"file is not named by the checksum of the pack");
}

/* --- Objects ---------------------------------------------------------------------- */

static bool verify_entries(struct git_pack *pack)
{
	if (!blocksha_git_pack_find_children(pack) || !blocksha_git_pack_resolve(pack))
		return false;
	blocksha_git_pack_report_unresolved(pack);
	return true;
}

static bool contradicts(const struct git_pack *pack)
{
	for (uint32_t i = 0; i < pack->count; i++)
		if ((pack->entries[i].flags & GIT_ENTRY_CONTRADICTS) != 0)
			return true;
	return false;
}

static bool same_offsets(const struct git_pack *one, const struct git_pack *other)
{
	if (one->count != other->count)
		return false;
	for (uint32_t i = 0; i < one->count; i++)
		if (one->entries[i].offset != other->entries[i].offset)
			return false;
	return true;
}

/* An index that has a good checksum, but other places for objects than the pack, which has one too:
   if the pack can be read without it, then the index is wrong, and not the objects. */
static bool verify_again(struct git_pack *pack)
{
	struct git_pack by_idx = *pack;
	struct git_report quiet;
	bool better;

	blocksha_git_report_begin(&quiet, pack->options, pack->file->path);
	blocksha_git_pack_forget_entries(pack);
	pack->report = &quiet;
	better = blocksha_git_pack_entries_by_scan(pack) && pack->complete &&
		 !same_offsets(pack, &by_idx);
	pack->report = by_idx.report;
	blocksha_git_report_drop(&quiet);
	if (!better) {
		blocksha_git_pack_free_entries(pack);
		*pack = by_idx;
		return true;
	}
	blocksha_git_pack_free_entries(&by_idx);
	blocksha_git_report_reset(pack->report);
	return verify_entries(pack);
}

static bool verify_objects(struct git_pack *pack, bool idx_is_good)
{
	if (!idx_is_good)
		return blocksha_git_pack_entries_by_scan(pack) && verify_entries(pack);
	if (!blocksha_git_pack_entries_by_idx(pack) || !verify_entries(pack))
		return false;
	if (contradicts(pack) && git_pack_trailer_is_good(pack))
		return verify_again(pack);
	return true;
}

/* Whether the offsets in the index can be offsets in this pack, each of another object. */
static bool offsets_fit(const struct git_pack *pack)
{
	for (uint32_t i = 0; i < pack->idx->count; i++) {
		uint64_t offset = blocksha_git_idx_offset(pack->idx, pack->idx_order[i]);
		uint64_t before =
			i == 0 ? GIT_PACK_HEADER_SIZE - 1
			       : blocksha_git_idx_offset(pack->idx, pack->idx_order[i - 1]);

		if (offset <= before || offset >= pack->end)
			return false;
	}
	return pack->idx->count == 0 ||
	       blocksha_git_idx_offset(pack->idx, pack->idx_order[0]) == GIT_PACK_HEADER_SIZE;
}

static void verify_with(struct git_pack *pack, bool idx_is_good, struct git_report *idx_report)
{
	if (!find_format(pack, idx_is_good))
		return;
	check_formats(pack, idx_report);
	idx_is_good = idx_is_good && pack->idx != NULL;
	if (pack->options->tier == BLOCKSHA_GIT_QUICK) {
		blocksha_git_pack_compute_checksum(pack);
	} else if (verify_objects(pack, idx_is_good && offsets_fit(pack))) {
		if (pack->idx != NULL)
			blocksha_git_pack_compare(pack, idx_report);
		else
			blocksha_git_pack_note_duplicates(pack);
		blocksha_git_pack_list(pack);
	}
	report_trailer(pack, idx_report);
	note_name(pack);
}

void blocksha_git_pack_verify(struct git_file *file, struct git_report *report,
			      struct git_file *idx_file, struct git_report *idx_report,
			      bool promisor)
{
	struct git_pack pack = {
		.file = file,
		.report = report,
		.options = report->options,
		.promisor = promisor,
	};
	uint32_t *order = NULL;
	struct git_idx idx = {0};
	bool idx_is_good = idx_file != NULL && blocksha_git_idx_load(&idx, idx_file, idx_report);

	if (idx.names != NULL) {
		order = blocksha_git_idx_by_offset(&idx);
		pack.idx = order != NULL ? &idx : NULL;
		pack.idx_order = order;
	}
	if (check_header(&pack))
		verify_with(&pack, idx_is_good && order != NULL, idx_report);
	blocksha_git_pack_free_entries(&pack);
	blocksha_git_idx_free(&idx);
	free(order);
}
