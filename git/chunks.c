/* SPDX-License-Identifier: MIT */
#include "chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocksha_byteorder.h"

#define FANOUT_SIZE 1024u
#define ROW_SIZE 12u /* of the table: a name of 4 bytes, an offset of 8 */

static void wrong(const struct git_chunk_file *file, uint64_t offset, const char *text)
{
	blocksha_git_report_add(file->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(offset), NULL, NULL,
				"%s", text);
}

/* --- The file ------------------------------------------------------------------------- */

static bool set_format(struct git_chunk_file *file, unsigned hash)
{
	enum blocksha_git_format wanted = file->report->options->format;

	if (hash != BLOCKSHA_GIT_SHA1 && hash != BLOCKSHA_GIT_SHA256) {
		blocksha_git_report_numbers(file->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(5), 1,
					    hash, "unknown hash");
		return false;
	}
	if (wanted != BLOCKSHA_GIT_INFER && hash != (unsigned)wanted) {
		blocksha_git_report_numbers(file->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(5),
					    (uint64_t)wanted, hash, "is of another hash");
		return false;
	}
	file->format = hash == BLOCKSHA_GIT_SHA1 ? BLOCKSHA_GIT_SHA1 : BLOCKSHA_GIT_SHA256;
	file->name_size = blocksha_git_name_size(file->format);
	file->report->format = file->format;
	return true;
}

bool blocksha_git_chunks_load(struct git_chunk_file *chunk_file, const struct git_file *file,
			      struct git_report *report, const char signature[4], const char *what)
{
	const size_t least = 12 + ROW_SIZE; /* header and the end of a table */

	memset(chunk_file, 0, sizeof(*chunk_file));
	chunk_file->path = file->path;
	chunk_file->report = report;
	if (file->size < least + BLOCKSHA_SHA1_DIGEST_SIZE) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE, NULL, NULL,
					"too short for a %s", what);
		return false;
	}
	chunk_file->data = blocksha_git_file_load(file, SIZE_MAX, report);
	if (chunk_file->data == NULL)
		return false;
	chunk_file->size = (size_t)file->size;
	if (memcmp(chunk_file->data, signature, 4) != 0) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, GIT_AT(0), NULL, NULL,
					"not a %s: does not begin with %.4s", what, signature);
		return false;
	}
	if (chunk_file->data[4] != 1) {
		blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, GIT_AT(4), 1,
					    chunk_file->data[4], "unknown version");
		return false;
	}
	if (!set_format(chunk_file, chunk_file->data[5]))
		return false;
	if (chunk_file->size < least + chunk_file->name_size) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE, NULL, NULL,
					"too short for a %s", what);
		return false;
	}
	chunk_file->end = chunk_file->size - chunk_file->name_size;
	return true;
}

void blocksha_git_chunks_free(struct git_chunk_file *file)
{
	free(file->data);
	memset(file, 0, sizeof(*file));
}

void blocksha_git_chunks_trailer(const struct git_chunk_file *file, const char *what)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];
	const unsigned char *trailer = file->data + file->end;
	char text[64];

	blocksha_git_checksum(file->format, file->data, file->end, digest);
	if (memcmp(digest, trailer, file->name_size) == 0)
		return;
	snprintf(text, sizeof(text), "wrong checksum of the %s", what);
	blocksha_git_report_digests(file->report, BLOCKSHA_GIT_DAMAGED, GIT_WHOLE_AT(file->end),
				    digest, trailer, file->name_size, text);
}

char *blocksha_git_beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
	size_t size = folder + strlen(name) + 1;
	char *beside = malloc(size);

	if (beside == NULL)
		return NULL;
	memcpy(beside, path, folder);
	memcpy(beside + folder, name, size - folder);
	return beside;
}

/* --- The table ------------------------------------------------------------------------ */

static struct git_chunk *find_known(const struct git_chunk_file *file, const unsigned char id[4])
{
	for (size_t i = 0; i < file->chunk_count; i++)
		if (memcmp(file->chunks[i].id, id, 4) == 0)
			return &file->chunks[i];
	return NULL;
}

/* One row, and where the next one says that the chunk ends. */
static bool take_row(struct git_chunk_file *file, const unsigned char *row, uint64_t least)
{
	uint64_t at = (uint64_t)(row - file->data);
	uint64_t begin = blocksha_get_be64(row + 4), end = blocksha_get_be64(row + ROW_SIZE + 4);
	struct git_chunk *chunk = find_known(file, row);

	if (blocksha_get_be32(row) == 0) {
		wrong(file, at, "table of chunks ends too early");
		return false;
	}
	if (begin < least || begin > end || end > file->end) {
		wrong(file, at + 4, "chunk that lies outside of the file, or over another one");
		return false;
	}
	if (chunk == NULL)
		return true;
	if (chunk->data != NULL) {
		blocksha_git_report_add(file->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(at), NULL,
					NULL, "chunk %s is there twice", chunk->id);
		return false;
	}
	chunk->data = file->data + begin;
	chunk->size = (size_t)(end - begin);
	chunk->offset = begin;
	return true;
}

static bool has_required(const struct git_chunk_file *file)
{
	bool good = true;

	for (size_t i = 0; i < file->chunk_count; i++) {
		if (!file->chunks[i].required || file->chunks[i].data != NULL)
			continue;
		good = false;
		blocksha_git_report_add(file->report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE, NULL,
					NULL, "chunk %s is missing", file->chunks[i].id);
	}
	return good;
}

bool blocksha_git_chunks_find(struct git_chunk_file *file, size_t offset, unsigned count,
			      struct git_chunk *known, size_t known_count)
{
	uint64_t least = offset + (uint64_t)ROW_SIZE * (count + 1);
	const unsigned char *row = file->data + offset;

	file->chunks = known;
	file->chunk_count = known_count;
	if (least > file->end) {
		blocksha_git_report_numbers(file->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(offset),
					    least, file->end, "no room for the table of chunks");
		return false;
	}
	for (unsigned i = 0; i < count; i++, row += ROW_SIZE) {
		if (!take_row(file, row, least))
			return false;
		least = blocksha_get_be64(row + ROW_SIZE + 4);
	}
	if (blocksha_get_be32(row) != 0 || blocksha_get_be64(row + 4) != file->end) {
		wrong(file, (uint64_t)(row - file->data),
		      "table of chunks does not end where the checksum begins");
		return false;
	}
	return has_required(file);
}

bool blocksha_git_chunk_has_size(const struct git_chunk_file *file, const struct git_chunk *chunk,
				 uint64_t size)
{
	char text[64];

	if (chunk->data == NULL)
		return false;
	if (chunk->size == size)
		return true;
	snprintf(text, sizeof(text), "wrong size of chunk %s", chunk->id);
	blocksha_git_report_numbers(file->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(chunk->offset),
				    size, chunk->size, text);
	return false;
}

/* --- Names ---------------------------------------------------------------------------- */

const unsigned char *blocksha_git_chunks_name(const struct git_chunk_file *file, uint32_t i)
{
	return file->names + (size_t)i * file->name_size;
}

struct git_place blocksha_git_chunks_place(const struct git_chunk_file *file,
					   const unsigned char *at, uint32_t i)
{
	return (struct git_place){(uint64_t)(at - file->data), blocksha_git_chunks_name(file, i),
				  false};
}

uint32_t blocksha_git_chunks_search(const struct git_chunk_file *file, const unsigned char *name)
{
	uint32_t low = 0, high = file->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int order = memcmp(blocksha_git_chunks_name(file, middle), name, file->name_size);

		if (order == 0)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return UINT32_MAX;
}

static bool check_fanout(const struct git_chunk_file *file, const struct git_chunk *fanout)
{
	bool good = true;

	for (unsigned i = 1; i < 256; i++) {
		const unsigned char *at = fanout->data + (size_t)4 * i;

		if (blocksha_get_be32(at) >= blocksha_get_be32(at - 4))
			continue;
		good = false;
		wrong(file, (uint64_t)(at - file->data), "fan-out table falls");
	}
	return good;
}

/* Whether name i stands where the fan-out table has its first byte. */
static bool in_its_bucket(const struct git_chunk_file *file, const unsigned char *fanout,
			  uint32_t i)
{
	unsigned first = blocksha_git_chunks_name(file, i)[0];

	return i < blocksha_get_be32(fanout + (size_t)4 * first) &&
	       (first == 0 || i >= blocksha_get_be32(fanout + (size_t)4 * first - 4));
}

static void check_order(const struct git_chunk_file *file, const unsigned char *fanout)
{
	for (uint32_t i = 0; i < file->count; i++) {
		const unsigned char *name = blocksha_git_chunks_name(file, i);
		struct git_place place = blocksha_git_chunks_place(file, name, i);

		if (i > 0 && memcmp(name - file->name_size, name, file->name_size) >= 0)
			blocksha_git_report_add(file->report, BLOCKSHA_GIT_MALFORMED, place, NULL,
						NULL, "names are not in order");
		else if (!in_its_bucket(file, fanout, i))
			blocksha_git_report_add(file->report, BLOCKSHA_GIT_MALFORMED, place, NULL,
						NULL, "name is not where the fan-out table has it");
	}
}

bool blocksha_git_chunks_names(struct git_chunk_file *file, const struct git_chunk *fanout,
			       const struct git_chunk *list)
{
	if (!blocksha_git_chunk_has_size(file, fanout, FANOUT_SIZE) || !check_fanout(file, fanout))
		return false;
	file->count = blocksha_get_be32(fanout->data + FANOUT_SIZE - 4);
	if (!blocksha_git_chunk_has_size(file, list, (uint64_t)file->count * file->name_size))
		return false;
	file->names = list->data;
	check_order(file, fanout->data);
	return true;
}
