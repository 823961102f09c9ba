/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath, O_CLOEXEC, O_DIRECTORY, fsync */

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Paths ---------------------------------------------------------------------------- */

static bool is_in_dev(const char *name)
{
	return strncmp(name, "/dev/", 5) == 0;
}

/* The path of a file that may not be there yet; to be freed, or NULL and errno. */
static char *resolve(const char *name)
{
	/* /dev/stdout is a link to what must not be replaced. */
	char *path = is_in_dev(name) ? strdup(name) : realpath(name, NULL);
	struct stat link;

	if (path != NULL || errno != ENOENT)
		return path;
	/* A link that leads to nothing is an error: it is no file, and not ours to replace. */
	if (lstat(name, &link) != 0)
		return strdup(name);
	errno = ENOENT;
	return NULL;
}

static char *with_suffix(const char *path, const char *suffix)
{
	size_t size = strlen(path) + strlen(suffix) + 1;
	char *joined = malloc(size);

	if (joined != NULL)
		snprintf(joined, size, "%s%s", path, suffix);
	return joined;
}

/* Whether what is there cannot be replaced by a file. A directory is refused later. */
static bool is_written_into(const char *path)
{
	struct stat status;

	if (is_in_dev(path))
		return true;
	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* --- The lock ------------------------------------------------------------------------- */

static bool is_same(const struct stat *one, const struct stat *other)
{
	return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

/* Whether fd is still the file of that path: it could have been renamed between open and lock. */
static bool is_at(int fd, const char *path)
{
	struct stat open_one, named;

	return fstat(fd, &open_one) == 0 && lstat(path, &named) == 0 && is_same(&open_one, &named);
}

/* Opens and locks the new version. Returns -1 and errno; EAGAIN: another one has it. */
static int open_locked(const char *path)
{
	for (;;) {
		const struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
		int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);

		if (fd < 0)
			return -1;
		if (fcntl(fd, F_SETLK, &lock) != 0) {
			int error = errno == EACCES ? EAGAIN : errno;

			close(fd);
			errno = error;
			return -1;
		}
		if (is_at(fd, path))
			return fd;
		close(fd);
	}
}

/* --- Beginning and ending --------------------------------------------------------------- */

static void release(struct replace *replace)
{
	if (replace->old >= 0)
		close(replace->old);
	if (replace->out != NULL)
		fclose(replace->out);
	free(replace->path);
	free(replace->new_path);
	*replace = (struct replace){.old = -1};
}

/* Opens what is no regular file, a device or a pipe, to write into it. Returns 0 or an errno. */
static int open_directly(struct replace *replace)
{
	int fd = open(replace->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return errno;
	replace->out = fdopen(fd, "w");
	if (replace->out != NULL)
		return 0;
	close(fd);
	return ENOMEM;
}

/* Opens both versions. Returns 0 or an errno. */
static int open_both(struct replace *replace)
{
	struct stat status;
	int fd = open_locked(replace->new_path);

	if (fd < 0)
		return errno;
	replace->out = fdopen(fd, "w");
	if (replace->out == NULL) {
		close(fd);
		return ENOMEM;
	}
	replace->old = open(replace->path, O_RDONLY | O_CLOEXEC);
	if (replace->old < 0)
		return errno == ENOENT && ftruncate(fd, 0) == 0 ? 0 : errno;
	if (fstat(replace->old, &status) != 0)
		return errno;
	if (!S_ISREG(status.st_mode))
		return S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
	if (fchmod(fd, status.st_mode & 07777) != 0 || ftruncate(fd, 0) != 0)
		return errno;
	return 0;
}

const char *replace_begin(struct replace *replace, const char *name, bool into)
{
	int error;

	*replace = (struct replace){.old = -1, .path = resolve(name)};
	if (replace->path == NULL)
		return strerror(errno);
	if (is_written_into(replace->path)) {
		error = into ? open_directly(replace) : EINVAL;
	} else {
		replace->new_path = with_suffix(replace->path, ".blocksha-new");
		error = replace->new_path != NULL ? open_both(replace) : ENOMEM;
	}
	if (error == 0)
		return NULL;
	if (replace->out != NULL)
		replace_abandon(replace);
	else
		release(replace);
	return error == EAGAIN ? "another program is updating it" : strerror(error);
}

/* Makes the renaming last, as far as the file system can. */
static void sync_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash == NULL   ? strdup(".")
			  : slash == path ? strdup("/")
					  : strndup(path, (size_t)(slash - path));
	int fd = directory != NULL ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		(void)fsync(fd); /* some file systems cannot; the file itself is safe */
		close(fd);
	}
	free(directory);
}

const char *replace_commit(struct replace *replace)
{
	bool direct = replace->new_path == NULL;
	int error;

	errno = 0;
	if (fflush(replace->out) != 0 || ferror(replace->out) ||
	    (!direct &&
	     (fsync(fileno(replace->out)) != 0 || rename(replace->new_path, replace->path) != 0))) {
		error = errno != 0 ? errno : EIO;
		replace_abandon(replace);
		return strerror(error);
	}
	if (!direct)
		sync_directory(replace->path);
	release(replace);
	return NULL;
}

void replace_abandon(struct replace *replace)
{
	if (replace->new_path != NULL)
		(void)unlink(replace->new_path);
	release(replace);
}

bool replace_is_own(const struct replace *replace, const struct stat *status)
{
	struct stat own;

	return (fstat(fileno(replace->out), &own) == 0 && is_same(&own, status)) ||
	       (replace->old >= 0 && fstat(replace->old, &own) == 0 && is_same(&own, status));
}
