/* SPDX-License-Identifier: MIT */
/*
 * A stack of frames, one for each directory on the path, takes the place of recursion. The
 * printed name of the present file is built in one buffer, in which each frame knows where its
 * own name ends.
 */
#define _POSIX_C_SOURCE 200809L

#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dir.h"
#include "exclude.h"

/* Behind a name: a NUL, and before it a slash while --exclude is asked. */
#define NAME_SLACK 2

/* How many directories of the path stay open at most. More would save opening again where trees
   are deeper, which few are. */
#define KEPT_OPEN 32

/* A directory on the path. */
struct frame {
	struct dir *dir; /* NULL: closed for now */
	dev_t device;
	ino_t inode;
	struct listing listing;
	size_t next;       /* the entry that comes next */
	size_t name_begin; /* its last component, in the buffer of names */
	size_t name_end;
	size_t prefix; /* where the names of its entries begin: behind a slash */
	bool followed; /* it was reached through a symbolic link */
	int lost;      /* why it cannot be opened again, or 0 */
};

struct walk {
	const struct walk_options *options;
	const struct walk_visitor *visitor;
	struct frame *frames;
	size_t depth, capacity;
	char *name;
	size_t name_length, name_capacity;
	size_t kept_open;
	unsigned budget;
	size_t followed; /* how many frames are that */
	bool stopped;
};

const char *walk_error_text(int error)
{
	switch (error) {
	case WALK_ERROR_LOOP:
		return "symbolic link loop";
	case WALK_ERROR_MOVED:
		return "moved while it was read";
	default:
		return strerror(error);
	}
}

/* --- What the visitor is told: nothing once it has ended the walk ------------- */

static void report(struct walk *walk, int error)
{
	if (!walk->stopped && !walk->visitor->error(walk->visitor->context, walk->name, error))
		walk->stopped = true;
}

static void report_skipped(struct walk *walk, enum file_kind kind)
{
	if (!walk->stopped && !walk->visitor->skipped(walk->visitor->context, walk->name, kind))
		walk->stopped = true;
}

static void give(struct walk *walk, bool (*take)(void *, const struct walk_file *),
		 const struct walk_file *file)
{
	if (!walk->stopped && !take(walk->visitor->context, file))
		walk->stopped = true;
}

/* Asks the visitor for fewer open directories. Returns whether there are; errno stays. */
static bool make_room(struct walk *walk)
{
	unsigned before = dir_open_count();
	int error = errno;

	if (!walk->stopped && !walk->visitor->make_room(walk->visitor->context))
		walk->stopped = true;
	errno = error;
	return !walk->stopped && dir_open_count() < before;
}

/* --- Names ----------------------------------------------------------------- */

static struct frame *top_frame(const struct walk *walk)
{
	return &walk->frames[walk->depth - 1];
}

/* Makes the buffer hold size bytes; those that are in it stay. */
static bool reserve_name(struct walk *walk, size_t size)
{
	char *name;

	if (size <= walk->name_capacity)
		return true;
	name = realloc(walk->name, 2 * size);
	if (name == NULL)
		return false;
	walk->name = name;
	walk->name_capacity = 2 * size;
	return true;
}

/* The present name becomes that of the frame. */
static void name_frame(struct walk *walk, const struct frame *frame)
{
	walk->name_length = frame->name_end;
	walk->name[frame->name_end] = '\0';
}

/* The present name becomes that of an entry of the frame. */
static bool name_entry(struct walk *walk, const struct frame *frame, const char *entry)
{
	size_t length = strlen(entry);

	if (!reserve_name(walk, frame->prefix + length + NAME_SLACK))
		return false;
	if (frame->prefix > frame->name_end)
		walk->name[frame->name_end] = '/';
	memcpy(walk->name + frame->prefix, entry, length + 1);
	walk->name_length = frame->prefix + length;
	return true;
}

/* Whether --exclude leaves out the present name. Slashes at its end, which a root may have, are
   not part of it; a directory counts with one, too. */
static bool excluded(struct walk *walk, bool directory)
{
	const char *const *patterns = walk->options->excludes;
	size_t end = walk->name_length;
	char *name = walk->name;
	char saved[NAME_SLACK];
	bool matches;

	if (patterns == NULL)
		return false;
	while (end > 0 && name[end - 1] == '/')
		end--;
	saved[0] = name[end];
	saved[1] = name[end + 1];
	name[end] = '\0';
	matches = exclude_matches(patterns, name);
	if (!matches && directory) {
		name[end] = '/';
		name[end + 1] = '\0';
		matches = exclude_matches(patterns, name);
	}
	name[end] = saved[0];
	name[end + 1] = saved[1];
	return matches;
}

/* --- Opening directories --------------------------------------------------- */

/* Before a directory is opened. */
static void keep_budget(struct walk *walk)
{
	while (dir_open_count() >= walk->budget)
		if (!make_room(walk))
			break;
}

/* NULL and errno when it cannot be opened. */
static struct dir *open_dir(struct walk *walk, const struct dir *base, const char *path,
			    bool follow)
{
	struct dir *dir;

	keep_budget(walk);
	do
		dir = dir_open(base, path, follow);
	while (dir == NULL && (errno == EMFILE || errno == ENFILE) && make_room(walk));
	return dir;
}

static int list(struct walk *walk, struct frame *frame)
{
	bool follow = walk->options->symlinks == WALK_SYMLINKS_FOLLOW;
	int error;

	do
		error = listing_read(&frame->listing, frame->dir, follow);
	while ((error == EMFILE || error == ENFILE) && make_room(walk));
	return error;
}

/* After the frame at an index was opened: closes the one that is then too far above it. */
static void close_above(struct walk *walk, size_t index)
{
	if (index < walk->kept_open)
		return;
	dir_release(walk->frames[index - walk->kept_open].dir);
	walk->frames[index - walk->kept_open].dir = NULL;
}

/* Opens the frame at an index again, from an open directory by a path, if it is still that one.
   Returns 0 or an error. */
static int reopen(struct walk *walk, size_t index, const struct dir *base, const char *path,
		  bool follow)
{
	struct frame *frame = &walk->frames[index];
	struct dir *dir = open_dir(walk, base, path, follow);

	if (dir == NULL)
		return errno;
	if (dir->device != frame->device || dir->inode != frame->inode) {
		dir_release(dir);
		return WALK_ERROR_MOVED;
	}
	frame->dir = dir;
	close_above(walk, index);
	return 0;
}

/* Opens the frame at an index again by its name, from the frame above it. */
static int reopen_by_name(struct walk *walk, size_t index)
{
	struct frame *frame = &walk->frames[index];
	const struct dir *base = index > 0 ? walk->frames[index - 1].dir : walk->options->base;
	bool follow = index == 0 || frame->followed;
	char saved = walk->name[frame->name_end];
	int error;

	walk->name[frame->name_end] = '\0';
	error = reopen(walk, index, base, walk->name + frame->name_begin, follow);
	walk->name[frame->name_end] = saved;
	return error;
}

/* Opens all frames again that are below the lowest open one. */
static void walk_down(struct walk *walk)
{
	size_t index = walk->depth;
	int error = 0;

	while (index > 0 && walk->frames[index - 1].dir == NULL)
		index--;
	for (; index < walk->depth && error == 0 && !walk->stopped; index++)
		error = reopen_by_name(walk, index);
	if (error != 0) /* for the one above, and so for all below it */
		for (index--; index < walk->depth; index++)
			walk->frames[index].lost = error;
}

/* Back in a frame that may be closed, from one below it (open, or NULL). The way back is .. unless
   a symbolic link led down or a directory was moved. */
static void return_to_top(struct walk *walk, const struct dir *below)
{
	struct frame *frame = top_frame(walk);
	bool done = frame->next == frame->listing.count;

	if (frame->dir != NULL)
		return;
	if (below != NULL && reopen(walk, walk->depth - 1, below, "..", false) == 0)
		return;
	if (done)
		return;
	if (frame->lost == 0)
		walk_down(walk);
	name_frame(walk, frame);
	if (frame->dir == NULL && !walk->stopped) {
		report(walk, frame->lost);
		frame->next = frame->listing.count;
	}
}

/* --- Down and up ----------------------------------------------------------- */

/* Whether a directory is one of those on the path. Without a symbolic link on it, it cannot be,
   so that this is asked, and takes its time in deep trees, below links only. */
static bool is_on_path(const struct walk *walk, const struct dir *dir)
{
	for (size_t i = 0; i < walk->depth; i++)
		if (walk->frames[i].inode == dir->inode && walk->frames[i].device == dir->device)
			return true;
	return false;
}

static bool reserve_frame(struct walk *walk)
{
	size_t capacity = walk->capacity > 0 ? 2 * walk->capacity : 16;
	struct frame *frames;

	if (walk->depth < walk->capacity)
		return true;
	frames = realloc(walk->frames, capacity * sizeof(*frames));
	if (frames == NULL)
		return false;
	walk->frames = frames;
	walk->capacity = capacity;
	return true;
}

/* Puts a frame for an open directory, whose name is the present one, on the stack. */
static void push(struct walk *walk, struct dir *dir, bool followed)
{
	size_t length = walk->name_length;
	struct frame frame = {
		.dir = dir,
		.device = dir->device,
		.inode = dir->inode,
		.name_begin = walk->depth > 0 ? top_frame(walk)->prefix : 0,
		.name_end = length,
		.prefix = walk->name[length - 1] == '/' ? length : length + 1,
		.followed = followed,
	};
	int error = ENOMEM;

	if (!reserve_frame(walk)) {
		dir_release(dir);
	} else {
		error = list(walk, &frame);
		walk->frames[walk->depth++] = frame;
		walk->followed += followed;
		close_above(walk, walk->depth - 1);
	}
	if (error != 0)
		report(walk, error);
}

/* Down into the directory whose name is the present one, an entry of the top frame. */
static void enter(struct walk *walk, bool followed)
{
	const struct frame *above = top_frame(walk);
	struct dir *dir = open_dir(walk, above->dir, walk->name + above->prefix, followed);

	if (dir == NULL) {
		report(walk, errno);
	} else if (walk->options->one_file_system && dir->device != walk->frames[0].device) {
		dir_release(dir);
		report_skipped(walk, FILE_KIND_DIRECTORY);
	} else if (walk->followed + followed > 0 && is_on_path(walk, dir)) {
		dir_release(dir);
		report(walk, WALK_ERROR_LOOP);
	} else {
		push(walk, dir, followed);
	}
}

static void leave(struct walk *walk)
{
	struct frame *frame = top_frame(walk);

	walk->depth--;
	walk->followed -= frame->followed;
	if (walk->depth > 0)
		return_to_top(walk, frame->dir);
	dir_release(frame->dir);
	listing_free(&frame->listing);
}

/* --- Entries --------------------------------------------------------------- */

static void visit(struct walk *walk, const struct frame *frame, const char *entry)
{
	enum file_kind kind = listing_kind(entry);
	struct walk_file file = {.dir = frame->dir, .follow = listing_followed(entry)};
	int error = 0;

	if (!name_entry(walk, frame, entry)) {
		name_frame(walk, frame);
		report(walk, ENOMEM);
		return;
	}
	if (excluded(walk, kind == FILE_KIND_DIRECTORY))
		return;
	file.name = walk->name;
	file.path = walk->name + frame->prefix;
	/* Once more: the reason is wanted, if it is still one. */
	if (kind == FILE_KIND_UNKNOWN)
		error = file_kind_find(frame->dir, file.path, file.follow, &kind);

	if (error != 0)
		report(walk, error);
	else if (kind == FILE_KIND_REGULAR)
		give(walk, walk->visitor->file, &file);
	else if (kind == FILE_KIND_DIRECTORY)
		enter(walk, file.follow);
	else if (kind == FILE_KIND_SYMLINK && walk->options->symlinks == WALK_SYMLINKS_TEXT)
		give(walk, walk->visitor->link_text, &file);
	else
		report_skipped(walk, kind);
}

static void visit_root(struct walk *walk, const char *root)
{
	struct walk_file file = {
		.dir = walk->options->base,
		.name = root,
		.path = root,
		.named = true,
		.follow = true,
	};
	struct dir *dir;

	if (excluded(walk, false))
		return;
	dir = open_dir(walk, file.dir, root, true);
	if (dir != NULL && excluded(walk, true))
		dir_release(dir);
	else if (dir != NULL)
		push(walk, dir, false);
	else if (errno == ENOTDIR)
		give(walk, walk->visitor->file, &file);
	else
		report(walk, errno);
}

bool walk_tree(const struct walk_options *options, const char *root,
	       const struct walk_visitor *visitor)
{
	struct walk walk = {.options = options, .visitor = visitor, .budget = dir_budget()};
	struct frame *frame;

	walk.kept_open = walk.budget / 4 < KEPT_OPEN ? walk.budget / 4 : KEPT_OPEN;
	walk.name_length = strlen(root);
	walk.name_capacity = walk.name_length + NAME_SLACK;
	walk.name = malloc(walk.name_capacity);
	if (walk.name == NULL)
		return visitor->error(visitor->context, root, ENOMEM);
	memcpy(walk.name, root, walk.name_length + 1);
	visit_root(&walk, root);
	while (walk.depth > 0 && !walk.stopped) {
		frame = top_frame(&walk);
		if (frame->next < frame->listing.count)
			visit(&walk, frame, frame->listing.entries[frame->next++]);
		else
			leave(&walk);
	}
	for (size_t i = 0; i < walk.depth; i++) {
		dir_release(walk.frames[i].dir);
		listing_free(&walk.frames[i].listing);
	}
	free(walk.frames);
	free(walk.name);
	return !walk.stopped;
}
