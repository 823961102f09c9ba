/* SPDX-License-Identifier: MIT */
/*
 * transfer.h - reading and writing of what passes through the program: any pieces, any signals,
 * descriptors that block or do not.
 */
#ifndef BLOCKSHA_CLI_TRANSFER_H
#define BLOCKSHA_CLI_TRANSFER_H

#include <stddef.h>

/* Reads what is there, at most size bytes. Returns 0 or an errno; *got is 0 at the end. */
int transfer_read(int fd, void *data, size_t size, size_t *got);

/* Writes all of it. Returns 0 or an errno. */
int transfer_write(int fd, const void *data, size_t size);

/* Asks what only closing tells (a full disk behind a network), without closing fd. Returns 0 or
   an errno. */
int transfer_end(int fd);

#endif
