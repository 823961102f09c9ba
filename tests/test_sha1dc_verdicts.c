/* SPDX-License-Identifier: MIT */
/*
 * test_sha1dc_verdicts.c - what is made of the attacks that a kernel finds: how many blocks,
 * the first one's offset and vector, the callback, the safe hash; for one message and for many.
 *
 * sha1dc_differences.h lets the test choose which blocks are attacks: here those of random
 * messages that pass the filter for a DV, or for any. So there are messages with attacks at any
 * place and in any number, and what must come out is counted block by block.
 */
#include "test.h"

#include "sha1dc_differences.h"

#include "blocksha.h"
#include "sha1dc_contexts.h"

enum {
	SAFE = BLOCKSHA_SHA1DC_SAFE_HASH,
	REDUCED = BLOCKSHA_SHA1DC_REDUCED_ROUNDS,
	NO_FILTER = BLOCKSHA_SHA1DC_NO_FILTER,
	IGNORE = BLOCKSHA_SHA1DC_IGNORE,
	OPTIONS = 16,
	BLOCK = BLOCKSHA_BLOCK_SIZE
};

/* So many blocks the front end looks at again when there is an attack among them (CHUNK of
   lib/detect.c). */
enum { CHUNK = 1024, MAX_SIZE = 3 * CHUNK * BLOCK + 1000 };

static unsigned char memory[MAX_SIZE + BLOCK];

/* The DVs that are attacks now. */
static uint32_t attacking;

/* One DV, all, or none. */
static void choose_attacks(void)
{
	unsigned dv = (unsigned)test_random_below(VECTORS);

	switch (test_random_below(8)) {
	case 0:
		differences_random();
		attacking = 0;
		break;
	case 1:
	case 2:
	case 3:
		differences_zero_for(dv, 80);
		attacking = UINT32_C(1) << dv;
		break;
	default:
		differences_zero();
		attacking = UINT32_MAX;
	}
}

/* --- What must come out, block by block ------------------------------------------------ */

static uint32_t attacks_of(const unsigned char *block, unsigned options)
{
	uint32_t w[80];

	if ((options & IGNORE) != 0)
		return 0;
	textbook_schedule_block(w, block);
	return attacking & ((options & NO_FILTER) != 0 ? UINT32_MAX : textbook_filter(w));
}

static void count_block(struct dc_expected *e, uint32_t state[5], const unsigned char *block,
			uint64_t offset, unsigned options)
{
	uint32_t attacks = attacks_of(block, options);
	unsigned times = attacks != 0 && (options & SAFE) != 0 ? 3 : 1;

	while (times-- > 0)
		textbook_sha1_block(state, block);
	if (attacks == 0)
		return;
	if (e->blocks++ == 0) {
		e->offset = offset;
		e->vector = textbook_lowest(attacks);
	}
}

/* The message with its padding, whose blocks are blocks like others. before: bytes, in whole
   blocks, that came before data. */
static unsigned char padded[MAX_SIZE + 2 * BLOCK];

static size_t pad(uint64_t before, const unsigned char *data, size_t size)
{
	size_t total = (size + 8) / BLOCK * BLOCK + BLOCK;

	memset(padded + size, 0, total - size);
	memcpy(padded, data, size);
	padded[size] = 0x80;
	for (size_t i = 0; i < 8; i++)
		padded[total - 1 - i] = (unsigned char)((before + size) * 8 >> 8 * i);
	return total;
}

static struct dc_expected expect_behind(uint64_t before, const unsigned char *data, size_t size,
					unsigned options)
{
	size_t total = pad(before, data, size);
	struct dc_expected e = {.blocks = 0};
	uint32_t state[5];

	memcpy(state, textbook_sha1.initial, sizeof(state));
	for (size_t i = 0; i < total; i += BLOCK)
		count_block(&e, state, padded + i, before + i, options);
	for (size_t i = 0; i < sizeof(e.sha1); i++)
		e.sha1[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
	return e;
}

static struct dc_expected expect(const unsigned char *data, size_t size, unsigned options)
{
	return expect_behind(0, data, size, options);
}

/* --- Messages ----------------------------------------------------------------------------- */

/* Mostly a few blocks, sometimes around a multiple of CHUNK. */
static size_t random_size(void)
{
	switch (test_random_below(16)) {
	case 0:
		return CHUNK * BLOCK * (1 + test_random_below(3)) + test_random_below(2 * BLOCK) -
		       BLOCK;
	case 1:
		return test_random_below(MAX_SIZE + 1);
	default:
		return test_random_below(30 * BLOCK);
	}
}

/* With an attack in the first block, in the last whole one, or wherever one comes. */
static const unsigned char *random_message(size_t size)
{
	unsigned char *data = memory + test_random_below(MAX_SIZE - size + 1);
	size_t kind = test_random_below(3);
	uint32_t w[80];

	if (size < BLOCK || kind == 0 || attacking == 0)
		return data;
	random_candidate(textbook_lowest(attacking), w);
	words_to_block(w, data + (kind == 1 ? 0 : size / BLOCK * BLOCK - BLOCK));
	return data;
}

/* Without the filter it is slow. And with fewer rounds, the last words of the differences do not
   matter: then the next DVs of the class have a difference of zero, too. */
static unsigned random_options(size_t size)
{
	unsigned options = (unsigned)test_random_below(OPTIONS);

	if (size > 30 * BLOCK)
		options &= ~(unsigned)NO_FILTER;
	if (attacking != 0 && attacking != UINT32_MAX)
		options &= ~(unsigned)REDUCED;
	return options;
}

/* A piece of a message of which left bytes are left. */
static size_t piece_size(size_t left)
{
	size_t size = 0;

	switch (test_random_below(4)) {
	case 0:
		size = test_random_below(130);
		break;
	case 1:
		size = BLOCK * test_random_below(6);
		break;
	case 2:
		size = test_random_below(left + 1);
		break;
	default:
		size = CHUNK * BLOCK;
	}
	return size < left ? size : left;
}

/* --- One message ---------------------------------------------------------------------------- */

static void test_one_shot(const struct dc_hash *hash)
{
	unsigned rounds = test_rounds(200);

	for (unsigned round = 0; round < rounds; round++) {
		size_t size = random_size();
		const unsigned char *data;
		struct dc_expected e;
		struct dc_result r;

		choose_attacks();
		data = random_message(size);
		e = expect(data, size, 0);
		r = dc_one_shot(hash, data, size);
		dc_check(hash, &r, &e, "%zu bytes", size);
		if (round % 8 == 0)
			dc_check_sha256(hash, &r, data, size);
	}
}

/* In pieces; looked at, cloned, saved and resumed at any place. */
static void test_pieces(const struct dc_hash *hash)
{
	unsigned rounds = test_rounds(200);

	for (unsigned round = 0; round < rounds; round++) {
		size_t size = random_size(), done = 0;
		const unsigned char *data;
		unsigned options = 0;
		struct dc_expected e;
		struct dc_result r;
		union dc_ctx ctx, clone;

		choose_attacks();
		data = random_message(size);
		dc_init(hash, &ctx);
		if (!hash->has_sha256) {
			options = random_options(size);
			blocksha_sha1dc_set_options(&ctx.one, options);
		}
		while (done < size) {
			unsigned char saved[DC_MAX_EXPORT];
			size_t piece = piece_size(size - done);

			hash->update(&ctx, data + done, piece);
			done += piece;
			switch (test_random_below(8)) {
			case 0:
				e = expect(data, done, options);
				r = dc_peek(hash, &ctx);
				dc_check(hash, &r, &e, "peek at %zu, options %u", done, options);
				break;
			case 1: /* the clone is given other bytes */
				clone = ctx;
				hash->update(&clone, memory, 5 * BLOCK);
				dc_final(hash, &clone);
				break;
			case 2:
				CHECK_INT(hash->save(&ctx, saved), BLOCKSHA_OK, "%zu", done);
				memset(&ctx, 0xa5, sizeof(ctx));
				CHECK_INT(hash->resume(&ctx, saved, hash->export_size), BLOCKSHA_OK,
					  "%zu", done);
				break;
			default:
				break;
			}
		}
		e = expect(data, size, options);
		r = dc_final(hash, &ctx);
		dc_check(hash, &r, &e, "%zu bytes in pieces, options %u", size, options);
		if (round % 8 == 0)
			dc_check_sha256(hash, &r, data, size);
	}
}

/* Attacks behind so many bytes that offsets need 64 bits. The state of the message before is
   made up: it is the initial one. */
static void test_far_away(const struct dc_hash *hash)
{
	static const uint64_t lengths[] = {((uint64_t)1 << 32) - (CHUNK + 10) * BLOCK,
					   (uint64_t)1 << 32, (uint64_t)1 << 40,
					   ((uint64_t)1 << 61) - 4 * CHUNK * BLOCK};

	for (size_t i = 0; i < TEST_COUNT(lengths); i++)
		for (unsigned round = 0; round < 5; round++) {
			size_t size = 2 * CHUNK * BLOCK + test_random_below(CHUNK * BLOCK),
			       done = 0;
			unsigned char saved[DC_MAX_EXPORT];
			const unsigned char *data;
			struct dc_expected e;
			struct dc_result r;
			union dc_ctx ctx;

			choose_attacks();
			data = random_message(size);
			e = expect_behind(lengths[i], data, size, 0);
			dc_init(hash, &ctx);
			CHECK_INT(hash->save(&ctx, saved), BLOCKSHA_OK, "%s", hash->name);
			dc_edit_saved(hash, saved, lengths[i], textbook_sha1.initial);
			CHECK_INT(hash->resume(&ctx, saved, hash->export_size), BLOCKSHA_OK, "%s",
				  hash->name);
			while (done < size) {
				size_t piece = piece_size(size - done);

				hash->update(&ctx, data + done, piece);
				done += piece;
			}
			r = dc_final(hash, &ctx);
			dc_check(hash, &r, &e, "%zu bytes behind %" PRIu64, size, lengths[i]);
		}
}

/* The calls for one message: there must be one for each attack, in order. */
struct calls {
	unsigned options;
	uint64_t next, count; /* the offset of the next block; calls so far */
	uint32_t state[5];    /* before it */
};

/* Nothing is left out between the last call and this offset. */
static void skip_harmless(struct calls *c, uint64_t offset)
{
	for (; c->next < offset; c->next += BLOCK) {
		CHECK(attacks_of(padded + c->next, c->options) == 0, "no call at %" PRIu64,
		      c->next);
		textbook_sha1_block(c->state, padded + c->next);
	}
}

static void called(void *arg, uint64_t offset, const uint32_t in[5], const uint32_t other_in[5],
		   const uint32_t w[80], const uint32_t other_w[80])
{
	struct calls *c = arg;
	uint32_t words[80];

	skip_harmless(c, offset);
	CHECK(c->next == offset, "called at %" PRIu64 ", not %" PRIu64, offset, c->next);
	CHECK(attacks_of(padded + offset, c->options) != 0, "called at %" PRIu64, offset);
	CHECK_BYTES(in, c->state, sizeof(c->state), "at %" PRIu64, offset);
	CHECK_BYTES(other_in, c->state, sizeof(c->state), "at %" PRIu64, offset);
	textbook_schedule_block(words, padded + offset);
	CHECK_BYTES(w, words, sizeof(words), "at %" PRIu64, offset);
	CHECK_BYTES(other_w, words, sizeof(words), "at %" PRIu64, offset);
	for (unsigned i = 0; i < ((c->options & SAFE) != 0 ? 3 : 1); i++)
		textbook_sha1_block(c->state, padded + offset);
	c->next += BLOCK;
	c->count++;
}

static void test_callback(void)
{
	const struct dc_hash *hash = &dc_hashes[0];
	unsigned rounds = test_rounds(100);

	for (unsigned round = 0; round < rounds; round++) {
		size_t size = random_size(), done = 0;
		struct calls calls = {.options = 0};
		unsigned options;
		const unsigned char *data;
		struct dc_expected e;
		struct dc_result r;
		union dc_ctx ctx;

		choose_attacks();
		options = calls.options = random_options(size);
		data = random_message(size);
		e = expect(data, size, options);
		memcpy(calls.state, textbook_sha1.initial, sizeof(calls.state));
		dc_init(hash, &ctx);
		blocksha_sha1dc_set_options(&ctx.one, options);
		blocksha_sha1dc_set_callback(&ctx.one, called, &calls);
		while (done < size) {
			size_t piece = piece_size(size - done);

			hash->update(&ctx, data + done, piece);
			done += piece;
		}
		r = dc_final(hash, &ctx);
		skip_harmless(&calls, (size + 8) / BLOCK * BLOCK + BLOCK);
		dc_check(hash, &r, &e, "%zu bytes with callback, options %u", size, options);
		CHECK(calls.count == e.blocks, "%" PRIu64 " calls, %" PRIu64 " attacks",
		      calls.count, e.blocks);
	}
}

/* --- Many messages -------------------------------------------------------------------------- */

enum { MAX_MESSAGES = 150, MAX_PIECES = 4 };

struct batch {
	size_t count;
	struct blocksha_message messages[MAX_MESSAGES];
	struct blocksha_piece pieces[MAX_MESSAGES][MAX_PIECES];
	struct dc_expected expected[MAX_MESSAGES];
};

/* A message of pieces that lie side by side, so that it can be read as one. */
static void add_message(struct batch *b)
{
	size_t size = test_random_below(20) == 0 ? test_random_below(100 * BLOCK)
						 : test_random_below(12 * BLOCK);
	size_t i = b->count++, count = test_random_below(MAX_PIECES) + 1, done = 0;
	const unsigned char *data = memory + test_random_below(MAX_SIZE - size + 1);

	for (size_t j = 0; j < count; j++) {
		size_t piece = j + 1 == count ? size - done : test_random_below(size - done + 1);

		b->pieces[i][j] = (struct blocksha_piece){data + done, piece};
		done += piece;
	}
	b->messages[i] = (struct blocksha_message){b->pieces[i], count};
	b->expected[i] = expect(data, size, 0);
}

static void check_batch(const struct batch *b, bool with_attacks)
{
	static const struct dc_hash *const hash = &dc_hashes[0];
	struct test_guarded place =
		test_guarded_new((b->count + 1) * sizeof(struct blocksha_attack));
	unsigned char digests[MAX_MESSAGES + 1][BLOCKSHA_SHA1_DIGEST_SIZE];
	void *end = place.end - b->count * sizeof(struct blocksha_attack);
	struct blocksha_attack *attacks = end;
	bool any = false;
	int result;

	for (size_t i = 0; i < b->count; i++)
		any |= b->expected[i].blocks != 0;
	memset(attacks, 0xa5, b->count * sizeof(*attacks));
	memset(digests, 0xa5, sizeof(digests));
	result =
		blocksha_sha1dc_many(b->messages, b->count, digests, with_attacks ? attacks : NULL);
	CHECK_INT(result, any ? BLOCKSHA_ATTACK : BLOCKSHA_OK, "%zu messages", b->count);
	for (size_t i = 0; i < b->count; i++) {
		struct dc_result r = {.result = b->expected[i].blocks != 0,
				      .attack = {b->expected[i].offset, b->expected[i].blocks,
						 b->expected[i].vector}};

		memcpy(r.sha1, digests[i], sizeof(r.sha1));
		if (with_attacks)
			r.attack = attacks[i];
		dc_check(hash, &r, &b->expected[i], "message %zu of %zu", i, b->count);
	}
	CHECK(test_is_filled(digests[b->count], 0xa5, sizeof(digests[0])), "behind the digests");
	test_guarded_free(&place);
}

static void test_batches(void)
{
	unsigned rounds = test_rounds(100);

	for (unsigned round = 0; round < rounds; round++) {
		static struct batch batch;
		size_t count = round < 80 ? round : test_random_below(MAX_MESSAGES + 1);

		choose_attacks();
		batch.count = 0;
		while (batch.count < count)
			add_message(&batch);
		check_batch(&batch, true);
		if (round % 4 == 0)
			check_batch(&batch, false);
	}
}

/* With each kernel, also those of many lanes. */
static void test_many(void)
{
	struct blocksha_kernel_info info;
	char list[80];

	for (size_t k = 0; blocksha_get_kernel_info(k, &info) == BLOCKSHA_OK; k++) {
		if (strcmp(info.algorithm, "sha1dc") != 0)
			continue;
		if (!info.usable) {
			test_unavailable("%s: %s", info.algorithm, info.name);
			continue;
		}
		printf("many messages: %s\n", info.name);
		snprintf(list, sizeof(list), "%s:%s", info.algorithm, info.name);
		CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "%s", list);
		test_batches();
	}
	printf("many messages: no kernel forced\n");
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
	test_batches();
}

/* ----------------------------------------------------------------------------------------- */

static void test_hash(const struct dc_hash *hash)
{
	test_random_bytes(memory, sizeof(memory));
	test_one_shot(hash);
	test_pieces(hash);
	test_far_away(hash);
	if (!hash->has_sha256)
		test_callback();
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	dc_for_each_kernel(test_hash);
	test_many();
	return test_end();
}
