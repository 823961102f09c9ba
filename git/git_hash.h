/* SPDX-License-Identifier: MIT */
/*
 * git_hash.h - the checksums of files. Those are plain digests; names of objects, which are
 * computed with detection of collision attacks, are in blocksha_git.h.
 */
#ifndef BLOCKSHA_GIT_HASH_H
#define BLOCKSHA_GIT_HASH_H

#include <stdbool.h>

#include "git_file.h"

/* --- Checksums -------------------------------------------------------------------- */

struct git_checksum {
	enum blocksha_git_format format;
	union {
		blocksha_sha1_ctx sha1;
		blocksha_sha256_ctx sha256;
	} ctx;
};

void blocksha_git_checksum_init(struct git_checksum *checksum, enum blocksha_git_format format);
void blocksha_git_checksum_update(struct git_checksum *checksum, const void *data, size_t size);
void blocksha_git_checksum_final(struct git_checksum *checksum,
				 unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE]);

/* The checksum of memory. */
void blocksha_git_checksum(enum blocksha_git_format format, const void *data, size_t size,
			   unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE]);

/* The checksum of the first end bytes of a file. False when it could not be read. */
bool blocksha_git_checksum_range(const struct git_file *file, enum blocksha_git_format format,
				 uint64_t end, unsigned char digest[BLOCKSHA_GIT_MAX_NAME_SIZE],
				 struct git_report *report);

/* Compares the last bytes of the file with the checksum of all before them: a finding with text
   when they differ. trailer receives what stands in the file. False when it could not be read. The
   file must be at least as long as a checksum. */
bool blocksha_git_checksum_file(const struct git_file *file, enum blocksha_git_format format,
				unsigned char trailer[BLOCKSHA_GIT_MAX_NAME_SIZE], const char *text,
				struct git_report *report);

#endif
