/* SPDX-License-Identifier: MIT */
/*
 * git_hash.h - the two uses that git has for its hash: names of objects, which are computed with
 * detection of collision attacks, and checksums of files, which are not.
 */
#ifndef BLOCKSHA_GIT_HASH_H
#define BLOCKSHA_GIT_HASH_H

#include <stdbool.h>

#include "git_file.h"

/* --- Checksums ---------------------------------------------------------------- */

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

/* --- Names --------------------------------------------------------------------- */

/* Room for "commit 18446744073709551615" and its NUL. */
enum { GIT_HEADER_SIZE = 32 };

/* Writes the header of an object; its size, which counts the NUL. */
size_t blocksha_git_header(char header[GIT_HEADER_SIZE], enum blocksha_git_type type,
			   uint64_t size);

/* The name of an object whose body comes in pieces. */
struct git_naming {
	enum blocksha_git_format format;
	union {
		blocksha_sha1dc_ctx sha1dc;
		blocksha_sha256_ctx sha256;
	} ctx;
};

void blocksha_git_naming_init(struct git_naming *naming, enum blocksha_git_format format,
			      const char *header, size_t header_size);
void blocksha_git_naming_update(struct git_naming *naming, const void *data, size_t size);

/* Returns BLOCKSHA_OK or BLOCKSHA_ATTACK. */
int blocksha_git_naming_final(struct git_naming *naming,
			      unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE],
			      struct blocksha_attack *attack);

/* Names of many objects side by side. names: count names of the format's size, one after the
   other. attacks: count, all 0 for a format other than SHA-1. */
int blocksha_git_name_many(enum blocksha_git_format format, const struct blocksha_message *messages,
			   size_t count, unsigned char *names, struct blocksha_attack *attacks);

#endif
