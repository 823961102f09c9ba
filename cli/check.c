/* SPDX-License-Identifier: MIT */
/*
 * From a line to its verdict: check_line calls parse_line, verify, report_verdict, and counts;
 * at the end of the list report_summary and passed look at the counts.
 */
#include "check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hashfile.h"
#include "input.h"
#include "line.h"
#include "lines.h"
#include "message.h"
#include "output.h"
#include "source.h"
#include "status.h"

enum verdict {
	VERDICT_OK,
	VERDICT_MISMATCH,
	VERDICT_UNREADABLE,
	VERDICT_MISSING, /* and that is to be ignored */
	VERDICT_COUNT,
};

struct check {
	const struct check_options *options;
	const char *list; /* its name in messages */
	bool list_is_stdin;
	struct checklist grammar;
	struct source source;
	struct hash_result result; /* of the file at hand */
	uint64_t line;             /* number of the line at hand */
	uint64_t malformed;
	uint64_t verdicts[VERDICT_COUNT];
	uint64_t attacks; /* files with one, whatever their verdict */
};

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

static void report_malformed(const struct check *check)
{
	const struct digest_set *set = &check->options->algorithms;

	if (check->options->report != CHECK_REPORT_WARN)
		return;
	if (set->count == 1)
		message_at_line(check->list, check->line, NULL,
				"improperly formatted %s checksum line", set->algorithms[0]->tag);
	else
		message_at_line(check->list, check->line, NULL,
				"improperly formatted checksum line");
}

static void report_unreadable(const struct check *check, const char *name,
			      const struct hash_result *result)
{
	char reason[HASH_TEXT_SIZE];

	if (check->options->as_coreutils) {
		message_about(name, "%s", strerror(result->error));
	} else {
		hash_reason(result, reason);
		message_at_line(check->list, check->line, name, "%s", reason);
	}
}

static void report_attack(const struct check *check, const char *name,
			  const struct hash_result *result)
{
	char text[HASH_TEXT_SIZE];

	hash_attack_text(result, text);
	if (check->options->as_coreutils) /* also with --status: no exit code of its own tells */
		message_about(name, "%s", text);
	else if (check->options->report != CHECK_REPORT_STATUS)
		message_at_line(check->list, check->line, name, "%s", text);
}

static void report_mismatch(const struct check *check, const struct checklist_entry *entry,
			    const struct digest_value *found)
{
	char expected_hex[2 * DIGEST_MAX_SIZE + 1];
	char found_hex[2 * DIGEST_MAX_SIZE + 1];

	if (check->options->as_coreutils || check->options->report == CHECK_REPORT_STATUS)
		return;
	blocksha_hex_encode(expected_hex, entry->digest.bytes, entry->algorithm->size);
	blocksha_hex_encode(found_hex, found->bytes, entry->algorithm->size);
	message_at_line(check->list, check->line, entry->name, "%s expected %s, found %s",
			entry->algorithm->tag, expected_hex, found_hex);
}

/* Hashes the file of an entry and compares. What a verdict has to say beyond its name goes to
   standard error here. */
static enum verdict verify(struct check *check, const struct checklist_entry *entry)
{
	const struct digest_set set = {1, {entry->algorithm}};
	const struct digest_pass *pass = digest_set_pass(&set, check->options->plain_sha1);
	const struct digest_value *found;
	const struct hash_result *result = &check->result;

	source_add_file(&check->source, entry->name, pass, NULL);
	scheduler_drain(check->source.scheduler);
	if (!result->opened && result->error == ENOENT && check->options->ignore_missing)
		return VERDICT_MISSING;
	if (result->attack.blocks > 0) {
		check->attacks++;
		report_attack(check, entry->name, result);
	}
	if (!hash_has_digests(result)) {
		report_unreadable(check, entry->name, result);
		return VERDICT_UNREADABLE;
	}
	found = &result->digests[entry->algorithm->id];
	if (memcmp(found->bytes, entry->digest.bytes, entry->algorithm->size) != 0) {
		report_mismatch(check, entry, found);
		return VERDICT_MISMATCH;
	}
	return VERDICT_OK;
}

static void report_verdict(const struct check *check, const char *name, enum verdict verdict)
{
	static const char *const texts[VERDICT_COUNT] = {
		[VERDICT_OK] = "OK",
		[VERDICT_MISMATCH] = "FAILED",
		[VERDICT_UNREADABLE] = "FAILED open or read",
	};
	enum check_report report = check->options->report;

	if (verdict == VERDICT_MISSING || report == CHECK_REPORT_STATUS ||
	    (verdict == VERDICT_OK && report == CHECK_REPORT_QUIET))
		return;
	line_verdict(stdout, name, texts[verdict]);
	output_flush();
}

/* "WARNING: COUNT ONE" or "... MANY", unless count is 0. */
static void warn_count(const struct check *check, uint64_t count, const char *one, const char *many)
{
	const char *text = count == 1 ? one : many;

	if (count == 0)
		return;
	if (check->options->as_coreutils)
		message("WARNING: %" PRIu64 " %s", count, text);
	else
		message_about(check->list, "WARNING: %" PRIu64 " %s", count, text);
}

static void report_summary(const struct check *check)
{
	const uint64_t *verdicts = check->verdicts;
	bool any = false;

	for (size_t i = 0; i < VERDICT_COUNT; i++)
		any |= verdicts[i] > 0;
	if (!any) {
		message_about(check->list, "no properly formatted checksum lines found");
		return;
	}
	if (check->options->report == CHECK_REPORT_STATUS)
		return;
	warn_count(check, check->malformed, "line is improperly formatted",
		   "lines are improperly formatted");
	warn_count(check, verdicts[VERDICT_UNREADABLE], "listed file could not be read",
		   "listed files could not be read");
	warn_count(check, verdicts[VERDICT_MISMATCH], "computed checksum did NOT match",
		   "computed checksums did NOT match");
	if (check->options->ignore_missing && verdicts[VERDICT_OK] == 0)
		message_about(check->list, "no file was verified");
}

static bool passed(const struct check *check)
{
	return check->verdicts[VERDICT_OK] > 0 && check->verdicts[VERDICT_MISMATCH] == 0 &&
	       check->verdicts[VERDICT_UNREADABLE] == 0 &&
	       (check->malformed == 0 || !check->options->strict);
}

static void check_line(struct check *check, struct line *line)
{
	struct checklist_entry entry;
	enum verdict verdict;

	switch (parse_line(check, line, &entry)) {
	case CHECKLIST_NOTHING:
		break;
	case CHECKLIST_MALFORMED:
		check->malformed++;
		report_malformed(check);
		break;
	case CHECKLIST_ENTRY:
		verdict = verify(check, &entry);
		check->verdicts[verdict]++;
		report_verdict(check, entry.name, verdict);
		break;
	}
}

static void take_result(void *context, struct job *job)
{
	struct check *check = context;

	check->result = job->result;
}

/* Checks all lines of an open list. Returns 0, or the errno that ended it too early. */
static int check_lines(struct check *check, int fd)
{
	struct lines lines;
	struct line line;

	if (!lines_begin(&lines, fd, '\n'))
		return ENOMEM;
	while (lines_next(&lines, &line)) {
		check->line = lines.number;
		check_line(check, &line);
		if (output_failed() && !check->options->as_coreutils)
			break; /* nobody would see the other verdicts */
	}
	lines_end(&lines);
	return lines.error;
}

int check_list(const struct check_options *options, const char *name, enum checklist_form *form)
{
	struct check check = {
		.options = options,
		.list = input_is_stdin(name) ? "standard input" : name,
		.list_is_stdin = input_is_stdin(name),
		.grammar = {&options->algorithms, options->as_coreutils, *form},
	};
	const struct scheduler_options how = {
		.threads = options->jobs,
		.hash = options->hash,
		.deliver = take_result,
		.context = &check,
	};
	int fd = input_open(name);
	int error = fd >= 0 ? 0 : errno;
	bool opened = fd >= 0 || check.list_is_stdin;

	if (fd >= 0) {
		check.source.scheduler = scheduler_create(&how);
		error = check.source.scheduler != NULL ? check_lines(&check, fd) : ENOMEM;
		scheduler_destroy(check.source.scheduler);
	}

	if (fd >= 0)
		close(fd);
	*form = check.grammar.form;
	if (error == 0)
		report_summary(&check);
	else
		message_about(check.list, "%s",
			      opened && options->as_coreutils ? "read error" : strerror(error));
	if (check.attacks > 0)
		return STATUS_ATTACK;
	return error == 0 && passed(&check) ? STATUS_OK : STATUS_FAILED;
}
