/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <string.h>

#include "hashfile.h"
#include "message.h"
#include "status.h"

static void print_lines(const struct report *report, const struct job *job)
{
	const struct digest_set *set = report->algorithms;

	for (size_t i = 0; i < set->count; i++)
		line_digest(stdout, report->format, job->name, set->algorithms[i],
			    &job->result.digests[set->algorithms[i]->id]);
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
	if (hash_has_digests(&job->result))
		print_lines(report, job);
	else
		say_why_not(report, job);
	if (job->result.attack.blocks > 0)
		say_attack(job);
	report->status = status_worst(report->status, status_of(job));
}
