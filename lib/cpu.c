/* SPDX-License-Identifier: MIT */
/*
 * cpu.c - see cpu.h.
 *
 * x86: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, CPUID;
 * volume 1, sections 14.3 (AVX), 15.2 to 15.4 (AVX-512).
 * ARM: Linux, Documentation/arch/arm64/elf_hwcaps.rst.
 */
#include "cpu.h"

#include <stddef.h>

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define READ_X86
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#define READ_LINUX_ARM
#include <sys/auxv.h>
#elif defined(__aarch64__) && defined(__APPLE__)
#define READ_APPLE_ARM
#include <sys/types.h>
#include <sys/sysctl.h>
#endif

/* CPUID leaf 1, ECX */
#define LEAF1_SSSE3 (UINT32_C(1) << 9)
#define LEAF1_SSE41 (UINT32_C(1) << 19)
#define LEAF1_OSXSAVE (UINT32_C(1) << 27)
#define LEAF1_AVX (UINT32_C(1) << 28)

/* CPUID leaf 7, subleaf 0, EBX */
#define LEAF7_BMI1 (UINT32_C(1) << 3)
#define LEAF7_AVX2 (UINT32_C(1) << 5)
#define LEAF7_BMI2 (UINT32_C(1) << 8)
#define LEAF7_AVX512F (UINT32_C(1) << 16)
#define LEAF7_AVX512DQ (UINT32_C(1) << 17)
#define LEAF7_SHA (UINT32_C(1) << 29)
#define LEAF7_AVX512BW (UINT32_C(1) << 30)
#define LEAF7_AVX512VL (UINT32_C(1) << 31)

/* CPUID leaf 7, subleaf 0, ECX */
#define LEAF7_AVX512VBMI (UINT32_C(1) << 1)
#define LEAF7_GFNI (UINT32_C(1) << 8)

/* XCR0: xmm and ymm; and these with the mask registers, the upper halves of zmm0-15, and
   zmm16-31. macOS turns the last three on at a program's first use of AVX-512, so that
   they are found off and AVX-512 is not used there. */
#define XCR0_AVX UINT64_C(0x06)
#define XCR0_AVX512 UINT64_C(0xe6)

/* AT_HWCAP of AArch64 Linux */
#define HWCAP_ARM_SHA1 (1UL << 5)
#define HWCAP_ARM_SHA2 (1UL << 6)

#if defined(READ_X86)
/* Only where CPUID says OSXSAVE; elsewhere the instruction is invalid. */
static uint64_t read_xcr0(void)
{
	uint32_t low, high;

	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static void read_x86(struct blocksha_cpu_raw *raw)
{
	uint32_t eax, ebx, ecx, edx;

	__cpuid(0, eax, ebx, ecx, edx);
	raw->max_leaf = eax;
	if (raw->max_leaf >= 1) {
		__cpuid(1, eax, ebx, ecx, edx);
		raw->leaf1_ecx = ecx;
		if (ecx & LEAF1_OSXSAVE)
			raw->xcr0 = read_xcr0();
	}
	if (raw->max_leaf >= 7) {
		__cpuid_count(7, 0, eax, ebx, ecx, edx);
		raw->leaf7_ebx = ebx;
		raw->leaf7_ecx = ecx;
	}
}
#endif

#if defined(READ_APPLE_ARM)
/* Whether the system knows the name and says yes. */
static int apple_has(const char *name)
{
	int value = 0;
	size_t size = sizeof value;

	return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}

static void read_apple_arm(struct blocksha_cpu_raw *raw)
{
	if (apple_has("hw.optional.arm.FEAT_SHA1"))
		raw->hwcap |= HWCAP_ARM_SHA1;
	if (apple_has("hw.optional.arm.FEAT_SHA256"))
		raw->hwcap |= HWCAP_ARM_SHA2;
}
#endif

void blocksha_cpu_read(struct blocksha_cpu_raw *raw)
{
	const struct blocksha_cpu_raw nothing = {0};

	*raw = nothing;
#if defined(READ_X86)
	read_x86(raw);
#elif defined(READ_LINUX_ARM)
	raw->hwcap = getauxval(AT_HWCAP);
#elif defined(READ_APPLE_ARM)
	read_apple_arm(raw);
#endif
}

/* A feature, and the bits that all have to be set for it. */
struct rule {
	uint32_t feature;
	uint32_t leaf1_ecx, leaf7_ebx, leaf7_ecx;
	uint64_t xcr0;
	unsigned long hwcap;
};

#define AVX2_LEAF1 (LEAF1_OSXSAVE | LEAF1_AVX)
#define AVX512_LEAF7 (LEAF7_AVX2 | LEAF7_AVX512F)

static const struct rule rules[] = {
	{BLOCKSHA_CPU_SSSE3, LEAF1_SSSE3, 0, 0, 0, 0},
	{BLOCKSHA_CPU_SSE41, LEAF1_SSE41, 0, 0, 0, 0},
	{BLOCKSHA_CPU_SHA, LEAF1_SSSE3 | LEAF1_SSE41, LEAF7_SHA, 0, 0, 0},
	{BLOCKSHA_CPU_BMI1, 0, LEAF7_BMI1, 0, 0, 0},
	{BLOCKSHA_CPU_BMI2, 0, LEAF7_BMI2, 0, 0, 0},
	{BLOCKSHA_CPU_AVX2, AVX2_LEAF1, LEAF7_AVX2, 0, XCR0_AVX, 0},
	{BLOCKSHA_CPU_GFNI, 0, 0, LEAF7_GFNI, 0, 0},
	{BLOCKSHA_CPU_AVX512F, AVX2_LEAF1, AVX512_LEAF7, 0, XCR0_AVX512, 0},
	{BLOCKSHA_CPU_AVX512BW, AVX2_LEAF1, AVX512_LEAF7 | LEAF7_AVX512BW, 0, XCR0_AVX512, 0},
	{BLOCKSHA_CPU_AVX512VL, AVX2_LEAF1, AVX512_LEAF7 | LEAF7_AVX512VL, 0, XCR0_AVX512, 0},
	{BLOCKSHA_CPU_AVX512DQ, AVX2_LEAF1, AVX512_LEAF7 | LEAF7_AVX512DQ, 0, XCR0_AVX512, 0},
	{BLOCKSHA_CPU_AVX512VBMI, AVX2_LEAF1, AVX512_LEAF7, LEAF7_AVX512VBMI, XCR0_AVX512, 0},
	{BLOCKSHA_CPU_ARM_SHA1, 0, 0, 0, 0, HWCAP_ARM_SHA1},
	{BLOCKSHA_CPU_ARM_SHA2, 0, 0, 0, 0, HWCAP_ARM_SHA2},
};

uint32_t blocksha_cpu_decide(const struct blocksha_cpu_raw *raw)
{
	uint32_t usable = 0;
	/* A leaf above the maximum holds whatever the highest one does (Intel) or 0 (AMD);
	   XCR0 means nothing without OSXSAVE. */
	uint32_t leaf1_ecx = raw->max_leaf >= 1 ? raw->leaf1_ecx : 0;
	uint32_t leaf7_ebx = raw->max_leaf >= 7 ? raw->leaf7_ebx : 0;
	uint32_t leaf7_ecx = raw->max_leaf >= 7 ? raw->leaf7_ecx : 0;

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const struct rule *rule = &rules[i];

		if ((leaf1_ecx & rule->leaf1_ecx) == rule->leaf1_ecx &&
		    (leaf7_ebx & rule->leaf7_ebx) == rule->leaf7_ebx &&
		    (leaf7_ecx & rule->leaf7_ecx) == rule->leaf7_ecx &&
		    (raw->xcr0 & rule->xcr0) == rule->xcr0 &&
		    (raw->hwcap & rule->hwcap) == rule->hwcap)
			usable |= rule->feature;
	}
	return usable;
}

const char *blocksha_cpu_feature_name(uint32_t bit)
{
	static const char *const names[] = {
		"ssse3",   "sse4.1",   "sha",      "bmi1",     "bmi2",       "avx2",     "gfni",
		"avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vbmi", "arm-sha1", "arm-sha2",
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (bit >> i & 1)
			return names[i];
	}
	return NULL;
}
