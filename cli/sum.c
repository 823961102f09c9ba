/* SPDX-License-Identifier: MIT */
/*
 * Options, and the loop over the files. A file goes from its argument to its lines
 * through hash_one: hash_file (hashfile.h) reads it, line_digest (line.h) prints it.
 * With --check each file is a list, which check_list (check.h) takes.
 */
#include "sum.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "hashfile.h"
#include "input.h"
#include "line.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "status.h"
#include "tee.h"
#include "version.h"

enum {
	OPTION_NO_DETECT = OPTION_WITHOUT_LETTER,
	OPTION_IGNORE_MISSING,
	OPTION_QUIET,
	OPTION_STATUS,
	OPTION_STRICT,
	OPTION_TAG,
	OPTION_TEE,
	OPTION_OUTPUT,
	OPTION_HELP,
	OPTION_VERSION,
};

/* Their order is the one in which getopt_long lists what an abbreviation may mean; coreutils has
   the same. */
static const struct option_row option_rows[] = {
	{'a', "algorithm", "LIST",
	 "sha1, sha256 (the default), or both with a comma:\n"
	 "one read of each file, and a line for each;\n"
	 "with --check: lines of no other algorithm count\n"
	 "(without -a: those of any)",
	 true},
	{OPTION_NO_DETECT, "no-detect", NULL, "do not look for collision attacks on SHA-1", true},
	{0, NULL, NULL, "Verifying:", false},
	{'c', "check", NULL, "the files are checksum lists: verify what they name", false},
	{OPTION_IGNORE_MISSING, "ignore-missing", NULL, "pass over files that are not there",
	 false},
	{OPTION_QUIET, "quiet", NULL, "print no OK lines", false},
	{OPTION_STATUS, "status", NULL, "print no verdicts; the exit code tells", false},
	{'w', "warn", NULL, "point out each malformed line", false},
	{OPTION_STRICT, "strict", NULL, "fail when a line is malformed", false},
	{0, NULL, NULL, "Printing digests:", false},
	{OPTION_TAG, "tag", NULL, "write BSD lines, which name the algorithm", false},
	{'z', "zero", NULL, "end lines with NUL, and do not escape names", false},
	{'b', "binary", NULL, "mark names with an asterisk; nothing else changes", false},
	{'t', "text", NULL, "mark names with a space (the default)", false},
	{0, NULL, NULL, "Passing data on:", true},
	{OPTION_TEE, "tee", NULL,
	 "copy standard input to standard output and print\n"
	 "its digest on standard error when all was written",
	 true},
	{OPTION_OUTPUT, "output", "FILE", "with --tee: write the digest to FILE", true},
	{0, NULL, NULL, "Information:", false},
	{OPTION_HELP, "help", NULL, "print this help and exit", false},
	{OPTION_VERSION, "version", NULL, "print the version and exit", false},
	OPTION_ROWS_END,
};

struct sum_options {
	struct digest_set algorithms;
	bool plain_sha1; /* without detection of collision attacks */
	const struct digest_pass *pass;
	struct line_format format;
	bool text;   /* --text was given, and nothing against it later */
	bool marked; /* --binary, --text or --tag was given */
	bool checking;
	bool tee;
	const char *output; /* of --tee */
	struct check_options check;
	bool as_coreutils;
	const char *program; /* for help */
};

/* What parsing options decides. */
enum parsed {
	PARSED_RUN,
	PARSED_DONE, /* help or version was printed */
	PARSED_WRONG,
};

static int usage_status(const struct sum_options *options)
{
	return options->as_coreutils ? STATUS_FAILED : STATUS_USAGE;
}

static void print_help(const struct sum_options *options)
{
	printf("Usage: %s [OPTION]... [FILE]...\n"
	       "Print the digests of files, or verify files against lists of digests.\n"
	       "Without FILE, or when it is -, read standard input.\n",
	       options->program);
	if (!options->as_coreutils)
		putchar('\n');
	options_help(stdout, option_rows, options->as_coreutils);
	fputs("\nOf --quiet, --status and --warn the last one counts.\n", stdout);
	fputs(options->as_coreutils
		      ? "Exit code: 0 all well, 1 anything else.\n"
		      : "Exit code: 0 all well, 1 something did not verify or could not be read,\n"
			"2 wrong usage, 3 a collision attack on SHA-1 was found.\n",
	      stdout);
}

/* The first rule that the options break, or NULL. */
static const char *find_conflict(const struct sum_options *options)
{
	const struct check_options *check = &options->check;

	if (options->output != NULL && !options->tee)
		return "the --output option is meaningful only with --tee";
	if (options->tee && options->checking)
		return "the --tee option is not supported when verifying checksums";
	if (options->format.tagged && options->text)
		return "--tag does not support --text mode";
	if (options->checking) {
		if (options->format.zero)
			return "the --zero option is not supported when verifying checksums";
		if (options->format.tagged)
			return "the --tag option is meaningless when verifying checksums";
		if (options->marked)
			return "the --binary and --text options are meaningless when verifying "
			       "checksums";
		return NULL;
	}
	if (check->ignore_missing)
		return "the --ignore-missing option is meaningful only when verifying checksums";
	if (check->report == CHECK_REPORT_STATUS)
		return "the --status option is meaningful only when verifying checksums";
	if (check->report == CHECK_REPORT_WARN)
		return "the --warn option is meaningful only when verifying checksums";
	if (check->report == CHECK_REPORT_QUIET)
		return "the --quiet option is meaningful only when verifying checksums";
	if (check->strict)
		return "the --strict option is meaningful only when verifying checksums";
	return NULL;
}

static bool take_algorithms(struct sum_options *options, const char *list)
{
	options->algorithms.count = 0;
	if (digest_set_parse(&options->algorithms, list))
		return true;
	message_about(list, "unknown algorithm");
	return false;
}

static enum parsed take_option(struct sum_options *options, int code)
{
	switch (code) {
	case 'a':
		return take_algorithms(options, optarg) ? PARSED_RUN : PARSED_WRONG;
	case OPTION_NO_DETECT:
		options->plain_sha1 = true;
		break;
	case 'c':
		options->checking = true;
		break;
	case 'w':
		options->check.report = CHECK_REPORT_WARN;
		break;
	case OPTION_QUIET:
		options->check.report = CHECK_REPORT_QUIET;
		break;
	case OPTION_STATUS:
		options->check.report = CHECK_REPORT_STATUS;
		break;
	case OPTION_STRICT:
		options->check.strict = true;
		break;
	case OPTION_IGNORE_MISSING:
		options->check.ignore_missing = true;
		break;
	case 'z':
		options->format.zero = true;
		break;
	case 'b':
	case 't':
		options->marked = true;
		options->text = code == 't';
		options->format.binary = code == 'b';
		break;
	case OPTION_TAG:
		options->marked = true;
		options->text = false;
		options->format.tagged = true;
		break;
	case OPTION_TEE:
		options->tee = true;
		break;
	case OPTION_OUTPUT:
		options->output = optarg;
		break;
	case OPTION_HELP:
		print_help(options);
		return PARSED_DONE;
	case OPTION_VERSION:
		version_print();
		return PARSED_DONE;
	default:
		return PARSED_WRONG;
	}
	return PARSED_RUN;
}

/* Reads the options; afterwards the files begin at argv[optind]. */
static enum parsed parse_options(struct sum_options *options, int argc, char **argv)
{
	enum parsed parsed = PARSED_RUN;
	const char *conflict;
	int code;

	while (parsed == PARSED_RUN &&
	       (code = options_next(argc, argv, option_rows, options->as_coreutils)) != -1)
		parsed = take_option(options, code);
	if (parsed == PARSED_RUN && (conflict = find_conflict(options)) != NULL) {
		message("%s", conflict);
		parsed = PARSED_WRONG;
	}
	if (parsed == PARSED_RUN && options->tee && optind < argc) {
		message_about(argv[optind], "the --tee option takes no files");
		parsed = PARSED_WRONG;
	}
	if (parsed == PARSED_WRONG)
		message_try_help();
	return parsed;
}

/* Fills in what the options leave open. */
static void complete(struct sum_options *options)
{
	struct digest_set *set = &options->algorithms;

	if (set->count == 0 && options->checking)
		for (size_t i = 0; i < DIGEST_COUNT; i++)
			digest_set_add(set, &digest_algorithms[i]);
	if (set->count == 0)
		digest_set_add(set, &digest_algorithms[DIGEST_SHA256]);
	options->pass = digest_set_pass(set, options->plain_sha1);
	options->check.algorithms = *set;
	options->check.plain_sha1 = options->plain_sha1;
	options->check.as_coreutils = options->as_coreutils;
}

static void print_lines(const struct sum_options *options, const char *name,
			const struct hash_result *result)
{
	const struct digest_set *set = &options->algorithms;

	for (size_t i = 0; i < set->count; i++)
		line_digest(stdout, &options->format, name, set->algorithms[i],
			    &result->digests[set->algorithms[i]->id]);
	output_flush();
}

/* Hashes one file and prints its lines. Returns the exit code. */
static int hash_one(const struct sum_options *options, const char *name, struct reader *reader)
{
	struct hash_result result;
	char text[HASH_TEXT_SIZE];

	hash_file(reader, name, options->pass, &result);
	if (result.error == 0) {
		print_lines(options, name, &result);
	} else {
		hash_reason(&result, text);
		message_about(name, "%s", options->as_coreutils ? strerror(result.error) : text);
	}
	if (result.attack.blocks > 0) {
		hash_attack_text(&result, text);
		message_about(name, "%s", text);
		return STATUS_ATTACK;
	}
	return result.error == 0 ? STATUS_OK : STATUS_FAILED;
}

/* Hashes the files, or checks the lists, of those names. Returns the exit code. */
static int run_files(const struct sum_options *options, char **names, int count,
		     struct reader *reader)
{
	enum checklist_form form = CHECKLIST_FORM_UNKNOWN;
	int status = STATUS_OK;

	for (int i = 0; i < count; i++) {
		int one;

		if (!options->checking) {
			one = hash_one(options, names[i], reader);
		} else {
			if (!options->as_coreutils)
				form = CHECKLIST_FORM_UNKNOWN;
			one = check_list(&options->check, names[i], &form, reader);
		}
		status = status_worst(status, one);
		/* Who has no room for the results need not wait for the rest. */
		if (output_failed() && !options->as_coreutils)
			break;
	}
	return status;
}

static int run(struct sum_options *options, char **names, int count)
{
	static char *only_stdin[] = {"-"};
	struct reader *reader = reader_create();
	int status, error;

	if (reader == NULL) {
		message("memory exhausted");
		return STATUS_FAILED;
	}
	if (count == 0)
		status = run_files(options, only_stdin, 1, reader);
	else
		status = run_files(options, names, count, reader);
	reader_destroy(reader);

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
	const struct tee_options tee = {&options->algorithms, options->pass, &options->format,
					options->output};

	return tee_run(&tee);
}

static int parse_and_run(struct sum_options *options, int argc, char **argv)
{
	switch (parse_options(options, argc, argv)) {
	case PARSED_DONE:
		return STATUS_OK;
	case PARSED_WRONG:
		return usage_status(options);
	case PARSED_RUN:
		break;
	}
	complete(options);
	if (options->tee)
		return run_tee(options);
	return run(options, argv + optind, argc - optind);
}

int sum_main(int argc, char **argv)
{
	struct sum_options options = {.program = "blocksha sum"};

	return parse_and_run(&options, argc, argv);
}

int sum_as_coreutils(int argc, char **argv, enum digest_id algorithm)
{
	struct sum_options options = {.program = argv[0], .as_coreutils = true};

	digest_set_add(&options.algorithms, &digest_algorithms[algorithm]);
	return parse_and_run(&options, argc, argv);
}
