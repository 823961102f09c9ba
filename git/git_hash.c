/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "git_hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

#define PIECE ((size_t)256 * 1024)

BLOCKSHA_EXPORT size_t blocksha_git_name_size(enum blocksha_git_format format)
{
	return format == BLOCKSHA_GIT_SHA256 ? BLOCKSHA_SHA256_DIGEST_SIZE
					     : BLOCKSHA_SHA1_DIGEST_SIZE;
}

BLOCKSHA_EXPORT const char *blocksha_git_type_name(enum blocksha_git_type type)
{
	switch (type) {
	case BLOCKSHA_GIT_COMMIT:
		return "commit";
	case BLOCKSHA_GIT_TREE:
		return "tree";
	case BLOCKSHA_GIT_BLOB:
		return "blob";
	case BLOCKSHA_GIT_TAG:
		return "tag";
	case BLOCKSHA_GIT_NO_TYPE:
		break;
	}
	return NULL;
}

BLOCKSHA_EXPORT enum blocksha_git_type blocksha_git_type_of(const char *name, size_t size)
{
	static const enum blocksha_git_type types[] = {
		BLOCKSHA_GIT_BLOB,
		BLOCKSHA_GIT_TREE,
		BLOCKSHA_GIT_COMMIT,
		BLOCKSHA_GIT_TAG,
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		const char *known = blocksha_git_type_name(types[i]);

		if (known != NULL && strlen(known) == size && memcmp(known, name, size) == 0)
			return types[i];
	}
	return BLOCKSHA_GIT_NO_TYPE;
}

BLOCKSHA_EXPORT const char *blocksha_git_kind_name(enum blocksha_git_kind kind)
{
	static const char *const names[BLOCKSHA_GIT_KINDS] = {
		[BLOCKSHA_GIT_NOTE] = "note",       [BLOCKSHA_GIT_UNREADABLE] = "unreadable",
		[BLOCKSHA_GIT_CHANGED] = "changed", [BLOCKSHA_GIT_LIMIT] = "limit",
		[BLOCKSHA_GIT_MISSING] = "missing", [BLOCKSHA_GIT_MALFORMED] = "malformed",
		[BLOCKSHA_GIT_DAMAGED] = "damaged", [BLOCKSHA_GIT_ATTACK] = "attack",
	};

	return names[kind];
}

/* --- Checksums -------------------------------------------------------------------- */

void blocksha_git_checksum_init(struct git_checksum *checksum, enum blocksha_git_format format)
{
	checksum->format = format;
	if (format == BLOCKSHA_GIT_SHA256)
		blocksha_sha256_init(&checksum->ctx.sha256);
	else
		blocksha_sha1_init(&checksum->ctx.sha1);
}

void blocksha_git_checksum_update(struct git_checksum *checksum, const void *data, size_t size)
{
	if (checksum->format == BLOCKSHA_GIT_SHA256)
		blocksha_sha256_update(&checksum->ctx.sha256, data, size);
	else
		blocksha_sha1_update(&checksum->ctx.sha1, data, size);
}

void blocksha_git_checksum_final(struct git_checksum *checksum,
				 unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE])
{
	int result;

	if (checksum->format == BLOCKSHA_GIT_SHA256)
		result = blocksha_sha256_final(&checksum->ctx.sha256, digest);
	else
		result = blocksha_sha1_final(&checksum->ctx.sha1, digest);
	/* Files are shorter than 2^61 bytes. */
	assert(result == BLOCKSHA_OK);
	(void)result;
}

void blocksha_git_checksum(enum blocksha_git_format format, const void *data, size_t size,
			   unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE])
{
	if (format == BLOCKSHA_GIT_SHA256)
		blocksha_sha256(data, size, digest);
	else
		blocksha_sha1(data, size, digest);
}

bool blocksha_git_checksum_range(const struct git_file *file, enum blocksha_git_format format,
				 uint64_t end, unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE],
				 struct git_report *report)
{
	struct git_checksum checksum;
	unsigned char *buffer = malloc(PIECE);
	bool read = buffer != NULL;

	if (buffer == NULL)
		blocksha_git_report_add(report, BLOCKSHA_GIT_LIMIT, GIT_NOWHERE, NULL, NULL,
					"no memory");
	blocksha_git_checksum_init(&checksum, format);
	for (uint64_t at = 0; read && at < end; at += PIECE) {
		size_t piece = end - at < PIECE ? (size_t)(end - at) : PIECE;

		read = blocksha_git_file_read(file, buffer, piece, at, report);
		if (read)
			blocksha_git_checksum_update(&checksum, buffer, piece);
	}
	free(buffer);
	blocksha_git_checksum_final(&checksum, digest);
	return read;
}

bool blocksha_git_checksum_file(const struct git_file *file, enum blocksha_git_format format,
				unsigned char trailer[BLOCKSHA_GIT_MAX_NAME_SIZE], const char *text,
				struct git_report *report)
{
	unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE];
	const size_t size = blocksha_git_name_size(format);
	const uint64_t end = file->size - size;

	if (!blocksha_git_checksum_range(file, format, end, digest, report) ||
	    !blocksha_git_file_read(file, trailer, size, end, report))
		return false;
	if (memcmp(digest, trailer, size) != 0)
		blocksha_git_report_digests(report, BLOCKSHA_GIT_DAMAGED, GIT_WHOLE_AT(end), digest,
					    trailer, size, text);
	return true;
}

/* --- Names ------------------------------------------------------------------------ */

BLOCKSHA_EXPORT size_t blocksha_git_header(char header[BLOCKSHA_GIT_HEADER_SIZE],
					   enum blocksha_git_type type, uint64_t size)
{
	const char *name = blocksha_git_type_name(type);
	char digits[20];
	size_t at = 0, count = 0;

	/* snprintf would take as long as hashing a small object. */
	while (name != NULL && *name != '\0')
		header[at++] = *name++;
	header[at++] = ' ';
	do
		digits[count++] = (char)('0' + size % 10);
	while ((size /= 10) != 0);
	while (count > 0)
		header[at++] = digits[--count];
	header[at++] = '\0';
	return at;
}

BLOCKSHA_EXPORT void blocksha_git_naming_init(struct blocksha_git_naming *naming,
					      enum blocksha_git_format format, const void *header,
					      size_t header_size)
{
	naming->format = format;
	if (format == BLOCKSHA_GIT_SHA256)
		blocksha_sha256_init(&naming->ctx.sha256);
	else
		blocksha_sha1dc_init(&naming->ctx.sha1dc);
	blocksha_git_naming_update(naming, header, header_size);
}

BLOCKSHA_EXPORT void blocksha_git_naming_update(struct blocksha_git_naming *naming,
						const void *data, size_t size)
{
	if (naming->format == BLOCKSHA_GIT_SHA256)
		blocksha_sha256_update(&naming->ctx.sha256, data, size);
	else
		blocksha_sha1dc_update(&naming->ctx.sha1dc, data, size);
}

BLOCKSHA_EXPORT int blocksha_git_naming_final(struct blocksha_git_naming *naming,
					      unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE],
					      struct blocksha_attack *attack)
{
	memset(attack, 0, sizeof(*attack));
	if (naming->format == BLOCKSHA_GIT_SHA256)
		return blocksha_sha256_final(&naming->ctx.sha256, name);
	return blocksha_sha1dc_final(&naming->ctx.sha1dc, name, attack);
}

BLOCKSHA_EXPORT int blocksha_git_name_many(enum blocksha_git_format format,
					   const struct blocksha_message *messages, size_t count,
					   unsigned char *names, struct blocksha_attack *attacks)
{
	if (format == BLOCKSHA_GIT_SHA256) {
		memset(attacks, 0, count * sizeof(*attacks));
		blocksha_sha256_many(messages, count, (void *)names);
		return BLOCKSHA_OK;
	}
	return blocksha_sha1dc_many(messages, count, (void *)names, attacks);
}
