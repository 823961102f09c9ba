/* SPDX-License-Identifier: MIT */
/*
 * test_dispatch.c - which kernels the library takes, what it tells of them, and how they are
 * forced.
 */
#include "test.h"

#include "blocksha.h"
#include "cpu.h"
#include "kernel.h"
#include "textbook.h"

#if TEST_HAVE_MMAP /* a POSIX system */
#include <pthread.h>
#endif

enum { MAX_ROWS = 64, MAX_LIST = 200, MAX_DIGEST = TEXTBOOK_MAX_DIGEST };

/* --- The hashes through one interface --------------------------------------- */

union ctx {
	struct blocksha_stream stream; /* the first member of each */
	blocksha_sha1_ctx sha1;
	blocksha_sha256_ctx sha256;
	blocksha_sha1_sha256_ctx both;
	blocksha_sha1dc_ctx sha1dc;
	blocksha_sha1dc_sha256_ctx both_dc;
};

struct hash {
	const struct textbook *textbook;
	void (*init)(union ctx *ctx);
	void (*update)(union ctx *ctx, const void *data, size_t size);
	int (*final)(union ctx *ctx, unsigned char *digest);
};

static void sha1_init(union ctx *ctx)
{
	blocksha_sha1_init(&ctx->sha1);
}

static void sha1_update(union ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1_update(&ctx->sha1, data, size);
}

static int sha1_final(union ctx *ctx, unsigned char *digest)
{
	return blocksha_sha1_final(&ctx->sha1, digest);
}

static void sha256_init(union ctx *ctx)
{
	blocksha_sha256_init(&ctx->sha256);
}

static void sha256_update(union ctx *ctx, const void *data, size_t size)
{
	blocksha_sha256_update(&ctx->sha256, data, size);
}

static int sha256_final(union ctx *ctx, unsigned char *digest)
{
	return blocksha_sha256_final(&ctx->sha256, digest);
}

static void both_init(union ctx *ctx)
{
	blocksha_sha1_sha256_init(&ctx->both);
}

static void both_update(union ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1_sha256_update(&ctx->both, data, size);
}

static int both_final(union ctx *ctx, unsigned char *digest)
{
	return blocksha_sha1_sha256_final(&ctx->both, digest, digest + BLOCKSHA_SHA1_DIGEST_SIZE);
}

static void sha1dc_init(union ctx *ctx)
{
	blocksha_sha1dc_init(&ctx->sha1dc);
}

static void sha1dc_update(union ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1dc_update(&ctx->sha1dc, data, size);
}

static int sha1dc_final(union ctx *ctx, unsigned char *digest)
{
	return blocksha_sha1dc_final(&ctx->sha1dc, digest, NULL);
}

static void both_dc_init(union ctx *ctx)
{
	blocksha_sha1dc_sha256_init(&ctx->both_dc);
}

static void both_dc_update(union ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1dc_sha256_update(&ctx->both_dc, data, size);
}

static int both_dc_final(union ctx *ctx, unsigned char *digest)
{
	return blocksha_sha1dc_sha256_final(&ctx->both_dc, digest,
					    digest + BLOCKSHA_SHA1_DIGEST_SIZE, NULL);
}

static const struct hash hashes[BLOCKSHA_ALGORITHMS] = {
	[BLOCKSHA_SHA1] = {&textbook_sha1, sha1_init, sha1_update, sha1_final},
	[BLOCKSHA_SHA256] = {&textbook_sha256, sha256_init, sha256_update, sha256_final},
	[BLOCKSHA_SHA1_SHA256] = {&textbook_sha1_sha256, both_init, both_update, both_final},
	[BLOCKSHA_SHA1DC] = {&textbook_sha1dc, sha1dc_init, sha1dc_update, sha1dc_final},
	[BLOCKSHA_SHA1DC_SHA256] = {&textbook_sha1dc_sha256, both_dc_init, both_dc_update,
				    both_dc_final},
};

/* --- What is selected -------------------------------------------------------- */

static const struct blocksha_kernel *row_at(size_t i)
{
	return &blocksha_kernels[i];
}

/* "sha1:portable" */
static const char *list_of(char *list, const struct blocksha_kernel *row)
{
	snprintf(list, MAX_LIST, "%s:%s", blocksha_algorithm_name(row->algorithm), row->name);
	return list;
}

/* The selected rows, as kernel_info tells and as contexts and calls for many messages have
   them. */
struct selection {
	bool selected[MAX_ROWS];
	const struct blocksha_kernel *begun[BLOCKSHA_ALGORITHMS];
	struct blocksha_plan plans[BLOCKSHA_ALGORITHMS];
};

static void select_now(struct selection *s)
{
	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		struct blocksha_kernel_info info = {0};

		CHECK_INT(blocksha_get_kernel_info(i, &info), BLOCKSHA_OK, "row %zu", i);
		s->selected[i] = info.selected;
	}
	for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
		union ctx ctx;

		hashes[a].init(&ctx);
		s->begun[a] = ctx.stream.kernel;
		blocksha_plan_for(a, &s->plans[a]);
	}
}

static void check_same(const struct selection *before, const char *what)
{
	struct selection now;

	select_now(&now);
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		CHECK_INT(now.selected[i], before->selected[i], "%s: %s, %s",
			  blocksha_algorithm_name(row_at(i)->algorithm), row_at(i)->name, what);
	for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
		CHECK(now.begun[a] == before->begun[a], "algorithm %u, %s", a, what);
		CHECK_INT(now.plans[a].count, before->plans[a].count, "algorithm %u, %s", a, what);
		CHECK_INT(now.plans[a].width, before->plans[a].width, "algorithm %u, %s", a, what);
		for (unsigned i = 0; i < now.plans[a].count; i++)
			CHECK(now.plans[a].rows[i] == before->plans[a].rows[i],
			      "algorithm %u, row %u of the plan, %s", a, i, what);
	}
}

/* --- Plans ------------------------------------------------------------------- */

static bool is_in_plan(const struct blocksha_plan *plan, const struct blocksha_kernel *row)
{
	for (unsigned i = 0; i < plan->count; i++)
		if (plan->rows[i] == row)
			return true;
	return false;
}

/* What it costs to advance that many messages by one block. */
static unsigned long cost_of(const struct blocksha_kernel *row, unsigned long active)
{
	return (active + row->lanes - 1) / row->lanes * row->cost;
}

/* For every number of messages the row that is picked can run, and none costs less; the width
   is that of a row that costs least by the message. */
static void check_plan(unsigned algorithm, const char *what)
{
	const char *name = blocksha_algorithm_name(algorithm);
	bool width_is_best = false;
	struct blocksha_plan plan;

	blocksha_plan_for(algorithm, &plan);
	CHECK(plan.count >= 1 && plan.count <= BLOCKSHA_PLAN_MAX, "%s, %s", name, what);
	CHECK(plan.width >= 1 && plan.width <= BLOCKSHA_LANES_MAX, "%s, %s", name, what);
	for (unsigned i = 0; i < plan.count; i++) {
		const struct blocksha_kernel *row = plan.rows[i];
		bool is_best = row->lanes == plan.width;

		CHECK_INT(row->algorithm, algorithm, "%s, %s, %s", name, row->name, what);
		CHECK(blocksha_kernel_usable(row), "%s, %s, %s", name, row->name, what);
		for (unsigned j = 0; j < plan.count; j++)
			if (plan.rows[j]->cost * row->lanes < row->cost * plan.rows[j]->lanes)
				is_best = false;
		width_is_best |= is_best;
	}
	CHECK(width_is_best, "%s, width %u, %s", name, plan.width, what);

	for (unsigned active = 1; active <= plan.width; active++) {
		const struct blocksha_kernel *pick = blocksha_plan_pick(&plan, active);

		CHECK(is_in_plan(&plan, pick), "%s, %u messages, %s", name, active, what);
		for (unsigned i = 0; i < plan.count; i++)
			CHECK(cost_of(pick, active) <= cost_of(plan.rows[i], active),
			      "%s, %u messages: %s and not %s, %s", name, active, pick->name,
			      plan.rows[i]->name, what);
	}
}

static bool is_picked(const struct blocksha_kernel *row)
{
	struct blocksha_plan plan;

	blocksha_plan_for(row->algorithm, &plan);
	for (unsigned active = 1; active <= plan.width; active++)
		if (blocksha_plan_pick(&plan, active) == row)
			return true;
	return false;
}

/* What kernel_info says is what happens. */
static void check_selection(const char *what)
{
	struct selection now;

	select_now(&now);
	for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
		CHECK_INT(now.begun[a]->algorithm, a, "%s", what);
		CHECK(now.begun[a] == blocksha_kernel_for(a), "algorithm %u, %s", a, what);
		check_plan(a, what);
	}
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = row_at(i);

		CHECK_INT(now.selected[i],
			  row->lanes == 1 ? row == now.begun[row->algorithm] : is_picked(row),
			  "%s: %s, %s", blocksha_algorithm_name(row->algorithm), row->name, what);
	}
}

/* --- Tests of what the library says ------------------------------------------ */

static bool is_name_of_need(const char *name, uint32_t needs)
{
	for (uint32_t bit = 1; bit < BLOCKSHA_CPU_ALL; bit <<= 1)
		if ((needs & bit) != 0 && strcmp(name, blocksha_cpu_feature_name(bit)) == 0)
			return true;
	return false;
}

static void test_info(void)
{
	struct blocksha_kernel_info info;

	TEST_REQUIRE(blocksha_kernel_count <= MAX_ROWS, "MAX_ROWS of this test");
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = row_at(i);
		bool compiled = row->compress != NULL || row->compress_lanes != NULL ||
				row->detect != NULL || row->detect_lanes != NULL;

		memset(&info, 0xa5, sizeof(info));
		CHECK_INT(blocksha_get_kernel_info(i, &info), BLOCKSHA_OK, "row %zu", i);
		CHECK(strcmp(info.algorithm, blocksha_algorithm_name(row->algorithm)) == 0,
		      "row %zu", i);
		CHECK(strcmp(info.name, row->name) == 0, "row %zu", i);
		CHECK_INT(info.lanes, row->lanes, "%s", row->name);
		CHECK_INT(info.compiled, compiled, "%s", row->name);
		CHECK_INT(info.usable, blocksha_kernel_usable(row), "%s", row->name);
		CHECK(info.usable || !info.selected, "%s", row->name);
		CHECK(!info.usable || (info.compiled && info.missing == NULL), "%s", row->name);
		CHECK(info.usable || !info.compiled || info.missing != NULL, "%s", row->name);
		CHECK(info.missing == NULL || is_name_of_need(info.missing, row->needs),
		      "%s lacks %s", row->name, info.missing);
	}
}

static void test_no_such_row(void)
{
	const size_t indices[] = {blocksha_kernel_count, blocksha_kernel_count + 1, SIZE_MAX / 2,
				  SIZE_MAX};
	struct blocksha_kernel_info info;

	for (size_t i = 0; i < TEST_COUNT(indices); i++) {
		memset(&info, 0xa5, sizeof(info));
		CHECK_INT(blocksha_get_kernel_info(indices[i], &info), BLOCKSHA_ERROR_KERNEL,
			  "row %zu", indices[i]);
		CHECK(test_is_filled(&info, 0xa5, sizeof(info)), "row %zu", indices[i]);
		CHECK_INT(blocksha_kernel_test(indices[i]), BLOCKSHA_ERROR_KERNEL, "row %zu",
			  indices[i]);
	}
}

static void test_self_tests(void)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		CHECK_INT(blocksha_kernel_test(i),
			  blocksha_kernel_usable(row_at(i)) ? BLOCKSHA_OK : BLOCKSHA_ERROR_KERNEL,
			  "%s: %s", blocksha_algorithm_name(row_at(i)->algorithm), row_at(i)->name);
}

static void test_error_texts(void)
{
	static const int errors[] = {BLOCKSHA_OK,
				     BLOCKSHA_ATTACK,
				     BLOCKSHA_ERROR_ORDER,
				     BLOCKSHA_ERROR_LENGTH,
				     BLOCKSHA_ERROR_FORMAT,
				     BLOCKSHA_ERROR_KERNEL,
				     BLOCKSHA_ERROR_SELF_TEST};
	const char *unknown = blocksha_strerror(-1000);

	for (size_t i = 0; i < TEST_COUNT(errors); i++) {
		const char *text = blocksha_strerror(errors[i]);

		CHECK(text != NULL && strcmp(text, unknown) != 0, "error %d", errors[i]);
		for (size_t j = 0; text != NULL && j < i; j++)
			CHECK(strcmp(text, blocksha_strerror(errors[j])) != 0, "errors %d and %d",
			      errors[i], errors[j]);
	}
}

/* Nothing forced: the first row of one message that can run, and every one of many. */
static void test_automatic(void)
{
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
	check_selection("nothing forced");
	for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
		const struct blocksha_kernel *first = NULL;
		struct blocksha_plan plan;

		blocksha_plan_for(a, &plan);
		for (size_t i = 0; i < blocksha_kernel_count; i++) {
			const struct blocksha_kernel *row = row_at(i);

			if (row->algorithm != a || !blocksha_kernel_usable(row))
				continue;
			if (row->lanes == 1 && first == NULL)
				first = row;
			CHECK_INT(is_in_plan(&plan, row), row->lanes > 1 || row == first, "%s: %s",
				  blocksha_algorithm_name(a), row->name);
		}
		CHECK(blocksha_kernel_for(a) == first, "%s", blocksha_algorithm_name(a));
		printf("%s: %s, for many messages", blocksha_algorithm_name(a), first->name);
		for (unsigned active = 1; active <= plan.width; active++)
			if (active == 1 || blocksha_plan_pick(&plan, active) !=
						   blocksha_plan_pick(&plan, active - 1))
				printf(" %u: %s", active, blocksha_plan_pick(&plan, active)->name);
		printf("\n");
	}
}

/* --- Tests of forcing --------------------------------------------------------- */

/* Digests of all hashes, by contexts and by calls for many messages. */
static void check_digests(const char *what)
{
	enum { COUNT = 40, MAX_SIZE = 300 };
	unsigned char data[MAX_SIZE], sha1[COUNT][BLOCKSHA_SHA1_DIGEST_SIZE];
	unsigned char sha1dc[COUNT][BLOCKSHA_SHA1_DIGEST_SIZE];
	unsigned char sha256[COUNT][BLOCKSHA_SHA256_DIGEST_SIZE];
	struct blocksha_piece pieces[COUNT];
	struct blocksha_message messages[COUNT];

	test_random_bytes(data, sizeof(data));
	for (size_t i = 0; i < COUNT; i++) {
		pieces[i] = (struct blocksha_piece){data + i, test_random_below(MAX_SIZE - COUNT)};
		messages[i] = (struct blocksha_message){&pieces[i], 1};
	}
	blocksha_sha1_many(messages, COUNT, sha1);
	CHECK_INT(blocksha_sha1dc_many(messages, COUNT, sha1dc, NULL), BLOCKSHA_OK, "%s", what);
	blocksha_sha256_many(messages, COUNT, sha256);
	for (size_t i = 0; i < COUNT; i++) {
		unsigned char expected[MAX_DIGEST], digest[MAX_DIGEST];

		textbook_hash(&textbook_sha1_sha256, data + i, pieces[i].size, expected);
		CHECK_BYTES(sha1[i], expected, sizeof(sha1[i]), "%s", what);
		CHECK_BYTES(sha1dc[i], expected, sizeof(sha1[i]), "%s", what);
		CHECK_BYTES(sha256[i], expected + sizeof(sha1[i]), sizeof(sha256[i]), "%s", what);
		for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
			union ctx ctx;

			hashes[a].init(&ctx);
			hashes[a].update(&ctx, data + i, pieces[i].size);
			CHECK_INT(hashes[a].final(&ctx, digest), BLOCKSHA_OK, "%s", what);
			CHECK_BYTES(digest,
				    a == BLOCKSHA_SHA256 ? expected + sizeof(sha1[i]) : expected,
				    4 * hashes[a].textbook->words, "%s", what);
		}
	}
}

/* One row: it is the one that is used, also for many messages; the other algorithms do not
   notice. */
static void test_force_each(void)
{
	struct selection automatic;
	char list[MAX_LIST];

	CHECK_INT(blocksha_force_kernels(""), BLOCKSHA_OK, "nothing");
	select_now(&automatic);
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = row_at(i);
		struct selection now;

		if (!blocksha_kernel_usable(row))
			continue;
		CHECK_INT(blocksha_force_kernels(list_of(list, row)), BLOCKSHA_OK, "%s", list);
		check_selection(list);
		select_now(&now);
		CHECK(now.selected[i], "%s", list);
		CHECK_INT(now.plans[row->algorithm].count, 1, "%s", list);
		CHECK(now.plans[row->algorithm].rows[0] == row, "%s", list);
		CHECK_INT(now.plans[row->algorithm].width, row->lanes, "%s", list);
		for (unsigned a = 0; a < BLOCKSHA_ALGORITHMS; a++) {
			bool forced = a == (unsigned)row->algorithm && row->lanes == 1;

			CHECK(now.begun[a] == (forced ? row : automatic.begun[a]), "%s", list);
		}
		for (size_t j = 0; j < blocksha_kernel_count; j++)
			if (row_at(j)->algorithm != row->algorithm)
				CHECK_INT(now.selected[j], automatic.selected[j], "%s", list);
			else if (row_at(j)->lanes > 1)
				CHECK_INT(now.selected[j], j == i, "%s", list);
		check_digests(list);
		CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
		check_same(&automatic, "NULL forces nothing any more");
	}
}

static void test_force_several(void)
{
	struct selection automatic, now;

	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
	select_now(&automatic);
	CHECK_INT(blocksha_force_kernels("sha1:portable,sha1+sha256:portable,sha256:portable,"
					 "sha1dc+sha256:portable,sha1dc:portable"),
		  BLOCKSHA_OK, "all portable");
	check_selection("all portable");
	select_now(&now);
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		CHECK_INT(now.selected[i], strcmp(row_at(i)->name, "portable") == 0, "%s",
			  row_at(i)->name);
	check_digests("all portable");

	/* A list takes the place of the one before; what it does not name is automatic. */
	CHECK_INT(blocksha_force_kernels("sha256:portable"), BLOCKSHA_OK, "SHA-256");
	check_selection("SHA-256 portable");
	select_now(&now);
	CHECK(now.begun[BLOCKSHA_SHA1] == automatic.begun[BLOCKSHA_SHA1], "SHA-1");
	CHECK(strcmp(now.begun[BLOCKSHA_SHA256]->name, "portable") == 0, "SHA-256");
	CHECK_INT(blocksha_force_kernels(""), BLOCKSHA_OK, "empty");
	check_same(&automatic, "empty list");
}

/* A row of one message and one of many, of the same algorithm, in either order. */
static void test_force_one_and_many(void)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = row_at(i);
		const char *algorithm = blocksha_algorithm_name(row->algorithm);
		char list[MAX_LIST];

		if (row->lanes == 1 || !blocksha_kernel_usable(row))
			continue;
		for (int order = 0; order < 2; order++) {
			struct selection now;

			if (order == 0)
				snprintf(list, sizeof(list), "%s:%s,%s:portable", algorithm,
					 row->name, algorithm);
			else
				snprintf(list, sizeof(list), "%s:portable,%s:%s", algorithm,
					 algorithm, row->name);
			CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "%s", list);
			check_selection(list);
			select_now(&now);
			CHECK(strcmp(now.begun[row->algorithm]->name, "portable") == 0, "%s", list);
			CHECK(now.selected[i], "%s", list);
			CHECK_INT(now.plans[row->algorithm].width, row->lanes, "%s", list);
			check_digests(list);
		}
	}
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
}

/* A name that comes twice is no error; of two rows for one thing the last one holds. */
static void test_force_twice(void)
{
	char list[MAX_LIST];

	CHECK_INT(blocksha_force_kernels("sha1:portable,sha1:portable"), BLOCKSHA_OK, "twice");
	for (size_t i = 0; i < blocksha_kernel_count; i++) {
		const struct blocksha_kernel *row = row_at(i);
		const char *algorithm = blocksha_algorithm_name(row->algorithm);

		if (row->lanes > 1 || !blocksha_kernel_usable(row))
			continue;
		snprintf(list, sizeof(list), "%s:portable,%s:%s", algorithm, algorithm, row->name);
		CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "%s", list);
		CHECK(blocksha_kernel_for(row->algorithm) == row, "%s", list);
		snprintf(list, sizeof(list), "%s:%s,%s:portable", algorithm, row->name, algorithm);
		CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "%s", list);
		CHECK(strcmp(blocksha_kernel_for(row->algorithm)->name, "portable") == 0, "%s",
		      list);
	}
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
}

/* The list ends where memory does. */
static void check_refused(const char *list)
{
	struct test_guarded place = test_guarded_new(strlen(list) + 1);
	unsigned char *copy = place.end - strlen(list) - 1;
	struct selection before;
	void *text = copy;

	memcpy(copy, list, strlen(list) + 1);
	select_now(&before);
	CHECK_INT(blocksha_force_kernels(text), BLOCKSHA_ERROR_KERNEL, "\"%s\"", list);
	check_same(&before, list);
	test_guarded_free(&place);
}

static void test_refused(void)
{
	static const char *const lists[] = {
		"sha1", "sha1:", ":", ":portable", "portable", "x86-shani", "nonsense",
		/* an empty name is no name */
		",", ",sha1:portable", "sha1:portable,", "sha1:portable,,sha256:portable",
		/* one character too many or too few, or another one */
		" sha1:portable", "sha1:portable ", "sha1: portable", "sha1 :portable",
		"sha1:portable, sha256:portable", "SHA1:portable", "sha-1:portable",
		"sha1:Portable", "sha1:portabl", "sha1:portable2",
		"sha1:portable:", "sha1-portable", "sha1::portable",
		"sha1:portable;sha256:portable", "sha1=portable", "sha1:portable\n", "sha1:\xff",
		"sha1:x86", "sha1:x86-", "sha1:x86-avx512",
		/* another algorithm's, or nobody's */
		"md5:portable", "sha:portable", "sha2:portable", "sha1+:portable",
		"+sha256:portable", "sha256+sha1:portable", "sha1d:portable",
		"sha1dc+sha1:portable", "sha1dc:x86-shani", "sha1:x86-shani+gfni",
		"sha1dc:x86-shani+", "sha1dc:x86-shani+sse", "sha1+sha256:x86-avx2",
		"sha1+sha256:x86-shani-x2", "sha1+sha256:arm-sha", "sha1:x86-shani-x3",
		"sha256:x86-shani-x8", "sha256:arm-sha-x2",
		/* a good name does not help a bad one */
		"sha1:portable,sha256", "sha1:portable,sha1:nonsense", "nonsense,sha1:portable",
		"sha256:portable,sha1:portable,sha256:nonsense"};

	for (int round = 0; round < 2; round++) {
		char list[MAX_LIST];

		for (size_t i = 0; i < TEST_COUNT(lists); i++)
			check_refused(lists[i]);
		for (size_t i = 0; i < blocksha_kernel_count; i++)
			if (!blocksha_kernel_usable(row_at(i))) {
				check_refused(list_of(list, row_at(i)));
				strcat(list, ",sha1:portable");
				check_refused(list);
			}
		/* Once more, with something that is forced and has to stay so. */
		CHECK_INT(blocksha_force_kernels("sha1:portable,sha256:portable"), BLOCKSHA_OK,
			  "portable");
	}
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
}

/* A long text without an end in sight, and a long list. */
static void test_long_lists(void)
{
	enum { SIZE = 100000 };
	char *list = malloc(SIZE);
	const char name[] = "sha1:portable";
	size_t length = 0;

	TEST_REQUIRE(list != NULL, "malloc");
	memset(list, 'x', SIZE - 1);
	list[SIZE - 1] = '\0';
	check_refused(list);

	while (length + sizeof(name) < SIZE) {
		memcpy(list + length, name, sizeof(name) - 1);
		length += sizeof(name) - 1;
		list[length++] = ',';
	}
	list[length - 1] = '\0';
	CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "the same name, often");
	CHECK(strcmp(blocksha_kernel_for(BLOCKSHA_SHA1)->name, "portable") == 0, "portable");
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
	free(list);
}

/* A context keeps the kernel with which it began, whatever is forced then; so do its clones. */
static void check_begun(const struct blocksha_kernel *first, const struct blocksha_kernel *then)
{
	enum { SIZE = 1000 };
	const struct hash *hash = &hashes[first->algorithm];
	unsigned char data[SIZE], expected[MAX_DIGEST], digest[MAX_DIGEST];
	size_t split = test_random_below(SIZE);
	char list[MAX_LIST];
	union ctx ctx, clone, later;

	test_random_bytes(data, SIZE);
	textbook_hash(hash->textbook, data, SIZE, expected);
	CHECK_INT(blocksha_force_kernels(list_of(list, first)), BLOCKSHA_OK, "%s", list);
	hash->init(&ctx);
	hash->update(&ctx, data, split);
	CHECK_INT(blocksha_force_kernels(list_of(list, then)), BLOCKSHA_OK, "%s", list);
	clone = ctx;
	hash->init(&later);
	hash->update(&later, data, SIZE);
	hash->update(&ctx, data + split, SIZE - split);
	hash->update(&clone, data + split, SIZE - split);
	CHECK(ctx.stream.kernel == first, "%s, then %s", first->name, list);
	CHECK(clone.stream.kernel == first, "%s, then %s", first->name, list);
	CHECK(later.stream.kernel == then, "%s, then %s", first->name, list);
	CHECK_INT(hash->final(&ctx, digest), BLOCKSHA_OK, "%s, then %s", first->name, list);
	CHECK_BYTES(digest, expected, 4 * hash->textbook->words, "%s, then %s", first->name, list);
	CHECK_INT(hash->final(&clone, digest), BLOCKSHA_OK, "%s, then %s", first->name, list);
	CHECK_BYTES(digest, expected, 4 * hash->textbook->words, "%s, then %s", first->name, list);
	CHECK_INT(hash->final(&later, digest), BLOCKSHA_OK, "%s, then %s", first->name, list);
	CHECK_BYTES(digest, expected, 4 * hash->textbook->words, "%s, then %s", first->name, list);
}

static void test_begun_contexts(void)
{
	for (size_t i = 0; i < blocksha_kernel_count; i++)
		for (size_t j = 0; j < blocksha_kernel_count; j++) {
			const struct blocksha_kernel *first = row_at(i), *then = row_at(j);

			if (first->algorithm == then->algorithm && first->lanes == 1 &&
			    then->lanes == 1 && blocksha_kernel_usable(first) &&
			    blocksha_kernel_usable(then))
				check_begun(first, then);
		}
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
}

/* --- Forcing while others hash ------------------------------------------------ */

#if TEST_HAVE_MMAP

enum { THREADS = 4, MESSAGES = 40, MAX_LENGTH = 400 };

static unsigned char shared[MAX_LENGTH + MESSAGES];
static unsigned char shared_expected[MESSAGES][MAX_DIGEST];
static struct blocksha_piece shared_pieces[MESSAGES];
static struct blocksha_message shared_messages[MESSAGES];

struct worker {
	pthread_t thread;
	unsigned rounds, wrong;
};

static void *work(void *arg)
{
	struct worker *w = arg;
	unsigned char sha1[MESSAGES][BLOCKSHA_SHA1_DIGEST_SIZE];
	unsigned char sha256[MESSAGES][BLOCKSHA_SHA256_DIGEST_SIZE];
	unsigned char sha1dc[MESSAGES][BLOCKSHA_SHA1_DIGEST_SIZE];
	unsigned char both[MAX_DIGEST];

	for (unsigned round = 0; round < w->rounds; round++) {
		blocksha_sha1_many(shared_messages, MESSAGES, sha1);
		w->wrong += blocksha_sha1dc_many(shared_messages, MESSAGES, sha1dc, NULL) != 0;
		w->wrong += memcmp(sha1, sha1dc, sizeof(sha1)) != 0;
		blocksha_sha256_many(shared_messages, MESSAGES, sha256);
		for (size_t i = 0; i < MESSAGES; i++) {
			blocksha_sha1_sha256(shared_pieces[i].data, shared_pieces[i].size, both,
					     both + sizeof(sha1[0]));
			w->wrong += memcmp(both, shared_expected[i], sizeof(both)) != 0;
			w->wrong +=
				blocksha_sha1dc_sha256(shared_pieces[i].data, shared_pieces[i].size,
						       both, both + sizeof(sha1[0]), NULL) != 0;
			w->wrong += memcmp(both, shared_expected[i], sizeof(both)) != 0;
			w->wrong += memcmp(sha1[i], shared_expected[i], sizeof(sha1[i])) != 0;
			w->wrong += memcmp(sha256[i], shared_expected[i] + sizeof(sha1[i]),
					   sizeof(sha256[i])) != 0;
		}
	}
	return NULL;
}

/* Forces one row after the other, and nothing, and what is refused. */
static void *force(void *arg)
{
	struct worker *w = arg;
	struct blocksha_kernel_info info;
	char list[MAX_LIST];

	for (unsigned round = 0; round < w->rounds; round++) {
		const struct blocksha_kernel *row = row_at(round % blocksha_kernel_count);
		int expected = blocksha_kernel_usable(row) ? BLOCKSHA_OK : BLOCKSHA_ERROR_KERNEL;

		w->wrong += blocksha_force_kernels(list_of(list, row)) != expected;
		w->wrong += blocksha_get_kernel_info(round % blocksha_kernel_count, &info) != 0;
		w->wrong += blocksha_force_kernels("sha1:nonsense") != BLOCKSHA_ERROR_KERNEL;
		if (round % 3 == 0)
			w->wrong += blocksha_force_kernels(NULL) != BLOCKSHA_OK;
	}
	return NULL;
}

static void test_force_while_hashing(void)
{
	unsigned rounds = test_rounds(1000);
	struct worker workers[THREADS];

	test_random_bytes(shared, sizeof(shared));
	for (size_t i = 0; i < MESSAGES; i++) {
		size_t size = test_random_below(MAX_LENGTH);

		shared_pieces[i] = (struct blocksha_piece){shared + i, size};
		shared_messages[i] = (struct blocksha_message){&shared_pieces[i], 1};
		textbook_hash(&textbook_sha1_sha256, shared + i, size, shared_expected[i]);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){.rounds = i < 2 ? rounds : 10 * rounds};
		TEST_REQUIRE(pthread_create(&workers[i].thread, NULL, i < 2 ? work : force,
					    &workers[i]) == 0,
			     "pthread_create");
	}
	for (unsigned i = 0; i < THREADS; i++) {
		TEST_REQUIRE(pthread_join(workers[i].thread, NULL) == 0, "pthread_join");
		CHECK_INT(workers[i].wrong, 0, "wrong results in thread %u", i);
	}
	CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
}
#else
static void test_force_while_hashing(void)
{
	test_unavailable("no POSIX threads");
}
#endif

int main(int argc, char **argv)
{
	test_begin(argc, argv);
	TEST_RUN(test_info);
	TEST_RUN(test_no_such_row);
	TEST_RUN(test_self_tests);
	TEST_RUN(test_error_texts);
	TEST_RUN(test_automatic);
	TEST_RUN(test_force_each);
	TEST_RUN(test_force_several);
	TEST_RUN(test_force_one_and_many);
	TEST_RUN(test_force_twice);
	TEST_RUN(test_refused);
	TEST_RUN(test_long_lists);
	TEST_RUN(test_begun_contexts);
	TEST_RUN(test_force_while_hashing);
	return test_end();
}
