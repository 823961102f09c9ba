/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "git_namer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Objects that are gathered: more than the lanes of any kernel, several times over. */
#define MAX_COUNT 128u

/* Bytes that are gathered, and the size above which an object is hashed alone. */
#define ROOM ((size_t)1024 * 1024)
#define SMALL ((size_t)128 * 1024)

/* Bytes that are read at once. */
#define PIECE ((size_t)128 * 1024)

struct git_namer {
	struct git_formats formats;
	enum blocksha_git_type checked; /* or BLOCKSHA_GIT_NO_TYPE */
	size_t count, used;             /* what is gathered */
	struct git_named *named[MAX_COUNT];
	struct blocksha_piece pieces[MAX_COUNT]; /* header and body, in room */
	struct blocksha_message messages[MAX_COUNT];
	struct blocksha_attack attacks[MAX_COUNT];
	unsigned char names[MAX_COUNT][BLOCKSHA_SHA256_DIGEST_SIZE];
	unsigned char room[ROOM];
};

struct git_namer *git_namer_create(struct git_formats formats)
{
	struct git_namer *namer = malloc(sizeof(*namer));

	if (namer == NULL)
		return NULL;
	namer->formats = formats;
	namer->checked = BLOCKSHA_GIT_NO_TYPE;
	namer->count = 0;
	namer->used = 0;
	return namer;
}

void git_namer_check(struct git_namer *namer, enum blocksha_git_type type)
{
	namer->checked = type;
}

void git_namer_destroy(struct git_namer *namer)
{
	free(namer);
}

/* The size of the header with its NUL. */
static size_t header_size(const char *type, uint64_t size)
{
	return (size_t)snprintf(NULL, 0, "%s %" PRIu64, type, size) + 1;
}

/* --- Small objects ---------------------------------------------------------------- */

static void name_all(struct git_namer *namer, enum blocksha_git_format format)
{
	const size_t size = blocksha_git_name_size(format);
	const bool sha1 = format == BLOCKSHA_GIT_SHA1;
	unsigned char *names = namer->names[0];

	blocksha_git_name_many(format, namer->messages, namer->count, names, namer->attacks);
	for (size_t i = 0; i < namer->count; i++) {
		struct git_named *named = namer->named[i];

		memcpy(sha1 ? named->sha1 : named->sha256, names + i * size, size);
		if (sha1)
			named->attack = namer->attacks[i];
	}
}

void git_namer_flush(struct git_namer *namer)
{
	if (namer->count > 0 && namer->formats.sha1)
		name_all(namer, BLOCKSHA_GIT_SHA1);
	if (namer->count > 0 && namer->formats.sha256)
		name_all(namer, BLOCKSHA_GIT_SHA256);
	namer->count = 0;
	namer->used = 0;
}

/* Room for an object, its header written; NULL: it is not small. */
static unsigned char *begin_small(struct git_namer *namer, const char *type, uint64_t size)
{
	size_t header = header_size(type, size);

	if (size > SMALL || header > SMALL)
		return NULL;
	if (namer->count == MAX_COUNT || ROOM - namer->used < header + size)
		git_namer_flush(namer);
	namer->pieces[namer->count].data = namer->room + namer->used;
	namer->pieces[namer->count].size = header + (size_t)size;
	snprintf((char *)namer->room + namer->used, header, "%s %" PRIu64, type, size);
	return namer->room + namer->used + header;
}

static void end_small(struct git_namer *namer, struct git_named *named)
{
	namer->messages[namer->count].pieces = &namer->pieces[namer->count];
	namer->messages[namer->count].count = 1;
	namer->used += namer->pieces[namer->count].size;
	namer->named[namer->count++] = named;
}

/* --- Large objects ---------------------------------------------------------------- */

struct large {
	struct git_formats formats;
	union {
		blocksha_sha1dc_ctx sha1dc;
		blocksha_sha256_ctx sha256;
		blocksha_sha1dc_sha256_ctx both;
	} ctx;
};

static void large_update(struct large *large, const void *data, size_t size)
{
	if (large->formats.sha1 && large->formats.sha256)
		blocksha_sha1dc_sha256_update(&large->ctx.both, data, size);
	else if (large->formats.sha1)
		blocksha_sha1dc_update(&large->ctx.sha1dc, data, size);
	else
		blocksha_sha256_update(&large->ctx.sha256, data, size);
}

static bool large_begin(struct large *large, struct git_formats formats, const char *type,
			uint64_t size)
{
	size_t length = header_size(type, size);
	char *header = malloc(length);

	if (header == NULL)
		return false;
	snprintf(header, length, "%s %" PRIu64, type, size);
	large->formats = formats;
	if (formats.sha1 && formats.sha256)
		blocksha_sha1dc_sha256_init(&large->ctx.both);
	else if (formats.sha1)
		blocksha_sha1dc_init(&large->ctx.sha1dc);
	else
		blocksha_sha256_init(&large->ctx.sha256);
	large_update(large, header, length);
	free(header);
	return true;
}

static void large_end(struct large *large, struct git_named *named)
{
	if (large->formats.sha1 && large->formats.sha256)
		blocksha_sha1dc_sha256_final(&large->ctx.both, named->sha1, named->sha256,
					     &named->attack);
	else if (large->formats.sha1)
		blocksha_sha1dc_final(&large->ctx.sha1dc, named->sha1, &named->attack);
	else
		blocksha_sha256_final(&large->ctx.sha256, named->sha256);
}

/* --- Reading ---------------------------------------------------------------------- */

/* Reads until buffer is full or the file ends; the number of bytes, or -1 and errno. */
static ssize_t read_full(int fd, unsigned char *buffer, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read(fd, buffer + done, size - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* Whether a file that should be at its end is there. */
static void check_end(int fd, struct git_named *named)
{
	unsigned char byte;
	ssize_t got = read_full(fd, &byte, 1);

	if (got < 0)
		named->error = errno;
	else if (got > 0)
		named->changed = true;
}

static void name_large(struct git_namer *namer, const char *type, int fd, uint64_t size,
		       struct git_named *named)
{
	unsigned char *buffer = malloc(PIECE);
	struct large large;
	uint64_t rest = size;

	if (buffer == NULL || !large_begin(&large, namer->formats, type, size)) {
		free(buffer);
		named->error = ENOMEM;
		return;
	}
	while (rest > 0) {
		ssize_t got = read_full(fd, buffer, rest < PIECE ? (size_t)rest : PIECE);

		if (got < 0)
			named->error = errno;
		else if (got == 0)
			named->changed = true;
		if (got <= 0)
			break;
		large_update(&large, buffer, (size_t)got);
		rest -= (uint64_t)got;
	}
	if (rest == 0)
		check_end(fd, named);
	large_end(&large, named);
	free(buffer);
}

/* Everything to the end of fd; NULL and an errno. */
static unsigned char *read_all(int fd, size_t *size, int *error)
{
	unsigned char *data = NULL;
	size_t capacity = 0;
	ssize_t got;

	*size = 0;
	do {
		unsigned char *grown = realloc(data, capacity = 2 * capacity + PIECE);

		if (grown == NULL) {
			free(data);
			*error = ENOMEM;
			return NULL;
		}
		data = grown;
		got = read_full(fd, data + *size, capacity - *size);
		if (got > 0)
			*size += (size_t)got;
	} while (got > 0 && *size == capacity);
	if (got < 0) {
		*error = errno;
		free(data);
		return NULL;
	}
	return data;
}

/* What is wrong with the form of an object, or NULL. */
static const char *find_malformed(const struct git_namer *namer, const void *data, size_t size)
{
	/* In both formats at once no tree, commit or tag is right, for names have one length. */
	const char *text = NULL;

	if (namer->checked == BLOCKSHA_GIT_NO_TYPE || namer->checked == BLOCKSHA_GIT_BLOB)
		return NULL;
	if (namer->formats.sha1)
		text = blocksha_git_syntax_error(BLOCKSHA_GIT_SHA1, namer->checked, data, size);
	if (text == NULL && namer->formats.sha256)
		text = blocksha_git_syntax_error(BLOCKSHA_GIT_SHA256, namer->checked, data, size);
	return text;
}

static void name_unsized(struct git_namer *namer, const char *type, int fd, struct git_named *named)
{
	size_t size;
	unsigned char *data = read_all(fd, &size, &named->error);

	if (data != NULL)
		named->malformed = find_malformed(namer, data, size);
	if (data != NULL && named->malformed == NULL)
		git_namer_add_data(namer, type, data, size, named);
	free(data);
}

void git_namer_add_fd(struct git_namer *namer, const char *type, int fd, uint64_t size,
		      struct git_named *named)
{
	unsigned char *body;
	ssize_t got;

	memset(named, 0, sizeof(*named));
	/* A form can be checked only as a whole. */
	if (size == UINT64_MAX ||
	    (namer->checked != BLOCKSHA_GIT_NO_TYPE && namer->checked != BLOCKSHA_GIT_BLOB)) {
		name_unsized(namer, type, fd, named);
		return;
	}
	body = begin_small(namer, type, size);
	if (body == NULL) {
		name_large(namer, type, fd, size, named);
		return;
	}
	got = read_full(fd, body, (size_t)size);
	if (got < 0)
		named->error = errno;
	else if ((uint64_t)got != size)
		named->changed = true;
	else
		check_end(fd, named);
	if (named->error == 0 && !named->changed)
		end_small(namer, named);
}

void git_namer_add_data(struct git_namer *namer, const char *type, const void *data, size_t size,
			struct git_named *named)
{
	unsigned char *body = begin_small(namer, type, size);
	struct large large;

	memset(named, 0, sizeof(*named));
	if (body != NULL) {
		if (size > 0)
			memcpy(body, data, size);
		end_small(namer, named);
	} else if (large_begin(&large, namer->formats, type, size)) {
		large_update(&large, data, size);
		large_end(&large, named);
	} else {
		named->error = ENOMEM;
	}
}
