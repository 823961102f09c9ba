/* SPDX-License-Identifier: MIT */
#include "listdiff.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input.h"
#include "line.h"
#include "listfile.h"
#include "message.h"
#include "output.h"
#include "status.h"

struct comparison {
	const struct listdiff_options *options;
	struct listfile old_list, new_list;
	uint64_t compared;  /* files that are in both */
	uint64_t different; /* files with a line of output, or without an algorithm in common */
};

/* Reads a list, which is begun. Returns false after a message. */
static bool read_list(struct listfile *list, const char *name)
{
	int fd = input_open(name);
	const char *error = fd >= 0 ? listfile_read(list, fd) : strerror(errno);

	if (fd >= 0)
		close(fd);
	if (error != NULL)
		message_about(list->name, "%s", error);
	return error == NULL;
}

/* Whether all lines of a list are in it, so that they can be compared. */
static bool is_whole(const struct listfile *list)
{
	return list->malformed == 0 && list->unsupported == 0 && list->contradictions == 0;
}

static void tell(struct comparison *comparison, const struct listfile_file *file, const char *text)
{
	comparison->different++;
	if (!comparison->options->silent)
		line_verdict(stdout, file->name, comparison->options->quoted, text);
}

static bool have_equal_digests(const struct listfile_file *one, const struct listfile_file *other)
{
	for (size_t i = 0; i < DIGEST_COUNT; i++)
		if ((one->algorithms & other->algorithms & 1U << i) != 0 &&
		    memcmp(one->digests[i].bytes, other->digests[i].bytes,
			   digest_algorithms[i].size) != 0)
			return false;
	return true;
}

/* A file of the old list. */
static void compare_old(struct comparison *comparison, const struct listfile_file *file)
{
	const struct listfile_file *other = listfile_find(&comparison->new_list, file->name);

	if (other == NULL) {
		tell(comparison, file, "MISSING");
	} else if ((file->algorithms & other->algorithms) == 0) {
		comparison->different++;
		output_flush();
		message_about(file->name, "the lists have no algorithm in common for it");
	} else {
		comparison->compared++;
		if (!have_equal_digests(file, other))
			tell(comparison, file, "CHANGED");
	}
}

/* One of the new list. */
static void compare_new(struct comparison *comparison, const struct listfile_file *file)
{
	if (listfile_find(&comparison->old_list, file->name) == NULL)
		tell(comparison, file, "NEW");
}

static void for_each_file(const struct listfile *list, struct comparison *comparison,
			  void (*function)(struct comparison *, const struct listfile_file *))
{
	for (size_t i = 0; i < list->count; i++) {
		const struct listfile_file *file = list->lines[i].file;

		if (file != NULL && file->first_line == i)
			function(comparison, file);
	}
}

static const char *title_of(const char *name)
{
	return input_is_stdin(name) ? "standard input" : name;
}

/* Compares lists that were read. Returns the exit code. */
static int compare(struct comparison *comparison)
{
	for_each_file(&comparison->old_list, comparison, compare_old);
	for_each_file(&comparison->new_list, comparison, compare_new);
	if (comparison->compared == 0 && comparison->different == 0)
		message("no file was compared");
	return comparison->compared > 0 && comparison->different == 0 &&
			       is_whole(&comparison->old_list) && is_whole(&comparison->new_list)
		       ? STATUS_OK
		       : STATUS_FAILED;
}

int listdiff(const struct listdiff_options *options, const char *old_name, const char *new_name)
{
	struct comparison comparison = {.options = options};
	int status = STATUS_FAILED;

	listfile_begin(&comparison.old_list, title_of(old_name), options->algorithms);
	listfile_begin(&comparison.new_list, title_of(new_name), options->algorithms);
	if (read_list(&comparison.old_list, old_name) && read_list(&comparison.new_list, new_name))
		status = compare(&comparison);
	listfile_free(&comparison.old_list);
	listfile_free(&comparison.new_list);
	return status;
}
