/* SPDX-License-Identifier: MIT */
/*
 * The hash takes the bytes when they are appended, so that a checkpoint is a copy of its
 * state and needs no write. Of the buffer, bytes first to last wait: the descriptor has all
 * before first, also when a write broke off in the middle.
 */
#define _POSIX_C_SOURCE 200809L /* ftruncate, poll */
#define _FILE_OFFSET_BITS 64    /* on 32 bits too */

#include "blocksha_writer.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "common.h"

/* Some systems refuse a write of 2 GiB and more; beyond 8 MiB a larger one is no faster. */
#define WRITE_LIMIT ((size_t)8 * 1024 * 1024)

/* --- The hash ------------------------------------------------------------------------- */

static size_t digest_size(int algorithm)
{
	return algorithm == BLOCKSHA_WRITER_SHA1 ? BLOCKSHA_SHA1_DIGEST_SIZE
						 : BLOCKSHA_SHA256_DIGEST_SIZE;
}

static void hash_init(struct blocksha_writer_hash *hash, int algorithm)
{
	hash->algorithm = algorithm;
	if (algorithm == BLOCKSHA_WRITER_SHA1)
		blocksha_sha1_init(&hash->state.sha1);
	else
		blocksha_sha256_init(&hash->state.sha256);
}

static void hash_update(struct blocksha_writer_hash *hash, const void *data, size_t size)
{
	if (hash->algorithm == BLOCKSHA_WRITER_SHA1)
		blocksha_sha1_update(&hash->state.sha1, data, size);
	else
		blocksha_sha256_update(&hash->state.sha256, data, size);
}

/* The only error that the library can have here: more than 2^61-1 bytes. */
static int hash_peek(const struct blocksha_writer_hash *hash, unsigned char *digest)
{
	int result;

	if (hash->algorithm == BLOCKSHA_WRITER_SHA1)
		result = blocksha_sha1_peek(&hash->state.sha1, digest);
	else
		result = blocksha_sha256_peek(&hash->state.sha256, digest);
	return result == BLOCKSHA_OK ? 0 : EFBIG;
}

/* --- Writing -------------------------------------------------------------------------- */

static int wait_until_writable(int fd)
{
	struct pollfd wanted = {.fd = fd, .events = POLLOUT};

	return poll(&wanted, 1, -1) >= 0 || errno == EINTR ? 0 : errno;
}

/* Writes until all is written or an error comes. Returns the bytes written; the error, or 0,
   goes to *error. */
static size_t write_all(int fd, const unsigned char *data, size_t size, int *error)
{
	size_t done = 0;

	*error = 0;
	while (done < size && *error == 0) {
		size_t left = size - done;
		ssize_t n = write(fd, data + done, left < WRITE_LIMIT ? left : WRITE_LIMIT);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0)
			*error = ENOSPC;
		else if (errno == EAGAIN || errno == EWOULDBLOCK)
			*error = wait_until_writable(fd);
		else if (errno != EINTR)
			*error = errno;
	}
	return done;
}

static int flush(blocksha_hashed_writer *writer)
{
	size_t done = write_all(writer->fd, writer->buffer + writer->first,
				writer->last - writer->first, &writer->error);

	writer->first += done;
	writer->written += done;
	if (writer->error == 0)
		writer->first = writer->last = 0;
	return writer->error;
}

/* What is at least a buffer long goes past it. */
static int append(blocksha_hashed_writer *writer, const unsigned char *data, size_t size)
{
	size_t n = writer->buffer_size - writer->last;

	if (size <= n || writer->last > 0) {
		n = size < n ? size : n;
		memcpy(writer->buffer + writer->last, data, n);
		writer->last += n;
		data += n;
		size -= n;
		if (size == 0)
			return 0;
		if (flush(writer) != 0)
			return writer->error;
	}
	if (size >= writer->buffer_size) {
		writer->written += write_all(writer->fd, data, size, &writer->error);
		return writer->error;
	}
	memcpy(writer->buffer, data, size);
	writer->last = size;
	return 0;
}

/* --- The interface -------------------------------------------------------------------- */

BLOCKSHA_EXPORT int blocksha_hashed_writer_init(blocksha_hashed_writer *writer, int fd,
						int algorithm, void *buffer, size_t buffer_size)
{
	memset(writer, 0, sizeof(*writer));
	writer->fd = -1;
	if ((algorithm != BLOCKSHA_WRITER_SHA1 && algorithm != BLOCKSHA_WRITER_SHA256) ||
	    buffer == NULL || buffer_size == 0)
		return EINVAL;
	hash_init(&writer->hash, algorithm);
	writer->buffer = buffer;
	writer->buffer_size = buffer_size;
	writer->fd = fd;
	return 0;
}

/* Why nothing can be done with the writer, or 0. */
static int obstacle(const blocksha_hashed_writer *writer)
{
	return writer->hash.algorithm == 0 ? EINVAL : writer->error;
}

BLOCKSHA_EXPORT int blocksha_hashed_writer_write(blocksha_hashed_writer *writer, const void *data,
						 size_t size)
{
	int error = obstacle(writer);

	if (error != 0 || size == 0)
		return error;
	error = append(writer, data, size);
	if (error == 0)
		hash_update(&writer->hash, data, size);
	return error;
}

BLOCKSHA_EXPORT int blocksha_hashed_writer_flush(blocksha_hashed_writer *writer)
{
	int error = obstacle(writer);

	return error != 0 ? error : flush(writer);
}

BLOCKSHA_EXPORT uint64_t blocksha_hashed_writer_size(const blocksha_hashed_writer *writer)
{
	return writer->written + (writer->last - writer->first);
}

BLOCKSHA_EXPORT int blocksha_hashed_writer_peek(const blocksha_hashed_writer *writer,
						unsigned char *digest)
{
	int error = obstacle(writer);

	return error != 0 ? error : hash_peek(&writer->hash, digest);
}

BLOCKSHA_EXPORT int blocksha_hashed_writer_checkpoint(const blocksha_hashed_writer *writer,
						      blocksha_writer_checkpoint *checkpoint)
{
	int error = obstacle(writer);

	memset(checkpoint, 0, sizeof(*checkpoint));
	if (error != 0)
		return error;
	checkpoint->hash = writer->hash;
	checkpoint->size = blocksha_hashed_writer_size(writer);
	return 0;
}

/* Takes bytes off the end of what the descriptor has. The offset tells where the file ends,
   also when something stood before the writer began. */
static int take_back_written(blocksha_hashed_writer *writer, uint64_t excess)
{
	off_t end = lseek(writer->fd, 0, SEEK_CUR);
	off_t target;

	if (end < 0)
		return errno;
	if ((uint64_t)end < excess)
		return EINVAL; /* somebody moved the offset */
	target = end - (off_t)excess;
	while (ftruncate(writer->fd, target) != 0)
		if (errno != EINTR)
			return errno;
	return lseek(writer->fd, target, SEEK_SET) < 0 ? errno : 0;
}

BLOCKSHA_EXPORT int blocksha_hashed_writer_truncate(blocksha_hashed_writer *writer,
						    const blocksha_writer_checkpoint *checkpoint)
{
	if (writer->hash.algorithm == 0)
		return EINVAL;
	if (checkpoint->hash.algorithm != writer->hash.algorithm ||
	    checkpoint->size > blocksha_hashed_writer_size(writer))
		return writer->error = EINVAL;
	if (checkpoint->size >= writer->written) {
		writer->last = writer->first + (size_t)(checkpoint->size - writer->written);
		writer->error = 0;
	} else {
		writer->error = take_back_written(writer, writer->written - checkpoint->size);
		if (writer->error != 0)
			return writer->error;
		writer->written = checkpoint->size;
		writer->first = writer->last = 0;
	}
	writer->hash = checkpoint->hash;
	return 0;
}

BLOCKSHA_EXPORT int blocksha_hashed_writer_finish(blocksha_hashed_writer *writer, unsigned flags,
						  unsigned char *digest)
{
	unsigned char result[BLOCKSHA_SHA256_DIGEST_SIZE];
	size_t size = digest_size(writer->hash.algorithm);
	int error = obstacle(writer);

	if (error == 0 && (flags & ~BLOCKSHA_WRITER_TRAILER) != 0)
		error = EINVAL;
	if (error == 0)
		error = hash_peek(&writer->hash, result);
	if (error == 0 && flags == BLOCKSHA_WRITER_TRAILER)
		error = append(writer, result, size);
	if (error == 0)
		error = flush(writer);
	if (error != 0)
		return error;
	if (digest != NULL)
		memcpy(digest, result, size);
	memset(writer, 0, sizeof(*writer));
	writer->fd = -1;
	return 0;
}
