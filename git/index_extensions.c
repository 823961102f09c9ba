/* SPDX-License-Identifier: MIT */
/*
 * Extensions of the index: a signature, a size, and that many bytes (gitformat-index,
 * "Extensions"). Those whose signature begins with a capital letter can be left out by who does
 * not know them.
 */
#include "index.h"

#include <stdlib.h>

#define HEADER_SIZE 8u
#define STAT_SIZE 36u /* as in an entry, without the mode: 9 numbers of 4 bytes */

struct extension {
	unsigned char signature[4];
	size_t offset;                /* of the signature */
	struct git_cursor cursor;     /* over what it contains */
	struct git_checksum *headers; /* of all extensions before */
	bool last;
};

static void wrong_at(struct git_index *index, const struct extension *extension, size_t offset,
		     const char *text)
{
	git_index_wrong(index, offset, "extension %.4s: %s", (const char *)extension->signature,
			text);
}

static void wrong(struct git_index *index, const struct extension *extension, const char *text)
{
	wrong_at(index, extension, extension->cursor.at, text);
}

/* False after a finding, if something before did not fit. */
static bool fits(struct git_index *index, const struct extension *extension)
{
	if (extension->cursor.overrun)
		wrong(index, extension, "ends too early");
	return !extension->cursor.overrun;
}

static bool take_bitmap(struct git_index *index, struct extension *extension, struct git_ewah *ewah)
{
	size_t at = extension->cursor.at;
	const char *error = blocksha_git_ewah_take(&extension->cursor, ewah);

	if (error != NULL)
		wrong_at(index, extension, at, error);
	return error == NULL;
}

/* A decimal number that ends with that byte; at most 2^31-1, as all counts here. */
static bool take_number(struct git_cursor *cursor, unsigned char end, int64_t *value)
{
	const unsigned char *text;
	size_t size = git_cursor_text(cursor, end, &text);
	size_t at = size > 0 && text[0] == '-' ? 1 : 0;
	int64_t sum = 0;

	if (text == NULL || size == at || size > at + 10)
		return false;
	for (size_t i = at; i < size; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		sum = 10 * sum + (text[i] - '0');
	}
	*value = at == 1 ? -sum : sum;
	return sum <= INT32_MAX;
}

/* --- TREE: names of trees that are known ---------------------------------------------- */

/* A folder on the way from the root to where we are. */
struct folder {
	uint64_t left; /* folders in it that are still to come */
	int64_t entries;
	int64_t seen; /* entries in the folders that came */
	size_t at;    /* where it stands */
};

/* The name of a folder, and where the one above it stands. */
struct folder_name {
	const unsigned char *name;
	size_t size, at, parent;
};

struct folders {
	struct folder *stack;
	size_t depth, room;
	struct folder_name *names;
	size_t name_count, name_room;
};

static bool add_folder_name(struct folders *folders, struct folder_name name)
{
	if (folders->name_count == folders->name_room) {
		size_t room = folders->name_room == 0 ? 64 : 2 * folders->name_room;
		struct folder_name *names = realloc(folders->names, room * sizeof(*names));

		if (names == NULL)
			return false;
		folders->names = names;
		folders->name_room = room;
	}
	folders->names[folders->name_count++] = name;
	return true;
}

static int compare_folder_names(const void *left, const void *right)
{
	const struct folder_name *a = left, *b = right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return a->size == 0 ? 0 : memcmp(a->name, b->name, a->size);
}

/* Programs write the folders in one folder in different orders, which git takes; but it refuses
   two of one name. */
static void find_twins(struct git_index *index, struct extension *extension,
		       const struct folders *folders)
{
	if (folders->name_count > 1)
		qsort(folders->names, folders->name_count, sizeof(*folders->names),
		      compare_folder_names);
	for (size_t i = 1; i < folders->name_count; i++)
		if (compare_folder_names(&folders->names[i - 1], &folders->names[i]) == 0)
			wrong_at(index, extension, folders->names[i].at,
				 "two folders of one name in a folder");
}

static bool push_folder(struct folders *folders, int64_t left, int64_t entries, size_t at)
{
	if (folders->depth == folders->room) {
		size_t room = folders->room == 0 ? 64 : 2 * folders->room;
		struct folder *stack = realloc(folders->stack, room * sizeof(*stack));

		if (stack == NULL)
			return false;
		folders->stack = stack;
		folders->room = room;
	}
	folders->stack[folders->depth++] = (struct folder){(uint64_t)left, entries, 0, at};
	return true;
}

/* Leaves the folders that are complete. */
static void pop_folders(struct folders *folders)
{
	while (folders->depth > 0 && folders->stack[folders->depth - 1].left == 0)
		folders->depth--;
}

static bool is_folder_name(const unsigned char *name, size_t size, bool root)
{
	if (root || size == 0)
		return root && size == 0;
	return memchr(name, '/', size) == NULL;
}

/* Takes one folder. False when what follows cannot be read. */
static bool take_folder(struct git_index *index, struct extension *extension,
			struct folders *folders)
{
	struct git_cursor *cursor = &extension->cursor;
	struct folder *parent = folders->depth > 0 ? &folders->stack[folders->depth - 1] : NULL;
	size_t at = cursor->at;
	const unsigned char *name;
	size_t size = git_cursor_text(cursor, '\0', &name);
	int64_t entries, children;

	if (!fits(index, extension))
		return false;
	if (!is_folder_name(name, size, parent == NULL))
		wrong_at(index, extension, at, "impossible name of a folder");
	if (!take_number(cursor, ' ', &entries) || !take_number(cursor, '\n', &children) ||
	    entries < -1 || children < 0) {
		wrong(index, extension, "wrong number of entries or folders");
		return false;
	}
	if (entries >= 0)
		git_cursor_take(cursor, index->name_size);
	if (!fits(index, extension))
		return false;
	if (parent == NULL && !index->is_split && entries > (int64_t)index->count)
		wrong_at(index, extension, at, "more entries than the index has");
	if (parent != NULL) {
		parent->left--;
		parent->seen += entries > 0 ? entries : 0;
		if (parent->entries >= 0 && parent->seen > parent->entries)
			wrong_at(index, extension, at, "more entries than the folder above has");
	}
	/* Each takes at least 5 bytes: not believed before. */
	if ((uint64_t)children > git_cursor_left(cursor) / 5) {
		wrong(index, extension, "more folders than there is room for");
		return false;
	}
	if ((parent != NULL &&
	     !add_folder_name(folders, (struct folder_name){name, size, at, parent->at})) ||
	    !push_folder(folders, children, entries, at)) {
		blocksha_git_report_add(index->report, BLOCKSHA_GIT_LIMIT, GIT_AT(at), NULL, NULL,
					"no memory for so many folders");
		return false;
	}
	pop_folders(folders);
	return true;
}

static void read_tree(struct git_index *index, struct extension *extension)
{
	struct folders folders = {0};
	bool good = take_folder(index, extension, &folders);

	while (good && folders.depth > 0)
		good = take_folder(index, extension, &folders);
	find_twins(index, extension, &folders);
	free(folders.names);
	free(folders.stack);
	if (!good)
		extension->cursor.at = extension->cursor.end;
}

/* --- REUC: conflicts that were resolved ------------------------------------------------- */

/* An octal number and a NUL. */
static bool take_octal(struct git_cursor *cursor, uint32_t *value)
{
	const unsigned char *text;
	size_t size = git_cursor_text(cursor, '\0', &text);

	*value = 0;
	if (text == NULL || size == 0 || size > 7)
		return false;
	for (size_t i = 0; i < size; i++) {
		if (text[i] < '0' || text[i] > '7')
			return false;
		*value = 8 * *value + (text[i] - '0');
	}
	return true;
}

static void read_resolved(struct git_index *index, struct extension *extension)
{
	struct git_cursor *cursor = &extension->cursor;

	while (git_cursor_left(cursor) > 0) {
		const unsigned char *path;
		uint32_t modes[3] = {0};
		size_t at = cursor->at;
		bool good = git_cursor_text(cursor, '\0', &path) > 0;

		for (size_t i = 0; i < 3; i++)
			good = take_octal(cursor, &modes[i]) && good;
		for (size_t i = 0; i < 3; i++)
			if (modes[i] != 0)
				git_cursor_take(cursor, index->name_size);
		if (!fits(index, extension))
			return;
		if (!good) {
			wrong_at(index, extension, at, "wrong path or mode");
			cursor->at = cursor->end;
		}
	}
}

/* --- link: the rest of the entries is in a shared index ---------------------------------- */

/* Those bits say which entries of the shared index do not count. */
static bool take_positions(struct git_index *index, struct extension *extension,
			   struct git_ewah *ewah)
{
	size_t at = extension->cursor.at;

	if (!take_bitmap(index, extension, ewah))
		return false;
	if (index->shared_read && ewah->end > index->shared_count)
		wrong_at(index, extension, at, "entry that the shared index does not have");
	return true;
}

static void read_link(struct git_index *index, struct extension *extension)
{
	size_t at = extension->cursor.at;
	const unsigned char *name = git_cursor_take(&extension->cursor, index->name_size);
	struct git_ewah deleted = {0}, replaced = {0};

	if (!fits(index, extension))
		return;
	if (index->is_shared)
		wrong_at(index, extension, at, "shared index that is split itself");
	else
		blocksha_git_index_shared(index, name, at);
	if (git_cursor_left(&extension->cursor) > 0 &&
	    (!take_positions(index, extension, &deleted) ||
	     !take_positions(index, extension, &replaced)))
		return;
	if (replaced.set != index->nameless_count)
		blocksha_git_report_numbers(index->report, BLOCKSHA_GIT_MALFORMED, GIT_AT(at),
					    replaced.set, index->nameless_count,
					    "extension link: as many entries without a path as it "
					    "replaces");
}

/* --- UNTR: the untracked cache ------------------------------------------------------------ */

/* The folders: each has names of untracked files, and folders, which follow. */
static bool take_untracked(struct git_index *index, struct extension *extension, uint64_t count)
{
	struct git_cursor *cursor = &extension->cursor;
	uint64_t expected = 1; /* folders that were announced, the root first */
	const unsigned char *name;

	for (uint64_t i = 0; i < count; i++) {
		size_t at = cursor->at;
		uint64_t files = git_cursor_varint(cursor);
		uint64_t folders = git_cursor_varint(cursor);

		git_cursor_text(cursor, '\0', &name);
		/* A file takes 1 byte at least. */
		if (files > git_cursor_left(cursor))
			cursor->overrun = true;
		for (uint64_t file = 0; file < files && !cursor->overrun; file++)
			git_cursor_text(cursor, '\0', &name);
		if (!fits(index, extension))
			return false;
		if (i >= expected || folders > count - expected) {
			wrong_at(index, extension, at, "wrong number of folders");
			return false;
		}
		expected += folders;
	}
	if (expected != count)
		wrong(index, extension, "wrong number of folders");
	return expected == count;
}

/* The bitmaps: folders that are valid, that need a check only, that have an exclude file. */
static bool take_folder_states(struct git_index *index, struct extension *extension, uint64_t count)
{
	struct git_ewah valid, check_only, excluding,
		*bitmaps[] = {&valid, &check_only, &excluding};
	struct git_cursor *cursor = &extension->cursor;

	for (size_t i = 0; i < 3; i++) {
		size_t at = cursor->at;

		if (!take_bitmap(index, extension, bitmaps[i]))
			return false;
		if (bitmaps[i]->end > count) {
			wrong_at(index, extension, at, "bitmap with a folder that is not there");
			return false;
		}
	}
	git_cursor_take(cursor, valid.set * STAT_SIZE);
	git_cursor_take(cursor, excluding.set * index->name_size);
	return fits(index, extension);
}

static void read_untracked(struct git_index *index, struct extension *extension)
{
	struct git_cursor *cursor = &extension->cursor;
	const unsigned char *text, *nul;
	uint64_t size = git_cursor_varint(cursor), count;
	size_t at = cursor->at;

	text = git_cursor_take(cursor, size);
	if (text != NULL && size > 0 && text[size - 1] != '\0')
		wrong_at(index, extension, at, "environment without a NUL at its end");
	git_cursor_take(cursor, 2 * STAT_SIZE + 4 + 2 * index->name_size);
	git_cursor_text(cursor, '\0', &text);
	if (!fits(index, extension) || git_cursor_left(cursor) == 0)
		return;
	at = cursor->at;
	count = git_cursor_varint(cursor);
	if (!fits(index, extension) || count == 0)
		return;
	/* Each takes 3 bytes at least. */
	if (count > git_cursor_left(cursor) / 3) {
		wrong_at(index, extension, at, "more folders than there is room for");
		cursor->at = cursor->end;
		return;
	}
	if (!take_untracked(index, extension, count) ||
	    !take_folder_states(index, extension, count)) {
		cursor->at = cursor->end;
		return;
	}
	nul = git_cursor_take(cursor, 1);
	if (fits(index, extension) && *nul != 0)
		wrong_at(index, extension, cursor->at - 1, "no NUL at the end");
}

/* --- FSMN: the file system monitor -------------------------------------------------------- */

static void read_monitor(struct git_index *index, struct extension *extension)
{
	struct git_cursor *cursor = &extension->cursor;
	size_t at = cursor->at;
	uint32_t version = git_cursor_be32(cursor);
	const unsigned char *token;
	struct git_ewah dirty;
	uint32_t size;

	if (!cursor->overrun && version != 1 && version != 2) {
		blocksha_git_report_add(index->report, BLOCKSHA_GIT_NOTE, GIT_AT(at), NULL, NULL,
					"extension FSMN: unknown version %lu, not verified",
					(unsigned long)version);
		cursor->at = cursor->end;
		return;
	}
	if (version == 1)
		git_cursor_take(cursor, 8); /* a time */
	else
		git_cursor_text(cursor, '\0', &token);
	size = git_cursor_be32(cursor);
	at = cursor->at;
	if (!fits(index, extension))
		return;
	if (size != git_cursor_left(cursor))
		wrong_at(index, extension, at - 4, "wrong size of its bitmap");
	else if (take_bitmap(index, extension, &dirty) && !index->is_split &&
		 dirty.bits > index->count)
		wrong_at(index, extension, at, "more entries than the index has");
	cursor->at = cursor->end;
}

/* --- EOIE, IEOT: where entries are ---------------------------------------------------------- */

static void read_end(struct git_index *index, struct extension *extension)
{
	struct git_cursor *cursor = &extension->cursor;
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];
	size_t at = cursor->at;
	uint32_t offset = git_cursor_be32(cursor);
	const unsigned char *found = git_cursor_take(cursor, index->name_size);

	if (!fits(index, extension) || found == NULL)
		return;
	if (offset != index->offsets[index->read])
		blocksha_git_report_numbers(index->report, BLOCKSHA_GIT_DAMAGED, GIT_AT(at),
					    index->offsets[index->read], offset,
					    "extension EOIE: wrong end of the entries");
	blocksha_git_checksum_final(extension->headers, digest);
	if (memcmp(digest, found, index->name_size) != 0)
		blocksha_git_report_digests(index->report, BLOCKSHA_GIT_DAMAGED, GIT_AT(at + 4),
					    digest, found, index->name_size,
					    "extension EOIE: wrong checksum of the extensions");
	if (!extension->last)
		wrong_at(index, extension, extension->offset, "not the last extension");
}

/* Entry number starts a block, so in version 4 its path shares nothing with the one before: the
   rest is the path. */
static bool starts_afresh(const struct git_index *index, uint32_t number)
{
	size_t fixed = index->offsets[number] + 40 + index->name_size;
	struct git_cursor cursor = {.data = index->data, .at = fixed, .end = index->end};
	const unsigned char *flags = git_cursor_take(&cursor, 2), *rest;
	size_t size;

	if (flags != NULL && (flags[0] & 0x40) != 0)
		git_cursor_take(&cursor, 2);
	git_cursor_varint(&cursor);
	size = git_cursor_text(&cursor, '\0', &rest);
	size = size < 0xfff ? size : 0xfff;
	return flags != NULL && (blocksha_get_be16(flags) & 0xfff) == size;
}

static void read_offsets(struct git_index *index, struct extension *extension)
{
	struct git_cursor *cursor = &extension->cursor;
	uint32_t version = git_cursor_be32(cursor);
	uint64_t number = 0;

	if (!fits(index, extension))
		return;
	if (version != 1) {
		blocksha_git_report_numbers(index->report, BLOCKSHA_GIT_MALFORMED,
					    GIT_AT(cursor->at - 4), 1, version,
					    "extension IEOT: unknown version");
		cursor->at = cursor->end;
		return;
	}
	while (git_cursor_left(cursor) > 0) {
		size_t at = cursor->at;
		uint32_t offset = git_cursor_be32(cursor);
		uint32_t count = git_cursor_be32(cursor);

		if (!fits(index, extension))
			return;
		if (number + count > index->read || offset != index->offsets[number]) {
			wrong_at(index, extension, at, "block that does not begin with an entry");
			cursor->at = cursor->end;
			return;
		}
		if (index->version == 4 && count > 0 && !starts_afresh(index, (uint32_t)number))
			wrong_at(index, extension, at,
				 "block whose first path leans on the one before");
		number += count;
	}
	if (number != index->read)
		wrong(index, extension, "blocks that do not have all entries");
}

/* --- sdir: some entries are directories ----------------------------------------------------- */

static void read_sparse(struct git_index *index, struct extension *extension)
{
	(void)index;
	(void)extension; /* empty; that it is there is all */
}

/* --- All ------------------------------------------------------------------------------------- */

enum { TREE, REUC, LINK, UNTR, FSMN, EOIE, IEOT, SDIR, KINDS };

static const struct kind {
	char signature[5];
	void (*read)(struct git_index *index, struct extension *extension);
} kinds[KINDS] = {
	[TREE] = {"TREE", read_tree},    [REUC] = {"REUC", read_resolved},
	[LINK] = {"link", read_link},    [UNTR] = {"UNTR", read_untracked},
	[FSMN] = {"FSMN", read_monitor}, [EOIE] = {"EOIE", read_end},
	[IEOT] = {"IEOT", read_offsets}, [SDIR] = {"sdir", read_sparse},
};

static unsigned kind_of(const unsigned char signature[4])
{
	unsigned kind = 0;

	while (kind < KINDS && memcmp(kinds[kind].signature, signature, 4) != 0)
		kind++;
	return kind;
}

static void read_unknown(struct git_index *index, const struct extension *extension)
{
	char quoted[GIT_QUOTED_SIZE];
	const unsigned char *signature = extension->signature;
	bool optional = signature[0] >= 'A' && signature[0] <= 'Z';

	blocksha_git_report_add(index->report,
				optional ? BLOCKSHA_GIT_NOTE : BLOCKSHA_GIT_MALFORMED,
				GIT_AT(extension->offset), NULL, NULL,
				optional ? "extension %s is not known, and passed over"
					 : "extension %s is not known, and must not be passed over",
				blocksha_git_quote(quoted, signature, 4));
}

static void read_extension(struct git_index *index, struct extension *extension)
{
	unsigned kind = kind_of(extension->signature);

	if (kind == KINDS) {
		read_unknown(index, extension);
		return;
	}
	if ((index->extensions >> kind & 1) != 0)
		wrong_at(index, extension, extension->offset, "is there twice");
	index->extensions |= UINT32_C(1) << kind;
	kinds[kind].read(index, extension);
	if (!extension->cursor.overrun && git_cursor_left(&extension->cursor) > 0)
		wrong(index, extension, "more bytes than belong to it");
}

/* What the others need to know before they are read. */
static bool has_extension(const struct git_index *index, unsigned kind)
{
	struct git_cursor cursor = {
		.data = index->data, .at = index->offsets[index->read], .end = index->end};

	while (!cursor.overrun && git_cursor_left(&cursor) >= HEADER_SIZE) {
		const unsigned char *header = git_cursor_take(&cursor, HEADER_SIZE);

		if (kind_of(header) == kind)
			return true;
		git_cursor_take(&cursor, blocksha_get_be32(header + 4));
	}
	return false;
}

/* What entries had that needs an extension. */
static void check_needs(struct git_index *index)
{
	if (index->directory != 0 && (index->extensions >> SDIR & 1) == 0)
		git_index_wrong(index, index->directory,
				"directory in an index that is not sparse (no extension sdir)");
	if (index->nameless_count != 0 && (index->extensions >> LINK & 1) == 0)
		git_index_wrong(index, index->nameless,
				"entry without a path in an index that is not split");
}

void blocksha_git_index_extensions(struct git_index *index)
{
	struct git_cursor cursor = {
		.data = index->data, .at = index->offsets[index->read], .end = index->end};
	struct git_checksum headers;

	index->is_split = has_extension(index, LINK);
	blocksha_git_checksum_init(&headers, index->format);
	while (git_cursor_left(&cursor) > 0) {
		size_t offset = cursor.at;
		const unsigned char *header = git_cursor_take(&cursor, HEADER_SIZE);
		uint32_t size = header != NULL ? blocksha_get_be32(header + 4) : 0;
		struct git_checksum so_far = headers;
		struct extension extension = {.offset = offset, .headers = &so_far};

		extension.cursor = cursor;
		if (git_cursor_take(&cursor, size) == NULL) {
			git_index_wrong(index, offset, "extension that goes beyond the end");
			break;
		}
		memcpy(extension.signature, header, sizeof(extension.signature));
		extension.cursor.end = cursor.at;
		extension.last = git_cursor_left(&cursor) == 0;
		read_extension(index, &extension);
		blocksha_git_checksum_update(&headers, header, HEADER_SIZE);
	}
	check_needs(index);
}
