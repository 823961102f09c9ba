/* SPDX-License-Identifier: MIT */
/*
 * Gives json_python.py what cli/json.c and cli/base64.c make of its bytes.
 *
 *	json_driver json		NAME\0...	one object a name
 *	json_driver decode SIZE		TEXT\n...	the bytes in hexadecimal, or "no", a line
 *each
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/base64.h"
#include "../../cli/json.h"

static void write_object(const char *name)
{
	struct json json;

	json_begin(&json, stdout);
	json_name(&json, "name", name);
	json_begin_object(&json, "nested");
	json_string(&json, "text", name);
	json_null(&json, "null");
	json_end_object(&json);
	json_number(&json, "length", strlen(name));
	json_hex(&json, "hex", name, strlen(name));
	json_end(&json);
}

static void decode(const char *text, size_t length, size_t size)
{
	unsigned char *bytes = malloc(size + 1);
	bool canonical;

	if (bytes == NULL)
		exit(1);
	if (!base64_decode(bytes, size, text, length, &canonical) || !canonical)
		fputs("no", stdout);
	else
		for (size_t i = 0; i < size; i++)
			printf("%02x", (unsigned)bytes[i]);
	putchar('\n');
	free(bytes);
}

int main(int argc, char **argv)
{
	char *item = NULL;
	size_t room = 0;
	ssize_t length;

	if (argc == 2 && strcmp(argv[1], "json") == 0) {
		while (getdelim(&item, &room, '\0', stdin) > 0)
			write_object(item);
	} else if (argc == 3 && strcmp(argv[1], "decode") == 0) {
		while ((length = getline(&item, &room, stdin)) > 0)
			decode(item, (size_t)length - 1, (size_t)atoi(argv[2]));
	} else {
		return 2;
	}
	free(item);
	return fclose(stdout) != 0;
}
