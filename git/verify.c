/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bitmap.h"
#include "bundle.h"
#include "commit_graph.h"
#include "common.h"
#include "idx.h"
#include "index.h"
#include "kinds.h"
#include "loose.h"
#include "midx.h"
#include "pack.h"
#include "rev.h"

/* --- A pack and its index --------------------------------------------------------- */

/* path with its suffix, ".pack", replaced; NULL: it has none, or no memory. */
static char *beside(const char *path, const char *suffix)
{
	size_t length = strlen(path), stem;
	char *other;

	if (length < 5 || strcmp(path + length - 5, ".pack") != 0)
		return NULL;
	stem = length - 5;
	other = malloc(stem + strlen(suffix) + 1);
	if (other == NULL)
		return NULL;
	memcpy(other, path, stem);
	memcpy(other + stem, suffix, strlen(suffix) + 1);
	return other;
}

static bool exists(const char *path)
{
	return path != NULL && access(path, F_OK) == 0;
}

static void verify_pack(struct git_file *file, struct git_report *report)
{
	char *idx_path = beside(file->path, ".idx");
	char *promisor_path = beside(file->path, ".promisor");
	bool promisor = exists(promisor_path);
	struct git_report idx_report;
	struct git_file idx;

	if (exists(idx_path)) {
		blocksha_git_report_begin(&idx_report, report->options, idx_path);
		if (blocksha_git_file_open(&idx, idx_path, true, &idx_report)) {
			blocksha_git_pack_verify(file, report, &idx, &idx_report, promisor);
			blocksha_git_file_close(&idx, &idx_report);
		} else {
			blocksha_git_pack_verify(file, report, NULL, NULL, promisor);
		}
		report->companion = blocksha_git_report_end(&idx_report);
	} else {
		if (idx_path != NULL)
			blocksha_git_report_add(report, BLOCKSHA_GIT_NOTE, GIT_NOWHERE, NULL, NULL,
						"has no index beside it");
		blocksha_git_pack_verify(file, report, NULL, NULL, promisor);
	}
	free(idx_path);
	free(promisor_path);
}

/* --- Kinds ------------------------------------------------------------------------ */

static const struct git_file_kind kinds[] = {
	{NULL, ".pack", "PACK", 4, verify_pack},
	{NULL, ".idx", "\377tOc", 4, blocksha_git_idx_verify},
	{NULL, ".rev", "RIDX", 4, blocksha_git_rev_verify},
	{NULL, ".mtimes", "MTME", 4, blocksha_git_mtimes_verify},
	{NULL, ".bitmap", "BITM", 4, blocksha_git_bitmap_verify},
	{NULL, ".bundle", "# v", 3, blocksha_git_bundle_verify},
	{"multi-pack-index", NULL, "MIDX", 4, blocksha_git_midx_verify},
	{"commit-graph", ".graph", "CGPH", 4, blocksha_git_commit_graph_verify},
	{"commit-graph-chain", NULL, NULL, 0, blocksha_git_commit_graph_chain_verify},
	{"index", ".index", "DIRC", 4, blocksha_git_index_verify},
	{"sharedindex.", NULL, NULL, 0, blocksha_git_index_verify},
};

static const struct git_file_kind loose_kind = {NULL, NULL, NULL, 0, blocksha_git_loose_verify};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool has_name(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t size = strlen(name);

	path = slash != NULL ? slash + 1 : path;
	return name[size - 1] == '.' ? strncmp(path, name, size) == 0 : strcmp(path, name) == 0;
}

const struct git_file_kind *blocksha_git_kind_by_name(const char *path)
{
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	size_t length = strlen(path);

	for (size_t i = 0; i < COUNT(kinds); i++) {
		size_t size = kinds[i].suffix != NULL ? strlen(kinds[i].suffix) : 0;

		if (kinds[i].name != NULL && has_name(path, kinds[i].name))
			return &kinds[i];
		if (size != 0 && length > size &&
		    strcmp(path + length - size, kinds[i].suffix) == 0)
			return &kinds[i];
	}
	if (blocksha_git_loose_name(path, name) != BLOCKSHA_GIT_INFER)
		return &loose_kind;
	return NULL;
}

/* Whether a zlib stream can begin so (RFC 1950): deflate, and a check of both bytes. */
static bool begins_as_zlib(const unsigned char *start, size_t size)
{
	return size == 2 && (start[0] & 0x8f) == 8 && (start[0] * 256u + start[1]) % 31 == 0;
}

static const struct git_file_kind *kind_by_start(const struct git_file *file,
						 struct git_report *report)
{
	unsigned char start[16];
	size_t size = file->size < sizeof(start) ? (size_t)file->size : sizeof(start);

	if (!blocksha_git_file_read(file, start, size, 0, report))
		return NULL;
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].start != NULL && size >= kinds[i].start_size &&
		    memcmp(start, kinds[i].start, kinds[i].start_size) == 0)
			return &kinds[i];
	if (begins_as_zlib(start, size < 2 ? size : 2))
		return &loose_kind;
	blocksha_git_report_add(report, BLOCKSHA_GIT_MALFORMED, GIT_AT(0), NULL, NULL,
				"is no file of git that can be verified");
	return NULL;
}

int blocksha_git_verify_file(const char *path, bool listed,
			     const struct blocksha_git_options *options)
{
	const struct git_file_kind *kind = blocksha_git_kind_by_name(path);
	struct git_report report;
	struct git_file file;

	blocksha_git_report_begin(&report, options, path);
	if (blocksha_git_file_open(&file, path, listed, &report)) {
		if (kind == NULL)
			kind = kind_by_start(&file, &report);
		if (kind != NULL)
			kind->verify(&file, &report);
		blocksha_git_file_close(&file, &report);
	}
	return blocksha_git_report_end(&report);
}

BLOCKSHA_EXPORT int blocksha_git_verify(const char *path,
					const struct blocksha_git_options *options)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return blocksha_git_verify_repository(path, options);
	return blocksha_git_verify_file(path, false, options);
}
