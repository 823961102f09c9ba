/* SPDX-License-Identifier: MIT */
#include "checklist.h"

#include <string.h>

/* Below, a line is always followed by the NUL that checklist_parse puts there: every loop over
   its characters ends at the latest at that one. */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static char *skip_blanks(char *text)
{
	while (is_blank(*text))
		text++;
	return text;
}

/* Turns the escapes of a name into what they stand for, in place. The name ends at end, which is
   written to. A lone backslash, an unknown escape or a NUL byte is an error. */
static bool unescape(char *name, char *end)
{
	char *out = name;

	for (const char *in = name; in < end; in++) {
		char c = *in;

		if (c == '\\') {
			if (++in == end)
				return false;
			switch (*in) {
			case '\\':
				break;
			case 'n':
				c = '\n';
				break;
			case 'r':
				c = '\r';
				break;
			default:
				return false;
			}
		} else if (c == '\0') {
			return false;
		}
		*out++ = c;
	}
	*out = '\0';
	return true;
}

/* Ends the name at end, and unescapes it if it is escaped. */
static bool take_name(struct checklist_entry *entry, char *name, char *end, bool escaped)
{
	*end = '\0';
	entry->name = name;
	return !escaped || unescape(name, end);
}

/* Reads the digits of a digest of the entry's algorithm; text ends in NUL, so that fewer
   digits are noticed there. */
static bool take_digest(struct checklist_entry *entry, const char *text)
{
	return blocksha_hex_decode(entry->digest.bytes, text, entry->algorithm->size) ==
	       BLOCKSHA_OK;
}

/* "NAME) = HEX": what follows a tag and its parenthesis. The last parenthesis ends the name. */
static bool parse_tagged(struct checklist_entry *entry, char *text, char *end, bool escaped)
{
	char *name = text;
	char *close = end;
	size_t digits = 2 * entry->algorithm->size;

	do {
		if (close == name)
			return false;
	} while (*--close != ')');

	text = skip_blanks(close + 1);
	if (*text != '=')
		return false;
	text = skip_blanks(text + 1);
	return take_digest(entry, text) && text[digits] == '\0' &&
	       take_name(entry, name, close, escaped);
}

/* "HEX  NAME", "HEX *NAME" or "HEX NAME". */
static bool parse_untagged(struct checklist *list, struct checklist_entry *entry, char *text,
			   char *end, bool escaped)
{
	size_t digits = 2 * entry->algorithm->size;
	char *name;

	/* The digest, a blank, and one character at least. */
	if ((size_t)(end - text) < digits + 2 || !take_digest(entry, text) ||
	    !is_blank(text[digits]))
		return false;
	name = text + digits + 1;

	if (end - name == 1 || (*name != ' ' && *name != '*')) {
		if (list->form == CHECKLIST_FORM_GNU)
			return false;
		list->form = CHECKLIST_FORM_REVERSED;
	} else if (list->form != CHECKLIST_FORM_REVERSED) {
		list->form = CHECKLIST_FORM_GNU;
		name++;
	}
	return take_name(entry, name, end, escaped);
}

/* What follows the tag and a space, where a parenthesis should be; NULL when text does not begin
   with tag. */
static char *skip_tag(char *text, const char *tag)
{
	size_t length = strlen(tag);

	if (strncmp(text, tag, length) != 0)
		return NULL;
	text += length;
	return *text == ' ' ? text + 1 : text;
}

static bool parse_entry(struct checklist *list, struct checklist_entry *entry, char *text,
			char *end)
{
	const struct digest_set *set = list->algorithms;
	bool escaped;

	text = skip_blanks(text);
	escaped = *text == '\\';
	if (escaped)
		text++;

	for (size_t i = 0; i < set->count; i++) {
		char *parenthesis = skip_tag(text, set->algorithms[i]->tag);

		entry->algorithm = set->algorithms[i];
		if (parenthesis != NULL)
			return *parenthesis == '(' &&
			       parse_tagged(entry, parenthesis + 1, end, escaped);
	}
	for (size_t i = 0; i < set->count; i++) {
		entry->algorithm = set->algorithms[i];
		if (parse_untagged(list, entry, text, end, escaped))
			return true;
	}
	return false;
}

enum checklist_kind checklist_parse(struct checklist *list, char *line, size_t length,
				    struct checklist_entry *entry)
{
	if (length > 0 && line[0] == '#')
		return CHECKLIST_NOTHING;
	while (length > 0 && line[length - 1] == '\r') {
		length--;
		if (list->one_cr)
			break;
	}
	if (length == 0)
		return CHECKLIST_NOTHING;
	line[length] = '\0';
	return parse_entry(list, entry, line, line + length) ? CHECKLIST_ENTRY
							     : CHECKLIST_MALFORMED;
}
