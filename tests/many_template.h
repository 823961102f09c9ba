/* SPDX-License-Identifier: MIT */
/*
 * many_template.h - what the calls for many messages must do with whatever kernels there
 * are: test_many.c runs it with those of this machine, test_many_lanes.c with a table of its
 * own.
 */
#ifndef BLOCKSHA_MANY_TEMPLATE_H
#define BLOCKSHA_MANY_TEMPLATE_H

#include "test.h"

#include "blocksha.h"
#include "kernel.h"
#include "sha1dc_blocks.h"
#include "textbook.h"

/* The size of the longest message. */
#ifndef MANY_HUGE_SIZE
#define MANY_HUGE_SIZE (8 << 20)
#endif

enum { MAX_MESSAGES = 400, MAX_PIECES = 5, DIGEST = BLOCKSHA_SHA256_DIGEST_SIZE };

/* Lengths at which padding, buffer and blocks meet. */
static const size_t special_sizes[] = {0,   1,   2,   54,  55,  56,  57,  62,  63,  64,   65,  66,
				       119, 120, 121, 127, 128, 129, 191, 192, 193, 1000, 4096};

/* --- The hashes through one interface ----------------------------------------- */

struct hash {
	enum blocksha_algorithm algorithm;
	const struct textbook *textbook;
	size_t digest_size;
	void (*many)(const struct blocksha_message *messages, size_t count, void *digests);
};

static void sha1_many(const struct blocksha_message *messages, size_t count, void *digests)
{
	blocksha_sha1_many(messages, count, digests);
}

static void sha256_many(const struct blocksha_message *messages, size_t count, void *digests)
{
	blocksha_sha256_many(messages, count, digests);
}

/* For messages without attacks. */
static void sha1dc_many(const struct blocksha_message *messages, size_t count, void *digests)
{
	struct test_guarded place = test_guarded_new((count + 1) * sizeof(struct blocksha_attack));
	void *end = place.end - count * sizeof(struct blocksha_attack);
	struct blocksha_attack *attacks = end;

	memset(attacks, 0xa5, count * sizeof(*attacks));
	CHECK_INT(blocksha_sha1dc_many(messages, count, digests, attacks), BLOCKSHA_OK,
		  "%zu messages", count);
	for (size_t i = 0; i < count; i++)
		CHECK(attacks[i].blocks == 0 && attacks[i].offset == 0 && attacks[i].vector == 0,
		      "message %zu of %zu", i, count);
	test_guarded_free(&place);
}

static const struct hash many_hashes[] = {
	{BLOCKSHA_SHA1, &textbook_sha1, BLOCKSHA_SHA1_DIGEST_SIZE, sha1_many},
	{BLOCKSHA_SHA256, &textbook_sha256, BLOCKSHA_SHA256_DIGEST_SIZE, sha256_many},
	{BLOCKSHA_SHA1DC, &textbook_sha1dc, BLOCKSHA_SHA1_DIGEST_SIZE, sha1dc_many},
};

/* --- Messages and their digests ---------------------------------------------- */

/* The messages of one call. */
struct batch {
	size_t count;
	struct blocksha_message messages[MAX_MESSAGES];
	unsigned char expected[MAX_MESSAGES][DIGEST];
};

static void add(struct batch *batch, const struct blocksha_piece *pieces, size_t count,
		const unsigned char *digest)
{
	TEST_REQUIRE(batch->count < MAX_MESSAGES, "MAX_MESSAGES of this test");
	batch->messages[batch->count] = (struct blocksha_message){pieces, count};
	memcpy(batch->expected[batch->count], digest, DIGEST);
	batch->count++;
}

/* Adds the message and asks the textbook for its digest. */
static void add_new(const struct hash *hash, struct batch *batch,
		    const struct blocksha_piece *pieces, size_t count)
{
	unsigned char digest[DIGEST] = {0};
	unsigned char *message;
	size_t size = 0;

	for (size_t i = 0; i < count; i++)
		size += pieces[i].size;
	message = malloc(size + 1);
	TEST_REQUIRE(message != NULL, "malloc");
	size = 0;
	for (size_t i = 0; i < count; i++) {
		if (pieces[i].size != 0) /* memcpy must not see NULL */
			memcpy(message + size, pieces[i].data, pieces[i].size);
		size += pieces[i].size;
	}
	textbook_hash(hash->textbook, message, size, digest);
	free(message);
	add(batch, pieces, count, digest);
}

/* Hashes the batch. The digests end where memory does, and nothing is written before them; the
   list of messages has no more room than it needs, for the eyes of sanitizers. */
TEST_PRINTF(3, 4)
static void check_batch(const struct hash *hash, const struct batch *batch, const char *format, ...)
{
	enum { BEFORE = 64 };
	size_t size = batch->count * hash->digest_size;
	size_t list_size = batch->count * sizeof(batch->messages[0]);
	struct test_guarded place = test_guarded_new(BEFORE + size);
	unsigned char *digests = place.end - size;
	struct blocksha_message *list = malloc(list_size + (list_size == 0));
	char what[160];
	va_list args;

	TEST_REQUIRE(list != NULL, "malloc");
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);

	memcpy(list, batch->messages, list_size);
	memset(digests - BEFORE, 0xa5, BEFORE + size);
	hash->many(list, batch->count, digests);
	for (size_t i = 0; i < batch->count; i++)
		CHECK_BYTES(digests + i * hash->digest_size, batch->expected[i], hash->digest_size,
			    "%s, message %zu of %zu: %s", hash->textbook->name, i, batch->count,
			    what);
	CHECK(test_is_filled(digests - BEFORE, 0xa5, BEFORE), "before the digests: %s", what);
	CHECK(memcmp(list, batch->messages, list_size) == 0, "the list was changed: %s", what);
	free(list);
	test_guarded_free(&place);
}

/* --- Numbers and lengths ------------------------------------------------------ */

/* Messages of one piece, windows of one stretch of memory: of special lengths, of up to 5000
   bytes; of 100 KB; one huge one. Made once for each hash. */
enum { MIXED = 333, MIXED_SMALL = 320 };

struct mixed {
	unsigned char *memory;
	struct blocksha_piece pieces[MIXED];
	struct batch batch;
};

static size_t mixed_size(size_t i)
{
	if (i == MIXED_SMALL)
		return MANY_HUGE_SIZE;
	if (i > MIXED_SMALL)
		return 100000 + test_random_below(10000);
	if (i < TEST_COUNT(special_sizes))
		return special_sizes[i];
	return test_random_below(3) == 0
		       ? special_sizes[test_random_below(TEST_COUNT(special_sizes))]
		       : test_random_below(5000);
}

static const struct mixed *mixed_messages(const struct hash *hash)
{
	static struct mixed all[BLOCKSHA_ALGORITHMS];
	struct mixed *mixed = &all[hash->algorithm];

	if (mixed->memory != NULL)
		return mixed;
	mixed->memory = malloc(MANY_HUGE_SIZE);
	TEST_REQUIRE(mixed->memory != NULL, "malloc");
	test_random_bytes(mixed->memory, MANY_HUGE_SIZE);
	for (size_t i = 0; i < MIXED; i++) {
		size_t size = mixed_size(i);

		mixed->pieces[i].data =
			mixed->memory + test_random_below(MANY_HUGE_SIZE - size + 1);
		mixed->pieces[i].size = size;
		add_new(hash, &mixed->batch, &mixed->pieces[i], 1);
	}
	return mixed;
}

static void add_mixed(struct batch *batch, const struct mixed *mixed, size_t i)
{
	add(batch, mixed->batch.messages[i].pieces, 1, mixed->batch.expected[i]);
}

/* 0 to 70 small messages, any of them. */
static void test_counts(const struct hash *hash)
{
	const struct mixed *mixed = mixed_messages(hash);

	for (size_t count = 0; count <= 70; count++) {
		struct batch batch = {.count = 0};

		while (batch.count < count)
			add_mixed(&batch, mixed, test_random_below(MIXED_SMALL));
		check_batch(hash, &batch, "%zu messages", count);
	}
}

/* All of them in a random order, the long ones at any place; and the long ones first. */
static void test_hundreds(const struct hash *hash)
{
	const struct mixed *mixed = mixed_messages(hash);
	struct batch batch = {.count = 0};
	size_t order[MIXED];

	for (size_t i = 0; i < MIXED; i++)
		order[i] = i;
	for (size_t i = MIXED; i > 1; i--) {
		size_t other = test_random_below(i), swap = order[i - 1];

		order[i - 1] = order[other];
		order[other] = swap;
	}
	for (size_t i = 0; i < MIXED; i++)
		add_mixed(&batch, mixed, order[i]);
	check_batch(hash, &batch, "%d messages of mixed lengths", MIXED);

	batch.count = 0;
	for (size_t i = MIXED; i-- > 0;)
		add_mixed(&batch, mixed, i);
	check_batch(hash, &batch, "%d messages, the long ones first", MIXED);
}

/* 1 to 63 messages of unequal lengths, each of them at each place: tails of every number, and
   every order in which lanes become free. */
static void test_rotations(const struct hash *hash)
{
	enum { MAX_COUNT = 63, MAX_SIZE = 600 };
	static unsigned char data[MAX_COUNT + MAX_SIZE];
	struct blocksha_piece pieces[MAX_COUNT];
	struct batch all = {.count = 0};

	test_random_bytes(data, sizeof(data));
	for (size_t i = 0; i < MAX_COUNT; i++) {
		/* 9 and 64 have no common factor: the lengths differ, also modulo a block. */
		size_t size = 64 * test_random_below(MAX_SIZE / 64) + i * 9 % 64;

		pieces[i] = (struct blocksha_piece){data + i, size};
		add_new(hash, &all, &pieces[i], 1);
	}
	for (size_t count = 1; count <= MAX_COUNT; count++)
		for (size_t first = 0; first < count; first++) {
			struct batch batch;

			batch.count = 0;
			for (size_t i = 0; i < count; i++)
				add(&batch, &pieces[(first + i) % count], 1,
				    all.expected[(first + i) % count]);
			check_batch(hash, &batch, "%zu messages, rotated by %zu", count, first);
		}
}

/* All lanes end at the same time. */
static void test_equal_lengths(const struct hash *hash)
{
	enum { MAX_COUNT = 70 };
	static unsigned char data[MAX_COUNT + 4096];
	struct blocksha_piece pieces[MAX_COUNT];

	test_random_bytes(data, sizeof(data));
	for (size_t s = 0; s < TEST_COUNT(special_sizes); s++) {
		size_t size = special_sizes[s];
		struct batch batch = {.count = 0};

		for (size_t i = 0; i < MAX_COUNT; i++) {
			pieces[i] = (struct blocksha_piece){data + i, size};
			add_new(hash, &batch, &pieces[i], 1);
		}
		for (size_t count = MAX_COUNT; count > 0; count--) {
			batch.count = count;
			check_batch(hash, &batch, "%zu messages of %zu bytes", count, size);
		}
	}
}

/* One message is what the call for one message gives. */
static void test_one_message(const struct hash *hash)
{
	const struct mixed *mixed = mixed_messages(hash);

	for (size_t i = 0; i < MIXED; i++) {
		struct batch batch = {.count = 0};

		add_mixed(&batch, mixed, i);
		check_batch(hash, &batch, "a single message of %zu bytes", mixed->pieces[i].size);
	}
}

/* Nothing at all: nothing is read or written. */
static void test_no_message(const struct hash *hash)
{
	hash->many(NULL, 0, NULL);
	hash->many(NULL, 0, NULL);
	CHECK(true, "still alive");
}

/* --- Pieces ------------------------------------------------------------------- */

/* A message of 300 bytes in three pieces; first and second piece of every length around a
   block's edges. */
static void test_two_splits(const struct hash *hash)
{
	enum { SIZE = 300, MAX_PIECE = 130 };
	unsigned char data[SIZE], expected[DIGEST] = {0};
	struct blocksha_piece pieces[MAX_PIECE + 1][3];

	test_random_bytes(data, SIZE);
	textbook_hash(hash->textbook, data, SIZE, expected);
	for (size_t first = 0; first <= MAX_PIECE; first++) {
		struct batch batch = {.count = 0};

		for (size_t second = 0; second <= MAX_PIECE; second++) {
			struct blocksha_piece *p = pieces[second];

			p[0] = (struct blocksha_piece){data, first};
			p[1] = (struct blocksha_piece){data + first, second};
			p[2] = (struct blocksha_piece){data + first + second,
						       SIZE - first - second};
			add(&batch, p, 3, expected);
		}
		check_batch(hash, &batch, "pieces of %zu, i and the rest", first);
	}
}

/* A header, and a body somewhere else, as git's objects have. */
static void test_header_and_body(const struct hash *hash)
{
	enum { MAX_HEADER = 70 };
	static unsigned char header[MAX_HEADER], body[4096];
	struct blocksha_piece pieces[MAX_HEADER + 1][2];

	test_random_bytes(header, sizeof(header));
	test_random_bytes(body, sizeof(body));
	for (size_t s = 0; s < TEST_COUNT(special_sizes); s++) {
		struct batch batch = {.count = 0};

		for (size_t size = 0; size <= MAX_HEADER; size++) {
			pieces[size][0] = (struct blocksha_piece){header, size};
			pieces[size][1] = (struct blocksha_piece){body, special_sizes[s]};
			add_new(hash, &batch, pieces[size], 2);
		}
		check_batch(hash, &batch, "header of i bytes, body of %zu", special_sizes[s]);
	}
}

/* A piece in a heap block of exactly its size, at any alignment; an empty one may be NULL. */
static struct blocksha_piece random_piece(unsigned char **heap)
{
	size_t kind = test_random_below(2 * TEST_COUNT(special_sizes));
	size_t size =
		kind < TEST_COUNT(special_sizes) ? special_sizes[kind] : test_random_below(300);
	size_t offset = test_random_below(16);

	*heap = NULL;
	if (size == 0 && test_random_below(2) == 0)
		return (struct blocksha_piece){NULL, 0};
	*heap = malloc(offset + size + (offset + size == 0));
	TEST_REQUIRE(*heap != NULL, "malloc");
	test_random_bytes(*heap, offset + size);
	return (struct blocksha_piece){*heap + offset, size};
}

/* Each message of 0 to 5 pieces, which lie anywhere. */
static void test_random_pieces(const struct hash *hash)
{
	enum { MAX_COUNT = 70 };
	unsigned rounds = test_rounds(100);

	for (unsigned round = 0; round < rounds; round++) {
		struct blocksha_piece pieces[MAX_COUNT][MAX_PIECES];
		unsigned char *heap[MAX_COUNT * MAX_PIECES];
		size_t blocks = 0, count = test_random_below(MAX_COUNT + 1);
		struct batch batch = {.count = 0};

		for (size_t i = 0; i < count; i++) {
			size_t npieces = test_random_below(MAX_PIECES + 1);

			for (size_t j = 0; j < npieces; j++)
				pieces[i][j] = random_piece(&heap[blocks++]);
			/* Without pieces there need be no place for them. */
			add_new(hash, &batch, npieces == 0 ? NULL : pieces[i], npieces);
		}
		check_batch(hash, &batch, "messages of random pieces, round %u", round);
		while (blocks > 0)
			free(heap[--blocks]);
	}
}

/* Empty pieces before, between and behind others, and nothing else. */
static void test_empty_pieces(const struct hash *hash)
{
	enum { SIZE = 200, EMPTY = 1000 };
	static struct blocksha_piece nothing[EMPTY];
	unsigned char data[SIZE];
	struct blocksha_piece around[3][5];
	struct batch batch = {.count = 0};

	test_random_bytes(data, SIZE);
	for (size_t i = 0; i < EMPTY; i++)
		nothing[i] = (struct blocksha_piece){i % 2 == 0 ? NULL : data, 0};
	add_new(hash, &batch, NULL, 0);
	add_new(hash, &batch, nothing, 0);
	add_new(hash, &batch, nothing, 1);
	add_new(hash, &batch, nothing, EMPTY);
	for (size_t i = 0; i < TEST_COUNT(around); i++) {
		/* A block's edge between them, or not. */
		static const size_t sizes[] = {64, 63, 100};

		around[i][0] = around[i][2] = around[i][4] = nothing[i % 2];
		around[i][1] = (struct blocksha_piece){data, sizes[i]};
		around[i][3] = (struct blocksha_piece){data + sizes[i], SIZE - sizes[i]};
		add_new(hash, &batch, around[i], 5);
	}
	for (size_t count = batch.count; count > 0; count--) {
		batch.count = count;
		check_batch(hash, &batch, "messages with empty pieces");
	}
}

/* A whole block first, and then an empty last piece: alone, and in every lane. */
static void test_block_and_nothing(const struct hash *hash)
{
	enum { COUNT = 40 };
	unsigned char data[COUNT + BLOCKSHA_BLOCK_SIZE];
	struct blocksha_piece pieces[COUNT][2];
	struct batch batch = {.count = 0};

	test_random_bytes(data, sizeof(data));
	for (size_t i = 0; i < COUNT; i++) {
		pieces[i][0] = (struct blocksha_piece){data + i, BLOCKSHA_BLOCK_SIZE};
		pieces[i][1] = (struct blocksha_piece){i % 2 == 0 ? NULL : data, 0};
		add_new(hash, &batch, pieces[i], 2);
		check_batch(hash, &batch, "a block and nothing");
	}
}

/* Messages of one byte a piece. */
static void test_one_byte_pieces(const struct hash *hash)
{
	enum { SIZE = 300 };
	unsigned char data[SIZE];
	struct blocksha_piece pieces[SIZE];
	struct batch batch = {.count = 0};

	test_random_bytes(data, SIZE);
	for (size_t i = 0; i < SIZE; i++)
		pieces[i] = (struct blocksha_piece){&data[i], 1};
	for (size_t size = 0; size <= SIZE; size++)
		add_new(hash, &batch, pieces, size);
	check_batch(hash, &batch, "one byte a piece");
}

/* --- Addresses ---------------------------------------------------------------- */

/* Messages may be the same one, or share pieces and bytes. */
static void test_shared_memory(const struct hash *hash)
{
	enum { COUNT = 50, SIZE = 500 };
	unsigned char data[SIZE];
	struct blocksha_piece whole = {data, SIZE}, repeated[MAX_PIECES], windows[COUNT];
	struct batch same = {.count = 0}, mixed = {.count = 0};

	test_random_bytes(data, SIZE);
	for (size_t i = 0; i < MAX_PIECES; i++)
		repeated[i] = (struct blocksha_piece){data, 100};
	for (size_t i = 0; i < COUNT; i++) {
		add_new(hash, &same, &whole, 1);
		windows[i] = (struct blocksha_piece){data + i, SIZE - 2 * i};
		add_new(hash, &mixed, &windows[i], 1);
		add_new(hash, &mixed, repeated, i % (MAX_PIECES + 1));
		add_new(hash, &mixed, &windows[i / 2], 1 + i / 2 % 2);
	}
	check_batch(hash, &same, "the same message again and again");
	check_batch(hash, &mixed, "messages that share bytes");
}

/* Messages of 0 to 300 bytes that begin where memory does, or end there; whole, and behind a
   first piece of 3 bytes, so that the rest lies askew. */
static void test_guard_pages(const struct hash *hash)
{
	enum { MAX_LENGTH = 300, SKEW = 3 };
	struct test_guarded place = test_guarded_new(MAX_LENGTH);
	static struct blocksha_piece whole[MAX_LENGTH + 1], askew[MAX_LENGTH + 1][2];

	test_random_bytes(place.begin, (size_t)(place.end - place.begin));
	for (int end = 0; end < 2; end++) {
		struct batch batch = {.count = 0}, batch_askew = {.count = 0};

		for (size_t size = 0; size <= MAX_LENGTH; size++) {
			unsigned char *p = end ? place.end - size : place.begin;
			size_t skew = size < SKEW ? size : SKEW;

			whole[size] = (struct blocksha_piece){p, size};
			askew[size][0] = (struct blocksha_piece){p, skew};
			askew[size][1] = (struct blocksha_piece){p + skew, size - skew};
			add_new(hash, &batch, &whole[size], 1);
			add_new(hash, &batch_askew, askew[size], 2);
		}
		check_batch(hash, &batch, "messages at the %s", end ? "end" : "begin");
		check_batch(hash, &batch_askew, "messages, askew, at the %s",
			    end ? "end" : "begin");
	}
	test_guarded_free(&place);
}

/* --- A published value --------------------------------------------------------- */

/* FIPS 180-2, appendices A.1 and B.1: this is SHA-1 and SHA-256 and not another function for
   many messages. */
static void test_abc(const struct hash *hash)
{
	enum { COUNT = 40 };
	static const struct blocksha_piece whole = {"abc", 3};
	static const struct blocksha_piece letters[] = {{"a", 1}, {"b", 1}, {"c", 1}};
	struct batch batch = {.count = 0};
	unsigned char expected[DIGEST] = {0};

	test_from_hex(expected,
		      hash->algorithm == BLOCKSHA_SHA256
			      ? "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
			      : "a9993e364706816aba3e25717850c26c9cd0d89d",
		      hash->digest_size);
	for (size_t i = 0; i < COUNT; i++) {
		if (i % 2 == 0)
			add(&batch, &whole, 1, expected);
		else
			add(&batch, letters, TEST_COUNT(letters), expected);
		check_batch(hash, &batch, "abc");
	}
}

/* --- Attacks -------------------------------------------------------------------- */

/* What is told of one message. */
static void check_attack(const struct blocksha_attack *is, const struct expected_verdict *expected,
			 size_t place, size_t count)
{
	const struct expected_attack *e = &expected->attacks[0];

	CHECK(is->blocks == expected->blocks, "message %zu of %zu", place, count);
	CHECK(is->offset == e->offset, "message %zu of %zu", place, count);
	CHECK_INT(is->vector, e->vector, "message %zu of %zu", place, count);
}

/* Published collisions among other messages, at any place; whole, and without the last byte. */
static void check_attacks(size_t count)
{
	static unsigned char noise[1000];
	static const struct expected_verdict clean;
	const struct expected_verdict *verdicts[MAX_MESSAGES];
	unsigned char digests[MAX_MESSAGES][BLOCKSHA_SHA1_DIGEST_SIZE];
	struct blocksha_attack attacks[MAX_MESSAGES];
	static struct blocksha_piece pieces[MAX_MESSAGES][2];
	static struct blocksha_message messages[MAX_MESSAGES];
	bool any = false;
	int result;

	test_random_bytes(noise, sizeof(noise));
	for (size_t i = 0; i < count; i++) {
		size_t m = test_random_below(MESSAGES), kind = test_random_below(3), size, split;
		const unsigned char *data = kind == 0 ? noise : expected_bytes(m);

		size = kind == 0 ? test_random_below(sizeof(noise))
				 : expected_messages[m].size - (kind == 1);
		split = test_random_below(size + 1);
		pieces[i][0] = (struct blocksha_piece){data, split};
		pieces[i][1] = (struct blocksha_piece){data + split, size - split};
		messages[i] = (struct blocksha_message){pieces[i], 2};
		verdicts[i] = kind == 2 ? &expected_messages[m].verdicts[0] : &clean;
		any |= kind == 2;
	}
	memset(attacks, 0xa5, sizeof(attacks));
	result = blocksha_sha1dc_many(messages, count, digests, attacks);
	CHECK_INT(result, any ? BLOCKSHA_ATTACK : BLOCKSHA_OK, "%zu messages", count);
	for (size_t i = 0; i < count; i++) {
		unsigned char expected[BLOCKSHA_SHA1_DIGEST_SIZE];

		check_attack(&attacks[i], verdicts[i], i, count);
		textbook_hash(&textbook_sha1, pieces[i][0].data,
			      pieces[i][0].size + pieces[i][1].size, expected);
		CHECK_BYTES(digests[i], expected, sizeof(expected), "message %zu of %zu", i, count);
	}
	/* Nobody needs to ask which. */
	result = blocksha_sha1dc_many(messages, count, digests, NULL);
	CHECK_INT(result, any ? BLOCKSHA_ATTACK : BLOCKSHA_OK, "%zu messages", count);
}

static void test_attacks(void)
{
	for (size_t count = 0; count <= 100; count++)
		check_attacks(count);
}

/* --- All of it ---------------------------------------------------------------- */

static void test_many_now(const struct hash *hash)
{
	test_abc(hash);
	test_no_message(hash);
	test_one_message(hash);
	test_counts(hash);
	test_hundreds(hash);
	test_rotations(hash);
	test_equal_lengths(hash);
	test_two_splits(hash);
	test_header_and_body(hash);
	test_random_pieces(hash);
	test_empty_pieces(hash);
	test_block_and_nothing(hash);
	test_one_byte_pieces(hash);
	test_shared_memory(hash);
	test_guard_pages(hash);
	if (hash->algorithm == BLOCKSHA_SHA1DC)
		test_attacks();
}

/* With this kernel forced; or with the choice that the library makes, if kernel is NULL. */
static void test_many(const struct hash *hash, const char *kernel)
{
	const char *algorithm = hash->textbook->name;
	char list[80] = "";

	printf("%s: %s\n", algorithm, kernel == NULL ? "no kernel forced" : kernel);
	if (kernel != NULL)
		snprintf(list, sizeof(list), "%s:%s", algorithm, kernel);
	CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "\"%s\"", list);
	test_many_now(hash);
}

static void test_many_free(const struct hash *hash)
{
	free(mixed_messages(hash)->memory);
}

#endif
