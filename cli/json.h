/* SPDX-License-Identifier: MIT */
/*
 * json.h - one JSON object (RFC 8259) a line.
 *
 *	struct json json;
 *
 *	json_begin(&json, stdout);
 *	json_name(&json, "name", name);
 *	json_number(&json, "size", size);
 *	json_begin_object(&json, "attack");
 *	json_number(&json, "offset", offset);
 *	json_end_object(&json);
 *	json_end(&json);	writes {"name":"...","size":5,"attack":{"offset":64}} and a newline
 *
 * Keys are written as they are: ASCII without quotes and backslashes. Whatever the values are, the
 * line is UTF-8 and has no control characters.
 */
#ifndef BLOCKSHA_CLI_JSON_H
#define BLOCKSHA_CLI_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json {
	FILE *out;
	bool comma; /* the object that is open has members */
};

void json_begin(struct json *json, FILE *out);
void json_end(struct json *json);

void json_begin_object(struct json *json, const char *key);
void json_end_object(struct json *json);

void json_null(struct json *json, const char *key);
void json_boolean(struct json *json, const char *key, bool value);

/* Readers that keep numbers as doubles see those above 2^53 rounded. */
void json_number(struct json *json, const char *key, uint64_t value);

/* Bytes that are not UTF-8 become U+FFFD, one each. */
void json_string(struct json *json, const char *key, const char *text);

/* A name of a file, which is any bytes: under key when they are UTF-8, otherwise in base 64 under
   key with "_base64" behind it. */
void json_name(struct json *json, const char *key, const char *name);

/* Bytes as hexadecimal digits. */
void json_hex(struct json *json, const char *key, const void *bytes, size_t size);

/* The number of bytes of the UTF-8 character at text, 1 to 4; 0 if there is none: a byte that
   cannot begin one, an incomplete one, an overlong form, a surrogate, more than U+10FFFF. */
size_t json_utf8_length(const char *text);

#endif
