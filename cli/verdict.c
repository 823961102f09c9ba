/* SPDX-License-Identifier: MIT */
#include "verdict.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "line.h"
#include "message.h"
#include "output.h"
#include "report.h"

struct row {
	const char *text;       /* on standard output; NULL: nothing there */
	const char *one, *many; /* in the summary, behind the number; NULL: not in it */
};

/* In the order of the summary. The texts of the first four are those of coreutils. */
static const struct row rows[VERDICT_COUNT] = {
	[VERDICT_OK] = {"OK", NULL, NULL},
	[VERDICT_MALFORMED] = {NULL, "line is improperly formatted",
			       "lines are improperly formatted"},
	[VERDICT_UNREADABLE] = {"FAILED open or read", "listed file could not be read",
				"listed files could not be read"},
	[VERDICT_MISMATCH] = {"FAILED", "computed checksum did NOT match",
			      "computed checksums did NOT match"},
	[VERDICT_CHANGED] = {"FAILED changed while reading", "listed file changed while reading",
			     "listed files changed while reading"},
	[VERDICT_UNSAFE] = {"FAILED unsafe name", "listed name was refused as unsafe",
			    "listed names were refused as unsafe"},
	[VERDICT_UNSUPPORTED] = {NULL, "line has an unsupported algorithm and was not verified",
				 "lines have unsupported algorithms and were not verified"},
	[VERDICT_MISSING] = {NULL, NULL, NULL},
};

bool check_item_has_file(const struct check_item *item)
{
	return item->kind == CHECKLIST_ENTRY && item->unsafe == NULL;
}

static bool matches(const struct checklist_entry *entry, const struct hash_result *result)
{
	const struct digest_algorithm *algorithm = entry->algorithm;

	return !entry->matches_nothing && memcmp(result->digests[algorithm->id].bytes,
						 entry->digest.bytes, algorithm->size) == 0;
}

enum verdict verdict_find(const struct check_options *options, const struct check_item *item,
			  const struct hash_result *result)
{
	if (item->kind == CHECKLIST_MALFORMED)
		return VERDICT_MALFORMED;
	if (item->kind == CHECKLIST_UNSUPPORTED)
		return VERDICT_UNSUPPORTED;
	if (item->unsafe != NULL)
		return VERDICT_UNSAFE;
	if (!result->opened && result->error == ENOENT && options->ignore_missing &&
	    !options->strict_all)
		return VERDICT_MISSING;
	if (!hash_has_digests(result))
		return result->changed ? VERDICT_CHANGED : VERDICT_UNREADABLE;
	return matches(&item->entry, result) ? VERDICT_OK : VERDICT_MISMATCH;
}

/* --- Standard error -------------------------------------------------------------------- */

static void report_malformed(const struct check_options *options, const char *list,
			     const struct check_item *item)
{
	const struct digest_set *set = &options->algorithms;

	if (options->report != CHECK_REPORT_WARN)
		return;
	if (set->count == 1)
		message_at_line(list, item->line, NULL, "improperly formatted %s checksum line",
				set->algorithms[0]->tag);
	else
		message_at_line(list, item->line, NULL, "improperly formatted checksum line");
}

static void report_unsupported(const struct check_options *options, const char *list,
			       const struct check_item *item)
{
	if (options->report != CHECK_REPORT_WARN)
		return;
	if (item->foreign != NULL)
		message_at_line(list, item->line, item->name, "%s is not supported", item->foreign);
	else
		message_at_line(list, item->line, item->name,
				"no supported algorithm has digests of %zu bits",
				8 * item->entry.foreign_size);
}

static void report_unreadable(const struct check_options *options, const char *list,
			      const struct check_item *item, const struct hash_result *result)
{
	char reason[HASH_TEXT_SIZE];

	if (options->as_coreutils) {
		message_about(item->name, "%s", strerror(result->error));
	} else {
		hash_reason(result, reason);
		message_at_line(list, item->line, item->name, "%s", reason);
	}
}

static void report_attack(const struct check_options *options, const char *list,
			  const struct check_item *item, const struct hash_result *result)
{
	char text[HASH_TEXT_SIZE];

	hash_attack_text(result, text);
	if (options->as_coreutils) /* also with --status: no exit code of its own tells */
		message_about(item->name, "%s", text);
	else if (options->report != CHECK_REPORT_STATUS)
		message_at_line(list, item->line, item->name, "%s", text);
}

static void report_mismatch(const char *list, const struct check_item *item,
			    const struct hash_result *result)
{
	const struct digest_algorithm *algorithm = item->entry.algorithm;
	char expected[2 * DIGEST_MAX_SIZE + 1];
	char found[2 * DIGEST_MAX_SIZE + 1];

	blocksha_hex_encode(expected, item->entry.digest.bytes, algorithm->size);
	blocksha_hex_encode(found, result->digests[algorithm->id].bytes, algorithm->size);
	message_at_line(list, item->line, item->name, "%s expected %s%s, found %s", algorithm->tag,
			expected, item->entry.matches_nothing ? " and bits behind it" : "", found);
}

static void report_details(const struct check_options *options, const char *list,
			   const struct check_item *item, const struct hash_result *result,
			   enum verdict verdict)
{
	bool silent = options->as_coreutils || options->report == CHECK_REPORT_STATUS;
	bool has_attack = check_item_has_file(item) && result->attack.blocks > 0;

	if (verdict == VERDICT_OK && !has_attack)
		return;
	output_flush(); /* the verdicts before this one stand before its messages */
	if (has_attack)
		report_attack(options, list, item, result);
	if (verdict == VERDICT_MALFORMED)
		report_malformed(options, list, item);
	else if (verdict == VERDICT_UNSUPPORTED)
		report_unsupported(options, list, item);
	else if (verdict == VERDICT_UNREADABLE)
		report_unreadable(options, list, item, result);
	else if (silent)
		return;
	else if (verdict == VERDICT_MISMATCH)
		report_mismatch(list, item, result);
	else if (verdict == VERDICT_CHANGED)
		message_at_line(list, item->line, item->name, "changed while it was read");
	else if (verdict == VERDICT_UNSAFE)
		message_at_line(list, item->line, item->name, "refused: %s", item->unsafe);
}

/* --- Standard output ------------------------------------------------------------------- */

static void print_object(const char *list, const struct check_item *item,
			 const struct hash_result *result, const char *text)
{
	const struct digest_algorithm *algorithm = item->entry.algorithm;
	const struct digest_set set = {algorithm != NULL ? 1 : 0, {algorithm}};
	struct json json;

	json_begin(&json, stdout);
	json_name(&json, "name", item->name);
	json_string(&json, "verdict", text);
	json_name(&json, "list", list);
	json_number(&json, "line", item->line);
	if (algorithm != NULL)
		json_hex(&json, "expected", item->entry.digest.bytes, algorithm->size);
	if (check_item_has_file(item))
		report_result(&json, &set, result);
	json_end(&json);
}

/* What is printed for a verdict; NULL: nothing. */
static const char *text_of(const struct check_options *options, enum verdict verdict)
{
	if (options->report == CHECK_REPORT_STATUS ||
	    (verdict == VERDICT_OK && options->report == CHECK_REPORT_QUIET))
		return NULL;
	/* Lines have the texts of coreutils alone, and what is a failure. */
	if (verdict == VERDICT_UNSUPPORTED && options->json)
		return "unsupported";
	return rows[verdict].text;
}

void verdict_report(const struct check_options *options, const char *list,
		    const struct check_item *item, const struct hash_result *result,
		    enum verdict verdict)
{
	const char *text = text_of(options, verdict);

	report_details(options, list, item, result, verdict);
	if (text == NULL)
		return;
	if (options->json)
		print_object(list, item, result, text);
	else
		line_verdict(stdout, item->name, options->quoted, text);
	output_line_ends();
}

/* --- The whole list -------------------------------------------------------------------- */

/* Whether the list had no line for a file, of whatever algorithm. */
static bool has_no_entries(const uint64_t counts[VERDICT_COUNT])
{
	for (size_t i = 0; i < VERDICT_COUNT; i++)
		if (i != VERDICT_MALFORMED && counts[i] > 0)
			return false;
	return true;
}

/* Whether nothing was verified, and no verdict on standard output need have told so. */
static bool is_silently_empty(const struct check_options *options,
			      const uint64_t counts[VERDICT_COUNT])
{
	return counts[VERDICT_OK] == 0 &&
	       (options->ignore_missing || counts[VERDICT_UNSUPPORTED] > 0);
}

void verdict_summary(const struct check_options *options, const char *list,
		     const uint64_t counts[VERDICT_COUNT])
{
	if (has_no_entries(counts)) {
		message_about(list, "no properly formatted checksum lines found");
		return;
	}
	if (options->report == CHECK_REPORT_STATUS)
		return;
	for (size_t i = 0; i < VERDICT_COUNT; i++) {
		const char *text = counts[i] == 1 ? rows[i].one : rows[i].many;

		if (text == NULL || counts[i] == 0)
			continue;
		if (options->as_coreutils)
			message("WARNING: %" PRIu64 " %s", counts[i], text);
		else
			message_about(list, "WARNING: %" PRIu64 " %s", counts[i], text);
	}
	if (is_silently_empty(options, counts))
		message_about(list, "no file was verified");
}

bool verdict_passed(const struct check_options *options, const uint64_t counts[VERDICT_COUNT])
{
	if (counts[VERDICT_MALFORMED] > 0 && (options->strict || options->strict_all))
		return false;
	if (counts[VERDICT_UNSUPPORTED] > 0 && options->strict_all)
		return false;
	return counts[VERDICT_OK] > 0 && counts[VERDICT_UNREADABLE] == 0 &&
	       counts[VERDICT_MISMATCH] == 0 && counts[VERDICT_CHANGED] == 0 &&
	       counts[VERDICT_UNSAFE] == 0;
}
