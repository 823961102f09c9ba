/* SPDX-License-Identifier: MIT */
/* export.c - saved states: the form stands in stream.h and docs/state.md. */
#include "stream.h"

#define HEAD_SIZE 16
#define CHECK_SIZE 4
#define VERSION 1

static const unsigned char magic[4] = {'b', 's', 'h', 'a'};

static void make_check(unsigned char check[CHECK_SIZE], const unsigned char *saved, size_t size)
{
	unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE];

	blocksha_sha256(saved, size, digest);
	memcpy(check, digest, CHECK_SIZE);
}

int blocksha_stream_export(const struct blocksha_stream *s, const uint32_t *state, size_t words,
			   unsigned char id, unsigned char *out)
{
	unsigned char *buffer = out + HEAD_SIZE + 4 * words;
	unsigned used = stream_used(s);

	if (stream_error(s) != BLOCKSHA_OK)
		return stream_error(s);
	memcpy(out, magic, sizeof(magic));
	out[4] = VERSION;
	out[5] = id;
	out[6] = 0;
	out[7] = 0;
	blocksha_put_be64(out + 8, s->length);
	stream_put_words(out + HEAD_SIZE, state, words);
	memcpy(buffer, s->buffer, used);
	memset(buffer + used, 0, BLOCKSHA_BLOCK_SIZE - used);
	make_check(buffer + BLOCKSHA_BLOCK_SIZE, out, STREAM_EXPORT_SIZE(words) - CHECK_SIZE);
	return BLOCKSHA_OK;
}

int blocksha_stream_import(struct blocksha_stream *s, uint32_t *state, size_t words,
			   unsigned char id, const void *saved, size_t size)
{
	const unsigned char *p = saved;
	const unsigned char *buffer;
	unsigned char check[CHECK_SIZE];

	if (size != STREAM_EXPORT_SIZE(words))
		return BLOCKSHA_ERROR_FORMAT;
	buffer = p + HEAD_SIZE + 4 * words;
	make_check(check, p, size - CHECK_SIZE);
	if (memcmp(check, buffer + BLOCKSHA_BLOCK_SIZE, CHECK_SIZE) != 0)
		return BLOCKSHA_ERROR_FORMAT;
	if (memcmp(p, magic, sizeof(magic)) != 0 || p[4] != VERSION || p[5] != id || p[6] != 0 ||
	    p[7] != 0)
		return BLOCKSHA_ERROR_FORMAT;
	s->length = blocksha_get_be64(p + 8);
	if (s->length > STREAM_MAX_LENGTH)
		return BLOCKSHA_ERROR_FORMAT;
	for (unsigned i = stream_used(s); i < BLOCKSHA_BLOCK_SIZE; i++)
		if (buffer[i] != 0)
			return BLOCKSHA_ERROR_FORMAT;
	memcpy(s->buffer, buffer, BLOCKSHA_BLOCK_SIZE);
	for (size_t i = 0; i < words; i++) {
		uint32_t word = blocksha_get_be32(p + HEAD_SIZE + 4 * i);

		if (s->length < BLOCKSHA_BLOCK_SIZE && word != state[i])
			return BLOCKSHA_ERROR_FORMAT;
		state[i] = word;
	}
	return BLOCKSHA_OK;
}
