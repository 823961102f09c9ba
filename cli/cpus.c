/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */

#include "cpus.h"

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The longest path of a control group that is looked at. */
enum { PATH_SIZE = 4096 };

static unsigned affinity_count(void)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned count = online < 1 ? 1 : (unsigned)online;

	/* The kernel refuses a set that is too small for its CPUs. */
	for (size_t cpus = CPU_SETSIZE; cpus <= (size_t)1 << 20; cpus *= 2) {
		cpu_set_t *set = CPU_ALLOC(cpus);
		size_t size = CPU_ALLOC_SIZE(cpus);
		bool found = set != NULL && sched_getaffinity(0, size, set) == 0;

		if (found)
			count = (unsigned)CPU_COUNT_S(size, set);
		CPU_FREE(set);
		if (found)
			break;
	}
	return count < 1 ? 1 : count;
}

/* Reads the beginning of a file: "max 100000", "50000 100000", "-1". */
static bool read_text(const char *path, char *text, int size)
{
	FILE *file = fopen(path, "re");
	bool found = file != NULL && fgets(text, size, file) != NULL;

	if (file != NULL)
		fclose(file);
	return found;
}

static unsigned limit_by(unsigned count, int64_t quota, int64_t period)
{
	int64_t cpus;

	if (quota <= 0 || period <= 0)
		return count;
	cpus = quota / period + (quota % period != 0);
	return cpus < count ? (unsigned)cpus : count;
}

static unsigned limit_v2(unsigned count, const char *folder)
{
	char path[PATH_SIZE + 32], text[64], *end;
	int64_t quota;

	snprintf(path, sizeof(path), "%s/cpu.max", folder);
	if (!read_text(path, text, sizeof(text)))
		return count;
	quota = strtoll(text, &end, 10); /* "max" has no digits: 0 */
	return limit_by(count, quota, strtoll(end, NULL, 10));
}

static unsigned limit_v1(unsigned count, const char *folder)
{
	char path[PATH_SIZE + 32], quota[64], period[64];

	snprintf(path, sizeof(path), "%s/cpu.cfs_quota_us", folder);
	if (!read_text(path, quota, sizeof(quota)))
		return count;
	snprintf(path, sizeof(path), "%s/cpu.cfs_period_us", folder);
	if (!read_text(path, period, sizeof(period)))
		return count;
	return limit_by(count, strtoll(quota, NULL, 10), strtoll(period, NULL, 10));
}

/* Whether a list with commas has the word. */
static bool has_word(const char *list, size_t length, const char *word)
{
	for (const char *end = list + length; list < end;) {
		size_t part = strcspn(list, ",:");

		if (part == strlen(word) && memcmp(list, word, part) == 0)
			return true;
		list += part + 1;
	}
	return false;
}

/* The limits of a group and of all above it. In a container the group may be named as it is
   seen from outside; then the folders are not there, and the one at the top counts. */
static unsigned limit_by_group(unsigned count, const char *mount, const char *group, bool is_v2)
{
	char folder[PATH_SIZE];
	size_t top = strlen(mount);

	int length = snprintf(folder, sizeof(folder), "%s%s", mount, group);

	if (length < 0 || (size_t)length >= sizeof(folder))
		return count;
	for (;;) {
		char *slash;

		count = is_v2 ? limit_v2(count, folder) : limit_v1(count, folder);
		slash = strrchr(folder, '/');
		if (strlen(folder) <= top || slash == NULL)
			return count;
		*(slash < folder + top ? folder + top : slash) = '\0';
	}
}

unsigned cpus_usable_below(const char *root, unsigned affinity)
{
	char path[PATH_SIZE], line[PATH_SIZE], mount[PATH_SIZE];
	unsigned count = affinity;
	FILE *groups;

	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	groups = fopen(path, "re");
	if (groups == NULL)
		return count;
	/* "0::/user.slice" for version 2, "4:cpu,cpuacct:/docker/1a2b" for version 1 */
	while (fgets(line, sizeof(line), groups) != NULL) {
		char *names = strchr(line, ':');
		char *group = names != NULL ? strchr(names + 1, ':') : NULL;
		size_t length;

		if (group == NULL)
			continue;
		names++;
		length = (size_t)(group++ - names);
		group[strcspn(group, "\n")] = '\0';
		if (length == 0) {
			snprintf(mount, sizeof(mount), "%s/sys/fs/cgroup", root);
			count = limit_by_group(count, mount, group, true);
		} else if (has_word(names, length, "cpu")) {
			snprintf(mount, sizeof(mount), "%s/sys/fs/cgroup/cpu", root);
			count = limit_by_group(count, mount, group, false);
		}
	}
	fclose(groups);
	return count;
}

unsigned cpus_usable(void)
{
	return cpus_usable_below("", affinity_count());
}
