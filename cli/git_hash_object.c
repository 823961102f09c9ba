/* SPDX-License-Identifier: MIT */
/*
 * blocksha git hash-object: names of files as objects. Files are read one after the other; the
 * small ones are hashed many at once, so lines come in groups, in the order of the files.
 */
#define _POSIX_C_SOURCE 200809L

#include "git_hash_object.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git_names.h"
#include "git_options.h"
#include "input.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "status.h"
#include "version.h"

enum {
	OPTION_STDIN = OPTION_WITHOUT_LETTER,
	OPTION_STDIN_PATHS,
	OPTION_LITERALLY,
	OPTION_BOTH,
	OPTION_OBJECT_FORMAT,
	OPTION_JSON,
	OPTION_HELP,
	OPTION_VERSION,
};

static const struct option_row option_rows[] = {
	{'t', "type", "blob|tree|commit|tag", "blob if not given", false},
	{OPTION_LITERALLY, "literally", NULL, "any type, and trees, commits and tags of any form",
	 false},
	{OPTION_STDIN, "stdin", NULL, "name what standard input gives, before all files", false},
	{OPTION_STDIN_PATHS, "stdin-paths", NULL,
	 "read names of files from standard input,\n"
	 "one a line; quoted as git does it, or not",
	 false},
	{'z', "zero", NULL, "such names end in NUL and are not quoted", false},
	{OPTION_OBJECT_FORMAT, "object-format", "sha1|sha256", "sha1 if not given", false},
	{OPTION_BOTH, "both", NULL, "both names, the SHA-1 one first, of one read", false},
	{OPTION_JSON, "json", NULL, "an object a line", false},
	{0, NULL, NULL, "Information:", false},
	{OPTION_HELP, "help", NULL, "print this help and exit", false},
	{OPTION_VERSION, "version", NULL, "print the version and exit", false},
	OPTION_ROWS_END,
};

const struct option_row *git_hash_object_option_rows(void)
{
	return option_rows;
}

/* Files whose results are printed together. */
enum { GROUP = 256 };

/* A name longer than this is none. */
enum { MAX_NAME = 1024 * 1024 };

struct hash_object {
	const char *type;
	bool literally, from_stdin, paths, zero, both;
	enum blocksha_git_format format;
	struct git_names_format print;
	struct git_namer *namer;
	char *names[GROUP];
	struct git_named named[GROUP];
	size_t count;
	int status;
};

static void print_help(void)
{
	puts("Usage: blocksha git hash-object [OPTION]... [FILE]...\n"
	     "Print the names that files have as objects of git. No filter and no conversion of\n"
	     "line ends takes place, as with git hash-object --no-filters.\n");
	options_help(stdout, option_rows, false);
	puts("\nExit code: 0 all well, 1 a file could not be read or is no such object,\n"
	     "2 wrong usage, 3 a collision attack on SHA-1 was found.");
}

/* --- Files ------------------------------------------------------------------------ */

static void print_group(struct hash_object *hash)
{
	git_namer_flush(hash->namer);
	for (size_t i = 0; i < hash->count; i++) {
		hash->status =
			status_worst(hash->status, git_names_print(&hash->print, hash->names[i],
								   &hash->named[i]));
		free(hash->names[i]);
	}
	hash->count = 0;
	output_flush();
}

/* What the file's size is before it is read; UINT64_MAX: only reading it tells. */
static uint64_t known_size(int fd)
{
	struct stat status;
	off_t at;

	if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
		return UINT64_MAX;
	/* Standard input may stand anywhere. */
	at = lseek(fd, 0, SEEK_CUR);
	if (at < 0 || at > status.st_size)
		return UINT64_MAX;
	return (uint64_t)(status.st_size - at);
}

static void hash_fd(struct hash_object *hash, int fd, const char *name)
{
	struct git_named *named = &hash->named[hash->count];

	hash->names[hash->count] = strdup(name);
	if (hash->names[hash->count] == NULL) {
		message("%s", strerror(ENOMEM));
		hash->status = status_worst(hash->status, STATUS_FAILED);
		return;
	}
	hash->count++;
	if (fd < 0) {
		memset(named, 0, sizeof(*named));
		named->error = errno;
	} else {
		git_namer_add_fd(hash->namer, hash->type, fd, known_size(fd), named);
	}
	if (hash->count == GROUP)
		print_group(hash);
}

static void hash_file(struct hash_object *hash, const char *path, const char *name)
{
	int fd = input_open(path);

	hash_fd(hash, fd, name);
	if (fd >= 0)
		close(fd);
}

/* --- Names from standard input ---------------------------------------------------- */

/* Standard input is the list: a name that elsewhere stands for it is that of a file, as in git. */
static void hash_listed(struct hash_object *hash, const char *name)
{
	hash_file(hash, input_is_stdin(name) ? "./-" : name, name);
}

/* One of the escapes of a quoted name; returns where it ends, or NULL. */
static const char *unescape(const char *at, char *out)
{
	static const char letters[] = "abfnrtv\"\\", bytes[] = "\a\b\f\n\r\t\v\"\\";
	const char *letter = *at != '\0' ? strchr(letters, *at) : NULL;

	if (letter != NULL) {
		*out = bytes[letter - letters];
		return at + 1;
	}
	if (at[0] < '0' || at[0] > '3' || at[1] < '0' || at[1] > '7' || at[2] < '0' || at[2] > '7')
		return NULL;
	*out = (char)(unsigned char)((at[0] - '0') * 64 + (at[1] - '0') * 8 + (at[2] - '0'));
	return at + 3;
}

/* Takes the quotes away, as git quotes names. False: not well formed, or no name of a file. */
static bool unquote(const char *quoted, char *out)
{
	const char *at = quoted + 1;

	while (*at != '"') {
		if (*at == '\0')
			return false;
		if (*at != '\\') {
			*out++ = *at++;
			continue;
		}
		at = unescape(at + 1, out);
		if (at == NULL || *out++ == '\0')
			return false;
	}
	*out = '\0';
	return at[1] == '\0';
}

/* Reads a name into a buffer of MAX_NAME bytes. Returns false at the end. */
static bool read_name(char *name, char end, bool *bad)
{
	size_t size = 0;
	int c = getc(stdin);

	*bad = false;
	if (c == EOF)
		return false;
	for (; c != EOF && c != (unsigned char)end; c = getc(stdin)) {
		if (c == '\0' || size == MAX_NAME - 1)
			*bad = true;
		else
			name[size++] = (char)c;
	}
	name[size] = '\0';
	return true;
}

static void hash_names(struct hash_object *hash)
{
	char *name = malloc(2 * (size_t)MAX_NAME);
	bool bad;

	while (name != NULL && read_name(name, hash->zero ? '\0' : '\n', &bad)) {
		bool is_quoted = !hash->zero && name[0] == '"';

		if (bad || (is_quoted && !unquote(name, name + MAX_NAME))) {
			message_about(name, "not a name of a file");
			hash->status = status_worst(hash->status, STATUS_FAILED);
			continue;
		}
		hash_listed(hash, is_quoted ? name + MAX_NAME : name);
	}
	if (name == NULL || ferror(stdin)) {
		message_about("-", "%s", strerror(name == NULL ? ENOMEM : errno));
		hash->status = status_worst(hash->status, STATUS_FAILED);
	}
	free(name);
}

/* --- Options ---------------------------------------------------------------------- */

/* False: wrong usage, after a message if getopt made none. */
static bool take_option(struct hash_object *hash, int option)
{
	switch (option) {
	case 't':
		hash->type = optarg;
		return true;
	case 'z':
		hash->zero = true;
		return true;
	case OPTION_LITERALLY:
		hash->literally = true;
		return true;
	case OPTION_STDIN:
		hash->from_stdin = true;
		return true;
	case OPTION_STDIN_PATHS:
		hash->paths = true;
		return true;
	case OPTION_BOTH:
		hash->both = true;
		return true;
	case OPTION_JSON:
		hash->print.json = true;
		return true;
	case OPTION_OBJECT_FORMAT:
		return git_parse_format(optarg, &hash->format);
	default:
		return false;
	}
}

static const char *find_conflict(const struct hash_object *hash, int operands)
{
	if (hash->paths && (hash->from_stdin || operands > 0))
		return "--stdin-paths allows neither --stdin nor files";
	if (hash->zero && !hash->paths)
		return "--zero is meaningful only with --stdin-paths";
	if (!hash->paths && !hash->from_stdin && operands == 0)
		return "a file is missing";
	if (!hash->literally &&
	    blocksha_git_type_of(hash->type, strlen(hash->type)) == BLOCKSHA_GIT_NO_TYPE)
		return "unknown type of object";
	return NULL;
}

static int run(struct hash_object *hash, int count, char **files)
{
	hash->print.formats = git_names_formats(hash->format, hash->both);
	hash->namer = git_namer_create(hash->print.formats);
	if (hash->namer == NULL) {
		message("%s", strerror(ENOMEM));
		return STATUS_FAILED;
	}
	if (!hash->literally)
		git_namer_check(hash->namer, blocksha_git_type_of(hash->type, strlen(hash->type)));
	if (hash->from_stdin)
		hash_fd(hash, STDIN_FILENO, "-");
	if (hash->paths)
		hash_names(hash);
	for (int i = 0; i < count; i++)
		hash_file(hash, files[i], files[i]);
	print_group(hash);
	git_namer_destroy(hash->namer);
	return hash->status;
}

int git_hash_object_main(int argc, char **argv)
{
	static struct hash_object hash;
	const char *conflict;
	int option;

	memset(&hash, 0, sizeof(hash));
	hash.type = "blob";
	while ((option = options_next(argc, argv, option_rows, false)) != -1) {
		if (option == OPTION_HELP) {
			print_help();
			return STATUS_OK;
		}
		if (option == OPTION_VERSION) {
			version_print();
			return STATUS_OK;
		}
		if (!take_option(&hash, option)) {
			message_try_help();
			return STATUS_USAGE;
		}
	}
	conflict = find_conflict(&hash, argc - optind);
	if (conflict != NULL) {
		message("%s", conflict);
		message_try_help();
		return STATUS_USAGE;
	}
	return run(&hash, argc - optind, argv + optind);
}
