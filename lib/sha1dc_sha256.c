/* SPDX-License-Identifier: MIT */
/* sha1dc_sha256.c - the front end of SHA-1 with collision detection and SHA-256 of the
   same bytes in one pass. */
#include "detect.h"
#include "stream.h"

static void compress(void *ctx, const unsigned char *data, size_t nblocks)
{
	blocksha_sha1dc_sha256_ctx *c = ctx;

	blocksha_detect_blocks(&c->detection, c->stream.kernel, c->state, data, nblocks);
}

BLOCKSHA_EXPORT void blocksha_sha1dc_sha256_init(blocksha_sha1dc_sha256_ctx *ctx)
{
	stream_init(&ctx->stream, BLOCKSHA_SHA1DC_SHA256);
	memcpy(ctx->state, blocksha_sha1_initial, sizeof(blocksha_sha1_initial));
	memcpy(ctx->state + BLOCKSHA_SHA1_WORDS, blocksha_sha256_initial,
	       sizeof(blocksha_sha256_initial));
	blocksha_detect_init(&ctx->detection);
}

BLOCKSHA_EXPORT void blocksha_sha1dc_sha256_update(blocksha_sha1dc_sha256_ctx *ctx,
						   const void *data, size_t size)
{
	stream_update(&ctx->stream, ctx, compress, data, size);
}

BLOCKSHA_EXPORT int blocksha_sha1dc_sha256_final(blocksha_sha1dc_sha256_ctx *ctx,
						 unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
						 unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE],
						 struct blocksha_attack *attack)
{
	int result = stream_error(&ctx->stream);

	if (result == BLOCKSHA_OK) {
		stream_pad(&ctx->stream, ctx, compress);
		stream_put_words(sha1, ctx->state, BLOCKSHA_SHA1_WORDS);
		stream_put_words(sha256, ctx->state + BLOCKSHA_SHA1_WORDS, BLOCKSHA_SHA256_WORDS);
		result = blocksha_detect_verdict(&ctx->detection, attack);
	}
	stream_wipe(ctx, sizeof(*ctx));
	return result;
}

BLOCKSHA_EXPORT int blocksha_sha1dc_sha256_peek(const blocksha_sha1dc_sha256_ctx *ctx,
						unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
						unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE],
						struct blocksha_attack *attack)
{
	blocksha_sha1dc_sha256_ctx copy = *ctx;

	return blocksha_sha1dc_sha256_final(&copy, sha1, sha256, attack);
}

BLOCKSHA_EXPORT int blocksha_sha1dc_sha256(const void *data, size_t size,
					   unsigned char sha1[BLOCKSHA_SHA1_DIGEST_SIZE],
					   unsigned char sha256[BLOCKSHA_SHA256_DIGEST_SIZE],
					   struct blocksha_attack *attack)
{
	blocksha_sha1dc_sha256_ctx ctx;

	blocksha_sha1dc_sha256_init(&ctx);
	blocksha_sha1dc_sha256_update(&ctx, data, size);
	return blocksha_sha1dc_sha256_final(&ctx, sha1, sha256, attack);
}

BLOCKSHA_EXPORT int
blocksha_sha1dc_sha256_export(const blocksha_sha1dc_sha256_ctx *ctx,
			      unsigned char out[BLOCKSHA_SHA1DC_SHA256_EXPORT_SIZE])
{
	return blocksha_detect_export(&ctx->stream, ctx->state, BLOCKSHA_SHA1_SHA256_WORDS,
				      &ctx->detection, STREAM_EXPORT_SHA1DC_SHA256, out);
}

BLOCKSHA_EXPORT int blocksha_sha1dc_sha256_import(blocksha_sha1dc_sha256_ctx *ctx,
						  const void *saved, size_t size)
{
	int error;

	blocksha_sha1dc_sha256_init(ctx);
	error = blocksha_detect_import(&ctx->stream, ctx->state, BLOCKSHA_SHA1_SHA256_WORDS,
				       &ctx->detection, STREAM_EXPORT_SHA1DC_SHA256, saved, size);
	if (error != BLOCKSHA_OK)
		stream_wipe(ctx, sizeof(*ctx));
	return error;
}
