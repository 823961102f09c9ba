/* SPDX-License-Identifier: MIT */
#include "git.h"

#include <stdio.h>
#include <string.h>

#include "git_anonymize.h"
#include "git_hash_object.h"
#include "git_tree.h"
#include "git_verify.h"
#include "message.h"
#include "status.h"

struct git_command {
	const char *name;
	const char *command; /* how its help is asked for */
	int (*run)(int argc, char **argv);
	const char *summary;
};

static const struct git_command commands[] = {
	{"anonymize", "blocksha git anonymize", git_anonymize_main,
	 "put stand-ins in the place of names of objects in a stream"},
	{"hash-object", "blocksha git hash-object", git_hash_object_main,
	 "print the names of files as objects"},
	{"tree", "blocksha git tree", git_tree_main, "print the names of folders as trees"},
	{"verify", "blocksha git verify", git_verify_main,
	 "verify packs, indexes and the other files of a repository"},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct option_row *git_option_rows(void)
{
	static const struct option_row rows[] = {
		{OPTION_WITHOUT_LETTER, "help", NULL, "print the commands and exit", false},
		OPTION_ROWS_END,
	};

	return rows;
}

static void print_help(void)
{
	puts("Usage: blocksha git COMMAND [OPTION]... [ARGUMENT]...\n");
	for (size_t i = 0; i < COUNT(commands); i++)
		printf("  %-12s %s\n", commands[i].name, commands[i].summary);
	puts("\n'blocksha git COMMAND --help' tells its options.");
}

int git_main(int argc, char **argv)
{
	if (argc < 2) {
		message("a command is missing");
		message_try_help();
		return STATUS_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_help();
		return STATUS_OK;
	}
	for (size_t i = 0; i < COUNT(commands); i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		message_set_command(commands[i].command);
		argv[1] = argv[0]; /* getopt_long begins its messages with it */
		return commands[i].run(argc - 1, argv + 1);
	}
	message_about(argv[1], "unknown command");
	message_try_help();
	return STATUS_USAGE;
}
