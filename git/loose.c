/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "loose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "syntax.h"

/* So much of a file that is not read as a whole gives the header. */
#define BEGINNING ((size_t)4096)

/* --- Header ----------------------------------------------------------------------- */

/* The length of the type that data begins with, and its space; 0: none. */
static size_t get_type(const unsigned char *data, size_t size, enum blocksha_git_type *type)
{
	const unsigned char *space = memchr(data, ' ', size);
	size_t length = space != NULL ? (size_t)(space - data) : 0;

	*type = blocksha_git_type_of((const char *)data, length);
	return *type != BLOCKSHA_GIT_NO_TYPE ? length + 1 : 0;
}

const char *blocksha_git_loose_header(const unsigned char *data, size_t size,
				      enum blocksha_git_type *type, uint64_t *body_size,
				      size_t *header_size)
{
	size_t at = get_type(data, size, type), begin = at;
	uint64_t number = 0;

	if (at == 0)
		return "header has no known type";
	while (at < size && data[at] >= '0' && data[at] <= '9') {
		unsigned digit = data[at] - (unsigned)'0';

		if (number > (UINT64_MAX - digit) / 10)
			return "size in the header is too large";
		number = number * 10 + digit;
		at++;
	}
	if (at == begin)
		return "header has no size";
	if (data[begin] == '0' && at - begin > 1)
		return "size in the header begins with zero";
	if (at == size || data[at] != '\0')
		return "header does not end behind the size";
	*body_size = number;
	*header_size = at + 1;
	return NULL;
}

/* --- Name ------------------------------------------------------------------------- */

enum blocksha_git_format blocksha_git_loose_name(const char *path,
						 unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE])
{
	const char *slash = strrchr(path, '/');
	size_t rest = slash != NULL ? strlen(slash + 1) : 0;

	if (slash == NULL || slash - path < 2 || (slash - path > 2 && slash[-3] != '/') ||
	    (rest != 38 && rest != 62))
		return BLOCKSHA_GIT_INFER;
	if (blocksha_hex_decode(name, slash - 2, 1) != BLOCKSHA_OK ||
	    blocksha_hex_decode(name + 1, slash + 1, rest / 2) != BLOCKSHA_OK)
		return BLOCKSHA_GIT_INFER;
	return rest == 38 ? BLOCKSHA_GIT_SHA1 : BLOCKSHA_GIT_SHA256;
}

/* Each thread has a compressed and an inflated object. */
static uint64_t memory_for_one(const struct blocksha_git_options *options)
{
	return blocksha_git_memory(options) / (2 * (uint64_t)blocksha_git_jobs(options));
}

/* --- One object ------------------------------------------------------------------- */

struct loose {
	struct git_inflater *inflater;
	const struct git_file *file;
	struct git_report *report;
	unsigned char expected[BLOCKSHA_GIT_MAX_NAME_SIZE];
	bool has_name;
	enum blocksha_git_type type;
	uint64_t body_size;
	size_t header_size;
	struct blocksha_git_naming naming;
};

static struct git_place place(const struct loose *loose, uint64_t offset)
{
	return git_object_at(offset, loose->has_name ? loose->expected : NULL);
}

static void malformed(const struct loose *loose, const char *text)
{
	blocksha_git_report_add(loose->report, BLOCKSHA_GIT_MALFORMED, place(loose, 0), NULL, NULL,
				"%s", text);
}

static void take(void *context, const unsigned char *data, size_t size)
{
	struct loose *loose = context;

	blocksha_git_naming_update(&loose->naming, data, size);
}

/* What inflating came to. used: bytes of the file that the stream takes. */
static bool judge(const struct loose *loose, enum git_inflated inflated, uint64_t used)
{
	if (inflated == GIT_INFLATE_UNREADABLE)
		return false;
	if (inflated != GIT_INFLATED) {
		blocksha_git_report_add(loose->report,
					inflated == GIT_INFLATE_NO_MEMORY ? BLOCKSHA_GIT_LIMIT
									  : BLOCKSHA_GIT_DAMAGED,
					place(loose, used), NULL, NULL, "%s",
					blocksha_git_inflate_text(inflated));
		return false;
	}
	if (used != loose->file->size)
		blocksha_git_report_numbers(loose->report, BLOCKSHA_GIT_DAMAGED, place(loose, used),
					    used, loose->file->size,
					    "garbage at the end of the object");
	return true;
}

static void compare_name(struct loose *loose)
{
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	const size_t size = blocksha_git_name_size(loose->report->format);
	char hex[2 * BLOCKSHA_GIT_MAX_NAME_SIZE + 1];
	struct blocksha_attack attack;

	blocksha_git_naming_final(&loose->naming, name, &attack);
	if (attack.blocks != 0)
		blocksha_git_report_attack(loose->report,
					   git_object_at(BLOCKSHA_GIT_NO_OFFSET, name), &attack);
	if (!loose->has_name) {
		blocksha_hex_encode(hex, name, size);
		blocksha_git_report_add(loose->report, BLOCKSHA_GIT_NOTE, GIT_NOWHERE, NULL, hex,
					"file is not named as a loose object is");
	} else if (memcmp(name, loose->expected, size) != 0) {
		blocksha_git_report_digests(loose->report, BLOCKSHA_GIT_DAMAGED,
					    place(loose, BLOCKSHA_GIT_NO_OFFSET), loose->expected,
					    name, size, "object has another name than its file");
	}
}

/* data: the object with its header; NULL: it was too large. */
static void check_syntax(const struct loose *loose, const unsigned char *data)
{
	if (data != NULL)
		blocksha_git_report_syntax(loose->report, place(loose, BLOCKSHA_GIT_NO_OFFSET),
					   loose->type, data + loose->header_size,
					   (size_t)loose->body_size);
	else if (loose->type != BLOCKSHA_GIT_BLOB)
		blocksha_git_report_add(
			loose->report, BLOCKSHA_GIT_LIMIT, place(loose, BLOCKSHA_GIT_NO_OFFSET),
			NULL, NULL,
			"too large for the memory that is allowed: its inside was not checked");
}

/* Inflates the object as a whole when that is allowed, and else in pieces. */
static void verify_body(struct loose *loose, const unsigned char *packed)
{
	const struct git_file *file = loose->file;
	uint64_t size = loose->header_size + loose->body_size, used = 0;
	struct git_stream stream = {file, 0, file->size, size, take, NULL, loose};
	enum git_inflated inflated;
	unsigned char *data = NULL;
	bool good;

	if (packed != NULL && blocksha_git_inflate_is_possible(file->size, size) &&
	    size <= memory_for_one(loose->report->options) && size < SIZE_MAX)
		data = malloc((size_t)size + 1);
	blocksha_git_naming_init(&loose->naming, loose->report->format, NULL, 0);
	if (data != NULL) {
		size_t length = 0;

		inflated = blocksha_git_inflate(loose->inflater, packed, (size_t)file->size, data,
						(size_t)size, &length);
		used = length;
	} else {
		inflated =
			blocksha_git_inflate_stream(loose->inflater, &stream, &used, loose->report);
	}
	good = judge(loose, inflated, used);
	if (good && data != NULL)
		blocksha_git_naming_update(&loose->naming, data, (size_t)size);
	if (good)
		compare_name(loose);
	if (good && loose->report->options->tier == BLOCKSHA_GIT_SYNTAX)
		check_syntax(loose, data);
	free(data);
}

static void verify_object(struct loose *loose, const unsigned char *packed, size_t packed_size)
{
	unsigned char header[BLOCKSHA_GIT_HEADER_SIZE];
	size_t size = blocksha_git_inflate_begin(loose->inflater, packed, packed_size, header,
						 sizeof(header));
	uint64_t limit = loose->report->options->max_object_size;
	const char *wrong;

	if (size == 0) {
		blocksha_git_report_add(loose->report, BLOCKSHA_GIT_DAMAGED, place(loose, 0), NULL,
					NULL, "%s", blocksha_git_inflate_text(GIT_INFLATE_BAD));
		return;
	}
	wrong = blocksha_git_loose_header(header, size, &loose->type, &loose->body_size,
					  &loose->header_size);
	if (wrong == NULL && loose->body_size > UINT64_MAX / 8)
		wrong = "size in the header is too large";
	if (wrong != NULL) {
		malformed(loose, wrong);
		return;
	}
	if (limit != 0 && loose->body_size > limit) {
		blocksha_git_report_numbers(loose->report, BLOCKSHA_GIT_LIMIT, place(loose, 0),
					    limit, loose->body_size,
					    "object is larger than is allowed");
		return;
	}
	if (loose->report->options->tier != BLOCKSHA_GIT_QUICK)
		verify_body(loose, packed_size == loose->file->size ? packed : NULL);
}

/* The format of the name, or what the options say, or the one that most repositories have. */
static void find_format(struct loose *loose)
{
	enum blocksha_git_format forced = loose->report->options->format;
	enum blocksha_git_format format =
		blocksha_git_loose_name(loose->file->path, loose->expected);

	loose->has_name =
		format != BLOCKSHA_GIT_INFER && (forced == BLOCKSHA_GIT_INFER || forced == format);
	if (!loose->has_name)
		format = forced != BLOCKSHA_GIT_INFER ? forced : BLOCKSHA_GIT_SHA1;
	loose->report->format = format;
}

void blocksha_git_loose_verify_with(struct git_inflater *inflater, const struct git_file *file,
				    struct git_report *report)
{
	struct loose loose = {.inflater = inflater, .file = file, .report = report};
	uint64_t memory = memory_for_one(report->options);
	size_t size = file->size < BEGINNING ? (size_t)file->size : BEGINNING;
	unsigned char *packed;

	if (file->size <= memory && file->size < SIZE_MAX)
		size = (size_t)file->size;
	packed = malloc(size + 1);

	find_format(&loose);
	if (packed == NULL)
		blocksha_git_report_add(report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
	else if (blocksha_git_file_read(file, packed, size, 0, report))
		verify_object(&loose, packed, size);
	free(packed);
}

void blocksha_git_loose_verify(struct git_file *file, struct git_report *report)
{
	struct git_inflater *inflater = blocksha_git_inflater_create();

	if (inflater == NULL)
		blocksha_git_report_add(report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
	else
		blocksha_git_loose_verify_with(inflater, file, report);
	blocksha_git_inflater_destroy(inflater);
}
