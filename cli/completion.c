/* SPDX-License-Identifier: MIT */
/*
 * completion.c - a program for the build: writes the completion of blocksha for a shell, from the
 * tables that --help comes from.
 *
 *	blocksha_completion bash|zsh|fish FILE
 */
#include <stdio.h>
#include <string.h>

#include "digest.h"
#include "options.h"
#include "subcommands.h"

/* What completes an argument. */
enum kind {
	KIND_NOTHING,
	KIND_FILE,
	KIND_DIR,
	KIND_ALGORITHMS,
	KIND_WORDS, /* those of the argument's name */
};

static enum kind kind_of(const char *argument)
{
	if (strcmp(argument, "FILE") == 0)
		return KIND_FILE;
	if (strcmp(argument, "DIR") == 0)
		return KIND_DIR;
	if (strcmp(argument, "LIST") == 0)
		return KIND_ALGORITHMS;
	return strchr(argument, '|') != NULL ? KIND_WORDS : KIND_NOTHING;
}

/* The next row at or behind this one that is an option, or NULL. */
static const struct option_row *next_option(const struct option_row *row)
{
	while (!option_is_end(row) && row->code == 0)
		row++;
	return option_is_end(row) ? NULL : row;
}

/* --- The commands --- */

static const struct option_row *root_option_rows(void)
{
	static const struct option_row rows[] = {
		{OPTION_WITHOUT_LETTER, "help", NULL, "print the subcommands and exit", false},
		{OPTION_WITHOUT_LETTER + 1, "version", NULL, "print the version and exit", false},
		OPTION_ROWS_END,
	};

	return rows;
}

/* The program itself, as a group of commands. */
static const struct subcommand root = {
	.name = "blocksha",
	.command = "blocksha",
	.options = root_option_rows,
	.group = subcommands,
};

typedef void put_command(FILE *out, const struct subcommand *command);

/* Writes a command, and those of its group, and theirs. */
static void put_each(FILE *out, const struct subcommand *command, put_command *put)
{
	put(out, command);
	if (command->group == NULL)
		return;
	for (const struct subcommand *row = command->group; row->name != NULL; row++)
		put_each(out, row, put);
}

/* --- Texts that are the same for all shells --- */

/* Each algorithm, and all of them. */
static void put_algorithms(FILE *out)
{
	for (size_t i = 0; i < DIGEST_COUNT; i++)
		fprintf(out, "%s ", digest_algorithms[i].name);
	for (size_t i = 0; i < DIGEST_COUNT; i++)
		fprintf(out, "%s%s", i > 0 ? "," : "", digest_algorithms[i].name);
}

/* The words of an argument of kind ALGORITHMS or WORDS, with spaces between them. */
static void put_words(FILE *out, const char *argument)
{
	if (kind_of(argument) == KIND_ALGORITHMS) {
		put_algorithms(out);
		return;
	}
	for (; *argument != '\0'; argument++)
		putc(*argument == '|' ? ' ' : *argument, out);
}

/* The first line of a help text, with backslashes before the bytes of special, and an apostrophe
   as in apostrophe. */
static void put_help(FILE *out, const char *help, const char *special, const char *apostrophe)
{
	size_t length = strcspn(help, "\n");

	while (length > 0 && strchr(",:;", help[length - 1]) != NULL)
		length--;
	for (size_t i = 0; i < length; i++) {
		if (help[i] == '\'') {
			fputs(apostrophe, out);
			continue;
		}
		if (strchr(special, help[i]) != NULL)
			putc('\\', out);
		putc(help[i], out);
	}
}

static const char header[] = "# SPDX-License-Identifier: MIT\n"
			     "# Completion of blocksha(1), made from its tables of options.\n\n";

/* --- bash --- */

static const char bash_begin[] =
	"_blocksha()\n"
	"{\n"
	"	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	"	local what # is possible: words, FILE, DIR, or nothing\n"
	"	local command=blocksha at\n"
	"\n"
	"	# --option=argument is three words.\n"
	"	if [[ $word == = ]]; then\n"
	"		word=\n"
	"	elif [[ $before == = ]] && ((COMP_CWORD > 2)); then\n"
	"		before=${COMP_WORDS[COMP_CWORD - 2]}\n"
	"	fi\n"
	"\n"
	"	for ((at = 1; at < COMP_CWORD; at++)); do\n"
	"		case $command in\n";

static const char bash_middle[] = "		*) break ;;\n"
				  "		esac\n"
				  "		command+=\" ${COMP_WORDS[at]}\"\n"
				  "	done\n"
				  "	case \"$command: $before\" in\n";

static const char bash_end[] =
	"	COMPREPLY=()\n"
	"	case $what in\n"
	"	FILE) return ;;\n"
	"	DIR) compopt +o default +o bashdefault -o dirnames && return ;;\n"
	"	esac\n"
	"	compopt +o default +o bashdefault\n"
	"	mapfile -t COMPREPLY < <(compgen -W \"$what\" -- \"$word\")\n"
	"	# The argument follows without a space.\n"
	"	if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *= ]]; then\n"
	"		compopt -o nospace\n"
	"	fi\n"
	"}\n"
	"\n"
	"complete -o default -o bashdefault -F _blocksha blocksha\n";

static void bash_group(FILE *out, const struct subcommand *command)
{
	if (command->group != NULL)
		fprintf(out, "		'%s') ;;\n", command->command);
}

static void bash_arguments(FILE *out, const struct subcommand *command)
{
	const struct option_row *row;

	for (row = next_option(command->options()); row != NULL; row = next_option(row + 1)) {
		if (row->argument == NULL)
			continue;
		fprintf(out, "	'%s: --%s'", command->command, row->name);
		if (option_has_letter(row))
			fprintf(out, " | '%s: -%c'", command->command, row->code);
		fputs(") what='", out);
		switch (kind_of(row->argument)) {
		case KIND_NOTHING:
			break;
		case KIND_FILE:
			fputs("FILE", out);
			break;
		case KIND_DIR:
			fputs("DIR", out);
			break;
		case KIND_ALGORITHMS:
		case KIND_WORDS:
			put_words(out, row->argument);
			break;
		}
		fputs("' ;;\n", out);
	}
}

static void bash_option_names(FILE *out, const struct subcommand *command)
{
	const struct option_row *row;

	for (row = next_option(command->options()); row != NULL; row = next_option(row + 1))
		fprintf(out, "--%s%s ", row->name, row->argument != NULL ? "=" : "");
}

/* What a word may be that is no option's argument. */
static void bash_words(FILE *out, const struct subcommand *command)
{
	if (command->group != NULL) {
		fprintf(out, "		'%s: '*) what='", command->command);
		for (const struct subcommand *row = command->group; row->name != NULL; row++)
			fprintf(out, "%s ", row->name);
		bash_option_names(out, command);
		fputs("' ;;\n", out);
		return;
	}
	fprintf(out, "		'%s: -'*) what='", command->command);
	bash_option_names(out, command);
	fprintf(out,
		"' ;;\n"
		"		'%s: '*) what=%s ;;\n",
		command->command, command->operands != NULL ? command->operands : "");
}

static void write_bash(FILE *out)
{
	fputs(header, out);
	fputs(bash_begin, out);
	put_each(out, &root, bash_group);
	fputs(bash_middle, out);
	put_each(out, &root, bash_arguments);
	fputs("	*)\n"
	      "		case \"$command: $word\" in\n",
	      out);
	put_each(out, &root, bash_words);
	fputs("		esac\n"
	      "		;;\n"
	      "	esac\n"
	      "\n",
	      out);
	fputs(bash_end, out);
}

/* --- zsh --- */

static void zsh_help(FILE *out, const char *help)
{
	put_help(out, help, "[]\\:", "'\\''");
}

static void zsh_argument(FILE *out, const char *argument)
{
	fputc(':', out);
	zsh_help(out, argument);
	switch (kind_of(argument)) {
	case KIND_NOTHING:
		fputs(": ", out);
		break;
	case KIND_FILE:
		fputs(":_files", out);
		break;
	case KIND_DIR:
		fputs(":_files -/", out);
		break;
	case KIND_ALGORITHMS:
	case KIND_WORDS:
		fputs(":(", out);
		put_words(out, argument);
		putc(')', out);
		break;
	}
}

static void zsh_option(FILE *out, const struct option_row *row)
{
	const char *long_end = row->argument != NULL ? "=" : "";
	const char *short_end = row->argument != NULL ? "+" : "";

	if (option_has_letter(row))
		fprintf(out, "			'(-%c --%s)'{-%c%s,--%s%s}'[", row->code, row->name,
			row->code, short_end, row->name, long_end);
	else
		fprintf(out, "			'--%s%s[", row->name, long_end);
	zsh_help(out, row->help);
	putc(']', out);
	if (row->argument != NULL)
		zsh_argument(out, row->argument);
	fputs("'\n", out);
}

static void zsh_options(FILE *out, const struct subcommand *command)
{
	const struct option_row *row;

	for (row = next_option(command->options()); row != NULL; row = next_option(row + 1))
		zsh_option(out, row);
}

/* The function for a group: _blocksha_git for "blocksha git". */
static void zsh_function_name(FILE *out, const struct subcommand *group)
{
	putc('_', out);
	for (const char *at = group->command; *at != '\0'; at++)
		putc(*at == ' ' ? '_' : *at, out);
}

/* A case of the function of the command's group. */
static void zsh_case(FILE *out, const struct subcommand *command)
{
	fprintf(out, "	%s)\n", command->name);
	if (command->group != NULL) {
		fputs("		", out);
		zsh_function_name(out, command);
		fputs(" && ret=0\n		return ret\n		;;\n", out);
		return;
	}
	fputs("		specs=(\n", out);
	zsh_options(out, command);
	if (command->operands != NULL)
		fprintf(out, "			'*:%s'\n",
			kind_of(command->operands) == KIND_DIR ? "folder:_files -/"
							       : "file:_files");
	fputs("		)\n		;;\n", out);
}

static void zsh_group(FILE *out, const struct subcommand *group)
{
	if (group->group == NULL)
		return;
	zsh_function_name(out, group);
	fputs("()\n"
	      "{\n"
	      "	local curcontext=$curcontext state ret=1\n"
	      "	local -a line specs subcommands=(\n",
	      out);
	for (const struct subcommand *row = group->group; row->name != NULL; row++) {
		fprintf(out, "		'%s:", row->name);
		zsh_help(out, row->summary);
		fputs("'\n", out);
	}
	fputs("	)\n"
	      "	typeset -A opt_args\n"
	      "\n"
	      "	specs=(\n",
	      out);
	zsh_options(out, group);
	fputs("			'1:command:{ _describe command subcommands }'\n"
	      "			'*::argument:->argument'\n"
	      "	)\n"
	      "	_arguments -C $specs && ret=0\n"
	      "	[[ $state == argument ]] || return ret\n"
	      "\n"
	      "	case $words[1] in\n",
	      out);
	for (const struct subcommand *row = group->group; row->name != NULL; row++)
		zsh_case(out, row);
	fputs("	*) return ret ;;\n"
	      "	esac\n"
	      "	_arguments -s -S $specs && ret=0\n"
	      "	return ret\n"
	      "}\n"
	      "\n",
	      out);
}

static void write_zsh(FILE *out)
{
	fputs("#compdef blocksha\n", out);
	fputs(header, out);
	put_each(out, &root, zsh_group);
	fputs("_blocksha \"$@\"\n", out);
}

/* --- fish --- */

static void fish_help(FILE *out, const char *help)
{
	fputs(" -d '", out);
	put_help(out, help, "\\", "\\'");
	fputs("'\n", out);
}

static void fish_argument(FILE *out, const char *argument)
{
	switch (kind_of(argument)) {
	case KIND_NOTHING:
		fputs(" -x", out);
		break;
	case KIND_FILE:
		fputs(" -r -F", out);
		break;
	case KIND_DIR:
		fputs(" -x -a '(__fish_complete_directories)'", out);
		break;
	case KIND_ALGORITHMS:
	case KIND_WORDS:
		fputs(" -x -a '", out);
		put_words(out, argument);
		putc('\'', out);
		break;
	}
}

/* The words before the cursor. */
static const char fish_begin[] = "function __blocksha_are\n"
				 "	set -l words (commandline -opc)\n"
				 "	set words[1] blocksha\n"
				 "	test \"$words\" = \"$argv\"\n"
				 "end\n"
				 "\n"
				 "function __blocksha_begin\n"
				 "	set -l words (commandline -opc)\n"
				 "	set words[1] blocksha\n"
				 "	string match -q -- \"$argv *\" \"$words \"\n"
				 "end\n"
				 "\n"
				 "complete -c blocksha -f\n";

/* The beginning of a line that holds where this command's own words stand. */
static void fish_complete(FILE *out, const struct subcommand *command)
{
	fprintf(out, "complete -c blocksha -n '__blocksha_%s %s'",
		command->group != NULL ? "are" : "begin", command->command);
}

static void fish_command(FILE *out, const struct subcommand *command)
{
	const struct option_row *option;

	putc('\n', out);
	for (option = next_option(command->options()); option != NULL;
	     option = next_option(option + 1)) {
		fish_complete(out, command);
		if (option_has_letter(option))
			fprintf(out, " -s %c", option->code);
		fprintf(out, " -l %s", option->name);
		if (option->argument != NULL)
			fish_argument(out, option->argument);
		fish_help(out, option->help);
	}
	if (command->group != NULL) {
		for (const struct subcommand *row = command->group; row->name != NULL; row++) {
			fish_complete(out, command);
			fprintf(out, " -a %s", row->name);
			fish_help(out, row->summary);
		}
	}
	if (command->operands != NULL) {
		fish_complete(out, command);
		fputs(kind_of(command->operands) == KIND_DIR
			      ? " -a '(__fish_complete_directories)'\n"
			      : " -F\n",
		      out);
	}
}

static void write_fish(FILE *out)
{
	fputs(header, out);
	fputs(fish_begin, out);
	put_each(out, &root, fish_command);
}

static const struct shell {
	const char *name;
	void (*write)(FILE *out);
} shells[] = {
	{"bash", write_bash},
	{"zsh", write_zsh},
	{"fish", write_fish},
};

static const struct shell *find_shell(const char *name)
{
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (strcmp(name, shells[i].name) == 0)
			return &shells[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct shell *shell = argc == 3 ? find_shell(argv[1]) : NULL;
	FILE *out;
	int failed;

	if (shell == NULL) {
		fputs("usage: blocksha_completion bash|zsh|fish FILE\n", stderr);
		return 2;
	}
	out = fopen(argv[2], "w");
	if (out == NULL) {
		perror(argv[2]);
		return 1;
	}
	shell->write(out);
	failed = ferror(out);
	if (fclose(out) != 0 || failed) {
		perror(argv[2]);
		return 1;
	}
	return 0;
}
