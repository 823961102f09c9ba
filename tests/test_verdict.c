/* SPDX-License-Identifier: MIT */
/* test_verdict.c - verdicts on the lines of a checksum list, cli/verdict.c: which one a result
   gets, and when a list with given numbers of them passes. */
#include "test.h"

#include <errno.h>

#include "../cli/verdict.h"

static const struct check_options plain = {.report = CHECK_REPORT_ALL};

/* An entry for a file whose digest is 00 01 02 ..., and the result of hashing that file. */
static struct check_item good_item(void)
{
	struct check_item item = {
		.line = 1,
		.kind = CHECKLIST_ENTRY,
		.entry = {.algorithm = &digest_algorithms[DIGEST_SHA256], .name = "name"},
		.name = "name",
	};

	for (unsigned char i = 0; i < DIGEST_MAX_SIZE; i++)
		item.entry.digest.bytes[i] = i;
	return item;
}

static struct hash_result good_result(void)
{
	struct hash_result result = {.opened = true};

	result.digests[DIGEST_SHA256] = good_item().entry.digest;
	return result;
}

static void test_find(void)
{
	struct check_item item = good_item();
	struct hash_result result = good_result();

	CHECK(check_item_has_file(&item), "an entry");
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_OK, "the digest");
	for (size_t bit = 0; bit < 8 * BLOCKSHA_SHA256_DIGEST_SIZE; bit++) {
		result = good_result();
		result.digests[DIGEST_SHA256].bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_MISMATCH, "bit %zu", bit);
	}
	result = good_result();
	item.entry.matches_nothing = true;
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_MISMATCH, "matches nothing");
}

/* A good digest saves no file that changed, failed, or was not to be opened. */
static void test_find_failures(void)
{
	const struct check_options ignoring = {.ignore_missing = true};
	const struct check_options strict = {.ignore_missing = true, .strict_all = true};
	struct check_item item = good_item();
	struct hash_result result = good_result();

	result.changed = true; /* and that is allowed */
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_OK, "changed, allowed");
	result.problem = "changed while reading";
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_CHANGED, "changed");
	result.changed = false;
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_UNREADABLE, "another problem");
	result.problem = NULL;
	result.error = EIO;
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_UNREADABLE, "EIO");
	result = (struct hash_result){.error = ENOENT};
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_UNREADABLE, "ENOENT");
	CHECK_INT(verdict_find(&ignoring, &item, &result), VERDICT_MISSING, "ENOENT, ignored");
	CHECK_INT(verdict_find(&strict, &item, &result), VERDICT_UNREADABLE, "ENOENT, strict");
	result.opened = true;
	CHECK_INT(verdict_find(&ignoring, &item, &result), VERDICT_UNREADABLE, "ENOENT of read");
	result = (struct hash_result){.error = ENOTDIR};
	CHECK_INT(verdict_find(&ignoring, &item, &result), VERDICT_UNREADABLE, "ENOTDIR");

	result = good_result();
	item.unsafe = "a reason";
	CHECK(!check_item_has_file(&item), "unsafe");
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_UNSAFE, "unsafe");
	item = good_item();
	item.kind = CHECKLIST_UNSUPPORTED;
	CHECK(!check_item_has_file(&item), "unsupported");
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_UNSUPPORTED, "unsupported");
	item.kind = CHECKLIST_MALFORMED;
	CHECK(!check_item_has_file(&item), "malformed");
	CHECK_INT(verdict_find(&plain, &item, &result), VERDICT_MALFORMED, "malformed");
}

/* By the verdicts that a list has besides OK, as bits: whether it passes. */
static bool should_pass(const struct check_options *options, unsigned others)
{
	unsigned fatal = 1U << VERDICT_UNREADABLE | 1U << VERDICT_MISMATCH | 1U << VERDICT_CHANGED |
			 1U << VERDICT_UNSAFE;

	if (options->strict || options->strict_all)
		fatal |= 1U << VERDICT_MALFORMED;
	if (options->strict_all)
		fatal |= 1U << VERDICT_UNSUPPORTED;
	return (others & fatal) == 0;
}

static void test_passed(void)
{
	for (unsigned mask = 0; mask < 1U << VERDICT_COUNT; mask++) {
		uint64_t counts[VERDICT_COUNT];

		for (unsigned i = 0; i < VERDICT_COUNT; i++)
			counts[i] = mask >> i & 1;
		for (unsigned strict = 0; strict < 4; strict++) {
			const struct check_options options = {.strict = (strict & 1) != 0,
							      .strict_all = (strict & 2) != 0};
			bool expected = (mask & 1U << VERDICT_OK) != 0 &&
					should_pass(&options, mask & ~(1U << VERDICT_OK));

			CHECK(verdict_passed(&options, counts) == expected,
			      "verdicts %x, strict %u", mask, strict);
		}
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_find);
	TEST_RUN(test_find_failures);
	TEST_RUN(test_passed);
	return test_end();
}
