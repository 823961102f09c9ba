/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* isatty */

#include "sum_options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpus.h"
#include "message.h"
#include "version.h"

enum {
	OPTION_NO_DETECT = OPTION_WITHOUT_LETTER,
	OPTION_ALLOW_CHANGING,
	OPTION_NO_CACHE,
	OPTION_SYMLINKS,
	OPTION_ONE_FILE_SYSTEM,
	OPTION_EXCLUDE,
	OPTION_FILES_FROM,
	OPTION_FILES0_FROM,
	OPTION_PROGRESS,
	OPTION_NO_PROGRESS,
	OPTION_JSON,
	OPTION_IGNORE_MISSING,
	OPTION_QUIET,
	OPTION_STATUS,
	OPTION_STRICT,
	OPTION_STRICT_ALL,
	OPTION_QUOTE,
	OPTION_UPDATE,
	OPTION_RECHECK,
	OPTION_DIFF,
	OPTION_SAFE_PATHS,
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
	{'j', "jobs", "N", "hash N files at a time (default: the usable CPUs)", true},
	{OPTION_ALLOW_CHANGING, "allow-changing", NULL,
	 "a file that changes while it is read is no failure", true},
	{OPTION_NO_CACHE, "no-cache", NULL, "take what was read out of the page cache", true},
	{OPTION_PROGRESS, "progress", NULL, "show the progress, even without a terminal", true},
	{OPTION_NO_PROGRESS, "no-progress", NULL, "do not show it on a terminal either", true},
	{0, NULL, NULL, "Choosing files:", true},
	{'r', "recursive", NULL, "a directory stands for all files below it", true},
	{OPTION_SYMLINKS, "symlinks", "skip|follow|text",
	 "what becomes of symbolic links in a tree (default:\n"
	 "skip); text: the digest of what a link says",
	 true},
	{OPTION_ONE_FILE_SYSTEM, "one-file-system", NULL, "stay on the file system of a tree's top",
	 true},
	{OPTION_EXCLUDE, "exclude", "GLOB", "leave out names in a tree that match (repeatable)",
	 true},
	{OPTION_FILES_FROM, "files-from", "FILE", "the files are named in FILE, one a line", true},
	{OPTION_FILES0_FROM, "files0-from", "FILE", "the same, names ended by NUL", true},
	{'C', "directory", "DIR", "change to DIR before anything else", true},
	{0, NULL, NULL, "Verifying:", false},
	{'c', "check", NULL, "the files are checksum lists: verify what they name", false},
	{OPTION_IGNORE_MISSING, "ignore-missing", NULL, "pass over files that are not there",
	 false},
	{OPTION_QUIET, "quiet", NULL, "print no OK lines", false},
	{OPTION_STATUS, "status", NULL, "print no verdicts; the exit code tells", false},
	{'w', "warn", NULL, "point out each malformed line", false},
	{OPTION_STRICT, "strict", NULL, "fail when a line is malformed", false},
	{OPTION_STRICT_ALL, "strict-all", NULL,
	 "fail unless every line verifies: none malformed,\n"
	 "none of another algorithm, no file missing",
	 true},
	{OPTION_SAFE_PATHS, "safe-paths", NULL, "refuse absolute names, and those with '..'", true},
	{OPTION_QUOTE, "quote", "9.1|9.11",
	 "names in verdicts as coreutils 9.1 has them (the\n"
	 "default), or quoted for a shell as in 9.11",
	 true},
	{0, NULL, NULL, "Keeping a list:", false},
	{OPTION_UPDATE, "update", "FILE",
	 "with --recursive: bring the list FILE up to date,\n"
	 "hashing only files that are new or whose size or\n"
	 "time of modification is another",
	 true},
	{OPTION_RECHECK, "recheck", NULL,
	 "with --update: hash all, to find files that changed\n"
	 "although size and time did not",
	 true},
	{OPTION_DIFF, "diff", NULL, "compare two lists without reading files", true},
	{0, NULL, NULL, "Printing digests:", false},
	{OPTION_JSON, "json", NULL, "write an object a file instead of lines", true},
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

const struct option_row *sum_option_rows(void)
{
	return option_rows;
}

enum { MAX_JOBS = 4096 };

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

/* The first rule about trees that the options break, or NULL. The same below. */
static const char *find_tree_conflict(const struct sum_options *options)
{
	if (options->source.recursive)
		return NULL;
	if (options->exclude_count > 0)
		return "the --exclude option is meaningful only with --recursive";
	if (options->source.walk.symlinks != WALK_SYMLINKS_SKIP)
		return "the --symlinks option is meaningful only with --recursive";
	if (options->source.walk.one_file_system)
		return "the --one-file-system option is meaningful only with --recursive";
	return NULL;
}

/* For the options of verifying. printing: not even those that --update and --diff have too. */
static const char *find_check_option(const struct sum_options *options, bool printing)
{
	const struct check_options *check = &options->check;

	if (check->ignore_missing)
		return "the --ignore-missing option is meaningful only when verifying checksums";
	if (printing && check->report == CHECK_REPORT_STATUS)
		return "the --status option is meaningful only when verifying checksums";
	if (check->report == CHECK_REPORT_WARN)
		return "the --warn option is meaningful only when verifying checksums";
	if (check->report == CHECK_REPORT_QUIET)
		return "the --quiet option is meaningful only when verifying checksums";
	if (check->strict)
		return "the --strict option is meaningful only when verifying checksums";
	if (check->strict_all)
		return "the --strict-all option is meaningful only when verifying checksums";
	if (check->safe_paths)
		return "the --safe-paths option is meaningful only when verifying checksums";
	if (printing && options->quote_given)
		return "the --quote option is meaningful only when verifying checksums";
	return NULL;
}

static const char *find_check_conflict(const struct sum_options *options)
{
	if (options->list != NULL)
		return "a list of names is meaningless when verifying checksums";
	if (options->format.zero)
		return "the --zero option is not supported when verifying checksums";
	if (options->format.tagged)
		return "the --tag option is meaningless when verifying checksums";
	if (options->marked)
		return "the --binary and --text options are meaningless when verifying checksums";
	return NULL;
}

/* For --update and --diff. */
static const char *find_keep_conflict(const struct sum_options *options)
{
	if (options->checking || (options->update != NULL && options->comparing))
		return "only one of --check, --update and --diff can be done at a time";
	if (options->update != NULL && !options->source.recursive)
		return "the --update option needs --recursive";
	if (options->comparing && options->source.recursive)
		return "the --recursive option is meaningless when comparing lists";
	if (options->source.walk.symlinks == WALK_SYMLINKS_TEXT)
		return "a list that is updated cannot have the texts of symbolic links";
	if (options->list != NULL || options->json || options->format.zero ||
	    options->format.binary)
		return "--files-from, --json, --zero and --binary do not go with --update or "
		       "--diff";
	return find_check_option(options, false);
}

/* The first rule that the options break, or NULL. */
static const char *find_conflict(const struct sum_options *options)
{
	const char *conflict = find_tree_conflict(options);

	if (options->output != NULL && !options->tee)
		return "the --output option is meaningful only with --tee";
	if (options->tee && options->checking)
		return "the --tee option is not supported when verifying checksums";
	if (options->tee && (options->source.recursive || options->list != NULL || options->json ||
			     options->update != NULL || options->comparing))
		return "--recursive, --files-from, --json, --update and --diff do not go with "
		       "--tee";
	if (options->format.tagged && options->text)
		return "--tag does not support --text mode";
	if (conflict != NULL)
		return conflict;
	if (options->recheck && options->update == NULL)
		return "the --recheck option is meaningful only with --update";
	if (options->update != NULL || options->comparing)
		return find_keep_conflict(options);
	return options->checking ? find_check_conflict(options) : find_check_option(options, true);
}

static bool take_algorithms(struct sum_options *options, const char *list)
{
	options->algorithms.count = 0;
	if (digest_set_parse(&options->algorithms, list))
		return true;
	message_about(list, "unknown algorithm");
	return false;
}

static bool take_jobs(struct sum_options *options, const char *text)
{
	char *end;
	unsigned long jobs;

	errno = 0;
	jobs = strtoul(text, &end, 10);
	if (*text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && jobs >= 1 &&
	    jobs <= MAX_JOBS) {
		options->jobs = (unsigned)jobs;
		return true;
	}
	message_about(text, "--jobs takes a number from 1 to %d", MAX_JOBS);
	return false;
}

static bool take_symlinks(struct sum_options *options, const char *how)
{
	static const char *const names[] = {
		[WALK_SYMLINKS_SKIP] = "skip",
		[WALK_SYMLINKS_FOLLOW] = "follow",
		[WALK_SYMLINKS_TEXT] = "text",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(how, names[i]) == 0) {
			options->source.walk.symlinks = (enum walk_symlinks)i;
			return true;
		}
	message_about(how, "--symlinks takes skip, follow or text");
	return false;
}

static bool take_exclude(struct sum_options *options, const char *glob)
{
	size_t count = options->exclude_count + 1;
	const char **globs = realloc(options->excludes, (count + 1) * sizeof(*globs));

	if (globs == NULL) {
		message("memory exhausted");
		return false;
	}
	globs[count - 1] = glob;
	globs[count] = NULL;
	options->excludes = globs;
	options->exclude_count = count;
	options->source.walk.excludes = globs;
	return true;
}

static bool take_quote(struct sum_options *options, const char *version)
{
	options->quote_given = true;
	options->check.quoted = strcmp(version, "9.11") == 0;
	if (options->check.quoted || strcmp(version, "9.1") == 0)
		return true;
	message_about(version, "--quote takes 9.1 or 9.11");
	return false;
}

static enum sum_parsed take_option(struct sum_options *options, int code)
{
	switch (code) {
	case 'a':
		return take_algorithms(options, optarg) ? SUM_PARSED_RUN : SUM_PARSED_WRONG;
	case 'j':
		return take_jobs(options, optarg) ? SUM_PARSED_RUN : SUM_PARSED_WRONG;
	case OPTION_SYMLINKS:
		return take_symlinks(options, optarg) ? SUM_PARSED_RUN : SUM_PARSED_WRONG;
	case OPTION_EXCLUDE:
		return take_exclude(options, optarg) ? SUM_PARSED_RUN : SUM_PARSED_WRONG;
	case OPTION_ALLOW_CHANGING:
		options->hash.allow_changing = true;
		break;
	case OPTION_PROGRESS:
		options->progress = PROGRESS_ALWAYS;
		break;
	case OPTION_NO_PROGRESS:
		options->progress = PROGRESS_NEVER;
		break;
	case OPTION_JSON:
		options->json = true;
		break;
	case OPTION_NO_CACHE:
		options->hash.drop_cache = true;
		break;
	case 'r':
		options->source.recursive = true;
		break;
	case OPTION_ONE_FILE_SYSTEM:
		options->source.walk.one_file_system = true;
		break;
	case OPTION_FILES_FROM:
	case OPTION_FILES0_FROM:
		options->list = optarg;
		options->list_end = code == OPTION_FILES_FROM ? '\n' : '\0';
		break;
	case 'C':
		options->directory = optarg;
		break;
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
	case OPTION_STRICT_ALL:
		options->check.strict_all = true;
		break;
	case OPTION_SAFE_PATHS:
		options->check.safe_paths = true;
		break;
	case OPTION_UPDATE:
		options->update = optarg;
		break;
	case OPTION_RECHECK:
		options->recheck = true;
		break;
	case OPTION_DIFF:
		options->comparing = true;
		break;
	case OPTION_QUOTE:
		return take_quote(options, optarg) ? SUM_PARSED_RUN : SUM_PARSED_WRONG;
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
		return SUM_PARSED_DONE;
	case OPTION_VERSION:
		version_print();
		return SUM_PARSED_DONE;
	default:
		return SUM_PARSED_WRONG;
	}
	return SUM_PARSED_RUN;
}

/* Reads the options; afterwards the files begin at argv[optind]. */
static enum sum_parsed parse(struct sum_options *options, int argc, char **argv)
{
	enum sum_parsed parsed = SUM_PARSED_RUN;
	const char *conflict;
	int code;

	while (parsed == SUM_PARSED_RUN &&
	       (code = options_next(argc, argv, option_rows, options->as_coreutils)) != -1)
		parsed = take_option(options, code);
	if (parsed == SUM_PARSED_RUN && (conflict = find_conflict(options)) != NULL) {
		message("%s", conflict);
		parsed = SUM_PARSED_WRONG;
	}
	return parsed;
}

/* Fills in what the options leave open. */
static void complete(struct sum_options *options)
{
	struct digest_set *set = &options->algorithms;

	options->wanted = *set;
	if (set->count == 0 && (options->checking || options->update != NULL || options->comparing))
		for (size_t i = 0; i < DIGEST_COUNT; i++)
			digest_set_add(set, &digest_algorithms[i]);
	if (set->count == 0)
		digest_set_add(set, &digest_algorithms[DIGEST_SHA256]);
	options->source.pass = digest_set_pass(set, options->plain_sha1);
	if (options->jobs == 0)
		options->jobs = cpus_usable();
	options->hash.long_paths = !options->as_coreutils;
	if (options->as_coreutils)
		options->hash.allow_changing = true; /* as theirs, which does not look */
	if (options->progress == PROGRESS_TERMINAL &&
	    (options->as_coreutils || !isatty(STDERR_FILENO)))
		options->progress = PROGRESS_NEVER;
	options->check.algorithms = *set;
	options->check.plain_sha1 = options->plain_sha1;
	options->check.as_coreutils = options->as_coreutils;
	options->check.jobs = options->jobs;
	options->check.json = options->json;
	options->check.hash = options->hash;
}

/* What is wrong with the operands, or NULL. */
static const char *find_operand_conflict(const struct sum_options *options, int count)
{
	if (options->tee && count > 0)
		return "the --tee option takes no files";
	if (options->comparing && count != 2)
		return "the --diff option takes two lists";
	if (options->list != NULL && count > 0)
		return "no file can be named beside a list of names";
	return NULL;
}

enum sum_parsed sum_options_parse(struct sum_options *options, int argc, char **argv)
{
	enum sum_parsed parsed = parse(options, argc, argv);
	const char *conflict = NULL;

	if (parsed == SUM_PARSED_RUN)
		conflict = find_operand_conflict(options, argc - optind);
	if (conflict != NULL && optind < argc)
		message_about(argv[optind], "%s", conflict);
	else if (conflict != NULL)
		message("%s", conflict);
	if (conflict != NULL)
		parsed = SUM_PARSED_WRONG;
	if (parsed == SUM_PARSED_WRONG)
		message_try_help();
	if (parsed == SUM_PARSED_RUN)
		complete(options);
	return parsed;
}

void sum_options_free(struct sum_options *options)
{
	free(options->excludes);
}
