/* SPDX-License-Identifier: MIT */
/* sha256.c - the front end of SHA-256: streaming, one-shot, saved states. */
#include "stream.h"

/* FIPS 180-4 section 5.3.3. */
const uint32_t blocksha_sha256_initial[BLOCKSHA_SHA256_WORDS] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static void compress(void *ctx, const unsigned char *data, size_t nblocks)
{
	blocksha_sha256_ctx *c = ctx;

	c->stream.kernel->compress(c->state, data, nblocks);
}

BLOCKSHA_EXPORT void blocksha_sha256_init(blocksha_sha256_ctx *ctx)
{
	stream_init(&ctx->stream, BLOCKSHA_SHA256);
	memcpy(ctx->state, blocksha_sha256_initial, sizeof(blocksha_sha256_initial));
}

BLOCKSHA_EXPORT void blocksha_sha256_update(blocksha_sha256_ctx *ctx, const void *data, size_t size)
{
	stream_update(&ctx->stream, ctx, compress, data, size);
}

BLOCKSHA_EXPORT int blocksha_sha256_final(blocksha_sha256_ctx *ctx,
					  unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE])
{
	int error = stream_error(&ctx->stream);

	if (error == BLOCKSHA_OK) {
		stream_pad(&ctx->stream, ctx, compress);
		stream_put_words(digest, ctx->state, BLOCKSHA_SHA256_WORDS);
	}
	stream_wipe(ctx, sizeof(*ctx));
	return error;
}

BLOCKSHA_EXPORT int blocksha_sha256_peek(const blocksha_sha256_ctx *ctx,
					 unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE])
{
	blocksha_sha256_ctx copy = *ctx;

	return blocksha_sha256_final(&copy, digest);
}

BLOCKSHA_EXPORT void blocksha_sha256(const void *data, size_t size,
				     unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE])
{
	uint32_t state[BLOCKSHA_SHA256_WORDS];

	memcpy(state, blocksha_sha256_initial, sizeof(state));
	stream_one_shot(BLOCKSHA_SHA256, state, data, size);
	stream_put_words(digest, state, BLOCKSHA_SHA256_WORDS);
	stream_wipe(state, sizeof(state));
}

BLOCKSHA_EXPORT int blocksha_sha256_export(const blocksha_sha256_ctx *ctx,
					   unsigned char out[BLOCKSHA_SHA256_EXPORT_SIZE])
{
	return blocksha_stream_export(&ctx->stream, ctx->state, BLOCKSHA_SHA256_WORDS,
				      STREAM_EXPORT_SHA256, out);
}

BLOCKSHA_EXPORT int blocksha_sha256_import(blocksha_sha256_ctx *ctx, const void *saved, size_t size)
{
	int error;

	blocksha_sha256_init(ctx);
	error = blocksha_stream_import(&ctx->stream, ctx->state, BLOCKSHA_SHA256_WORDS,
				       STREAM_EXPORT_SHA256, saved, size);
	if (error != BLOCKSHA_OK)
		stream_wipe(ctx, sizeof(*ctx));
	return error;
}
