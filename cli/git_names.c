/* SPDX-License-Identifier: MIT */
#include "git_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "message.h"
#include "output.h"
#include "status.h"

static const char *error_text(const struct git_named *named)
{
	if (named->changed)
		return "changed while it was read";
	if (named->malformed != NULL)
		return named->malformed;
	return named->error != 0 ? strerror(named->error) : NULL;
}

static void put_hex(const unsigned char *name, size_t size, const char *end)
{
	char hex[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];

	blocksha_hex_encode(hex, name, size);
	printf("%s%s", hex, end);
}

static void print_json(const struct git_names_format *format, const char *name,
		       const struct git_named *named)
{
	const char *error = error_text(named);
	struct json json;

	json_begin(&json, stdout);
	json_name(&json, "name", name);
	if (error == NULL && format->formats.sha1)
		json_hex(&json, "object_sha1", named->sha1, sizeof(named->sha1));
	if (error == NULL && format->formats.sha256)
		json_hex(&json, "object_sha256", named->sha256, sizeof(named->sha256));
	if (named->attack.blocks != 0) {
		json_begin_object(&json, "attack");
		json_number(&json, "offset", named->attack.offset);
		json_string(&json, "vector", blocksha_vector_name(named->attack.vector));
		json_number(&json, "blocks", named->attack.blocks);
		json_end_object(&json);
	} else {
		json_null(&json, "attack");
	}
	if (error != NULL)
		json_string(&json, "error", error);
	else
		json_null(&json, "error");
	json_end(&json);
}

int git_names_print(const struct git_names_format *format, const char *name,
		    const struct git_named *named)
{
	const char *error = error_text(named);

	if (format->json) {
		print_json(format, name, named);
	} else if (error == NULL) {
		if (format->formats.sha1)
			put_hex(named->sha1, sizeof(named->sha1),
				format->formats.sha256 ? " " : "\n");
		if (format->formats.sha256)
			put_hex(named->sha256, sizeof(named->sha256), "\n");
	}
	if (named->attack.blocks != 0) {
		output_flush();
		message_about(name,
			      "SHA-1 collision attack at byte %" PRIu64
			      " of the object with its header, disturbance vector %s, %" PRIu64
			      " block%s",
			      named->attack.offset, blocksha_vector_name(named->attack.vector),
			      named->attack.blocks, named->attack.blocks == 1 ? "" : "s");
		return STATUS_ATTACK;
	}
	if (error == NULL)
		return STATUS_OK;
	if (!format->json) {
		output_flush();
		message_about(name, "%s", error);
	}
	return STATUS_FAILED;
}

struct git_formats git_names_formats(enum blocksha_git_format format, bool both)
{
	return (struct git_formats){
		.sha1 = both || format != BLOCKSHA_GIT_SHA256,
		.sha256 = both || format == BLOCKSHA_GIT_SHA256,
	};
}
