/* SPDX-License-Identifier: MIT */
/*
 * repository.c - every file of a repository that can be verified.
 *
 * The names in a folder are read before the first file is opened, and sorted: files that come and
 * go meanwhile cannot make it endless, and the results come in a fixed order.
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inflate.h"
#include "kinds.h"
#include "loose.h"
#include "options.h"

/* Loose objects that are verified before their findings are handed on. */
#define LOOSE_AT_ONCE 1024u

/* A file that names other places is not longer. */
#define MAX_TEXT 65536u

struct repository {
	const struct blocksha_git_options *options;
	char *folder;      /* the .git folder */
	uint64_t verified; /* files */
	uint64_t stores;   /* packs and loose objects among them */
	uint64_t orphans;  /* indexes without a pack */
	int result;
};

/* --- Names ------------------------------------------------------------------------ */

static char *join(const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = malloc(size);

	if (path != NULL)
		snprintf(path, size, "%s/%s", folder, name);
	return path;
}

/* One finding about a file that is not opened. */
static void report_one(struct repository *repository, const char *path, enum blocksha_git_kind kind,
		       const char *found, const char *text)
{
	struct git_report report;

	blocksha_git_report_begin(&report, repository->options, path);
	blocksha_git_report_add(&report, kind, GIT_NOWHERE, NULL, found, "%s", text);
	repository->result = git_worse(repository->result, blocksha_git_report_end(&report));
}

struct names {
	char **paths;
	size_t count, capacity;
};

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->paths[i]);
	free(names->paths);
}

static int compare_paths(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool add_name(struct names *names, char *path)
{
	if (path != NULL && names->count == names->capacity) {
		size_t larger = names->capacity == 0 ? 64 : 2 * names->capacity;
		char **grown = realloc(names->paths, larger * sizeof(*grown));

		if (grown == NULL) {
			free(path);
			return false;
		}
		names->paths = grown;
		names->capacity = larger;
	}
	if (path != NULL)
		names->paths[names->count++] = path;
	return path != NULL;
}

/* The paths of what is in a folder, sorted. None and no finding when it is not there. */
static struct names list_folder(struct repository *repository, const char *folder)
{
	struct names names = {NULL, 0, 0};
	const struct dirent *entry;
	DIR *directory = opendir(folder);

	if (directory == NULL) {
		if (errno != ENOENT && errno != ENOTDIR)
			report_one(repository, folder, BLOCKSHA_GIT_UNREADABLE, strerror(errno),
				   "cannot be opened");
		return names;
	}
	for (errno = 0; (entry = readdir(directory)) != NULL; errno = 0) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (!add_name(&names, join(folder, entry->d_name))) {
			report_one(repository, folder, BLOCKSHA_GIT_LIMIT, NULL, "no memory");
			break;
		}
	}
	if (entry == NULL && errno != 0)
		report_one(repository, folder, BLOCKSHA_GIT_UNREADABLE, strerror(errno),
			   "cannot be read");
	closedir(directory);
	if (names.count > 0)
		qsort(names.paths, names.count, sizeof(*names.paths), compare_paths);
	return names;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t length = strlen(path), size = strlen(suffix);

	return length > size && strcmp(path + length - size, suffix) == 0;
}

/* --- Loose objects ---------------------------------------------------------------- */

struct loose_work {
	const struct blocksha_git_options *options;
	char **paths;
	struct git_report *reports;
	size_t count;
	atomic_size_t next;
};

static void *verify_loose(void *argument)
{
	struct loose_work *work = argument;
	struct git_inflater *inflater = blocksha_git_inflater_create();
	size_t i;

	while (inflater != NULL && (i = atomic_fetch_add(&work->next, 1)) < work->count) {
		struct git_file file;

		if (!blocksha_git_file_open(&file, work->paths[i], true, &work->reports[i]))
			continue;
		blocksha_git_loose_verify_with(inflater, &file, &work->reports[i]);
		blocksha_git_file_close(&file, &work->reports[i]);
	}
	blocksha_git_inflater_destroy(inflater);
	return NULL;
}

static void run_loose(struct loose_work *work, pthread_t *threads, unsigned jobs)
{
	unsigned begun = 0;

	if (jobs > work->count)
		jobs = (unsigned)work->count;
	while (begun + 1 < jobs && pthread_create(&threads[begun], NULL, verify_loose, work) == 0)
		begun++;
	verify_loose(work);
	for (unsigned i = 0; i < begun; i++)
		pthread_join(threads[i], NULL);
}

static void verify_loose_objects(struct repository *repository, const struct names *names)
{
	unsigned jobs = blocksha_git_jobs(repository->options);
	struct git_report *reports = calloc(LOOSE_AT_ONCE, sizeof(*reports));
	pthread_t *threads = calloc(jobs, sizeof(*threads));

	for (size_t at = 0; reports != NULL && threads != NULL && at < names->count;
	     at += LOOSE_AT_ONCE) {
		struct loose_work work = {repository->options, names->paths + at, reports,
					  names->count - at, 0};

		if (work.count > LOOSE_AT_ONCE)
			work.count = LOOSE_AT_ONCE;
		for (size_t i = 0; i < work.count; i++)
			blocksha_git_report_begin(&reports[i], work.options, work.paths[i]);
		run_loose(&work, threads, jobs);
		/* A thread takes none when it has no memory. */
		if (atomic_load(&work.next) < work.count)
			blocksha_git_report_add(&reports[0], BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL,
						NULL, "no memory to inflate objects");
		for (size_t i = 0; i < work.count; i++)
			repository->result =
				git_worse(repository->result, blocksha_git_report_end(&reports[i]));
		repository->verified += work.count;
		repository->stores += work.count;
	}
	if (reports == NULL || threads == NULL)
		report_one(repository, repository->folder, BLOCKSHA_GIT_LIMIT, NULL, "no memory");
	free(reports);
	free(threads);
}

/* A folder of loose objects has two hexadecimal digits as its name. */
static bool is_loose_folder(const char *path)
{
	const char *name = last_part(path);
	unsigned char byte;

	return strlen(name) == 2 && blocksha_hex_decode(&byte, name, 1) == BLOCKSHA_OK;
}

/* Moves those that are named as loose objects to the front, and notes the others. */
static void keep_loose(struct repository *repository, struct names *names)
{
	size_t kept = 0;

	for (size_t i = 0; i < names->count; i++) {
		unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];

		if (blocksha_git_loose_name(names->paths[i], name) != BLOCKSHA_GIT_INFER) {
			char *swap = names->paths[kept];

			names->paths[kept++] = names->paths[i];
			names->paths[i] = swap;
		} else {
			report_one(repository, names->paths[i], BLOCKSHA_GIT_NOTE, NULL,
				   "garbage: not named as a loose object is");
		}
	}
	for (size_t i = kept; i < names->count; i++)
		free(names->paths[i]);
	names->count = kept;
}

static void verify_loose_folders(struct repository *repository, const char *objects)
{
	struct names folders = list_folder(repository, objects);

	for (size_t i = 0; i < folders.count; i++) {
		struct names names;

		if (!is_loose_folder(folders.paths[i]))
			continue;
		names = list_folder(repository, folders.paths[i]);
		keep_loose(repository, &names);
		verify_loose_objects(repository, &names);
		free_names(&names);
	}
	free_names(&folders);
}

/* --- Packs and what lies beside them ---------------------------------------------- */

static bool listed_beside(const struct names *names, const char *path, const char *suffix,
			  const char *other)
{
	size_t stem = strlen(path) - strlen(suffix);
	char *wanted = malloc(stem + strlen(other) + 1), *key = wanted;
	bool found;

	if (wanted == NULL)
		return true; /* says nothing rather than something wrong */
	snprintf(wanted, stem + strlen(other) + 1, "%.*s%s", (int)stem, path, other);
	found = bsearch(&key, names->paths, names->count, sizeof(*names->paths), compare_paths) !=
		NULL;
	free(wanted);
	return found;
}

/* Files that carry no contents of their own. */
static bool is_mark(const char *path)
{
	return has_suffix(path, ".keep") || has_suffix(path, ".promisor");
}

static void verify_listed(struct repository *repository, const char *path)
{
	repository->result = git_worse(repository->result,
				       blocksha_git_verify_file(path, true, repository->options));
	repository->verified++;
}

static void verify_pack_folder(struct repository *repository, const char *folder)
{
	struct names names = list_folder(repository, folder);

	for (size_t i = 0; i < names.count; i++) {
		const char *path = names.paths[i];

		if (is_mark(path))
			continue;
		/* The index of a pack is verified with it. */
		if (has_suffix(path, ".idx")) {
			if (listed_beside(&names, path, ".idx", ".pack"))
				continue;
			report_one(repository, path, BLOCKSHA_GIT_NOTE, NULL,
				   "garbage: there is no pack beside it");
			repository->orphans++;
		}
		repository->stores += has_suffix(path, ".pack");
		if (blocksha_git_kind_by_name(path) != NULL)
			verify_listed(repository, path);
		else
			report_one(repository, path, BLOCKSHA_GIT_NOTE, NULL,
				   "garbage: no file that belongs to a pack");
	}
	free_names(&names);
}

/* --- The index, commit-graphs ------------------------------------------------------ */

/* Those files of a subfolder (or NULL) whose name begins so, if they are of some kind. */
static void verify_folder(struct repository *repository, const char *subfolder, const char *prefix)
{
	char *folder = subfolder != NULL ? join(repository->folder, subfolder)
					 : strdup(repository->folder);
	struct names names = {NULL, 0, 0};

	if (folder != NULL)
		names = list_folder(repository, folder);
	else
		report_one(repository, repository->folder, BLOCKSHA_GIT_LIMIT, NULL, "no memory");
	for (size_t i = 0; i < names.count; i++)
		if (strncmp(last_part(names.paths[i]), prefix, strlen(prefix)) == 0 &&
		    !has_suffix(names.paths[i], ".lock") &&
		    blocksha_git_kind_by_name(names.paths[i]) != NULL)
			verify_listed(repository, names.paths[i]);
	free_names(&names);
	free(folder);
}

/* --- Other places ----------------------------------------------------------------- */

/* A small text file as a string, or NULL when it is not there or cannot be read. */
static char *read_text(const char *path)
{
	/* Without waiting for the other end of a FIFO. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	char *text = file != NULL ? malloc(MAX_TEXT) : NULL;

	if (text == NULL) {
		if (file != NULL)
			fclose(file);
		else if (fd >= 0)
			close(fd);
		return NULL;
	}
	text[fread(text, 1, MAX_TEXT - 1, file)] = '\0';
	fclose(file);
	return text;
}

/* Objects that lie elsewhere are not verified: that is another repository's. */
static void note_alternates(struct repository *repository, const char *objects)
{
	char *path = join(objects, "info/alternates");
	char *text = path != NULL ? read_text(path) : NULL;
	char *rest = NULL;

	if (text != NULL)
		for (char *line = strtok_r(text, "\n", &rest); line != NULL;
		     line = strtok_r(NULL, "\n", &rest))
			if (line[0] != '#')
				report_one(repository, path, BLOCKSHA_GIT_NOTE, line,
					   "objects of this alternate are not verified");
	free(text);
	free(path);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return path != NULL && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool has_objects(const char *folder)
{
	char *objects = folder != NULL ? join(folder, "objects") : NULL;
	bool has = is_folder(objects);

	free(objects);
	return has;
}

/* The folder with the objects: that of a worktree names it in a file. Takes folder over. */
static char *follow_common(char *folder)
{
	char *path = folder != NULL ? join(folder, "commondir") : NULL;
	char *text = path != NULL && !has_objects(folder) ? read_text(path) : NULL;
	char *common = NULL;

	if (text != NULL) {
		text[strcspn(text, "\n")] = '\0';
		common = text[0] == '/' ? strdup(text) : join(folder, text);
	}
	free(path);
	free(text);
	if (common == NULL)
		return folder;
	free(folder);
	return common;
}

/* The folder with the objects: path itself, its .git, or what a file .git names. */
static char *find_folder(const char *path)
{
	static const char prefix[] = "gitdir: ";
	char *dot_git = join(path, ".git"), *text, *folder = NULL;

	if (has_objects(path)) {
		free(dot_git);
		return strdup(path);
	}
	if (dot_git == NULL || has_objects(dot_git))
		return dot_git;
	text = is_folder(dot_git) ? NULL : read_text(dot_git);
	if (text != NULL && strncmp(text, prefix, sizeof(prefix) - 1) == 0) {
		const char *target = text + sizeof(prefix) - 1;

		text[strcspn(text, "\n")] = '\0';
		folder = target[0] == '/' ? strdup(target) : join(path, target);
	}
	free(text);
	free(dot_git);
	return follow_common(folder);
}

/* Each worktree has an index of its own. */
static void verify_worktrees(struct repository *repository)
{
	char *folder = join(repository->folder, "worktrees");
	struct names names = {NULL, 0, 0};

	if (folder != NULL)
		names = list_folder(repository, folder);
	for (size_t i = 0; i < names.count; i++) {
		char *worktree = join("worktrees", last_part(names.paths[i]));

		if (worktree != NULL && is_folder(names.paths[i])) {
			verify_folder(repository, worktree, "index");
			verify_folder(repository, worktree, "sharedindex.");
		}
		free(worktree);
	}
	free_names(&names);
	free(folder);
}

static void verify_in(struct repository *repository)
{
	char *objects = join(repository->folder, "objects");
	char *packs = objects != NULL ? join(objects, "pack") : NULL;

	if (packs == NULL) {
		report_one(repository, repository->folder, BLOCKSHA_GIT_LIMIT, NULL, "no memory");
	} else {
		note_alternates(repository, objects);
		verify_loose_folders(repository, objects);
		verify_pack_folder(repository, packs);
		verify_folder(repository, "objects/info", "commit-graph");
		verify_folder(repository, "objects/info/commit-graphs", "");
		verify_folder(repository, NULL, "index");
		verify_folder(repository, NULL, "sharedindex.");
		verify_worktrees(repository);
	}
	free(packs);
	free(objects);
}

int blocksha_git_verify_repository(const char *path, const struct blocksha_git_options *options)
{
	struct repository repository = {.options = options, .folder = find_folder(path)};

	if (repository.folder == NULL || !has_objects(repository.folder)) {
		report_one(&repository, path, BLOCKSHA_GIT_UNREADABLE, NULL,
			   "is no repository: it has no objects folder");
	} else {
		verify_in(&repository);
		if (repository.verified == 0)
			report_one(&repository, path, BLOCKSHA_GIT_MISSING, NULL,
				   "repository is empty: nothing was verified");
		else if (repository.stores == 0 && repository.orphans > 0)
			report_one(&repository, path, BLOCKSHA_GIT_MISSING, NULL,
				   "no object is there, only indexes of packs: none was verified");
	}
	free(repository.folder);
	return repository.result;
}
