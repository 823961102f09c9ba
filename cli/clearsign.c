/* SPDX-License-Identifier: MIT */
#include "clearsign.h"

#include <string.h>

static size_t without_blanks_behind(const char *line, size_t length)
{
	while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
		length--;
	return length;
}

static bool is(const char *line, size_t length, const char *text)
{
	return length == strlen(text) && memcmp(line, text, length) == 0;
}

static enum clearsign_line next_header(enum clearsign *state, const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);

	if (length == 0) {
		*state = CLEARSIGN_TEXT;
		return CLEARSIGN_LINE_FRAME;
	}
	return colon != NULL && colon > line ? CLEARSIGN_LINE_FRAME : CLEARSIGN_LINE_STRAY;
}

static enum clearsign_line next_of_text(enum clearsign *state, const char *line, size_t length)
{
	if (length == 0 || line[0] != '-')
		return CLEARSIGN_LINE_PLAIN;
	if (length > 1 && line[1] == ' ')
		return CLEARSIGN_LINE_ESCAPED;
	if (!is(line, without_blanks_behind(line, length), "-----BEGIN PGP SIGNATURE-----"))
		return CLEARSIGN_LINE_STRAY;
	*state = CLEARSIGN_SIGNATURE;
	return CLEARSIGN_LINE_FRAME;
}

static enum clearsign_line next_outside(enum clearsign *state, const char *line, size_t length)
{
	if (is(line, length, "-----BEGIN PGP SIGNED MESSAGE-----")) {
		*state = CLEARSIGN_HEADERS;
		return CLEARSIGN_LINE_BEGIN;
	}
	if (*state == CLEARSIGN_NONE)
		return CLEARSIGN_LINE_PLAIN;
	return length == 0 ? CLEARSIGN_LINE_FRAME : CLEARSIGN_LINE_STRAY;
}

enum clearsign_line clearsign_next(enum clearsign *state, const char *line, size_t length)
{
	size_t bare = without_blanks_behind(line, length);

	switch (*state) {
	case CLEARSIGN_HEADERS:
		return next_header(state, line, bare);
	case CLEARSIGN_TEXT:
		return next_of_text(state, line, length);
	case CLEARSIGN_SIGNATURE:
		if (is(line, bare, "-----END PGP SIGNATURE-----"))
			*state = CLEARSIGN_AFTER;
		return CLEARSIGN_LINE_FRAME;
	case CLEARSIGN_NONE:
	case CLEARSIGN_AFTER:
		break;
	}
	return next_outside(state, line, bare);
}

bool clearsign_is_open(enum clearsign state)
{
	return state != CLEARSIGN_NONE && state != CLEARSIGN_AFTER;
}
