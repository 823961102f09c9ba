/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <inttypes.h>
#include <string.h>

#include "base64.h"

/* The well-formed characters by their first byte, and the range of the second one, which excludes
   overlong forms, surrogates and what lies beyond U+10FFFF. The other bytes are 80 to BF. From the
   Unicode standard, table 3-7. */
static const struct form {
	unsigned char first, last; /* of the first byte */
	unsigned char low, high;   /* of the second byte */
	unsigned char length;
} forms[] = {
	{0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
	{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
	{0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
};

static const struct form *find_form(unsigned char first)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (first >= forms[i].first && first <= forms[i].last)
			return &forms[i];
	return NULL;
}

size_t json_utf8_length(const char *text)
{
	unsigned char first = (unsigned char)text[0];
	unsigned char low, high;
	const struct form *form;

	if (first < 0x80)
		return first != '\0';
	form = find_form(first);
	if (form == NULL)
		return 0;
	low = form->low;
	high = form->high;
	/* The NUL at the end is in no range. */
	for (size_t i = 1; i < form->length; i++) {
		unsigned char next = (unsigned char)text[i];

		if (next < low || next > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return form->length;
}

static bool is_utf8(const char *text)
{
	for (size_t length; *text != '\0'; text += length) {
		length = json_utf8_length(text);
		if (length == 0)
			return false;
	}
	return true;
}

/* Writes one character in a string. Escaped are, besides what must be, DEL and U+0080 to U+009F:
   terminals may take them for commands. */
static void put_character(FILE *out, const char *text, size_t length)
{
	unsigned char c = (unsigned char)text[0];
	unsigned char second = (unsigned char)text[1];

	if (length == 0)
		fputs("\\ufffd", out);
	else if (c == '"' || c == '\\')
		fprintf(out, "\\%c", c);
	else if (c < 0x20 || c == 0x7f)
		fprintf(out, "\\u%04x", (unsigned)c);
	else if (c == 0xc2 && second < 0xa0)
		fprintf(out, "\\u%04x", (unsigned)second);
	else
		fwrite(text, 1, length, out);
}

static void put_string(FILE *out, const char *text)
{
	putc('"', out);
	while (*text != '\0') {
		size_t length = json_utf8_length(text);

		put_character(out, text, length);
		text += length > 0 ? length : 1;
	}
	putc('"', out);
}

static void put_base64(FILE *out, const char *bytes, size_t size)
{
	char text[BASE64_LENGTH(48) + 1];

	/* All parts but the last one are whole groups. */
	for (size_t part; size > 0; bytes += part, size -= part) {
		part = size < 48 ? size : 48;
		base64_encode(text, bytes, part);
		fputs(text, out);
	}
}

static void put_key(struct json *json, const char *key)
{
	fprintf(json->out, "%s\"%s\":", json->comma ? "," : "", key);
	json->comma = true;
}

void json_begin(struct json *json, FILE *out)
{
	json->out = out;
	json->comma = false;
	putc('{', out);
}

void json_end(struct json *json)
{
	fputs("}\n", json->out);
}

void json_begin_object(struct json *json, const char *key)
{
	put_key(json, key);
	putc('{', json->out);
	json->comma = false;
}

void json_end_object(struct json *json)
{
	putc('}', json->out);
	json->comma = true; /* of the object around it this one is a member */
}

void json_null(struct json *json, const char *key)
{
	put_key(json, key);
	fputs("null", json->out);
}

void json_boolean(struct json *json, const char *key, bool value)
{
	put_key(json, key);
	fputs(value ? "true" : "false", json->out);
}

void json_number(struct json *json, const char *key, uint64_t value)
{
	put_key(json, key);
	fprintf(json->out, "%" PRIu64, value);
}

void json_string(struct json *json, const char *key, const char *text)
{
	put_key(json, key);
	put_string(json->out, text);
}

void json_name(struct json *json, const char *key, const char *name)
{
	if (is_utf8(name)) {
		json_string(json, key, name);
		return;
	}
	fprintf(json->out, "%s\"%s_base64\":\"", json->comma ? "," : "", key);
	json->comma = true;
	put_base64(json->out, name, strlen(name));
	putc('"', json->out);
}

void json_hex(struct json *json, const char *key, const void *bytes, size_t size)
{
	const unsigned char *p = bytes;

	put_key(json, key);
	putc('"', json->out);
	for (size_t i = 0; i < size; i++)
		fprintf(json->out, "%02x", (unsigned)p[i]);
	putc('"', json->out);
}
