/* SPDX-License-Identifier: MIT */
/* sha1dc.c - the front end of SHA-1 with collision detection. */
#include "detect.h"
#include "stream.h"

static void compress(void *ctx, const unsigned char *data, size_t nblocks)
{
	blocksha_sha1dc_ctx *c = ctx;

	blocksha_detect_blocks(&c->detection, c->stream.kernel, c->state, data, nblocks);
}

BLOCKSHA_EXPORT void blocksha_sha1dc_init(blocksha_sha1dc_ctx *ctx)
{
	stream_init(&ctx->stream, BLOCKSHA_SHA1DC);
	memcpy(ctx->state, blocksha_sha1_initial, sizeof(blocksha_sha1_initial));
	blocksha_detect_init(&ctx->detection);
}

/* Whether nothing of the message has come yet; otherwise the error sticks. */
static int is_fresh(blocksha_sha1dc_ctx *ctx)
{
	if (ctx->stream.status == STREAM_IN_USE && ctx->stream.length == 0)
		return 1;
	if (ctx->stream.status >= 0)
		ctx->stream.status = BLOCKSHA_ERROR_ORDER;
	return 0;
}

BLOCKSHA_EXPORT void blocksha_sha1dc_set_options(blocksha_sha1dc_ctx *ctx, unsigned options)
{
	if (is_fresh(ctx))
		ctx->detection.options = options & BLOCKSHA_SHA1DC_OPTIONS;
}

BLOCKSHA_EXPORT void blocksha_sha1dc_set_callback(blocksha_sha1dc_ctx *ctx,
						  blocksha_attack_fn *callback, void *arg)
{
	if (!is_fresh(ctx))
		return;
	ctx->detection.callback = callback;
	ctx->detection.callback_arg = arg;
}

BLOCKSHA_EXPORT void blocksha_sha1dc_update(blocksha_sha1dc_ctx *ctx, const void *data, size_t size)
{
	stream_update(&ctx->stream, ctx, compress, data, size);
}

BLOCKSHA_EXPORT int blocksha_sha1dc_final(blocksha_sha1dc_ctx *ctx,
					  unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE],
					  struct blocksha_attack *attack)
{
	int result = stream_error(&ctx->stream);

	if (result == BLOCKSHA_OK) {
		stream_pad(&ctx->stream, ctx, compress);
		stream_put_words(digest, ctx->state, BLOCKSHA_SHA1_WORDS);
		result = blocksha_detect_verdict(&ctx->detection, attack);
	}
	stream_wipe(ctx, sizeof(*ctx));
	return result;
}

BLOCKSHA_EXPORT int blocksha_sha1dc_peek(const blocksha_sha1dc_ctx *ctx,
					 unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE],
					 struct blocksha_attack *attack)
{
	blocksha_sha1dc_ctx copy = *ctx;

	return blocksha_sha1dc_final(&copy, digest, attack);
}

BLOCKSHA_EXPORT int blocksha_sha1dc(const void *data, size_t size,
				    unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE],
				    struct blocksha_attack *attack)
{
	blocksha_sha1dc_ctx ctx;

	blocksha_sha1dc_init(&ctx);
	blocksha_sha1dc_update(&ctx, data, size);
	return blocksha_sha1dc_final(&ctx, digest, attack);
}

BLOCKSHA_EXPORT int blocksha_sha1dc_export(const blocksha_sha1dc_ctx *ctx,
					   unsigned char out[BLOCKSHA_SHA1DC_EXPORT_SIZE])
{
	return blocksha_detect_export(&ctx->stream, ctx->state, BLOCKSHA_SHA1_WORDS,
				      &ctx->detection, STREAM_EXPORT_SHA1DC, out);
}

BLOCKSHA_EXPORT int blocksha_sha1dc_import(blocksha_sha1dc_ctx *ctx, const void *saved, size_t size)
{
	int error;

	blocksha_sha1dc_init(ctx);
	error = blocksha_detect_import(&ctx->stream, ctx->state, BLOCKSHA_SHA1_WORDS,
				       &ctx->detection, STREAM_EXPORT_SHA1DC, saved, size);
	if (error != BLOCKSHA_OK)
		stream_wipe(ctx, sizeof(*ctx));
	return error;
}
