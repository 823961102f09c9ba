/* SPDX-License-Identifier: MIT */
#include "line.h"

#include <string.h>

#include "escape.h"
#include "quote.h"

static void put_name(FILE *out, const char *name, bool escaped)
{
	if (escaped)
		escape_write(out, name);
	else
		fputs(name, out);
}

void line_digest(FILE *out, const struct line_format *format, const char *name,
		 const struct digest_algorithm *algorithm, const struct digest_value *value)
{
	char hex[2 * DIGEST_MAX_SIZE + 1];
	bool escaped = !format->zero && strpbrk(name, "\\\n\r") != NULL;

	blocksha_hex_encode(hex, value->bytes, algorithm->size);
	if (escaped)
		putc('\\', out); /* tells readers that the name is escaped */
	if (format->tagged) {
		fprintf(out, "%s (", algorithm->tag);
		put_name(out, name, escaped);
		fprintf(out, ") = %s", hex);
	} else {
		fprintf(out, "%s %c", hex, format->binary ? '*' : ' ');
		put_name(out, name, escaped);
	}
	putc(format->zero ? '\0' : '\n', out);
}

void line_verdict(FILE *out, const char *name, bool quoted, const char *verdict)
{
	/* Here only a newline breaks the line, so only then are names escaped. */
	bool escaped = strchr(name, '\n') != NULL;

	if (quoted) {
		quote_name(out, name);
	} else {
		if (escaped)
			putc('\\', out);
		put_name(out, name, escaped);
	}
	fprintf(out, ": %s\n", verdict);
}
