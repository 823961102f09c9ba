/* SPDX-License-Identifier: MIT */
#include "rev.h"

#include <stdlib.h>
#include <string.h>

#include "blocksha_byteorder.h"
#include "owner.h"

#define HEADER_SIZE 12u /* signature, version, hash */

/* Signature, version and hash; a table with four bytes for each object; the checksum of the pack;
   its own checksum. */
struct table {
	unsigned char *data;
	size_t size;
	struct git_report *report;
	enum blocksha_git_format format;
	size_t name_size;
	uint32_t count;
	const unsigned char *entries;
};

static bool check_size(struct table *table)
{
	uint64_t least = HEADER_SIZE + 2 * (uint64_t)table->name_size;
	uint64_t rest = table->size - least;

	if (table->size >= least && rest % 4 == 0 && rest / 4 <= UINT32_MAX) {
		table->count = (uint32_t)(rest / 4);
		table->entries = table->data + HEADER_SIZE;
		return true;
	}
	blocksha_git_report_numbers(table->report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE, least,
				    table->size, "wrong size");
	return false;
}

static bool check_header(struct table *table, const char signature[4])
{
	enum blocksha_git_format wanted = table->report->options->format;
	uint32_t hash;

	if (table->size < HEADER_SIZE || memcmp(table->data, signature, 4) != 0) {
		blocksha_git_report_add(table->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(0), NULL,
					NULL, "does not begin with %.4s", signature);
		return false;
	}
	if (blocksha_get_be32(table->data + 4) != 1) {
		blocksha_git_report_numbers(table->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(4), 1,
					    blocksha_get_be32(table->data + 4), "unknown version");
		return false;
	}
	hash = blocksha_get_be32(table->data + 8);
	if ((hash != BLOCKSHA_GIT_SHA1 && hash != BLOCKSHA_GIT_SHA256) ||
	    (wanted != BLOCKSHA_GIT_INFER && hash != (uint32_t)wanted)) {
		blocksha_git_report_numbers(table->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(8),
					    wanted == BLOCKSHA_GIT_SHA256 ? 2 : 1, hash,
					    "unknown hash, or another one");
		return false;
	}
	table->format = hash == BLOCKSHA_GIT_SHA1 ? BLOCKSHA_GIT_SHA1 : BLOCKSHA_GIT_SHA256;
	table->name_size = blocksha_git_name_size(table->format);
	table->report->format = table->format;
	return true;
}

static void check_trailer(const struct table *table)
{
	size_t end = table->size - table->name_size;
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];

	blocksha_git_checksum(table->format, table->data, end, digest);
	if (memcmp(digest, table->data + end, table->name_size) != 0)
		blocksha_git_report_digests(table->report, BLOCKSHA_GIT_DAMAGED, GIT_WHOLE_AT(end),
					    digest, table->data + end, table->name_size,
					    "wrong checksum");
}

/* Each position is there once. A bit a position is the memory that it takes. */
static void check_permutation(const struct table *table)
{
	unsigned char *seen = calloc((size_t)table->count / 8 + 1, 1);

	for (uint32_t i = 0; seen != NULL && i < table->count; i++) {
		uint64_t at = HEADER_SIZE + (uint64_t)4 * i;
		uint32_t position = blocksha_get_be32(table->entries + (size_t)4 * i);

		if (position >= table->count)
			blocksha_git_report_numbers(table->report, BLOCKSHA_GIT_MALFORMED,
						    GIT_AT(at), table->count, position,
						    "position of an object that is not there");
		else if ((seen[position / 8] >> position % 8 & 1) != 0)
			blocksha_git_report_add(table->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(at),
						NULL, NULL, "position that is there twice");
		else
			seen[position / 8] |= (unsigned char)(1u << position % 8);
	}
	if (seen == NULL)
		blocksha_git_report_add(table->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
	free(seen);
}

/* Against the table that the offsets in the index give. Objects that a pack has twice may stand in
   any order, which is why offsets are compared. */
static void compare_with_idx(const struct table *table, const struct git_idx *idx)
{
	uint32_t *order = blocksha_git_idx_by_offset(idx);

	if (order == NULL)
		blocksha_git_report_add(table->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
	for (uint32_t i = 0; order != NULL && i < table->count; i++) {
		uint32_t position = blocksha_get_be32(table->entries + (size_t)4 * i);
		uint64_t at = HEADER_SIZE + (uint64_t)4 * i;

		if (position == order[i] ||
		    (position < idx->count && blocksha_git_idx_offset(idx, position) ==
						      blocksha_git_idx_offset(idx, order[i])))
			continue;
		blocksha_git_report_numbers(
			table->report, BLOCKSHA_GIT_DAMAGED,
			(struct git_place){at, blocksha_git_idx_name(idx, order[i]), false},
			order[i], position, "wrong position of an object");
	}
	free(order);
}

static void compare(const struct table *table, const struct git_owner *owner)
{
	if (owner->is_midx)
		blocksha_git_midx_check_order(&owner->midx, table->entries, table->count,
					      HEADER_SIZE, table->report);
	else
		compare_with_idx(table, &owner->idx);
}

/* What belongs to the file, if it lies beside it and has as many objects and the same checksum. */
static bool load_owner(const struct table *table, struct git_owner *owner, const char *path,
		       const char *suffix)
{
	size_t at = table->size - 2 * table->name_size;

	if (!blocksha_git_owner_load(owner, path, suffix, table->format, table->report))
		return false;
	if (memcmp(table->data + at, owner->checksum, table->name_size) != 0)
		blocksha_git_report_digests(table->report, BLOCKSHA_GIT_DAMAGED, GIT_AT(at),
					    owner->checksum, table->data + at, table->name_size,
					    "belongs to another pack");
	if (table->count == owner->count)
		return true;
	blocksha_git_report_numbers(table->report, BLOCKSHA_GIT_DAMAGED, GIT_NOWHERE, owner->count,
				    table->count, "has another number of objects than its pack");
	return false;
}

static bool load(struct table *table, const struct git_file *file, struct git_report *report,
		 const char signature[4])
{
	memset(table, 0, sizeof(*table));
	table->report = report;
	table->data = blocksha_git_file_load(file, SIZE_MAX, report);
	if (table->data == NULL)
		return false;
	table->size = (size_t)file->size;
	return check_header(table, signature) && check_size(table);
}

void blocksha_git_rev_verify(struct git_file *file, struct git_report *report)
{
	struct git_owner owner = {.path = NULL};
	struct table table;

	if (load(&table, file, report, "RIDX")) {
		check_permutation(&table);
		if (load_owner(&table, &owner, file->path, ".rev"))
			compare(&table, &owner);
		blocksha_git_owner_free(&owner);
		check_trailer(&table);
	}
	free(table.data);
}

/* Times can be any. */
void blocksha_git_mtimes_verify(struct git_file *file, struct git_report *report)
{
	struct git_owner owner = {.path = NULL};
	struct table table;

	if (load(&table, file, report, "MTME")) {
		(void)load_owner(&table, &owner, file->path, ".mtimes");
		blocksha_git_owner_free(&owner);
		check_trailer(&table);
	}
	free(table.data);
}
