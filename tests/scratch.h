/* SPDX-License-Identifier: MIT */
/*
 * scratch.h - a scratch directory for tests that make files and trees. Include it before any other
 * header, as test.h, which it includes.
 */
#ifndef BLOCKSHA_SCRATCH_H
#define BLOCKSHA_SCRATCH_H

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static char scratch[4096]; /* the working directory */

static inline void run(const char *command)
{
	TEST_REQUIRE(system(command) == 0, command);
}

/* In memory if there is such a place: the tests make a few hundred thousand files. */
static inline void scratch_begin(void)
{
	const char *parent = getenv("TMPDIR");

	if (parent == NULL)
		parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(scratch, sizeof(scratch), "%s/blocksha-test-XXXXXX", parent);
	TEST_REQUIRE(mkdtemp(scratch) != NULL, "mkdtemp");
	TEST_REQUIRE(chmod(scratch, 0755) == 0, "chmod"); /* others walk in it, too */
	TEST_REQUIRE(chdir(scratch) == 0, "chdir");
}

static inline void scratch_end(void)
{
	char command[sizeof(scratch) + 32];

	TEST_REQUIRE(chdir("/") == 0, "chdir");
	snprintf(command, sizeof(command), "rm -rf '%s'", scratch);
	run(command);
}

static inline void make_file_at(int at, const char *name)
{
	int fd = openat(at, name, O_WRONLY | O_CREAT | O_EXCL, 0644);

	TEST_REQUIRE(fd >= 0, name);
	close(fd);
}

static inline void make_file(const char *name)
{
	make_file_at(AT_FDCWD, name);
}

static inline void make_dir(const char *name)
{
	TEST_REQUIRE(mkdir(name, 0755) == 0, name);
}

static inline void make_link(const char *text, const char *name)
{
	TEST_REQUIRE(symlink(text, name) == 0, name);
}

/* How many descriptors the process has. */
static inline int count_descriptors(void)
{
	int count = 0;

	for (int fd = 0; fd < 2048; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

#endif
