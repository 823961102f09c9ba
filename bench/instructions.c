/* SPDX-License-Identifier: MIT */
/*
 * instructions.c - how many instructions the kernels take for a block, counted one by one.
 *
 * Each kernel runs in a process of its own, in single steps. That needs no counters of the CPU,
 * which virtual machines often lack, and knows all instructions of the CPU, which valgrind does
 * not. What a call takes without blocks is subtracted.
 *
 * For a detecting kernel there are two figures: of random blocks, with as many candidates as
 * they have; and of blocks without any, the least of some random ones that are repeated. The
 * second one less that of the plain kernel is what filtering takes and what is kept for a check,
 * the difference of the two is what the candidates take.
 *
 *     blocksha-bench-instructions [ALGORITHM:NAME...]
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel.h"

#define BLOCK ((size_t)64)

/* The blocks of a message: enough for twenty candidates with one lane. */
#define NBLOCKS ((size_t)400)
#define QUIET_BLOCKS ((size_t)16)
#define QUIET_TRIES 12

struct load {
	const unsigned char *lane[BLOCKSHA_LANES_MAX];
	size_t nblocks;
};

static void run(const struct blocksha_kernel *kernel, const struct load *load)
{
	static uint32_t state[BLOCKSHA_SHA1_SHA256_WORDS * BLOCKSHA_LANES_MAX];

	if (kernel->compress)
		kernel->compress(state, load->lane[0], load->nblocks);
	else if (kernel->compress_lanes)
		kernel->compress_lanes(state, load->lane, load->nblocks);
	else if (kernel->detect)
		(void)kernel->detect(state, load->lane[0], load->nblocks);
	else
		(void)kernel->detect_lanes(state, load->lane, load->nblocks);
}

static void give_up(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

/* Runs the kernel between two stops. The first call is there for the dynamic linker. */
static void child(const struct blocksha_kernel *kernel, const struct load *load)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(EXIT_FAILURE);
	run(kernel, load);
	(void)raise(SIGSTOP);
	run(kernel, load);
	(void)raise(SIGSTOP);
	_exit(EXIT_SUCCESS);
}

/* The instructions from one stop of the child to the next. */
static unsigned long count_of_call(const struct blocksha_kernel *kernel, const struct load *load)
{
	unsigned long count = 0;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		give_up("fork");
	if (pid == 0)
		child(kernel, load);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP)
		give_up("ptrace");
	do {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) != 0 ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			give_up("ptrace");
		count++;
	} while (WSTOPSIG(status) == SIGTRAP);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	return count;
}

/* For a block of one lane. */
static double per_block(const struct blocksha_kernel *kernel, const struct load *load)
{
	struct load nothing = *load;

	nothing.nblocks = 0;
	return (double)(count_of_call(kernel, load) - count_of_call(kernel, &nothing)) /
	       (double)load->nblocks / kernel->lanes;
}

static void fill(unsigned char *data, size_t size)
{
	static uint64_t x = 1;

	for (size_t i = 0; i < size; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		data[i] = (unsigned char)(x >> 56);
	}
}

static double random_blocks(const struct blocksha_kernel *kernel)
{
	static unsigned char data[BLOCKSHA_LANES_MAX][NBLOCKS * BLOCK];
	struct load load = {.nblocks = NBLOCKS / (kernel->lanes > 8 ? 4 : 1)};

	fill(data[0], sizeof(data));
	for (unsigned lane = 0; lane < BLOCKSHA_LANES_MAX; lane++)
		load.lane[lane] = data[lane];
	return per_block(kernel, &load);
}

static double quiet_blocks(const struct blocksha_kernel *kernel)
{
	unsigned char data[QUIET_BLOCKS * BLOCK];
	struct load load = {.nblocks = QUIET_BLOCKS};
	double least = 0;

	for (unsigned lane = 0; lane < BLOCKSHA_LANES_MAX; lane++)
		load.lane[lane] = data;
	for (unsigned i = 0; i < QUIET_TRIES; i++) {
		double count;

		fill(data, BLOCK);
		for (size_t block = 1; block < QUIET_BLOCKS; block++)
			memcpy(data + block * BLOCK, data, BLOCK);
		count = per_block(kernel, &load);
		if (i == 0 || count < least)
			least = count;
	}
	return least;
}

/* "sha1dc:x86-avx2" is wanted, if it is named or nothing is. */
static int is_wanted(const struct blocksha_kernel *kernel, int argc, char **argv)
{
	char name[80];

	(void)snprintf(name, sizeof(name), "%s:%s", blocksha_algorithm_name(kernel->algorithm),
		       kernel->name);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return 1;
	return argc == 1;
}

int main(int argc, char **argv)
{
	printf("%-14s %-18s %10s %20s\n", "instructions", "a block", "random",
	       "without candidates");
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *kernel = &blocksha_kernels[i];

		if (!blocksha_kernel_usable(kernel) || !is_wanted(kernel, argc, argv))
			continue;
		printf("%-14s %-18s %10.1f", blocksha_algorithm_name(kernel->algorithm),
		       kernel->name, random_blocks(kernel));
		if (kernel->detect || kernel->detect_lanes)
			printf(" %20.1f", quiet_blocks(kernel));
		printf("\n");
		(void)fflush(stdout);
	}
	return EXIT_SUCCESS;
}
