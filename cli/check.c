/* SPDX-License-Identifier: MIT */
/*
 * From a line to its verdict: source_next reads the list up to the next line that says something
 * and makes an item of it; the file of the item is hashed; deliver finds and tells the verdict
 * (verdict.h) and counts it. Nothing but the item is between the two, so that other items may be
 * on their way at the same time.
 */
#define _POSIX_C_SOURCE 200809L /* strdup, strndup */

#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hashfile.h"
#include "input.h"
#include "lines.h"
#include "message.h"
#include "output.h"
#include "scheduler.h"
#include "source.h"
#include "status.h"
#include "verdict.h"

struct check {
	const struct check_options *options;
	const char *list; /* its name in messages */
	bool list_is_stdin;
	/* The source. */
	struct lines lines;
	struct checklist grammar;
	struct source source;
	const char *refusal; /* why the list must not be read on, or NULL */
	bool no_memory;
	bool ended; /* all lines were read */
	/* The verdicts. */
	uint64_t counts[VERDICT_COUNT];
	uint64_t attacks; /* files with one, whatever their verdict */
};

/* --- The source --------------------------------------------------------------------- */

/* Whether name has a component "..". */
static bool goes_up(const char *name)
{
	while (*name != '\0') {
		size_t length = strcspn(name, "/");

		if (length == 2 && name[0] == '.' && name[1] == '.')
			return true;
		name += length;
		name += strspn(name, "/");
	}
	return false;
}

/* What --safe-paths has against a name, or NULL. */
static const char *find_danger(const char *name)
{
	if (name[0] == '/')
		return "the name is absolute";
	if (goes_up(name))
		return "the name has a component '..'";
	return NULL;
}

static void item_clear(struct check_item *item)
{
	free(item->name);
	free(item->foreign);
	*item = (struct check_item){0};
}

static void item_destroy(void *data)
{
	item_clear(data);
	free(data);
}

/* Makes the item own what the parser left in the line. Returns false when there is no memory. */
static bool item_keep(struct check_item *item)
{
	struct checklist_entry *entry = &item->entry;

	item->name = strdup(entry->name);
	if (item->name == NULL)
		return false;
	entry->name = item->name;
	if (entry->foreign == NULL)
		return true;
	item->foreign = strdup(entry->foreign);
	entry->foreign = item->foreign;
	return item->foreign != NULL;
}

static enum checklist_kind parse_line(struct check *check, struct line *line,
				      struct checklist_entry *entry)
{
	enum checklist_kind kind;

	if (line->too_long)
		return line->text[0] == '#' ? CHECKLIST_NOTHING : CHECKLIST_MALFORMED;
	kind = checklist_parse(&check->grammar, line->text, line->length, entry);
	/* Standard input cannot be the list and a file of the list. */
	if (kind == CHECKLIST_ENTRY && check->list_is_stdin && input_is_stdin(entry->name))
		return CHECKLIST_MALFORMED;
	return kind;
}

/* Says what is peculiar about the list as a whole, when it begins to be. */
static void report_peculiarities(const struct check *check, const struct checklist *before)
{
	const struct checklist *now = &check->grammar;

	if (now->byte_order_mark && !before->byte_order_mark &&
	    check->options->report != CHECK_REPORT_STATUS)
		message_about(check->list, "skipped a UTF-8 byte-order mark");
	/* Whatever the options: no exit code tells. */
	if (now->clearsign != CLEARSIGN_NONE && before->clearsign == CLEARSIGN_NONE)
		message_about(check->list, "the list is signed, but its signature was NOT checked");
}

/* Makes an item of a line. Returns false for a line that says nothing, or ends the list. */
static bool take_line(struct check *check, struct line *line, struct check_item *item)
{
	const struct checklist before = check->grammar;

	*item = (struct check_item){.line = check->lines.number};
	item->kind = parse_line(check, line, &item->entry);
	if (item->kind != CHECKLIST_SIGNED_LATE)
		report_peculiarities(check, &before);
	switch (item->kind) {
	case CHECKLIST_NOTHING:
		break;
	case CHECKLIST_MALFORMED:
		return true;
	case CHECKLIST_ENTRY:
	case CHECKLIST_UNSUPPORTED:
		if (!item_keep(item) || (check->options->listed != NULL &&
					 !nameset_add(check->options->listed, item->name))) {
			check->no_memory = true;
			break;
		}
		if (check->options->safe_paths && !item->entry.is_owner)
			item->unsafe = find_danger(item->name);
		return true;
	case CHECKLIST_UTF16:
		check->refusal = "the list is in UTF-16; it must be in UTF-8 or ASCII";
		break;
	case CHECKLIST_SIGNED_LATE:
		check->refusal = "a signed message begins behind lines that it does not sign";
		break;
	}
	return false;
}

/* The next line that says something. Returns false when there is none, or the list cannot be
   read on; source_error tells. The item is to be cleared. */
static bool source_next(struct check *check, struct check_item *item)
{
	struct line line;

	while (check->refusal == NULL && !check->no_memory) {
		check->ended = !lines_next(&check->lines, &line);
		if (check->ended)
			break;
		if (take_line(check, &line, item))
			return true;
		item_clear(item);
	}
	return false;
}

/* What ended the list too early, or NULL. */
static const char *source_error(const struct check *check)
{
	if (check->refusal != NULL)
		return check->refusal;
	if (check->no_memory)
		return strerror(ENOMEM);
	if (check->lines.error != 0)
		return check->options->as_coreutils ? "read error" : strerror(check->lines.error);
	if (check->ended && !checklist_may_end(&check->grammar))
		return "the signed message has no end";
	return NULL;
}

/* --- The verdicts ------------------------------------------------------------------- */

/* Takes what became of an item. */
static void deliver(void *context, struct job *job)
{
	struct check *check = context;
	const struct check_item *item = job->data;
	enum verdict verdict = verdict_find(check->options, item, &job->result);

	check->counts[verdict]++;
	if (check_item_has_file(item) && job->result.attack.blocks > 0)
		check->attacks++;
	verdict_report(check->options, check->list, item, &job->result, verdict);
	/* Without room for them nobody would see the other verdicts. */
	if (output_failed() && !check->options->as_coreutils)
		scheduler_stop(check->source.scheduler);
}

static void flush_output(void *context)
{
	(void)context;
	output_flush();
}

/* --- The list ------------------------------------------------------------------------ */

/* A job for the file of an item, which it owns from now on; for an item without a file, one that
   only waits for its turn. */
static struct job *make_job(const struct check *check, struct check_item *item)
{
	const struct digest_set set = {1, {item->entry.algorithm}};
	struct check_item *data = malloc(sizeof(*data));
	struct job *job = NULL;

	if (data != NULL && check_item_has_file(item))
		job = job_create(JOB_NAMED, item->name, NULL, 0,
				 digest_set_pass(&set, check->options->plain_sha1));
	else if (data != NULL)
		job = job_create(JOB_FAILED, "", NULL, 0, NULL);
	if (job == NULL) {
		free(data);
		item_clear(item);
		return NULL;
	}
	*data = *item;
	job->data = data;
	job->free_data = item_destroy;
	return job;
}

static void check_items(struct check *check)
{
	struct check_item item;

	while (!scheduler_stopped(check->source.scheduler) && source_next(check, &item)) {
		struct job *job = make_job(check, &item);

		if (job != NULL)
			source_add_job(&check->source, job);
		else
			check->no_memory = true;
	}
	scheduler_drain(check->source.scheduler);
}

/* Checks an open list. Returns what ended it too early, or NULL. */
static const char *check_open(struct check *check, int fd)
{
	const struct scheduler_options how = {
		.threads = check->options->jobs,
		.hash = check->options->hash,
		.deliver = deliver,
		.before_waiting = flush_output,
		.context = check,
	};
	const char *error;

	if (!lines_begin(&check->lines, fd, '\n'))
		return strerror(ENOMEM);
	check->source.scheduler = scheduler_create(&how);
	if (check->source.scheduler != NULL)
		check_items(check);
	else
		check->no_memory = true;
	scheduler_destroy(check->source.scheduler);
	error = source_error(check);
	lines_end(&check->lines);
	return error;
}

/* Opens and checks the list. Returns the same. */
static const char *check_named(struct check *check, const char *name)
{
	int fd = input_open(name);
	const char *error;

	if (fd < 0)
		return check->list_is_stdin && check->options->as_coreutils ? "read error"
									    : strerror(errno);
	error = check_open(check, fd);
	close(fd);
	return error;
}

/* The name of the file whose digests may stand alone in the list, to be freed; or NULL, also when
   there is no memory. */
static char *find_owner(struct check *check, const char *name)
{
	size_t length;
	const struct digest_algorithm *algorithm = checklist_owner(name, &length);
	char *owner;

	if (algorithm == NULL || check->list_is_stdin)
		return NULL;
	owner = strndup(name, length);
	if (owner != NULL)
		check->grammar.owner_algorithm = algorithm;
	check->grammar.owner = owner;
	return owner;
}

int check_list(const struct check_options *options, const char *name, enum checklist_form *form)
{
	struct check check = {
		.options = options,
		.list = input_is_stdin(name) ? "standard input" : name,
		.list_is_stdin = input_is_stdin(name),
		.grammar = {.algorithms = &options->algorithms,
			    .as_coreutils = options->as_coreutils,
			    .form = *form},
	};
	char *owner = find_owner(&check, name);
	const char *error = check_named(&check, name);

	free(owner);
	*form = check.grammar.form;
	output_flush();
	if (error == NULL)
		verdict_summary(options, check.list, check.counts);
	else
		message_about(check.list, "%s", error);
	if (check.attacks > 0)
		return STATUS_ATTACK;
	return error == NULL && verdict_passed(options, check.counts) ? STATUS_OK : STATUS_FAILED;
}
