/* SPDX-License-Identifier: MIT */
/*
 * walk_record.h - what the tests of the walk share: a visitor that records what it was told.
 */
#ifndef BLOCKSHA_WALK_RECORD_H
#define BLOCKSHA_WALK_RECORD_H

#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* as the program: its types, its readdir */
#endif
#include "scratch.h"

#include "../cli/dir.h"
#include "../cli/walk.h"

/* --- The record: a line for each call --------------------------------------- */

struct record {
	char **lines; /* "file NAME", "named NAME", "text NAME", "FIFO NAME", "error CODE NAME" */
	size_t count, capacity;
	size_t stop_after;              /* end the walk after so many lines; 0: never */
	void (*hook)(const char *line); /* called after each line, or NULL */
	unsigned most_open;             /* directories, seen during the calls */
};

static inline bool record_line(struct record *record, const char *what, const char *name)
{
	size_t size = strlen(what) + 1 + strlen(name) + 1;
	char *line = malloc(size);

	if (record->count == record->capacity) {
		record->capacity = 2 * record->capacity + 64;
		record->lines = realloc(record->lines, record->capacity * sizeof(*record->lines));
	}
	TEST_REQUIRE(line != NULL && record->lines != NULL, "malloc");
	snprintf(line, size, "%s %s", what, name);
	record->lines[record->count++] = line;
	if (dir_open_count() > record->most_open)
		record->most_open = dir_open_count();
	if (record->hook != NULL)
		record->hook(line);
	return record->count != record->stop_after;
}

static inline void record_free(struct record *record)
{
	for (size_t i = 0; i < record->count; i++)
		free(record->lines[i]);
	free(record->lines);
	memset(record, 0, sizeof(*record));
}

/* What the walk says about a file must be true of it. */
static inline void check_file(const struct walk_file *file, mode_t type)
{
	size_t length = strlen(file->name), tail = strlen(file->path);
	int flags = file->follow ? 0 : AT_SYMLINK_NOFOLLOW;
	struct stat status = {0}; /* as in listing.c */

	CHECK(tail <= length && strcmp(file->name + length - tail, file->path) == 0,
	      "%s is no end of %s", file->path, file->name);
	if (file->named)
		return;
	CHECK(strchr(file->path, '/') == NULL, "%s", file->path);
	if (fstatat(dir_fd(file->dir), file->path, &status, flags) == 0)
		CHECK_INT(status.st_mode & S_IFMT, type, "%s", file->path);
}

static inline bool record_file(void *context, const struct walk_file *file)
{
	check_file(file, S_IFREG);
	return record_line(context, file->named ? "named" : "file", file->name);
}

static inline bool record_text(void *context, const struct walk_file *file)
{
	check_file(file, S_IFLNK);
	return record_line(context, "text", file->name);
}

static inline bool record_skipped(void *context, const char *name, enum file_kind kind)
{
	return record_line(context, file_kind_text(kind), name);
}

static inline bool record_error(void *context, const char *name, int error)
{
	char what[32];

	snprintf(what, sizeof(what), "error %d", error);
	return record_line(context, what, name);
}

static inline bool record_make_room(void *context)
{
	(void)context;
	return true;
}

static inline struct walk_visitor record_visitor(struct record *record)
{
	return (struct walk_visitor){record_file,  record_text,      record_skipped,
				     record_error, record_make_room, record};
}

/* Walks and records; afterwards nothing may be open. */
static inline bool record_walk(struct record *record, const struct walk_options *options,
			       const char *root)
{
	struct walk_visitor visitor = record_visitor(record);
	unsigned open = dir_open_count();
	int descriptors = count_descriptors();
	bool completed = walk_tree(options, root, &visitor);

	CHECK_INT(dir_open_count(), open, "walk of %.80s", root);
	CHECK_INT(count_descriptors(), descriptors, "walk of %.80s", root);
	return completed;
}

/* Checks that the record is this text, a line for each; frees it. */
static inline void record_expect(struct record *record, const char *expected, const char *label)
{
	size_t size = 1;
	char *text, *at;

	for (size_t i = 0; i < record->count; i++)
		size += strlen(record->lines[i]) + 1;
	at = text = malloc(size);
	TEST_REQUIRE(text != NULL, "malloc");
	*at = '\0';
	for (size_t i = 0; i < record->count; i++)
		at += snprintf(at, size - (size_t)(at - text), "%s\n", record->lines[i]);
	CHECK(strcmp(text, expected) == 0, "%s: got\n%sand not\n%s", label, text, expected);
	free(text);
	record_free(record);
}

static inline void walk_expect(const struct walk_options *options, const char *root,
			       const char *expected)
{
	struct record record = {0};

	record_walk(&record, options, root);
	record_expect(&record, expected, root);
}

#endif
