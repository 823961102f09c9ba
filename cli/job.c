/* SPDX-License-Identifier: MIT */
#include "job.h"

#include <stdlib.h>
#include <string.h>

struct job *job_create(enum job_kind kind, const char *name, struct dir *dir, size_t path_length,
		       const struct digest_pass *pass)
{
	size_t length = strlen(name);
	struct job *job = malloc(sizeof(*job) + length + 1);

	if (job == NULL)
		return NULL;
	memset(job, 0, sizeof(*job));
	job->kind = kind;
	job->pass = pass;
	memcpy(job->name, name, length + 1);
	job->path = path_length == 0 ? job->name : job->name + length - path_length;
	job->dir = dir_hold(dir);
	return job;
}

void job_release_dir(struct job *job)
{
	dir_release(job->dir);
	job->dir = NULL;
}

void job_destroy(struct job *job)
{
	if (job == NULL)
		return;
	job_release_dir(job);
	if (job->free_data != NULL)
		job->free_data(job->data);
	free(job);
}
