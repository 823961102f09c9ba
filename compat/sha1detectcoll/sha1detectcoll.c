/* SPDX-License-Identifier: MIT */
/*
 * sha1detectcoll.c - the functions of libsha1detectcoll 1.0 on top of blocksha_sha1dc.
 *
 * The context of the caller is far larger than ours, which lives where the original
 * keeps the states of 80 steps. All that reads or writes that place goes through the
 * pointer that inner() returns.
 */
#include <stddef.h>

#include "blocksha.h"
#include "sha1dc/sha1.h"

#if defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#define MAY_ALIAS __attribute__((may_alias))
#else
#define EXPORT
#define MAY_ALIAS
#endif

/* The context lies in memory that was declared as something else. */
struct place {
	blocksha_sha1dc_ctx ctx;
} MAY_ALIAS;

/* Where 32-bit ABIs align the member states less than our context needs, it begins a few
   bytes later. The place depends on the type alone, so that a copy of the context works. */
#define ALIGNMENT _Alignof(blocksha_sha1dc_ctx)
#define INNER_OFFSET ((offsetof(SHA1_CTX, states) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

_Static_assert(_Alignof(SHA1_CTX) >= ALIGNMENT, "our context cannot live in theirs");
_Static_assert(INNER_OFFSET + sizeof(blocksha_sha1dc_ctx) <= sizeof(SHA1_CTX),
	       "our context does not fit into theirs");

static blocksha_sha1dc_ctx *inner(SHA1_CTX *ctx)
{
	void *address = (unsigned char *)ctx + INNER_OFFSET;
	struct place *place = address;

	return &place->ctx;
}

static void call_back(void *arg, uint64_t offset, const uint32_t in[5], const uint32_t other_in[5],
		      const uint32_t w[80], const uint32_t other_w[80])
{
	const SHA1_CTX *ctx = arg;

	if (ctx->callback != NULL && ctx->detect_coll)
		ctx->callback(offset, in, other_in, w, other_w);
}

/* Options may change at any time, and the context may have moved since the last call. */
static void prepare(SHA1_CTX *ctx)
{
	unsigned options = 0;

	if (!ctx->detect_coll)
		options |= BLOCKSHA_SHA1DC_IGNORE;
	if (ctx->safe_hash)
		options |= BLOCKSHA_SHA1DC_SAFE_HASH;
	if (!ctx->ubc_check)
		options |= BLOCKSHA_SHA1DC_NO_FILTER;
	if (ctx->reduced_round_coll)
		options |= BLOCKSHA_SHA1DC_REDUCED_ROUNDS;
	inner(ctx)->detection.options = options;
	inner(ctx)->detection.callback = call_back;
	inner(ctx)->detection.callback_arg = ctx;
}

EXPORT void SHA1DCInit(SHA1_CTX *ctx)
{
	ctx->total = 0;
	ctx->found_collision = 0;
	ctx->safe_hash = 1;
	ctx->detect_coll = 1;
	ctx->ubc_check = 1;
	ctx->reduced_round_coll = 0;
	ctx->callback = NULL;
	blocksha_sha1dc_init(inner(ctx));
}

EXPORT void SHA1DCSetSafeHash(SHA1_CTX *ctx, int on)
{
	ctx->safe_hash = on != 0;
}

EXPORT void SHA1DCSetUseUBC(SHA1_CTX *ctx, int on)
{
	ctx->ubc_check = on != 0;
}

EXPORT void SHA1DCSetUseDetectColl(SHA1_CTX *ctx, int on)
{
	ctx->detect_coll = on != 0;
}

EXPORT void SHA1DCSetDetectReducedRoundCollision(SHA1_CTX *ctx, int on)
{
	ctx->reduced_round_coll = on != 0;
}

EXPORT void SHA1DCSetCallback(SHA1_CTX *ctx, collision_block_callback callback)
{
	ctx->callback = callback;
}

EXPORT void SHA1DCUpdate(SHA1_CTX *ctx, const char *data, size_t size)
{
	prepare(ctx);
	blocksha_sha1dc_update(inner(ctx), data, size);
	ctx->total += size;
	ctx->found_collision = inner(ctx)->detection.blocks != 0;
}

EXPORT int SHA1DCFinal(unsigned char digest[20], SHA1_CTX *ctx)
{
	prepare(ctx);
	ctx->found_collision = blocksha_sha1dc_final(inner(ctx), digest, NULL) != BLOCKSHA_OK;
	return ctx->found_collision;
}
