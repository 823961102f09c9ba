/* SPDX-License-Identifier: MIT */
/*
 * hashfile.h - the digests of files, each in one read, and the attacks in them. Small files
 * are collected and hashed side by side; others are hashed as they are read.
 */
#ifndef BLOCKSHA_CLI_HASHFILE_H
#define BLOCKSHA_CLI_HASHFILE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "job.h"
#include "links.h"

struct hash_options {
	bool allow_changing; /* a file that changes while it is read is no failure */
	bool drop_cache;     /* take what was read out of the page cache */
	bool long_paths;     /* open names beyond PATH_MAX, too */
};

/* Called with jobs that are finished. */
typedef void hash_finish_fn(void *context, struct job *const *jobs, size_t count);

/* What one thread needs to hash files. */
struct hasher;

/* links: where files with several names are found again, shared by all hashers. stop: set by
   anyone to end all hashing early; jobs then finish with the error ECANCELED. All must outlive
   the hasher. NULL: no memory. */
struct hasher *hasher_create(const struct hash_options *options, struct links *links,
			     const atomic_bool *stop, hash_finish_fn *finish, void *context);

/* Hashes the file of a job: now, or together with jobs that come later. overlap: a large one
   may have a thread of its own that reads. */
void hasher_take(struct hasher *hasher, struct job *job, bool overlap);

/* Finishes all jobs that were taken. */
void hasher_flush(struct hasher *hasher);

/* All that was taken must have been flushed. */
void hasher_destroy(struct hasher *hasher);

/* Room for the texts below. */
enum { HASH_TEXT_SIZE = 256 };

/* Whether there are digests. */
static inline bool hash_has_digests(const struct hash_result *result)
{
	return result->error == 0 && result->problem == NULL;
}

/* Why there are no digests: "Is a directory", or when bytes were read before the error
   "at byte 4096: Input/output error". */
void hash_reason(const struct hash_result *result, char text[HASH_TEXT_SIZE]);

/* The attack: "SHA-1 collision attack at byte 256, disturbance vector II(52,0), 1 block". */
void hash_attack_text(const struct hash_result *result, char text[HASH_TEXT_SIZE]);

#endif
