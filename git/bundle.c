/* SPDX-License-Identifier: MIT */
/*
 * A bundle is lines of text (the version, capabilities, objects that it needs, references), an
 * empty one, and a pack up to its end.
 */
#include "bundle.h"

#include <string.h>

#include "pack.h"
#include "window.h"

#define LINE_LIMIT ((size_t)65536)
#define READ_AT_ONCE ((size_t)65536)

struct bundle {
	const struct git_file *file;
	struct git_report *report;
	struct git_window window;
	uint64_t at; /* of the next line */
	enum blocksha_git_format format;
	unsigned version;
	bool needs_others; /* has prerequisites: its pack is thin */
};

struct line {
	const char *text;
	size_t size; /* without its newline */
	uint64_t offset;
};

static bool wrong(struct bundle *bundle, uint64_t offset, const char *text)
{
	blocksha_git_report_add(bundle->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(offset), NULL, NULL,
				"%s", text);
	return false;
}

static bool next_line(struct bundle *bundle, struct line *line)
{
	const unsigned char *text, *end;
	size_t got;

	line->offset = bundle->at;
	text = blocksha_git_window_get(&bundle->window, bundle->at, LINE_LIMIT, &got,
				       bundle->report);
	if (text == NULL)
		return false;
	end = got > 0 ? memchr(text, '\n', got) : NULL;
	if (end == NULL)
		return wrong(bundle, bundle->at, "header of the bundle has no end");
	line->text = (const char *)text;
	line->size = (size_t)(end - text);
	bundle->at += line->size + 1;
	return true;
}

static bool is(const struct line *line, const char *text)
{
	return line->size == strlen(text) && memcmp(line->text, text, line->size) == 0;
}

static bool begins(const struct line *line, const char *text)
{
	return line->size >= strlen(text) && memcmp(line->text, text, strlen(text)) == 0;
}

/* --- The header ----------------------------------------------------------------------- */

static bool take_version(struct bundle *bundle)
{
	struct line line;

	if (!next_line(bundle, &line))
		return false;
	if (is(&line, "# v2 git bundle"))
		bundle->version = 2;
	else if (is(&line, "# v3 git bundle"))
		bundle->version = 3;
	else
		return wrong(bundle, 0, "not a bundle of version 2 or 3");
	return true;
}

/* A capability that is not known must not be passed over. */
static bool take_capability(struct bundle *bundle, const struct line *line)
{
	if (is(line, "@object-format=sha1"))
		bundle->format = BLOCKSHA_GIT_SHA1;
	else if (is(line, "@object-format=sha256"))
		bundle->format = BLOCKSHA_GIT_SHA256;
	else if (!begins(line, "@filter="))
		return wrong(bundle, line->offset, "unknown capability");
	return true;
}

/* A name; behind it a space and a reference, or for what is needed a comment, which can be absent.
 */
static bool take_name(struct bundle *bundle, const struct line *line, bool needed)
{
	size_t digits = 2 * blocksha_git_name_size(bundle->format), at = needed ? 1 : 0;
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];

	if (line->size < at + digits ||
	    blocksha_hex_decode(name, line->text + at, digits / 2) != BLOCKSHA_OK ||
	    (line->size > at + digits && line->text[at + digits] != ' ') ||
	    (!needed && line->size < digits + 2))
		return wrong(bundle, line->offset, "neither a reference nor an object it needs");
	bundle->needs_others = bundle->needs_others || needed;
	return true;
}

static bool take_line(struct bundle *bundle, const struct line *line)
{
	if (line->text[0] == '@' && bundle->version == 3)
		return take_capability(bundle, line);
	return take_name(bundle, line, line->text[0] == '-');
}

static bool take_header(struct bundle *bundle)
{
	struct line line;

	bundle->format = BLOCKSHA_GIT_SHA1;
	if (!take_version(bundle))
		return false;
	while (next_line(bundle, &line)) {
		if (line.size == 0)
			return true;
		if (!take_line(bundle, &line))
			return false;
	}
	return false;
}

/* --- The pack -------------------------------------------------------------------------- */

/* It is verified as one that begins where the header ends; what is found has its place in the
   bundle. */
static void verify_pack(const struct bundle *bundle)
{
	const struct blocksha_git_options *options = bundle->report->options;
	struct blocksha_git_options of_pack = *options;
	struct git_file pack = *bundle->file;

	of_pack.format = bundle->format;
	pack.origin += bundle->at;
	pack.size -= bundle->at;
	bundle->report->options = &of_pack;
	bundle->report->origin = bundle->at;
	blocksha_git_pack_verify(&pack, bundle->report, NULL, NULL, bundle->needs_others);
	bundle->report->origin = 0;
	bundle->report->options = options;
}

void blocksha_git_bundle_verify(struct git_file *file, struct git_report *report)
{
	struct bundle bundle = {.file = file, .report = report};
	enum blocksha_git_format wanted = report->options->format;
	bool good;

	blocksha_git_window_begin(&bundle.window, file, file->size, READ_AT_ONCE);
	good = take_header(&bundle);
	blocksha_git_window_end(&bundle.window);
	if (good && wanted != BLOCKSHA_GIT_INFER && wanted != bundle.format)
		good = wrong(&bundle, 0, "bundle is of another hash");
	if (!good)
		return;
	report->format = bundle.format;
	verify_pack(&bundle);
}
