/* SPDX-License-Identifier: MIT */
/*
 * test_kernels.c - every kernel of the table by name, whichever of them the library
 * prefers, against the textbook and against the portable kernel of its algorithm.
 */
#include "test.h"

#include "blocksha.h"
#include "kernel.h"
#include "textbook.h"

enum { MAX_BLOCKS = 20, OFFSETS = 64, BLOCK = BLOCKSHA_BLOCK_SIZE };

static const struct textbook *const textbooks[BLOCKSHA_ALGORITHMS] = {
	[BLOCKSHA_SHA1] = &textbook_sha1,
	[BLOCKSHA_SHA256] = &textbook_sha256,
};

/* --- The table ------------------------------------------------------------- */

static const struct blocksha_kernel *portable_of(enum blocksha_algorithm algorithm)
{
	for (const struct blocksha_kernel *k = blocksha_kernels; k->name != NULL; k++)
		if (k->algorithm == algorithm && strcmp(k->name, "portable") == 0)
			return k;
	return NULL;
}

static bool is_in_table(const struct blocksha_kernel *kernel)
{
	for (const struct blocksha_kernel *k = blocksha_kernels; k->name != NULL; k++)
		if (k == kernel)
			return true;
	return false;
}

/* Rows of one algorithm stand together and end with the portable one; a name occurs
   once in an algorithm; what the library selects is a row of the right algorithm. */
static void test_table(void)
{
	for (const struct blocksha_kernel *k = blocksha_kernels; k->name != NULL; k++) {
		CHECK((unsigned)k->algorithm < BLOCKSHA_ALGORITHMS, "%s", k->name);
		CHECK(k->compress != NULL, "%s", k->name);
		CHECK((strcmp(k->name, "portable") == 0) == (k[1].algorithm != k->algorithm),
		      "portable ends its algorithm, and nothing else does: %s", k->name);
		for (const struct blocksha_kernel *l = k + 1; l->name != NULL; l++)
			CHECK(k->algorithm != l->algorithm || strcmp(k->name, l->name) != 0,
			      "%s stands twice in the table", k->name);
	}
	for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
		const struct blocksha_kernel *selected = blocksha_kernel_for(a);

		CHECK(textbooks[a] != NULL, "algorithm %u has no reference here", a);
		CHECK(portable_of(a) != NULL, "algorithm %u", a);
		CHECK(is_in_table(selected), "algorithm %u", a);
		CHECK_INT(selected->algorithm, a, "selected for algorithm %u", a);
	}
}

/* --- One kernel ------------------------------------------------------------ */

/* Memory for one call: blocks between guard pages, and the state between others. */
struct place {
	struct test_guarded data, state;
	unsigned char copy[OFFSETS + MAX_BLOCKS * BLOCK]; /* of the blocks before the call */
};

/* Calls kernel with a random state, which lies at one end of its page, for nblocks
   random blocks at data; compares with both references. */
static void check_call(const struct blocksha_kernel *kernel, struct place *place,
		       unsigned char *data, size_t nblocks, const char *where)
{
	const struct textbook *textbook = textbooks[kernel->algorithm];
	size_t state_size = 4 * textbook->words;
	void *state_at =
		test_random_below(2) == 0 ? place->state.begin : place->state.end - state_size;
	uint32_t *state = state_at;
	uint32_t expected[TEXTBOOK_MAX_WORDS], portable[TEXTBOOK_MAX_WORDS];

	test_random_bytes(data, BLOCK * nblocks);
	memcpy(place->copy, data, BLOCK * nblocks);
	test_random_bytes(state, state_size);
	memcpy(expected, state, state_size);
	memcpy(portable, state, state_size);
	for (size_t i = 0; i < nblocks; i++)
		textbook->block(expected, data + BLOCK * i);
	portable_of(kernel->algorithm)->compress(portable, data, nblocks);

	kernel->compress(state, data, nblocks);
	CHECK_BYTES(state, expected, state_size, "%s: %s, %zu blocks %s", textbook->name,
		    kernel->name, nblocks, where);
	CHECK_BYTES(state, portable, state_size, "%s: %s and portable, %zu blocks %s",
		    textbook->name, kernel->name, nblocks, where);
	CHECK(memcmp(place->copy, data, BLOCK * nblocks) == 0, "%s: %s wrote into its input",
	      textbook->name, kernel->name);
}

/* offset bytes behind the first page, and offset bytes before the last one. With
   offset 0 the blocks touch the guard page. */
static void check_pages(const struct blocksha_kernel *kernel, struct place *place)
{
	char where[64];

	for (size_t offset = 0; offset < OFFSETS; offset++)
		for (size_t n = 0; n <= MAX_BLOCKS; n++) {
			snprintf(where, sizeof(where), "%zu bytes behind a guard page", offset);
			check_call(kernel, place, place->data.begin + offset, n, where);
			snprintf(where, sizeof(where), "%zu bytes before a guard page", offset);
			check_call(kernel, place, place->data.end - offset - BLOCK * n, n, where);
		}
}

/* In a heap block that ends with the data at any alignment, for sanitizers and
   valgrind: a guard page is touched at offset 0 only. */
static void check_heap(const struct blocksha_kernel *kernel, struct place *place)
{
	char where[64];

	for (size_t offset = 0; offset < OFFSETS; offset++)
		for (size_t n = 1; n <= 5; n++) {
			unsigned char *heap = malloc(offset + BLOCK * n);

			TEST_REQUIRE(heap != NULL, "malloc");
			snprintf(where, sizeof(where), "at offset %zu of the heap", offset);
			check_call(kernel, place, heap + offset, n, where);
			free(heap);
		}
}

/* One call for all blocks equals one call for each. */
static void check_many_blocks(const struct blocksha_kernel *kernel)
{
	const struct textbook *textbook = textbooks[kernel->algorithm];
	size_t nblocks = 500 + test_random_below(500);
	unsigned char *data = malloc(BLOCK * nblocks);
	uint32_t together[TEXTBOOK_MAX_WORDS], single[TEXTBOOK_MAX_WORDS];

	TEST_REQUIRE(data != NULL, "malloc");
	test_random_bytes(data, BLOCK * nblocks);
	memcpy(together, textbook->initial, sizeof(together));
	memcpy(single, textbook->initial, sizeof(single));
	kernel->compress(together, data, nblocks);
	for (size_t i = 0; i < nblocks; i++)
		kernel->compress(single, data + BLOCK * i, 1);
	CHECK_BYTES(together, single, 4 * textbook->words, "%s: %s, %zu blocks", textbook->name,
		    kernel->name, nblocks);
	free(data);
}

static void test_kernel(const struct blocksha_kernel *kernel, struct place *place)
{
	unsigned failures = test_failures;

	printf("%s: %s ...", textbooks[kernel->algorithm]->name, kernel->name);
	fflush(stdout);
	check_pages(kernel, place);
	check_heap(kernel, place);
	check_many_blocks(kernel);
	printf(test_failures == failures ? " OK\n" : " FAILED\n");
}

static void test_kernels(void)
{
	static struct place place;

	place.data = test_guarded_new(OFFSETS + MAX_BLOCKS * BLOCK);
	place.state = test_guarded_new(4 * TEXTBOOK_MAX_WORDS);
	for (const struct blocksha_kernel *k = blocksha_kernels; k->name != NULL; k++)
		test_kernel(k, &place);
	test_guarded_free(&place.data);
	test_guarded_free(&place.state);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_table);
	TEST_RUN(test_kernels);
	return test_end();
}
