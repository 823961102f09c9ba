/* SPDX-License-Identifier: MIT */
/*
 * blocksha_writer.h - writing a file that ends with the digest of what stands before, as
 * packs, pack indexes and the index of git do.
 *
 *     static unsigned char buffer[128 * 1024];
 *     blocksha_hashed_writer writer;
 *     unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE];
 *     blocksha_hashed_writer_init(&writer, 1, BLOCKSHA_WRITER_SHA1, buffer, sizeof(buffer));
 *     blocksha_hashed_writer_write(&writer, "abc", 3);
 *     if (blocksha_hashed_writer_finish(&writer, BLOCKSHA_WRITER_TRAILER, digest) != 0)
 *         abort();
 *
 * A part of libblocksha-git. What holds for every function here:
 *
 * - Functions that return int return 0 or an errno. The first error of a write stays in the
 *   writer and is what all later calls return, so that only the last result need be looked
 *   at; going back to a checkpoint clears it.
 * - A write that the system does in parts or that a signal interrupts is gone on with, and
 *   where the descriptor is in non-blocking mode the writer waits. A write of no byte at all
 *   is ENOSPC.
 * - The hash is the plain one: git's rule for trailers, whose bytes nobody takes for an
 *   object's. Nothing is allocated. The descriptor stays the caller's, who also closes it.
 *   Only fsync and close tell of errors that the system finds later.
 * - Different threads may use different writers at the same time.
 */
#ifndef BLOCKSHA_WRITER_H
#define BLOCKSHA_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "blocksha.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCKSHA_WRITER_SHA1 1
#define BLOCKSHA_WRITER_SHA256 2

/* For finish: the digest goes to the end of the file, too. */
#define BLOCKSHA_WRITER_TRAILER 1u

/* Of the bytes so far. Private. */
struct blocksha_writer_hash {
	union {
		blocksha_sha1_ctx sha1;
		blocksha_sha256_ctx sha256;
	} state;
	int algorithm; /* 0: the writer is finished */
};

/* A plain struct that the caller owns; members are not part of the interface. */
typedef struct blocksha_hashed_writer {
	struct blocksha_writer_hash hash;
	unsigned char *buffer;
	size_t buffer_size;
	size_t first, last; /* what waits in the buffer: from first up to last */
	uint64_t written;   /* bytes that the descriptor has */
	int fd;
	int error; /* the errno that sticks, or 0 */
} blocksha_hashed_writer;

/* A place in the file to which one can go back. A plain struct, which may be copied. */
typedef struct blocksha_writer_checkpoint {
	struct blocksha_writer_hash hash;
	uint64_t size;
} blocksha_writer_checkpoint;

/* Begins a file at the present offset of fd; what stands before is not hashed. buffer is
   the caller's and belongs to the writer until finish; 128 KiB are fast, one byte is enough.
   EINVAL: an algorithm that is unknown, or no buffer. */
int blocksha_hashed_writer_init(blocksha_hashed_writer *writer, int fd, int algorithm, void *buffer,
				size_t buffer_size);

/* Appends size bytes. They may wait in the buffer; (NULL, 0) is allowed. */
int blocksha_hashed_writer_write(blocksha_hashed_writer *writer, const void *data, size_t size);

/* Writes what waits in the buffer. */
int blocksha_hashed_writer_flush(blocksha_hashed_writer *writer);

/* The bytes appended so far, waiting ones included. */
uint64_t blocksha_hashed_writer_size(const blocksha_hashed_writer *writer);

/* The digest of the bytes so far; the writer goes on. digest has room for the algorithm's. */
int blocksha_hashed_writer_peek(const blocksha_hashed_writer *writer, unsigned char *digest);

/* Remembers this place. Costs no write. */
int blocksha_hashed_writer_checkpoint(const blocksha_hashed_writer *writer,
				      blocksha_writer_checkpoint *checkpoint);

/* Goes back to a checkpoint of this writer: the bytes since are taken off the file, and an
   error of writing them is forgotten. Can be done again and again; checkpoints made after
   the one gone back to are void and must not be used any more. What is still in the buffer
   can be taken back on any descriptor; for what has been written it must be a file that can
   be truncated, in which nothing else follows. EINVAL: no checkpoint of this writer. When it
   fails, the writer is as before, with this error sticking. */
int blocksha_hashed_writer_truncate(blocksha_hashed_writer *writer,
				    const blocksha_writer_checkpoint *checkpoint);

/* Writes what waits, then the digest if flags is BLOCKSHA_WRITER_TRAILER and not 0, and puts
   it into digest, which may be NULL. The digest is there only when every byte was written:
   on error it is not touched. The writer is finished and wiped, except on error, when
   one can still go back to a checkpoint. */
int blocksha_hashed_writer_finish(blocksha_hashed_writer *writer, unsigned flags,
				  unsigned char *digest);

#ifdef __cplusplus
}
#endif

#endif
