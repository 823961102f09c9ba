/* SPDX-License-Identifier: MIT */
/*
 * A name is 40 or 64 hexadecimal digits with no letter, digit or underscore on either side. Its
 * stand-in is as long, so names are replaced where they stand; what remains of a piece of
 * the stream is the run of digits at its end, which the next piece may go on with.
 */
#include "git_anonymize.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocksha.h"
#include "message.h"
#include "options.h"
#include "replace.h"
#include "git_standin.h"
#include "status.h"
#include "transfer.h"

#define PIECE_SIZE ((size_t)128 * 1024)

enum {
	SHORT_DIGITS = 40,
	LONG_DIGITS = 64,
};

enum {
	OPTION_MAP = OPTION_WITHOUT_LETTER,
	OPTION_HELP,
};

static const struct option_row option_rows[] = {
	{OPTION_MAP, "map", "FILE", "reuse the mapping in FILE if it is there, and save it there",
	 false},
	{OPTION_HELP, "help", NULL, "print this help and exit", false},
	OPTION_ROWS_END,
};

const struct option_row *git_anonymize_option_rows(void)
{
	return option_rows;
}

static void print_help(void)
{
	fputs("Usage: blocksha git anonymize [OPTION]...\n"
	      "Copy standard input to standard output, and put a stand-in in the place of each\n"
	      "full name of an object (40 or 64 hexadecimal digits): zeros and a number that\n"
	      "counts from 1. The same name always gets the same one; the null name stays.\n\n",
	      stdout);
	options_help(stdout, option_rows, false);
	fputs("\nExit code: 0 all well, 1 something could not be read or written, 2 wrong usage.\n",
	      stdout);
}

/* --- The stream ----------------------------------------------------------------------- */

struct stream {
	struct standins names;
	bool after_word; /* what was sent ends with a letter, a digit or an underscore */
	size_t kept;     /* bytes at the beginning of the buffer that were not sent yet */
	unsigned char buffer[LONG_DIGITS + PIECE_SIZE];
};

/* In ASCII, whatever the locale says. */
static bool is_digit(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f');
}

static bool is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_';
}

/* Puts the stand-in over the digits. False when there is no memory. */
static bool replace_name(struct standins *names, unsigned char *digits, size_t count)
{
	static const unsigned char null_name[STANDIN_SIZE];
	unsigned char name[STANDIN_SIZE];
	char standin[2 * STANDIN_SIZE], text[2 * STANDIN_SIZE];
	uint32_t number;

	memcpy(text, digits, count);
	(void)blocksha_hex_decode(name, text, count / 2);
	if (memcmp(name, null_name, count / 2) == 0)
		return true;
	number = standins_number(names, name, count / 2);
	if (number == 0)
		return false;
	standin_write(standin, number, count / 2);
	memcpy(digits, standin, count);
	return true;
}

/* Replaces the names in the first size bytes of the buffer. *undecided becomes where the run
   of digits begins that may go on in the next piece, or size. False when there is no memory. */
static bool replace_names(struct stream *stream, size_t size, bool last, size_t *undecided)
{
	unsigned char *data = stream->buffer;
	size_t begin, end, at = 0;

	/* Of 40 digits in a row from at on, one stands at at + 39: most bytes are never looked at.
	 */
	while (at + SHORT_DIGITS <= size) {
		end = at + SHORT_DIGITS;
		begin = end;
		while (begin > at && is_digit(data[begin - 1]))
			begin--;
		if (begin == end) {
			at = end;
			continue;
		}
		while (end < size && is_digit(data[end]))
			end++;
		if (end == size && !last)
			break;
		if ((end - begin == SHORT_DIGITS || end - begin == LONG_DIGITS) &&
		    !(begin > 0 ? is_word(data[begin - 1]) : stream->after_word) &&
		    !(end < size && is_word(data[end])) &&
		    !replace_name(&stream->names, data + begin, end - begin))
			return false;
		at = end;
	}
	begin = size;
	while (!last && begin > at && is_digit(data[begin - 1]))
		begin--;
	/* Longer ones are no names, whatever comes. */
	*undecided = size - begin <= LONG_DIGITS ? begin : size;
	return true;
}

/* Sends what is decided of the first size bytes of the buffer, and keeps the rest. Returns 0 or
   an errno. */
static int send_piece(struct stream *stream, size_t size, bool last)
{
	size_t undecided;
	int error;

	if (!replace_names(stream, size, last, &undecided))
		return ENOMEM;
	error = transfer_write(STDOUT_FILENO, stream->buffer, undecided);
	if (undecided > 0)
		stream->after_word = is_word(stream->buffer[undecided - 1]);
	stream->kept = size - undecided;
	memmove(stream->buffer, stream->buffer + undecided, stream->kept);
	return error;
}

static int run_stream(struct stream *stream)
{
	bool last = false;
	int error = 0;
	size_t got;

	while (error == 0 && !last) {
		error = transfer_read(STDIN_FILENO, stream->buffer + stream->kept, PIECE_SIZE,
				      &got);
		if (error != 0) {
			message("-: %s", strerror(error));
			return STATUS_FAILED;
		}
		last = got == 0;
		error = send_piece(stream, stream->kept + got, last);
	}
	if (error == 0)
		error = transfer_end(STDOUT_FILENO);
	if (error == 0)
		return STATUS_OK;
	message("%s: %s", error == ENOMEM ? "names" : "write error", strerror(error));
	return STATUS_FAILED;
}

/* --- The mapping ---------------------------------------------------------------------- */

static bool load_map(struct standins *names, const char *map)
{
	FILE *file = fopen(map, "r");
	uint64_t line;
	bool failed;

	if (file == NULL && errno == ENOENT)
		return true;
	if (file == NULL) {
		message_about(map, "%s", strerror(errno));
		return false;
	}
	line = standins_load(names, file);
	failed = ferror(file) != 0;
	fclose(file);
	if (failed)
		message_about(map, "cannot be read");
	else if (line != 0)
		message_at_line(map, line, NULL, "not the next line of a mapping");
	return !failed && line == 0;
}

static bool save_map(const struct standins *names, const char *map)
{
	struct replace replace;
	const char *error = replace_begin(&replace, map, true);

	if (error == NULL) {
		standins_save(names, replace.out);
		error = replace_commit(&replace);
	}
	if (error != NULL)
		message_about(map, "%s", error);
	return error == NULL;
}

/* The mapping is saved before the exit code tells that the stream is good; when the stream
   breaks off, too, so that the names which went out keep their stand-ins. */
static int run(const char *map)
{
	struct stream *stream = malloc(sizeof(*stream));
	int status = STATUS_FAILED;

	if (stream == NULL) {
		message("memory exhausted");
		return STATUS_FAILED;
	}
	stream->after_word = false;
	stream->kept = 0;
	standins_init(&stream->names);
	if (map == NULL || load_map(&stream->names, map)) {
		status = run_stream(stream);
		if (map != NULL && !save_map(&stream->names, map))
			status = STATUS_FAILED;
	}
	standins_free(&stream->names);
	free(stream);
	return status;
}

int git_anonymize_main(int argc, char **argv)
{
	const char *map = NULL;
	int code;

	while ((code = options_next(argc, argv, option_rows, false)) != -1) {
		switch (code) {
		case OPTION_MAP:
			map = optarg;
			break;
		case OPTION_HELP:
			print_help();
			return STATUS_OK;
		default:
			message_try_help();
			return STATUS_USAGE;
		}
	}
	if (optind == argc)
		return run(map);
	message_about(argv[optind], "no files are taken, only standard input");
	message_try_help();
	return STATUS_USAGE;
}
