/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fstatat */

#include "count.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "dir.h"
#include "input.h"
#include "progress.h"

struct count {
	pthread_t thread;
	char *const *names;
	int number;
	const struct walk_options *walk;
	atomic_bool stop;
	bool complete; /* all was counted */
};

static bool go_on(const struct count *count)
{
	return !atomic_load_explicit(&count->stop, memory_order_relaxed);
}

static void count_file(const struct dir *dir, const char *path, int flags)
{
	struct stat status = {0};

	if (fstatat(dir_fd(dir), path, &status, flags) == 0)
		progress_add_total(1, S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0);
}

static bool count_found(void *context, const struct walk_file *file)
{
	bool follow = file->named || file->follow;

	count_file(file->dir, file->path, follow ? 0 : AT_SYMLINK_NOFOLLOW);
	return go_on(context);
}

static bool count_skipped(void *context, const char *name, enum file_kind kind)
{
	(void)name;
	(void)kind;
	return go_on(context);
}

/* Who hashes tells of errors. */
static bool count_error(void *context, const char *name, int error)
{
	(void)name;
	(void)error;
	return go_on(context);
}

static bool count_room(void *context)
{
	return go_on(context);
}

static void *count_all(void *argument)
{
	struct count *count = argument;
	const struct walk_visitor visitor = {
		.file = count_found,
		.link_text = count_found,
		.skipped = count_skipped,
		.error = count_error,
		.make_room = count_room,
		.context = count,
	};

	for (int i = 0; i < count->number && go_on(count); i++)
		if (count->walk != NULL && !input_is_stdin(count->names[i]))
			walk_tree(count->walk, count->names[i], &visitor);
		else if (!input_is_stdin(count->names[i]))
			count_file(NULL, count->names[i], 0);
	count->complete = go_on(count);
	if (count->complete)
		progress_total_known();
	return NULL;
}

struct count *count_begin(char *const *names, int number, const struct walk_options *walk)
{
	struct count *count = calloc(1, sizeof(*count));

	if (count == NULL)
		return NULL;
	count->names = names;
	count->number = number;
	count->walk = walk;
	if (pthread_create(&count->thread, NULL, count_all, count) == 0)
		return count;
	free(count);
	return NULL;
}

void count_end(struct count *count)
{
	if (count == NULL)
		return;
	atomic_store(&count->stop, true);
	pthread_join(count->thread, NULL);
	if (!count->complete)
		progress_total_is_done();
	free(count);
}
