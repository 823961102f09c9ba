/* SPDX-License-Identifier: MIT */
/*
 * test_kernels.c - every kernel of the table that this machine can run, by name, whichever
 * of them the library prefers, against the textbook and against the portable kernel of its
 * algorithm.
 *
 * A kernel of one message is a kernel of one lane here. A kernel that detects attacks must find
 * the published ones and leave the state as a plain one does; test_sha1dc_kernels.c has more.
 */
#include "test.h"

#include "blocksha.h"
#include "cpu.h"
#include "kernel.h"
#include "sha1dc_blocks.h"
#include "textbook.h"

enum {
	BLOCK = BLOCKSHA_BLOCK_SIZE,
	MAX_BLOCKS = 20,
	OFFSETS = 64,
	MAX_LANES = BLOCKSHA_LANES_MAX,
	MAX_STATE = TEXTBOOK_MAX_WORDS * BLOCKSHA_LANES_MAX,
};

static const struct textbook *const textbooks[BLOCKSHA_ALGORITHMS] = {
	[BLOCKSHA_SHA1] = &textbook_sha1,
	[BLOCKSHA_SHA256] = &textbook_sha256,
	[BLOCKSHA_SHA1_SHA256] = &textbook_sha1_sha256,
	[BLOCKSHA_SHA1DC] = &textbook_sha1dc,
	[BLOCKSHA_SHA1DC_SHA256] = &textbook_sha1dc_sha256,
};

/* --- The table ------------------------------------------------------------- */

static bool is_portable(const struct blocksha_kernel *kernel)
{
	return strcmp(kernel->name, "portable") == 0;
}

static const struct blocksha_kernel *portable_of(enum blocksha_algorithm algorithm)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		if (blocksha_kernels[i].algorithm == algorithm && is_portable(&blocksha_kernels[i]))
			return &blocksha_kernels[i];
	return NULL;
}

/* How many functions the row has. */
static int function_count(const struct blocksha_kernel *kernel)
{
	return (kernel->compress != NULL) + (kernel->compress_lanes != NULL) +
	       (kernel->detect != NULL) + (kernel->detect_lanes != NULL);
}

static bool is_detecting(enum blocksha_algorithm algorithm)
{
	return algorithm == BLOCKSHA_SHA1DC || algorithm == BLOCKSHA_SHA1DC_SHA256;
}

/* Whether this compiler can make the kernel, as far as its name says. */
static bool should_be_compiled(const char *name)
{
	if (strncmp(name, "x86-", 4) == 0) {
#if defined(__x86_64__)
		return true;
#else
		return false;
#endif
	}
	if (strncmp(name, "arm-", 4) == 0) {
		/* clang before 16 takes no target attribute with crypto for AArch64. */
#if defined(__aarch64__) && !defined(__AARCH64EB__) && \
	(!defined(__clang__) || __clang_major__ >= 16 || defined(__ARM_FEATURE_CRYPTO))
		return true;
#else
		return false;
#endif
	}
	return true;
}

static void check_name(const struct blocksha_kernel *kernel)
{
	const char *last = strrchr(kernel->name, '-');
	unsigned lanes = 1;

	if (last != NULL && last[1] == 'x' && last[2] >= '0' && last[2] <= '9')
		lanes = (unsigned)strtoul(last + 2, NULL, 10);
	CHECK_INT(kernel->lanes, lanes, "%s", kernel->name);
	CHECK(is_portable(kernel) || strncmp(kernel->name, "x86-", 4) == 0 ||
		      strncmp(kernel->name, "arm-", 4) == 0,
	      "%s: names begin with the architecture", kernel->name);
}

static void check_row(const struct blocksha_kernel *k)
{
	CHECK((unsigned)k->algorithm < BLOCKSHA_ALGORITHMS, "%s", k->name);
	check_name(k);
	CHECK(k->lanes >= 1 && k->lanes <= BLOCKSHA_LANES_MAX, "%s", k->name);
	CHECK(k->cost > 0, "%s", k->name);
	CHECK((k->needs & ~(uint32_t)BLOCKSHA_CPU_ALL) == 0, "%s", k->name);
	CHECK((k->needs == 0) == is_portable(k), "%s", k->name);
	CHECK((k->compress == NULL && k->detect == NULL) || k->lanes == 1, "%s", k->name);
	CHECK((k->compress_lanes == NULL && k->detect_lanes == NULL) || k->lanes > 1, "%s",
	      k->name);
	if (is_detecting(k->algorithm))
		CHECK(k->compress == NULL && k->compress_lanes == NULL, "%s", k->name);
	else
		CHECK(k->detect == NULL && k->detect_lanes == NULL, "%s", k->name);
	CHECK_INT(function_count(k), should_be_compiled(k->name), "%s", k->name);
}

/* Rows of one algorithm stand together: those of many messages, widest first, then those of
   one, the portable one last. A name occurs once in an algorithm. */
static void check_order(const struct blocksha_kernel *k, const struct blocksha_kernel *end)
{
	const struct blocksha_kernel *next = k + 1;
	bool is_last = next == end || next->algorithm != k->algorithm;

	CHECK_INT(is_portable(k), is_last, "portable ends its algorithm: %s", k->name);
	CHECK(is_last || next->lanes <= k->lanes, "%s", k->name);
	for (const struct blocksha_kernel *l = next; l < end; l++) {
		CHECK(l->algorithm != k->algorithm || !is_last, "%s of algorithm %d stands apart",
		      l->name, (int)l->algorithm);
		CHECK(l->algorithm != k->algorithm || strcmp(l->name, k->name) != 0,
		      "%s stands twice in the table", k->name);
	}
}

static void test_table(void)
{
	const struct blocksha_kernel *end = blocksha_kernels + blocksha_kernel_count;

	for (const struct blocksha_kernel *k = blocksha_kernels; k < end; k++) {
		check_row(k);
		check_order(k, end);
	}
	for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
		CHECK(textbooks[a] != NULL, "algorithm %u has no reference here", a);
		CHECK(portable_of(a) != NULL, "algorithm %u", a);
		CHECK(strcmp(blocksha_algorithm_name(a), textbooks[a]->name) == 0, "algorithm %u",
		      a);
	}
}

/* --- States and calls ------------------------------------------------------ */

/* The state as kernel.h lays it out, and how many words lie from the first word of the first
   lane to the last word of the last one. */
static size_t word_at(const struct blocksha_kernel *kernel, size_t word, size_t lane)
{
	return kernel->lanes == 1 ? word : word * BLOCKSHA_LANES_MAX + lane;
}

static size_t state_words(const struct blocksha_kernel *kernel)
{
	return word_at(kernel, textbooks[kernel->algorithm]->words - 1, kernel->lanes - 1) + 1;
}

/* The state of one lane, its words side by side. */
static void get_lane(const struct blocksha_kernel *kernel, const uint32_t *state, size_t lane,
		     uint32_t *words)
{
	for (size_t w = 0; w < textbooks[kernel->algorithm]->words; w++)
		words[w] = state[word_at(kernel, w, lane)];
}

static void set_lane(const struct blocksha_kernel *kernel, uint32_t *state, size_t lane,
		     const uint32_t *words)
{
	for (size_t w = 0; w < textbooks[kernel->algorithm]->words; w++)
		state[word_at(kernel, w, lane)] = words[w];
}

/* Returns the lanes in which a kernel that detects found an attack. */
static uint32_t call(const struct blocksha_kernel *kernel, uint32_t *state,
		     const unsigned char *const *data, size_t nblocks)
{
	if (kernel->compress != NULL)
		kernel->compress(state, data[0], nblocks);
	else if (kernel->compress_lanes != NULL)
		kernel->compress_lanes(state, data, nblocks);
	else if (kernel->detect != NULL)
		return (uint32_t)kernel->detect(state, data[0], nblocks);
	else
		return kernel->detect_lanes(state, data, nblocks);
	return 0;
}

/* Memory for one call: the blocks of each lane between guard pages, and so the state and the
   pointers. */
struct place {
	struct test_guarded data[MAX_LANES], state, pointers;
	unsigned char copy[MAX_LANES][MAX_BLOCKS * BLOCK]; /* of the blocks before the call */
};

/* A random state at one end of its memory or, as words need no more than their own alignment,
   a few words off it. */
static uint32_t *random_state(struct place *place, size_t size)
{
	size_t off = test_random_below(2) * test_random_below(16) * sizeof(uint32_t);
	void *at = test_random_below(2) == 0 ? place->state.begin + off
					     : place->state.end - off - size;

	test_random_bytes(at, size);
	return at;
}

/* Exactly as many pointers as the kernel may read. */
static const unsigned char **copy_pointers(struct place *place, unsigned char *const *data,
					   size_t lanes)
{
	void *at = place->pointers.end - lanes * sizeof(*data);

	memcpy(at, data, lanes * sizeof(*data));
	return at;
}

/* What the state must be after the call, by both references. */
struct expected {
	uint32_t textbook[MAX_STATE], portable[MAX_STATE];
};

static void expect(const struct blocksha_kernel *kernel, struct expected *expected,
		   const uint32_t *state, unsigned char *const *data, size_t nblocks)
{
	const struct textbook *textbook = textbooks[kernel->algorithm];
	uint32_t words[TEXTBOOK_MAX_WORDS];

	memcpy(expected->textbook, state, state_words(kernel) * sizeof(*state));
	memcpy(expected->portable, state, state_words(kernel) * sizeof(*state));
	for (size_t l = 0; l < kernel->lanes; l++) {
		const unsigned char *pointer = data[l];

		get_lane(kernel, state, l, words);
		for (size_t i = 0; i < nblocks; i++)
			textbook->block(words, data[l] + BLOCK * i);
		set_lane(kernel, expected->textbook, l, words);

		get_lane(kernel, state, l, words);
		call(portable_of(kernel->algorithm), words, &pointer, nblocks);
		set_lane(kernel, expected->portable, l, words);
	}
}

/* Lane by lane, and then the words between the lanes, which a call does not touch. */
static void check_state(const struct blocksha_kernel *kernel, const uint32_t *state,
			const uint32_t *expected, const char *reference, size_t nblocks,
			const char *where)
{
	const struct textbook *textbook = textbooks[kernel->algorithm];
	uint32_t is[TEXTBOOK_MAX_WORDS], should_be[TEXTBOOK_MAX_WORDS];
	unsigned failures = test_failures;

	for (size_t l = 0; l < kernel->lanes; l++) {
		get_lane(kernel, state, l, is);
		get_lane(kernel, expected, l, should_be);
		CHECK_BYTES(is, should_be, 4 * textbook->words,
			    "%s: %s and %s, lane %zu, %zu blocks %s", textbook->name, kernel->name,
			    reference, l, nblocks, where);
	}
	if (test_failures == failures)
		CHECK_BYTES(state, expected, 4 * state_words(kernel),
			    "%s: %s, words of no lane, %zu blocks %s", textbook->name, kernel->name,
			    nblocks, where);
}

/* Calls kernel with a random state for nblocks blocks at data, which has a pointer a lane. */
static void check_call(const struct blocksha_kernel *kernel, struct place *place,
		       unsigned char *const *data, size_t nblocks, const char *where)
{
	const char *algorithm = textbooks[kernel->algorithm]->name;
	uint32_t *state = random_state(place, 4 * state_words(kernel));
	const unsigned char **pointers = copy_pointers(place, data, kernel->lanes);
	struct expected expected;

	expect(kernel, &expected, state, data, nblocks);
	for (size_t l = 0; l < kernel->lanes; l++)
		memcpy(place->copy[l], data[l], BLOCK * nblocks);

	CHECK_INT(call(kernel, state, pointers, nblocks), 0, "%s: %s, no attack, %zu blocks %s",
		  algorithm, kernel->name, nblocks, where);
	check_state(kernel, state, expected.textbook, "textbook", nblocks, where);
	check_state(kernel, state, expected.portable, "portable", nblocks, where);
	for (size_t l = 0; l < kernel->lanes; l++) {
		CHECK(memcmp(place->copy[l], data[l], BLOCK * nblocks) == 0,
		      "%s: %s wrote into its input, lane %zu", algorithm, kernel->name, l);
		CHECK(pointers[l] == data[l], "%s: %s changed pointer %zu", algorithm, kernel->name,
		      l);
	}
}

/* --- One kernel ------------------------------------------------------------ */

/* Offsets behind the first page and before the last one, another for each lane, every one for
   every lane. With offset 0 the blocks touch the guard page. */
static void check_pages(const struct blocksha_kernel *kernel, struct place *place)
{
	unsigned char *data[MAX_LANES];
	char where[64];

	for (size_t offset = 0; offset < OFFSETS; offset++) {
		for (size_t l = 0; l < kernel->lanes; l++)
			test_random_bytes(place->data[l].begin,
					  (size_t)(place->data[l].end - place->data[l].begin));
		for (size_t n = 0; n <= MAX_BLOCKS; n++) {
			for (size_t l = 0; l < kernel->lanes; l++)
				data[l] = place->data[l].begin + (offset + 7 * l) % OFFSETS;
			snprintf(where, sizeof(where), "%zu + 7 * lane bytes behind a guard page",
				 offset);
			check_call(kernel, place, data, n, where);

			for (size_t l = 0; l < kernel->lanes; l++)
				data[l] =
					place->data[l].end - (offset + 7 * l) % OFFSETS - BLOCK * n;
			snprintf(where, sizeof(where), "%zu + 7 * lane bytes before a guard page",
				 offset);
			check_call(kernel, place, data, n, where);
		}
	}
}

/* In heap blocks that end with the data at any alignment, for sanitizers and valgrind: a guard
   page is touched at offset 0 only. */
static void check_heap(const struct blocksha_kernel *kernel, struct place *place)
{
	unsigned char *heap[MAX_LANES], *data[MAX_LANES];
	size_t max_blocks = kernel->lanes == 1 ? 5 : 2;
	char where[64];

	for (size_t offset = 0; offset < OFFSETS; offset++)
		for (size_t n = 1; n <= max_blocks; n++) {
			for (size_t l = 0; l < kernel->lanes; l++) {
				heap[l] = malloc(offset + BLOCK * n);
				TEST_REQUIRE(heap[l] != NULL, "malloc");
				data[l] = heap[l] + offset;
				test_random_bytes(data[l], BLOCK * n);
			}
			snprintf(where, sizeof(where), "at offset %zu of the heap", offset);
			check_call(kernel, place, data, n, where);
			for (size_t l = 0; l < kernel->lanes; l++)
				free(heap[l]);
		}
}

/* Lanes may read the same bytes: all of them, or shifted by some. */
static void check_shared_data(const struct blocksha_kernel *kernel, struct place *place)
{
	static const size_t shifts[] = {0, 1, 4, BLOCK};
	unsigned char *data[MAX_LANES];
	char where[64];

	for (size_t i = 0; i < TEST_COUNT(shifts); i++)
		for (size_t n = 0; n <= MAX_BLOCKS / 2; n++) {
			unsigned char *begin =
				place->data[0].end - BLOCK * n - shifts[i] * (kernel->lanes - 1);

			for (size_t l = 0; l < kernel->lanes; l++)
				data[l] = begin + shifts[i] * l;
			snprintf(where, sizeof(where), "shared by all lanes, shifted by %zu",
				 shifts[i]);
			check_call(kernel, place, data, n, where);
		}
}

/* One call for all blocks equals one call for each. */
static void check_many_blocks(const struct blocksha_kernel *kernel)
{
	const struct textbook *textbook = textbooks[kernel->algorithm];
	size_t nblocks = 500 + test_random_below(500), lanes = kernel->lanes;
	unsigned char *memory = malloc(BLOCK * nblocks * lanes);
	const unsigned char *data[MAX_LANES] = {NULL};
	uint32_t together[MAX_STATE] = {0}, single[MAX_STATE] = {0};

	TEST_REQUIRE(memory != NULL, "malloc");
	test_random_bytes(memory, BLOCK * nblocks * lanes);
	for (size_t l = 0; l < lanes; l++) {
		data[l] = memory + BLOCK * nblocks * l;
		set_lane(kernel, together, l, textbook->initial);
		set_lane(kernel, single, l, textbook->initial);
	}
	call(kernel, together, data, nblocks);
	for (size_t i = 0; i < nblocks; i++) {
		call(kernel, single, data, 1);
		for (size_t l = 0; l < lanes; l++)
			data[l] += BLOCK;
	}
	check_state(kernel, together, single, "itself, block by block", nblocks, "");
	free(memory);
}

/* Published attacks in the first block of any lanes, behind it and in the other lanes random
   blocks. The state is the same as without detection. */
static void check_attacks(const struct blocksha_kernel *kernel, struct place *place)
{
	unsigned rounds = test_rounds(200);

	for (unsigned round = 0; round < rounds; round++) {
		size_t nblocks = 1 + test_random_below(MAX_BLOCKS);
		uint32_t *state = random_state(place, 4 * state_words(kernel));
		uint32_t words[TEXTBOOK_MAX_WORDS], attacks = 0;
		unsigned char *data[MAX_LANES];
		struct expected expected;

		for (size_t l = 0; l < kernel->lanes; l++) {
			size_t m = test_random_below(MESSAGES);
			const struct expected_attack *attack =
				&expected_messages[m].verdicts[0].attacks[0];

			data[l] = place->data[l].end - test_random_below(OFFSETS) - BLOCK * nblocks;
			test_random_bytes(data[l], BLOCK * nblocks);
			if (test_random_below(2) == 0)
				continue;
			attacks |= UINT32_C(1) << l;
			memcpy(data[l], expected_bytes(m) + attack->offset, BLOCK);
			get_lane(kernel, state, l, words);
			memcpy(words, attack->in, sizeof(attack->in));
			set_lane(kernel, state, l, words);
		}
		expect(kernel, &expected, state, data, nblocks);
		CHECK_INT(call(kernel, state, copy_pointers(place, data, kernel->lanes), nblocks),
			  attacks, "%s: %s, %zu blocks", textbooks[kernel->algorithm]->name,
			  kernel->name, nblocks);
		check_state(kernel, state, expected.textbook, "textbook", nblocks, "with attacks");
	}
}

static void test_kernel(size_t index, struct place *place)
{
	const struct blocksha_kernel *kernel = &blocksha_kernels[index];
	const char *algorithm = textbooks[kernel->algorithm]->name;
	unsigned failures = test_failures;

	if (!blocksha_kernel_usable(kernel)) {
		struct blocksha_kernel_info info = {0};

		CHECK_INT(blocksha_get_kernel_info(index, &info), BLOCKSHA_OK, "%s", kernel->name);
		if (!info.compiled)
			test_unavailable("%s: %s is not compiled for this CPU", algorithm,
					 kernel->name);
		else
			test_unavailable("%s: %s needs %s", algorithm, kernel->name, info.missing);
		return;
	}
	printf("%s: %s ...", algorithm, kernel->name);
	fflush(stdout);
	check_pages(kernel, place);
	check_heap(kernel, place);
	check_shared_data(kernel, place);
	check_many_blocks(kernel);
	if (is_detecting(kernel->algorithm))
		check_attacks(kernel, place);
	printf(test_failures == failures ? " OK\n" : " FAILED\n");
}

static void test_kernels(void)
{
	static struct place place;

	for (size_t l = 0; l < MAX_LANES; l++)
		place.data[l] = test_guarded_new(OFFSETS + MAX_BLOCKS * BLOCK);
	place.state = test_guarded_new(4 * (MAX_STATE + 16));
	place.pointers = test_guarded_new(MAX_LANES * sizeof(unsigned char *));
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		test_kernel(i, &place);
	for (size_t l = 0; l < MAX_LANES; l++)
		test_guarded_free(&place.data[l]);
	test_guarded_free(&place.state);
	test_guarded_free(&place.pointers);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_table);
	TEST_RUN(test_kernels);
	return test_end();
}
