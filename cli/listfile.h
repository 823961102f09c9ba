/* SPDX-License-Identifier: MIT */
/*
 * listfile.h - a whole checksum list in memory: its files by name, and its lines in their order.
 */
#ifndef BLOCKSHA_CLI_LISTFILE_H
#define BLOCKSHA_CLI_LISTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "digest.h"
#include "stamp.h"

/* What a list says of a file. */
struct listfile_file {
	char *name;
	char *key;           /* of nameset.h */
	unsigned algorithms; /* of the digests that are there: bits, by digest_id */
	struct digest_value digests[DIGEST_COUNT];
	bool has_stamp;
	struct stamp stamp;
	size_t first_line; /* where its lines begin */
	int mark;          /* the caller's; 0 at first */
	bool removed;      /* set by the caller: its lines are not written */
};

/* A line: a digest of a file, or a comment. */
struct listfile_line {
	struct listfile_file *file; /* NULL: a comment, or an empty line */
	const struct digest_algorithm *algorithm;
	char *text; /* of the comment */
	size_t length;
};

struct listfile {
	const char *name;                    /* in messages */
	const struct digest_set *algorithms; /* that its lines may have */
	void *tree;                          /* of files, by key */
	struct listfile_line *lines;
	size_t count, capacity;
	struct digest_set used;          /* algorithms of its lines, in order of appearance */
	bool tagged;                     /* its first line of a file is tagged */
	bool is_signed;                  /* by OpenPGP */
	uint64_t malformed, unsupported; /* lines that are not here */
	uint64_t contradictions;         /* files with two digests of one algorithm */
};

/* An empty list. */
void listfile_begin(struct listfile *list, const char *name, const struct digest_set *algorithms);
void listfile_free(struct listfile *list);

/* Reads the lines of fd into the list. Messages name lines that are malformed, unsupported or
   contradict others. Returns NULL, or why the list could not be read to its end. */
const char *listfile_read(struct listfile *list, int fd);

/* The file of that name, or NULL. */
struct listfile_file *listfile_find(const struct listfile *list, const char *name);

/* Adds a file that is not there yet, with lines for the algorithms of the set; the digests are up
   to the caller. NULL: no memory. */
struct listfile_file *listfile_add(struct listfile *list, const char *name,
				   const struct digest_set *set);

/* Adds lines for the algorithms of the set that a file lacks, behind all others. Returns false when
   there is no memory. */
bool listfile_complete(struct listfile *list, struct listfile_file *file,
		       const struct digest_set *set);

/* Writes all lines, and before the first one of a file its stamp if it has one. */
void listfile_write(const struct listfile *list, FILE *out, bool tagged);

#endif
