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

const struct subcommand git_commands[] = {
	{"anonymize", "blocksha git anonymize", git_anonymize_main, git_anonymize_option_rows, NULL,
	 NULL, "put stand-ins in the place of names of objects in a stream"},
	{"hash-object", "blocksha git hash-object", git_hash_object_main,
	 git_hash_object_option_rows, NULL, "FILE", "print the names of files as objects"},
	{"tree", "blocksha git tree", git_tree_main, git_tree_option_rows, NULL, "DIR",
	 "print the names of folders as trees"},
	{"verify", "blocksha git verify", git_verify_main, git_verify_option_rows, NULL, "FILE",
	 "verify packs, indexes and the other files of a repository"},
	SUBCOMMANDS_END,
};

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
	subcommands_help(git_commands);
	puts("\n'blocksha git COMMAND --help' tells its options.");
}

int git_main(int argc, char **argv)
{
	const struct subcommand *command;

	if (argc < 2) {
		message("a command is missing");
		message_try_help();
		return STATUS_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0) {
		print_help();
		return STATUS_OK;
	}
	command = subcommand_find(git_commands, argv[1]);
	if (command == NULL) {
		message_about(argv[1], "unknown command");
		message_try_help();
		return STATUS_USAGE;
	}
	message_set_command(command->command);
	argv[1] = argv[0]; /* getopt_long begins its messages with it */
	return command->run(argc - 1, argv + 1);
}
