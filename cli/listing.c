/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* d_type */

#include "listing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dir.h"

/* A bit of the byte before a name, above the kinds. */
#define FOLLOWED 0x40

#define FIRST_CAPACITY ((size_t)1024)

/* The names while they are read. */
struct names {
	char *bytes;
	size_t size, capacity;
	size_t count;
};

enum file_kind listing_kind(const char *entry)
{
	return (enum file_kind)(entry[-1] & ~FOLLOWED);
}

bool listing_followed(const char *entry)
{
	return (entry[-1] & FOLLOWED) != 0;
}

const char *file_kind_text(enum file_kind kind)
{
	static const char *const texts[] = {
		[FILE_KIND_UNKNOWN] = "unknown",
		[FILE_KIND_REGULAR] = "regular file",
		[FILE_KIND_DIRECTORY] = "directory",
		[FILE_KIND_SYMLINK] = "symbolic link",
		[FILE_KIND_FIFO] = "FIFO",
		[FILE_KIND_SOCKET] = "socket",
		[FILE_KIND_BLOCK_DEVICE] = "block device",
		[FILE_KIND_CHARACTER_DEVICE] = "character device",
		[FILE_KIND_OTHER] = "special file",
	};

	return texts[kind];
}

static enum file_kind kind_of_mode(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return FILE_KIND_REGULAR;
	case S_IFDIR:
		return FILE_KIND_DIRECTORY;
	case S_IFLNK:
		return FILE_KIND_SYMLINK;
	case S_IFIFO:
		return FILE_KIND_FIFO;
	case S_IFSOCK:
		return FILE_KIND_SOCKET;
	case S_IFBLK:
		return FILE_KIND_BLOCK_DEVICE;
	case S_IFCHR:
		return FILE_KIND_CHARACTER_DEVICE;
	default:
		return FILE_KIND_OTHER;
	}
}

int file_kind_find(const struct dir *dir, const char *path, bool follow, enum file_kind *kind)
{
	struct stat status = {0}; /* clang 14's MSan does not know that fstatat fills it in */

	*kind = FILE_KIND_UNKNOWN;
	if (fstatat(dir_fd(dir), path, &status, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	*kind = kind_of_mode(status.st_mode);
	return 0;
}

/* What readdir says about the kind, if the system and the file system let it. */
static enum file_kind kind_of_entry(const struct dirent *entry)
{
#ifdef DT_UNKNOWN
	switch (entry->d_type) {
	case DT_REG:
		return FILE_KIND_REGULAR;
	case DT_DIR:
		return FILE_KIND_DIRECTORY;
	case DT_LNK:
		return FILE_KIND_SYMLINK;
	case DT_FIFO:
		return FILE_KIND_FIFO;
	case DT_SOCK:
		return FILE_KIND_SOCKET;
	case DT_BLK:
		return FILE_KIND_BLOCK_DEVICE;
	case DT_CHR:
		return FILE_KIND_CHARACTER_DEVICE;
	default:
		break;
	}
#else
	(void)entry;
#endif
	return FILE_KIND_UNKNOWN;
}

static enum file_kind find_kind(const struct dir *dir, const struct dirent *entry, bool follow,
				bool *followed)
{
	enum file_kind kind = kind_of_entry(entry);

	*followed = false;
	if (kind == FILE_KIND_UNKNOWN)
		(void)file_kind_find(dir, entry->d_name, false, &kind);
	if (kind == FILE_KIND_SYMLINK && follow) {
		*followed = true;
		(void)file_kind_find(dir, entry->d_name, true, &kind);
	}
	return kind;
}

/* Appends a kind, a name, a slash when it is a directory, and a NUL. Returns 0 or an errno. */
static int append(struct names *names, const char *name, enum file_kind kind, bool followed)
{
	size_t length = strlen(name);
	char *at;

	while (names->capacity - names->size < length + 3) {
		size_t capacity = names->capacity > 0 ? 2 * names->capacity : FIRST_CAPACITY;
		char *bytes = realloc(names->bytes, capacity);

		if (bytes == NULL)
			return ENOMEM;
		names->bytes = bytes;
		names->capacity = capacity;
	}
	at = names->bytes + names->size;
	*at++ = (char)((unsigned)kind | (followed ? FOLLOWED : 0));
	memcpy(at, name, length);
	at += length;
	if (kind == FILE_KIND_DIRECTORY)
		*at++ = '/';
	*at++ = '\0';
	names->size = (size_t)(at - names->bytes);
	names->count++;
	return 0;
}

static bool is_dot_or_dot_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int read_names(struct names *names, DIR *stream, const struct dir *dir, bool follow)
{
	const struct dirent *entry;
	int error = 0;

	while (error == 0) {
		enum file_kind kind;
		bool followed;

		errno = 0;
		entry = readdir(stream);
		if (entry == NULL)
			return errno;
		if (is_dot_or_dot_dot(entry->d_name))
			continue;
		kind = find_kind(dir, entry, follow, &followed);
		error = append(names, entry->d_name, kind, followed);
	}
	return error;
}

/* A stream with a descriptor of its own, since closedir closes it. */
static DIR *open_stream(const struct dir *dir)
{
	int fd = fcntl(dir->fd, F_DUPFD_CLOEXEC, 0);
	DIR *stream;
	int error;

	if (fd < 0)
		return NULL;
	stream = fdopendir(fd);
	if (stream == NULL) {
		error = errno;
		close(fd);
		errno = error;
	}
	return stream;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Finds the names, and gives back the memory that they do not need. */
static int index_names(struct listing *listing, struct names *names)
{
	char *at = realloc(names->bytes, names->size);

	if (at == NULL)
		at = names->bytes;
	listing->names = at;
	listing->entries = calloc(names->count, sizeof(*listing->entries));
	if (listing->entries == NULL) {
		listing_free(listing);
		return ENOMEM;
	}
	while (listing->count < names->count) {
		listing->entries[listing->count++] = at + 1;
		at += 1 + strlen(at + 1) + 1;
	}
	return 0;
}

static void sort(struct listing *listing)
{
	qsort(listing->entries, listing->count, sizeof(*listing->entries), compare);
	/* The slashes have done their work. */
	for (size_t i = 0; i < listing->count; i++)
		if (listing_kind(listing->entries[i]) == FILE_KIND_DIRECTORY)
			listing->entries[i][strlen(listing->entries[i]) - 1] = '\0';
}

int listing_read(struct listing *listing, const struct dir *dir, bool follow)
{
	struct names names = {0};
	DIR *stream;
	int error;

	memset(listing, 0, sizeof(*listing));
	stream = open_stream(dir);
	if (stream == NULL)
		return errno;
	error = read_names(&names, stream, dir, follow);
	closedir(stream);
	if (names.count == 0) {
		free(names.bytes);
		return error;
	}
	if (index_names(listing, &names) != 0)
		return ENOMEM;
	sort(listing);
	return error;
}

void listing_free(struct listing *listing)
{
	free(listing->names);
	free(listing->entries);
	memset(listing, 0, sizeof(*listing));
}
