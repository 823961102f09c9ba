/* SPDX-License-Identifier: MIT */
/* sha1.c - the front end of SHA-1: streaming, one-shot, saved states. */
#include "stream.h"

/* FIPS 180-4 section 5.3.1. */
const uint32_t blocksha_sha1_initial[BLOCKSHA_SHA1_WORDS] = {
	0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0,
};

static void compress(void *ctx, const unsigned char *data, size_t nblocks)
{
	blocksha_sha1_ctx *c = ctx;

	c->stream.kernel->compress(c->state, data, nblocks);
}

BLOCKSHA_EXPORT void blocksha_sha1_init(blocksha_sha1_ctx *ctx)
{
	stream_init(&ctx->stream, BLOCKSHA_SHA1);
	memcpy(ctx->state, blocksha_sha1_initial, sizeof(blocksha_sha1_initial));
}

BLOCKSHA_EXPORT void blocksha_sha1_update(blocksha_sha1_ctx *ctx, const void *data, size_t size)
{
	stream_update(&ctx->stream, ctx, compress, data, size);
}

BLOCKSHA_EXPORT int blocksha_sha1_final(blocksha_sha1_ctx *ctx,
					unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE])
{
	int error = stream_error(&ctx->stream);

	if (error == BLOCKSHA_OK) {
		stream_pad(&ctx->stream, ctx, compress);
		stream_put_words(digest, ctx->state, BLOCKSHA_SHA1_WORDS);
	}
	stream_wipe(ctx, sizeof(*ctx));
	return error;
}

BLOCKSHA_EXPORT int blocksha_sha1_peek(const blocksha_sha1_ctx *ctx,
				       unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE])
{
	blocksha_sha1_ctx copy = *ctx;

	return blocksha_sha1_final(&copy, digest);
}

BLOCKSHA_EXPORT void blocksha_sha1(const void *data, size_t size,
				   unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE])
{
	uint32_t state[BLOCKSHA_SHA1_WORDS];

	memcpy(state, blocksha_sha1_initial, sizeof(state));
	stream_one_shot(BLOCKSHA_SHA1, state, data, size);
	stream_put_words(digest, state, BLOCKSHA_SHA1_WORDS);
	stream_wipe(state, sizeof(state));
}

BLOCKSHA_EXPORT int blocksha_sha1_export(const blocksha_sha1_ctx *ctx,
					 unsigned char out[BLOCKSHA_SHA1_EXPORT_SIZE])
{
	return blocksha_stream_export(&ctx->stream, ctx->state, BLOCKSHA_SHA1_WORDS,
				      STREAM_EXPORT_SHA1, out);
}

BLOCKSHA_EXPORT int blocksha_sha1_import(blocksha_sha1_ctx *ctx, const void *saved, size_t size)
{
	int error;

	blocksha_sha1_init(ctx);
	error = blocksha_stream_import(&ctx->stream, ctx->state, BLOCKSHA_SHA1_WORDS,
				       STREAM_EXPORT_SHA1, saved, size);
	if (error != BLOCKSHA_OK)
		stream_wipe(ctx, sizeof(*ctx));
	return error;
}
