/* SPDX-License-Identifier: MIT */
/*
 * index.h - the index of a working tree, versions 2, 3 and 4 (gitformat-index).
 */
#ifndef BLOCKSHA_GIT_INDEX_H
#define BLOCKSHA_GIT_INDEX_H

#include "cursor.h"
#include "ewah.h"
#include "git_hash.h"

struct git_index {
	const char *path;          /* of the file; a shared index lies beside it */
	const unsigned char *data; /* the file */
	size_t size;
	size_t end; /* where the trailer begins */
	struct git_report *report;
	enum blocksha_git_format format;
	size_t name_size;
	uint32_t version, count;
	size_t *offsets;            /* of the entries that were read, and of their end */
	uint32_t read;              /* how many */
	size_t directory;           /* offset of the first entry that is a directory, or 0 */
	size_t nameless;            /* offset of the first entry without a path */
	uint32_t nameless_count;    /* entries without a path, which stand first */
	uint32_t extensions;        /* those seen: a bit a row of the table */
	uint32_t shared_count;      /* entries of the shared index, when it could be read */
	bool is_split, shared_read; /* has a link extension; and the shared index could be read */
	bool is_shared;             /* is the shared index of another: looks at no further one */
};

/* As row of the table of kinds. */
void blocksha_git_index_verify(struct git_file *file, struct git_report *report);

/* Adds a finding about this place of the index. */
#define git_index_wrong(index, offset, ...)                                                    \
	blocksha_git_report_add((index)->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(offset), NULL, \
				NULL, __VA_ARGS__)

/* index_entries.c: reads the entries. False when one has no known end, so that what follows cannot
   be found. */
bool blocksha_git_index_entries(struct git_index *index);

/* index_extensions.c: reads what stands between the entries and the trailer. */
void blocksha_git_index_extensions(struct git_index *index);

/* index_split.c: looks at the shared index of that name. Its trailer is what the name says. */
void blocksha_git_index_shared(struct git_index *index, const unsigned char *name, size_t offset);

/* Reads an index in memory all through, but for the trailer and the shared index. False when its
   entries could not be read. The members path, data, size, end, report and format are set before;
   offsets is freed by the caller. */
bool blocksha_git_index_parse(struct git_index *index);

/* A path for a message: what cannot be printed is escaped, and it is cut when it is long. */
enum { GIT_QUOTED_SIZE = 96 };
const char *blocksha_git_quote(char quoted[GIT_QUOTED_SIZE], const unsigned char *path,
			       size_t size);

#endif
