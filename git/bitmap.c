/* SPDX-License-Identifier: MIT */
/*
 * Header; a bitmap of all objects for each of the four types; a bitmap for each selected commit;
 * then what flags announce; a checksum. The file does not say which hash it is of: its pack does.
 */
#include "bitmap.h"

#include <stdlib.h>
#include <string.h>

#include "ewah.h"
#include "owner.h"

#define FIXED_SIZE 12u /* of the header: signature, version, flags, number of commits */
#define TYPES 4u
#define ROW_SIZE 16u            /* of the lookup table: commit, offset, row */
#define LEAST_COMMIT (6u + 12u) /* position, XOR, flags; and an empty bitmap */
#define MAX_XOR 160u
#define NO_ROW UINT32_MAX

#define FLAG_FULL 0x01u
#define FLAG_HASH_CACHE 0x04u
#define FLAG_LOOKUP_TABLE 0x10u
#define FLAG_PSEUDO_MERGES 0x20u

struct commit {
	uint64_t offset; /* in the file */
	uint32_t position;
	uint8_t xor_distance;
};

struct bitmap {
	unsigned char *data;
	size_t size, end;
	struct git_report *report;
	enum blocksha_git_format format;
	size_t name_size;
	unsigned flags;
	uint32_t commit_count;
	struct commit *commits;
	const struct git_owner *owner; /* NULL: there is none */
};

static void wrong(const struct bitmap *bitmap, uint64_t offset, const char *text)
{
	blocksha_git_report_add(bitmap->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(offset), NULL, NULL,
				"%s", text);
}

static bool take(const struct bitmap *bitmap, struct git_cursor *cursor, struct git_ewah *ewah)
{
	size_t at = cursor->at;
	const char *error = blocksha_git_ewah_take(cursor, ewah);

	if (error != NULL)
		wrong(bitmap, at, error);
	else if (bitmap->owner != NULL && ewah->end > bitmap->owner->count)
		wrong(bitmap, at, "bitmap with an object that is not there");
	return error == NULL;
}

/* --- Bitmaps --------------------------------------------------------------------------- */

/* Each object has one type. */
static bool take_types(const struct bitmap *bitmap, struct git_cursor *cursor)
{
	size_t at = cursor->at;
	uint64_t set = 0;

	for (unsigned type = 0; type < TYPES; type++) {
		struct git_ewah ewah;

		if (!take(bitmap, cursor, &ewah))
			return false;
		set += ewah.set;
	}
	if (bitmap->owner != NULL && set != bitmap->owner->count)
		blocksha_git_report_numbers(bitmap->report, BLOCKSHA_GIT_DAMAGED, GIT_AT(at),
					    bitmap->owner->count, set,
					    "bitmaps of the types have another number of objects");
	return true;
}

static bool take_commit(const struct bitmap *bitmap, struct git_cursor *cursor, uint32_t i)
{
	struct commit *commit = &bitmap->commits[i];
	const unsigned char *header;
	struct git_ewah ewah;

	commit->offset = cursor->at;
	header = git_cursor_take(cursor, 6);
	if (header == NULL) {
		wrong(bitmap, commit->offset, "bitmap of a commit is cut off");
		return false;
	}
	commit->position = blocksha_get_be32(header);
	commit->xor_distance = header[4];
	if (bitmap->owner != NULL && commit->position >= bitmap->owner->count)
		blocksha_git_report_numbers(bitmap->report, BLOCKSHA_GIT_MALFORMED,
					    GIT_AT(commit->offset), bitmap->owner->count,
					    commit->position,
					    "position of an object that is not there");
	if (commit->xor_distance > MAX_XOR || commit->xor_distance > i)
		wrong(bitmap, commit->offset + 4,
		      "bitmap that is relative to one that is not there");
	return take(bitmap, cursor, &ewah);
}

static bool take_commits(struct bitmap *bitmap, struct git_cursor *cursor)
{
	size_t room = git_cursor_left(cursor) / LEAST_COMMIT;

	if (bitmap->commit_count > room) {
		blocksha_git_report_numbers(bitmap->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(8), room,
					    bitmap->commit_count,
					    "more commits than the file has room for");
		return false;
	}
	bitmap->commits = calloc((size_t)bitmap->commit_count + 1, sizeof(*bitmap->commits));
	if (bitmap->commits == NULL) {
		blocksha_git_report_add(bitmap->report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
		return false;
	}
	for (uint32_t i = 0; i < bitmap->commit_count; i++)
		if (!take_commit(bitmap, cursor, i))
			return false;
	return true;
}

/* --- The lookup table ------------------------------------------------------------------- */

/* The number of the commit whose bitmap begins there, or commit_count. */
static uint32_t find_commit(const struct bitmap *bitmap, uint64_t offset)
{
	uint32_t low = 0, high = bitmap->commit_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (bitmap->commits[middle].offset == offset)
			return middle;
		if (bitmap->commits[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return bitmap->commit_count;
}

/* Whether the row names the row of the bitmap that this one is relative to. */
static bool is_relative_to(const struct bitmap *bitmap, const unsigned char *table, uint32_t commit,
			   uint32_t row)
{
	uint8_t distance = bitmap->commits[commit].xor_distance;

	if (distance == 0)
		return row == NO_ROW;
	if (row >= bitmap->commit_count || distance > commit)
		return false;
	return blocksha_get_be64(table + (size_t)ROW_SIZE * row + 4) ==
	       bitmap->commits[commit - distance].offset;
}

/* Rows are in the order of the positions of their commits. */
static void check_lookup(const struct bitmap *bitmap, size_t at)
{
	const unsigned char *table = bitmap->data + at;

	for (uint32_t i = 0; i < bitmap->commit_count; i++) {
		const unsigned char *row = table + (size_t)ROW_SIZE * i;
		uint64_t place = at + (uint64_t)ROW_SIZE * i;
		uint32_t commit = find_commit(bitmap, blocksha_get_be64(row + 4));

		if (i > 0 && blocksha_get_be32(row - ROW_SIZE) >= blocksha_get_be32(row))
			wrong(bitmap, place, "lookup table is not in order");
		if (commit == bitmap->commit_count)
			wrong(bitmap, place + 4, "offset where no bitmap begins");
		else if (bitmap->commits[commit].position != blocksha_get_be32(row))
			wrong(bitmap, place, "bitmap of another commit");
		else if (!is_relative_to(bitmap, table, commit, blocksha_get_be32(row + 12)))
			wrong(bitmap, place + 12, "bitmap that is relative to another one");
	}
}

/* Behind the bitmaps: pseudo-merges, of any size; the lookup table; a hash of the name of each
   object, whose number only the pack tells. */
static void check_rest(const struct bitmap *bitmap, const struct git_cursor *cursor)
{
	uint64_t lookup = (bitmap->flags & FLAG_LOOKUP_TABLE) != 0
				  ? (uint64_t)ROW_SIZE * bitmap->commit_count
				  : 0;
	uint64_t rest = git_cursor_left(cursor), cache = 0;
	bool any = (bitmap->flags & FLAG_PSEUDO_MERGES) != 0;

	if ((bitmap->flags & FLAG_HASH_CACHE) != 0 && bitmap->owner != NULL)
		cache = (uint64_t)4 * bitmap->owner->count;
	else if ((bitmap->flags & FLAG_HASH_CACHE) != 0 && rest >= lookup)
		cache = (rest - lookup) / 4 * 4;
	if (any ? rest < lookup + cache : rest != lookup + cache)
		blocksha_git_report_numbers(bitmap->report, BLOCKSHA_GIT_MALFORMED,
					    GIT_AT(cursor->at), lookup + cache, rest,
					    "wrong size of what follows the bitmaps");
	else if (lookup != 0)
		check_lookup(bitmap, bitmap->end - (size_t)(cache + lookup));
}

/* --- All --------------------------------------------------------------------------------- */

static bool check_header(struct bitmap *bitmap)
{
	if (memcmp(bitmap->data, "BITM", 4) != 0) {
		wrong(bitmap, 0, "does not begin with BITM");
		return false;
	}
	if (blocksha_get_be16(bitmap->data + 4) != 1) {
		blocksha_git_report_numbers(bitmap->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(4), 1,
					    blocksha_get_be16(bitmap->data + 4), "unknown version");
		return false;
	}
	bitmap->flags = blocksha_get_be16(bitmap->data + 6);
	bitmap->commit_count = blocksha_get_be32(bitmap->data + 8);
	if ((bitmap->flags & FLAG_FULL) == 0)
		wrong(bitmap, 6, "bitmaps that are not of all objects");
	return true;
}

static bool checksum_fits(const struct bitmap *bitmap, enum blocksha_git_format format,
			  unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE])
{
	size_t name_size = blocksha_git_name_size(format);

	if (bitmap->size < name_size)
		return false;
	blocksha_git_checksum(format, bitmap->data, bitmap->size - name_size, digest);
	return memcmp(digest, bitmap->data + bitmap->size - name_size, name_size) == 0;
}

static enum blocksha_git_format find_format(const struct bitmap *bitmap)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];

	if (bitmap->report->options->format != BLOCKSHA_GIT_INFER)
		return bitmap->report->options->format;
	if (bitmap->owner != NULL)
		return bitmap->owner->is_midx ? bitmap->owner->midx.file.format
					      : bitmap->owner->idx.format;
	return checksum_fits(bitmap, BLOCKSHA_GIT_SHA256, digest) ? BLOCKSHA_GIT_SHA256
								  : BLOCKSHA_GIT_SHA1;
}

static void check_owner(const struct bitmap *bitmap)
{
	const unsigned char *found = bitmap->data + FIXED_SIZE;

	if (bitmap->owner != NULL && memcmp(found, bitmap->owner->checksum, bitmap->name_size) != 0)
		blocksha_git_report_digests(bitmap->report, BLOCKSHA_GIT_DAMAGED,
					    GIT_AT(FIXED_SIZE), bitmap->owner->checksum, found,
					    bitmap->name_size, "belongs to another pack");
}

static void check_contents(struct bitmap *bitmap)
{
	struct git_cursor cursor = {
		.data = bitmap->data, .at = FIXED_SIZE + bitmap->name_size, .end = bitmap->end};

	if (!check_header(bitmap))
		return;
	check_owner(bitmap);
	if (take_types(bitmap, &cursor) && take_commits(bitmap, &cursor))
		check_rest(bitmap, &cursor);
	free(bitmap->commits);
}

static void verify(struct bitmap *bitmap)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];

	bitmap->format = find_format(bitmap);
	bitmap->name_size = blocksha_git_name_size(bitmap->format);
	bitmap->report->format = bitmap->format;
	if (bitmap->size < FIXED_SIZE + 2 * bitmap->name_size) {
		blocksha_git_report_numbers(bitmap->report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE,
					    FIXED_SIZE + 2 * bitmap->name_size, bitmap->size,
					    "too short for bitmaps");
		return;
	}
	bitmap->end = bitmap->size - bitmap->name_size;
	check_contents(bitmap);
	if (!checksum_fits(bitmap, bitmap->format, digest))
		blocksha_git_report_digests(bitmap->report, BLOCKSHA_GIT_DAMAGED,
					    GIT_WHOLE_AT(bitmap->end), digest,
					    bitmap->data + bitmap->end, bitmap->name_size,
					    "wrong checksum of the bitmaps");
}

void blocksha_git_bitmap_verify(struct git_file *file, struct git_report *report)
{
	struct bitmap bitmap = {.report = report};
	struct git_owner owner;

	bitmap.data = blocksha_git_file_load(file, SIZE_MAX, report);
	if (bitmap.data == NULL)
		return;
	bitmap.size = (size_t)file->size;
	if (blocksha_git_owner_load(&owner, file->path, ".bitmap", report->options->format, report))
		bitmap.owner = &owner;
	verify(&bitmap);
	blocksha_git_owner_free(&owner);
	free(bitmap.data);
}
