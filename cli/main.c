/* SPDX-License-Identifier: MIT */
/*
 * main.c - which subcommand runs (subcommands.h), and the names that stand for one of them.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernels.h"
#include "message.h"
#include "output.h"
#include "status.h"
#include "subcommands.h"
#include "sum.h"
#include "version.h"

/* Names of coreutils under which the program behaves as the one that is meant. */
struct alias {
	const char *name;
	enum digest_id algorithm;
};

static const struct alias aliases[] = {
	{"sha1sum", DIGEST_SHA1},
	{"sha256sum", DIGEST_SHA256},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Every message begins with this name, whatever the file is called. */
static char program_name[] = "blocksha";

static void print_help(void)
{
	printf("Usage: %s SUBCOMMAND [OPTION]... [ARGUMENT]...\n\n", program_name);
	subcommands_help(subcommands);
	printf("\n'%s SUBCOMMAND --help' tells its options.\n", program_name);
}

static int wrong_usage(void)
{
	message_try_help();
	return STATUS_USAGE;
}

static int run_subcommand(int argc, char **argv)
{
	const struct subcommand *subcommand;

	message_setup(program_name);
	if (argc < 2) {
		message("a subcommand is missing");
		return wrong_usage();
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_help();
		return STATUS_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		version_print();
		return STATUS_OK;
	}
	subcommand = subcommand_find(subcommands, argv[1]);
	if (subcommand == NULL) {
		message_about(argv[1], "unknown subcommand");
		return wrong_usage();
	}
	message_set_command(subcommand->command);
	argv[1] = program_name; /* getopt_long begins its messages with it */
	if (!kernels_from_environment())
		return STATUS_USAGE;
	return subcommand->run(argc - 1, argv + 1);
}

/* The alias that the last part of path names, or NULL. */
static const struct alias *find_alias(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	for (size_t i = 0; i < COUNT(aliases); i++)
		if (strcmp(name, aliases[i].name) == 0)
			return &aliases[i];
	return NULL;
}

static int run_alias(const struct alias *alias, int argc, char **argv)
{
	message_setup(argv[0]);
	if (!kernels_from_environment())
		return STATUS_FAILED;
	return sum_as_coreutils(argc, argv, alias->algorithm);
}

/* A verdict that nobody could read is none: failing to write is failing. */
static int finish(int status, bool as_coreutils)
{
	bool written = output_close(as_coreutils);

	if (message_all_written() && written)
		return status;
	return status_worst(status, STATUS_FAILED);
}

int main(int argc, char **argv)
{
	const struct alias *alias = argc > 0 ? find_alias(argv[0]) : NULL;
	int status;

	output_setup();
	if (alias != NULL)
		status = run_alias(alias, argc, argv);
	else
		status = run_subcommand(argc, argv);
	return finish(status, alias != NULL);
}
