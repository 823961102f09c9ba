/* SPDX-License-Identifier: MIT */
/*
 * Header and trailer of an index, and which hash it is of: the file does not say. It is the one
 * whose checksum fits, or else the one with which more of the file can be read.
 */
#include "index.h"

#include <stdio.h>
#include <stdlib.h>

#define HEADER_SIZE 12u

static const unsigned char signature[4] = {'D', 'I', 'R', 'C'};

const char *blocksha_git_quote(char quoted[GIT_QUOTED_SIZE], const unsigned char *path, size_t size)
{
	static const char more[] = "...";
	size_t length = 0;

	for (size_t i = 0; i < size; i++) {
		if (length + sizeof("\\000") + sizeof(more) > GIT_QUOTED_SIZE) {
			memcpy(quoted + length, more, sizeof(more));
			return quoted;
		}
		if (path[i] > ' ' && path[i] < 0x7f && path[i] != '\\')
			quoted[length++] = (char)path[i];
		else
			length += (size_t)snprintf(quoted + length, sizeof("\\000"), "\\%03o",
						   path[i]);
	}
	quoted[length] = '\0';
	return quoted;
}

/* --- Trailer -------------------------------------------------------------------------- */

static bool is_null(const unsigned char *name, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (name[i] != 0)
			return false;
	return true;
}

static bool checksum_fits(const struct git_index *index, enum blocksha_git_format format,
			  unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE])
{
	size_t name_size = blocksha_git_name_size(format);

	if (index->size < HEADER_SIZE + name_size)
		return false;
	blocksha_git_checksum(format, index->data, index->size - name_size, digest);
	return memcmp(digest, index->data + index->size - name_size, name_size) == 0;
}

static void check_trailer(const struct git_index *index)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];
	struct git_report *report = index->report;
	enum blocksha_git_kind kind = BLOCKSHA_GIT_NOTE;

	if (is_null(index->data + index->end, index->name_size)) {
		if ((report->options->flags & BLOCKSHA_GIT_FLAG_REQUIRE_CHECKSUM) != 0)
			kind = BLOCKSHA_GIT_DAMAGED;
		blocksha_git_report_add(report, kind, GIT_AT(index->end), NULL, NULL,
					"unprotected (skipHash)");
	} else if (!checksum_fits(index, index->format, digest)) {
		blocksha_git_report_digests(report, BLOCKSHA_GIT_DAMAGED, GIT_WHOLE_AT(index->end),
					    digest, index->data + index->end, index->name_size,
					    "wrong checksum of the index");
	}
}

/* --- Format --------------------------------------------------------------------------- */

static void set_format(struct git_index *index, enum blocksha_git_format format)
{
	index->format = format;
	index->name_size = blocksha_git_name_size(format);
	index->end = index->size - index->name_size;
}

/* How well the file can be read in this format: entries, and whether all of it is well. */
static uint64_t fitness(const struct git_index *index, enum blocksha_git_format format)
{
	const struct blocksha_git_options silent = {.max_findings = 1};
	struct git_index trial = *index;
	struct git_report report;
	uint64_t read;

	if (index->size < HEADER_SIZE + blocksha_git_name_size(format))
		return 0;
	blocksha_git_report_begin(&report, &silent, index->path);
	report.format = format;
	trial.report = &report;
	set_format(&trial, format);
	blocksha_git_index_parse(&trial);
	read = 1 + 2 * (uint64_t)trial.read;
	if (blocksha_git_report_end(&report) == BLOCKSHA_OK)
		read++;
	free(trial.offsets);
	return read;
}

static enum blocksha_git_format find_format(const struct git_index *index)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];

	if (index->report->options->format != BLOCKSHA_GIT_INFER)
		return index->report->options->format;
	if (checksum_fits(index, BLOCKSHA_GIT_SHA1, digest))
		return BLOCKSHA_GIT_SHA1;
	if (checksum_fits(index, BLOCKSHA_GIT_SHA256, digest))
		return BLOCKSHA_GIT_SHA256;
	return fitness(index, BLOCKSHA_GIT_SHA256) > fitness(index, BLOCKSHA_GIT_SHA1)
		       ? BLOCKSHA_GIT_SHA256
		       : BLOCKSHA_GIT_SHA1;
}

/* --- All ------------------------------------------------------------------------------ */

bool blocksha_git_index_parse(struct git_index *index)
{
	index->version = blocksha_get_be32(index->data + 4);
	index->count = blocksha_get_be32(index->data + 8);
	if (memcmp(index->data, signature, sizeof(signature)) != 0) {
		git_index_wrong(index, 0, "not an index: does not begin with DIRC");
		return false;
	}
	if (index->version < 2 || index->version > 4) {
		blocksha_git_report_numbers(index->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(4), 2,
					    index->version, "unknown version of an index");
		return false;
	}
	if (!blocksha_git_index_entries(index))
		return false;
	blocksha_git_index_extensions(index);
	return true;
}

void blocksha_git_index_verify(struct git_file *file, struct git_report *report)
{
	struct git_index index = {.path = file->path, .report = report};
	enum blocksha_git_format format = report->options->format;
	size_t least = HEADER_SIZE + (format == BLOCKSHA_GIT_SHA256 ? BLOCKSHA_SHA256_DIGEST_SIZE
								    : BLOCKSHA_SHA1_DIGEST_SIZE);
	unsigned char *data;

	if (file->size < least) {
		blocksha_git_report_numbers(report, BLOCKSHA_GIT_MALFORMED, GIT_NOWHERE, least,
					    file->size, "too short for an index");
		return;
	}
	data = blocksha_git_file_load(file, SIZE_MAX, report);
	if (data == NULL)
		return;
	index.data = data;
	index.size = (size_t)file->size;
	set_format(&index, find_format(&index));
	report->format = index.format;
	blocksha_git_index_parse(&index);
	check_trailer(&index);
	free(index.offsets);
	free(data);
}
