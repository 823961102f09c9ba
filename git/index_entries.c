/* SPDX-License-Identifier: MIT */
/*
 * Entries of the index. In version 4 a path is what it shares with the one before and a rest, so
 * that a short file can have very long paths: nothing here takes longer than the rests are.
 */
#include "index.h"

#include <stdlib.h>

/* Of an entry: twice two times, device, inode, mode, user, group and size; 4 bytes each. */
#define STAT_SIZE 40u
#define MODE_AT 24u

#define FIRST_ROOM 256u /* for a path */

#define FLAG_EXTENDED 0x4000u
#define FLAG_NAME_LENGTH 0x0fffu
#define EXTENDED_KNOWN 0x6000u /* skip-worktree, intent-to-add */
#define EXTENDED_SKIP_WORKTREE 0x4000u

enum { MODE_DIRECTORY = 0040, MODE_FILE = 0100, MODE_LINK = 0120, MODE_GITLINK = 0160 };

struct entry {
	size_t offset;
	uint32_t mode, flags, extended;
	const unsigned char *rest; /* of the path, which shares so many bytes with the one before */
	size_t rest_size, shared;
};

/* The path of the entry before. */
struct path {
	unsigned char *text;
	size_t size, room;
	uint32_t stage;
};

static uint32_t stage(const struct entry *entry)
{
	return entry->flags >> 12 & 3;
}

/* --- Structure ------------------------------------------------------------------------ */

/* The path ends with 1 to 8 NUL, so that the next entry begins at a multiple of 8 from this one. */
static bool take_padded(struct git_index *index, struct git_cursor *cursor, struct entry *entry)
{
	size_t fixed = cursor->at - entry->offset;
	size_t padding, padded;
	const unsigned char *nul;

	entry->rest_size = git_cursor_text(cursor, '\0', &entry->rest);
	if (entry->rest == NULL) {
		git_index_wrong(index, entry->offset, "entry whose path has no end");
		return false;
	}
	padded = (fixed + entry->rest_size + 8) / 8 * 8;
	padding = padded - fixed - entry->rest_size;
	nul = git_cursor_take(cursor, padding - 1);
	if (nul == NULL) {
		git_index_wrong(index, entry->offset, "entry is cut off");
		return false;
	}
	for (size_t i = 0; i + 1 < padding; i++)
		if (nul[i] != 0) {
			git_index_wrong(index, (uint64_t)(nul - index->data) + i,
					"entry that is not filled up with zero bytes");
			return false;
		}
	return true;
}

static bool take_compressed(struct git_index *index, struct git_cursor *cursor, struct entry *entry,
			    const struct path *before)
{
	size_t at = cursor->at;
	uint64_t strip = git_cursor_varint(cursor);

	if (!cursor->overrun && strip > before->size) {
		blocksha_git_report_numbers(index->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(at),
					    before->size, strip,
					    "takes more off the path before than it has");
		return false;
	}
	entry->shared = before->size - (size_t)strip;
	entry->rest_size = git_cursor_text(cursor, '\0', &entry->rest);
	if (cursor->overrun)
		git_index_wrong(index, entry->offset, "entry is cut off");
	return !cursor->overrun;
}

static bool take_entry(struct git_index *index, struct git_cursor *cursor, struct entry *entry,
		       const struct path *before)
{
	const unsigned char *fixed;
	size_t length;

	memset(entry, 0, sizeof(*entry));
	entry->offset = cursor->at;
	fixed = git_cursor_take(cursor, STAT_SIZE + index->name_size + 2);
	if (fixed != NULL) {
		entry->mode = blocksha_get_be32(fixed + MODE_AT);
		entry->flags = blocksha_get_be16(fixed + STAT_SIZE + index->name_size);
	}
	if ((entry->flags & FLAG_EXTENDED) != 0) {
		const unsigned char *extended = git_cursor_take(cursor, 2);

		entry->extended = extended != NULL ? blocksha_get_be16(extended) : 0;
	}
	if (cursor->overrun) {
		git_index_wrong(index, entry->offset, "entry is cut off");
		return false;
	}
	if (!(index->version == 4 ? take_compressed(index, cursor, entry, before)
				  : take_padded(index, cursor, entry)))
		return false;
	length = entry->shared + entry->rest_size;
	length = length < FLAG_NAME_LENGTH ? length : FLAG_NAME_LENGTH;
	if (length == (entry->flags & FLAG_NAME_LENGTH))
		return true;
	blocksha_git_report_numbers(index->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(entry->offset),
				    length, entry->flags & FLAG_NAME_LENGTH,
				    "length of a path in the flags of its entry is wrong");
	return false;
}

/* --- Contents ------------------------------------------------------------------------- */

static bool is_bad_component(const unsigned char *text, size_t size)
{
	static const char git[] = "git";

	if (size == 0 || (size == 1 && text[0] == '.') ||
	    (size == 2 && text[0] == '.' && text[1] == '.'))
		return true;
	if (size != 4 || text[0] != '.')
		return false;
	for (size_t i = 0; i < 3; i++)
		if ((text[i + 1] | 32) != git[i])
			return false;
	return true;
}

/* Looks at those components that end at from or later: a bad one is at most 4 bytes long, so it is
   found from 5 bytes before. A directory ends with a slash. */
static bool is_bad_path(const unsigned char *path, size_t size, size_t from, bool directory)
{
	size_t begin = from > 5 ? from - 5 : 0;
	const unsigned char *slash;

	if (directory) {
		if (size == 0 || path[size - 1] != '/')
			return true;
		size--;
	}
	if (begin > 0) {
		slash = memchr(path + begin, '/', size - (begin < size ? begin : size));
		if (slash == NULL)
			return false;
		begin = (size_t)(slash - path) + 1;
	}
	for (;;) {
		slash = begin < size ? memchr(path + begin, '/', size - begin) : NULL;
		if (is_bad_component(path + begin,
				     (slash != NULL ? (size_t)(slash - path) : size) - begin))
			return true;
		if (slash == NULL)
			return false;
		begin = (size_t)(slash - path) + 1;
	}
}

/* The path stands last in the text, since it can be long. */
static void wrong(struct git_index *index, size_t offset, const struct path *path, const char *text)
{
	char quoted[GIT_QUOTED_SIZE];

	git_index_wrong(index, offset, "%s: %s", text,
			blocksha_git_quote(quoted, path->text, path->size));
}

static void wrong_mode(struct git_index *index, const struct entry *entry, const struct path *path,
		       enum blocksha_git_kind kind, const char *text)
{
	char quoted[GIT_QUOTED_SIZE];

	blocksha_git_report_add(index->report, kind, GIT_AT(entry->offset + MODE_AT), NULL, NULL,
				"%s %06lo: %s", text, (unsigned long)entry->mode,
				blocksha_git_quote(quoted, path->text, path->size));
}

static void check_mode(struct git_index *index, const struct entry *entry, const struct path *path)
{
	uint32_t kind = entry->mode >> 9, permissions = entry->mode & 0777;

	if (kind == MODE_DIRECTORY && permissions == 0) {
		if (index->directory == 0)
			index->directory = entry->offset;
		if ((entry->extended & EXTENDED_SKIP_WORKTREE) == 0)
			wrong(index, entry->offset, path,
			      "directory without the flag skip-worktree");
		return;
	}
	if (kind != MODE_FILE && ((kind != MODE_LINK && kind != MODE_GITLINK) || permissions != 0))
		wrong_mode(index, entry, path, BLOCKSHA_GIT_MALFORMED, "impossible mode");
	else if (kind == MODE_FILE && permissions != 0644 && permissions != 0755)
		wrong_mode(index, entry, path, BLOCKSHA_GIT_NOTE, "unusual mode");
}

static void check_flags(struct git_index *index, const struct entry *entry, const struct path *path)
{
	if ((entry->flags & FLAG_EXTENDED) != 0 && index->version == 2)
		wrong(index, entry->offset, path, "extended flags in version 2");
	if ((entry->extended & ~EXTENDED_KNOWN) != 0)
		wrong(index, entry->offset, path, "unknown extended flags");
}

/* By path, then by stage. order is that of the paths. */
static void check_order(struct git_index *index, const struct entry *entry, int order,
			uint32_t stage_before, const struct path *path)
{
	if (order < 0)
		wrong(index, entry->offset, path, "entries are not in order");
	else if (order == 0 && path->stage == stage_before)
		wrong(index, entry->offset, path, "path is there twice");
	else if (order == 0 && stage_before == 0)
		wrong(index, entry->offset, path, "more stages of a merged path");
	else if (order == 0 && path->stage < stage_before)
		wrong(index, entry->offset, path, "stages are not in order");
}

/* Whether the path of the entry comes after the one before (> 0), is the same, or comes earlier. */
static int compare_paths(const struct entry *entry, const struct path *before)
{
	size_t old_size = before->size - entry->shared;
	size_t common = old_size < entry->rest_size ? old_size : entry->rest_size;
	int order = common > 0 ? memcmp(entry->rest, before->text + entry->shared, common) : 0;

	if (order != 0)
		return order;
	return (entry->rest_size > old_size) - (entry->rest_size < old_size);
}

static bool set_path(struct path *path, const struct entry *entry)
{
	size_t size = entry->shared + entry->rest_size;

	if (size > path->room) {
		size_t room = size + size / 2;
		unsigned char *text = realloc(path->text, room);

		if (text == NULL)
			return false;
		path->text = text;
		path->room = room;
	}
	if (entry->rest_size > 0)
		memcpy(path->text + entry->shared, entry->rest, entry->rest_size);
	path->size = size;
	path->stage = stage(entry);
	return true;
}

/* In a split index entries without a path come first: they replace some of the shared index. */
static void check_nameless(struct git_index *index, const struct entry *entry)
{
	if (index->nameless_count == 0)
		index->nameless = entry->offset;
	if (index->nameless_count++ != index->read)
		git_index_wrong(index, entry->offset, "entry without a path among those with one");
}

/* path is that of the entry before, and becomes that of this one. */
static bool check_entry(struct git_index *index, const struct entry *entry, struct path *path)
{
	int order = index->read > index->nameless_count ? compare_paths(entry, path) : 1;
	uint32_t stage_before = path->stage;

	if (!set_path(path, entry)) {
		blocksha_git_report_add(index->report, BLOCKSHA_GIT_LIMIT, GIT_AT(entry->offset),
					NULL, NULL, "no memory for a path");
		return false;
	}
	check_mode(index, entry, path);
	check_flags(index, entry, path);
	if (path->size == 0) {
		check_nameless(index, entry);
		return true;
	}
	check_order(index, entry, order, stage_before, path);
	if (is_bad_path(path->text, path->size, entry->shared, entry->mode >> 9 == MODE_DIRECTORY))
		wrong(index, entry->offset, path, "path that no working tree may have");
	return true;
}

/* --- All ------------------------------------------------------------------------------ */

/* The least that an entry can take; the count is believed when the file has room for so many. */
static bool has_room(struct git_index *index)
{
	size_t least = STAT_SIZE + index->name_size + 2 + (index->version == 4 ? 2 : 1);
	size_t room = (index->end - 12) / least;

	if (index->count <= room)
		return true;
	blocksha_git_report_numbers(index->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(8), room,
				    index->count, "more entries than the file has room for");
	return false;
}

bool blocksha_git_index_entries(struct git_index *index)
{
	struct git_cursor cursor = {.data = index->data, .at = 12, .end = index->end};
	struct path path = {.text = malloc(FIRST_ROOM), .room = FIRST_ROOM};
	struct entry entry;
	bool good = has_room(index);

	if (good)
		index->offsets = malloc(((size_t)index->count + 1) * sizeof(*index->offsets));
	if (good && (index->offsets == NULL || path.text == NULL)) {
		blocksha_git_report_add(index->report, BLOCKSHA_GIT_LIMIT, GIT_AT(8), NULL, NULL,
					"no memory for so many entries");
		good = false;
	}
	while (good && index->read < index->count) {
		good = take_entry(index, &cursor, &entry, &path) &&
		       check_entry(index, &entry, &path);
		index->offsets[index->read] = entry.offset;
		if (good)
			index->read++;
	}
	if (good)
		index->offsets[index->read] = cursor.at;
	free(path.text);
	return good;
}
