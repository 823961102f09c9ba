/* SPDX-License-Identifier: MIT */
/*
 * test_sha1detectcoll_options.c - which blocks the drop-in for libsha1detectcoll looks at with
 * which options. Published attacks do not show that: they are found with the filter and without
 * it. Here the test chooses what is an attack (sha1dc_differences.h).
 */
#include "test.h"

#include "sha1dc_differences.h"

/* The drop-in as a part of this file: the tables in its own library could not be changed. */
#include "../compat/sha1detectcoll/sha1detectcoll.c"

enum { BLOCKS = 400, BLOCK = 64, DIGEST = 20 };

static unsigned called_count;

static void called(uint64_t offset, const uint32_t *in, const uint32_t *other_in, const uint32_t *w,
		   const uint32_t *other_w)
{
	CHECK(offset % BLOCK == 0, "offset %" PRIu64, offset);
	CHECK_BYTES(in, other_in, 5 * sizeof(*in), "offset %" PRIu64, offset);
	CHECK_BYTES(w, other_w, 80 * sizeof(*w), "offset %" PRIu64, offset);
	called_count++;
}

static unsigned passing(const unsigned char *data, size_t blocks)
{
	unsigned count = 0;

	for (size_t i = 0; i < blocks; i++) {
		uint32_t w[80];

		textbook_schedule_block(w, data + BLOCK * i);
		count += textbook_filter(w) != 0;
	}
	return count;
}

/* With the difference zero an attack is a block that passes the filter, or, without the filter,
   every one. Options hold from the call on. */
static void test_filter_and_detection(void)
{
	static unsigned char data[BLOCKS * BLOCK];
	unsigned rounds = test_rounds(100);

	differences_zero();
	for (unsigned round = 0; round < rounds; round++) {
		unsigned expected = 0;
		bool filter = true, detect = true;
		unsigned char digest[DIGEST];
		size_t done = 0;
		SHA1_CTX ctx;

		test_random_bytes(data, sizeof(data));
		called_count = 0;
		SHA1DCInit(&ctx);
		SHA1DCSetCallback(&ctx, called);
		while (done < BLOCKS) {
			size_t blocks = 1 + test_random_below(10);

			blocks = blocks < BLOCKS - done ? blocks : BLOCKS - done;
			if (detect)
				expected += filter ? passing(data + BLOCK * done, blocks)
						   : (unsigned)blocks;
			SHA1DCUpdate(&ctx, (const char *)data + BLOCK * done, BLOCK * blocks);
			done += blocks;
			CHECK_INT(called_count, expected, "block %zu, filter %d, detection %d",
				  done, filter, detect);
			CHECK_INT(ctx.found_collision, expected != 0, "block %zu", done);
			filter = test_random_below(2) == 0;
			detect = test_random_below(4) != 0;
			SHA1DCSetUseUBC(&ctx, filter);
			SHA1DCSetUseDetectColl(&ctx, detect);
		}
		SHA1DCSetUseDetectColl(&ctx, 0); /* the padding */
		CHECK_INT(SHA1DCFinal(digest, &ctx), expected != 0, "%u attacks", expected);
	}
}

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_filter_and_detection);
	return test_end();
}
