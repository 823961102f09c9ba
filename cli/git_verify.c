/* SPDX-License-Identifier: MIT */
/*
 * Options of blocksha git verify, and the lines for what blocksha_git_verify finds: objects and
 * verdicts on standard output, findings on standard error; with --json everything on standard
 * output.
 */
#define _POSIX_C_SOURCE 200809L /* isatty */

#include "git_verify.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocksha_git.h"
#include "git_options.h"
#include "json.h"
#include "line.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "progress.h"
#include "quote.h"
#include "status.h"
#include "version.h"

enum {
	OPTION_QUICK = OPTION_WITHOUT_LETTER,
	OPTION_SYNTAX,
	OPTION_REQUIRE_CHECKSUM,
	OPTION_JSON,
	OPTION_MEMORY,
	OPTION_MAX_OBJECT_SIZE,
	OPTION_OBJECT_FORMAT,
	OPTION_MAX_FINDINGS,
	OPTION_PROGRESS,
	OPTION_NO_PROGRESS,
	OPTION_HELP,
	OPTION_VERSION,
};

static const struct option_row option_rows[] = {
	{0, NULL, NULL, "What is verified:", false},
	{OPTION_QUICK, "quick", NULL, "headers, structure and checksums of files, not objects",
	 false},
	{OPTION_SYNTAX, "syntax", NULL, "also the insides of trees, commits and tags", false},
	{OPTION_OBJECT_FORMAT, "object-format", "sha1|sha256", "whatever the files look like",
	 false},
	{OPTION_REQUIRE_CHECKSUM, "require-checksum", NULL,
	 "an index without a checksum (index.skipHash) is a failure", false},
	{0, NULL, NULL, "Printing:", false},
	{'v', "verbose", NULL, "a line for each object of a pack, as git verify-pack -v", false},
	{'q', "quiet", NULL, "print no OK lines and no notes", false},
	{OPTION_JSON, "json", NULL, "everything as JSON, an object a line", false},
	{OPTION_MAX_FINDINGS, "max-findings", "NUMBER", "of a file; 100 if not given", false},
	{OPTION_PROGRESS, "progress", NULL, "show the progress, even without a terminal", false},
	{OPTION_NO_PROGRESS, "no-progress", NULL, "do not show it on a terminal either", false},
	{0, NULL, NULL, "Resources:", false},
	{'j', "jobs", "NUMBER", "threads; as many as CPUs if not given", false},
	{OPTION_MEMORY, "memory", "BYTES",
	 "for objects that deltas are based on: K, M, G, T;\n"
	 "a quarter of the machine's memory if not given",
	 false},
	{OPTION_MAX_OBJECT_SIZE, "max-object-size", "BYTES", "a larger object is a failure", false},
	{0, NULL, NULL, "Information:", false},
	{OPTION_HELP, "help", NULL, "print this help and exit", false},
	{OPTION_VERSION, "version", NULL, "print the version and exit", false},
	OPTION_ROWS_END,
};

const struct option_row *git_verify_option_rows(void)
{
	return option_rows;
}

struct verify {
	struct blocksha_git_options git;
	bool quiet, verbose, json;
	enum progress_mode progress;
	uint64_t pack_done, pack_size; /* bytes of the pack at hand that the progress knows of */
	/* Objects by the length of their chains of deltas, of the pack that is being listed. */
	uint64_t *chains;
	size_t chain_count;
};

static void print_help(void)
{
	puts("Usage: blocksha git verify [OPTION]... PATH...\n"
	     "Verify packs and what belongs to them, loose objects, indexes, commit-graphs and\n"
	     "bundles, or all of them in a repository.");
	options_help(stdout, option_rows, false);
	puts("\nExit code: 0 all well, 1 something did not verify or could not be read,\n"
	     "2 wrong usage, 3 a collision attack on SHA-1 was found.");
}

/* --- Findings --------------------------------------------------------------------- */

static void json_finding(const struct blocksha_git_finding *finding)
{
	struct json json;

	json_begin(&json, stdout);
	json_name(&json, "name", finding->file);
	json_string(&json, "finding", blocksha_git_kind_name(finding->kind));
	if (finding->offset != BLOCKSHA_GIT_NO_OFFSET)
		json_number(&json, "offset", finding->offset);
	else
		json_null(&json, "offset");
	if (finding->name != NULL)
		json_hex(&json, "object", finding->name, blocksha_git_name_size(finding->format));
	else
		json_null(&json, "object");
	json_string(&json, "text", finding->text);
	if (finding->expected != NULL)
		json_string(&json, "expected", finding->expected);
	else
		json_null(&json, "expected");
	if (finding->found != NULL)
		json_string(&json, "found", finding->found);
	else
		json_null(&json, "found");
	if (finding->attack.blocks != 0) {
		json_begin_object(&json, "attack");
		json_number(&json, "offset", finding->attack.offset);
		json_string(&json, "vector", blocksha_vector_name(finding->attack.vector));
		json_number(&json, "blocks", finding->attack.blocks);
		json_end_object(&json);
	} else {
		json_null(&json, "attack");
	}
	json_end(&json);
}

/* "at byte 12: object NAME: damaged: TEXT, expected X, found Y", each part if it is known. */
static void print_finding(const struct blocksha_git_finding *finding)
{
	char name[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1], place[64] = "", object[96] = "";
	const char *expected = finding->expected, *found = finding->found;

	if (finding->offset != BLOCKSHA_GIT_NO_OFFSET)
		snprintf(place, sizeof(place), "at byte %" PRIu64 ": ", finding->offset);
	if (finding->name != NULL) {
		blocksha_hex_encode(name, finding->name, blocksha_git_name_size(finding->format));
		snprintf(object, sizeof(object), "object %s: ", name);
	}
	message_about(finding->file, "%s%s%s: %s%s%s%s%s", place, object,
		      blocksha_git_kind_name(finding->kind), finding->text,
		      expected != NULL ? ", expected " : "", expected != NULL ? expected : "",
		      found != NULL ? ", found " : "", found != NULL ? found : "");
}

static void take_finding(void *context, const struct blocksha_git_finding *finding)
{
	const struct verify *verify = context;

	if (verify->json) {
		json_finding(finding);
		return;
	}
	if (verify->quiet && finding->kind == BLOCKSHA_GIT_NOTE)
		return;
	output_flush();
	print_finding(finding);
}

/* --- Objects ---------------------------------------------------------------------- */

static void json_object(const struct blocksha_git_object *object)
{
	size_t size = blocksha_git_name_size(object->format);
	struct json json;

	json_begin(&json, stdout);
	json_name(&json, "name", object->file);
	json_hex(&json, "object", object->name, size);
	json_string(&json, "type", blocksha_git_type_name(object->type));
	json_number(&json, "size", object->size);
	json_number(&json, "packed_size", object->packed_size);
	json_number(&json, "offset", object->offset);
	json_number(&json, "depth", object->depth);
	if (object->base != NULL)
		json_hex(&json, "base", object->base, size);
	else
		json_null(&json, "base");
	json_end(&json);
}

static void print_object(const struct blocksha_git_object *object)
{
	size_t size = blocksha_git_name_size(object->format);
	char hex[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];

	blocksha_hex_encode(hex, object->name, size);
	printf("%s %-6s %" PRIu64 " %" PRIu64 " %" PRIu64, hex,
	       blocksha_git_type_name(object->type), object->size, object->packed_size,
	       object->offset);
	if (object->base != NULL) {
		blocksha_hex_encode(hex, object->base, size);
		printf(" %" PRIu32 " %s", object->depth, hex);
	}
	putchar('\n');
}

/* Without memory the summary lacks the longest chains. */
static void count_chain(struct verify *verify, size_t length)
{
	if (length >= verify->chain_count) {
		size_t count = 2 * length + 64;
		uint64_t *grown = realloc(verify->chains, count * sizeof(*grown));

		if (grown == NULL)
			return;
		memset(grown + verify->chain_count, 0,
		       (count - verify->chain_count) * sizeof(*grown));
		verify->chains = grown;
		verify->chain_count = count;
	}
	verify->chains[length]++;
}

static void take_object(void *context, const struct blocksha_git_object *object)
{
	struct verify *verify = context;

	count_chain(verify, object->depth);
	if (verify->json)
		json_object(object);
	else
		print_object(object);
}

/* The summary under the objects of a pack. */
static void print_chains(const struct verify *verify)
{
	for (size_t length = 0; length < verify->chain_count; length++) {
		uint64_t count = verify->chains[length];

		if (count == 0)
			continue;
		if (length == 0)
			printf("non delta: ");
		else
			printf("chain length = %zu: ", length);
		printf("%" PRIu64 " object%s\n", count, count == 1 ? "" : "s");
	}
}

/* --- Progress --------------------------------------------------------------------- */

/* The pack at hand is done, if there is one. */
static void finish_pack(struct verify *verify)
{
	if (verify->pack_size > 0)
		progress_done(1, verify->pack_size - verify->pack_done);
	verify->pack_size = 0;
	verify->pack_done = 0;
}

/* The thread that prints is the one that is called, so an interruption can end the program here
   without cutting a line. */
static void take_progress(void *context, uint64_t done, uint64_t total)
{
	struct verify *verify = context;

	if (progress_interrupted()) {
		output_flush();
		progress_stop();
		exit(STATUS_INTERRUPTED);
	}
	if (total != verify->pack_size || done < verify->pack_done) {
		finish_pack(verify);
		progress_add_total(1, total);
		verify->pack_size = total;
	}
	progress_done(0, done - verify->pack_done);
	verify->pack_done = done;
}

static void start_progress(struct verify *verify)
{
	const struct progress_options progress = {.mode = verify->progress};

	if (verify->progress == PROGRESS_NEVER ||
	    (verify->progress == PROGRESS_TERMINAL && !isatty(STDERR_FILENO)))
		return; /* then SIGINT does what it does by default */
	if (progress_start(&progress) == 0)
		verify->git.progress = take_progress;
}

/* --- Paths ------------------------------------------------------------------------ */

static int verify_path(struct verify *verify, const char *path)
{
	int result;

	progress_current(path);
	if (verify->chain_count > 0)
		memset(verify->chains, 0, verify->chain_count * sizeof(*verify->chains));
	result = blocksha_git_verify(path, &verify->git);
	finish_pack(verify);
	if (verify->json) {
		struct json json;

		json_begin(&json, stdout);
		json_name(&json, "name", path);
		json_boolean(&json, "ok", result == BLOCKSHA_OK);
		json_end(&json);
	} else {
		if (verify->verbose)
			print_chains(verify);
		if (result == BLOCKSHA_OK && !verify->quiet)
			line_verdict(stdout, path, false, verify->verbose ? "ok" : "OK");
		else if (result != BLOCKSHA_OK)
			line_verdict(stdout, path, false, "FAILED");
	}
	output_flush();
	if (result == BLOCKSHA_ATTACK)
		return STATUS_ATTACK;
	return result == BLOCKSHA_OK ? STATUS_OK : STATUS_FAILED;
}

/* False: wrong usage, after a message. */
static bool take_option(struct verify *verify, int option)
{
	struct blocksha_git_options *git = &verify->git;

	switch (option) {
	case OPTION_QUICK:
		git->tier = BLOCKSHA_GIT_QUICK;
		return true;
	case OPTION_SYNTAX:
		git->tier = BLOCKSHA_GIT_SYNTAX;
		return true;
	case OPTION_REQUIRE_CHECKSUM:
		git->flags |= BLOCKSHA_GIT_FLAG_REQUIRE_CHECKSUM;
		return true;
	case 'v':
		verify->verbose = true;
		return true;
	case 'q':
		verify->quiet = true;
		return true;
	case OPTION_JSON:
		verify->json = true;
		return true;
	case OPTION_PROGRESS:
		verify->progress = PROGRESS_ALWAYS;
		return true;
	case OPTION_NO_PROGRESS:
		verify->progress = PROGRESS_NEVER;
		return true;
	case 'j':
		return git_parse_jobs(optarg, &git->jobs);
	case OPTION_MEMORY:
		return git_parse_bytes(optarg, &git->memory);
	case OPTION_MAX_OBJECT_SIZE:
		return git_parse_bytes(optarg, &git->max_object_size);
	case OPTION_OBJECT_FORMAT:
		return git_parse_format(optarg, &git->format);
	case OPTION_MAX_FINDINGS:
		return git_parse_findings(optarg, &git->max_findings);
	default:
		return false;
	}
}

int git_verify_main(int argc, char **argv)
{
	struct verify verify = {0};
	int option, status = STATUS_OK;

	while ((option = options_next(argc, argv, option_rows, false)) != -1) {
		if (option == OPTION_HELP) {
			print_help();
			return STATUS_OK;
		}
		if (option == OPTION_VERSION) {
			version_print();
			return STATUS_OK;
		}
		if (!take_option(&verify, option)) {
			message_try_help();
			return STATUS_USAGE;
		}
	}
	if (optind == argc) {
		message("a path is missing");
		message_try_help();
		return STATUS_USAGE;
	}
	verify.git.context = &verify;
	verify.git.report = take_finding;
	verify.git.object = verify.verbose ? take_object : NULL;
	start_progress(&verify);
	for (int i = optind; i < argc && !progress_interrupted(); i++)
		status = status_worst(status, verify_path(&verify, argv[i]));
	free(verify.chains);
	progress_stop();
	return progress_interrupted() ? STATUS_INTERRUPTED : status;
}
