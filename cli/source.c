/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fstatat */

#include "source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dir.h"
#include "input.h"
#include "lines.h"
#include "message.h"
#include "progress.h"

/* Whether reading takes something away that a later name may stand for, too: standard input, a
   FIFO or a device. */
static bool is_stream(const struct source *source, const char *name)
{
	struct stat status = {0};

	if (input_is_stdin(name))
		return true;
	if (stat(name, &status) != 0)
		return false;
	if (!source->counted)
		progress_add_total(1, S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0);
	return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* Adds a job, which is NULL when there was no memory for it. */
static void add(struct source *source, struct job *job)
{
	if (job != NULL) {
		scheduler_add(source->scheduler, job);
		return;
	}
	message("memory exhausted");
	source->failed = true;
	scheduler_stop(source->scheduler);
}

/* --- Files ------------------------------------------------------------------------ */

void source_add_job(struct source *source, struct job *job)
{
	bool alone = job != NULL && !job_is_note(job) && is_stream(source, job->name);

	/* One after the other, in the order of their names. */
	if (alone)
		scheduler_drain(source->scheduler);
	add(source, job);
	if (alone)
		scheduler_drain(source->scheduler);
}

static void add_named(struct source *source, const char *name)
{
	source_add_job(source, job_create(JOB_NAMED, name, NULL, 0, source->pass));
}

/* --- Trees ------------------------------------------------------------------------ */

static bool add_found(struct source *source, enum job_kind kind, const struct walk_file *file)
{
	add(source, job_create(kind, file->name, file->dir, strlen(file->path), source->pass));
	return !scheduler_stopped(source->scheduler);
}

static bool file_found(void *context, const struct walk_file *file)
{
	struct source *source = context;

	if (!file->named)
		return add_found(source, file->follow ? JOB_FOLLOWED : JOB_FOUND, file);
	add_named(source, file->name);
	return !scheduler_stopped(source->scheduler);
}

static bool link_text_found(void *context, const struct walk_file *file)
{
	return add_found(context, JOB_LINK_TEXT, file);
}

/* A message in its place among the results: an errno, or 0 and a text. */
static bool add_note(struct source *source, enum job_kind kind, const char *name, int error,
		     const char *text)
{
	struct job *note = job_create(kind, name, NULL, 0, NULL);

	if (note != NULL) {
		note->result.error = error;
		note->result.problem = text;
	}
	add(source, note);
	return !scheduler_stopped(source->scheduler);
}

static bool skipped(void *context, const char *name, enum file_kind kind)
{
	struct source *source = context;

	if (kind == FILE_KIND_SYMLINK) /* the rule, not worth a word each */
		return !scheduler_stopped(source->scheduler);
	return add_note(source, JOB_SKIPPED, name, 0,
			kind == FILE_KIND_DIRECTORY ? "another file system" : file_kind_text(kind));
}

static bool walk_failed(void *context, const char *name, int error)
{
	if (error > 0)
		return add_note(context, JOB_FAILED, name, error, NULL);
	return add_note(context, JOB_FAILED, name, 0, walk_error_text(error));
}

/* A directory is closed when all files found in it so far are hashed. */
static bool release_some(void *context)
{
	struct source *source = context;
	unsigned before = dir_open_count();

	while (dir_open_count() >= before && scheduler_wait(source->scheduler))
		;
	return !scheduler_stopped(source->scheduler);
}

void source_add(struct source *source, const char *name)
{
	const struct walk_visitor visitor = {
		.file = file_found,
		.link_text = link_text_found,
		.skipped = skipped,
		.error = walk_failed,
		.make_room = release_some,
		.context = source,
	};

	if (source->recursive && !input_is_stdin(name))
		walk_tree(&source->walk, name, &visitor);
	else
		add_named(source, name);
}

/* --- Lists of names ------------------------------------------------------------------ */

static const char *title_of(const char *list)
{
	return input_is_stdin(list) ? "standard input" : list;
}

static void bad_name(struct source *source, const char *list, uint64_t number, const char *text)
{
	message_at_line(title_of(list), number, NULL, "%s", text);
	source->failed = true;
}

static void add_listed(struct source *source, const char *list, const struct lines *lines,
		       struct line *line)
{
	line->text[line->length] = '\0';
	if (line->too_long)
		bad_name(source, list, lines->number, "the name is too long");
	else if (line->length == 0)
		bad_name(source, list, lines->number, "the name is empty");
	else if (strlen(line->text) != line->length)
		bad_name(source, list, lines->number, "the name has a NUL byte");
	else if (input_is_stdin(list) && input_is_stdin(line->text))
		bad_name(source, list, lines->number, "standard input is the list of names");
	else
		source_add(source, line->text);
}

void source_add_list(struct source *source, const char *list, char end)
{
	int fd = input_open(list);
	int error = fd < 0 ? errno : 0;
	struct lines lines;
	struct line line;

	if (fd >= 0 && lines_begin(&lines, fd, end)) {
		while (!scheduler_stopped(source->scheduler) && lines_next(&lines, &line))
			add_listed(source, list, &lines, &line);
		error = lines.error;
		lines_end(&lines);
	} else if (fd >= 0) {
		error = ENOMEM;
	}
	if (error != 0) {
		message_about(title_of(list), "%s", strerror(error));
		source->failed = true;
	}
	if (fd >= 0)
		close(fd);
}
