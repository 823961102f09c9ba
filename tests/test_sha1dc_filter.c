/* SPDX-License-Identifier: MIT */
/*
 * test_sha1dc_filter.c - the tables of collision detection say what was published, and the
 * filter passes a block for a DV if and only if it fulfils all published conditions of it.
 * test_sha1dc_kernels.c has the filters inside the kernels.
 */
#include "test.h"

#include "blocksha.h"
#include "sha1dc/check.h"
#include "sha1dc/tables.h"
#include "sha1dc_blocks.h"

enum { BLOCKS = 100000 };

/* --- The tables --------------------------------------------------------------- */

/* "II(52,0)" */
struct vector_name {
	unsigned type, k, b;
};

static struct vector_name name_of(unsigned dv)
{
	struct vector_name name = {0};
	char type[3];

	TEST_REQUIRE(sscanf(expected_vectors[dv].name, "%2[I](%u,%u)", type, &name.k, &name.b) == 3,
		     "the name of a DV");
	name.type = (unsigned)strlen(type);
	return name;
}

/* (I,0), (I,2), (II,0), (II,2) */
static unsigned class_of(unsigned dv)
{
	struct vector_name name = name_of(dv);

	return (name.type - 1) * 2 + name.b / 2;
}

static void test_vectors(void)
{
	for (unsigned dv = 0; dv < VECTORS; dv++) {
		const struct blocksha_dv *is = &blocksha_sha1dc_dvs[dv];
		const struct expected_vector *e = &expected_vectors[dv];
		uint32_t zero[80] = {0}, difference[80];

		CHECK(strcmp(blocksha_vector_name(dv), e->name) == 0, "DV %u is %s", dv,
		      blocksha_vector_name(dv));
		CHECK_INT(is->class, class_of(dv), "%s", e->name);
		CHECK_INT(is->k, name_of(dv).k, "%s", e->name);
		CHECK(is->step >= e->zero_from && is->step <= e->zero_to, "%s: step %u", e->name,
		      is->step);
		CHECK(is->step % 4 == 0 && is->step >= 56 && is->step <= 68, "%s: step %u", e->name,
		      is->step);
		CHECK_INT(blocksha_sha1dc_index[is->class][is->k - 43], dv, "%s", e->name);
		textbook_other_words(dv, zero, difference);
		CHECK_BYTES(blocksha_sha1dc_difference(is), difference, sizeof(difference), "%s",
			    e->name);
	}
	CHECK(strcmp(blocksha_vector_name(VECTORS), blocksha_vector_name(UINT32_MAX)) == 0,
	      "no such DVs");
	CHECK(strcmp(blocksha_vector_name(VECTORS), blocksha_vector_name(0)) != 0, "no such DV");
}

/* No DV that was not published. */
static void test_index(void)
{
	unsigned count = 0;

	for (unsigned class = 0; class < BLOCKSHA_SHA1DC_CLASSES; class ++)
		for (unsigned i = 0; i < 16; i++)
			count += blocksha_sha1dc_index[class][i] >= 0;
	CHECK_INT(count, VECTORS, "places in the index");
}

static bool is_same_condition(const struct blocksha_ubc *c, const struct expected_condition *e)
{
	int k = (int)name_of(e->dv).k;

	return c->class == class_of(e->dv) && (c->ks >> (k - 43) & 1) != 0 && c->bit1 == e->bit1 &&
	       k + c->offset1 == e->t1 && c->bit2 == e->bit2 && k + c->offset2 == e->t2 &&
	       c->differ == e->differ;
}

/* Each published condition is one pattern at one K, and there is nothing else. */
static void test_conditions(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < CONDITIONS; i++) {
		unsigned found = 0;

		for (unsigned j = 0; j < BLOCKSHA_SHA1DC_CONDITIONS; j++)
			found += is_same_condition(&blocksha_sha1dc_conditions[j],
						   &expected_conditions[i]);
		CHECK_INT(found, 1, "condition %u", i);
	}
	for (unsigned j = 0; j < BLOCKSHA_SHA1DC_CONDITIONS; j++) {
		const struct blocksha_ubc *c = &blocksha_sha1dc_conditions[j];

		CHECK(j >= blocksha_sha1dc_first[c->class] &&
			      j < blocksha_sha1dc_first[c->class + 1],
		      "pattern %u of class %u", j, c->class);
		for (unsigned k = c->ks; k != 0; k &= k - 1)
			count++;
	}
	CHECK_INT(count, CONDITIONS, "conditions in all patterns");
}

/* --- The filter --------------------------------------------------------------- */

static void check_filter(const uint32_t w[80], const char *what, unsigned number)
{
	CHECK_INT(blocksha_sha1dc_filter(w), textbook_filter(w), "%s %u", what, number);
}

static void test_fulfilled(void)
{
	unsigned rounds = test_rounds(100);

	for (unsigned dv = 0; dv < VECTORS; dv++)
		for (unsigned round = 0; round < rounds; round++) {
			uint32_t w[80];

			random_candidate(dv, w);
			CHECK((textbook_filter(w) >> dv & 1) != 0, "the solution for %s",
			      expected_vectors[dv].name);
			CHECK((blocksha_sha1dc_filter(w) >> dv & 1) != 0, "%s",
			      expected_vectors[dv].name);
			check_filter(w, "all conditions of DV", dv);
		}
}

/* Exactly one condition is not fulfilled. */
static void test_broken(void)
{
	unsigned rounds = test_rounds(20);

	for (unsigned i = 0; i < CONDITIONS; i++) {
		static struct equations one_broken;
		unsigned dv = expected_conditions[i].dv;

		one_broken.count = 0;
		TEST_REQUIRE(equations_add_dv(&one_broken, dv, i), "conditions of a DV");
		for (unsigned round = 0; round < rounds; round++) {
			uint32_t w[80];

			equations_solve(&one_broken, w);
			for (unsigned j = 0; j < CONDITIONS; j++)
				if (expected_conditions[j].dv == dv)
					CHECK_INT(textbook_fulfils(&expected_conditions[j], w),
						  i != j, "condition %u", j);
			CHECK((blocksha_sha1dc_filter(w) >> dv & 1) == 0,
			      "condition %u of %s is broken", i, expected_vectors[dv].name);
			check_filter(w, "broken condition", i);
		}
	}
}

static void test_many_at_once(void)
{
	unsigned rounds = test_rounds(100), most = 0;

	for (unsigned round = 0; round < rounds; round++) {
		uint32_t w[80];
		unsigned dvs = 0;

		random_rich_block(w);
		for (uint32_t left = textbook_filter(w); left != 0; left &= left - 1)
			dvs++;
		most = dvs > most ? dvs : most;
		check_filter(w, "many DVs at once, round", round);
	}
	CHECK(most >= 4, "up to %u DVs at once", most);
}

/* Of those that are asked for, no more and no less: all, none, one, all but one. */
static void test_survivors(void)
{
	static const uint32_t all[4] = {BLOCKSHA_SHA1DC_ALL_I0, BLOCKSHA_SHA1DC_ALL_I2,
					BLOCKSHA_SHA1DC_ALL_II0, BLOCKSHA_SHA1DC_ALL_II2};
	unsigned rounds = test_rounds(20);

	for (unsigned dv = 0; dv < VECTORS; dv++) {
		uint32_t bit = BLOCKSHA_SHA1DC_K_BIT(name_of(dv).k);

		CHECK((all[class_of(dv)] & bit) != 0, "%s", expected_vectors[dv].name);
		for (unsigned round = 0; round < rounds; round++) {
			uint32_t w[80], survivors[4] = {0}, expected;

			random_candidate(dv, w);
			expected = textbook_filter(w);
			CHECK_INT(blocksha_sha1dc_candidates(w, survivors), 0, "none");
			CHECK_INT(blocksha_sha1dc_candidates(w, all), expected, "all");
			survivors[class_of(dv)] = bit;
			CHECK_INT(blocksha_sha1dc_candidates(w, survivors), UINT32_C(1) << dv,
				  "%s alone", expected_vectors[dv].name);
			memcpy(survivors, all, sizeof(survivors));
			survivors[class_of(dv)] ^= bit;
			CHECK_INT(blocksha_sha1dc_candidates(w, survivors),
				  expected & ~(UINT32_C(1) << dv), "all but %s",
				  expected_vectors[dv].name);
		}
	}
}

/* --- Blocks of no special kind --------------------------------------------------- */

struct count {
	unsigned long blocks, passing, candidates;
};

static void check_and_count(void *arg, const unsigned char *data)
{
	struct count *count = arg;
	uint32_t w[80], is, should_be;

	textbook_schedule_block(w, data);
	is = blocksha_sha1dc_filter(w);
	should_be = textbook_filter(w);
	if (is != should_be)
		test_print_bytes("block", data, 64);
	CHECK_INT(is, should_be, "block %lu", count->blocks);
	count->blocks++;
	count->passing += is != 0;
	for (; is != 0; is &= is - 1)
		count->candidates++;
}

static void print_count(const struct count *count, const char *what)
{
	double blocks = count->blocks == 0 ? 1 : (double)count->blocks;

	printf("%lu %s blocks: %.4f pass, for %.4f DVs a block\n", count->blocks, what,
	       (double)count->passing / blocks, (double)count->candidates / blocks);
}

static void test_random_blocks(void)
{
	unsigned long blocks = test_blocks(BLOCKS);
	struct count count = {0};

	for (unsigned long i = 0; i < blocks; i++) {
		unsigned char data[64];

		test_random_bytes(data, sizeof(data));
		check_and_count(&count, data);
	}
	print_count(&count, "random");
}

/* One bit, and two bits; texts of one letter. */
static void test_simple(void)
{
	struct count count = {0};

	for (unsigned i = 0; i < 512; i++)
		for (unsigned j = i; j < 512; j += test_quick() ? 97 : 1) {
			unsigned char data[64] = {0};

			data[i / 8] ^= (unsigned char)(1 << i % 8);
			data[j / 8] ^= (unsigned char)(1 << j % 8);
			check_and_count(&count, data);
		}
	for (unsigned letter = 0; letter < 256; letter++) {
		unsigned char data[64];

		memset(data, (int)letter, sizeof(data));
		check_and_count(&count, data);
	}
	print_count(&count, "simple");
}

static void test_files(void)
{
	struct count count = {0};

	if (for_file_blocks(test_blocks(BLOCKS), check_and_count, &count) == 0)
		test_unavailable("no files in /usr/bin and /usr/share");
	else
		print_count(&count, "real");
}

/* The blocks that were found by their authors fulfil the conditions of their DV. */
static void test_published(void)
{
	for (size_t i = 0; i < MESSAGES; i++) {
		const struct expected_attack *attack = &expected_messages[i].verdicts[0].attacks[0];
		uint32_t w[80];

		textbook_schedule_block(w, expected_bytes(i) + attack->offset);
		CHECK_INT(blocksha_sha1dc_filter(w) >> attack->vector & 1, 1, "%s",
			  expected_messages[i].name);
		check_filter(w, "message", (unsigned)i);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_vectors);
	TEST_RUN(test_index);
	TEST_RUN(test_conditions);
	TEST_RUN(test_published);
	TEST_RUN(test_fulfilled);
	TEST_RUN(test_broken);
	TEST_RUN(test_many_at_once);
	TEST_RUN(test_survivors);
	TEST_RUN(test_simple);
	TEST_RUN(test_random_blocks);
	TEST_RUN(test_files);
	return test_end();
}
