/* SPDX-License-Identifier: MIT */
/*
 * test.h - the harness of the C tests: checks, random numbers with a printed
 * seed, memory between guard pages.
 *
 *     int main(int argc, char **argv)
 *     {
 *             test_begin(argc, argv);
 *             TEST_RUN(test_something);
 *             return test_end();
 *     }
 *
 * Exit status: 0 all checks passed, 1 a check failed, 77 nothing could be tested.
 *
 * Include it before any other header: it asks the system's headers for mmap.
 *
 * A run is repeated by its seed: as first argument or in BLOCKSHA_TEST_SEED.
 * BLOCKSHA_TEST_QUICK=1 makes the random tests shorter, for emulators and valgrind;
 * nothing that is not random is left out.
 */
#ifndef BLOCKSHA_TEST_H
#define BLOCKSHA_TEST_H

#if !defined(_GNU_SOURCE) && (defined(__unix__) || defined(__APPLE__))
#define _GNU_SOURCE /* MAP_ANONYMOUS, MAP_FIXED */
#endif

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__unix__) || defined(__APPLE__)
#define TEST_HAVE_MMAP 1
#include <sys/mman.h>
#include <unistd.h>
#else
#define TEST_HAVE_MMAP 0
#endif

#define TEST_SKIPPED 77
#define TEST_MAX_FAILURES 20 /* then the program ends: more says nothing new */

#define TEST_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#if defined(__GNUC__)
#define TEST_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TEST_PRINTF(text, first)
#endif

static uint64_t test_seed;
static uint64_t test_random_state;
static unsigned long test_checks;
static unsigned test_failures;

/* --- Checks ---------------------------------------------------------------- */

/* All take a printf format and its arguments, which say which case it is. */
#define CHECK(condition, ...) test_check(__FILE__, __LINE__, #condition, (condition), __VA_ARGS__)
#define CHECK_INT(actual, expected, ...) \
	test_check_int(__FILE__, __LINE__, #actual, (actual), (expected), __VA_ARGS__)
#define CHECK_BYTES(actual, expected, size, ...) \
	test_check_bytes(__FILE__, __LINE__, #actual, (actual), (expected), (size), __VA_ARGS__)

/* For what must hold before a test can start (memory, files): ends the program. */
#define TEST_REQUIRE(condition, what) \
	do {                          \
		if (!(condition)) {   \
			perror(what); \
			exit(1);      \
		}                     \
	} while (0)

#define TEST_RUN(function)                 \
	do {                               \
		printf("%s\n", #function); \
		function();                \
	} while (0)

static inline void test_fail(void)
{
	if (++test_failures < TEST_MAX_FAILURES)
		return;
	printf("%u checks failed, seed %" PRIu64 "; giving up\n", test_failures, test_seed);
	exit(1);
}

TEST_PRINTF(5, 6)
static inline void test_check(const char *file, int line, const char *text, bool passed,
			      const char *format, ...)
{
	va_list args;

	test_checks++;
	if (passed)
		return;
	printf("%s:%d: FAILED: %s: ", file, line, text);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	test_fail();
}

TEST_PRINTF(6, 7)
static inline void test_check_int(const char *file, int line, const char *text, long long actual,
				  long long expected, const char *format, ...)
{
	va_list args;

	test_checks++;
	if (actual == expected)
		return;
	printf("%s:%d: FAILED: %s is %lld, not %lld: ", file, line, text, actual, expected);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	test_fail();
}

static inline void test_print_bytes(const char *label, const unsigned char *bytes, size_t size)
{
	printf("  %s ", label);
	for (size_t i = 0; i < size; i++)
		printf("%02x", bytes[i]);
	printf("\n");
}

TEST_PRINTF(7, 8)
static inline void test_check_bytes(const char *file, int line, const char *text,
				    const void *actual, const void *expected, size_t size,
				    const char *format, ...)
{
	va_list args;

	test_checks++;
	if (memcmp(actual, expected, size) == 0)
		return;
	printf("%s:%d: FAILED: %s: ", file, line, text);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	test_print_bytes("is       ", actual, size);
	test_print_bytes("should be", expected, size);
	test_fail();
}

/* Says that something cannot be tested here, and why. */
TEST_PRINTF(1, 2)
static inline void test_unavailable(const char *format, ...)
{
	va_list args;

	printf("UNAVAILABLE: ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

static inline bool test_is_filled(const void *memory, unsigned char value, size_t size)
{
	const unsigned char *bytes = memory;

	for (size_t i = 0; i < size; i++)
		if (bytes[i] != value)
			return false;
	return true;
}

/* --- Begin and end --------------------------------------------------------- */

static inline bool test_quick(void)
{
	const char *value = getenv("BLOCKSHA_TEST_QUICK");

	return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

/* How many rounds of a random test to make. */
static inline unsigned test_rounds(unsigned full)
{
	return test_quick() ? full / 10 + 1 : full;
}

static inline void test_begin(int argc, char **argv)
{
	const char *text = argc > 1 ? argv[1] : getenv("BLOCKSHA_TEST_SEED");

	/* What was printed must be there when a guard page stops the program. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	if (text != NULL) {
		test_seed = strtoull(text, NULL, 0);
	} else {
		struct timespec now = {0};

		(void)timespec_get(&now, TIME_UTC);
		test_seed = (uint64_t)now.tv_sec * 1000000007 + (uint64_t)now.tv_nsec;
	}
	test_random_state = test_seed;
	printf("seed %" PRIu64 "%s\n", test_seed, test_quick() ? " (quick)" : "");
}

static inline int test_end(void)
{
	if (test_failures != 0) {
		printf("%u of %lu checks FAILED, seed %" PRIu64 "\n", test_failures, test_checks,
		       test_seed);
		return 1;
	}
	if (test_checks == 0) {
		printf("nothing was tested\n");
		return TEST_SKIPPED;
	}
	printf("%lu checks passed\n", test_checks);
	return 0;
}

/* --- Random and fixed bytes ------------------------------------------------ */

/* splitmix64 (Steele, Lea, Flood, OOPSLA 2014): any seed is good, no two outputs
   of a period of 2^64 are equal. */
static inline uint64_t test_random(void)
{
	uint64_t z = test_random_state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* 0 .. limit - 1 */
static inline size_t test_random_below(size_t limit)
{
	return (size_t)(test_random() % limit);
}

static inline void test_random_bytes(void *out, size_t size)
{
	unsigned char *bytes = out;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(test_random() >> 56);
}

/*
 * The first bytes of one fixed stream, for which expected values are kept: byte i
 * is the highest byte of x[i + 1], where x[0] = 0 and
 * x[i + 1] = x[i] * 6364136223846793005 + 1442695040888963407 mod 2^64
 * (Knuth's MMIX generator, TAOCP 2, 3.3.4). Its period is 2^64: no two blocks of a
 * message are alike, so that a kernel that takes the wrong block is found.
 * make_expected.py has the same stream.
 */
static inline void test_stream(void *out, size_t size)
{
	unsigned char *bytes = out;
	uint64_t x = 0;

	for (size_t i = 0; i < size; i++) {
		x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		bytes[i] = (unsigned char)(x >> 56);
	}
}

/* Decodes hex, which must be size bytes long: the tests' own constants. */
static inline void test_from_hex(unsigned char *out, const char *hex, size_t size)
{
	bool good = strlen(hex) == 2 * size;

	for (size_t i = 0; good && i < size; i++) {
		char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
		char *end;

		out[i] = (unsigned char)strtoul(pair, &end, 16);
		good = end == pair + 2;
	}
	if (!good) {
		printf("not %zu bytes in hexadecimal: %s\n", size, hex);
		exit(1);
	}
}

/* --- Guard pages ----------------------------------------------------------- */

/* Bytes begin .. end - 1 can be used; the bytes just before and just behind them
   belong to pages that may not be touched. Where there is no mmap, the heap stands
   in (a sanitizer then sees what a guard page would have seen). */
struct test_guarded {
	unsigned char *begin, *end;
	unsigned char *mapping;
	size_t mapping_size;
};

/* At least size bytes. */
static inline struct test_guarded test_guarded_new(size_t size)
{
	struct test_guarded g;
#if TEST_HAVE_MMAP
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t usable = (size + page - 1) / page * page;
	void *mapping;

	g.mapping_size = usable + 2 * page;
	mapping = mmap(NULL, g.mapping_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	TEST_REQUIRE(mapping != MAP_FAILED, "mmap");
	g.mapping = mapping;
	g.begin = g.mapping + page;
	g.end = g.begin + usable;
	TEST_REQUIRE(mprotect(g.begin, usable, PROT_READ | PROT_WRITE) == 0, "mprotect");
#else
	g.mapping_size = size;
	g.mapping = malloc(size);
	TEST_REQUIRE(g.mapping != NULL, "malloc");
	g.begin = g.mapping;
	g.end = g.begin + size;
#endif
	return g;
}

static inline void test_guarded_free(struct test_guarded *g)
{
#if TEST_HAVE_MMAP
	TEST_REQUIRE(munmap(g->mapping, g->mapping_size) == 0, "munmap");
#else
	free(g->mapping);
#endif
}

#endif
