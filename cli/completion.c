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

#define EACH_SUBCOMMAND(row) (const struct subcommand *row = subcommands; row->name != NULL; row++)

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

#define EACH_OPTION(row, subcommand)                                                       \
	(const struct option_row *row = next_option((subcommand)->options()); row != NULL; \
	 row = next_option(row + 1))

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
	"\n"
	"	# --option=argument is three words.\n"
	"	if [[ $word == = ]]; then\n"
	"		word=\n"
	"	elif [[ $before == = ]] && ((COMP_CWORD > 2)); then\n"
	"		before=${COMP_WORDS[COMP_CWORD - 2]}\n"
	"	fi\n"
	"\n";

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

static void bash_arguments(FILE *out, const struct subcommand *subcommand)
{
	for
		EACH_OPTION(row, subcommand)
		{
			if (row->argument == NULL)
				continue;
			fprintf(out, "		'%s --%s'", subcommand->name, row->name);
			if (option_has_letter(row))
				fprintf(out, " | '%s -%c'", subcommand->name, row->code);
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

static void bash_options(FILE *out, const struct subcommand *subcommand)
{
	fprintf(out, "			'%s -'*) what='", subcommand->name);
	for
		EACH_OPTION(row, subcommand)
	fprintf(out, "%s--%s%s", row != next_option(subcommand->options()) ? " " : "", row->name,
		row->argument != NULL ? "=" : "");
	fputs("' ;;\n", out);
	fprintf(out, "			'%s '*) what=%s ;;\n", subcommand->name,
		subcommand->takes_files ? "FILE" : "");
}

static void write_bash(FILE *out)
{
	fputs(header, out);
	fputs(bash_begin, out);
	fputs("	if ((COMP_CWORD == 1)); then\n"
	      "		what='",
	      out);
	for
		EACH_SUBCOMMAND(row)
	fprintf(out, "%s ", row->name);
	fputs("--help --version'\n"
	      "	else\n"
	      "		case \"${COMP_WORDS[1]} $before\" in\n",
	      out);
	for
		EACH_SUBCOMMAND(row)
	bash_arguments(out, row);
	fputs("		*)\n"
	      "			case \"${COMP_WORDS[1]} $word\" in\n",
	      out);
	for
		EACH_SUBCOMMAND(row)
	bash_options(out, row);
	fputs("			esac\n"
	      "			;;\n"
	      "		esac\n"
	      "	fi\n"
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

static void write_zsh(FILE *out)
{
	fputs("#compdef blocksha\n", out);
	fputs(header, out);
	fputs("_blocksha()\n"
	      "{\n"
	      "	local curcontext=$curcontext state ret=1\n"
	      "	local -a line specs subcommands=(\n",
	      out);
	for
		EACH_SUBCOMMAND(row)
		{
			fprintf(out, "		'%s:", row->name);
			zsh_help(out, row->summary);
			fputs("'\n", out);
		}
	fputs("	)\n"
	      "	typeset -A opt_args\n"
	      "\n"
	      "	_arguments -C \\\n"
	      "		'(- *)--help[print the subcommands and exit]' \\\n"
	      "		'(- *)--version[print the version and exit]' \\\n"
	      "		'1:subcommand:{ _describe subcommand subcommands }' \\\n"
	      "		'*::argument:->argument' && ret=0\n"
	      "	[[ $state == argument ]] || return ret\n"
	      "\n"
	      "	case $words[1] in\n",
	      out);
	for
		EACH_SUBCOMMAND(subcommand)
		{
			fprintf(out, "	%s)\n		specs=(\n", subcommand->name);
		for
			EACH_OPTION(row, subcommand)
		zsh_option(out, row);
		if (subcommand->takes_files)
			fputs("			'*:file:_files'\n", out);
		fputs("		)\n		;;\n", out);
		}
	fputs("	*) return ret ;;\n"
	      "	esac\n"
	      "	_arguments -s -S $specs && ret=0\n"
	      "	return ret\n"
	      "}\n"
	      "\n"
	      "_blocksha \"$@\"\n",
	      out);
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

static void fish_subcommand(FILE *out, const struct subcommand *subcommand)
{
	fprintf(out, "\ncomplete -c blocksha -n __fish_use_subcommand -a %s", subcommand->name);
	fish_help(out, subcommand->summary);
	for
		EACH_OPTION(row, subcommand)
		{
			fprintf(out, "complete -c blocksha -n '__fish_seen_subcommand_from %s'",
				subcommand->name);
			if (option_has_letter(row))
				fprintf(out, " -s %c", row->code);
			fprintf(out, " -l %s", row->name);
			if (row->argument != NULL)
				fish_argument(out, row->argument);
			fish_help(out, row->help);
		}
	if (subcommand->takes_files)
		fprintf(out, "complete -c blocksha -n '__fish_seen_subcommand_from %s' -F\n",
			subcommand->name);
}

static void write_fish(FILE *out)
{
	fputs(header, out);
	fputs("complete -c blocksha -f\n"
	      "complete -c blocksha -n __fish_use_subcommand -l help"
	      " -d 'print the subcommands and exit'\n"
	      "complete -c blocksha -n __fish_use_subcommand -l version"
	      " -d 'print the version and exit'\n",
	      out);
	for
		EACH_SUBCOMMAND(row)
	fish_subcommand(out, row);
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
