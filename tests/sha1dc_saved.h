/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_saved.h - saved states that carry a verdict, written down by make_expected.py, for
 * the detecting hashes. To be included behind hash_template.h; HASH(_peek) and HASH(_final)
 * leave in verdict what they were told of attacks.
 */
#ifndef BLOCKSHA_SHA1DC_SAVED_H
#define BLOCKSHA_SHA1DC_SAVED_H

struct expected_attacked {
	const char *what;
	const char *saved;
	const char *digest;
	uint64_t offset, blocks;
	unsigned vector;
};

static void check_verdict(int result, const unsigned char *digest,
			  const struct expected_attacked *e)
{
	unsigned char expected[HASH_DIGEST_SIZE];

	test_from_hex(expected, e->digest, sizeof(expected));
	CHECK_INT(result, BLOCKSHA_ATTACK, "%s", e->what);
	CHECK_BYTES(digest, expected, sizeof(expected), "%s", e->what);
	CHECK(verdict.offset == e->offset, "%s: %" PRIu64, e->what, verdict.offset);
	CHECK(verdict.blocks == e->blocks, "%s: %" PRIu64, e->what, verdict.blocks);
	CHECK_INT(verdict.vector, e->vector, "%s", e->what);
}

/* import, export, peek and final keep the verdict; a piece without attacks behind it does not
   change it. */
static void test_attacked(const struct expected_attacked *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct expected_attacked *e = &cases[i];
		unsigned char saved[HASH_EXPORT_SIZE], again[HASH_EXPORT_SIZE];
		unsigned char digest[HASH_DIGEST_SIZE];
		hash_ctx ctx, clone;

		test_from_hex(saved, e->saved, sizeof(saved));
		CHECK_INT(import_dirty(&ctx, saved, sizeof(saved)), BLOCKSHA_OK, "%s", e->what);
		CHECK_INT(HASH(_export)(&ctx, again), BLOCKSHA_OK, "%s", e->what);
		CHECK_BYTES(again, saved, sizeof(saved), "%s", e->what);
		check_verdict(HASH(_peek)(&ctx, digest), digest, e);
		clone = ctx;
		check_verdict(HASH(_final)(&ctx, digest), digest, e);
		CHECK(test_is_filled(&ctx, 0, sizeof(ctx)), "%s: wiped", e->what);
		check_verdict(HASH(_final)(&clone, digest), digest, e);
	}
}

/* No damage of the words of options and verdict gets through, with the check made new: one way
   or the other the state is refused, or it is one that export writes. */
static void test_damaged_verdicts(const struct expected_attacked *e)
{
	enum { VERDICT_WORDS = 6, VERDICT_AT = HASH_EXPORT_SIZE - 4 - 64 - 4 * VERDICT_WORDS };
	unsigned refused = 0, taken = 0;

	for (unsigned bit = 0; bit < 32 * VERDICT_WORDS; bit++) {
		unsigned char saved[HASH_EXPORT_SIZE], again[HASH_EXPORT_SIZE];
		unsigned char check[BLOCKSHA_SHA256_DIGEST_SIZE];
		hash_ctx ctx;

		test_from_hex(saved, e->saved, sizeof(saved));
		saved[VERDICT_AT + bit / 8] ^= (unsigned char)(1 << bit % 8);
		CHECK_REFUSED(saved, sizeof(saved), "bit %u, wrong check", bit);
		blocksha_sha256(saved, sizeof(saved) - 4, check);
		memcpy(saved + sizeof(saved) - 4, check, 4);
		if (import_dirty(&ctx, saved, sizeof(saved)) != BLOCKSHA_OK) {
			CHECK_REFUSED(saved, sizeof(saved), "bit %u", bit);
			refused++;
			continue;
		}
		CHECK_INT(HASH(_export)(&ctx, again), BLOCKSHA_OK, "bit %u", bit);
		CHECK_BYTES(again, saved, sizeof(saved), "bit %u", bit);
		taken++;
	}
	/* All but 4 bits of the options, all but 5 of the vector, most of blocks and offset. */
	CHECK(refused >= 28 + 27 + 2 * 48, "%u refused, %u taken", refused, taken);
	CHECK(taken >= 4 + 5, "%u refused, %u taken", refused, taken);
}

#endif
