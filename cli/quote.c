/* SPDX-License-Identifier: MIT */
/*
 * Three forms, the shortest that serves:
 *
 *	plain.txt		nothing is special
 *	"it's"			an apostrophe, and nothing that a shell expands in "..."
 *	'a b'$'\n''c'\''d'	everything else
 *
 * In the third form the bytes that cannot be printed stand in $'...'; those in a
 * row share one pair of quotes, and an apostrophe is written '\''.
 */
#include "quote.h"

#include <stdbool.h>
#include <string.h>

static bool is_printable(unsigned char c)
{
	return c >= 0x20 && c < 0x7f;
}

/* Whether c, the byte at name[i], makes a shell treat the name as more than a word. A
   colon is here because it separates the name from the rest of a message. */
static bool is_special(const char *name, size_t i)
{
	unsigned char c = (unsigned char)name[i];

	switch (c) {
	case '{':
	case '}':
		return name[1] == '\0'; /* special only when alone */
	case '#':
	case '~':
		return i == 0;
	default:
		return !is_printable(c) || strchr(" !\"$&'()*;<=>?[\\^`|:", c) != NULL;
	}
}

/* Whether the byte at name[i] may stand in "..."; more cautious than shells need, as
   coreutils is. */
static bool is_plain_in_double_quotes(const char *name, size_t i)
{
	unsigned char c = (unsigned char)name[i];

	if (c == '#' || c == '~')
		return i == 0;
	return is_printable(c) && strchr("!\"$&()*;<=>?[\\^`|{}", c) == NULL;
}

/* Writes the inside of $'...' for one byte. */
static void put_escape(FILE *out, unsigned char c)
{
	static const char letters[] = "abtnvfr"; /* of the bytes 7 to 13 */

	if (c >= '\a' && c <= '\r')
		fprintf(out, "\\%c", letters[c - '\a']);
	else
		fprintf(out, "\\%03o", (unsigned)c);
}

/* Writes the third form; out may be NULL to see only how it ends. escaped tells
   whether a $' is open, at the beginning and (the result) at the end. */
static bool put_single_quoted(FILE *out, const char *name, bool escaped)
{
	const char *before;

	for (; *name != '\0'; name++) {
		unsigned char c = (unsigned char)*name;

		if (!is_printable(c)) {
			before = escaped ? "" : "'$'";
			escaped = true;
		} else if (c == '\'') {
			before = "'\\'";
			escaped = false;
		} else {
			before = escaped ? "''" : "";
			escaped = false;
		}
		if (out == NULL)
			continue;
		fputs(before, out);
		if (escaped)
			put_escape(out, c);
		else
			putc(c, out);
	}
	return escaped;
}

void quote_name(FILE *out, const char *name)
{
	bool special = name[0] == '\0';
	bool apostrophe = false;
	bool plain = true;

	for (size_t i = 0; name[i] != '\0'; i++) {
		special |= is_special(name, i);
		apostrophe |= name[i] == '\'';
		plain &= is_plain_in_double_quotes(name, i);
	}
	if (!special) {
		fputs(name, out);
	} else if (apostrophe && plain) {
		fprintf(out, "\"%s\"", name);
	} else {
		/* With an apostrophe coreutils scans the name twice, and the second time
		   begins in the state in which the first one ended. */
		bool escaped = apostrophe && put_single_quoted(NULL, name, false);

		putc('\'', out);
		put_single_quoted(out, name, escaped);
		putc('\'', out);
	}
}
