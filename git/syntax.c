/* SPDX-License-Identifier: MIT */
/*
 * What is checked, and what of it is an error, is what git 2.39's fsck checks of one object alone;
 * its names of the messages (git-fsck(1), "FSCK MESSAGES") are part of the texts. A form that git
 * cannot take in ends the check of the object.
 */
#define _POSIX_C_SOURCE 200809L

#include "syntax.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"

struct check {
	enum blocksha_git_format format;
	const unsigned char *data, *at, *end;
	git_problem_fn *problem;
	void *context;
};

static void problem_at(struct check *check, bool error, const unsigned char *at, const char *text)
{
	check->problem(check->context, error, (size_t)(at - check->data), text);
}

/* An error at the place that was reached; false, so that it can be returned. */
static bool error(struct check *check, const char *text)
{
	problem_at(check, true, check->at, text);
	return false;
}

/* --- Trees ------------------------------------------------------------------------ */

struct tree_entry {
	const unsigned char *begin, *name, *digest;
	size_t name_size;
	uint16_t mode; /* of 16 bits: git knows no more of it */
	bool zero_padded;
};

static bool is_folder(const struct tree_entry *entry)
{
	return (entry->mode & 0170000u) == 0040000u;
}

/* The next entry: octal mode, a space, the name, a NUL, the digest. */
static bool next_entry(struct check *check, struct tree_entry *entry)
{
	const size_t digest_size = blocksha_git_name_size(check->format);
	const unsigned char *at = check->at, *nul;

	entry->begin = at;
	entry->mode = 0;
	entry->zero_padded = at < check->end && *at == '0';
	for (; at < check->end && *at >= '0' && *at <= '7'; at++)
		entry->mode = (uint16_t)(entry->mode << 3 | (*at - '0'));
	if (at == entry->begin || at == check->end || *at != ' ')
		return error(check, "badTree: malformed mode");
	entry->name = at + 1;
	nul = memchr(entry->name, '\0', (size_t)(check->end - entry->name));
	if (nul == NULL || (size_t)(check->end - nul) < 1 + digest_size)
		return error(check, "badTree: entry is cut");
	if (nul == entry->name)
		return error(check, "badTree: empty name");
	entry->name_size = (size_t)(nul - entry->name);
	entry->digest = nul + 1;
	check->at = nul + 1 + digest_size;
	return true;
}

static bool is_name(const struct tree_entry *entry, const char *name)
{
	return entry->name_size == strlen(name) && memcmp(entry->name, name, entry->name_size) == 0;
}

/* ".git" in any case, and the short name that Windows gives it. */
static bool is_dot_git(const struct tree_entry *entry)
{
	static const char *const names[] = {".git", "git~1"};

	for (size_t i = 0; i < 2; i++) {
		size_t at = 0;

		if (entry->name_size != strlen(names[i]))
			continue;
		while (at < entry->name_size &&
		       (entry->name[at] == (unsigned char)names[i][at] ||
			(entry->name[at] >= 'A' && entry->name[at] <= 'Z' &&
			 entry->name[at] + ('a' - 'A') == (unsigned char)names[i][at])))
			at++;
		if (at == entry->name_size)
			return true;
	}
	return false;
}

static bool is_usual_mode(unsigned mode)
{
	switch (mode) {
	case 0100644:
	case 0100755:
	case 0100664: /* of early versions of git */
	case 0120000:
	case 0040000:
	case 0160000:
		return true;
	default:
		return false;
	}
}

static bool is_null(const struct tree_entry *entry, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (entry->digest[i] != 0)
			return false;
	return true;
}

static void check_entry(struct check *check, const struct tree_entry *entry)
{
	const unsigned char *at = entry->begin;

	if (is_null(entry, blocksha_git_name_size(check->format)))
		problem_at(check, false, at, "nullSha1: entry names no object");
	if (memchr(entry->name, '/', entry->name_size) != NULL)
		problem_at(check, false, at, "fullPathname: name with a slash");
	if (is_name(entry, "."))
		problem_at(check, false, at, "hasDot: name is '.'");
	if (is_name(entry, ".."))
		problem_at(check, false, at, "hasDotdot: name is '..'");
	if (is_dot_git(entry))
		problem_at(check, false, at, "hasDotgit: name is '.git'");
	if (entry->zero_padded)
		problem_at(check, false, at, "zeroPaddedFilemode: mode begins with zero");
	if (!is_usual_mode(entry->mode))
		problem_at(check, false, at, "badFilemode: unusual mode");
	if (is_name(entry, ".gitmodules") && (entry->mode & 0170000u) == 0120000u)
		problem_at(check, true, at, "gitmodulesSymlink: .gitmodules is a symlink");
}

/* Names of folders compare as if they ended in a slash. */
static int compare_entries(const struct tree_entry *a, const struct tree_entry *b)
{
	size_t size = a->name_size < b->name_size ? a->name_size : b->name_size;
	int order = memcmp(a->name, b->name, size);
	unsigned a_next = a->name[size], b_next = b->name[size]; /* there is a NUL behind */

	if (order != 0)
		return order;
	if (a_next == 0 && is_folder(a))
		a_next = '/';
	if (b_next == 0 && is_folder(b))
		b_next = '/';
	return (int)a_next - (int)b_next;
}

/* Files whose names begin the names that come now: a folder of the same name may still follow. */
struct names {
	struct tree_entry *entries;
	size_t count, capacity;
};

static bool begins_with(const struct tree_entry *entry, const struct tree_entry *start)
{
	return entry->name_size >= start->name_size &&
	       memcmp(entry->name, start->name, start->name_size) == 0;
}

/* Whether a file of the name of this entry came before. Without memory some are not found. */
static bool is_second(struct names *files, const struct tree_entry *entry)
{
	bool second;

	while (files->count > 0 && !begins_with(entry, &files->entries[files->count - 1]))
		files->count--;
	second = files->count > 0 && files->entries[files->count - 1].name_size == entry->name_size;
	if (is_folder(entry) || second)
		return second;
	if (files->count == files->capacity) {
		size_t larger = files->capacity == 0 ? 16 : 2 * files->capacity;
		struct tree_entry *grown = realloc(files->entries, larger * sizeof(*grown));

		if (grown == NULL)
			return second;
		files->entries = grown;
		files->capacity = larger;
	}
	files->entries[files->count++] = *entry;
	return second;
}

static void check_tree(struct check *check)
{
	struct tree_entry entry, before = {0};
	struct names files = {NULL, 0, 0};

	while (check->at < check->end && next_entry(check, &entry)) {
		check_entry(check, &entry);
		if (is_second(&files, &entry))
			problem_at(check, true, entry.begin, "duplicateEntries: a name twice");
		else if (before.name != NULL && compare_entries(&before, &entry) >= 0)
			problem_at(check, true, entry.begin,
				   before.name_size == entry.name_size &&
						   begins_with(&entry, &before)
					   ? "duplicateEntries: a name twice"
					   : "treeNotSorted: not properly sorted");
		before = entry;
	}
	free(files.entries);
}

/* --- Lines ------------------------------------------------------------------------ */

/* The header ends with an empty line, or with the object, and has no NUL. */
static bool check_header(struct check *check)
{
	for (const unsigned char *at = check->at; at < check->end; at++) {
		if (*at == '\0') {
			problem_at(check, true, at, "nulInHeader: NUL in the header");
			return false;
		}
		if (*at == '\n' && at + 1 < check->end && at[1] == '\n')
			return true;
	}
	if (check->at < check->end && check->end[-1] == '\n')
		return true;
	return error(check, "unterminatedHeader: header without end");
}

/* Whether the next line begins so; goes behind it then. */
static bool skip(struct check *check, const char *start)
{
	size_t size = strlen(start);

	if ((size_t)(check->end - check->at) < size || memcmp(check->at, start, size) != 0)
		return false;
	check->at += size;
	return true;
}

/* A name of an object and the end of its line. git takes digits of either case. */
static bool skip_name(struct check *check)
{
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	size_t size = blocksha_git_name_size(check->format);

	if ((size_t)(check->end - check->at) <= 2 * size ||
	    blocksha_hex_decode(name, (const char *)check->at, size) != BLOCKSHA_OK ||
	    check->at[2 * size] != '\n')
		return false;
	check->at += 2 * size + 1;
	return true;
}

static const unsigned char *end_of_line(const struct check *check)
{
	const unsigned char *end = memchr(check->at, '\n', (size_t)(check->end - check->at));

	return end != NULL ? end : check->end;
}

static bool is_digit(const unsigned char *at, const unsigned char *end)
{
	return at < end && *at >= '0' && *at <= '9';
}

/* "NAME <EMAIL> SECONDS +HHMM": returns what is wrong, or NULL. */
static const char *ident_problem(const unsigned char *at, const unsigned char *end)
{
	const unsigned char *begin = at;
	uint64_t date = 0;

	if (at < end && *at == '<')
		return "missingNameBeforeEmail: no name before the email";
	while (at < end && *at != '<' && *at != '>')
		at++;
	if (at < end && *at == '>')
		return "badName: '>' in a name";
	if (at == end)
		return "missingEmail: no email";
	if (at == begin || at[-1] != ' ')
		return "missingSpaceBeforeEmail: no space before the email";
	at++;
	while (at < end && *at != '<' && *at != '>')
		at++;
	if (at == end || *at != '>')
		return "badEmail: malformed email";
	at++;
	if (at == end || *at != ' ')
		return "missingSpaceBeforeDate: no space before the date";
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	if (!is_digit(at, end))
		return "badDate: malformed date";
	if (*at == '0' && !(at + 1 < end && at[1] == ' '))
		return "zeroPaddedDate: date begins with zero";
	for (; is_digit(at, end); at++) {
		unsigned digit = *at - (unsigned)'0';

		if (date > ((uint64_t)INT64_MAX - digit) / 10)
			return "badDateOverflow: date is too large";
		date = date * 10 + digit;
	}
	if (at == end || *at != ' ')
		return "badDate: malformed date";
	at++;
	if (end - at != 5 || (*at != '+' && *at != '-') || !is_digit(at + 1, end) ||
	    !is_digit(at + 2, end) || !is_digit(at + 3, end) || !is_digit(at + 4, end))
		return "badTimezone: malformed time zone";
	return NULL;
}

/* The rest of a line that tells who did something and when. */
static bool check_ident(struct check *check)
{
	const unsigned char *end = end_of_line(check);
	const char *wrong = end == check->end ? "badTimezone: malformed time zone"
					      : ident_problem(check->at, end);

	if (wrong != NULL)
		return error(check, wrong);
	check->at = end + 1;
	return true;
}

/* --- Commits and tags ------------------------------------------------------------- */

static bool check_commit_lines(struct check *check)
{
	unsigned authors = 0;

	if (!skip(check, "tree "))
		return error(check, "missingTree: no 'tree' line");
	if (!skip_name(check))
		return error(check, "badTreeSha1: malformed name of a tree");
	while (skip(check, "parent "))
		if (!skip_name(check))
			return error(check, "badParentSha1: malformed name of a parent");
	for (; skip(check, "author "); authors++)
		if (!check_ident(check))
			return false;
	if (authors == 0)
		return error(check, "missingAuthor: no 'author' line");
	if (authors > 1)
		return error(check, "multipleAuthors: several 'author' lines");
	if (!skip(check, "committer "))
		return error(check, "missingCommitter: no 'committer' line");
	return check_ident(check);
}

static void check_commit(struct check *check)
{
	const unsigned char *nul;

	if (!check_header(check) || !check_commit_lines(check))
		return;
	nul = memchr(check->at, '\0', (size_t)(check->end - check->at));
	if (nul != NULL)
		problem_at(check, false, nul, "nulInCommit: NUL in the message");
}

/* What git-check-ref-format(1) allows as the last part of a name: rules 1 to 9. */
static bool is_tag_name(const unsigned char *at, const unsigned char *end)
{
	static const char forbidden[] = " ~^:?*[\\\177";
	const unsigned char *begin = at;

	if (at == end || *at == '.' || *at == '/' || end[-1] == '.' || end[-1] == '/')
		return false;
	for (; at < end; at++) {
		if (*at < 32 || strchr(forbidden, *at) != NULL)
			return false;
		if (at > begin && at[-1] == '.' && *at == '.')
			return false;
		if (at > begin && at[-1] == '/' && (*at == '/' || *at == '.'))
			return false;
		if (at > begin && at[-1] == '@' && *at == '{')
			return false;
		if (end - at >= 5 && memcmp(at, ".lock", 5) == 0 && (at + 5 == end || at[5] == '/'))
			return false;
	}
	return true;
}

static bool check_tag_type(struct check *check)
{
	const unsigned char *end;

	if (!skip(check, "type "))
		return error(check, "missingTypeEntry: no 'type' line");
	end = end_of_line(check);
	if (end == check->end)
		return error(check, "missingType: 'type' line without end");
	if (blocksha_git_type_of((const char *)check->at, (size_t)(end - check->at)) ==
	    BLOCKSHA_GIT_NO_TYPE)
		return error(check, "badType: unknown type");
	check->at = end + 1;
	return true;
}

static void check_tag(struct check *check)
{
	const unsigned char *end;

	if (!check_header(check))
		return;
	if (!skip(check, "object ")) {
		error(check, "missingObject: no 'object' line");
		return;
	}
	if (!skip_name(check)) {
		error(check, "badObjectSha1: malformed name of an object");
		return;
	}
	if (!check_tag_type(check))
		return;
	if (!skip(check, "tag ")) {
		error(check, "missingTagEntry: no 'tag' line");
		return;
	}
	end = end_of_line(check);
	if (end == check->end) {
		error(check, "missingTag: 'tag' line without end");
		return;
	}
	if (!is_tag_name(check->at, end))
		problem_at(check, false, check->at, "badTagName: not a name of a tag");
	check->at = end + 1;
	if (skip(check, "tagger "))
		check_ident(check);
	else
		problem_at(check, false, check->at, "missingTaggerEntry: no 'tagger' line");
}

void blocksha_git_check_object(enum blocksha_git_format format, enum blocksha_git_type type,
			       const unsigned char *data, size_t size, git_problem_fn *problem,
			       void *context)
{
	static const unsigned char nothing[1];
	struct check check = {format, NULL, NULL, NULL, problem, context};

	if (size == 0)
		data = nothing;
	check.data = data;
	check.at = data;
	check.end = data + size;
	switch (type) {
	case BLOCKSHA_GIT_TREE:
		check_tree(&check);
		break;
	case BLOCKSHA_GIT_COMMIT:
		check_commit(&check);
		break;
	case BLOCKSHA_GIT_TAG:
		check_tag(&check);
		break;
	case BLOCKSHA_GIT_BLOB:
	case BLOCKSHA_GIT_NO_TYPE:
		break;
	}
}

/* --- Findings --------------------------------------------------------------------- */

struct findings {
	struct git_report *report;
	struct git_place place;
	enum blocksha_git_type type;
};

static void add_finding(void *context, bool is_error, size_t at, const char *text)
{
	struct findings *findings = context;

	blocksha_git_report_add(findings->report,
				is_error ? BLOCKSHA_GIT_MALFORMED : BLOCKSHA_GIT_NOTE,
				findings->place, NULL, NULL, "%s, at byte %zu of the %s", text, at,
				blocksha_git_type_name(findings->type));
}

void blocksha_git_report_syntax(struct git_report *report, struct git_place place,
				enum blocksha_git_type type, const unsigned char *data, size_t size)
{
	struct findings findings = {report, place, type};

	blocksha_git_check_object(report->format, type, data, size, add_finding, &findings);
}

static void keep_first(void *context, bool is_error, size_t at, const char *text)
{
	const char **first = context;

	(void)at;
	if (is_error && *first == NULL)
		*first = text;
}

BLOCKSHA_EXPORT const char *blocksha_git_syntax_error(enum blocksha_git_format format,
						      enum blocksha_git_type type, const void *data,
						      size_t size)
{
	const char *first = NULL;

	blocksha_git_check_object(format, type, data, size, keep_first, &first);
	return first;
}
