/* SPDX-License-Identifier: MIT */
/*
 * test_sha1dc.c - the interface of SHA-1 with detection of attacks, on messages without any:
 * all that SHA-1 does; options and callback in the right and in the wrong order; saved
 * verdicts. test_sha1dc_attacks.c and test_sha1dc_verdicts.c have messages with attacks.
 */
#include "test.h"

#include "blocksha.h"

/* --- The hash of the template: a clean message leaves a clean verdict ------------ */

typedef blocksha_sha1dc_ctx dc_ctx;

static struct blocksha_attack verdict;

static int check_clean(int result)
{
	if (result == BLOCKSHA_OK)
		CHECK(verdict.offset == 0 && verdict.blocks == 0 && verdict.vector == 0,
		      "no attack");
	return result;
}

static void dc(const void *data, size_t size, unsigned char *digest)
{
	memset(&verdict, 0xa5, sizeof(verdict));
	CHECK_INT(check_clean(blocksha_sha1dc(data, size, digest, &verdict)), BLOCKSHA_OK,
		  "one shot");
}

static void dc_init(dc_ctx *ctx)
{
	blocksha_sha1dc_init(ctx);
}

static void dc_update(dc_ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1dc_update(ctx, data, size);
}

static int dc_peek(const dc_ctx *ctx, unsigned char *digest)
{
	memset(&verdict, 0xa5, sizeof(verdict));
	return check_clean(blocksha_sha1dc_peek(ctx, digest, &verdict));
}

static int dc_final(dc_ctx *ctx, unsigned char *digest)
{
	memset(&verdict, 0xa5, sizeof(verdict));
	return check_clean(blocksha_sha1dc_final(ctx, digest, &verdict));
}

static int dc_export(const dc_ctx *ctx, unsigned char *out)
{
	return blocksha_sha1dc_export(ctx, out);
}

static int dc_import(dc_ctx *ctx, const void *saved, size_t size)
{
	return blocksha_sha1dc_import(ctx, saved, size);
}

#define HASH(suffix) dc##suffix
#define HASH_DIGEST_SIZE BLOCKSHA_SHA1_DIGEST_SIZE
#define HASH_EXPORT_SIZE BLOCKSHA_SHA1DC_EXPORT_SIZE
#define HASH_TEXTBOOK textbook_sha1dc
#define HASH_OTHER_EXPORT sha1_export
#include "hash_template.h"

#include "sha1dc_saved.h"

#include "expected/sha1dc.h"

/* A state of plain SHA-1, which has the same words, is not one of the detecting hash. */
static size_t sha1_export(unsigned char *out)
{
	blocksha_sha1_ctx ctx;

	blocksha_sha1_init(&ctx);
	blocksha_sha1_update(&ctx, "abc", 3);
	CHECK_INT(blocksha_sha1_export(&ctx, out), BLOCKSHA_OK, "export of SHA-1");
	return BLOCKSHA_SHA1_EXPORT_SIZE;
}

/* The vectors of test_sha1.c. */
static const struct vector vectors[] = {
	{"abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
	{"", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
	{"a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
};

/* --- Options ----------------------------------------------------------------------- */

enum {
	ALL_OPTIONS = BLOCKSHA_SHA1DC_SAFE_HASH | BLOCKSHA_SHA1DC_REDUCED_ROUNDS |
		      BLOCKSHA_SHA1DC_NO_FILTER | BLOCKSHA_SHA1DC_IGNORE
};

static void never_called(void *arg, uint64_t offset, const uint32_t in[5],
			 const uint32_t other_in[5], const uint32_t w[80],
			 const uint32_t other_w[80])
{
	(void)arg;
	(void)in;
	(void)other_in;
	(void)w;
	(void)other_w;
	CHECK(false, "called for a harmless block at %" PRIu64, offset);
}

/* No combination of options changes a harmless message. */
static void test_harmless_options(void)
{
	enum { SIZE = 1000 };
	unsigned char data[SIZE], expected[HASH_DIGEST_SIZE];

	for (unsigned options = 0; options <= ALL_OPTIONS; options++)
		for (unsigned round = 0; round < 10; round++) {
			size_t size = test_random_below(SIZE), split = test_random_below(size + 1);
			hash_ctx ctx;

			test_random_bytes(data, size);
			init_dirty(&ctx);
			blocksha_sha1dc_set_options(&ctx, options);
			blocksha_sha1dc_set_callback(&ctx, never_called, NULL);
			HASH(_update)(&ctx, data, split);
			reference(data, split, expected);
			CHECK_PEEK(&ctx, expected, "options %u, %zu bytes", options, split);
			HASH(_update)(&ctx, data + split, size - split);
			reference(data, size, expected);
			CHECK_FINAL(&ctx, expected, "options %u, %zu bytes", options, size);
		}
}

/* Options may be set again and again before the first byte, also behind empty pieces, and are
   part of the saved state. */
static void test_options_in_time(void)
{
	unsigned char saved[HASH_EXPORT_SIZE], other[HASH_EXPORT_SIZE], expected[HASH_DIGEST_SIZE];
	hash_ctx ctx;

	reference((const unsigned char *)"x", 1, expected);
	for (unsigned options = 0; options <= ALL_OPTIONS; options++) {
		init_dirty(&ctx);
		blocksha_sha1dc_set_options(&ctx, ALL_OPTIONS ^ options);
		HASH(_update)(&ctx, NULL, 0);
		blocksha_sha1dc_set_options(&ctx, options);
		blocksha_sha1dc_set_callback(&ctx, never_called, &ctx);
		blocksha_sha1dc_set_callback(&ctx, NULL, NULL);
		CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "options %u", options);
		/* docs/state.md: the options follow the five words of the state. */
		CHECK_INT(saved[16 + 4 * 5 + 3], options, "options %u", options);

		CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "options %u",
			  options);
		HASH(_update)(&ctx, "x", 1);
		CHECK_INT(HASH(_export)(&ctx, other), BLOCKSHA_OK, "options %u", options);
		CHECK_INT(other[16 + 4 * 5 + 3], options, "options %u", options);
		CHECK_FINAL(&ctx, expected, "options %u", options);

		/* An imported message that has not begun takes options, too. */
		CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "options %u",
			  options);
		blocksha_sha1dc_set_options(&ctx, BLOCKSHA_SHA1DC_SAFE_HASH);
		blocksha_sha1dc_set_callback(&ctx, never_called, NULL);
		HASH(_update)(&ctx, "x", 1);
		CHECK_FINAL(&ctx, expected, "options %u, then others", options);
	}
	/* Bits that mean nothing are not kept: the state could not be imported. */
	init_dirty(&ctx);
	blocksha_sha1dc_set_options(&ctx, ~0U);
	CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "all bits");
	CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "all bits");
}

static void set_options(hash_ctx *ctx)
{
	blocksha_sha1dc_set_options(ctx, BLOCKSHA_SHA1DC_SAFE_HASH);
}

static void set_no_options(hash_ctx *ctx)
{
	blocksha_sha1dc_set_options(ctx, 0);
}

static void set_callback(hash_ctx *ctx)
{
	blocksha_sha1dc_set_callback(ctx, never_called, NULL);
}

static void set_no_callback(hash_ctx *ctx)
{
	blocksha_sha1dc_set_callback(ctx, NULL, NULL);
}

/* Behind the first byte, and where there is no message: the error sticks. */
static void test_options_too_late(void)
{
	static void (*const set[])(hash_ctx *) = {set_options, set_no_options, set_callback,
						  set_no_callback};
	static const size_t sizes[] = {1, 55, 63, 64, 65, 128, 200};
	static const unsigned char data[200];
	unsigned char saved[HASH_EXPORT_SIZE];
	hash_ctx ctx;

	for (size_t i = 0; i < TEST_COUNT(set); i++) {
		for (size_t s = 0; s < TEST_COUNT(sizes); s++) {
			init_dirty(&ctx);
			HASH(_update)(&ctx, data, sizes[s]);
			CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "%zu", sizes[s]);
			set[i](&ctx);
			CHECK_ERROR(&ctx, BLOCKSHA_ERROR_ORDER, "setter %zu after %zu bytes", i,
				    sizes[s]);

			CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "%zu",
				  sizes[s]);
			set[i](&ctx);
			HASH(_update)(&ctx, data, 1);
			CHECK_ERROR(&ctx, BLOCKSHA_ERROR_ORDER, "setter %zu after import of %zu", i,
				    sizes[s]);
		}
		for (unsigned bad = 0; bad < BAD_STATES; bad++) {
			const char *name = make_bad(&ctx, bad);

			set[i](&ctx);
			CHECK_ERROR(&ctx, BLOCKSHA_ERROR_ORDER, "setter %zu %s", i, name);
			make_bad(&ctx, bad);
			set[i](&ctx);
			HASH(_init)(&ctx);
			set[i](&ctx);
			CHECK_INT(HASH(_export)(&ctx, saved), BLOCKSHA_OK, "%s, then init", name);
		}
		/* An error that sticks is not changed into another one. */
		init_dirty(&ctx);
		ctx.stream.status = BLOCKSHA_ERROR_LENGTH;
		set[i](&ctx);
		CHECK_ERROR(&ctx, BLOCKSHA_ERROR_LENGTH, "setter %zu on a message too long", i);
	}
}

/* On error attack is not written either. */
static void test_error_writes_nothing(void)
{
	unsigned char digest[HASH_DIGEST_SIZE];
	struct blocksha_attack attack;
	hash_ctx ctx;

	for (unsigned bad = 0; bad < BAD_STATES; bad++) {
		const char *name = make_bad(&ctx, bad);

		memset(&attack, 0xa5, sizeof(attack));
		CHECK_INT(blocksha_sha1dc_peek(&ctx, digest, &attack), BLOCKSHA_ERROR_ORDER, "%s",
			  name);
		CHECK(test_is_filled(&attack, 0xa5, sizeof(attack)), "peek %s", name);
		CHECK_INT(blocksha_sha1dc_final(&ctx, digest, &attack), BLOCKSHA_ERROR_ORDER, "%s",
			  name);
		CHECK(test_is_filled(&attack, 0xa5, sizeof(attack)), "final %s", name);
	}
}

int main(int argc, char **argv)
{
	static const struct hash_cases cases = {
		vectors,
		TEST_COUNT(vectors),
		EXPECTED_ALL_LENGTHS,
		expected_resumed,
		TEST_COUNT(expected_resumed),
		expected_refused,
		TEST_COUNT(expected_refused),
	};

	test_begin(argc, argv);
	test_hash(&cases);
	TEST_RUN(test_harmless_options);
	TEST_RUN(test_options_in_time);
	TEST_RUN(test_options_too_late);
	TEST_RUN(test_error_writes_nothing);
	test_attacked(expected_attacked, TEST_COUNT(expected_attacked));
	test_damaged_verdicts(&expected_attacked[0]);
	test_damaged_verdicts(&expected_attacked[1]);
	return test_end();
}
