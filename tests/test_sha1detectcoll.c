/* SPDX-License-Identifier: MIT */
/*
 * test_sha1detectcoll.c - the drop-in for libsha1detectcoll does what the interface of the
 * reference library promises: through its functions alone, as a program sees it that was
 * written for that library. abi_sha1detectcoll.c has the layout of the context.
 */
#include "test.h"

#include "sha1dc/sha1.h"
#include "sha1dc_blocks.h"

enum { DIGEST = 20 };

/* Bits of the options, as the expected verdicts are numbered. */
enum { SAFE = 1, REDUCED = 2 };

static void init(SHA1_CTX *ctx)
{
	memset(ctx, 0xa5, sizeof(*ctx));
	SHA1DCInit(ctx);
}

static void update(SHA1_CTX *ctx, const unsigned char *data, size_t size)
{
	SHA1DCUpdate(ctx, (const char *)data, size);
}

static void set_options(SHA1_CTX *ctx, unsigned options)
{
	SHA1DCSetSafeHash(ctx, (options & SAFE) != 0);
	SHA1DCSetDetectReducedRoundCollision(ctx, (options & REDUCED) != 0);
}

static const struct expected_verdict *verdict_of(size_t i, unsigned options)
{
	return &expected_messages[i].verdicts[options];
}

TEST_PRINTF(4, 5)
static void check_final(SHA1_CTX *ctx, const char *digest, bool found, const char *format, ...)
{
	unsigned char is[DIGEST], should_be[DIGEST];
	char what[200];
	va_list args;
	int result;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	test_from_hex(should_be, digest, DIGEST);
	result = SHA1DCFinal(is, ctx);
	CHECK_INT(result != 0, found, "%s", what);
	CHECK_INT(ctx->found_collision != 0, found, "%s", what);
	CHECK_BYTES(is, should_be, DIGEST, "%s", what);
}

/* --- What a context is like ------------------------------------------------------ */

static void test_defaults(void)
{
	SHA1_CTX ctx;

	init(&ctx);
	CHECK(ctx.total == 0, "total");
	CHECK_INT(ctx.found_collision, 0, "found_collision");
	CHECK_INT(ctx.safe_hash, 1, "safe_hash");
	CHECK_INT(ctx.detect_coll, 1, "detect_coll");
	CHECK_INT(ctx.ubc_check, 1, "ubc_check");
	CHECK_INT(ctx.reduced_round_coll, 0, "reduced_round_coll");
	CHECK(ctx.callback == NULL, "callback");
}

static void never_called(uint64_t offset, const uint32_t *in, const uint32_t *other_in,
			 const uint32_t *w, const uint32_t *other_w)
{
	(void)in;
	(void)other_in;
	(void)w;
	(void)other_w;
	CHECK(false, "called at %" PRIu64, offset);
}

/* Any number but 0 is on. */
static void test_setters(void)
{
	static const int values[] = {0, 1, 2, -1, 256, INT32_MIN};

	for (size_t i = 0; i < TEST_COUNT(values); i++) {
		int on = values[i] != 0;
		SHA1_CTX ctx;

		init(&ctx);
		SHA1DCSetSafeHash(&ctx, values[i]);
		CHECK_INT(ctx.safe_hash, on, "safe_hash, %d", values[i]);
		SHA1DCSetUseUBC(&ctx, values[i]);
		CHECK_INT(ctx.ubc_check, on, "ubc_check, %d", values[i]);
		SHA1DCSetUseDetectColl(&ctx, values[i]);
		CHECK_INT(ctx.detect_coll, on, "detect_coll, %d", values[i]);
		SHA1DCSetDetectReducedRoundCollision(&ctx, values[i]);
		CHECK_INT(ctx.reduced_round_coll, on, "reduced_round_coll, %d", values[i]);
		SHA1DCSetCallback(&ctx, never_called);
		CHECK(ctx.callback == never_called, "callback");
		SHA1DCSetCallback(&ctx, NULL);
		CHECK(ctx.callback == NULL, "callback");
		CHECK(ctx.total == 0 && ctx.found_collision == 0, "the rest, %d", values[i]);
	}
}

/* --- Harmless messages ------------------------------------------------------------ */

static void hex_of(const unsigned char *data, size_t size, char hex[2 * DIGEST + 1])
{
	unsigned char digest[DIGEST];

	textbook_hash(&textbook_sha1, data, size, digest);
	for (size_t i = 0; i < DIGEST; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
}

static void test_harmless(void)
{
	enum { SIZE = 700 };
	unsigned char data[SIZE];
	char hex[2 * DIGEST + 1];

	test_random_bytes(data, SIZE);
	for (size_t size = 0; size <= SIZE; size++) {
		size_t split = test_random_below(size + 1);
		SHA1_CTX ctx;

		hex_of(data, size, hex);
		init(&ctx);
		set_options(&ctx, (unsigned)test_random_below(4));
		SHA1DCSetUseUBC(&ctx, (int)test_random_below(2));
		SHA1DCSetUseDetectColl(&ctx, (int)test_random_below(2));
		SHA1DCSetCallback(&ctx, never_called);
		SHA1DCUpdate(&ctx, NULL, 0);
		update(&ctx, data, split);
		CHECK(ctx.total == split, "%" PRIu64 " of %zu bytes", ctx.total, split);
		update(&ctx, data + split, size - split);
		CHECK(ctx.total == size, "%" PRIu64 " of %zu bytes", ctx.total, size);
		check_final(&ctx, hex, false, "%zu bytes", size);
	}
}

/* --- Attacks ------------------------------------------------------------------------ */

static void test_attack(size_t i)
{
	const struct expected_message *m = &expected_messages[i];
	const unsigned char *data = expected_bytes(i);
	SHA1_CTX ctx;

	/* As it comes: with safe hash. */
	init(&ctx);
	update(&ctx, data, m->size);
	CHECK_INT(ctx.found_collision, 1, "%s, before the end", m->name);
	check_final(&ctx, verdict_of(i, SAFE)->digest, true, "%s", m->name);

	for (unsigned options = 0; options < 4; options++)
		for (size_t split = 0; split <= m->size; split++)
			for (int filter = split % 64 != 0; filter < 2; filter++) {
				init(&ctx);
				set_options(&ctx, options);
				SHA1DCSetUseUBC(&ctx, filter);
				update(&ctx, data, split);
				update(&ctx, data + split, m->size - split);
				check_final(&ctx, verdict_of(i, options)->digest, true,
					    "%s, options %u, filter %d, split at %zu", m->name,
					    options, filter, split);
			}

	/* Without detection nothing else matters. */
	for (unsigned options = 0; options < 8; options++) {
		init(&ctx);
		set_options(&ctx, options % 4);
		SHA1DCSetUseUBC(&ctx, options < 4);
		SHA1DCSetUseDetectColl(&ctx, 0);
		SHA1DCSetCallback(&ctx, never_called);
		update(&ctx, data, m->size);
		CHECK_INT(ctx.found_collision, 0, "%s, detection off", m->name);
		check_final(&ctx, verdict_of(i, 0)->digest, false, "%s, detection off", m->name);
	}
}

/* Options may change between calls; each holds for the blocks that come then. */
static void test_late_options(size_t i)
{
	const struct expected_message *m = &expected_messages[i];
	const unsigned char *data = expected_bytes(i);

	for (size_t split = 1; split < m->size; split++) {
		/* The last block is the attack; it is not complete before the end. */
		SHA1_CTX ctx;

		init(&ctx);
		update(&ctx, data, split);
		SHA1DCSetSafeHash(&ctx, 0);
		update(&ctx, data + split, m->size - split);
		check_final(&ctx, verdict_of(i, 0)->digest, true, "%s, plain from %zu", m->name,
			    split);

		init(&ctx);
		SHA1DCSetSafeHash(&ctx, 0);
		update(&ctx, data, split);
		SHA1DCSetSafeHash(&ctx, 1);
		update(&ctx, data + split, m->size - split);
		check_final(&ctx, verdict_of(i, SAFE)->digest, true, "%s, safe from %zu", m->name,
			    split);

		init(&ctx);
		SHA1DCSetUseDetectColl(&ctx, 0);
		update(&ctx, data, split);
		SHA1DCSetUseDetectColl(&ctx, 1);
		SHA1DCSetUseUBC(&ctx, (int)(split % 2));
		update(&ctx, data + split, m->size - split);
		check_final(&ctx, verdict_of(i, SAFE)->digest, true, "%s, detection from %zu",
			    m->name, split);

		init(&ctx);
		update(&ctx, data, split);
		SHA1DCSetUseDetectColl(&ctx, 0);
		update(&ctx, data + split, m->size - split);
		check_final(&ctx, verdict_of(i, 0)->digest, false, "%s, no detection from %zu",
			    m->name, split);
	}
	{
		/* What was found is not forgotten. */
		SHA1_CTX ctx;

		init(&ctx);
		update(&ctx, data, m->size);
		SHA1DCSetUseDetectColl(&ctx, 0);
		SHA1DCSetSafeHash(&ctx, 0);
		check_final(&ctx, verdict_of(i, SAFE)->digest, true, "%s, detection off at the end",
			    m->name);
	}
}

/* --- Callback ------------------------------------------------------------------------- */

/* The callback has no argument of its own. */
static size_t called_for;
static unsigned called_options, called_count;

static void called(uint64_t offset, const uint32_t *in, const uint32_t *other_in, const uint32_t *w,
		   const uint32_t *other_w)
{
	const struct expected_verdict *v = verdict_of(called_for, called_options);
	const struct expected_attack *e = &v->attacks[called_count];
	const char *name = expected_messages[called_for].name;
	uint32_t words[80];

	CHECK(called_count < v->blocks, "%s, call %u", name, called_count);
	if (called_count++ >= v->blocks)
		return;
	CHECK(offset == e->offset, "%s: offset %" PRIu64, name, offset);
	CHECK_BYTES(in, e->in, sizeof(e->in), "%s", name);
	CHECK_BYTES(other_in, e->other_in, sizeof(e->other_in), "%s", name);
	textbook_schedule_block(words, expected_bytes(called_for) + e->offset);
	CHECK_BYTES(w, words, sizeof(words), "%s", name);
	textbook_other_words(e->vector, words, words);
	CHECK_BYTES(other_w, words, sizeof(words), "%s", name);
}

static void test_callback(size_t i)
{
	const struct expected_message *m = &expected_messages[i];

	called_for = i;
	for (called_options = 0; called_options < 4; called_options++)
		/* No attack is in the first 192 bytes. */
		for (size_t split = 0; split <= 192; split += 16) {
			SHA1_CTX ctx;

			called_count = 0;
			init(&ctx);
			set_options(&ctx, called_options);
			/* It may come late and go early. */
			update(&ctx, expected_bytes(i), split);
			SHA1DCSetCallback(&ctx, called);
			update(&ctx, expected_bytes(i) + split, m->size - split);
			SHA1DCSetCallback(&ctx, NULL);
			check_final(&ctx, verdict_of(i, called_options)->digest, true,
				    "%s, callback from %zu", m->name, split);
			CHECK_INT(called_count, verdict_of(i, called_options)->blocks, "%s",
				  m->name);
		}
}

/* --- Clones ----------------------------------------------------------------------------- */

/* Assigning a context clones it, wherever it lies, and whatever becomes of the first one. */
static void test_clone(size_t i)
{
	const struct expected_message *m = &expected_messages[i];
	const unsigned char *data = expected_bytes(i);
	unsigned char digest[DIGEST];

	called_for = i;
	called_options = SAFE | REDUCED;
	for (size_t split = 0; split <= m->size; split++) {
		SHA1_CTX *first = malloc(sizeof(*first)), *second = malloc(sizeof(*second)), third;

		TEST_REQUIRE(first != NULL && second != NULL, "malloc");
		called_count = 0;
		init(first);
		set_options(first, called_options);
		SHA1DCSetCallback(first, called);
		update(first, data, split);
		*second = *first;
		third = *first;
		memset(first, 0x5a, sizeof(*first)); /* nothing may be read there */
		update(second, data + split, m->size - split);
		check_final(second, verdict_of(i, called_options)->digest, true,
			    "%s, cloned at %zu", m->name, split);
		CHECK_INT(called_count, verdict_of(i, called_options)->blocks, "%s, cloned at %zu",
			  m->name, split);
		free(first);
		free(second);

		/* The other clone ends without the last byte: nothing to be found in it. */
		SHA1DCSetCallback(&third, NULL);
		SHA1DCSetDetectReducedRoundCollision(&third, 0);
		if (split < 64) {
			update(&third, data + split, m->size - split - 1);
			CHECK_INT(SHA1DCFinal(digest, &third), 0, "%s, cloned at %zu", m->name,
				  split);
		}
	}
}

/* A digest in the middle, as git makes one: of a clone, while the first one goes on. */
static void test_peek(void)
{
	unsigned char data[300];
	char hex[2 * DIGEST + 1];
	SHA1_CTX ctx, clone;

	test_random_bytes(data, sizeof(data));
	init(&ctx);
	for (size_t size = 0; size < sizeof(data); size++) {
		clone = ctx;
		hex_of(data, size, hex);
		check_final(&clone, hex, false, "clone after %zu bytes", size);
		update(&ctx, data + size, 1);
	}
	hex_of(data, sizeof(data), hex);
	check_final(&ctx, hex, false, "after all clones");
}

/* No byte beyond the context is touched. */
static void test_extent(void)
{
	struct test_guarded place = test_guarded_new(sizeof(SHA1_CTX));
	void *ends[] = {place.begin, place.end - sizeof(SHA1_CTX)};

	for (size_t e = 0; e < TEST_COUNT(ends); e++) {
		SHA1_CTX *ctx = ends[e];

		for (size_t i = 0; i < MESSAGES; i++) {
			SHA1DCInit(ctx);
			update(ctx, expected_bytes(i), expected_messages[i].size);
			check_final(ctx, verdict_of(i, SAFE)->digest, true, "%s",
				    expected_messages[i].name);
		}
	}
	test_guarded_free(&place);
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_defaults);
	TEST_RUN(test_setters);
	TEST_RUN(test_harmless);
	for (size_t i = 0; i < MESSAGES; i++) {
		printf("%s\n", expected_messages[i].name);
		test_attack(i);
		test_late_options(i);
		test_callback(i);
		test_clone(i);
	}
	TEST_RUN(test_peek);
	TEST_RUN(test_extent);
	return test_end();
}
