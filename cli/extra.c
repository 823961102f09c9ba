/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fstatat */

#include "extra.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "dir.h"
#include "json.h"
#include "line.h"
#include "message.h"
#include "output.h"
#include "progress.h"
#include "status.h"

struct extra {
	const struct extra_options *options;
	uint64_t count;
	bool failed; /* something could not be seen */
};

static bool goes_on(void)
{
	return !progress_interrupted() && !output_failed();
}

static bool is_list(const struct extra *extra, const struct walk_file *file)
{
	struct stat status, list;

	if (fstatat(dir_fd(file->dir), file->path, &status, 0) != 0)
		return false;
	for (int i = 0; i < extra->options->list_count; i++)
		if (stat(extra->options->lists[i], &list) == 0 && list.st_dev == status.st_dev &&
		    list.st_ino == status.st_ino)
			return true;
	return false;
}

static void print(const struct extra_options *options, const char *name)
{
	struct json json;

	if (options->json) {
		json_begin(&json, stdout);
		json_name(&json, "name", name);
		json_string(&json, "verdict", "EXTRA");
		json_end(&json);
	} else {
		line_verdict(stdout, name, options->quoted, "EXTRA");
	}
	output_line_ends();
}

static bool file_found(void *context, const struct walk_file *file)
{
	struct extra *extra = context;

	if (nameset_has(extra->options->listed, file->name) || is_list(extra, file))
		return goes_on();
	extra->count++;
	if (!extra->options->silent)
		print(extra->options, file->name);
	return goes_on();
}

/* What is no file of bytes can be in no list, and need not be. */
static bool skipped(void *context, const char *name, enum file_kind kind)
{
	(void)context;
	(void)name;
	(void)kind;
	return goes_on();
}

static bool walk_failed(void *context, const char *name, int error)
{
	struct extra *extra = context;

	message_about(name, "%s", walk_error_text(error));
	extra->failed = true;
	return goes_on();
}

/* Nothing here keeps a directory open. */
static bool make_room(void *context)
{
	(void)context;
	return goes_on();
}

int extra_report(const struct extra_options *options, char *const *roots, int count)
{
	struct extra extra = {.options = options};
	const struct walk_visitor visitor = {
		.file = file_found,
		.link_text = file_found,
		.skipped = skipped,
		.error = walk_failed,
		.make_room = make_room,
		.context = &extra,
	};

	for (int i = 0; i < count && goes_on(); i++)
		walk_tree(options->walk, roots[i], &visitor);
	output_flush();
	if (extra.count > 0 && !options->silent)
		message("WARNING: %" PRIu64 " file%s in no list", extra.count,
			extra.count == 1 ? " is" : "s are");
	return extra.count == 0 && !extra.failed ? STATUS_OK : STATUS_FAILED;
}
