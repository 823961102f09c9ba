/* SPDX-License-Identifier: MIT */
/*
 * test_sha1dc_check.c - the check, which runs forward only, finds exactly what the definition
 * finds, which runs backwards from the common state.
 *
 * No real attack is needed: a chaining value behind the block is chosen that makes it half of
 * one. test_sha1dc_kernels.c has the checks inside the kernels.
 */
#include "test.h"

#include "blocksha.h"
#include "sha1dc/check.h"
#include "sha1dc/tables.h"
#include "sha1dc_blocks.h"

typedef struct blocksha_sha1dc_block block_t;

enum { STATES = 4 };

static unsigned step_of(unsigned i)
{
	return 56 + 4 * i;
}

/* The step from which the library checks this DV, and which of the kept states that is. */
static unsigned checked_step(unsigned dv)
{
	return blocksha_sha1dc_dvs[dv].step;
}

/* --- Making blocks -------------------------------------------------------------- */

/* Random words, the state before step t, and from there the chaining value before and all
   that a kernel keeps. */
static void random_block(block_t *block, unsigned t, const uint32_t state[5], uint32_t in[5])
{
	test_random_bytes(block->w, 16 * sizeof(block->w[0]));
	textbook_schedule(block->w);
	memcpy(in, state, sizeof(block->out));
	textbook_steps_back(0, t, in, block->w);
	for (unsigned i = 0; i < STATES; i++) {
		memcpy(block->state[i], in, sizeof(block->out));
		textbook_steps(0, step_of(i), block->state[i], block->w);
	}
	memcpy(block->out, state, sizeof(block->out));
	textbook_steps(t, 80, block->out, block->w);
	textbook_add(block->out, block->out, in);
}

/* The same as half of an attack on the DV: behind the block stands what the other half leads
   to. That half has the chaining value other_in. */
static void constructed_attack(block_t *block, unsigned dv, unsigned t, uint32_t other_in[5])
{
	uint32_t state[5], in[5], other_w[80];

	test_random_bytes(state, sizeof(state));
	random_block(block, t, state, in);
	textbook_other_words(dv, block->w, other_w);
	textbook_other_half(other_w, t, state, other_in, block->out);
}

/* Those of the DVs for which this is an attack, by the definition, from the states that are
   kept. */
static uint32_t definition(const block_t *block, uint32_t dvs)
{
	uint32_t attacks = 0;

	for (unsigned dv = 0; dv < VECTORS; dv++) {
		uint32_t other_w[80], in[5], out[5];
		unsigned t = checked_step(dv);

		if ((dvs >> dv & 1) == 0)
			continue;
		textbook_other_words(dv, block->w, other_w);
		textbook_other_half(other_w, t, block->state[(t - 56) / 4], in, out);
		if (memcmp(out, block->out, sizeof(out)) == 0)
			attacks |= UINT32_C(1) << dv;
	}
	return attacks;
}

static void check_block(const block_t *block, uint32_t dvs, uint32_t expected, const char *what,
			unsigned number)
{
	CHECK_INT(blocksha_sha1dc_check(block, dvs), expected, "%s %u", what, number);
	CHECK_INT(definition(block, dvs), expected, "definition: %s %u", what, number);
}

/* --- The tests -------------------------------------------------------------------- */

static void test_harmless(void)
{
	unsigned rounds = test_rounds(2000);

	for (unsigned round = 0; round < rounds; round++) {
		unsigned t = (unsigned)test_random_below(81);
		uint32_t state[5], in[5];
		block_t block;

		test_random_bytes(state, sizeof(state));
		random_block(&block, t, state, in);
		check_block(&block, UINT32_MAX, 0, "random block", round);
		CHECK_INT(blocksha_sha1dc_check_reduced(&block, in, UINT32_MAX), 0, "round %u",
			  round);
	}
}

/* From every step at which both halves have the same state: it does not matter which of them
   is taken. */
static void test_attacks(void)
{
	for (unsigned dv = 0; dv < VECTORS; dv++) {
		const struct expected_vector *v = &expected_vectors[dv];
		uint32_t bit = UINT32_C(1) << dv;

		for (unsigned t = v->zero_from; t <= v->zero_to; t++) {
			uint32_t other_in[5], in[5];
			block_t block;

			constructed_attack(&block, dv, t, other_in);
			check_block(&block, UINT32_MAX, bit, v->name, t);
			CHECK_INT(blocksha_sha1dc_check(&block, bit), bit, "%s alone", v->name);
			CHECK_INT(blocksha_sha1dc_check(&block, ~bit), 0, "%s not asked for",
				  v->name);
			CHECK_INT(blocksha_sha1dc_check(&block, 0), 0, "%s, nothing asked",
				  v->name);
			blocksha_sha1dc_other_in(&block, dv, in);
			CHECK_BYTES(in, other_in, sizeof(in), "%s from step %u", v->name, t);
		}
		for (unsigned outside = 0; outside < 2; outside++) {
			unsigned t = outside ? v->zero_to + 1U : v->zero_from - 1U;
			uint32_t other_in[5];
			block_t block;

			constructed_attack(&block, dv, t, other_in);
			check_block(&block, UINT32_MAX, 0, v->name, t);
		}
	}
}

/* Each bit that it depends on, alone. */
static void test_flipped_bits(void)
{
	for (unsigned dv = 0; dv < VECTORS; dv++) {
		const char *name = expected_vectors[dv].name;
		unsigned kept = (checked_step(dv) - 56) / 4;
		uint32_t dvs = UINT32_C(1) << dv, other_in[5];
		block_t block;

		constructed_attack(&block, dv, checked_step(dv), other_in);
		for (unsigned i = 0; i < 80 * 32; i += test_quick() ? 37 : 1) {
			block.w[i / 32] ^= UINT32_C(1) << i % 32;
			check_block(&block, dvs, 0, name, i);
			block.w[i / 32] ^= UINT32_C(1) << i % 32;
		}
		for (unsigned i = 0; i < 5 * 32; i++) {
			uint32_t bit = UINT32_C(1) << i % 32;

			block.out[i / 32] ^= bit;
			check_block(&block, dvs, 0, name, i);
			block.out[i / 32] ^= bit;
			for (unsigned j = 0; j < STATES; j++) {
				block.state[j][i / 32] ^= bit;
				check_block(&block, dvs, j == kept ? 0 : dvs, name, i);
				block.state[j][i / 32] ^= bit;
			}
		}
		check_block(&block, UINT32_MAX, dvs, name, 0);
	}
}

/* The other half comes back to the common state but for one bit: the comparison looks at all
   five words. */
static void test_near_misses(void)
{
	for (unsigned dv = 0; dv < VECTORS; dv++) {
		unsigned t = checked_step(dv);
		uint32_t state[5], in[5], other_w[80], other_in[5], unused[5];
		block_t block;

		test_random_bytes(state, sizeof(state));
		random_block(&block, t, state, in);
		textbook_other_words(dv, block.w, other_w);
		for (unsigned i = 0; i < 5 * 32; i++) {
			uint32_t behind[5];

			memcpy(behind, state, sizeof(behind));
			textbook_steps(t, 80, behind, other_w);
			state[i / 32] ^= UINT32_C(1) << i % 32;
			textbook_other_half(other_w, t, state, other_in, unused);
			state[i / 32] ^= UINT32_C(1) << i % 32;
			textbook_add(block.out, behind, other_in);
			check_block(&block, UINT32_C(1) << dv, 0, expected_vectors[dv].name, i);
			CHECK_INT(
				blocksha_sha1dc_check_reduced(&block, other_in, UINT32_C(1) << dv),
				0, "%s, bit %u", expected_vectors[dv].name, i);
		}
	}
}

/* An attack on fewer steps: the other half begins with the same chaining value, whatever
   stands behind it. */
static void test_reduced(void)
{
	for (unsigned dv = 0; dv < VECTORS; dv++) {
		const char *name = expected_vectors[dv].name;
		uint32_t bit = UINT32_C(1) << dv, other_in[5];
		block_t block;

		constructed_attack(&block, dv, checked_step(dv), other_in);
		test_random_bytes(block.out, sizeof(block.out));
		CHECK_INT(blocksha_sha1dc_check(&block, UINT32_MAX), 0, "%s", name);
		CHECK_INT(blocksha_sha1dc_check_reduced(&block, other_in, UINT32_MAX), bit, "%s",
			  name);
		CHECK_INT(blocksha_sha1dc_check_reduced(&block, other_in, ~bit), 0, "%s", name);
		CHECK_INT(blocksha_sha1dc_check_reduced(&block, other_in, bit), bit, "%s", name);
		for (unsigned i = 0; i < 5 * 32; i++) {
			other_in[i / 32] ^= UINT32_C(1) << i % 32;
			CHECK_INT(blocksha_sha1dc_check_reduced(&block, other_in, UINT32_MAX), 0,
				  "%s, bit %u", name, i);
			other_in[i / 32] ^= UINT32_C(1) << i % 32;
		}
		for (unsigned t = 0; t < 80; t++) {
			block.w[t] ^= UINT32_C(0x80000000);
			CHECK_INT(blocksha_sha1dc_check_reduced(&block, other_in, bit),
				  t < checked_step(dv) ? 0 : bit, "%s, word %u", name, t);
			block.w[t] ^= UINT32_C(0x80000000);
		}
	}
}

/* What the check reads, made by the library's own compression. */
static void test_compress(void)
{
	unsigned rounds = test_rounds(1000);

	for (unsigned round = 0; round < rounds; round++) {
		unsigned char data[64];
		uint32_t state[5], in[5], expected[5];
		block_t block, textbook;

		test_random_bytes(data, sizeof(data));
		test_random_bytes(in, sizeof(in));
		memset(&block, 0xa5, sizeof(block));
		memcpy(state, in, sizeof(state));
		blocksha_sha1dc_compress(state, data, &block);

		textbook_schedule_block(textbook.w, data);
		for (unsigned i = 0; i < STATES; i++) {
			memcpy(textbook.state[i], in, sizeof(in));
			textbook_steps(0, step_of(i), textbook.state[i], textbook.w);
		}
		memcpy(textbook.out, in, sizeof(in));
		textbook_sha1_block(textbook.out, data);
		memcpy(expected, textbook.out, sizeof(expected));
		CHECK_BYTES(state, expected, sizeof(state), "round %u", round);
		CHECK_BYTES(block.w, textbook.w, sizeof(block.w), "round %u", round);
		CHECK_BYTES(block.state, textbook.state, sizeof(block.state), "round %u", round);
		CHECK_BYTES(block.out, textbook.out, sizeof(block.out), "round %u", round);
	}
}

/* The published ones, with what their authors say of the other half. */
static void test_published(void)
{
	for (size_t i = 0; i < MESSAGES; i++)
		for (unsigned reduced = 0; reduced < 2; reduced++) {
			const struct expected_verdict *v =
				&expected_messages[i].verdicts[2 * reduced];

			for (unsigned j = 0; j < v->blocks; j++) {
				const struct expected_attack *attack = &v->attacks[j];
				bool same_in = memcmp(attack->in, attack->other_in,
						      sizeof(attack->in)) == 0;
				uint32_t state[5], other_in[5], bit = UINT32_C(1) << attack->vector;
				block_t block;

				memcpy(state, attack->in, sizeof(state));
				blocksha_sha1dc_compress(state, expected_bytes(i) + attack->offset,
							 &block);
				CHECK_INT(blocksha_sha1dc_check(&block, UINT32_MAX),
					  same_in ? 0 : bit, "%s", expected_messages[i].name);
				CHECK_INT(blocksha_sha1dc_check_reduced(&block, attack->in,
									UINT32_MAX),
					  same_in ? bit : 0, "%s", expected_messages[i].name);
				blocksha_sha1dc_other_in(&block, attack->vector, other_in);
				if (!same_in)
					CHECK_BYTES(other_in, attack->other_in, sizeof(other_in),
						    "%s", expected_messages[i].name);
			}
		}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_compress);
	TEST_RUN(test_harmless);
	TEST_RUN(test_attacks);
	TEST_RUN(test_flipped_bits);
	TEST_RUN(test_near_misses);
	TEST_RUN(test_reduced);
	TEST_RUN(test_published);
	return test_end();
}
