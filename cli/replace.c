/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */

#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".XXXXXX";

/* /dev/stderr and its like name what is open, which may be a file. */
static bool is_in_dev(const char *name)
{
	return strncmp(name, "/dev/", 5) == 0;
}

/* A link that leads to nothing is an error: it is no file, and not ours to replace. */
static char *resolve(const char *name)
{
	struct stat link;
	char *target;

	if (is_in_dev(name))
		return strdup(name);
	target = realpath(name, NULL);
	if (target != NULL || errno != ENOENT)
		return target;
	if (lstat(name, &link) != 0)
		return strdup(name);
	errno = ENOENT;
	return NULL;
}

static int open_directly(struct replace *replace)
{
	int fd = open(replace->target, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);

	if (fd < 0 || (replace->file = fdopen(fd, "w")) != NULL)
		return fd < 0 ? errno : 0;
	close(fd);
	return ENOMEM;
}

/* The mode that the file would have had without us: that of the old one, or what umask allows. */
static mode_t wanted_mode(const struct stat *old, bool exists)
{
	mode_t mask;

	if (exists)
		return old->st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static int open_beside(struct replace *replace, mode_t mode)
{
	size_t size = strlen(replace->target) + sizeof(suffix);
	int fd, error;

	replace->temporary = malloc(size);
	if (replace->temporary == NULL)
		return ENOMEM;
	snprintf(replace->temporary, size, "%s%s", replace->target, suffix);
	fd = mkstemp(replace->temporary);
	if (fd < 0)
		return errno;
	if (fchmod(fd, mode) == 0 && (replace->file = fdopen(fd, "w")) != NULL)
		return 0;
	error = errno;
	close(fd);
	unlink(replace->temporary);
	return error;
}

static void forget(struct replace *replace)
{
	free(replace->target);
	free(replace->temporary);
	memset(replace, 0, sizeof(*replace));
}

int replace_begin(struct replace *replace, const char *name)
{
	struct stat old;
	bool exists;
	int error;

	memset(replace, 0, sizeof(*replace));
	replace->target = resolve(name);
	if (replace->target == NULL)
		return errno;
	exists = stat(replace->target, &old) == 0;
	if (exists && S_ISDIR(old.st_mode))
		error = EISDIR;
	else if (is_in_dev(name) || (exists && !S_ISREG(old.st_mode)))
		error = open_directly(replace);
	else
		error = open_beside(replace, wanted_mode(&old, exists));
	if (error != 0)
		forget(replace);
	return error;
}

/* Ends the stream. Returns 0 or an errno. */
static int finish(struct replace *replace)
{
	int error = 0;

	if (fflush(replace->file) != 0 || ferror(replace->file))
		error = errno != 0 ? errno : EIO;
	if (error == 0 && replace->temporary != NULL && fsync(fileno(replace->file)) != 0)
		error = errno;
	if (fclose(replace->file) != 0 && error == 0)
		error = errno;
	return error;
}

int replace_commit(struct replace *replace)
{
	int error;

	errno = 0;
	error = finish(replace);
	if (error == 0 && replace->temporary != NULL &&
	    rename(replace->temporary, replace->target) != 0)
		error = errno;
	if (error != 0 && replace->temporary != NULL)
		unlink(replace->temporary);
	forget(replace);
	return error;
}

void replace_abandon(struct replace *replace)
{
	fclose(replace->file);
	if (replace->temporary != NULL)
		unlink(replace->temporary);
	forget(replace);
}
