/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "midx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocksha_byteorder.h"
#include "idx.h"

#define HEADER_SIZE 12u
#define LARGE UINT32_C(0x80000000)

static const struct git_chunk known[GIT_MIDX_CHUNKS] = {
	[GIT_MIDX_PACK_NAMES] = {.id = "PNAM", .required = true},
	[GIT_MIDX_FANOUT] = {.id = "OIDF", .required = true},
	[GIT_MIDX_NAMES] = {.id = "OIDL", .required = true},
	[GIT_MIDX_OFFSETS] = {.id = "OOFF", .required = true},
	[GIT_MIDX_LARGE] = {.id = "LOFF"},
	[GIT_MIDX_REVERSE] = {.id = "RIDX"},
	[GIT_MIDX_BITMAPPED] = {.id = "BTMP"},
};

static void wrong(const struct git_midx *midx, uint64_t offset, const char *text)
{
	blocksha_git_report_add(midx->file.report, BLOCKSHA_GIT_MALFORMED, GIT_AT(offset), NULL,
				NULL, "%s", text);
}

/* --- Objects -------------------------------------------------------------------------- */

static const unsigned char *entry(const struct git_midx *midx, uint32_t i)
{
	return midx->chunks[GIT_MIDX_OFFSETS].data + (size_t)8 * i;
}

uint32_t blocksha_git_midx_pack(const struct git_midx *midx, uint32_t i)
{
	return blocksha_get_be32(entry(midx, i));
}

/* Without a table of large offsets the highest bit is nothing special. */
uint64_t blocksha_git_midx_offset(const struct git_midx *midx, uint32_t i)
{
	const struct git_chunk *large = &midx->chunks[GIT_MIDX_LARGE];
	uint32_t offset = blocksha_get_be32(entry(midx, i) + 4);

	if (large->data == NULL || (offset & LARGE) == 0)
		return offset;
	offset &= ~LARGE;
	return offset < large->size / 8 ? blocksha_get_be64(large->data + (size_t)8 * offset)
					: UINT64_MAX;
}

static void check_objects(const struct git_midx *midx)
{
	struct git_report *report = midx->file.report;

	for (uint32_t i = 0; i < midx->file.count; i++) {
		struct git_place place = blocksha_git_chunks_place(&midx->file, entry(midx, i), i);
		uint64_t offset = blocksha_git_midx_offset(midx, i);

		if (blocksha_git_midx_pack(midx, i) >= midx->pack_count)
			blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, place, NULL, NULL,
						"object in a pack that is not there");
		if (offset == UINT64_MAX)
			blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, place, NULL, NULL,
						"no such entry in the table of large offsets");
		else if (offset < 12 || offset >= UINT64_C(1) << 62)
			blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, place, 12,
						    offset, "offset is outside of any pack");
	}
}

/* --- The order of a pack that consists of all packs ----------------------------------- */

/* Whether object a comes before b. */
static bool comes_before(const struct git_midx *midx, uint32_t a, uint32_t b, uint32_t preferred)
{
	uint32_t pack_a = blocksha_git_midx_pack(midx, a), pack_b = blocksha_git_midx_pack(midx, b);

	if (pack_a == pack_b)
		return blocksha_git_midx_offset(midx, a) < blocksha_git_midx_offset(midx, b);
	if (pack_a == preferred || pack_b == preferred)
		return pack_a == preferred;
	return pack_a < pack_b;
}

/* A strict order without repetition of as many as there are is a permutation. */
void blocksha_git_midx_check_order(const struct git_midx *midx, const unsigned char *table,
				   uint32_t count, uint64_t offset, struct git_report *report)
{
	uint32_t before = 0, preferred = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t at = offset + (uint64_t)4 * i;
		uint32_t position = blocksha_get_be32(table + (size_t)4 * i);

		if (position >= midx->file.count) {
			blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, GIT_AT(at),
						    midx->file.count, position,
						    "position of an object that is not there");
			return;
		}
		if (i == 0) {
			preferred = blocksha_git_midx_pack(midx, position);
		} else if (!comes_before(midx, before, position, preferred)) {
			blocksha_git_report_add(
				report, BLOCKSHA_GIT_DAMAGED,
				(struct git_place){
					at, blocksha_git_chunks_name(&midx->file, position), false},
				NULL, NULL, "objects are not in the order of the packs");
			return;
		}
		before = position;
	}
}

/* --- Names of packs ------------------------------------------------------------------- */

/* They end with NUL, and are filled up with NUL to a multiple of 4. */
static bool find_packs(struct git_midx *midx)
{
	const struct git_chunk *chunk = &midx->chunks[GIT_MIDX_PACK_NAMES];
	const char *text = (const char *)chunk->data;
	size_t at = 0;

	/* A name and its NUL take 2 bytes at least. */
	if (midx->pack_count > chunk->size / 2) {
		blocksha_git_report_numbers(midx->file.report, BLOCKSHA_GIT_MALFORMED, GIT_AT(8),
					    chunk->size / 2, midx->pack_count,
					    "more packs than there is room for names");
		return false;
	}
	midx->packs = calloc((size_t)midx->pack_count + 1, sizeof(*midx->packs));
	if (midx->packs == NULL)
		return false;
	for (uint32_t i = 0; i < midx->pack_count; i++) {
		const char *end = memchr(text + at, '\0', chunk->size - at);

		if (end == NULL || end == text + at || strchr(text + at, '/') != NULL) {
			wrong(midx, chunk->offset + at, "impossible name of a pack");
			return false;
		}
		midx->packs[i] = text + at;
		if (i > 0 && strcmp(midx->packs[i - 1], midx->packs[i]) >= 0)
			wrong(midx, chunk->offset + at, "names of packs are not in order");
		at = (size_t)(end - text) + 1;
	}
	for (size_t i = at; i < chunk->size; i++)
		if (text[i] != '\0' || i - at >= 3) {
			wrong(midx, chunk->offset + i, "more than names of packs");
			break;
		}
	return true;
}

/* --- All of the file -------------------------------------------------------------------- */

static bool check_chunks(struct git_midx *midx)
{
	struct git_chunk_file *file = &midx->file;
	const struct git_chunk *chunks = midx->chunks;

	if (!blocksha_git_chunks_names(file, &chunks[GIT_MIDX_FANOUT], &chunks[GIT_MIDX_NAMES]) ||
	    !blocksha_git_chunk_has_size(file, &chunks[GIT_MIDX_OFFSETS],
					 (uint64_t)8 * file->count))
		return false;
	if (chunks[GIT_MIDX_LARGE].size % 8 != 0)
		wrong(midx, chunks[GIT_MIDX_LARGE].offset, "wrong size of chunk LOFF");
	if (chunks[GIT_MIDX_BITMAPPED].data != NULL)
		(void)blocksha_git_chunk_has_size(file, &chunks[GIT_MIDX_BITMAPPED],
						  (uint64_t)8 * midx->pack_count);
	check_objects(midx);
	if (chunks[GIT_MIDX_REVERSE].data != NULL &&
	    blocksha_git_chunk_has_size(file, &chunks[GIT_MIDX_REVERSE], (uint64_t)4 * file->count))
		blocksha_git_midx_check_order(midx, chunks[GIT_MIDX_REVERSE].data, file->count,
					      chunks[GIT_MIDX_REVERSE].offset, file->report);
	return find_packs(midx);
}

bool blocksha_git_midx_load(struct git_midx *midx, const struct git_file *file,
			    struct git_report *report)
{
	bool usable;

	memset(midx, 0, sizeof(*midx));
	memcpy(midx->chunks, known, sizeof(known));
	if (!blocksha_git_chunks_load(&midx->file, file, report, "MIDX", "multi-pack-index"))
		return false;
	midx->pack_count = blocksha_get_be32(midx->file.data + 8);
	usable = blocksha_git_chunks_find(&midx->file, HEADER_SIZE, midx->file.data[6],
					  midx->chunks, GIT_MIDX_CHUNKS) &&
		 check_chunks(midx);
	blocksha_git_chunks_trailer(&midx->file, "multi-pack-index");
	return usable;
}

void blocksha_git_midx_free(struct git_midx *midx)
{
	free(midx->packs);
	blocksha_git_chunks_free(&midx->file);
	memset(midx, 0, sizeof(*midx));
}

/* --- Against the indexes of the packs ---------------------------------------------------- */

/* Objects by pack, those of a pack in the order of names: members of pack p are members[begin[p]]
   to members[begin[p + 1] - 1]. */
struct by_pack {
	uint32_t *begin, *members;
};

static bool sort_by_pack(const struct git_midx *midx, struct by_pack *sorted)
{
	uint32_t count = midx->file.count;

	sorted->begin = calloc((size_t)midx->pack_count + 2, sizeof(*sorted->begin));
	sorted->members = malloc(((size_t)count + 1) * sizeof(*sorted->members));
	if (sorted->begin == NULL || sorted->members == NULL)
		return false;
	for (uint32_t i = 0; i < count; i++)
		sorted->begin[blocksha_git_midx_pack(midx, i) + 2]++;
	for (uint32_t pack = 2; pack <= midx->pack_count; pack++)
		sorted->begin[pack] += sorted->begin[pack - 1];
	for (uint32_t i = 0; i < count; i++)
		sorted->members[sorted->begin[blocksha_git_midx_pack(midx, i) + 1]++] = i;
	return true;
}

static void compare_offset(const struct git_midx *midx, uint32_t i, const struct git_idx *idx,
			   uint32_t position, const char *path)
{
	uint64_t expected = blocksha_git_idx_offset(idx, position);
	uint64_t found = blocksha_git_midx_offset(midx, i);
	char text[160];

	if (expected == found)
		return;
	snprintf(text, sizeof(text), "another offset than in %s", path);
	blocksha_git_report_numbers(midx->file.report, BLOCKSHA_GIT_DAMAGED,
				    blocksha_git_chunks_place(&midx->file, entry(midx, i), i),
				    expected, found, text);
}

/* Both are in the order of names. An object that the pack has twice may stand at either offset; one
   that other packs have, too, need not be listed for this one. */
static void compare(const struct git_midx *midx, const uint32_t *members, uint32_t count,
		    const struct git_idx *idx, const char *path)
{
	const struct git_chunk_file *file = &midx->file;
	uint32_t at = 0;

	for (uint32_t i = 0; i < idx->count; i++) {
		const unsigned char *name = blocksha_git_idx_name(idx, i);
		int order = -1;

		while (at < count && (order = memcmp(blocksha_git_chunks_name(file, members[at]),
						     name, file->name_size)) < 0) {
			blocksha_git_report_add(file->report, BLOCKSHA_GIT_DAMAGED,
						blocksha_git_chunks_place(file,
									  entry(midx, members[at]),
									  members[at]),
						NULL, NULL, "object is not in %s", path);
			at++;
		}
		if (at < count && order == 0) {
			if (i + 1 < idx->count &&
			    memcmp(blocksha_git_idx_name(idx, i + 1), name, file->name_size) == 0 &&
			    blocksha_git_idx_offset(idx, i) !=
				    blocksha_git_midx_offset(midx, members[at]))
				continue;
			compare_offset(midx, members[at++], idx, i, path);
		} else if (blocksha_git_chunks_search(file, name) == UINT32_MAX) {
			blocksha_git_report_add(
				file->report, BLOCKSHA_GIT_DAMAGED,
				(struct git_place){BLOCKSHA_GIT_NO_OFFSET, name, false}, NULL, NULL,
				"object of %s is not listed", path);
		}
	}
	for (; at < count; at++)
		blocksha_git_report_add(
			file->report, BLOCKSHA_GIT_DAMAGED,
			blocksha_git_chunks_place(file, entry(midx, members[at]), members[at]),
			NULL, NULL, "object is not in %s", path);
}

/* The index's own findings are told when it is verified itself. */

static bool open_idx(const struct git_midx *midx, struct git_file *file, const char *path)
{
	const struct blocksha_git_options silent = {.format = midx->file.format, .max_findings = 1};
	struct git_report report;
	bool good;

	blocksha_git_report_begin(&report, &silent, path);
	good = blocksha_git_file_open(file, path, false, &report);
	(void)blocksha_git_report_end(&report);
	return good;
}

static bool load_idx(const struct git_midx *midx, struct git_idx *idx, const struct git_file *file)
{
	const struct blocksha_git_options silent = {.format = midx->file.format, .max_findings = 1};
	struct git_report report;
	bool good;

	blocksha_git_report_begin(&report, &silent, file->path);
	good = blocksha_git_idx_load(idx, file, &report);
	(void)blocksha_git_report_end(&report);
	return good;
}

static void compare_pack(const struct git_midx *midx, const struct by_pack *sorted, uint32_t pack,
			 const char *path)
{
	const uint32_t *members = sorted->members + sorted->begin[pack];
	uint32_t count = sorted->begin[pack + 1] - sorted->begin[pack];
	struct git_file file;
	struct git_idx idx;

	if (!open_idx(midx, &file, path)) {
		blocksha_git_report_add(midx->file.report, BLOCKSHA_GIT_UNREADABLE, GIT_NOWHERE,
					NULL, NULL, "not compared with %s, which cannot be opened",
					path);
		return;
	}
	if (load_idx(midx, &idx, &file))
		compare(midx, members, count, &idx, path);
	else
		blocksha_git_report_add(midx->file.report, BLOCKSHA_GIT_DAMAGED, GIT_NOWHERE, NULL,
					NULL, "not compared with %s, which is not good itself",
					path);
	blocksha_git_idx_free(&idx);
	blocksha_git_file_close(&file, midx->file.report);
}

/* Compares with what is there. A multi-pack-index that lies alone somewhere is not at fault. */
static void compare_packs(const struct git_midx *midx, const struct by_pack *sorted, char **paths)
{
	uint32_t missing = 0;

	for (uint32_t pack = 0; pack < midx->pack_count; pack++)
		missing += access(paths[pack], F_OK) != 0;
	if (missing > 0 && missing == midx->pack_count) {
		blocksha_git_report_add(midx->file.report, BLOCKSHA_GIT_NOTE, GIT_NOWHERE, NULL,
					NULL, "no pack lies beside it: not compared");
		return;
	}
	for (uint32_t pack = 0; pack < midx->pack_count; pack++) {
		if (access(paths[pack], F_OK) == 0)
			compare_pack(midx, sorted, pack, paths[pack]);
		else
			blocksha_git_report_add(midx->file.report, BLOCKSHA_GIT_MISSING,
						GIT_NOWHERE, NULL, NULL, "is not there: %s",
						paths[pack]);
	}
}

static bool make_paths(const struct git_midx *midx, char **paths)
{
	for (uint32_t pack = 0; pack < midx->pack_count; pack++) {
		paths[pack] = blocksha_git_beside(midx->file.path, midx->packs[pack]);
		if (paths[pack] == NULL)
			return false;
	}
	return true;
}

static void compare_all(const struct git_midx *midx)
{
	char **paths = calloc((size_t)midx->pack_count + 1, sizeof(*paths));
	struct by_pack sorted = {NULL, NULL};

	if (paths != NULL && make_paths(midx, paths) && sort_by_pack(midx, &sorted))
		compare_packs(midx, &sorted, paths);
	else
		blocksha_git_report_add(midx->file.report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL,
					NULL, "no memory to compare it with its packs");
	for (uint32_t pack = 0; paths != NULL && pack < midx->pack_count; pack++)
		free(paths[pack]);
	free(paths);
	free(sorted.begin);
	free(sorted.members);
}

void blocksha_git_midx_verify(struct git_file *file, struct git_report *report)
{
	struct git_midx midx;

	if (!blocksha_git_midx_load(&midx, file, report) || !blocksha_git_report_is_good(report)) {
		blocksha_git_midx_free(&midx);
		return;
	}
	if (midx.file.data[7] == 0)
		compare_all(&midx);
	else
		blocksha_git_report_add(report, BLOCKSHA_GIT_NOTE, GIT_AT(7), NULL, NULL,
					"layer on other files: not compared with its packs");
	blocksha_git_midx_free(&midx);
}
