/* SPDX-License-Identifier: MIT */
/*
 * The number of usable CPUs: limits of control groups in trees as the kernel shows them.
 */
#include "scratch.h"

#include <sched.h>

#include "../cli/cpus.h"

/* A file in the fake root, with the folders above it. */
static void put(const char *path, const char *text)
{
	char name[256];
	FILE *file;

	snprintf(name, sizeof(name), "root%s", path);
	for (char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		TEST_REQUIRE(mkdir(name, 0755) == 0 || errno == EEXIST, name);
		*slash = '/';
	}
	file = fopen(name, "w");
	TEST_REQUIRE(file != NULL, name);
	fputs(text, file);
	fclose(file);
}

/* Files as pairs of path and text, ended by NULL; then what is usable with this affinity. */
static void expect(const char *const *files, unsigned affinity, unsigned usable, int line)
{
	for (; *files != NULL; files += 2)
		put(files[0], files[1]);
	CHECK_INT(cpus_usable_below("root", affinity), usable, "line %d", line);
	run("rm -r root");
}

#define EXPECT(affinity, usable, ...) \
	expect((const char *const[]){__VA_ARGS__, NULL}, affinity, usable, __LINE__)

#define CGROUP "/proc/self/cgroup"
#define FS "/sys/fs/cgroup"

static void test_version_2(void)
{
	EXPECT(8, 8, CGROUP, "0::/\n");
	EXPECT(8, 8, CGROUP, "0::/\n", FS "/cpu.max", "max 100000\n");
	EXPECT(8, 2, CGROUP, "0::/\n", FS "/cpu.max", "200000 100000\n");
	EXPECT(8, 2, CGROUP, "0::/\n", FS "/cpu.max", "100001 100000\n"); /* rounded up */
	EXPECT(8, 1, CGROUP, "0::/\n", FS "/cpu.max", "1000 100000\n");
	EXPECT(8, 8, CGROUP, "0::/\n", FS "/cpu.max", "900000 100000\n");
	EXPECT(1, 1, CGROUP, "0::/\n", FS "/cpu.max", "200000 100000\n");
	EXPECT(8, 3, CGROUP, "0::/a/b\n", FS "/a/b/cpu.max", "150000 50000");
	/* of those above, the least counts */
	EXPECT(8, 2, CGROUP, "0::/a/b\n", FS "/a/b/cpu.max", "300000 100000\n", FS "/a/cpu.max",
	       "200000 100000\n", FS "/cpu.max", "max 100000\n");
	EXPECT(8, 3, CGROUP, "0::/a/b\n", FS "/a/b/cpu.max", "300000 100000\n", FS "/a/cpu.max",
	       "max 100000\n", FS "/cpu.max", "400000 100000\n");
	EXPECT(8, 2, CGROUP, "0::/a/b\n", FS "/a/b/cpu.max", "max 100000\n", FS "/cpu.max",
	       "200000 100000\n");
	/* a sibling does not count, nor one below */
	EXPECT(8, 8, CGROUP, "0::/a\n", FS "/b/cpu.max", "100000 100000\n", FS "/a/b/cpu.max",
	       "100000 100000\n");
	/* in a container the group may be one that is not there */
	EXPECT(8, 2, CGROUP, "0::/docker/1a2b\n", FS "/cpu.max", "200000 100000\n");
	EXPECT(8, 2, CGROUP, "0::/../..\n", FS "/cpu.max", "200000 100000\n");
}

static void test_version_1(void)
{
	EXPECT(8, 8, CGROUP, "4:cpu,cpuacct:/\n", FS "/cpu/cpu.cfs_quota_us", "-1\n",
	       FS "/cpu/cpu.cfs_period_us", "100000\n");
	EXPECT(8, 2, CGROUP, "4:cpu,cpuacct:/\n", FS "/cpu/cpu.cfs_quota_us", "150000\n",
	       FS "/cpu/cpu.cfs_period_us", "100000\n");
	EXPECT(8, 2, CGROUP, "12:pids:/x\n4:cpuacct,cpu:/\n0::/y\n", FS "/cpu/cpu.cfs_quota_us",
	       "150000\n", FS "/cpu/cpu.cfs_period_us", "100000\n");
	EXPECT(8, 4, CGROUP, "4:cpu:/docker/1a2b\n", FS "/cpu/docker/1a2b/cpu.cfs_quota_us",
	       "400000\n", FS "/cpu/docker/1a2b/cpu.cfs_period_us", "100000\n",
	       FS "/cpu/cpu.cfs_quota_us", "-1\n", FS "/cpu/cpu.cfs_period_us", "100000\n");
	/* other controllers whose names have those letters */
	EXPECT(8, 8, CGROUP, "4:cpuset:/\n3:cpuacct:/\n1:name=cpu:/\n", FS "/cpu/cpu.cfs_quota_us",
	       "100000\n", FS "/cpu/cpu.cfs_period_us", "100000\n");
	/* both versions at once */
	EXPECT(8, 2, CGROUP, "1:cpu:/a\n0::/b\n", FS "/cpu/a/cpu.cfs_quota_us", "300000\n",
	       FS "/cpu/a/cpu.cfs_period_us", "100000\n", FS "/b/cpu.max", "200000 100000\n");
}

/* What the kernel does not write must do no harm. */
static void test_nonsense(void)
{
	static char longest[3 * 4096];

	EXPECT(8, 8, "/proc/none", "");
	EXPECT(8, 8, CGROUP, "", FS "/cpu.max", "100000 100000\n");
	EXPECT(8, 8, CGROUP, "\n:\n::\njunk\n0:\n", FS "/a", "");
	EXPECT(8, 8, CGROUP, "0::/\n", FS "/cpu.max", "");
	EXPECT(8, 8, CGROUP, "0::/\n", FS "/cpu.max", "100000\n");
	EXPECT(8, 8, CGROUP, "0::/\n", FS "/cpu.max", "100000 0\n");
	EXPECT(8, 8, CGROUP, "0::/\n", FS "/cpu.max", "0 100000\n");
	EXPECT(8, 8, CGROUP, "0::/\n", FS "/cpu.max", "-5 100000\n");
	EXPECT(8, 8, CGROUP, "4:cpu:/\n", FS "/cpu/cpu.cfs_quota_us", "100000\n");
	EXPECT(8, 1, CGROUP, "0::a\n", FS "/cpu.max", "100000 100000\n");
	memset(longest, 'x', sizeof(longest) - 1);
	memcpy(longest, "0::/", 4);
	EXPECT(8, 8, CGROUP, longest, FS "/cpu.max", "100000 100000\n");
}

/* The machine itself, with a narrower affinity. */
static void test_machine(void)
{
	unsigned usable = cpus_usable();
	cpu_set_t before, one;

	CHECK(usable >= 1 && usable <= (unsigned)sysconf(_SC_NPROCESSORS_CONF), "%u", usable);
	if (sched_getaffinity(0, sizeof(before), &before) != 0) {
		test_unavailable("the affinity");
		return;
	}
	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &before))
			CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) != 0) {
		test_unavailable("the affinity cannot be changed");
		return;
	}
	CHECK_INT(cpus_usable(), 1, "one CPU");
	sched_setaffinity(0, sizeof(before), &before);
	CHECK_INT(cpus_usable(), usable, "as before");
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	scratch_begin();
	TEST_RUN(test_version_2);
	TEST_RUN(test_version_1);
	TEST_RUN(test_nonsense);
	TEST_RUN(test_machine);
	scratch_end();
	return test_end();
}
