/* SPDX-License-Identifier: MIT */
#include "progress_line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A name in fewer columns says nothing. */
#define NAME_MIN 8

/* Over so many seconds the rate is smoothed. */
#define RATE_SECONDS 5.0

static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

/* The unit in which bytes have at most four digits before the point, rounding included. */
static size_t unit_of(double bytes)
{
	size_t unit = 0;

	for (; unit + 1 < sizeof(units) / sizeof(units[0]) && bytes >= 1023.95; unit++)
		bytes /= 1024;
	return unit;
}

static double in_unit(double bytes, size_t unit)
{
	return bytes / (double)(UINT64_C(1) << 10 * unit);
}

static int decimals(size_t unit)
{
	return unit > 0;
}

void progress_bytes(char text[PROGRESS_BYTES_SIZE], uint64_t bytes)
{
	size_t unit = unit_of((double)bytes);

	snprintf(text, PROGRESS_BYTES_SIZE, "%.*f %s", decimals(unit), in_unit((double)bytes, unit),
		 units[unit]);
}

/* A text that grows as long as it stays within its room. */
struct text {
	char *end;
	size_t room; /* bytes before the one that ends the text */
};

static void append_text(struct text *text, const char *bytes, size_t length)
{
	memcpy(text->end, bytes, length);
	text->end += length;
	text->room -= length;
	*text->end = '\0';
}

/* Appends a part whole or not at all. */
__attribute__((format(printf, 2, 3))) static bool append(struct text *text, const char *format, ...)
{
	char part[128];
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	length = (size_t)vsnprintf(part, sizeof(part), format, arguments);
	va_end(arguments);
	if (length > text->room || length >= sizeof(part))
		return false;
	append_text(text, part, length);
	return true;
}

static bool append_files(struct text *text, const struct progress_state *state)
{
	if (state->total.files < state->done.files)
		return append(text, "%" PRIu64 " files", state->done.files);
	return append(text, "%" PRIu64 "/%" PRIu64 "%s files", state->done.files,
		      state->total.files, state->counting ? "+" : "");
}

static bool append_bytes(struct text *text, const struct progress_state *state)
{
	double done = (double)state->done.bytes, total = (double)state->total.bytes;
	size_t unit = unit_of(done > total ? done : total);

	if (total < done)
		return append(text, ", %.*f %s", decimals(unit), in_unit(done, unit), units[unit]);
	return append(text, ", %.*f/%.*f%s %s", decimals(unit), in_unit(done, unit), decimals(unit),
		      in_unit(total, unit), state->counting ? "+" : "", units[unit]);
}

static bool append_rate(struct text *text, const struct progress_state *state)
{
	size_t unit = unit_of(state->rate);

	return append(text, ", %.*f %s/s", decimals(unit), in_unit(state->rate, unit), units[unit]);
}

static bool append_time(struct text *text, const struct progress_state *state)
{
	uint64_t rest = state->total.bytes - state->done.bytes;
	double left;
	unsigned seconds;

	if (state->counting || state->total.bytes < state->done.bytes)
		return true;
	/* So slow that the number would tell nothing: more than 999 hours. */
	if ((double)rest > state->rate * 3600 * 999)
		return append(text, ", -:--:-- left");
	left = rest > 0 ? (double)rest / state->rate : 0;
	seconds = (unsigned)(left + 0.5);
	return append(text, ", %u:%02u:%02u left", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

/* Copies the end of the name, with a question mark for each character that is not printable
   ASCII. The bytes of a UTF-8 character after its first one have the form 10xxxxxx. */
static size_t printable_name(char *out, size_t size, const char *name)
{
	size_t length = strlen(name);
	size_t used = 0;

	if (length > size)
		name += length - size;
	for (; *name != '\0'; name++) {
		unsigned char c = (unsigned char)*name;

		if (c >= 0x20 && c < 0x7f)
			out[used++] = *name;
		else if ((c & 0xc0) != 0x80 || used == 0 || out[used - 1] != '?')
			out[used++] = '?';
	}
	return used;
}

/* The name, or its end, for that is the part that differs most. */
static void append_name(struct text *text, const char *name)
{
	static const char gap[] = "  ", cut[] = "...";
	char buffer[1024];
	size_t length, room;

	if (name == NULL || text->room < strlen(gap) + NAME_MIN)
		return;
	length = printable_name(buffer, sizeof(buffer), name);
	room = text->room - strlen(gap);
	append_text(text, gap, strlen(gap));
	if (length <= room) {
		append_text(text, buffer, length);
		return;
	}
	room -= strlen(cut);
	append_text(text, cut, strlen(cut));
	append_text(text, buffer + length - room, room);
}

void progress_line(char *line, size_t size, size_t width, const struct progress_state *state)
{
	struct text text = {.end = line, .room = (width < size ? width : size) - 1};

	line[0] = '\0';
	if (width == 0)
		return;
	if (append_files(&text, state) && append_bytes(&text, state) && append_rate(&text, state) &&
	    append_time(&text, state))
		append_name(&text, state->name);
}

void progress_rate_add(struct progress_rate *rate, double time, uint64_t bytes)
{
	double step = time - rate->time;
	double before = rate->time < RATE_SECONDS ? rate->time : RATE_SECONDS;

	/* In the first seconds that is the mean since the beginning; later what is older weighs
	   less and less. */
	if (step <= 0)
		return;
	rate->value +=
		((double)(bytes - rate->bytes) / step - rate->value) * step / (step + before);
	rate->time = time;
	rate->bytes = bytes;
}
