/* SPDX-License-Identifier: MIT */
/*
 * chunks.h - what multi-pack-index and commit-graph have in common (gitformat-chunk): a table of
 * chunks, a sorted list of names with its fan-out table, a checksum at the end.
 */
#ifndef BLOCKSHA_GIT_CHUNKS_H
#define BLOCKSHA_GIT_CHUNKS_H

#include "git_hash.h"

struct git_chunk {
	const char *id; /* of a row of the known ones */
	bool required;
	/* Found in the file: */
	const unsigned char *data; /* NULL: is not there */
	size_t size;
	uint64_t offset;
};

struct git_chunk_file {
	const char *path;
	unsigned char *data;
	size_t size, end; /* of the file; where its trailer begins */
	struct git_report *report;
	enum blocksha_git_format format;
	size_t name_size;
	struct git_chunk *chunks; /* the known ones */
	size_t chunk_count;
	uint32_t count; /* of names */
	const unsigned char *names;
};

/* Loads the file, and looks at the first 6 bytes, which all have: signature, version 1, and the
   hash. False after a finding. */
bool blocksha_git_chunks_load(struct git_chunk_file *chunk_file, const struct git_file *file,
			      struct git_report *report, const char signature[4], const char *what);

/* Finds the chunks in the table that begins at offset and has count rows and one for the end. False
   after a finding. Chunks that are not known are passed over. */
bool blocksha_git_chunks_find(struct git_chunk_file *file, size_t offset, unsigned count,
			      struct git_chunk *known, size_t known_count);

/* Whether the chunk has that size: else a finding. A chunk that is not there has none. */
bool blocksha_git_chunk_has_size(const struct git_chunk_file *file, const struct git_chunk *chunk,
				 uint64_t size);

/* Looks at the fan-out table and the names: count and names are set then. False when they cannot be
   used. */
bool blocksha_git_chunks_names(struct git_chunk_file *file, const struct git_chunk *fanout,
			       const struct git_chunk *list);

/* Name i, and where it is; and the position of a name, or UINT32_MAX. */
const unsigned char *blocksha_git_chunks_name(const struct git_chunk_file *file, uint32_t i);
struct git_place blocksha_git_chunks_place(const struct git_chunk_file *file,
					   const unsigned char *at, uint32_t i);
uint32_t blocksha_git_chunks_search(const struct git_chunk_file *file, const unsigned char *name);

/* The checksum at the end. what: "the multi-pack-index". */
void blocksha_git_chunks_trailer(const struct git_chunk_file *file, const char *what);

void blocksha_git_chunks_free(struct git_chunk_file *file);

/* The path of a file of that name beside path, to be freed; NULL: no memory. */
char *blocksha_git_beside(const char *path, const char *name);

#endif
