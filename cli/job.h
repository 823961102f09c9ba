/* SPDX-License-Identifier: MIT */
/*
 * job.h - one file on its way from its name to its digests.
 *
 * A source (source.h, check.h) makes jobs and gives them to the scheduler; there they are
 * hashed (hashfile.h) and delivered, in the order in which they were made, to be reported.
 */
#ifndef BLOCKSHA_CLI_JOB_H
#define BLOCKSHA_CLI_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "digest.h"
#include "dir.h"

enum job_kind {
	JOB_NAMED,     /* by the user or a list: whatever it is, "-" being standard input */
	JOB_FOUND,     /* in a tree, where it was a regular file */
	JOB_FOLLOWED,  /* in a tree, through a symbolic link to a regular file */
	JOB_LINK_TEXT, /* a symbolic link itself: the text in it is what is hashed */
	/* Nothing to hash; result says what there is to report, in its place: */
	JOB_SKIPPED, /* and that is no failure */
	JOB_FAILED,
};

struct hash_result {
	int error;            /* the errno of opening or reading; 0: the digests are there */
	const char *problem;  /* what is wrong, if not an errno: static text; else NULL */
	bool opened;          /* an error came later than opening */
	bool changed;         /* size or time of modification moved while it was read */
	uint64_t size;        /* bytes read, also before an error */
	struct timespec time; /* of the last modification; of regular files */
	struct digest_value digests[DIGEST_COUNT]; /* by digest_id; those of the pass */
	struct blocksha_attack attack; /* in what was read, also before an error; 0 blocks: none */
};

struct job {
	enum job_kind kind;
	struct dir *dir;  /* what path is relative to, held; NULL: the working directory */
	const char *path; /* the end of name, or all of it */
	const struct digest_pass *pass;
	void *data;                    /* the source's own */
	void (*free_data)(void *data); /* called when the job is destroyed; or NULL */
	struct hash_result result;
	bool done; /* the scheduler's, as all below */
	struct link *link;
	char name[]; /* as it is printed */
};

static inline bool job_is_note(const struct job *job)
{
	return job->kind == JOB_SKIPPED || job->kind == JOB_FAILED;
}

/* A job for a file. dir is taken hold of. path_length: how many bytes at the end of name are its
   path from dir; 0: all. NULL: no memory. */
struct job *job_create(enum job_kind kind, const char *name, struct dir *dir, size_t path_length,
		       const struct digest_pass *pass);

void job_destroy(struct job *job);

/* The file need not be opened any more. */
void job_release_dir(struct job *job);

#endif
