/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "git_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Findings that are kept when the options do not say how many. */
#define DEFAULT_LIMIT 100

/* Texts longer than this are cut. */
#define TEXT_SIZE 256

struct git_finding {
	struct blocksha_git_finding public;
	bool whole;
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	char text[TEXT_SIZE], expected[TEXT_SIZE], found[TEXT_SIZE];
};

void blocksha_git_report_begin(struct git_report *report,
			       const struct blocksha_git_options *options, const char *file)
{
	memset(report, 0, sizeof(*report));
	report->options = options;
	report->file = file;
	report->format = options->format;
	report->limit = options->max_findings != 0 ? options->max_findings : DEFAULT_LIMIT;
	pthread_mutex_init(&report->lock, NULL);
}

void blocksha_git_report_reset(struct git_report *report)
{
	free(report->kept);
	report->kept = NULL;
	report->count = 0;
	memset(report->kinds, 0, sizeof(report->kinds));
}

/* The order in which findings are told: by offset, those without one last; then by what they say.
 */
static int compare(const void *left, const void *right)
{
	const struct git_finding *a = left, *b = right;
	int order;

	if (a->public.offset != b->public.offset)
		return a->public.offset < b->public.offset ? -1 : 1;
	if (a->public.kind != b->public.kind)
		return a->public.kind < b->public.kind ? -1 : 1;
	order = strcmp(a->text, b->text);
	if (order == 0)
		order = memcmp(a->name, b->name, sizeof(a->name));
	if (order == 0)
		order = strcmp(a->expected, b->expected);
	return order != 0 ? order : strcmp(a->found, b->found);
}

/* The last one that others may take the place of, or NULL. */
static struct git_finding *last_kept(struct git_report *report)
{
	struct git_finding *last = NULL;

	for (size_t i = 0; i < report->count; i++)
		if (!report->kept[i].whole && (last == NULL || compare(&report->kept[i], last) > 0))
			last = &report->kept[i];
	return last;
}

/* Where to keep a finding, or NULL when all that are kept come before it. */
static struct git_finding *place_for(struct git_report *report, const struct git_finding *finding)
{
	struct git_finding *last;

	if (report->kept == NULL) {
		report->kept = calloc(report->limit, sizeof(*report->kept));
		if (report->kept == NULL)
			return NULL;
	}
	if (report->count < report->limit)
		return &report->kept[report->count++];
	last = last_kept(report);
	if (last != NULL && !finding->whole && compare(finding, last) > 0)
		return NULL;
	return last;
}

static void add(struct git_report *report, struct git_finding *finding,
		const struct git_place *where)
{
	struct git_finding *place;

	finding->public.file = report->file;
	finding->public.offset = where->offset == BLOCKSHA_GIT_NO_OFFSET
					 ? where->offset
					 : report->origin + where->offset;
	finding->whole = where->whole;
	if (where->name != NULL) {
		finding->public.format = report->format;
		memcpy(finding->name, where->name, blocksha_git_name_size(report->format));
	}
	pthread_mutex_lock(&report->lock);
	report->kinds[finding->public.kind]++;
	place = place_for(report, finding);
	if (place != NULL)
		*place = *finding;
	pthread_mutex_unlock(&report->lock);
}

static void set_text(char text[TEXT_SIZE], const char *from)
{
	snprintf(text, TEXT_SIZE, "%s", from != NULL ? from : "");
}

void blocksha_git_report_add(struct git_report *report, enum blocksha_git_kind kind,
			     struct git_place place, const char *expected, const char *found,
			     const char *format, ...)
{
	struct git_finding finding = {.public.kind = kind};
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(finding.text, sizeof(finding.text), format, arguments);
	va_end(arguments);
	set_text(finding.expected, expected);
	set_text(finding.found, found);
	add(report, &finding, &place);
}

void blocksha_git_report_numbers(struct git_report *report, enum blocksha_git_kind kind,
				 struct git_place place, uint64_t expected, uint64_t found,
				 const char *text)
{
	char numbers[2][24];

	snprintf(numbers[0], sizeof(numbers[0]), "%" PRIu64, expected);
	snprintf(numbers[1], sizeof(numbers[1]), "%" PRIu64, found);
	blocksha_git_report_add(report, kind, place, numbers[0], numbers[1], "%s", text);
}

void blocksha_git_report_digests(struct git_report *report, enum blocksha_git_kind kind,
				 struct git_place place, const unsigned char *expected,
				 const unsigned char *found, size_t size, const char *text)
{
	char hex[2][2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];

	blocksha_hex_encode(hex[0], expected, size);
	blocksha_hex_encode(hex[1], found, size);
	blocksha_git_report_add(report, kind, place, hex[0], hex[1], "%s", text);
}

void blocksha_git_report_attack(struct git_report *report, struct git_place place,
				const struct blocksha_attack *attack)
{
	struct git_finding finding = {.public.kind = BLOCKSHA_GIT_ATTACK};

	finding.public.attack = *attack;
	snprintf(finding.text, sizeof(finding.text),
		 "SHA-1 collision attack at byte %" PRIu64
		 " of the object with its header, disturbance vector %s, %" PRIu64 " block%s",
		 attack->offset, blocksha_vector_name(attack->vector), attack->blocks,
		 attack->blocks == 1 ? "" : "s");
	add(report, &finding, &place);
}

bool blocksha_git_report_is_good(struct git_report *report)
{
	bool good = true;

	pthread_mutex_lock(&report->lock);
	for (int kind = 0; kind < BLOCKSHA_GIT_KINDS; kind++)
		if (kind != BLOCKSHA_GIT_NOTE && report->kinds[kind] != 0)
			good = false;
	pthread_mutex_unlock(&report->lock);
	return good;
}

/* When the file changed under our hands, damage in it says nothing. An attack is one all the same.
 */
static bool counts(const struct git_report *report, enum blocksha_git_kind kind)
{
	return report->kinds[BLOCKSHA_GIT_CHANGED] == 0 || kind == BLOCKSHA_GIT_CHANGED ||
	       kind == BLOCKSHA_GIT_ATTACK;
}

static void deliver(const struct git_report *report, struct git_finding *finding)
{
	struct blocksha_git_finding *public = &finding->public;

	if (report->options->report == NULL)
		return;
	public->name = public->format != BLOCKSHA_GIT_INFER ? finding->name : NULL;
	public->text = finding->text;
	public->expected = finding->expected[0] != '\0' ? finding->expected : NULL;
	public->found = finding->found[0] != '\0' ? finding->found : NULL;
	report->options->report(report->options->context, public);
}

static void deliver_rest(const struct git_report *report, uint64_t rest)
{
	struct git_finding finding = {
		.public = {.kind = BLOCKSHA_GIT_NOTE,
			   .file = report->file,
			   .offset = BLOCKSHA_GIT_NO_OFFSET},
	};

	if (rest == 0)
		return;
	snprintf(finding.text, sizeof(finding.text), "%" PRIu64 " more finding%s not shown", rest,
		 rest == 1 ? " is" : "s are");
	deliver(report, &finding);
}

void blocksha_git_report_drop(struct git_report *report)
{
	free(report->kept);
	pthread_mutex_destroy(&report->lock);
}

int blocksha_git_report_end(struct git_report *report)
{
	uint64_t rest = 0;
	int result = report->companion;

	if (report->count > 0)
		qsort(report->kept, report->count, sizeof(*report->kept), compare);
	for (int kind = 0; kind < BLOCKSHA_GIT_KINDS; kind++) {
		if (!counts(report, (enum blocksha_git_kind)kind))
			continue;
		rest += report->kinds[kind];
		if (kind != BLOCKSHA_GIT_NOTE && report->kinds[kind] != 0)
			result = BLOCKSHA_GIT_BAD;
	}
	for (size_t i = 0; i < report->count; i++) {
		if (!counts(report, report->kept[i].public.kind))
			continue;
		deliver(report, &report->kept[i]);
		rest--;
	}
	deliver_rest(report, rest);
	if (report->kinds[BLOCKSHA_GIT_ATTACK] != 0 || report->companion == BLOCKSHA_ATTACK)
		result = BLOCKSHA_ATTACK;
	blocksha_git_report_drop(report);
	return result;
}
