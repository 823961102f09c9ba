/* SPDX-License-Identifier: MIT */
/*
 * blocksha git tree: the names that folders have as trees, without a repository.
 */
#define _POSIX_C_SOURCE 200809L

#include "git_tree.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "git_folder.h"
#include "git_names.h"
#include "git_options.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "status.h"
#include "version.h"

enum {
	OPTION_EXCLUDE_GIT = OPTION_WITHOUT_LETTER,
	OPTION_BOTH,
	OPTION_OBJECT_FORMAT,
	OPTION_JSON,
	OPTION_HELP,
	OPTION_VERSION,
};

static const struct option_row option_rows[] = {
	{OPTION_EXCLUDE_GIT, "exclude-git", NULL, "leave out everything called .git", false},
	{OPTION_OBJECT_FORMAT, "object-format", "sha1|sha256", "sha1 if not given", false},
	{OPTION_BOTH, "both", NULL, "both names, the SHA-1 one first, of one read", false},
	{OPTION_JSON, "json", NULL, "an object a line", false},
	{0, NULL, NULL, "Information:", false},
	{OPTION_HELP, "help", NULL, "print this help and exit", false},
	{OPTION_VERSION, "version", NULL, "print the version and exit", false},
	OPTION_ROWS_END,
};

const struct option_row *git_tree_option_rows(void)
{
	return option_rows;
}

struct tree {
	bool both;
	enum blocksha_git_format format;
	struct git_names_format print;
	struct git_folder_options folder;
	int status;
};

static void print_help(void)
{
	puts("Usage: blocksha git tree [OPTION]... [FOLDER]...\n"
	     "Print the names that folders (without FOLDER: the working directory) have as trees "
	     "of\n"
	     "git: files, whether they are executable, symlinks, folders that are not empty.\n");
	options_help(stdout, option_rows, false);
	puts("\nExit code: 0 all well, 1 something could not be read,\n"
	     "2 wrong usage, 3 a collision attack on SHA-1 was found.");
}

static void report(void *context, const char *path, int error)
{
	(void)context;
	output_flush();
	if (error == 0)
		message_about(path, "skipped: neither a file, nor a symlink, nor a folder");
	else if (error == ESTALE)
		message_about(path, "changed while it was read");
	else
		message_about(path, "%s", strerror(error));
}

static void report_attack(void *context, const char *path, const struct git_named *named)
{
	struct tree *tree = context;
	/* The line about the attack, and not that with the name. */
	struct git_named attack = {.attack = named->attack, .error = ECANCELED};

	tree->status = status_worst(tree->status, git_names_print(&tree->print, path, &attack));
}

static void name_folder(struct tree *tree, struct git_namer *namer, const char *path)
{
	struct git_named named;

	if (git_folder_name(path, &tree->folder, namer, &named))
		tree->status =
			status_worst(tree->status, git_names_print(&tree->print, path, &named));
	else
		tree->status = status_worst(tree->status, STATUS_FAILED);
	output_flush();
}

static bool take_option(struct tree *tree, int option)
{
	switch (option) {
	case OPTION_EXCLUDE_GIT:
		tree->folder.exclude_git = true;
		return true;
	case OPTION_BOTH:
		tree->both = true;
		return true;
	case OPTION_JSON:
		tree->print.json = true;
		return true;
	case OPTION_OBJECT_FORMAT:
		return git_parse_format(optarg, &tree->format);
	default:
		return false;
	}
}

static int run(struct tree *tree, int count, char **paths)
{
	struct git_namer *namer;

	tree->print.formats = git_names_formats(tree->format, tree->both);
	tree->folder.formats = tree->print.formats;
	tree->folder.context = tree;
	tree->folder.report = report;
	tree->folder.attack = report_attack;
	namer = git_namer_create(tree->print.formats);
	if (namer == NULL) {
		message("%s", strerror(ENOMEM));
		return STATUS_FAILED;
	}
	if (count == 0)
		name_folder(tree, namer, ".");
	for (int i = 0; i < count; i++)
		name_folder(tree, namer, paths[i]);
	git_namer_destroy(namer);
	return tree->status;
}

int git_tree_main(int argc, char **argv)
{
	struct tree tree = {0};
	int option;

	while ((option = options_next(argc, argv, option_rows, false)) != -1) {
		if (option == OPTION_HELP) {
			print_help();
			return STATUS_OK;
		}
		if (option == OPTION_VERSION) {
			version_print();
			return STATUS_OK;
		}
		if (!take_option(&tree, option)) {
			message_try_help();
			return STATUS_USAGE;
		}
	}
	return run(&tree, argc - optind, argv + optind);
}
