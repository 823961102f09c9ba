/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char midx_name[] = "multi-pack-index";

/* path with another suffix, or the multi-pack-index beside it; NULL: no memory. */
static char *owner_path(const char *path, const char *suffix, bool *is_midx)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t stem = strlen(path);
	char *other;

	*is_midx =
		strncmp(name, midx_name, strlen(midx_name)) == 0 && name[strlen(midx_name)] == '-';
	if (*is_midx)
		return blocksha_git_beside(path, midx_name);
	if (stem > strlen(suffix) && strcmp(path + stem - strlen(suffix), suffix) == 0)
		stem -= strlen(suffix);
	other = malloc(stem + sizeof(".idx"));
	if (other == NULL)
		return NULL;
	memcpy(other, path, stem);
	memcpy(other + stem, ".idx", sizeof(".idx"));
	return other;
}

/* Its own findings are told when it is verified itself. */
static bool load(struct git_owner *owner, const struct git_file *file,
		 enum blocksha_git_format format)
{
	const struct blocksha_git_options silent = {.format = format, .max_findings = 1};
	struct git_report report;
	bool good;

	blocksha_git_report_begin(&report, &silent, file->path);
	if (owner->is_midx) {
		good = blocksha_git_midx_load(&owner->midx, file, &report) &&
		       blocksha_git_report_is_good(&report);
	} else {
		good = blocksha_git_idx_load(&owner->idx, file, &report);
	}
	(void)blocksha_git_report_end(&report);
	if (!good)
		return false;
	owner->count = owner->is_midx ? owner->midx.file.count : owner->idx.count;
	owner->checksum = owner->is_midx ? owner->midx.file.data + owner->midx.file.end
					 : owner->idx.pack_checksum;
	return true;
}

bool blocksha_git_owner_load(struct git_owner *owner, const char *path, const char *suffix,
			     enum blocksha_git_format format, struct git_report *report)
{
	struct git_file file;
	bool good;

	memset(owner, 0, sizeof(*owner));
	owner->path = owner_path(path, suffix, &owner->is_midx);
	if (owner->path == NULL) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
		return false;
	}
	if (access(owner->path, F_OK) != 0) {
		blocksha_git_report_add(report, BLOCKSHA_GIT_NOTE, GIT_NOWHERE, NULL, NULL,
					"not compared with the objects: there is no %s",
					owner->path);
		return false;
	}
	if (!blocksha_git_file_open(&file, owner->path, false, report))
		return false;
	good = load(owner, &file, format);
	if (!good)
		blocksha_git_report_add(report, BLOCKSHA_GIT_DAMAGED, GIT_NOWHERE, NULL, NULL,
					"not compared with %s, which is not good itself",
					owner->path);
	owner->midx.file.report = report;
	blocksha_git_file_close(&file, report);
	return good;
}

void blocksha_git_owner_free(struct git_owner *owner)
{
	blocksha_git_idx_free(&owner->idx);
	blocksha_git_midx_free(&owner->midx);
	free(owner->path);
	memset(owner, 0, sizeof(*owner));
}
