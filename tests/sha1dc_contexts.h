/* SPDX-License-Identifier: MIT */
/*
 * sha1dc_contexts.h - the two hashes that detect, SHA-1 alone and together with SHA-256, through
 * one interface, and each with every kernel.
 */
#ifndef BLOCKSHA_SHA1DC_CONTEXTS_H
#define BLOCKSHA_SHA1DC_CONTEXTS_H

#include "test.h"

#include "blocksha.h"
#include "textbook_sha1dc.h"

union dc_ctx {
	blocksha_sha1dc_ctx one;
	blocksha_sha1dc_sha256_ctx both;
};

/* A verdict and the digests that come with it. */
struct dc_result {
	int result;
	unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE];
	unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE]; /* zero, if it is not made */
	struct blocksha_attack attack;
};

struct dc_hash {
	const char *name;
	bool has_sha256; /* and no options */
	size_t context_size, export_size, words;
	void (*init)(union dc_ctx *ctx);
	void (*update)(union dc_ctx *ctx, const void *data, size_t size);
	int (*peek)(const union dc_ctx *ctx, struct dc_result *r);
	int (*final)(union dc_ctx *ctx, struct dc_result *r);
	int (*one_shot)(const void *data, size_t size, struct dc_result *r);
	int (*save)(const union dc_ctx *ctx, unsigned char *out);
	int (*resume)(union dc_ctx *ctx, const void *saved, size_t size);
};

static void one_init(union dc_ctx *ctx)
{
	blocksha_sha1dc_init(&ctx->one);
}

static void one_update(union dc_ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1dc_update(&ctx->one, data, size);
}

static int one_peek(const union dc_ctx *ctx, struct dc_result *r)
{
	return blocksha_sha1dc_peek(&ctx->one, r->sha1, &r->attack);
}

static int one_final(union dc_ctx *ctx, struct dc_result *r)
{
	return blocksha_sha1dc_final(&ctx->one, r->sha1, &r->attack);
}

static int one_one_shot(const void *data, size_t size, struct dc_result *r)
{
	return blocksha_sha1dc(data, size, r->sha1, &r->attack);
}

static int one_save(const union dc_ctx *ctx, unsigned char *out)
{
	return blocksha_sha1dc_export(&ctx->one, out);
}

static int one_resume(union dc_ctx *ctx, const void *saved, size_t size)
{
	return blocksha_sha1dc_import(&ctx->one, saved, size);
}

static void both_init(union dc_ctx *ctx)
{
	blocksha_sha1dc_sha256_init(&ctx->both);
}

static void both_update(union dc_ctx *ctx, const void *data, size_t size)
{
	blocksha_sha1dc_sha256_update(&ctx->both, data, size);
}

static int both_peek(const union dc_ctx *ctx, struct dc_result *r)
{
	return blocksha_sha1dc_sha256_peek(&ctx->both, r->sha1, r->sha256, &r->attack);
}

static int both_final(union dc_ctx *ctx, struct dc_result *r)
{
	return blocksha_sha1dc_sha256_final(&ctx->both, r->sha1, r->sha256, &r->attack);
}

static int both_one_shot(const void *data, size_t size, struct dc_result *r)
{
	return blocksha_sha1dc_sha256(data, size, r->sha1, r->sha256, &r->attack);
}

static int both_save(const union dc_ctx *ctx, unsigned char *out)
{
	return blocksha_sha1dc_sha256_export(&ctx->both, out);
}

static int both_resume(union dc_ctx *ctx, const void *saved, size_t size)
{
	return blocksha_sha1dc_sha256_import(&ctx->both, saved, size);
}

enum { DC_MAX_EXPORT = BLOCKSHA_SHA1DC_SHA256_EXPORT_SIZE };

static const struct dc_hash dc_hashes[] = {
	{"sha1dc", false, sizeof(blocksha_sha1dc_ctx), BLOCKSHA_SHA1DC_EXPORT_SIZE, 5, one_init,
	 one_update, one_peek, one_final, one_one_shot, one_save, one_resume},
	{"sha1dc+sha256", true, sizeof(blocksha_sha1dc_sha256_ctx),
	 BLOCKSHA_SHA1DC_SHA256_EXPORT_SIZE, 13, both_init, both_update, both_peek, both_final,
	 both_one_shot, both_save, both_resume},
};

/* With what a stack may hold. */
static inline void dc_init(const struct dc_hash *hash, union dc_ctx *ctx)
{
	memset(ctx, 0xa5, sizeof(*ctx));
	hash->init(ctx);
}

static inline struct dc_result dc_peek(const struct dc_hash *hash, const union dc_ctx *ctx)
{
	struct dc_result r = {.attack = {1, 2, 3}};
	union dc_ctx before;

	memcpy(&before, ctx, sizeof(before));
	r.result = hash->peek(ctx, &r);
	CHECK(memcmp(&before, ctx, hash->context_size) == 0, "%s: peek changes nothing",
	      hash->name);
	return r;
}

static inline struct dc_result dc_final(const struct dc_hash *hash, union dc_ctx *ctx)
{
	struct dc_result r = {.attack = {1, 2, 3}};

	r.result = hash->final(ctx, &r);
	CHECK(test_is_filled(ctx, 0, hash->context_size), "%s: final wipes", hash->name);
	return r;
}

static inline struct dc_result dc_one_shot(const struct dc_hash *hash, const void *data,
					   size_t size)
{
	struct dc_result r = {.attack = {1, 2, 3}};

	r.result = hash->one_shot(data, size, &r);
	return r;
}

/* What should come out. */
struct dc_expected {
	unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE];
	uint64_t offset, blocks;
	unsigned vector;
};

TEST_PRINTF(4, 5)
static inline void dc_check(const struct dc_hash *hash, const struct dc_result *r,
			    const struct dc_expected *e, const char *format, ...)
{
	char what[200];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	CHECK_INT(r->result, e->blocks != 0 ? BLOCKSHA_ATTACK : BLOCKSHA_OK, "%s: %s", hash->name,
		  what);
	CHECK_BYTES(r->sha1, e->sha1, sizeof(e->sha1), "%s: %s", hash->name, what);
	CHECK(r->attack.offset == e->offset, "%s: offset %" PRIu64 ", not %" PRIu64 ": %s",
	      hash->name, r->attack.offset, e->offset, what);
	CHECK(r->attack.blocks == e->blocks, "%s: %" PRIu64 " blocks, not %" PRIu64 ": %s",
	      hash->name, r->attack.blocks, e->blocks, what);
	CHECK_INT(r->attack.vector, e->vector, "%s: %s", hash->name, what);
}

/* The SHA-256 beside it does not depend on the verdict. */
static inline void dc_check_sha256(const struct dc_hash *hash, const struct dc_result *r,
				   const unsigned char *data, size_t size)
{
	unsigned char expected[BLOCKSHA_SHA256_DIGEST_SIZE];

	if (!hash->has_sha256)
		return;
	textbook_hash(&textbook_sha256, data, size, expected);
	CHECK_BYTES(r->sha256, expected, sizeof(expected), "%s: %zu bytes", hash->name, size);
}

static inline void dc_put_be(unsigned char *out, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		out[i] = (unsigned char)(value >> (8 * (size - 1 - i)));
}

/* Puts another length and chaining value of SHA-1 into a saved state (docs/state.md). */
static inline void dc_edit_saved(const struct dc_hash *hash, unsigned char *saved, uint64_t length,
				 const uint32_t in[5])
{
	unsigned char check[BLOCKSHA_SHA256_DIGEST_SIZE];

	dc_put_be(saved + 8, length, 8);
	for (unsigned w = 0; w < 5; w++)
		dc_put_be(saved + 16 + 4 * w, in[w], 4);
	blocksha_sha256(saved, hash->export_size - 4, check);
	memcpy(saved + hash->export_size - 4, check, 4);
}

/* Calls for both hashes with each kernel that this machine can run, forced, and with the ones
   that the library takes. */
static inline void dc_for_each_kernel(void (*test)(const struct dc_hash *hash))
{
	for (size_t i = 0; i < TEST_COUNT(dc_hashes); i++) {
		const struct dc_hash *hash = &dc_hashes[i];
		struct blocksha_kernel_info info;
		char list[80];

		for (size_t k = 0; blocksha_get_kernel_info(k, &info) == BLOCKSHA_OK; k++) {
			if (strcmp(info.algorithm, hash->name) != 0 || info.lanes != 1)
				continue;
			if (!info.usable) {
				test_unavailable("%s: %s", info.algorithm, info.name);
				continue;
			}
			printf("%s: %s\n", info.algorithm, info.name);
			snprintf(list, sizeof(list), "%s:%s", info.algorithm, info.name);
			CHECK_INT(blocksha_force_kernels(list), BLOCKSHA_OK, "%s", list);
			test(hash);
		}
		printf("%s: no kernel forced\n", hash->name);
		CHECK_INT(blocksha_force_kernels(NULL), BLOCKSHA_OK, "NULL");
		test(hash);
	}
}

#endif
