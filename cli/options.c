/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <assert.h>
#include <getopt.h>
#include <string.h>

#define MAX_OPTIONS 64

/* The column at which the help texts begin. */
#define HELP_COLUMN 26

static bool is_shown(const struct option_row *row, bool as_coreutils)
{
	return !(row->blocksha_only && as_coreutils);
}

int options_next(int argc, char **argv, const struct option_row *rows, bool as_coreutils)
{
	struct option longs[MAX_OPTIONS + 1];
	char letters[2 * MAX_OPTIONS + 1];
	char *letter = letters;
	size_t count = 0;

	for (; !option_is_end(rows); rows++) {
		if (rows->code == 0 || !is_shown(rows, as_coreutils))
			continue;
		assert(count < MAX_OPTIONS);
		longs[count].name = rows->name;
		longs[count].has_arg = rows->argument != NULL ? required_argument : no_argument;
		longs[count].flag = NULL;
		longs[count].val = rows->code;
		count++;
		if (!option_has_letter(rows))
			continue;
		*letter++ = (char)rows->code;
		if (rows->argument != NULL)
			*letter++ = ':';
	}
	memset(&longs[count], 0, sizeof(longs[count]));
	*letter = '\0';
	return getopt_long(argc, argv, letters, longs, NULL);
}

/* "  -a, --algorithm=LIST", filled up to the column of the help text. */
static void put_option(FILE *out, const struct option_row *row)
{
	int width = option_has_letter(row) ? fprintf(out, "  -%c, ", row->code)
					   : fprintf(out, "      ");

	width += fprintf(out, "--%s", row->name);
	if (row->argument != NULL)
		width += fprintf(out, "=%s", row->argument);
	if (width + 2 > HELP_COLUMN) {
		putc('\n', out);
		width = 0;
	}
	fprintf(out, "%*s", HELP_COLUMN - width, "");
}

void options_help(FILE *out, const struct option_row *rows, bool as_coreutils)
{
	for (; !option_is_end(rows); rows++) {
		const char *text = rows->help;

		if (!is_shown(rows, as_coreutils))
			continue;
		if (rows->code == 0) {
			fprintf(out, "\n%s\n", text);
			continue;
		}
		put_option(out, rows);
		for (size_t length; text[length = strcspn(text, "\n")] != '\0'; text += length + 1)
			fprintf(out, "%.*s\n%*s", (int)length, text, HELP_COLUMN, "");
		fprintf(out, "%s\n", text);
	}
}
