/* SPDX-License-Identifier: MIT */
/*
 * clearsign.h - the frame of OpenPGP around a signed text (RFC 9580, 7: cleartext signatures).
 *
 *	-----BEGIN PGP SIGNED MESSAGE-----
 *	Hash: SHA512
 *
 *	the text; a line of it that begins with a dash has "- " before it
 *	-----BEGIN PGP SIGNATURE-----
 *	...
 *	-----END PGP SIGNATURE-----
 *
 * The signature is not looked at.
 */
#ifndef BLOCKSHA_CLI_CLEARSIGN_H
#define BLOCKSHA_CLI_CLEARSIGN_H

#include <stdbool.h>
#include <stddef.h>

/* Where in such a message the lines are that come next. */
enum clearsign {
	CLEARSIGN_NONE, /* no message has begun */
	CLEARSIGN_HEADERS,
	CLEARSIGN_TEXT,
	CLEARSIGN_SIGNATURE,
	CLEARSIGN_AFTER,
};

/* What a line is. */
enum clearsign_line {
	CLEARSIGN_LINE_PLAIN,   /* a line of the text, or there is no message */
	CLEARSIGN_LINE_ESCAPED, /* one of the text, behind its first two characters */
	CLEARSIGN_LINE_BEGIN,   /* the first one of a message */
	CLEARSIGN_LINE_FRAME,   /* another one of the frame */
	CLEARSIGN_LINE_STRAY,   /* one that may not stand there; outside of the message, for one */
};

/* Takes the next line, without what ends it. */
enum clearsign_line clearsign_next(enum clearsign *state, const char *line, size_t length);

/* Whether the message that has begun is still to end. */
bool clearsign_is_open(enum clearsign state);

#endif
