/* SPDX-License-Identifier: MIT */
/*
 * test_sha1dc_kernels.c - what the detecting kernels have inside: each one's own filter, its
 * own check, and how it keeps candidates until it checks them. sha1dc_differences.h says how a
 * test sees that from outside. test_kernels.c has what they have in common with all kernels.
 *
 * A kernel of one message is a kernel of one lane here.
 */
#include "test.h"

#include "blocksha.h"
#include "kernel.h"
#include "sha1dc_differences.h"

enum {
	MAX_LANES = BLOCKSHA_LANES_MAX,
	MAX_BLOCKS = 20, /* of a call */
	BLOCK = BLOCKSHA_BLOCK_SIZE,
	BLOCKS = 30000, /* random ones for each kernel */
};

/* The messages of one call, and the states before it; the words of SHA-1 come first. */
struct call {
	const struct blocksha_kernel *kernel;
	size_t nblocks;
	uint32_t in[MAX_LANES][BLOCKSHA_SHA1_SHA256_WORDS];
	unsigned char data[MAX_LANES][MAX_BLOCKS * BLOCK];
};

static const char *algorithm_of(const struct blocksha_kernel *kernel)
{
	return blocksha_algorithm_name(kernel->algorithm);
}

static bool is_portable(const struct blocksha_kernel *kernel)
{
	return strcmp(kernel->name, "portable") == 0;
}

static uint32_t all_lanes(const struct blocksha_kernel *kernel)
{
	return UINT32_MAX >> (32 - kernel->lanes);
}

/* Random chaining values and blocks. */
static void random_call(struct call *call, const struct blocksha_kernel *kernel, size_t nblocks)
{
	call->kernel = kernel;
	call->nblocks = nblocks;
	for (unsigned l = 0; l < kernel->lanes; l++) {
		test_random_bytes(call->in[l], sizeof(call->in[l]));
		test_random_bytes(call->data[l], nblocks * BLOCK);
	}
}

static size_t stride_of(const struct blocksha_kernel *kernel)
{
	return kernel->lanes == 1 ? 1 : BLOCKSHA_LANES_MAX;
}

static const struct textbook *textbook_of(const struct blocksha_kernel *kernel)
{
	return kernel->algorithm == BLOCKSHA_SHA1DC ? &textbook_sha1dc : &textbook_sha1dc_sha256;
}

/* The state is that of the plain hash, whatever was found. */
static void check_state(const struct call *call, const uint32_t *state)
{
	const struct textbook *textbook = textbook_of(call->kernel);

	for (unsigned l = 0; l < call->kernel->lanes; l++) {
		uint32_t expected[BLOCKSHA_SHA1_SHA256_WORDS], is[BLOCKSHA_SHA1_SHA256_WORDS];

		memcpy(expected, call->in[l], sizeof(expected));
		for (size_t i = 0; i < call->nblocks; i++)
			textbook->block(expected, call->data[l] + BLOCK * i);
		for (size_t i = 0; i < textbook->words; i++)
			is[i] = state[i * stride_of(call->kernel) + l];
		CHECK_BYTES(is, expected, 4 * textbook->words, "%s: %s, lane %u",
			    algorithm_of(call->kernel), call->kernel->name, l);
	}
}

/* The lanes in which the kernel finds an attack. */
static uint32_t detect(const struct call *call, bool check)
{
	const struct blocksha_kernel *kernel = call->kernel;
	uint32_t state[BLOCKSHA_SHA1_SHA256_WORDS * MAX_LANES] = {0}, attacks;
	const unsigned char *data[MAX_LANES];

	for (unsigned l = 0; l < kernel->lanes; l++) {
		data[l] = call->data[l];
		for (size_t i = 0; i < textbook_of(kernel)->words; i++)
			state[i * stride_of(kernel) + l] = call->in[l][i];
	}
	if (kernel->lanes == 1)
		attacks = (uint32_t)kernel->detect(state, data[0], call->nblocks);
	else
		attacks = kernel->detect_lanes(state, data, call->nblocks);
	if (check)
		check_state(call, state);
	return attacks;
}

#define CHECK_ATTACKS(call, expected, ...) CHECK_INT(detect(call, true), expected, __VA_ARGS__)

/* How many words of a difference the kernel under test looks at: all 80, or the first 16, of
   which it makes the others by the message schedule, as real differences allow. */
static unsigned difference_words;

static void zero_for(unsigned dv)
{
	differences_zero_for(dv, difference_words);
}

static void find_difference_words(const struct blocksha_kernel *kernel)
{
	static struct call call;
	uint32_t w[80];

	random_call(&call, kernel, 1);
	for (unsigned l = 0; l < kernel->lanes; l++) {
		random_candidate(0, w);
		words_to_block(w, call.data[l]);
	}
	differences_zero_for(0, 16);
	difference_words = detect(&call, true) != 0 ? 16 : 80;
}

/* --- The filter inside -------------------------------------------------------------- */

/* For one block a lane: the DVs that the kernel's filter lets pass. */
static void get_survivors(const struct call *call, uint32_t dvs[MAX_LANES])
{
	uint32_t some;

	memset(dvs, 0, MAX_LANES * sizeof(dvs[0]));
	differences_zero();
	some = detect(call, true);
	for (unsigned dv = 0; dv < VECTORS && some != 0; dv++) {
		uint32_t lanes;

		zero_for(dv);
		lanes = detect(call, false);
		for (unsigned l = 0; l < call->kernel->lanes; l++)
			dvs[l] |= (lanes >> l & 1) << dv;
	}
	for (unsigned l = 0; l < call->kernel->lanes; l++)
		CHECK_INT(some >> l & 1, dvs[l] != 0, "%s: %s, all DVs at once and one by one",
			  algorithm_of(call->kernel), call->kernel->name);
}

/* The filter passes what it must pass. It may pass more, which costs time and nothing else; the
   portable one does not. */
static unsigned check_survivors(const struct call *call, const char *what, unsigned number)
{
	uint32_t dvs[MAX_LANES];
	unsigned count = 0;

	get_survivors(call, dvs);
	for (unsigned l = 0; l < call->kernel->lanes; l++) {
		uint32_t w[80], must;

		textbook_schedule_block(w, call->data[l]);
		must = textbook_filter(w);
		if ((must & ~dvs[l]) != 0)
			test_print_bytes("block", call->data[l], BLOCK);
		CHECK_INT(must & ~dvs[l], 0, "%s: %s drops these DVs, lane %u, %s %u",
			  algorithm_of(call->kernel), call->kernel->name, l, what, number);
		if (is_portable(call->kernel))
			CHECK_INT(dvs[l], must, "%s: portable, %s %u", algorithm_of(call->kernel),
				  what, number);
		for (; dvs[l] != 0; dvs[l] &= dvs[l] - 1)
			count++;
	}
	return count;
}

/* Blocks that fulfil all conditions of a DV. */
static void test_fulfilled(const struct blocksha_kernel *kernel)
{
	unsigned rounds = test_rounds(10) + 100 / kernel->lanes;

	for (unsigned dv = 0; dv < VECTORS; dv++)
		for (unsigned round = 0; round < rounds; round++) {
			static struct call call;
			uint32_t w[80];

			random_call(&call, kernel, 1);
			for (unsigned l = 0; l < kernel->lanes; l++) {
				random_candidate(dv, w);
				words_to_block(w, call.data[l]);
			}
			zero_for(dv);
			CHECK_ATTACKS(&call, all_lanes(kernel), "%s: %s drops %s",
				      algorithm_of(kernel), kernel->name,
				      expected_vectors[dv].name);
			if (round == 0)
				check_survivors(&call, "all conditions of DV", dv);
		}
}

/* Blocks that fulfil all conditions of a DV but one. Returns how many of these the filter sees:
   the others it leaves to the check. */
static unsigned test_broken(const struct blocksha_kernel *kernel)
{
	enum { TRIES = 8 };
	unsigned seen = 0;

	for (unsigned i = 0; i < CONDITIONS; i++) {
		static struct equations one_broken;
		static struct call call;
		unsigned dv = expected_conditions[i].dv;
		uint32_t passes = 0;

		one_broken.count = 0;
		TEST_REQUIRE(equations_add_dv(&one_broken, dv, i), "conditions of a DV");
		for (unsigned done = 0; done < TRIES; done += kernel->lanes) {
			random_call(&call, kernel, 1);
			for (unsigned l = 0; l < kernel->lanes; l++) {
				uint32_t w[80];

				equations_solve(&one_broken, w);
				words_to_block(w, call.data[l]);
			}
			zero_for(dv);
			passes |= detect(&call, false);
		}
		seen += passes == 0;
		if (is_portable(kernel))
			CHECK_INT(passes, 0, "%s: portable passes %s without condition %u",
				  algorithm_of(kernel), expected_vectors[dv].name, i);
		check_survivors(&call, "broken condition", i);
	}
	return seen;
}

static double test_random_blocks(const struct blocksha_kernel *kernel)
{
	unsigned long blocks = test_blocks(BLOCKS), survivors = 0, done = 0;

	while (done < blocks) {
		static struct call call;

		random_call(&call, kernel, 1);
		survivors += check_survivors(&call, "random block", (unsigned)done);
		done += kernel->lanes;
	}
	/* It would be right without a filter, but then it is none. */
	CHECK(survivors < done / 4, "%s: %s, %lu candidates in %lu blocks", algorithm_of(kernel),
	      kernel->name, survivors, done);
	return (double)survivors / (double)done;
}

/* Real ones, a lane after the other. */
struct file_blocks {
	struct call call;
	unsigned lane, number;
};

static void take_file_block(void *arg, const unsigned char *data)
{
	struct file_blocks *f = arg;

	memcpy(f->call.data[f->lane], data, BLOCK);
	if (++f->lane < f->call.kernel->lanes)
		return;
	check_survivors(&f->call, "block of a file", f->number++);
	f->lane = 0;
}

static void test_files(const struct blocksha_kernel *kernel)
{
	static struct file_blocks f;

	random_call(&f.call, kernel, 1);
	f.lane = f.number = 0;
	if (for_file_blocks(test_blocks(BLOCKS) / 10, take_file_block, &f) == 0)
		test_unavailable("no files in /usr/bin and /usr/share");
}

/* --- The check inside ----------------------------------------------------------------- */

/* In one lane stands an attack on the DV, in the others blocks that the filter passes for it. */
static unsigned attack_in_one_lane(struct call *call, const struct blocksha_kernel *kernel,
				   unsigned dv)
{
	unsigned lane = (unsigned)test_random_below(kernel->lanes);
	uint32_t w[80];

	random_call(call, kernel, 1);
	for (unsigned l = 0; l < kernel->lanes; l++) {
		random_candidate(dv, w);
		words_to_block(w, call->data[l]);
		if (l == lane)
			differences_for_attack(dv, call->in[l], w);
	}
	return lane;
}

/* Each bit of the difference is needed. For a kernel that looks at 16 words nobody can make an
   attack with a difference other than zero; but then the difference itself shows which words it
   looks at, and that it sees each bit. */
static void test_every_bit(const struct blocksha_kernel *kernel)
{
	/* Words 0 to 79 all the same; one bit of each, and all bits of some. */
	unsigned stride = test_quick() ? 331 : kernel->lanes == 1 ? 1 : 29;

	for (unsigned dv = 0; dv < VECTORS; dv++) {
		static struct call call;
		unsigned lane = attack_in_one_lane(&call, kernel, dv);
		uint32_t attacks = UINT32_C(1) << lane;
		const char *name = expected_vectors[dv].name;

		if (difference_words == 16) {
			zero_for(dv);
			attacks = all_lanes(kernel);
		}
		CHECK_ATTACKS(&call, attacks, "%s: %s, lane %u, %s", algorithm_of(kernel),
			      kernel->name, lane, name);
		for (unsigned i = 0; i < difference_words * 32; i += stride) {
			difference_of(dv)[i / 32] ^= UINT32_C(1) << i % 32;
			CHECK_ATTACKS(&call, 0, "%s: %s, %s, bit %u of the difference",
				      algorithm_of(kernel), kernel->name, name, i);
			difference_of(dv)[i / 32] ^= UINT32_C(1) << i % 32;
		}
		CHECK_ATTACKS(&call, attacks, "%s: %s, lane %u, %s, again", algorithm_of(kernel),
			      kernel->name, lane, name);
	}
}

/* And so is each bit of block and chaining value. */
static void test_every_input_bit(const struct blocksha_kernel *kernel)
{
	unsigned stride = test_quick() ? 331 : kernel->lanes == 1 ? 1 : 29;

	for (unsigned dv = 0; dv < VECTORS; dv++) {
		static struct call call;
		unsigned lane = attack_in_one_lane(&call, kernel, dv);
		const char *name = expected_vectors[dv].name;

		for (unsigned i = 0; i < 5 * 32; i += (stride + 2) / 3) {
			call.in[lane][i / 32] ^= UINT32_C(1) << i % 32;
			CHECK_ATTACKS(&call, 0, "%s: %s, %s, bit %u of the chaining value",
				      algorithm_of(kernel), kernel->name, name, i);
			call.in[lane][i / 32] ^= UINT32_C(1) << i % 32;
		}
		for (unsigned i = 0; i < 8 * BLOCK; i += stride) {
			call.data[lane][i / 8] ^= (unsigned char)(1 << i % 8);
			CHECK_ATTACKS(&call, 0, "%s: %s, %s, bit %u of the block",
				      algorithm_of(kernel), kernel->name, name, i);
			call.data[lane][i / 8] ^= (unsigned char)(1 << i % 8);
		}
		CHECK_ATTACKS(&call, UINT32_C(1) << lane, "%s: %s, lane %u, %s",
			      algorithm_of(kernel), kernel->name, lane, name);
	}
}

/* The last comparison of the check: all five words of the state, from whichever step. */
static void test_near_misses(const struct blocksha_kernel *kernel)
{
	for (unsigned dv = 0; dv < VECTORS; dv++) {
		static struct call call;
		unsigned lane = attack_in_one_lane(&call, kernel, dv);
		uint32_t w[80];

		textbook_schedule_block(w, call.data[lane]);
		for (unsigned t = expected_vectors[dv].zero_from; t <= expected_vectors[dv].zero_to;
		     t++)
			for (unsigned word = 0; word < 5; word++) {
				unsigned bit = 32 * word + (unsigned)test_random_below(32);

				differences_for_near_miss(dv, call.in[lane], w, t, bit);
				CHECK_ATTACKS(&call, 0, "%s: %s, %s, bit %u before step %u",
					      algorithm_of(kernel), kernel->name,
					      expected_vectors[dv].name, bit, t);
			}
	}
}

/* --- Many blocks ------------------------------------------------------------------------ */

/* Blocks with none to many candidates. */
static void random_kind_of_block(unsigned char *data)
{
	uint32_t w[80];

	switch (test_random_below(4)) {
	case 0:
		test_random_bytes(data, BLOCK);
		return;
	case 1:
		random_rich_block(w);
		break;
	default:
		random_candidate((unsigned)test_random_below(VECTORS), w);
	}
	words_to_block(w, data);
}

/* Makes the block an attack on the DV, and no block else. */
static void put_attack(struct call *call, unsigned lane, size_t at, unsigned dv)
{
	uint32_t in[5], w[80];

	/* A block that may have other candidates, too. */
	do
		random_rich_block(w);
	while (test_random_below(2) == 0);
	if ((textbook_filter(w) >> dv & 1) == 0)
		random_candidate(dv, w);
	words_to_block(w, call->data[lane] + BLOCK * at);
	memcpy(in, call->in[lane], sizeof(in));
	for (size_t i = 0; i < at; i++)
		textbook_sha1_block(in, call->data[lane] + BLOCK * i);
	if (difference_words == 80)
		differences_for_attack(dv, in, w);
}

static void fill_lane(struct call *call, unsigned lane)
{
	for (size_t i = 0; i < call->nblocks; i++)
		random_kind_of_block(call->data[lane] + BLOCK * i);
}

/* An attack at any place of a call of any size. It is found there and nowhere else, however
   many candidates wait for the check before it and behind it. */
static void check_place(const struct blocksha_kernel *kernel, size_t nblocks, size_t at)
{
	static struct call call;
	unsigned dv = (unsigned)test_random_below(VECTORS);
	unsigned lane = (unsigned)test_random_below(kernel->lanes);
	unsigned bit = (unsigned)test_random_below(difference_words * 32);
	uint32_t others = 0;

	random_call(&call, kernel, nblocks);
	for (unsigned l = 0; l < kernel->lanes; l++)
		fill_lane(&call, l);
	if (difference_words == 16) {
		/* All that passes for the DV is an attack. Other lanes may have one. */
		zero_for(dv);
		while (((others = detect(&call, true)) >> lane & 1) != 0)
			fill_lane(&call, lane);
	}
	put_attack(&call, lane, at, dv);
	CHECK_ATTACKS(&call, others | UINT32_C(1) << lane, "%s: %s, lane %u, block %zu of %zu, %s",
		      algorithm_of(kernel), kernel->name, lane, at, nblocks,
		      expected_vectors[dv].name);
	difference_of(dv)[bit / 32] ^= UINT32_C(1) << bit % 32;
	CHECK_ATTACKS(&call, 0, "%s: %s, almost an attack, %zu blocks", algorithm_of(kernel),
		      kernel->name, nblocks);
}

static void test_places(const struct blocksha_kernel *kernel)
{
	unsigned rounds = test_rounds(10);

	for (unsigned round = 0; round < rounds; round++)
		for (size_t nblocks = 1; nblocks <= MAX_BLOCKS; nblocks++)
			for (size_t at = 0; at < nblocks; at++)
				check_place(kernel, nblocks, at);
}

/* Attacks in any lanes and blocks: all blocks for which the DV passes. */
static void test_many_attacks(const struct blocksha_kernel *kernel)
{
	unsigned rounds = test_rounds(500);

	for (unsigned round = 0; round < rounds; round++) {
		static struct call call;
		unsigned dv = (unsigned)test_random_below(VECTORS);
		uint32_t must = 0, is;

		random_call(&call, kernel, test_random_below(MAX_BLOCKS + 1));
		for (unsigned l = 0; l < kernel->lanes; l++)
			for (size_t i = 0; i < call.nblocks; i++) {
				uint32_t w[80];

				random_kind_of_block(call.data[l] + BLOCK * i);
				textbook_schedule_block(w, call.data[l] + BLOCK * i);
				must |= (textbook_filter(w) >> dv & 1) << l;
			}
		zero_for(dv);
		is = detect(&call, true);
		CHECK_INT(must & ~is, 0, "%s: %s misses lanes, %zu blocks", algorithm_of(kernel),
			  kernel->name, call.nblocks);
		if (is_portable(kernel))
			CHECK_INT(is, must, "%s: portable, %zu blocks", algorithm_of(kernel),
				  call.nblocks);
		/* Nothing is left over for the next call. */
		differences_random();
		CHECK_ATTACKS(&call, 0, "%s: %s, no attack", algorithm_of(kernel), kernel->name);
	}
}

/* No block: no attack, although memory may hold what was left by the call before. */
static void test_no_block(const struct blocksha_kernel *kernel)
{
	static struct call call;

	differences_zero();
	random_call(&call, kernel, 0);
	CHECK_ATTACKS(&call, 0, "%s: %s, no block", algorithm_of(kernel), kernel->name);
}

/* --- All of it ---------------------------------------------------------------------------- */

static void test_kernel(const struct blocksha_kernel *kernel)
{
	const char *algorithm = algorithm_of(kernel);
	unsigned failures = test_failures, seen;
	double rate;

	if (!blocksha_kernel_usable(kernel)) {
		test_unavailable("%s: %s", algorithm, kernel->name);
		return;
	}
	find_difference_words(kernel);
	test_fulfilled(kernel);
	seen = test_broken(kernel);
	rate = test_random_blocks(kernel);
	test_files(kernel);
	test_every_bit(kernel);
	if (difference_words == 80) {
		test_every_input_bit(kernel);
		test_near_misses(kernel);
	}
	test_places(kernel);
	test_many_attacks(kernel);
	test_no_block(kernel);
	printf("%s: %s: %s; the filter sees %u of %d conditions, passes %.4f DVs a block\n",
	       algorithm, kernel->name, test_failures == failures ? "OK" : "FAILED", seen,
	       CONDITIONS, rate);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		if (blocksha_kernels[i].detect != NULL || blocksha_kernels[i].detect_lanes != NULL)
			test_kernel(&blocksha_kernels[i]);
	return test_end();
}
