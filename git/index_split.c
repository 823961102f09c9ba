/* SPDX-License-Identifier: MIT */
#include "index.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char prefix[] = "sharedindex.";

static bool is_null(const unsigned char *name, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (name[i] != 0)
			return false;
	return true;
}

/* The path of the shared index, in the folder of the index; NULL: no memory. */
static char *shared_path(const char *path, const char *hex)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
	size_t size = folder + sizeof(prefix) + strlen(hex);
	char *shared = malloc(size);

	if (shared != NULL)
		snprintf(shared, size, "%.*s%s%s", (int)folder, path, prefix, hex);
	return shared;
}

/* Reads the shared index as far as this one needs it. Its own findings are not ours: they are told
   when it is verified itself. Returns what is wrong with it, or NULL. */
static const char *read_shared(struct git_index *index, struct git_index *shared,
			       const unsigned char *name)
{
	const unsigned char *trailer = shared->data + shared->size - index->name_size;

	if (shared->size < 12 + index->name_size)
		return "is too short";
	shared->format = index->format;
	shared->name_size = index->name_size;
	shared->end = shared->size - index->name_size;
	if (memcmp(trailer, name, index->name_size) != 0)
		return "has another checksum than its name says";
	if (!blocksha_git_index_parse(shared) || !blocksha_git_report_is_good(shared->report))
		return "is malformed";
	index->shared_count = shared->count;
	index->shared_read = true;
	return NULL;
}

static void look_at(struct git_index *index, struct git_index *shared, struct git_file *file,
		    const unsigned char *name, size_t offset)
{
	unsigned char *data = blocksha_git_file_load(file, SIZE_MAX, index->report);
	const char *error;

	if (data == NULL)
		return;
	shared->data = data;
	shared->size = (size_t)file->size;
	error = read_shared(index, shared, name);
	if (error != NULL)
		blocksha_git_report_add(index->report, BLOCKSHA_GIT_DAMAGED, GIT_AT(offset), NULL,
					NULL, "shared index %s %s", file->path, error);
	free(shared->offsets);
	free(data);
}

static void read_file(struct git_index *index, const char *path, const unsigned char *name,
		      size_t offset)
{
	const struct blocksha_git_options silent = {.max_findings = 1};
	struct git_index shared = {.path = path, .is_shared = true};
	struct git_report report;
	struct git_file file;
	struct stat status;

	if (stat(path, &status) != 0 && errno == ENOENT) {
		blocksha_git_report_add(index->report, BLOCKSHA_GIT_MISSING, GIT_AT(offset), NULL,
					NULL, "shared index is not there: %s", path);
		return;
	}
	if (!blocksha_git_file_open(&file, path, false, index->report))
		return;
	blocksha_git_report_begin(&report, &silent, path);
	report.format = index->format;
	shared.report = &report;
	look_at(index, &shared, &file, name, offset);
	(void)blocksha_git_report_end(&report);
	blocksha_git_file_close(&file, index->report);
}

void blocksha_git_index_shared(struct git_index *index, const unsigned char *name, size_t offset)
{
	char hex[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];
	char *path;

	/* The null name: there is none, all entries are here. */
	if (is_null(name, index->name_size))
		return;
	blocksha_hex_encode(hex, name, index->name_size);
	path = shared_path(index->path, hex);
	if (path == NULL) {
		blocksha_git_report_add(index->report, BLOCKSHA_GIT_LIMIT, GIT_AT(offset), NULL,
					NULL, "no memory for a path");
		return;
	}
	read_file(index, path, name, offset);
	free(path);
}
