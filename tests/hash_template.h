/* SPDX-License-Identifier: MIT */
/*
 * hash_template.h - what every hash of the library must do, written once.
 *
 * A test program defines
 *
 *     HASH(suffix)      the library's name: blocksha_sha1##suffix
 *     HASH_DIGEST_SIZE, HASH_EXPORT_SIZE
 *     HASH_TEXTBOOK     the reference, textbook_sha1
 *     HASH_OTHER_EXPORT(out)   writes an exported state of another hash, at most
 *                       TEMPLATE_MAX_EXPORT bytes, and returns its size
 *
 * includes this file, then its expected/NAME.h with the values from elsewhere
 * (make_expected.py), and calls test_hash() with its published vectors.
 */
#ifndef BLOCKSHA_HASH_TEMPLATE_H
#define BLOCKSHA_HASH_TEMPLATE_H

#include "test.h"

#include "blocksha.h"
#include "textbook.h"

#define TEMPLATE_MAX_EXPORT 256

typedef HASH(_ctx) hash_ctx;

/* A message is text, repeated count times. */
struct vector {
	const char *text;
	size_t count;
	const char *digest;
};

struct expected_resumed {
	const char *what;
	const char *before; /* exported state to begin with */
	size_t append;      /* bytes of test_stream */
	const char *after;  /* exported state then */
	const char *digest;
};

struct expected_refused {
	const char *what;
	const char *saved;
};

static size_t HASH_OTHER_EXPORT(unsigned char *out);

/* --- Helpers --------------------------------------------------------------- */

static void one_shot(const void *data, size_t size, unsigned char *digest)
{
	memset(digest, 0xa5, HASH_DIGEST_SIZE);
	HASH()(data, size, digest);
}

static void reference(const unsigned char *data, size_t size, unsigned char *digest)
{
	textbook_hash(&HASH_TEXTBOOK, data, size, digest);
}

/* init with what a stack may hold. */
static void init_dirty(hash_ctx *ctx)
{
	memset(ctx, 0xa5, sizeof(*ctx));
	HASH(_init)(ctx);
}

static int import_dirty(hash_ctx *ctx, const void *saved, size_t size)
{
	memset(ctx, 0xa5, sizeof(*ctx));
	return HASH(_import)(ctx, saved, size);
}

/* final succeeds and gives expected, and writes nothing beside the digest. */
#define CHECK_FINAL(ctx, expected, ...)                                          \
	do {                                                                     \
		unsigned char digest_[HASH_DIGEST_SIZE + 1];                     \
                                                                                 \
		memset(digest_, 0xa5, sizeof(digest_));                          \
		CHECK_INT(HASH(_final)(ctx, digest_), BLOCKSHA_OK, __VA_ARGS__); \
		CHECK_BYTES(digest_, expected, HASH_DIGEST_SIZE, __VA_ARGS__);   \
		CHECK(digest_[HASH_DIGEST_SIZE] == 0xa5, __VA_ARGS__);           \
		CHECK(test_is_filled(ctx, 0, sizeof(*(ctx))), __VA_ARGS__);      \
	} while (0)

#define CHECK_PEEK(ctx, expected, ...)                                          \
	do {                                                                    \
		unsigned char digest_[HASH_DIGEST_SIZE];                        \
		hash_ctx before_;                                               \
                                                                                \
		memcpy(&before_, ctx, sizeof(before_)); /* the padding too */   \
		memset(digest_, 0xa5, sizeof(digest_));                         \
		CHECK_INT(HASH(_peek)(ctx, digest_), BLOCKSHA_OK, __VA_ARGS__); \
		CHECK_BYTES(digest_, expected, HASH_DIGEST_SIZE, __VA_ARGS__);  \
		CHECK_BYTES(ctx, &before_, sizeof(before_), __VA_ARGS__);       \
	} while (0)

/* peek, export and final fail with this error and write nothing; final wipes. */
#define CHECK_ERROR(ctx, error, ...)                                          \
	do {                                                                  \
		unsigned char out_[HASH_EXPORT_SIZE];                         \
                                                                              \
		memset(out_, 0xa5, sizeof(out_));                             \
		CHECK_INT(HASH(_peek)(ctx, out_), error, __VA_ARGS__);        \
		CHECK_INT(HASH(_export)(ctx, out_), error, __VA_ARGS__);      \
		CHECK_INT(HASH(_final)(ctx, out_), error, __VA_ARGS__);       \
		CHECK(test_is_filled(out_, 0xa5, sizeof(out_)), __VA_ARGS__); \
		CHECK(test_is_filled(ctx, 0, sizeof(*(ctx))), __VA_ARGS__);   \
	} while (0)

/* --- Values ---------------------------------------------------------------- */

static void test_vector(const struct vector *v)
{
	unsigned char expected[HASH_DIGEST_SIZE], digest[HASH_DIGEST_SIZE];
	size_t length = strlen(v->text), size = length * v->count;
	unsigned char *message = malloc(size + 1);
	hash_ctx ctx;

	TEST_REQUIRE(message != NULL, "malloc");
	init_dirty(&ctx);
	for (size_t i = 0; i < v->count; i++) {
		memcpy(message + i * length, v->text, length);
		HASH(_update)(&ctx, v->text, length);
	}
	test_from_hex(expected, v->digest, sizeof(expected));
	one_shot(message, size, digest);
	CHECK_BYTES(digest, expected, sizeof(expected), "%zu x \"%s\"", v->count, v->text);
	reference(message, size, digest);
	CHECK_BYTES(digest, expected, sizeof(expected), "reference, %zu x \"%s\"", v->count,
		    v->text);
	CHECK_FINAL(&ctx, expected, "%zu x \"%s\" in pieces", v->count, v->text);
	free(message);
}

/* Message n is bytes n .. 2n - 1 of the stream; all digests are hashed into one.
   The comparison with the reference says which length is wrong. */
static void test_all_lengths(const char *expected_hex)
{
	enum { MAX_LENGTH = 4096 };
	unsigned char *data = malloc(2 * MAX_LENGTH);
	unsigned char digest[HASH_DIGEST_SIZE], expected[HASH_DIGEST_SIZE];
	hash_ctx fold;

	TEST_REQUIRE(data != NULL, "malloc");
	test_stream(data, 2 * MAX_LENGTH);
	init_dirty(&fold);
	for (size_t n = 0; n <= MAX_LENGTH; n++) {
		one_shot(data + n, n, digest);
		reference(data + n, n, expected);
		CHECK_BYTES(digest, expected, sizeof(expected), "length %zu", n);
		HASH(_update)(&fold, digest, sizeof(digest));
	}
	test_from_hex(expected, expected_hex, sizeof(expected));
	CHECK_FINAL(&fold, expected, "all lengths 0 .. %d", MAX_LENGTH);
	free(data);
}

/* --- Pieces ---------------------------------------------------------------- */

/* A size for the next piece of a message of which left bytes are left: mostly one
   at which buffering goes wrong, sometimes any. */
static size_t piece_size(size_t left)
{
	static const size_t special[] = {0, 1, 55, 56, 63, 64, 65, 127, 128, 129, 192, 1000};
	size_t kind = test_random_below(2 * TEST_COUNT(special));
	size_t size = kind < TEST_COUNT(special) ? special[kind] : test_random_below(left + 1);

	return size < left ? size : left;
}

static void test_random_pieces(void)
{
	enum { MAX_LENGTH = 2000 };
	static unsigned char data[MAX_LENGTH];
	unsigned rounds = test_rounds(2000);

	for (unsigned round = 0; round < rounds; round++) {
		size_t size = test_random_below(MAX_LENGTH + 1), done = 0;
		unsigned char expected[HASH_DIGEST_SIZE];
		hash_ctx ctx;

		test_random_bytes(data, size);
		reference(data, size, expected);
		init_dirty(&ctx);
		while (done < size) {
			size_t piece = piece_size(size - done);

			HASH(_update)(&ctx, data + done, piece);
			done += piece;
		}
		CHECK_FINAL(&ctx, expected, "round %u, %zu bytes", round, size);
	}
}

/* Every first piece and every second piece around a block's edges, then the rest. */
static void test_two_splits(void)
{
	enum { SIZE = 300, MAX_PIECE = 130 };
	unsigned char data[SIZE], expected[HASH_DIGEST_SIZE];

	test_random_bytes(data, SIZE);
	reference(data, SIZE, expected);
	for (size_t first = 0; first <= MAX_PIECE; first++)
		for (size_t second = 0; second <= MAX_PIECE; second++) {
			hash_ctx ctx;

			init_dirty(&ctx);
			HASH(_update)(&ctx, data, first);
			HASH(_update)(&ctx, data + first, second);
			HASH(_update)(&ctx, data + first + second, SIZE - first - second);
			CHECK_FINAL(&ctx, expected, "%zu, %zu and the rest", first, second);
		}
}

static void test_one_byte_pieces(void)
{
	enum { SIZE = 300 };
	unsigned char data[SIZE], expected[HASH_DIGEST_SIZE];
	hash_ctx ctx;

	test_random_bytes(data, SIZE);
	init_dirty(&ctx);
	for (size_t n = 0;; n++) {
		reference(data, n, expected);
		CHECK_PEEK(&ctx, expected, "after %zu single bytes", n);
		if (n == SIZE)
			break;
		HASH(_update)(&ctx, data + n, 1);
	}
	CHECK_FINAL(&ctx, expected, "after peeks at %d bytes", SIZE);
}

/* --- Addresses ------------------------------------------------------------- */

static void test_offsets(void)
{
	enum { MAX_LENGTH = 260 };
	unsigned char data[64 + MAX_LENGTH];

	test_random_bytes(data, sizeof(data));
	for (size_t offset = 0; offset < 64; offset++)
		for (size_t size = 0; size <= MAX_LENGTH; size++) {
			unsigned char expected[HASH_DIGEST_SIZE], digest[HASH_DIGEST_SIZE];

			reference(data + offset, size, expected);
			one_shot(data + offset, size, digest);
			CHECK_BYTES(digest, expected, sizeof(expected), "%zu bytes at offset %zu",
				    size, offset);
		}
}

/* One message that ends, and one that begins, where memory does; and one piece of
   each size behind a first piece of 3 bytes, so that the rest lies askew. */
static void test_guard_pages(void)
{
	enum { MAX_LENGTH = 300, SKEW = 3 };
	struct test_guarded in = test_guarded_new(MAX_LENGTH);
	struct test_guarded out = test_guarded_new(HASH_DIGEST_SIZE);
	unsigned char expected[HASH_DIGEST_SIZE];
	hash_ctx ctx;

	test_random_bytes(in.begin, (size_t)(in.end - in.begin));
	for (size_t size = 0; size <= MAX_LENGTH; size++) {
		unsigned char *places[] = {in.begin, in.end - size};

		for (size_t i = 0; i < TEST_COUNT(places); i++) {
			unsigned char *digest = i == 0 ? out.begin : out.end - HASH_DIGEST_SIZE;

			reference(places[i], size, expected);
			one_shot(places[i], size, digest);
			CHECK_BYTES(digest, expected, HASH_DIGEST_SIZE, "%zu bytes at %s", size,
				    i == 0 ? "the begin" : "the end");
			if (size < SKEW)
				continue;
			init_dirty(&ctx);
			HASH(_update)(&ctx, places[i], SKEW);
			HASH(_update)(&ctx, places[i] + SKEW, size - SKEW);
			CHECK_FINAL(&ctx, expected, "%zu bytes, askew, at %s", size,
				    i == 0 ? "the begin" : "the end");
		}
	}
	test_guarded_free(&in);
	test_guarded_free(&out);
}

/* A heap block of exactly the message's size, at every alignment: a sanitizer or
   valgrind sees one byte too many, where pages are too coarse. */
static void test_exact_heap(void)
{
	for (size_t offset = 0; offset < 16; offset++)
		for (size_t size = 0; size <= 140; size++) {
			unsigned char expected[HASH_DIGEST_SIZE], digest[HASH_DIGEST_SIZE];
			unsigned char *data = malloc(offset + size + (offset + size == 0));

			TEST_REQUIRE(data != NULL, "malloc");
			test_random_bytes(data, offset + size);
			reference(data + offset, size, expected);
			one_shot(data + offset, size, digest);
			CHECK_BYTES(digest, expected, sizeof(expected), "%zu bytes at offset %zu",
				    size, offset);
			free(data);
		}
}

/* The digest may be written over the message, anywhere. */
static void test_overlap(void)
{
	enum { SIZE = 200 };
	unsigned char data[SIZE], work[SIZE], expected[HASH_DIGEST_SIZE];
	hash_ctx ctx;

	test_random_bytes(data, SIZE);
	for (size_t size = HASH_DIGEST_SIZE; size <= SIZE; size++) {
		reference(data, size, expected);
		for (size_t at = 0; at + HASH_DIGEST_SIZE <= size; at++) {
			memcpy(work, data, SIZE);
			HASH()(work, size, work + at);
			CHECK_BYTES(work + at, expected, HASH_DIGEST_SIZE,
				    "digest at %zu of %zu bytes", at, size);
			CHECK(memcmp(work, data, at) == 0, "before the digest at %zu", at);
			CHECK(memcmp(work + at + HASH_DIGEST_SIZE, data + at + HASH_DIGEST_SIZE,
				     SIZE - at - HASH_DIGEST_SIZE) == 0,
			      "behind the digest at %zu", at);
		}
	}
	memcpy(work, data, SIZE);
	init_dirty(&ctx);
	HASH(_update)(&ctx, work, SIZE);
	memset(work, 0, SIZE); /* the context keeps no pointer to the message */
	CHECK_INT(HASH(_peek)(&ctx, work + 50), BLOCKSHA_OK, "peek into the message");
	CHECK_BYTES(work + 50, expected, HASH_DIGEST_SIZE, "peek into the message");
	CHECK_INT(HASH(_final)(&ctx, work + 60), BLOCKSHA_OK, "final into the message");
	CHECK_BYTES(work + 60, expected, HASH_DIGEST_SIZE, "final into the message");
}

static void test_null(void)
{
	unsigned char data[130], expected[HASH_DIGEST_SIZE], digest[HASH_DIGEST_SIZE];

	test_random_bytes(data, sizeof(data));
	reference(data, 0, expected);
	one_shot(NULL, 0, digest);
	CHECK_BYTES(digest, expected, sizeof(expected), "one-shot (NULL, 0)");

	for (size_t size = 0; size <= sizeof(data); size++) {
		hash_ctx ctx;

		reference(data, size, expected);
		init_dirty(&ctx);
		HASH(_update)(&ctx, NULL, 0);
		HASH(_update)(&ctx, data, size / 2);
		HASH(_update)(&ctx, NULL, 0);
		HASH(_update)(&ctx, data + size / 2, size - size / 2);
		HASH(_update)(&ctx, NULL, 0);
		CHECK_FINAL(&ctx, expected, "(NULL, 0) between pieces, %zu bytes", size);
	}
}

/* --- Contexts -------------------------------------------------------------- */

/* Assigning a context clones it: both go on, each on its own. */
static void test_clone(void)
{
	enum { SIZE = 200 };
	unsigned char data[SIZE], other[SIZE], expected[HASH_DIGEST_SIZE];

	test_random_bytes(data, SIZE);
	for (size_t size = 0; size <= SIZE; size++) {
		hash_ctx ctx, clone;

		init_dirty(&ctx);
		HASH(_update)(&ctx, data, size);
		clone = ctx;
		HASH(_update)(&ctx, data + size, SIZE - size);
		reference(data, SIZE, expected);
		CHECK_FINAL(&ctx, expected, "original, cloned at %zu", size);

		memcpy(other, data, size);
		test_random_bytes(other + size, SIZE - size);
		HASH(_update)(&clone, other + size, SIZE - size);
		reference(other, SIZE, expected);
		CHECK_FINAL(&clone, expected, "clone, made at %zu", size);
	}
}

/* Brings ctx into a state, names it. */
enum bad_state { ALL_ZERO, FINISHED, FINISHED_TWICE, UPDATED_AFTER_FINAL, BAD_STATES };

static const char *make_bad(hash_ctx *ctx, enum bad_state bad)
{
	unsigned char digest[HASH_DIGEST_SIZE];

	if (bad == ALL_ZERO) {
		memset(ctx, 0, sizeof(*ctx));
		return "never initialised, all zero";
	}
	init_dirty(ctx);
	HASH(_update)(ctx, "t1", 2);
	CHECK_INT(HASH(_final)(ctx, digest), BLOCKSHA_OK, "the first final");
	if (bad == FINISHED)
		return "after final";
	if (bad == FINISHED_TWICE) {
		CHECK_INT(HASH(_final)(ctx, digest), BLOCKSHA_ERROR_ORDER, "the second final");
		return "after two finals";
	}
	HASH(_update)(ctx, "t2", 2);
	return "update after final";
}

static void test_wrong_order(void)
{
	static const unsigned char piece[100];
	unsigned char expected[HASH_DIGEST_SIZE];
	hash_ctx ctx;

	for (unsigned bad = 0; bad < BAD_STATES; bad++) {
		const char *name = make_bad(&ctx, bad);

		CHECK_ERROR(&ctx, BLOCKSHA_ERROR_ORDER, "%s", name);

		/* It sticks, whatever comes then; only init mends it. */
		make_bad(&ctx, bad);
		HASH(_update)(&ctx, NULL, 0);
		HASH(_update)(&ctx, piece, sizeof(piece));
		HASH(_update)(&ctx, piece, 1);
		CHECK_ERROR(&ctx, BLOCKSHA_ERROR_ORDER, "%s, then updates", name);

		make_bad(&ctx, bad);
		HASH(_init)(&ctx);
		HASH(_update)(&ctx, piece, sizeof(piece));
		reference(piece, sizeof(piece), expected);
		CHECK_FINAL(&ctx, expected, "%s, then init", name);
	}
}

/* --- Saved states ---------------------------------------------------------- */

static void test_export_every_length(void)
{
	enum { SIZE = 200 };
	unsigned char data[SIZE], expected[HASH_DIGEST_SIZE];
	struct test_guarded out = test_guarded_new(HASH_EXPORT_SIZE);
	unsigned char *saved = out.end - HASH_EXPORT_SIZE;

	test_random_bytes(data, SIZE);
	for (size_t size = 0; size <= SIZE; size++) {
		unsigned char again[HASH_EXPORT_SIZE];
		hash_ctx ctx, resumed;

		init_dirty(&ctx);
		HASH(_update)(&ctx, data, size);
		memset(saved, 0xa5, HASH_EXPORT_SIZE);
		CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "export at %zu", size);
		CHECK_INT(import_dirty(&resumed, saved, HASH_EXPORT_SIZE), BLOCKSHA_OK,
			  "import at %zu", size);
		CHECK_INT(HASH(_export)(&resumed, again), BLOCKSHA_OK, "export again at %zu", size);
		CHECK_BYTES(again, saved, sizeof(again), "export again at %zu", size);

		reference(data, SIZE, expected);
		HASH(_update)(&resumed, data + size, SIZE - size);
		CHECK_FINAL(&resumed, expected, "resumed at %zu", size);
		HASH(_update)(&ctx, data + size, SIZE - size);
		CHECK_FINAL(&ctx, expected, "exported at %zu and gone on", size);
	}
	test_guarded_free(&out);
}

/* Bytes of old messages that are still in the buffer must not be exported. */
static void test_export_leaks_nothing(void)
{
	unsigned char data[64], saved[HASH_EXPORT_SIZE];
	hash_ctx ctx;

	memset(data, 0x77, sizeof(data));
	init_dirty(&ctx);
	HASH(_update)(&ctx, data, 63); /* fills the buffer */
	HASH(_update)(&ctx, data, 2);  /* compresses it, keeps one byte */
	CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "export at 65 bytes");
	CHECK_INT(saved[HASH_EXPORT_SIZE - 4 - 64], 0x77, "the buffered byte");
	CHECK(test_is_filled(saved + HASH_EXPORT_SIZE - 4 - 63, 0, 63), "the unused bytes");
}

/* States written down by make_expected.py, which knows the form from its
   description: huge lengths without huge data. */
static void test_resumed(const struct expected_resumed *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct expected_resumed *c = &cases[i];
		unsigned char saved[HASH_EXPORT_SIZE], expected[HASH_EXPORT_SIZE], data[256];
		hash_ctx ctx;

		TEST_REQUIRE(c->append <= sizeof(data), "data");
		test_stream(data, c->append);
		test_from_hex(saved, c->before, sizeof(saved));
		CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "%s", c->what);
		HASH(_update)(&ctx, data, c->append);
		CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "%s", c->what);
		test_from_hex(expected, c->after, sizeof(saved));
		CHECK_BYTES(saved, expected, sizeof(saved), "%s", c->what);
		test_from_hex(expected, c->digest, HASH_DIGEST_SIZE);
		CHECK_PEEK(&ctx, expected, "%s", c->what);
		CHECK_FINAL(&ctx, expected, "%s", c->what);
	}
}

/* A refused import leaves a wiped context. */
#define CHECK_REFUSED(saved, size, ...)                                                           \
	do {                                                                                      \
		hash_ctx ctx_;                                                                    \
                                                                                                  \
		init_dirty(&ctx_);                                                                \
		CHECK_INT(HASH(_import)(&ctx_, saved, size), BLOCKSHA_ERROR_FORMAT, __VA_ARGS__); \
		CHECK(test_is_filled(&ctx_, 0, sizeof(ctx_)), __VA_ARGS__);                       \
		CHECK_ERROR(&ctx_, BLOCKSHA_ERROR_ORDER, __VA_ARGS__);                            \
	} while (0)

static void test_refused_forms(const struct expected_refused *cases, size_t count)
{
	unsigned char saved[TEMPLATE_MAX_EXPORT];

	for (size_t i = 0; i < count; i++) {
		test_from_hex(saved, cases[i].saved, HASH_EXPORT_SIZE);
		CHECK_REFUSED(saved, HASH_EXPORT_SIZE, "%s", cases[i].what);
	}
	memset(saved, 0xa5, sizeof(saved));
	CHECK_REFUSED(saved, HASH_OTHER_EXPORT(saved), "a state of another hash");
	CHECK_REFUSED(saved, HASH_EXPORT_SIZE, "a state of another hash, this one's size");
	memset(saved, 0, sizeof(saved));
	CHECK_REFUSED(saved, HASH_EXPORT_SIZE, "all zero");
	CHECK_REFUSED(NULL, 0, "(NULL, 0)");
}

/* Every value in every byte, and every wrong size, of a good state. */
static void test_damaged_states(void)
{
	unsigned char data[37], saved[HASH_EXPORT_SIZE];
	struct test_guarded place = test_guarded_new(2 * HASH_EXPORT_SIZE);
	unsigned step = test_quick() ? 17 : 1;
	hash_ctx ctx;

	test_random_bytes(data, sizeof(data));
	init_dirty(&ctx);
	HASH(_update)(&ctx, data, sizeof(data));
	CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "export");
	for (size_t at = 0; at < HASH_EXPORT_SIZE; at++)
		for (unsigned change = 1; change < 256; change += step) {
			saved[at] ^= (unsigned char)change;
			CHECK_REFUSED(saved, HASH_EXPORT_SIZE, "byte %zu ^ 0x%02x", at, change);
			saved[at] ^= (unsigned char)change;
		}
	for (size_t size = 0; size <= 2 * HASH_EXPORT_SIZE; size++) {
		unsigned char *copy = place.end - size;

		for (size_t i = 0; i < size; i++)
			copy[i] = i < HASH_EXPORT_SIZE ? saved[i] : 0;
		if (size != HASH_EXPORT_SIZE)
			CHECK_REFUSED(copy, size, "size %zu", size);
	}
	CHECK_INT(import_dirty(&ctx, saved, HASH_EXPORT_SIZE), BLOCKSHA_OK, "undamaged");
	test_guarded_free(&place);
}

/* The message grows beyond 2^61 - 1 bytes: the error sticks. No byte of such a piece
   is read, so that a small buffer can stand for a huge one. */
static void test_too_long(const struct expected_resumed *longest)
{
	static const size_t sizes[] = {1,       2, 63, 64, 65, 200, SIZE_MAX / 2, SIZE_MAX - 63,
				       SIZE_MAX};
	unsigned char saved[HASH_EXPORT_SIZE], expected[HASH_DIGEST_SIZE], data[256] = {0};
	hash_ctx ctx;

	test_from_hex(saved, longest->after, sizeof(saved));
	test_from_hex(expected, longest->digest, sizeof(expected));
	for (size_t i = 0; i < TEST_COUNT(sizes); i++) {
		CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "the longest");
		HASH(_update)(&ctx, data, sizes[i]);
		HASH(_update)(&ctx, data, 1);
		HASH(_update)(&ctx, NULL, 0);
		CHECK_ERROR(&ctx, BLOCKSHA_ERROR_LENGTH, "%zu more bytes", sizes[i]);
		CHECK_ERROR(&ctx, BLOCKSHA_ERROR_ORDER, "after that, finished");
	}
	CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "the longest");
	HASH(_update)(&ctx, NULL, 0);
	CHECK_FINAL(&ctx, expected, "the longest, and nothing more");
#if SIZE_MAX >= UINT64_MAX
	/* From the start, and where length + size wraps around in 64 bits. */
	init_dirty(&ctx);
	HASH(_update)(&ctx, data, (size_t)1 << 61);
	CHECK_ERROR(&ctx, BLOCKSHA_ERROR_LENGTH, "2^61 bytes at once");
	init_dirty(&ctx);
	HASH(_update)(&ctx, data, 100);
	HASH(_update)(&ctx, data, SIZE_MAX - 98);
	CHECK_ERROR(&ctx, BLOCKSHA_ERROR_LENGTH, "wraps to 1 byte");
#endif
}

/* --- All of it ------------------------------------------------------------- */

struct hash_cases {
	const struct vector *vectors;
	size_t vector_count;
	const char *all_lengths;
	const struct expected_resumed *resumed; /* the last one is the longest message */
	size_t resumed_count;
	const struct expected_refused *refused;
	size_t refused_count;
};

static void test_hash_now(const struct hash_cases *cases)
{
	printf("published vectors\n");
	for (size_t i = 0; i < cases->vector_count; i++)
		test_vector(&cases->vectors[i]);
	printf("all lengths\n");
	test_all_lengths(cases->all_lengths);
	TEST_RUN(test_random_pieces);
	TEST_RUN(test_two_splits);
	TEST_RUN(test_one_byte_pieces);
	TEST_RUN(test_offsets);
	TEST_RUN(test_guard_pages);
	TEST_RUN(test_exact_heap);
	TEST_RUN(test_overlap);
	TEST_RUN(test_null);
	TEST_RUN(test_clone);
	TEST_RUN(test_wrong_order);
	TEST_RUN(test_export_every_length);
	TEST_RUN(test_export_leaks_nothing);
	printf("saved states from elsewhere\n");
	test_resumed(cases->resumed, cases->resumed_count);
	printf("forms that must be refused\n");
	test_refused_forms(cases->refused, cases->refused_count);
	TEST_RUN(test_damaged_states);
	printf("longer than 2^61 - 1 bytes\n");
	test_too_long(&cases->resumed[cases->resumed_count - 1]);
}

static void force(const char *algorithm, const char *kernel)
{
	char list[80] = "";

	if (kernel != NULL)
		snprintf(list, sizeof(list), "%s:%s", algorithm, kernel);
	CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "\"%s\"", list);
}

/* With each kernel that this machine can run, and then with the one that the library takes. */
static void test_hash(const struct hash_cases *cases)
{
	struct blocksha_kernel_info info;

	for (size_t i = 0; blocksha_get_kernel_info(i, &info) == BLOCKSHA_OK; i++) {
		if (info.lanes != 1 || strcmp(info.algorithm, HASH_TEXTBOOK.name) != 0)
			continue;
		if (!info.usable) {
			test_unavailable("%s: %s", info.algorithm, info.name);
			continue;
		}
		printf("--- %s: %s ---\n", info.algorithm, info.name);
		force(info.algorithm, info.name);
		test_hash_now(cases);
	}
	printf("--- %s: no kernel forced ---\n", HASH_TEXTBOOK.name);
	force(HASH_TEXTBOOK.name, NULL);
	test_hash_now(cases);
}

#endif
