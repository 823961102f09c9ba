/* SPDX-License-Identifier: MIT */
/*
 * kernels.c - the one table of kernels: a row each.
 *
 * Rows of one algorithm stand together: those of many messages, widest first,
 * then those of one message, best first, the portable one last.
 *
 * cost is the time in nanoseconds in which the kernel advances all its lanes by
 * one block, measured on Zen 5 with data in the first-level cache (bench/). Only
 * the ratios matter: with so many messages in flight, many.c takes the kernel
 * for which lanes that stay empty included the sum is least.
 */
#include "arm/arm_target.h"
#include "cpu.h"
#include "kernel.h"

#if defined(__x86_64__)
#define X86(function) function
#else
#define X86(function) 0
#endif

#if BLOCKSHA_ARM_SHA
#define ARM(function) function
#else
#define ARM(function) 0
#endif

#define SHANI BLOCKSHA_CPU_SHA
#define AVX2 (BLOCKSHA_CPU_AVX2 | BLOCKSHA_CPU_BMI1 | BLOCKSHA_CPU_BMI2)
#define AVX512 (BLOCKSHA_CPU_AVX512F | BLOCKSHA_CPU_AVX512BW)

#define GFNI (AVX512 | BLOCKSHA_CPU_AVX512VL | BLOCKSHA_CPU_AVX512VBMI | BLOCKSHA_CPU_GFNI)

#define ROW(algorithm_, name_, lanes_, cost_, needs_, member)                           \
	{                                                                               \
		.algorithm = BLOCKSHA_##algorithm_, .name = (name_), .lanes = (lanes_), \
		.cost = (cost_), .needs = (needs_), member                              \
	}
#define ONE(algorithm, name, cost, needs, function) \
	ROW(algorithm, name, 1, cost, needs, .compress = (function))
#define LANES(algorithm, name, lanes, cost, needs, function) \
	ROW(algorithm, name, lanes, cost, needs, .compress_lanes = (function))
#define DETECT(algorithm, name, cost, needs, function) \
	ROW(algorithm, name, 1, cost, needs, .detect = (function))
#define DETECT_LANES(algorithm, name, lanes, cost, needs, function) \
	ROW(algorithm, name, lanes, cost, needs, .detect_lanes = (function))

const struct blocksha_kernel blocksha_kernels[] = {
	LANES(SHA1, "x86-avx512-x32", 32, 128, AVX512, X86(blocksha_sha1_avx512_x32)),
	LANES(SHA1, "x86-avx512-x16", 16, 88, AVX512, X86(blocksha_sha1_avx512_x16)),
	LANES(SHA1, "x86-avx2-x8", 8, 136, BLOCKSHA_CPU_AVX2, X86(blocksha_sha1_avx2_x8)),
	LANES(SHA1, "x86-shani-x4", 4, 49, SHANI, X86(blocksha_sha1_shani_x4)),
	LANES(SHA1, "x86-shani-x2", 2, 36, SHANI, X86(blocksha_sha1_shani_x2)),
	ONE(SHA1, "x86-shani", 31, SHANI, X86(blocksha_sha1_shani)),
	ONE(SHA1, "x86-avx2", 44, AVX2, X86(blocksha_sha1_avx2)),
	ONE(SHA1, "x86-ssse3", 44, BLOCKSHA_CPU_SSSE3, X86(blocksha_sha1_ssse3)),
	ONE(SHA1, "arm-sha", 31, BLOCKSHA_CPU_ARM_SHA1, ARM(blocksha_sha1_arm)),
	ONE(SHA1, "portable", 55, 0, blocksha_sha1_portable),

	LANES(SHA256, "x86-avx512-x32", 32, 256, AVX512, X86(blocksha_sha256_avx512_x32)),
	LANES(SHA256, "x86-avx512-x16", 16, 166, AVX512, X86(blocksha_sha256_avx512_x16)),
	LANES(SHA256, "x86-avx2-x8", 8, 286, BLOCKSHA_CPU_AVX2, X86(blocksha_sha256_avx2_x8)),
	LANES(SHA256, "x86-shani-x4", 4, 73, SHANI, X86(blocksha_sha256_shani_x4)),
	LANES(SHA256, "x86-shani-x2", 2, 44, SHANI, X86(blocksha_sha256_shani_x2)),
	ONE(SHA256, "x86-shani", 33, SHANI, X86(blocksha_sha256_shani)),
	ONE(SHA256, "x86-avx2", 84, AVX2, X86(blocksha_sha256_avx2)),
	ONE(SHA256, "x86-ssse3", 91, BLOCKSHA_CPU_SSSE3, X86(blocksha_sha256_ssse3)),
	ONE(SHA256, "arm-sha", 33, BLOCKSHA_CPU_ARM_SHA2, ARM(blocksha_sha256_arm)),
	ONE(SHA256, "portable", 127, 0, blocksha_sha256_portable),

	ONE(SHA1_SHA256, "x86-shani", 40, SHANI, X86(blocksha_sha1_sha256_shani)),
	ONE(SHA1_SHA256, "portable", 201, 0, blocksha_sha1_sha256_portable),

	DETECT_LANES(SHA1DC, "x86-avx512-x32", 32, 180, AVX512 | SHANI,
		     X86(blocksha_sha1dc_avx512_x32)),
	DETECT_LANES(SHA1DC, "x86-avx512-x16", 16, 112, AVX512 | SHANI,
		     X86(blocksha_sha1dc_avx512_x16)),
	DETECT_LANES(SHA1DC, "x86-avx2-x8", 8, 168, BLOCKSHA_CPU_AVX2,
		     X86(blocksha_sha1dc_avx2_x8)),
	DETECT_LANES(SHA1DC, "x86-shani-x4+gfni", 4, 66, SHANI | GFNI,
		     X86(blocksha_sha1dc_shani_x4_gfni)),
	DETECT_LANES(SHA1DC, "x86-shani-x4+avx2", 4, 75, SHANI | BLOCKSHA_CPU_AVX2,
		     X86(blocksha_sha1dc_shani_x4_avx2)),
	DETECT_LANES(SHA1DC, "x86-shani-x2+gfni", 2, 37, SHANI | GFNI,
		     X86(blocksha_sha1dc_shani_x2_gfni)),
	DETECT_LANES(SHA1DC, "x86-shani-x2+avx2", 2, 48, SHANI | BLOCKSHA_CPU_AVX2,
		     X86(blocksha_sha1dc_shani_x2_avx2)),
	DETECT(SHA1DC, "x86-shani+gfni", 31, SHANI | GFNI, X86(blocksha_sha1dc_shani_gfni)),
	DETECT(SHA1DC, "x86-shani+avx2", 33, SHANI | BLOCKSHA_CPU_AVX2,
	       X86(blocksha_sha1dc_shani_avx2)),
	DETECT(SHA1DC, "x86-avx2", 54, AVX2, X86(blocksha_sha1dc_avx2)),
	DETECT(SHA1DC, "x86-ssse3", 52, BLOCKSHA_CPU_SSSE3, X86(blocksha_sha1dc_ssse3)),
	DETECT(SHA1DC, "arm-sha", 33, BLOCKSHA_CPU_ARM_SHA1, ARM(blocksha_sha1dc_arm)),
	DETECT(SHA1DC, "portable", 73, 0, blocksha_sha1dc_portable),

	DETECT(SHA1DC_SHA256, "x86-shani+gfni", 41, SHANI | GFNI,
	       X86(blocksha_sha1dc_sha256_shani_gfni)),
	DETECT(SHA1DC_SHA256, "x86-shani+avx2", 46, SHANI | BLOCKSHA_CPU_AVX2,
	       X86(blocksha_sha1dc_sha256_shani_avx2)),
	DETECT(SHA1DC_SHA256, "portable", 210, 0, blocksha_sha1dc_sha256_portable),
};

const size_t blocksha_kernel_count = sizeof(blocksha_kernels) / sizeof(blocksha_kernels[0]);
