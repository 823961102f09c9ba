/* SPDX-License-Identifier: MIT */
/*
 * reader.h - reads a file from its descriptor to its end, in large pieces.
 *
 * What stat says about the size is not asked: files in /proc say 0, and others grow.
 * The pieces of a large file are read by a second thread while the first one works
 * on the pieces before them.
 */
#ifndef BLOCKSHA_CLI_READER_H
#define BLOCKSHA_CLI_READER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Takes the next piece of a file; data stays valid until it returns. */
typedef void reader_sink(void *context, const unsigned char *data, size_t size);

/* The buffers. One reader reads one file at a time; it keeps its buffers for the next. */
struct reader;

/* Reading ends early, with the error ECANCELED, when stop becomes true. NULL: no memory. */
struct reader *reader_create(const atomic_bool *stop);
void reader_destroy(struct reader *reader); /* NULL is allowed */

/* Gives all bytes of fd to sink, in order, by calls in the calling thread. Returns 0 at the
   end of the file or the errno of the read that failed. overlap: with the second thread, if the
   file is large. */
int reader_run(struct reader *reader, int fd, bool overlap, reader_sink *sink, void *context);

#endif
