/* SPDX-License-Identifier: MIT */
/*
 * test_cpu.c - which instructions count as usable: machines that are not at hand, fed
 * to the decision as raw words, and the machine that runs the test.
 *
 * The bits stand here once more, as numbers from the manuals (Intel SDM volume 2, CPUID;
 * Linux, elf_hwcaps.rst), not by the names of cpu.c.
 */
#include "test.h"

#include "cpu.h"
#include "kernel.h"

#define OSXSAVE 0x08000000u
#define AVX 0x10000000u

/* Leaf 1, ECX: SSSE3 (bit 9) and SSE4.1 (bit 19), OSXSAVE (27), AVX (28). */
#define LEAF1_SSE 0x00080200u
#define LEAF1_ALL (LEAF1_SSE | OSXSAVE | AVX)
/* Leaf 7, EBX: BMI1 (3), AVX2 (5), BMI2 (8); SHA (29); AVX-512 F (16), DQ (17), BW (30),
   VL (31). */
#define LEAF7_HASWELL 0x00000128u
#define LEAF7_SHA 0x20000000u
#define LEAF7_SKYLAKE_X (LEAF7_HASWELL | 0xc0030000u)
#define LEAF7_ALL (LEAF7_SKYLAKE_X | LEAF7_SHA)
/* Leaf 7, ECX: AVX512_VBMI (1), GFNI (8). */
#define LEAF7C_ALL 0x00000102u

#define SSE (BLOCKSHA_CPU_SSSE3 | BLOCKSHA_CPU_SSE41)
#define HASWELL (SSE | BLOCKSHA_CPU_BMI1 | BLOCKSHA_CPU_BMI2 | BLOCKSHA_CPU_AVX2)
#define SKYLAKE_X                                                                         \
	(HASWELL | BLOCKSHA_CPU_AVX512F | BLOCKSHA_CPU_AVX512BW | BLOCKSHA_CPU_AVX512VL | \
	 BLOCKSHA_CPU_AVX512DQ)
#define ARM (BLOCKSHA_CPU_ARM_SHA1 | BLOCKSHA_CPU_ARM_SHA2)
#define X86_ALL (BLOCKSHA_CPU_ALL & ~(uint32_t)ARM)

static void check_features(uint32_t actual, uint32_t expected, const char *what)
{
	for (uint32_t bit = 1; bit < BLOCKSHA_CPU_ALL; bit <<= 1)
		CHECK_INT((actual & bit) != 0, (expected & bit) != 0, "%s on %s",
			  blocksha_cpu_feature_name(bit), what);
	CHECK_INT(actual, expected, "%s", what);
}

static const struct {
	const char *what;
	struct blocksha_cpu_raw raw;
	uint32_t usable;
} machines[] = {
	{"no CPUID and no HWCAP", {0, 0, 0, 0, 0, 0}, 0},
	{"everything there is", {0x20, ~0u, ~0u, ~0u, ~(uint64_t)0, ~0ul}, BLOCKSHA_CPU_ALL},
	{"SSE2 only", {1, 0, 0, 0, 0, 0}, 0},
	{"Core 2 (Merom: SSSE3)", {0xa, 0x200, 0, 0, 0, 0}, BLOCKSHA_CPU_SSSE3},
	{"Nehalem (SSE4.1)", {0xb, LEAF1_SSE, 0, 0, 0, 0}, SSE},
	{"Sandy Bridge (AVX, no AVX2)", {0xd, LEAF1_ALL, 0, 0, 7, 0}, SSE},
	{"Haswell", {0xd, LEAF1_ALL, LEAF7_HASWELL, 0, 7, 0}, HASWELL},
	{"Skylake-X", {0x16, LEAF1_ALL, LEAF7_SKYLAKE_X, 0, 0xe7, 0}, SKYLAKE_X},
	{"Zen 5", {0x10, LEAF1_ALL, LEAF7_ALL, LEAF7C_ALL, 0xe7, 0}, X86_ALL},
	{"Zen 2 (SHA, AVX2)",
	 {0x10, LEAF1_ALL, LEAF7_HASWELL | LEAF7_SHA, 0, 7, 0},
	 HASWELL | BLOCKSHA_CPU_SHA},
	{"Goldmont (SHA without AVX)",
	 {0x15, LEAF1_SSE | OSXSAVE, LEAF7_SHA, 0, 3, 0},
	 SSE | BLOCKSHA_CPU_SHA},

	/* The system or the hypervisor takes something away. */
	{"AVX2 without OSXSAVE (noxsave)",
	 {0xd, LEAF1_SSE | AVX, LEAF7_HASWELL, 0, 0, 0},
	 HASWELL & ~(uint32_t)BLOCKSHA_CPU_AVX2},
	{"the same, XCR0 faked as well",
	 {0xd, LEAF1_SSE | AVX, LEAF7_HASWELL, 0, 0xe7, 0},
	 HASWELL & ~(uint32_t)BLOCKSHA_CPU_AVX2},
	{"AVX2, the system saves x87 and xmm",
	 {0xd, LEAF1_ALL, LEAF7_HASWELL, 0, 3, 0},
	 HASWELL & ~(uint32_t)BLOCKSHA_CPU_AVX2},
	{"AVX2, XCR0 has ymm without xmm",
	 {0xd, LEAF1_ALL, LEAF7_HASWELL, 0, 5, 0},
	 HASWELL & ~(uint32_t)BLOCKSHA_CPU_AVX2},
	{"AVX2 bit without AVX bit",
	 {0xd, LEAF1_SSE | OSXSAVE, LEAF7_HASWELL, 0, 7, 0},
	 HASWELL & ~(uint32_t)BLOCKSHA_CPU_AVX2},
	{"AVX-512, the system saves ymm", {0x16, LEAF1_ALL, LEAF7_SKYLAKE_X, 0, 7, 0}, HASWELL},
	{"AVX-512, no mask registers", {0x16, LEAF1_ALL, LEAF7_SKYLAKE_X, 0, 0xc7, 0}, HASWELL},
	{"AVX-512, no upper halves", {0x16, LEAF1_ALL, LEAF7_SKYLAKE_X, 0, 0xa7, 0}, HASWELL},
	{"AVX-512, no zmm16-31", {0x16, LEAF1_ALL, LEAF7_SKYLAKE_X, 0, 0x67, 0}, HASWELL},
	{"AVX-512, zmm without ymm",
	 {0x16, LEAF1_ALL, LEAF7_SKYLAKE_X, 0, 0xe3, 0},
	 HASWELL & ~(uint32_t)BLOCKSHA_CPU_AVX2},
	{"AVX-512 without OSXSAVE",
	 {0x16, LEAF1_SSE | AVX, LEAF7_ALL, LEAF7C_ALL, 0xe7, 0},
	 SSE | BLOCKSHA_CPU_SHA | BLOCKSHA_CPU_BMI1 | BLOCKSHA_CPU_BMI2 | BLOCKSHA_CPU_GFNI},
	{"Zen 5, hypervisor masks SHA",
	 {0x10, LEAF1_ALL, LEAF7_ALL & ~LEAF7_SHA, LEAF7C_ALL, 0xe7, 0},
	 X86_ALL & ~(uint32_t)BLOCKSHA_CPU_SHA},

	/* SHA asks for SSSE3 and SSE4.1. */
	{"SHA without SSSE3", {7, 0x80000, LEAF7_SHA, 0, 0, 0}, BLOCKSHA_CPU_SSE41},
	{"SHA without SSE4.1", {7, 0x200, LEAF7_SHA, 0, 0, 0}, BLOCKSHA_CPU_SSSE3},
	{"SHA alone", {7, 0, LEAF7_SHA, 0, 0, 0}, 0},

	/* A leaf above the maximum is not to be believed. */
	{"maximum leaf 6", {6, ~0u, ~0u, ~0u, 0xe7, 0}, SSE},
	{"maximum leaf 2 (firmware limits CPUID)", {2, ~0u, ~0u, ~0u, 0xe7, 0}, SSE},
	{"maximum leaf 0", {0, ~0u, ~0u, ~0u, 0xe7, 0}, 0},

	/* AArch64: SHA1 is bit 5, SHA2 bit 6. */
	{"Raspberry Pi 3 and 4 (no crypto)", {0, 0, 0, 0, 0, 0x83}, 0},
	{"Cortex-A57", {0, 0, 0, 0, 0, 0xff}, ARM},
	{"SHA-1 alone", {0, 0, 0, 0, 0, 0x20}, BLOCKSHA_CPU_ARM_SHA1},
	{"SHA-256 alone", {0, 0, 0, 0, 0, 0x40}, BLOCKSHA_CPU_ARM_SHA2},
	{"all but these", {0, 0, 0, 0, 0, ~0x60ul}, 0},
};

static void test_faked_machines(void)
{
	for (size_t i = 0; i < TEST_COUNT(machines); i++)
		check_features(blocksha_cpu_decide(&machines[i].raw), machines[i].usable,
			       machines[i].what);
}

enum { WORDS = 5 };

/* Word 0: leaf 1 ECX; 1, 2: leaf 7 EBX, ECX; 3: XCR0; 4: HWCAP. */
static void clear_bit(struct blocksha_cpu_raw *raw, unsigned word, unsigned bit)
{
	if (word == 0)
		raw->leaf1_ecx &= ~((uint32_t)1 << bit);
	else if (word == 1)
		raw->leaf7_ebx &= ~((uint32_t)1 << bit);
	else if (word == 2)
		raw->leaf7_ecx &= ~((uint32_t)1 << bit);
	else if (word == 3)
		raw->xcr0 &= ~((uint64_t)1 << bit);
	else
		raw->hwcap &= ~(1ul << bit);
}

/* From a machine that has everything, each bit is taken away alone: all that depends on it
   goes, and nothing else. */
static void test_one_bit_missing(void)
{
	const uint32_t avx512 = BLOCKSHA_CPU_AVX512F | BLOCKSHA_CPU_AVX512BW |
				BLOCKSHA_CPU_AVX512VL | BLOCKSHA_CPU_AVX512DQ |
				BLOCKSHA_CPU_AVX512VBMI;
	const uint32_t avx = BLOCKSHA_CPU_AVX2 | avx512;
	const struct {
		unsigned word, bit; /* as clear_bit takes them */
		uint32_t gone;
	} needs[] = {
		{0, 9, BLOCKSHA_CPU_SSSE3 | BLOCKSHA_CPU_SHA},
		{0, 19, BLOCKSHA_CPU_SSE41 | BLOCKSHA_CPU_SHA},
		{0, 27, avx},
		{0, 28, avx},
		{1, 3, BLOCKSHA_CPU_BMI1},
		{1, 5, avx},
		{1, 8, BLOCKSHA_CPU_BMI2},
		{1, 16, avx512},
		{1, 17, BLOCKSHA_CPU_AVX512DQ},
		{1, 29, BLOCKSHA_CPU_SHA},
		{1, 30, BLOCKSHA_CPU_AVX512BW},
		{1, 31, BLOCKSHA_CPU_AVX512VL},
		{2, 1, BLOCKSHA_CPU_AVX512VBMI},
		{2, 8, BLOCKSHA_CPU_GFNI},
		{3, 1, avx},
		{3, 2, avx},
		{3, 5, avx512},
		{3, 6, avx512},
		{3, 7, avx512},
		{4, 5, BLOCKSHA_CPU_ARM_SHA1},
		{4, 6, BLOCKSHA_CPU_ARM_SHA2},
	};

	for (unsigned word = 0; word < WORDS; word++)
		for (unsigned bit = 0; bit < 32; bit++) {
			struct blocksha_cpu_raw raw = {7, ~0u, ~0u, ~0u, ~(uint64_t)0, ~0ul};
			uint32_t expected = BLOCKSHA_CPU_ALL;
			char what[40];

			clear_bit(&raw, word, bit);
			snprintf(what, sizeof(what), "all but word %u bit %u", word, bit);
			for (size_t i = 0; i < TEST_COUNT(needs); i++)
				if (needs[i].word == word && needs[i].bit == bit)
					expected &= ~needs[i].gone;
			check_features(blocksha_cpu_decide(&raw), expected, what);
		}
}

static void test_names(void)
{
	for (uint32_t bit = 1; bit < BLOCKSHA_CPU_ALL; bit <<= 1) {
		const char *name = blocksha_cpu_feature_name(bit);

		CHECK(name != NULL && name[0] != '\0', "bit %" PRIx32, bit);
		for (uint32_t other = 1; name != NULL && other < bit; other <<= 1)
			CHECK(strcmp(name, blocksha_cpu_feature_name(other)) != 0, "%s", name);
	}
	CHECK(blocksha_cpu_feature_name(0) == NULL, "no bit");
	CHECK(blocksha_cpu_feature_name(BLOCKSHA_CPU_ALL + 1) == NULL, "above all bits");
	CHECK(strcmp(blocksha_cpu_feature_name(BLOCKSHA_CPU_SHA), "sha") == 0, "SHA");
	CHECK(strcmp(blocksha_cpu_feature_name(BLOCKSHA_CPU_AVX512VBMI), "avx512vbmi") == 0,
	      "VBMI");
	CHECK(strcmp(blocksha_cpu_feature_name(BLOCKSHA_CPU_SHA | BLOCKSHA_CPU_GFNI), "sha") == 0,
	      "the lowest");
}

/* --- Rows of the table ----------------------------------------------------- */

/* What a machine must have for a kernel, as far as the kernel's name says which
   instructions it executes. */
struct demand {
	const char *name;
	enum blocksha_algorithm algorithm; /* BLOCKSHA_ALGORITHMS: of any */
	struct blocksha_cpu_raw raw;
};

static const struct demand demands[] = {
	{"portable", BLOCKSHA_ALGORITHMS, {0, 0, 0, 0, 0, 0}},
	{"x86-ssse3", BLOCKSHA_ALGORITHMS, {1, 0x200, 0, 0, 0, 0}},
	{"x86-avx2", BLOCKSHA_ALGORITHMS, {7, OSXSAVE | AVX, LEAF7_HASWELL, 0, 6, 0}},
	{"x86-avx2-x8", BLOCKSHA_ALGORITHMS, {7, OSXSAVE | AVX, 0x20, 0, 6, 0}},
	/* These check their last candidates with the SHA instructions. */
	{"x86-avx512-x16",
	 BLOCKSHA_SHA1DC,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0x40010020, 0, 0xe6, 0}},
	{"x86-avx512-x32",
	 BLOCKSHA_SHA1DC,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0x40010020, 0, 0xe6, 0}},
	{"x86-avx512-x16", BLOCKSHA_ALGORITHMS, {7, OSXSAVE | AVX, 0x40010020, 0, 0xe6, 0}},
	{"x86-avx512-x32", BLOCKSHA_ALGORITHMS, {7, OSXSAVE | AVX, 0x40010020, 0, 0xe6, 0}},
	{"x86-shani", BLOCKSHA_ALGORITHMS, {7, LEAF1_SSE, LEAF7_SHA, 0, 0, 0}},
	{"x86-shani-x2", BLOCKSHA_ALGORITHMS, {7, LEAF1_SSE, LEAF7_SHA, 0, 0, 0}},
	{"x86-shani-x4", BLOCKSHA_ALGORITHMS, {7, LEAF1_SSE, LEAF7_SHA, 0, 0, 0}},
	{"x86-shani+gfni",
	 BLOCKSHA_ALGORITHMS,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0xc0010020, 0x102, 0xe6, 0}},
	{"x86-shani+avx2",
	 BLOCKSHA_ALGORITHMS,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0x20, 0, 6, 0}},
	{"x86-shani-x2+gfni",
	 BLOCKSHA_ALGORITHMS,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0xc0010020, 0x102, 0xe6, 0}},
	{"x86-shani-x2+avx2",
	 BLOCKSHA_ALGORITHMS,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0x20, 0, 6, 0}},
	{"x86-shani-x4+gfni",
	 BLOCKSHA_ALGORITHMS,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0xc0010020, 0x102, 0xe6, 0}},
	{"x86-shani-x4+avx2",
	 BLOCKSHA_ALGORITHMS,
	 {7, LEAF1_SSE | OSXSAVE | AVX, LEAF7_SHA | 0x20, 0, 6, 0}},
	{"arm-sha", BLOCKSHA_SHA1DC, {0, 0, 0, 0, 0, 0x20}},
	{"arm-sha", BLOCKSHA_SHA1, {0, 0, 0, 0, 0, 0x20}},
	{"arm-sha", BLOCKSHA_SHA256, {0, 0, 0, 0, 0, 0x40}},
};

static const struct demand *demand_of(const struct blocksha_kernel *row)
{
	for (size_t i = 0; i < TEST_COUNT(demands); i++)
		if (strcmp(demands[i].name, row->name) == 0 &&
		    (demands[i].algorithm == BLOCKSHA_ALGORITHMS ||
		     demands[i].algorithm == row->algorithm))
			return &demands[i];
	return NULL;
}

static bool meets(const struct blocksha_cpu_raw *raw, const struct blocksha_cpu_raw *demand)
{
	return raw->max_leaf >= demand->max_leaf && (demand->leaf1_ecx & ~raw->leaf1_ecx) == 0 &&
	       (demand->leaf7_ebx & ~raw->leaf7_ebx) == 0 &&
	       (demand->leaf7_ecx & ~raw->leaf7_ecx) == 0 && (demand->xcr0 & ~raw->xcr0) == 0 &&
	       (demand->hwcap & ~raw->hwcap) == 0;
}

/* The decision for every row on this machine. */
static void check_rows(const struct blocksha_cpu_raw *raw, const char *what)
{
	uint32_t usable = blocksha_cpu_decide(raw);

	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = &blocksha_kernels[i];
		const struct demand *demand = demand_of(row);

		if (demand != NULL)
			CHECK_INT((row->needs & ~usable) == 0, meets(raw, &demand->raw),
				  "%s: %s on %s", blocksha_algorithm_name(row->algorithm),
				  row->name, what);
	}
}

static void test_rows(void)
{
	const struct blocksha_cpu_raw all = {7, ~0u, ~0u, ~0u, ~(uint64_t)0, ~0ul};
	char what[80];

	for (size_t i = 0; i < blocksha_kernel_count; i++)
		CHECK(demand_of(&blocksha_kernels[i]) != NULL,
		      "this test does not know what %s needs", blocksha_kernels[i].name);
	for (size_t i = 0; i < TEST_COUNT(machines); i++)
		check_rows(&machines[i].raw, machines[i].what);

	/* What a kernel needs and not a bit more; all but one bit; leaf after leaf. */
	for (size_t i = 0; i < TEST_COUNT(demands); i++) {
		snprintf(what, sizeof(what), "a machine for %s alone", demands[i].name);
		check_rows(&demands[i].raw, what);
	}
	for (unsigned word = 0; word < WORDS; word++)
		for (unsigned bit = 0; bit < 32; bit++) {
			struct blocksha_cpu_raw raw = all;

			clear_bit(&raw, word, bit);
			snprintf(what, sizeof(what), "all but word %u bit %u", word, bit);
			check_rows(&raw, what);
		}
	for (uint32_t leaf = 0; leaf <= 0x20; leaf++) {
		struct blocksha_cpu_raw raw = all;

		raw.max_leaf = leaf;
		snprintf(what, sizeof(what), "maximum leaf %" PRIu32, leaf);
		check_rows(&raw, what);
	}
}

/* A few bits missing at random, so that two of them meet. */
static void test_random_machines(void)
{
	unsigned rounds = test_rounds(20000);

	for (unsigned round = 0; round < rounds; round++) {
		struct blocksha_cpu_raw raw = {7, ~0u, ~0u, ~0u, ~(uint64_t)0, ~0ul};
		char what[80];

		for (size_t missing = test_random_below(12); missing > 0; missing--)
			clear_bit(&raw, (unsigned)test_random_below(WORDS),
				  (unsigned)test_random_below(32));
		snprintf(what, sizeof(what),
			 "%08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %" PRIx64 " %lx", raw.leaf1_ecx,
			 raw.leaf7_ebx, raw.leaf7_ecx, raw.xcr0, raw.hwcap);
		check_rows(&raw, what);
	}
}

/* The library believes its own decision. */
static void test_rows_here(void)
{
	struct blocksha_cpu_raw raw;

	blocksha_cpu_read(&raw);
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = &blocksha_kernels[i];
		const struct demand *demand = demand_of(row);
		bool compiled = row->compress != NULL || row->compress_lanes != NULL ||
				row->detect != NULL || row->detect_lanes != NULL;

		if (demand != NULL)
			CHECK_INT(blocksha_kernel_usable(row),
				  compiled && meets(&raw, &demand->raw), "%s: %s",
				  blocksha_algorithm_name(row->algorithm), row->name);
	}
}

/* --- This machine ---------------------------------------------------------- */

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))

/* The compiler's run-time library decides by its own code. */
static void test_this_machine(void)
{
	struct blocksha_cpu_raw raw;
	uint32_t usable;

	blocksha_cpu_read(&raw);
	usable = blocksha_cpu_decide(&raw);
	CHECK(raw.hwcap == 0, "x86");
	__builtin_cpu_init();
#define SAME(bit, name) \
	CHECK_INT((usable & (bit)) != 0, __builtin_cpu_supports(name) != 0, "%s", name)
	SAME(BLOCKSHA_CPU_SSSE3, "ssse3");
	SAME(BLOCKSHA_CPU_SSE41, "sse4.1");
	SAME(BLOCKSHA_CPU_BMI1, "bmi");
	SAME(BLOCKSHA_CPU_BMI2, "bmi2");
	SAME(BLOCKSHA_CPU_AVX2, "avx2");
	SAME(BLOCKSHA_CPU_AVX512F, "avx512f");
	SAME(BLOCKSHA_CPU_AVX512BW, "avx512bw");
	SAME(BLOCKSHA_CPU_AVX512VL, "avx512vl");
	SAME(BLOCKSHA_CPU_AVX512DQ, "avx512dq");
	SAME(BLOCKSHA_CPU_AVX512VBMI, "avx512vbmi");
/* It knows the name "sha" since gcc 11; clang 14 does not, clang 19 does. */
#if (defined(__clang__) && __clang_major__ >= 19) || (!defined(__clang__) && __GNUC__ >= 11)
	SAME(BLOCKSHA_CPU_SHA, "sha");
#else
	test_unavailable("this compiler's library does not know SHA");
#endif
}

#elif defined(__aarch64__) && defined(__linux__)

/* The kernel's own list, read as a file. */
static void test_this_machine(void)
{
	struct blocksha_cpu_raw raw;
	unsigned long entry[2], hwcap = 0;
	FILE *file = fopen("/proc/self/auxv", "rb");

	if (file == NULL) {
		test_unavailable("/proc/self/auxv");
		return;
	}
	while (fread(entry, sizeof entry, 1, file) == 1)
		if (entry[0] == 16) /* AT_HWCAP */
			hwcap = entry[1];
	fclose(file);
	blocksha_cpu_read(&raw);
	CHECK_INT(raw.max_leaf, 0, "AArch64");
	CHECK(raw.hwcap == hwcap, "%lx and %lx", raw.hwcap, hwcap);
	check_features(blocksha_cpu_decide(&raw),
		       (hwcap & 0x20 ? (uint32_t)BLOCKSHA_CPU_ARM_SHA1 : 0) |
			       (hwcap & 0x40 ? (uint32_t)BLOCKSHA_CPU_ARM_SHA2 : 0),
		       "this machine");
}

#else

static void test_this_machine(void)
{
#if !defined(__APPLE__)
	struct blocksha_cpu_raw raw;

	blocksha_cpu_read(&raw);
	CHECK_INT(blocksha_cpu_decide(&raw), 0, "a CPU without kernels of its own");
#else
	test_unavailable("nothing to compare the features of this machine with");
#endif
}

#endif

int main(int argc, char **argv)
{
	struct blocksha_cpu_raw raw;
	uint32_t usable;

	test_begin(argc, argv);
	blocksha_cpu_read(&raw);
	usable = blocksha_cpu_decide(&raw);
	printf("usable here:");
	for (uint32_t bit = 1; bit < BLOCKSHA_CPU_ALL; bit <<= 1)
		if (usable & bit)
			printf(" %s", blocksha_cpu_feature_name(bit));
	printf("\n");
	TEST_RUN(test_faked_machines);
	TEST_RUN(test_one_bit_missing);
	TEST_RUN(test_names);
	TEST_RUN(test_rows);
	TEST_RUN(test_random_machines);
	TEST_RUN(test_this_machine);
	TEST_RUN(test_rows_here);
	return test_end();
}
