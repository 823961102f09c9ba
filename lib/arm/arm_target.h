/* SPDX-License-Identifier: MIT */
/*
 * arm_target.h - whether, and how, this compiler makes the SHA instructions of ARMv8.
 *
 * BLOCKSHA_ARM_SHA is 1 if the kernels of this folder are compiled, else 0. It is 1 on
 * AArch64
 *
 * - when the instructions are part of what is compiled for anyhow (all of Apple's CPUs,
 *   or -march=armv8-a+crypto);
 * - with gcc, and with clang from version 16 on, through the attribute ARM_TARGET of each
 *   function. Older clang ignores that attribute without an error.
 *
 * A build that gives -march=armv8-a+crypto to the files of this folder alone has to
 * define BLOCKSHA_ARM_SHA=1 for all files, because the table of kernels asks it too.
 *
 * ACLE's macro for SHA-1 and SHA-256 together is __ARM_FEATURE_SHA2; older compilers have
 * __ARM_FEATURE_CRYPTO. gcc 12 takes "+crypto" in the attribute but not "+sha2". Big-endian
 * AArch64 could not be tested and takes the portable kernels.
 */
#ifndef BLOCKSHA_ARM_TARGET_H
#define BLOCKSHA_ARM_TARGET_H

#if defined(__ARM_FEATURE_SHA2) || defined(__ARM_FEATURE_CRYPTO)
#define ARM_TARGET
#else
#define ARM_TARGET __attribute__((target("+crypto")))
#endif

#ifndef BLOCKSHA_ARM_SHA
#if !defined(__aarch64__) || defined(__AARCH64EB__)
#define BLOCKSHA_ARM_SHA 0
#elif defined(__ARM_FEATURE_SHA2) || defined(__ARM_FEATURE_CRYPTO)
#define BLOCKSHA_ARM_SHA 1
#elif defined(__clang__)
#define BLOCKSHA_ARM_SHA (__clang_major__ >= 16)
#elif defined(__GNUC__)
#define BLOCKSHA_ARM_SHA 1
#else
#define BLOCKSHA_ARM_SHA 0
#endif
#endif

#endif
