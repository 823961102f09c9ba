/* SPDX-License-Identifier: MIT */
/*
 * cpus.h - how many CPUs this process may use.
 */
#ifndef BLOCKSHA_CLI_CPUS_H
#define BLOCKSHA_CLI_CPUS_H

/* At least 1: those that its affinity allows, and not more than the time that its control group
   and those above it give (cpu.max of version 2, cpu.cfs_quota_us of version 1), rounded up. */
unsigned cpus_usable(void);

/* The same with control groups looked for below root, which is "" for the machine itself. For
   tests. */
unsigned cpus_usable_below(const char *root, unsigned affinity);

#endif
