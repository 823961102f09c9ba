/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* tsearch, strdup */

#include "listfile.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "checklist.h"
#include "line.h"
#include "lines.h"
#include "message.h"
#include "nameset.h"

/* --- Files -------------------------------------------------------------------------- */

static int compare(const void *one, const void *other)
{
	return strcmp(((const struct listfile_file *)one)->key,
		      ((const struct listfile_file *)other)->key);
}

static void file_free(struct listfile_file *file)
{
	if (file == NULL)
		return;
	free(file->name);
	free(file->key);
	free(file);
}

/* The file of that name, made if there is none. */
static struct listfile_file *obtain(struct listfile *list, const char *name)
{
	struct listfile_file *file = calloc(1, sizeof(*file));
	struct listfile_file **node;

	if (file == NULL)
		return NULL;
	file->key = nameset_key(name);
	node = file->key != NULL ? tsearch(file, &list->tree, compare) : NULL;
	if (node == NULL || *node != file) {
		file_free(file);
		return node != NULL ? *node : NULL;
	}
	file->name = strdup(name);
	if (file->name != NULL)
		return file;
	tdelete(file, &list->tree, compare);
	file_free(file);
	return NULL;
}

struct listfile_file *listfile_find(const struct listfile *list, const char *name)
{
	struct listfile_file wanted = {.key = nameset_key(name)};
	struct listfile_file **node;

	if (wanted.key == NULL)
		return NULL;
	node = tfind(&wanted, &list->tree, compare);
	free(wanted.key);
	/* One without algorithms has a stamp, but no line. */
	return node != NULL && (*node)->algorithms != 0 ? *node : NULL;
}

/* --- Lines -------------------------------------------------------------------------- */

/* A new last line; NULL: no memory. */
static struct listfile_line *append(struct listfile *list)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity != 0 ? 2 * list->capacity : 64;
		struct listfile_line *lines = realloc(list->lines, capacity * sizeof(*lines));

		if (lines == NULL)
			return NULL;
		list->lines = lines;
		list->capacity = capacity;
	}
	list->lines[list->count] = (struct listfile_line){0};
	return &list->lines[list->count++];
}

static bool append_digest(struct listfile *list, struct listfile_file *file,
			  const struct digest_algorithm *algorithm)
{
	struct listfile_line *line = append(list);

	if (line == NULL)
		return false;
	line->file = file;
	line->algorithm = algorithm;
	if (file->algorithms == 0)
		file->first_line = list->count - 1;
	file->algorithms |= 1U << algorithm->id;
	digest_set_add(&list->used, algorithm);
	return true;
}

static bool append_comment(struct listfile *list, const char *text, size_t length)
{
	struct listfile_line *line = append(list);

	if (line == NULL)
		return false;
	line->text = malloc(length + 1);
	if (line->text == NULL) {
		list->count--;
		return false;
	}
	if (length > 0)
		memcpy(line->text, text, length);
	line->length = length;
	return true;
}

bool listfile_complete(struct listfile *list, struct listfile_file *file,
		       const struct digest_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if ((file->algorithms & 1U << set->algorithms[i]->id) == 0 &&
		    !append_digest(list, file, set->algorithms[i]))
			return false;
	return true;
}

struct listfile_file *listfile_add(struct listfile *list, const char *name,
				   const struct digest_set *set)
{
	struct listfile_file *file = obtain(list, name);

	return file != NULL && listfile_complete(list, file, set) ? file : NULL;
}

void listfile_begin(struct listfile *list, const char *name, const struct digest_set *algorithms)
{
	*list = (struct listfile){.name = name, .algorithms = algorithms};
}

void listfile_free(struct listfile *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->lines[i].text);
	free(list->lines);
	while (list->tree != NULL) {
		struct listfile_file *file = *(struct listfile_file **)list->tree;

		tdelete(file, &list->tree, compare);
		file_free(file);
	}
	*list = (struct listfile){0};
}

/* --- Reading ------------------------------------------------------------------------ */

/* Stamps stand before the lines of their files, so these may not be there yet. */
static bool take_stamp(struct listfile *list, const char *text, size_t length, bool *is_stamp)
{
	struct listfile_file *file;
	struct stamp stamp;
	char *copy, *name;

	while (length > 0 && text[length - 1] == '\r') /* of a name it would be escaped */
		length--;
	copy = malloc(length + 1);
	if (copy == NULL)
		return false;
	if (length > 0)
		memcpy(copy, text, length);
	name = stamp_parse(copy, length, &stamp);
	*is_stamp = name != NULL;
	file = name != NULL ? obtain(list, name) : NULL;
	if (file != NULL) {
		file->has_stamp = true;
		file->stamp = stamp;
	}
	free(copy);
	return !*is_stamp || file != NULL;
}

static bool take_comment(struct listfile *list, const struct line *line)
{
	bool is_stamp = false;

	if (line->length > 0 && !take_stamp(list, line->text, line->length, &is_stamp))
		return false;
	return is_stamp || append_comment(list, line->text, line->length);
}

static bool take_entry(struct listfile *list, uint64_t number, const struct checklist_entry *entry)
{
	const struct digest_algorithm *algorithm = entry->algorithm;
	struct listfile_file *file = obtain(list, entry->name);
	struct digest_value *known;

	if (file == NULL)
		return false;
	known = &file->digests[algorithm->id];
	if ((file->algorithms & 1U << algorithm->id) == 0) {
		*known = entry->digest;
		return append_digest(list, file, algorithm);
	}
	if (memcmp(known->bytes, entry->digest.bytes, algorithm->size) != 0) {
		message_at_line(list->name, number, entry->name, "another %s digest stands above",
				algorithm->tag);
		list->contradictions++;
	}
	return true;
}

static void complain(struct listfile *list, uint64_t number, const struct checklist_entry *entry)
{
	if (entry == NULL) {
		list->malformed++;
		message_at_line(list->name, number, NULL, "improperly formatted checksum line");
		return;
	}
	list->unsupported++;
	if (entry->foreign != NULL)
		message_at_line(list->name, number, entry->name, "%s is not supported",
				entry->foreign);
	else
		message_at_line(list->name, number, entry->name,
				"no supported algorithm has digests of %zu bits",
				8 * entry->foreign_size);
}

/* Takes a line. Returns NULL, or why the list cannot be read on. */
static const char *take_line(struct listfile *list, struct checklist *grammar, uint64_t number,
			     struct line *line)
{
	struct checklist_entry entry;
	bool had_entries = list->used.count > 0;
	bool done = true;

	if (line->too_long) {
		complain(list, number, NULL);
		return NULL;
	}
	switch (checklist_parse(grammar, line->text, line->length, &entry)) {
	case CHECKLIST_NOTHING:
		done = take_comment(list, line);
		break;
	case CHECKLIST_ENTRY:
		if (entry.matches_nothing) {
			complain(list, number, NULL);
			break;
		}
		done = take_entry(list, number, &entry);
		if (!had_entries)
			list->tagged = entry.is_tagged;
		break;
	case CHECKLIST_UNSUPPORTED:
		complain(list, number, &entry);
		break;
	case CHECKLIST_MALFORMED:
		complain(list, number, NULL);
		break;
	case CHECKLIST_UTF16:
		return "the list is in UTF-16; it must be in UTF-8 or ASCII";
	case CHECKLIST_SIGNED_LATE:
		return "a signed message begins behind lines that it does not sign";
	}
	return done ? NULL : strerror(ENOMEM);
}

const char *listfile_read(struct listfile *list, int fd)
{
	struct checklist grammar = {.algorithms = list->algorithms};
	const char *error = NULL;
	struct lines lines;
	struct line line;

	if (!lines_begin(&lines, fd, '\n'))
		return strerror(ENOMEM);
	while (error == NULL && lines_next(&lines, &line))
		error = take_line(list, &grammar, lines.number, &line);
	if (error == NULL && lines.error != 0)
		error = strerror(lines.error);
	if (error == NULL && !checklist_may_end(&grammar))
		error = "the signed message has no end";
	list->is_signed = grammar.clearsign != CLEARSIGN_NONE;
	lines_end(&lines);
	return error;
}

/* --- Writing ------------------------------------------------------------------------ */

void listfile_write(const struct listfile *list, FILE *out, bool tagged)
{
	const struct line_format format = {.tagged = tagged};

	for (size_t i = 0; i < list->count; i++) {
		const struct listfile_line *line = &list->lines[i];
		const struct listfile_file *file = line->file;

		if (file == NULL) {
			fwrite(line->text, 1, line->length, out);
			putc('\n', out);
			continue;
		}
		if (file->removed)
			continue;
		if (file->has_stamp && file->first_line == i)
			stamp_write(out, &file->stamp, file->name);
		line_digest(out, &format, file->name, line->algorithm,
			    &file->digests[line->algorithm->id]);
	}
}
