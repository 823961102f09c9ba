/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strerrorname_np */

#include "report.h"

#include <string.h>

#include "hashfile.h"
#include "message.h"
#include "output.h"
#include "status.h"

static void print_lines(const struct report *report, const struct job *job)
{
	const struct digest_set *set = report->algorithms;

	for (size_t i = 0; i < set->count; i++)
		line_digest(stdout, report->format, job->name, set->algorithms[i],
			    &job->result.digests[set->algorithms[i]->id]);
}

/* A name for an error, for programs: that of the errno, as "ENOENT", or "problem". */
static const char *error_code(const struct hash_result *result)
{
	const char *name = NULL;

	if (result->error == 0)
		return result->changed ? "changed" : "problem";
#ifdef __GLIBC__
	name = strerrorname_np(result->error);
#endif
	return name != NULL ? name : "errno";
}

static void print_attack(struct json *json, const struct blocksha_attack *attack)
{
	if (attack->blocks == 0) {
		json_null(json, "attack");
		return;
	}
	json_begin_object(json, "attack");
	json_number(json, "offset", attack->offset);
	json_string(json, "vector", blocksha_vector_name(attack->vector));
	json_number(json, "blocks", attack->blocks);
	json_end_object(json);
}

static void print_error(struct json *json, const struct hash_result *result)
{
	char text[HASH_TEXT_SIZE];

	if (hash_has_digests(result)) {
		json_null(json, "error");
		return;
	}
	hash_reason(result, text);
	json_begin_object(json, "error");
	json_string(json, "code", error_code(result));
	json_string(json, "text", text);
	json_end_object(json);
}

void report_result(struct json *json, const struct digest_set *set,
		   const struct hash_result *result)
{
	json_number(json, "size", result->size);
	for (size_t i = 0; hash_has_digests(result) && i < set->count; i++)
		json_hex(json, set->algorithms[i]->name,
			 result->digests[set->algorithms[i]->id].bytes, set->algorithms[i]->size);
	print_attack(json, &result->attack);
	print_error(json, result);
}

static void print_object(const struct report *report, const struct job *job)
{
	struct json json;

	json_begin(&json, stdout);
	json_name(&json, "name", job->name);
	report_result(&json, report->algorithms, &job->result);
	json_end(&json);
}

static void say_why_not(const struct report *report, const struct job *job)
{
	const struct hash_result *result = &job->result;
	char text[HASH_TEXT_SIZE];

	if (job->kind == JOB_SKIPPED) {
		message_about(job->name, "skipped: %s", result->problem);
		return;
	}
	hash_reason(result, text);
	message_about(job->name, "%s", report->as_coreutils ? strerror(result->error) : text);
}

static void say_attack(const struct job *job)
{
	char text[HASH_TEXT_SIZE];

	hash_attack_text(&job->result, text);
	message_about(job->name, "%s", text);
}

static int status_of(const struct job *job)
{
	if (job->result.attack.blocks > 0)
		return STATUS_ATTACK;
	return hash_has_digests(&job->result) || job->kind == JOB_SKIPPED ? STATUS_OK
									  : STATUS_FAILED;
}

void report_job(struct report *report, const struct job *job)
{
	if (report->json && job->kind != JOB_SKIPPED)
		print_object(report, job);
	else if (hash_has_digests(&job->result))
		print_lines(report, job);
	output_line_ends();
	if (!hash_has_digests(&job->result))
		say_why_not(report, job);
	if (job->result.attack.blocks > 0)
		say_attack(job);
	report->status = status_worst(report->status, status_of(job));
}
