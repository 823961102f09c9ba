/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES, _SC_NPROCESSORS_ONLN */

#include "options.h"

#include <unistd.h>

/* Where the system does not say how much memory it has. */
#define DEFAULT_MEMORY ((uint64_t)1024 * 1024 * 1024)

#define MAX_JOBS 1024u

uint64_t blocksha_git_memory(const struct blocksha_git_options *options)
{
	long pages = -1, size = -1;

	if (options->memory != 0)
		return options->memory;
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
	pages = sysconf(_SC_PHYS_PAGES);
	size = sysconf(_SC_PAGESIZE);
#endif
	if (pages <= 0 || size <= 0)
		return DEFAULT_MEMORY;
	return (uint64_t)pages * (uint64_t)size / 4;
}

unsigned blocksha_git_jobs(const struct blocksha_git_options *options)
{
	long cpus = 1;

	if (options->jobs != 0)
		return options->jobs < MAX_JOBS ? options->jobs : MAX_JOBS;
#ifdef _SC_NPROCESSORS_ONLN
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
#endif
	if (cpus < 1)
		return 1;
	return cpus < (long)MAX_JOBS ? (unsigned)cpus : MAX_JOBS;
}
