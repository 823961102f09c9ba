/* SPDX-License-Identifier: MIT */
/*
 * A stack of the folders from the first to the one at hand. A folder is read as a
 * whole and sorted when it is entered; small files wait in the namer until it is full, or until the
 * tree of their folder is made.
 */
#define _POSIX_C_SOURCE 200809L

#include "git_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
	char *name;
	const char *mode;
	bool left_out; /* a folder without any file */
	uint64_t size;
	struct git_named named;
};

static const char file_mode[] = "100644", executable_mode[] = "100755", link_mode[] = "120000",
		  folder_mode[] = "40000";

struct folder {
	struct folder *parent; /* below it on the stack, or NULL */
	struct entry *entry;   /* what it is in its parent, or NULL */
	int fd;
	size_t path_size; /* of the walk's path before this folder's name */
	struct entry *entries;
	size_t count, capacity, next;
};

struct walk {
	const struct git_folder_options *options;
	struct git_namer *namer;
	struct folder *top; /* of the stack */
	char *path;         /* of what is at hand, for messages */
	size_t path_capacity;
	bool failed;
};

/* --- Paths ------------------------------------------------------------------------ */

/* Makes the path end in name behind its first size bytes. */
static bool set_path(struct walk *walk, size_t size, const char *name)
{
	size_t length = strlen(name);
	char *grown;

	if (walk->path == NULL || size + length + 2 > walk->path_capacity) {
		grown = realloc(walk->path, 2 * (size + length + 2));
		if (grown == NULL)
			return false;
		walk->path = grown;
		walk->path_capacity = 2 * (size + length + 2);
	}
	if (size > 0 && walk->path[size - 1] != '/')
		walk->path[size++] = '/';
	memcpy(walk->path + size, name, length + 1);
	return true;
}

static void report(struct walk *walk, const struct folder *folder, const char *name, int error)
{
	const char *path = name;

	if (folder != NULL && set_path(walk, folder->path_size, name))
		path = walk->path;
	if (error != 0)
		walk->failed = true;
	walk->options->report(walk->options->context, path, error);
}

/* --- Reading a folder ------------------------------------------------------------- */

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	size_t a_size = strlen(a->name), b_size = strlen(b->name);
	size_t size = a_size < b_size ? a_size : b_size;
	int order = memcmp(a->name, b->name, size);
	unsigned char a_next, b_next;

	if (order != 0)
		return order;
	/* Names of folders compare as if they ended in a slash. */
	a_next = (unsigned char)a->name[size];
	b_next = (unsigned char)b->name[size];
	if (a_next == '\0' && a->mode == folder_mode)
		a_next = '/';
	if (b_next == '\0' && b->mode == folder_mode)
		b_next = '/';
	return (int)a_next - (int)b_next;
}

static const char *mode_of(const struct stat *status)
{
	if (S_ISREG(status->st_mode))
		return (status->st_mode & S_IXUSR) != 0 ? executable_mode : file_mode;
	if (S_ISLNK(status->st_mode))
		return link_mode;
	return S_ISDIR(status->st_mode) ? folder_mode : NULL;
}

static bool add_entry(struct walk *walk, struct folder *folder, const char *name)
{
	struct entry *entry;
	struct stat status;

	if (folder->count == folder->capacity) {
		size_t larger = folder->capacity == 0 ? 32 : 2 * folder->capacity;
		struct entry *grown = realloc(folder->entries, larger * sizeof(*grown));

		if (grown == NULL)
			return false;
		folder->entries = grown;
		folder->capacity = larger;
	}
	if (fstatat(folder->fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
		report(walk, folder, name, errno);
		return true;
	}
	entry = &folder->entries[folder->count];
	memset(entry, 0, sizeof(*entry));
	entry->mode = mode_of(&status);
	if (entry->mode == NULL) {
		report(walk, folder, name, 0);
		return true;
	}
	entry->size = (uint64_t)status.st_size;
	entry->name = strdup(name);
	if (entry->name == NULL)
		return false;
	folder->count++;
	return true;
}

static bool is_left_out(const struct walk *walk, const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
	       (walk->options->exclude_git && strcmp(name, ".git") == 0);
}

/* Lists and sorts what is in folder->fd. Returns 0 or an errno. */
static int read_folder(struct walk *walk, struct folder *folder)
{
	int fd = fcntl(folder->fd, F_DUPFD_CLOEXEC, 0), error = 0;
	DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;

	if (directory == NULL) {
		error = errno;
		if (fd >= 0)
			close(fd);
		return error;
	}
	for (errno = 0; error == 0 && (entry = readdir(directory)) != NULL; errno = 0)
		if (!is_left_out(walk, entry->d_name) && !add_entry(walk, folder, entry->d_name))
			error = ENOMEM;
	if (error == 0)
		error = errno;
	closedir(directory);
	if (folder->count > 0)
		qsort(folder->entries, folder->count, sizeof(*folder->entries), compare_entries);
	return error;
}

/* --- The stack -------------------------------------------------------------------- */

/* folder is the one on top. */
static void leave(struct walk *walk, struct folder *folder)
{
	walk->top = folder->parent;
	for (size_t i = 0; i < folder->count; i++)
		free(folder->entries[i].name);
	free(folder->entries);
	close(folder->fd);
	free(folder);
}

/* Enters a folder that lies in the one on top, or that is the first. */
static void enter(struct walk *walk, int at, const char *name, struct entry *entry, int flags)
{
	struct folder *parent = walk->top, *folder = calloc(1, sizeof(*folder));
	int error;

	if (folder == NULL || !set_path(walk, parent != NULL ? parent->path_size : 0, name)) {
		report(walk, NULL, name, ENOMEM);
		free(folder);
		return;
	}
	folder->parent = parent;
	folder->entry = entry;
	folder->path_size = strlen(walk->path);
	folder->fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
	if (folder->fd < 0) {
		report(walk, NULL, walk->path, errno);
		free(folder);
		return;
	}
	error = read_folder(walk, folder);
	if (error != 0)
		report(walk, folder, ".", error);
	walk->top = folder;
}

/* --- Entries ---------------------------------------------------------------------- */

static void name_link(struct walk *walk, struct folder *folder, struct entry *entry)
{
	/* One byte more than the size tells whether it has changed. */
	size_t room = (size_t)entry->size + 1;
	char *target = malloc(room);
	ssize_t size = target != NULL ? readlinkat(folder->fd, entry->name, target, room) : -1;

	if (size < 0)
		entry->named.error = target != NULL ? errno : ENOMEM;
	else if ((size_t)size != entry->size)
		entry->named.changed = true;
	else
		git_namer_add_data(walk->namer, "blob", target, (size_t)size, &entry->named);
	free(target);
}

static void name_file(struct walk *walk, struct folder *folder, struct entry *entry)
{
	int fd = openat(folder->fd, entry->name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0) {
		entry->named.error = errno;
		return;
	}
	if (fstat(fd, &status) != 0)
		entry->named.error = errno;
	else if (!S_ISREG(status.st_mode))
		entry->named.changed = true;
	else
		git_namer_add_fd(walk->namer, "blob", fd, (uint64_t)status.st_size, &entry->named);
	close(fd);
}

/* Whether all entries have their names; reports those that have not. */
static void check_entries(struct walk *walk, const struct folder *folder)
{
	for (size_t i = 0; i < folder->count; i++) {
		const struct entry *entry = &folder->entries[i];

		if (entry->named.attack.blocks != 0 &&
		    set_path(walk, folder->path_size, entry->name))
			walk->options->attack(walk->options->context, walk->path, &entry->named);
		if (entry->named.error != 0 || entry->named.changed)
			report(walk, folder, entry->name,
			       entry->named.changed ? ESTALE : entry->named.error);
	}
}

/* --- Trees
 * ------------------------------------------------------------------------------------------------
 */

/* The tree object of a folder in one format; NULL: no memory. */
static unsigned char *make_tree(const struct folder *folder, bool sha1, size_t *size)
{
	const size_t name_size = sha1 ? BLOCKSHA_SHA1_DIGEST_SIZE : BLOCKSHA_SHA256_DIGEST_SIZE;
	unsigned char *tree, *out;

	*size = 0;
	for (size_t i = 0; i < folder->count; i++)
		*size += strlen(folder->entries[i].name) + sizeof(file_mode) + 1 + name_size;
	tree = malloc(*size + 1);
	if (tree == NULL)
		return NULL;
	out = tree;
	for (size_t i = 0; i < folder->count; i++) {
		const struct entry *entry = &folder->entries[i];
		size_t mode = strlen(entry->mode);
		size_t name = strlen(entry->name) + 1;

		if (entry->left_out)
			continue;
		memcpy(out, entry->mode, mode);
		out[mode] = ' ';
		out += mode + 1;
		memcpy(out, entry->name, name);
		out += name;
		memcpy(out, sha1 ? entry->named.sha1 : entry->named.sha256, name_size);
		out += name_size;
	}
	*size = (size_t)(out - tree);
	return tree;
}

static bool name_tree_in(struct git_formats formats, const struct folder *folder,
			 struct git_named *named)
{
	struct git_namer *namer = git_namer_create(formats);
	size_t size;
	unsigned char *tree = namer != NULL ? make_tree(folder, formats.sha1, &size) : NULL;

	if (tree != NULL) {
		git_namer_add_data(namer, "tree", tree, size, named);
		git_namer_flush(namer);
	}
	free(tree);
	git_namer_destroy(namer);
	return tree != NULL && named->error == 0;
}

/* The two formats have different trees. */
static void name_tree(struct walk *walk, const struct folder *folder, struct git_named *named)
{
	struct git_formats formats = walk->options->formats;
	struct git_named sha1 = {0}, sha256 = {0};

	if ((formats.sha1 && !name_tree_in((struct git_formats){true, false}, folder, &sha1)) ||
	    (formats.sha256 && !name_tree_in((struct git_formats){false, true}, folder, &sha256))) {
		sha1.error = ENOMEM;
	}
	*named = sha1;
	memcpy(named->sha256, sha256.sha256, sizeof(named->sha256));
}

static bool has_entries(const struct folder *folder)
{
	for (size_t i = 0; i < folder->count; i++)
		if (!folder->entries[i].left_out)
			return true;
	return false;
}

/* All entries of the folder on top were begun: makes its tree, and goes back to its parent. */
static void finish_folder(struct walk *walk, struct git_named *named)
{
	struct folder *folder = walk->top;
	struct entry *entry = folder->entry;

	git_namer_flush(walk->namer);
	check_entries(walk, folder);
	if (entry != NULL && !has_entries(folder))
		entry->left_out = true;
	else
		name_tree(walk, folder, entry != NULL ? &entry->named : named);
	leave(walk, folder);
}

static void step(struct walk *walk, struct git_named *named)
{
	struct folder *folder = walk->top;
	struct entry *entry;

	if (folder->next == folder->count) {
		finish_folder(walk, named);
		return;
	}
	entry = &folder->entries[folder->next++];
	if (entry->mode == folder_mode)
		enter(walk, folder->fd, entry->name, entry, O_NOFOLLOW);
	else if (entry->mode == link_mode)
		name_link(walk, folder, entry);
	else
		name_file(walk, folder, entry);
}

bool git_folder_name(const char *path, const struct git_folder_options *options,
		     struct git_namer *namer, struct git_named *named)
{
	struct walk walk = {.options = options, .namer = namer};

	memset(named, 0, sizeof(*named));
	enter(&walk, AT_FDCWD, path, NULL, 0);
	while (walk.top != NULL)
		step(&walk, named);
	free(walk.path);
	return !walk.failed;
}
