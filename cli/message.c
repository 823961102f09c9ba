/* SPDX-License-Identifier: MIT */
#include "message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "output.h"
#include "quote.h"
#include "statusline.h"

static const char *program_name = "blocksha";
static const char *help_command = "blocksha";

void message_setup(const char *program)
{
	static char buffer[4096];

	program_name = program;
	help_command = program;
	/* A line reaches the terminal or the pipe in one piece. */
	setvbuf(stderr, buffer, _IOLBF, sizeof(buffer));
}

void message_set_command(const char *command)
{
	help_command = command;
}

static void begin(void)
{
	output_flush(); /* results that came before stand before, where both go to one place */
	statusline_hide();
	fprintf(stderr, "%s: ", program_name);
}

static void finish(const char *format, va_list arguments)
{
	vfprintf(stderr, format, arguments);
	putc('\n', stderr);
	statusline_show();
}

void message(const char *format, ...)
{
	va_list arguments;

	begin();
	va_start(arguments, format);
	finish(format, arguments);
	va_end(arguments);
}

void message_about(const char *name, const char *format, ...)
{
	va_list arguments;

	begin();
	quote_name(stderr, name);
	fputs(": ", stderr);
	va_start(arguments, format);
	finish(format, arguments);
	va_end(arguments);
}

void message_at_line(const char *list, uint64_t line, const char *name, const char *format, ...)
{
	va_list arguments;

	begin();
	quote_name(stderr, list);
	fprintf(stderr, ": %" PRIu64 ": ", line);
	if (name != NULL) {
		quote_name(stderr, name);
		fputs(": ", stderr);
	}
	va_start(arguments, format);
	finish(format, arguments);
	va_end(arguments);
}

void message_try_help(void)
{
	fprintf(stderr, "Try '%s --help' for more information.\n", help_command);
}

bool message_all_written(void)
{
	return fflush(stderr) == 0 && !ferror(stderr);
}
