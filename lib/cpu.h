/* SPDX-License-Identifier: MIT */
/*
 * cpu.h - which instructions this machine can use. Knows nothing of hashing.
 *
 * A feature is usable if the CPU has it and the operating system saves the registers
 * that it needs. Reading the machine and deciding are two functions, so that tests can
 * feed the decision machines that are not at hand.
 */
#ifndef BLOCKSHA_CPU_H
#define BLOCKSHA_CPU_H

#include <stdint.h>

/* Usable features, a bit each. */
enum {
	BLOCKSHA_CPU_SSSE3 = 1 << 0,
	BLOCKSHA_CPU_SSE41 = 1 << 1,
	BLOCKSHA_CPU_SHA = 1 << 2, /* implies SSSE3 and SSE4.1 */
	BLOCKSHA_CPU_BMI1 = 1 << 3,
	BLOCKSHA_CPU_BMI2 = 1 << 4,
	BLOCKSHA_CPU_AVX2 = 1 << 5,
	BLOCKSHA_CPU_GFNI = 1 << 6,     /* the SSE form; others need AVX2 or AVX-512 as well */
	BLOCKSHA_CPU_AVX512F = 1 << 7,  /* implies AVX2, as all that follow it */
	BLOCKSHA_CPU_AVX512BW = 1 << 8, /* this and the next three imply AVX512F */
	BLOCKSHA_CPU_AVX512VL = 1 << 9,
	BLOCKSHA_CPU_AVX512DQ = 1 << 10,
	BLOCKSHA_CPU_AVX512VBMI = 1 << 11,
	BLOCKSHA_CPU_ARM_SHA1 = 1 << 12,
	BLOCKSHA_CPU_ARM_SHA2 = 1 << 13, /* SHA-256 */
	BLOCKSHA_CPU_ALL = (1 << 14) - 1
};

/* What the machine says of itself. Words that it does not have are 0. */
struct blocksha_cpu_raw {
	uint32_t max_leaf;  /* CPUID leaf 0: EAX */
	uint32_t leaf1_ecx; /* CPUID leaf 1: ECX */
	uint32_t leaf7_ebx; /* CPUID leaf 7, subleaf 0: EBX, ECX */
	uint32_t leaf7_ecx;
	uint64_t xcr0;       /* the state that the system saves, from XGETBV */
	unsigned long hwcap; /* AArch64 Linux: AT_HWCAP; elsewhere the same bits */
};

/* Fills raw from the machine that runs it, with instructions that every CPU has. */
void blocksha_cpu_read(struct blocksha_cpu_raw *raw);

/* The usable features of a machine. Depends on *raw alone. */
uint32_t blocksha_cpu_decide(const struct blocksha_cpu_raw *raw);

/* The name of a feature as /proc/cpuinfo and compilers write it, for messages. bit is one
   of those above, or a sum of them: then it is the lowest. NULL if there is none. */
const char *blocksha_cpu_feature_name(uint32_t bit);

#endif
