/* SPDX-License-Identifier: MIT */
#include "escape.h"

void escape_write(FILE *out, const char *name)
{
	for (; *name != '\0'; name++) {
		switch (*name) {
		case '\\':
			fputs("\\\\", out);
			break;
		case '\n':
			fputs("\\n", out);
			break;
		case '\r':
			fputs("\\r", out);
			break;
		default:
			putc(*name, out);
		}
	}
}

bool escape_undo(char *name, char *end)
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
