/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* fstatat, lstat */

/*
 * keep_update reads the list, then file_found sees each file of the trees and gives jobs to the
 * scheduler for those that need hashing, deliver takes the results into the list, and after the
 * trees look_for_missing sees the files of the list that were not found.
 */
#include "keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "line.h"
#include "listfile.h"
#include "message.h"
#include "nameset.h"
#include "output.h"
#include "progress.h"
#include "replace.h"
#include "scheduler.h"
#include "status.h"

struct keep {
	const struct keep_options *options;
	struct replace replace;
	struct listfile list;
	struct digest_set set; /* what each file is to have */
	const struct digest_pass *pass;
	struct scheduler_options how; /* must outlive the scheduler */
	struct scheduler *scheduler;
	struct timespec begin;
	bool found;      /* a file in the trees */
	bool incomplete; /* some of the trees could not be seen */
	bool dirty;      /* the list must be written */
	bool stopped;    /* the run ended early: the list must not be written */
	int status;
};

/* listfile_file.mark */
enum { MARK_FOUND = 1 };

static void fail(struct keep *keep, int status)
{
	keep->status = status_worst(keep->status, status);
}

/* Ends the run without a new list. */
static void give_up(struct keep *keep, int error)
{
	message_about(keep->list.name, "%s", strerror(error));
	fail(keep, STATUS_FAILED);
	if (keep->scheduler != NULL)
		scheduler_stop(keep->scheduler);
}

static void tell(const struct keep *keep, const char *name, const char *text)
{
	if (!keep->options->silent)
		line_verdict(stdout, name, keep->options->quoted, text);
}

/* --- Which files are hashed ------------------------------------------------------------ */

static unsigned bits_of(const struct digest_set *set)
{
	unsigned bits = 0;

	for (size_t i = 0; i < set->count; i++)
		bits |= 1U << set->algorithms[i]->id;
	return bits;
}

static struct stamp stamp_of(const struct stat *status)
{
	return (struct stamp){.size = (uint64_t)status->st_size, .time = status->st_mtim};
}

/* Whether the list says all of the file, as far as can be told without reading it. */
static bool looks_known(const struct keep *keep, const struct listfile_file *file,
			const struct stat *status)
{
	const struct stamp stamp = stamp_of(status);

	return file != NULL && (bits_of(&keep->set) & ~file->algorithms) == 0 && file->has_stamp &&
	       !file->stamp.young && stamp_equal(&file->stamp, &stamp);
}

static void add_job(struct keep *keep, const struct walk_file *file, uint64_t size)
{
	enum job_kind kind = file->named ? JOB_NAMED : file->follow ? JOB_FOLLOWED : JOB_FOUND;
	struct job *job = job_create(kind, file->name, file->dir, strlen(file->path), keep->pass);

	if (job == NULL) {
		give_up(keep, ENOMEM);
		return;
	}
	progress_add_total(1, size);
	scheduler_add(keep->scheduler, job);
}

static void take_file(struct keep *keep, const struct walk_file *file, const struct stat *status)
{
	struct listfile_file *known = listfile_find(&keep->list, file->name);

	keep->found = true;
	if (known != NULL)
		known->mark = MARK_FOUND;
	if (keep->options->recheck || !looks_known(keep, known, status))
		add_job(keep, file, (uint64_t)status->st_size);
}

/* --- The trees --------------------------------------------------------------------------- */

static bool file_found(void *context, const struct walk_file *file)
{
	struct keep *keep = context;
	int flags = file->follow || file->named ? 0 : AT_SYMLINK_NOFOLLOW;
	struct stat status;

	if (fstatat(dir_fd(file->dir), file->path, &status, flags) != 0) {
		message_about(file->name, "%s", strerror(errno));
		keep->incomplete = true;
	} else if (!S_ISREG(status.st_mode)) {
		message_about(file->name, "skipped: not a regular file");
	} else if (!replace_is_own(&keep->replace, &status)) {
		take_file(keep, file, &status);
	}
	return !scheduler_stopped(keep->scheduler);
}

static bool skipped(void *context, const char *name, enum file_kind kind)
{
	struct keep *keep = context;

	if (kind == FILE_KIND_DIRECTORY)
		message_about(name, "skipped: another file system");
	else if (kind != FILE_KIND_SYMLINK)
		message_about(name, "skipped: %s", file_kind_text(kind));
	return !scheduler_stopped(keep->scheduler);
}

static bool walk_failed(void *context, const char *name, int error)
{
	struct keep *keep = context;

	message_about(name, "%s", walk_error_text(error));
	keep->incomplete = true;
	return !scheduler_stopped(keep->scheduler);
}

static bool make_room(void *context)
{
	struct keep *keep = context;

	scheduler_wait(keep->scheduler);
	return !scheduler_stopped(keep->scheduler);
}

static void walk_roots(struct keep *keep, char *const *roots, int count)
{
	const struct walk_visitor visitor = {
		.file = file_found,
		.link_text = file_found,
		.skipped = skipped,
		.error = walk_failed,
		.make_room = make_room,
		.context = keep,
	};

	for (int i = 0; i < count && !scheduler_stopped(keep->scheduler); i++)
		walk_tree(&keep->options->walk, roots[i], &visitor);
	progress_total_known();
	scheduler_drain(keep->scheduler);
}

/* --- Results ------------------------------------------------------------------------------ */

static struct stamp stamp_of_result(const struct keep *keep, const struct hash_result *result)
{
	return (struct stamp){.size = result->size,
			      .time = result->time,
			      .young = stamp_is_young(&result->time, &keep->begin)};
}

/* Whether the digests that the list has of a file are those that were found. */
static bool has_digests(const struct listfile_file *file, const struct hash_result *result)
{
	for (size_t i = 0; i < DIGEST_COUNT; i++)
		if ((file->algorithms & 1U << i) != 0 &&
		    memcmp(file->digests[i].bytes, result->digests[i].bytes,
			   digest_algorithms[i].size) != 0)
			return false;
	return true;
}

static void take_stamp(struct keep *keep, struct listfile_file *file, const struct stamp *stamp)
{
	if (file->has_stamp && stamp_equal(&file->stamp, stamp) &&
	    file->stamp.young == stamp->young)
		return;
	file->has_stamp = true;
	file->stamp = *stamp;
	keep->dirty = true;
}

/* Makes the list say of a file what was found. */
static void take_result(struct keep *keep, struct listfile_file *file,
			const struct hash_result *result)
{
	const struct stamp stamp = stamp_of_result(keep, result);

	if ((bits_of(&keep->set) & ~file->algorithms) != 0 || !has_digests(file, result))
		keep->dirty = true;
	if (!listfile_complete(&keep->list, file, &keep->set)) {
		give_up(keep, ENOMEM);
		return;
	}
	memcpy(file->digests, result->digests, sizeof(file->digests));
	take_stamp(keep, file, &stamp);
}

static void take_new(struct keep *keep, const struct job *job)
{
	struct listfile_file *file = listfile_add(&keep->list, job->name, &keep->set);

	if (file == NULL) {
		give_up(keep, ENOMEM);
		return;
	}
	file->mark = MARK_FOUND;
	keep->dirty = true;
	take_result(keep, file, &job->result);
	tell(keep, job->name, "NEW");
}

/* Whether size and time of a file say that it is what was hashed for the list. Where they need
   not tell, an update believes that it changed, but who asks for suspects gets it. */
static bool claims_to_be_same(const struct keep *keep, const struct listfile_file *file,
			      const struct hash_result *result)
{
	const struct stamp stamp = stamp_of_result(keep, result);

	return file->has_stamp && stamp_equal(&file->stamp, &stamp) &&
	       (!file->stamp.young || keep->options->recheck);
}

static void take_known(struct keep *keep, struct listfile_file *file, const struct job *job)
{
	if (has_digests(file, &job->result)) {
		take_result(keep, file, &job->result);
	} else if (claims_to_be_same(keep, file, &job->result)) {
		tell(keep, job->name, "SUSPECT");
		fail(keep, STATUS_FAILED);
	} else {
		take_result(keep, file, &job->result);
		tell(keep, job->name, "CHANGED");
	}
}

static void report_attack(struct keep *keep, const struct job *job)
{
	char text[HASH_TEXT_SIZE];

	hash_attack_text(&job->result, text);
	output_flush();
	message_about(job->name, "%s", text);
	fail(keep, STATUS_ATTACK);
}

static void report_failure(struct keep *keep, const struct job *job)
{
	char reason[HASH_TEXT_SIZE];

	hash_reason(&job->result, reason);
	output_flush();
	message_about(job->name, "%s", reason);
	fail(keep, STATUS_FAILED);
}

static void deliver(void *context, struct job *job)
{
	struct keep *keep = context;
	struct listfile_file *file = listfile_find(&keep->list, job->name);

	if (job->result.attack.blocks > 0)
		report_attack(keep, job);
	if (!hash_has_digests(&job->result))
		report_failure(keep, job);
	else if (file == NULL)
		take_new(keep, job);
	else
		take_known(keep, file, job);
	if (output_failed())
		scheduler_stop(keep->scheduler);
}

static void flush_output(void *context)
{
	(void)context;
	output_flush();
}

/* --- Files that are not there any more ----------------------------------------------------- */

static bool is_below(const struct listfile_file *file, char *const *root_keys, int count)
{
	for (int i = 0; i < count; i++)
		if (nameset_is_below(file->key, root_keys[i]))
			return true;
	return false;
}

/* Whether there is nothing of that name; what is excluded from a tree is still there. */
static bool is_gone(const char *name)
{
	struct stat status;

	return lstat(name, &status) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

static void look_for_missing(struct keep *keep, char *const *root_keys, int count)
{
	for (size_t i = 0; i < keep->list.count; i++) {
		struct listfile_file *file = keep->list.lines[i].file;

		if (file == NULL || file->first_line != i || file->mark == MARK_FOUND ||
		    !is_below(file, root_keys, count) || !is_gone(file->name))
			continue;
		file->removed = true;
		keep->dirty = true;
		tell(keep, file->name, "MISSING");
	}
}

/* The keys of the roots, to be freed with free_keys; NULL: no memory. */
static char **make_keys(char *const *roots, int count)
{
	char **keys = calloc((size_t)count, sizeof(*keys));

	for (int i = 0; keys != NULL && i < count; i++) {
		keys[i] = nameset_key(roots[i]);
		if (keys[i] != NULL)
			continue;
		while (i > 0)
			free(keys[--i]);
		free(keys);
		return NULL;
	}
	return keys;
}

static void free_keys(char **keys, int count)
{
	for (int i = 0; i < count; i++)
		free(keys[i]);
	free(keys);
}

static void find_missing(struct keep *keep, char *const *roots, int count)
{
	char **keys = make_keys(roots, count);

	if (keys == NULL) {
		give_up(keep, ENOMEM);
		return;
	}
	look_for_missing(keep, keys, count);
	free_keys(keys, count);
}

/* --- The run --------------------------------------------------------------------------------- */

/* Reads the old list. Returns false after a message. */
static bool read_list(struct keep *keep)
{
	struct listfile *list = &keep->list;
	const char *error = NULL;

	if (keep->replace.old >= 0)
		error = listfile_read(list, keep->replace.old);
	if (error == NULL && list->is_signed)
		error = "a signed list is not updated, its signature would be wrong";
	if (error == NULL &&
	    (list->malformed > 0 || list->unsupported > 0 || list->contradictions > 0))
		error = "the list is not updated, because of those lines";
	if (error != NULL)
		message_about(list->name, "%s", error);
	return error == NULL;
}

/* Decides what each file gets: the algorithms of the list, those that are wanted, else SHA-256. */
static void choose_algorithms(struct keep *keep)
{
	keep->set = keep->list.used;
	for (size_t i = 0; i < keep->options->wanted.count; i++)
		digest_set_add(&keep->set, keep->options->wanted.algorithms[i]);
	if (keep->set.count == 0)
		digest_set_add(&keep->set, &digest_algorithms[DIGEST_SHA256]);
	keep->pass = digest_set_pass(&keep->set, keep->options->plain_sha1);
}

/* Looks for what is missing, if the trees were seen. */
static void look_at_the_rest(struct keep *keep, char *const *roots, int count)
{
	if (!keep->incomplete && keep->found) {
		find_missing(keep, roots, count);
		return;
	}
	output_flush();
	/* An empty tree is rather one that is not mounted than one without files. */
	if (keep->incomplete)
		message_about(keep->list.name, "what is missing cannot be told, "
					       "since the trees could not be seen whole");
	else
		message_about(keep->list.name, "no file was found");
	fail(keep, STATUS_FAILED);
}

/* Compares the list with the trees. */
static void compare(struct keep *keep, char *const *roots, int count)
{
	keep->how = (struct scheduler_options){
		.threads = keep->options->jobs,
		.share_links = true,
		.hash = {.drop_cache = keep->options->hash.drop_cache,
			 .long_paths = keep->options->hash.long_paths},
		.deliver = deliver,
		.before_waiting = flush_output,
		.context = keep,
	};
	keep->scheduler = scheduler_create(&keep->how);
	if (keep->scheduler == NULL) {
		give_up(keep, ENOMEM);
		keep->stopped = true;
		return;
	}
	walk_roots(keep, roots, count);
	if (!scheduler_stopped(keep->scheduler))
		look_at_the_rest(keep, roots, count);
	keep->stopped = scheduler_stopped(keep->scheduler);
	scheduler_destroy(keep->scheduler);
}

/* Whether there is to be a new list. */
static bool is_to_be_written(const struct keep *keep)
{
	bool other_lines = keep->options->tagged && !keep->list.tagged;

	return !keep->stopped && keep->found && (keep->dirty || other_lines);
}

static void finish(struct keep *keep)
{
	const char *error;

	if (!is_to_be_written(keep)) {
		replace_abandon(&keep->replace);
		return;
	}
	listfile_write(&keep->list, keep->replace.out, keep->options->tagged || keep->list.tagged);
	error = replace_commit(&keep->replace);
	if (error != NULL) {
		message_about(keep->list.name, "%s", error);
		fail(keep, STATUS_FAILED);
	}
}

int keep_update(const struct keep_options *options, const char *list, char *const *roots, int count)
{
	struct keep keep = {.options = options, .status = STATUS_OK};
	const char *error = replace_begin(&keep.replace, list, false);

	if (error != NULL) {
		message_about(list, "%s", error);
		return STATUS_FAILED;
	}
	clock_gettime(CLOCK_REALTIME, &keep.begin);
	listfile_begin(&keep.list, list, &options->allowed);
	if (read_list(&keep)) {
		choose_algorithms(&keep);
		compare(&keep, roots, count);
		finish(&keep);
	} else {
		fail(&keep, STATUS_FAILED);
		replace_abandon(&keep.replace);
	}
	listfile_free(&keep.list);
	return keep.status;
}
