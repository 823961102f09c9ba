/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* chdir */

/*
 * What is run with the options (sum_options.h). A file goes from its argument to its lines so:
 * source_add (source.h) makes a job of its name, the scheduler (scheduler.h) has it hashed
 * by a worker (hashfile.h) and delivered in its turn to report_job (report.h), which prints.
 * With --check each file is a list, whose lines are the source: check_list (check.h).
 */
#include "sum.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "count.h"
#include "extra.h"
#include "input.h"
#include "keep.h"
#include "listdiff.h"
#include "message.h"
#include "nameset.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "scheduler.h"
#include "source.h"
#include "status.h"
#include "sum_options.h"
#include "tee.h"

/* What prints, and what is told when nobody would see more. */
struct printer {
	struct report report;
	struct scheduler *scheduler;
};

static void print_job(void *context, struct job *job)
{
	struct printer *printer = context;

	if (!hash_has_digests(&job->result))
		output_flush();
	/* Who has no room for the results need not wait for the rest. */
	if (output_failed() && !printer->report.as_coreutils)
		scheduler_stop(printer->scheduler);
	else
		report_job(&printer->report, job);
}

static void flush_output(void *context)
{
	(void)context;
	output_flush();
}

/* Hashes the files of those names, or those of the list. Returns the exit code. */
static int print_digests(const struct sum_options *options, char **names, int number)
{
	struct printer printer = {
		.report = {.algorithms = &options->algorithms,
			   .format = &options->format,
			   .json = options->json,
			   .as_coreutils = options->as_coreutils},
	};
	const struct scheduler_options how = {
		.threads = options->jobs,
		.share_links = options->source.recursive,
		.hash = options->hash,
		.deliver = print_job,
		.before_waiting = flush_output,
		.context = &printer,
	};
	struct source source = options->source;
	struct count *count = NULL;

	source.scheduler = printer.scheduler = scheduler_create(&how);
	if (source.scheduler == NULL) {
		message("memory exhausted");
		return STATUS_FAILED;
	}
	if (options->progress != PROGRESS_NEVER && options->list == NULL)
		count = count_begin(names, number, source.recursive ? &source.walk : NULL);
	source.counted = count != NULL;
	if (options->list != NULL)
		source_add_list(&source, options->list, options->list_end);
	for (int i = 0; i < number; i++)
		source_add(&source, names[i]);
	scheduler_drain(source.scheduler);
	count_end(count);
	scheduler_destroy(source.scheduler);
	return source.failed ? status_worst(printer.report.status, STATUS_FAILED)
			     : printer.report.status;
}

/* Verifies what the lists of those names name, which listed gets unless it is NULL. Returns the
   exit code. */
static int check_lists(const struct sum_options *options, char **names, int count,
		       struct nameset *listed)
{
	enum checklist_form form = CHECKLIST_FORM_UNKNOWN;
	struct check_options check = options->check;
	int status = STATUS_OK;

	check.listed = listed;

	for (int i = 0; i < count; i++) {
		if (!options->as_coreutils)
			form = CHECKLIST_FORM_UNKNOWN;
		status = status_worst(status, check_list(&check, names[i], &form));
		if (output_failed() && !options->as_coreutils)
			break;
	}
	return status;
}

static bool is_directory(const char *name)
{
	struct stat status;

	return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Moves the names of directories behind the others. Returns how many others there are. */
static int part_directories(char **names, int count)
{
	int others = 0;

	for (int i = 0; i < count; i++) {
		char *name = names[i];

		if (is_directory(name))
			continue;
		memmove(&names[others + 1], &names[others], (size_t)(i - others) * sizeof(*names));
		names[others++] = name;
	}
	return others;
}

/* Verifies the lists, and looks for files in the directories among the names that no list has.
   Returns the exit code. */
static int check_trees(const struct sum_options *options, char **names, int count)
{
	static char *only_stdin[] = {"-"};
	int list_count = part_directories(names, count);
	char **lists = list_count > 0 ? names : only_stdin;
	struct nameset listed = {NULL};
	const struct extra_options extra = {
		.listed = &listed,
		.lists = lists,
		.list_count = list_count,
		.walk = &options->source.walk,
		.quoted = options->check.quoted,
		.json = options->json,
		.silent = options->check.report == CHECK_REPORT_STATUS,
	};
	int status;

	if (list_count == count) {
		message("none of the files is a directory, to look there for files in no list");
		return STATUS_USAGE;
	}
	status = check_lists(options, lists, list_count > 0 ? list_count : 1, &listed);
	if (!progress_interrupted())
		status = status_worst(status,
				      extra_report(&extra, names + list_count, count - list_count));
	nameset_free(&listed);
	return status;
}

static int update_list(const struct sum_options *options, char **names, int count)
{
	const struct keep_options keep = {
		.allowed = options->algorithms,
		.wanted = options->wanted,
		.plain_sha1 = options->plain_sha1,
		.recheck = options->recheck,
		.tagged = options->format.tagged,
		.quoted = options->check.quoted,
		.silent = options->check.report == CHECK_REPORT_STATUS,
		.jobs = options->jobs,
		.walk = options->source.walk,
		.hash = options->hash,
	};

	return keep_update(&keep, options->update, names, count);
}

static int compare_lists(const struct sum_options *options, char **names)
{
	const struct listdiff_options diff = {
		.algorithms = &options->algorithms,
		.quoted = options->check.quoted,
		.silent = options->check.report == CHECK_REPORT_STATUS,
	};

	return listdiff(&diff, names[0], names[1]);
}

static int run_task(const struct sum_options *options, char **names, int count)
{
	if (options->comparing)
		return compare_lists(options, names);
	if (options->update != NULL)
		return update_list(options, names, count);
	if (options->checking && options->source.recursive)
		return check_trees(options, names, count);
	if (options->checking)
		return check_lists(options, names, count, NULL);
	return print_digests(options, names, count);
}

/* Before any thread is made. */
static void start_progress(const struct sum_options *options)
{
	const struct progress_options progress = {.mode = options->progress};

	if (!options->as_coreutils)
		(void)progress_start(&progress); /* the work does not depend on it */
}

static int run(const struct sum_options *options, char **names, int count)
{
	static char *only_stdin[] = {"-"};
	static char *only_here[] = {"."};
	int status, error;

	if (count == 0 && options->list == NULL) {
		names = options->source.recursive ? only_here : only_stdin;
		count = 1;
	}
	start_progress(options);
	status = run_task(options, names, count);
	progress_stop();
	if (progress_interrupted())
		return STATUS_INTERRUPTED;

	error = input_close_stdin();
	if (error != 0) {
		message("standard input: %s", strerror(error));
		status = status_worst(status, STATUS_FAILED);
	}
	if (status == STATUS_ATTACK && options->as_coreutils)
		return STATUS_FAILED;
	return status;
}

static int run_tee(const struct sum_options *options)
{
	const struct tee_options tee = {&options->algorithms, options->source.pass,
					&options->format, options->output};

	return tee_run(&tee);
}

static int parse_and_run(struct sum_options *options, int argc, char **argv)
{
	switch (sum_options_parse(options, argc, argv)) {
	case SUM_PARSED_DONE:
		return STATUS_OK;
	case SUM_PARSED_WRONG:
		return options->as_coreutils ? STATUS_FAILED : STATUS_USAGE;
	case SUM_PARSED_RUN:
		break;
	}
	if (options->directory != NULL && chdir(options->directory) != 0) {
		message_about(options->directory, "%s", strerror(errno));
		return STATUS_FAILED;
	}
	if (options->tee)
		return run_tee(options);
	return run(options, argv + optind, argc - optind);
}

int sum_main(int argc, char **argv)
{
	struct sum_options options = {.program = "blocksha sum"};
	int status = parse_and_run(&options, argc, argv);

	sum_options_free(&options);
	return status;
}

int sum_as_coreutils(int argc, char **argv, enum digest_id algorithm)
{
	struct sum_options options = {.program = argv[0], .as_coreutils = true};
	int status;

	digest_set_add(&options.algorithms, &digest_algorithms[algorithm]);
	status = parse_and_run(&options, argc, argv);
	sum_options_free(&options);
	return status;
}
