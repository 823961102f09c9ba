/* SPDX-License-Identifier: MIT */
/*
 * checklist.h - the grammar of checksum lists: one line at a time, no input or output.
 *
 *	HEX  NAME	GNU; the second separator may be an asterisk (binary)
 *	HEX NAME	reversed BSD ("md5 -r"); one space or tab
 *	SHA256 (NAME) = HEX	tagged; the spaces outside the parentheses may be left out
 *
 * Blanks (spaces and tabs) before a line are skipped, then a backslash says that the name is
 * escaped: \\, \n and \r stand for a backslash, a newline and a carriage return. Digits may
 * be of either case. A carriage return before the newline is not part of the line. Empty lines
 * and those that begin with # are nothing.
 *
 * "HEX  NAME" could also be a reversed line of " NAME". The first line of a list that
 * can only be one of the two decides for the rest of the list.
 *
 * So far coreutils 9.1. What follows is read unless as_coreutils is set:
 *
 *	SHA2-256(NAME)= HEX	the tag of OpenSSL 3
 *	HEX	alone, in a list with the name NAME.sha256 or NAME.sha1
 *
 * Instead of HEX base64 with its padding; any number of carriage returns; a UTF-8
 * byte-order mark before the first line; an OpenPGP cleartext signature around the list
 * (clearsign.h), of which only the text inside is a list. A list in UTF-16 is recognised, no more.
 *
 * Lines that would be entries but for their algorithm, by tag or by number of hexadecimal
 * digits, are "unsupported" (foreign.h). A digest has all of its digits or is none: whatever is
 * shorter or longer makes a line malformed, or one of another algorithm.
 */
#ifndef BLOCKSHA_CLI_CHECKLIST_H
#define BLOCKSHA_CLI_CHECKLIST_H

#include <stdbool.h>
#include <stddef.h>

#include "clearsign.h"
#include "digest.h"

enum checklist_form {
	CHECKLIST_FORM_UNKNOWN,
	CHECKLIST_FORM_GNU,
	CHECKLIST_FORM_REVERSED,
};

/* What is known about the list while its lines are read one after the other. */
struct checklist {
	const struct digest_set *algorithms; /* those that its lines may have */
	bool as_coreutils;                   /* nothing beyond coreutils 9.1; one algorithm */
	enum checklist_form form;            /* CHECKLIST_FORM_UNKNOWN before the first line */

	/* For digests without a name: whose they are, if the list's name tells (checklist_owner);
	   else NULL. */
	const struct digest_algorithm *owner_algorithm;
	const char *owner;

	/* Set by checklist_parse. */
	bool begun;           /* the first line was seen */
	bool byte_order_mark; /* and began with one */
	bool has_entries;     /* of any algorithm */
	enum clearsign clearsign;
};

struct checklist_entry {
	const struct digest_algorithm *algorithm; /* by the tag or the number of digits */
	struct digest_value digest;
	bool matches_nothing; /* no encoder writes such base64 */
	size_t foreign_size;  /* of CHECKLIST_UNSUPPORTED: that of its digest */
	const char *foreign;  /* and its tag, or NULL; within the line */
	const char *name;     /* not escaped any more; within the line; may be empty */
	bool is_owner;        /* the name is checklist.owner */
	bool is_tagged;
};

enum checklist_kind {
	CHECKLIST_NOTHING, /* an empty line, a comment, the frame of a signature */
	CHECKLIST_ENTRY,
	CHECKLIST_UNSUPPORTED, /* an entry of an algorithm that the program does not have */
	CHECKLIST_MALFORMED,
	/* Of the list as a whole, which must not be read on: */
	CHECKLIST_UTF16,
	CHECKLIST_SIGNED_LATE, /* a signed message begins, but entries stood before it */
};

/* Parses a line without its newline. line[length] is written to, and the text changed: the name
   is unescaped in place. A line with a NUL byte is malformed; for
   coreutils it ends what stands before it. */
enum checklist_kind checklist_parse(struct checklist *list, char *line, size_t length,
				    struct checklist_entry *entry);

/* Whether the list may end here: not within a signed message. */
bool checklist_may_end(const struct checklist *list);

/* The algorithm that the name of a list ends with (".sha256", ".sha1"), or NULL; *length is that
   of the name before it, which is the name of the file. */
const struct digest_algorithm *checklist_owner(const char *list_name, size_t *length);

#endif
