/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_NOFOLLOW, st_mtim, posix_fadvise, readlinkat */

/*
 * A job goes through hasher_take: open_job, then take_small (read whole, hashed later by
 * hash_batch) or stream (hashed as it is read), and close_job, which sees whether the file
 * changed.
 */
#include "hashfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input.h"
#include "progress.h"
#include "reader.h"

/* A file up to this size is hashed together with others. Larger ones gain less from it than
   the longer way through the caches costs. */
#define SMALL_SIZE ((size_t)128 * 1024)

/* The files that are hashed together: how many, and how many bytes. The widest kernel has 32
   lanes; twice as many files keep them full when their lengths differ. */
#define BATCH_JOBS DIGEST_MANY_MAX
#define BATCH_SIZE ((size_t)4 * 1024 * 1024)

/* After so many bytes more what was read is taken out of the page cache. */
#define DROP_SIZE ((uint64_t)16 * 1024 * 1024)

struct hasher {
	const struct hash_options *options;
	struct links *links;
	const atomic_bool *stop;
	hash_finish_fn *finish;
	void *context;
	struct reader *reader;
	size_t count; /* jobs in the batch */
	size_t used;  /* bytes of the buffer */
	struct job *jobs[BATCH_JOBS];
	struct blocksha_piece pieces[BATCH_JOBS];
	unsigned char *buffer;
};

struct hasher *hasher_create(const struct hash_options *options, struct links *links,
			     const atomic_bool *stop, hash_finish_fn *finish, void *context)
{
	struct hasher *hasher = calloc(1, sizeof(*hasher));

	if (hasher == NULL)
		return NULL;
	hasher->options = options;
	hasher->links = links;
	hasher->stop = stop;
	hasher->finish = finish;
	hasher->context = context;
	hasher->reader = reader_create(stop);
	hasher->buffer = malloc(BATCH_SIZE);
	if (hasher->reader == NULL || hasher->buffer == NULL) {
		hasher_destroy(hasher);
		return NULL;
	}
	return hasher;
}

void hasher_destroy(struct hasher *hasher)
{
	if (hasher == NULL)
		return;
	free(hasher->buffer);
	reader_destroy(hasher->reader);
	free(hasher);
}

static void finish(struct hasher *hasher, struct job *const *jobs, size_t count)
{
	uint64_t done = 0;

	for (size_t i = 0; i < count; i++) {
		done += jobs[i]->result.error != ECANCELED; /* given up, not done */
		job_release_dir(jobs[i]);
		if (jobs[i]->link != NULL)
			links_finish(hasher->links, jobs[i]);
	}
	progress_done(done, 0);
	hasher->finish(hasher->context, jobs, count);
}

/* --- The batch ------------------------------------------------------------------ */

/* Hashes all jobs of the batch that have the pass of job first. Returns how many. */
static size_t hash_those_like(const struct hasher *hasher, size_t first)
{
	const struct digest_pass *pass = hasher->jobs[first]->pass;
	struct digest_value values[BATCH_JOBS][DIGEST_COUNT];
	struct blocksha_attack attacks[BATCH_JOBS];
	struct blocksha_message messages[BATCH_JOBS];
	struct hash_result *results[BATCH_JOBS];
	size_t count = 0;

	size_t i = first;

	do {
		if (hasher->jobs[i]->pass != pass)
			continue;
		messages[count] = (struct blocksha_message){&hasher->pieces[i], 1};
		results[count++] = &hasher->jobs[i]->result;
	} while (++i < hasher->count);
	memset(attacks, 0, sizeof(attacks));
	pass->many(messages, count, values, attacks);
	for (i = 0; i < count; i++) {
		memcpy(results[i]->digests, values[i], sizeof(values[i]));
		results[i]->attack = attacks[i];
	}
	return count;
}

static bool is_first_of_its_kind(const struct hasher *hasher, size_t i)
{
	for (size_t before = 0; before < i; before++)
		if (hasher->jobs[before]->pass == hasher->jobs[i]->pass)
			return false;
	return true;
}

void hasher_flush(struct hasher *hasher)
{
	size_t hashed = 0;

	if (hasher->count > 0)
		progress_current(hasher->jobs[hasher->count - 1]->name);
	for (size_t i = 0; hashed < hasher->count; i++)
		if (is_first_of_its_kind(hasher, i))
			hashed += hash_those_like(hasher, i);
	if (hasher->count > 0)
		finish(hasher, hasher->jobs, hasher->count);
	progress_done(0, hasher->used);
	hasher->count = 0;
	hasher->used = 0;
}

/* Room for a message of up to size bytes in the buffer, behind the batch or after it. */
static unsigned char *make_room(struct hasher *hasher, size_t size)
{
	if (hasher->count == BATCH_JOBS || BATCH_SIZE - hasher->used < size)
		hasher_flush(hasher);
	return hasher->buffer + hasher->used;
}

/* A job whose message of size bytes stands in the room that was made. */
static void add_to_batch(struct hasher *hasher, struct job *job, size_t size)
{
	hasher->pieces[hasher->count] =
		(struct blocksha_piece){hasher->buffer + hasher->used, size};
	hasher->jobs[hasher->count++] = job;
	hasher->used += size;
	job->result.size = size;
}

/* --- One file -------------------------------------------------------------------- */

/* A file that is open. */
struct file {
	int fd;
	struct stat before;
};

static void fail(struct job *job, int error)
{
	job->result.error = error;
}

/* Opens what the job names. Returns -1 and errno. A file of a tree was a regular one; if it is
   something else now, opening must not wait for it. */
static int open_path(const struct hasher *hasher, const struct job *job)
{
	int dir = dir_fd(job->dir);
	int fd;

	switch (job->kind) {
	case JOB_FOUND:
		return input_open_at(dir, job->path, O_NONBLOCK | O_NOFOLLOW);
	case JOB_FOLLOWED:
		return input_open_at(dir, job->path, O_NONBLOCK);
	default:
		fd = input_open(job->path);
		if (fd < 0 && errno == ENAMETOOLONG && hasher->options->long_paths)
			fd = dir_open_path(NULL, job->path, O_RDONLY | O_CLOEXEC);
		return fd;
	}
}

static const char not_regular[] = "not a regular file any more";

/* Of a file of a tree the walk has seen that it was regular: these errors say it is a symbolic link
   now, or a socket. */
static void fail_to_open(struct job *job, int error)
{
	if ((job->kind == JOB_FOUND && error == ELOOP) ||
	    (job->kind != JOB_NAMED && error == ENXIO))
		job->result.problem = not_regular;
	else
		fail(job, error);
}

static bool open_file(const struct hasher *hasher, struct job *job, struct file *file)
{
	file->fd = open_path(hasher, job);
	if (file->fd < 0) {
		fail_to_open(job, errno);
		return false;
	}
	job->result.opened = true;
	if (fstat(file->fd, &file->before) != 0) {
		fail(job, errno);
	} else if (job->kind != JOB_NAMED && !S_ISREG(file->before.st_mode)) {
		job->result.problem = not_regular;
	} else {
		job->result.time = file->before.st_mtim;
		return true;
	}
	close(file->fd);
	return false;
}

static bool is_changed(const struct file *file, const struct stat *after)
{
	return file->before.st_size != after->st_size ||
	       file->before.st_mtim.tv_sec != after->st_mtim.tv_sec ||
	       file->before.st_mtim.tv_nsec != after->st_mtim.tv_nsec;
}

/* Closes a file that was read. One that was written to meanwhile has a digest of no version. */
static void close_file(const struct hasher *hasher, struct job *job, const struct file *file)
{
	struct stat after = {0}; /* for MSan, which does not know fstat */

	if (S_ISREG(file->before.st_mode) && fstat(file->fd, &after) == 0 &&
	    is_changed(file, &after)) {
		job->result.changed = true;
		if (!hasher->options->allow_changing && hash_has_digests(&job->result))
			job->result.problem = "changed while reading";
	}
	if (hasher->options->drop_cache)
		(void)posix_fadvise(file->fd, 0, 0, POSIX_FADV_DONTNEED);
	if (close(file->fd) != 0 && job->result.error == 0 && errno != EINTR)
		fail(job, errno);
}

struct stream {
	const struct hasher *hasher;
	const struct file *file;
	const struct digest_pass *pass;
	uint64_t size, dropped;
	union digest_state state;
};

static void stream_update(void *context, const unsigned char *data, size_t size)
{
	struct stream *stream = context;

	stream->pass->update(&stream->state, data, size);
	stream->size += size;
	progress_done(0, size);
	if (stream->hasher->options->drop_cache && stream->size - stream->dropped >= DROP_SIZE) {
		(void)posix_fadvise(stream->file->fd, (off_t)stream->dropped,
				    (off_t)(stream->size - stream->dropped), POSIX_FADV_DONTNEED);
		stream->dropped = stream->size;
	}
}

/* Hashes size bytes that were read already, and what follows them in the file. */
static void stream(struct hasher *hasher, struct job *job, const struct file *file,
		   const unsigned char *data, size_t size, bool overlap)
{
	struct hash_result *result = &job->result;
	struct stream stream = {.hasher = hasher, .file = file, .pass = job->pass};

	progress_current(job->name);
	stream.pass->init(&stream.state);
	if (size > 0)
		stream_update(&stream, data, size);
	result->error = reader_run(hasher->reader, file->fd, overlap, stream_update, &stream);
	result->size = stream.size;
	/* The only error that the library can have here: more than 2^61-1 bytes. */
	if (stream.pass->final(&stream.state, result->digests, &result->attack) < 0 &&
	    result->error == 0)
		result->error = EFBIG;
}

/* Reads until the end of the file, or limit bytes. Returns false and errno for an error; *size
   are the bytes read, also then. A regular file of expected bytes ends behind them: a read that
   brings them and no more, although it was asked for more, has seen the end. */
static bool read_whole(int fd, unsigned char *data, size_t expected, size_t limit, size_t *size)
{
	*size = 0;
	while (*size < limit) {
		ssize_t got = read(fd, data + *size, limit - *size);

		if (got > 0)
			*size += (size_t)got;
		else if (got == 0)
			return true;
		else if (errno != EINTR)
			return false;
		if (*size == expected)
			return true;
	}
	return true;
}

/* Takes a small file into the batch. Returns whether it is there: a file that proves to be longer
   than it seemed, or has a fault, is hashed for itself. */
static bool take_small(struct hasher *hasher, struct job *job, const struct file *file)
{
	size_t expected = (size_t)file->before.st_size;
	unsigned char *room = make_room(hasher, expected + 1);
	size_t size;

	if (!read_whole(file->fd, room, expected, expected + 1, &size)) {
		fail(job, errno);
		job->result.size = size;
		return false;
	}
	if (size > expected) {
		stream(hasher, job, file, room, size, false);
		return false;
	}
	add_to_batch(hasher, job, size);
	return true;
}

static bool is_small(const struct file *file)
{
	/* Files of /proc say that they are empty. */
	return S_ISREG(file->before.st_mode) && file->before.st_size > 0 &&
	       (size_t)file->before.st_size <= SMALL_SIZE;
}

static bool shares_result(const struct hasher *hasher, struct job *job, const struct file *file)
{
	return job->kind != JOB_NAMED && hasher->links != NULL && file->before.st_nlink > 1 &&
	       !links_meet(hasher->links, job, &file->before);
}

/* Returns whether the job waits in the batch. */
static bool take_file(struct hasher *hasher, struct job *job, bool overlap)
{
	struct file file = {.fd = -1};
	bool waits = false;

	if (!open_file(hasher, job, &file))
		return false;
	if (shares_result(hasher, job, &file)) {
		close(file.fd);
		return false;
	}
	if (is_small(&file)) {
		waits = take_small(hasher, job, &file);
	} else {
		hasher_flush(hasher); /* nobody waits for small files behind a large one */
		stream(hasher, job, &file, NULL, 0, overlap);
	}
	close_file(hasher, job, &file);
	return waits;
}

/* The text of a symbolic link; those of Linux have up to 4095 bytes. */
static bool take_link_text(struct hasher *hasher, struct job *job)
{
	enum { LIMIT = 64 * 1024 };
	unsigned char *room = make_room(hasher, LIMIT);
	int dir = dir_fd(job->dir);
	ssize_t size = readlinkat(dir, job->path, (char *)room, LIMIT);

	if (size < 0 && errno == EINVAL) {
		job->result.problem = "not a symbolic link any more";
		return false;
	}
	if (size < 0 || size == LIMIT) {
		fail(job, size < 0 ? errno : ENAMETOOLONG);
		return false;
	}
	add_to_batch(hasher, job, (size_t)size);
	return true;
}

void hasher_take(struct hasher *hasher, struct job *job, bool overlap)
{
	bool waits;

	if (atomic_load_explicit(hasher->stop, memory_order_relaxed)) {
		fail(job, ECANCELED);
		waits = false;
	} else if (job->kind == JOB_LINK_TEXT) {
		waits = take_link_text(hasher, job);
	} else {
		waits = take_file(hasher, job, overlap);
	}
	if (!waits)
		finish(hasher, &job, 1);
}

/* --- Texts ----------------------------------------------------------------------- */

void hash_reason(const struct hash_result *result, char text[HASH_TEXT_SIZE])
{
	const char *reason = result->error != 0 ? strerror(result->error) : result->problem;

	if (result->size == 0 || result->error == 0)
		snprintf(text, HASH_TEXT_SIZE, "%s", reason);
	else
		snprintf(text, HASH_TEXT_SIZE, "at byte %" PRIu64 ": %s", result->size, reason);
}

void hash_attack_text(const struct hash_result *result, char text[HASH_TEXT_SIZE])
{
	const struct blocksha_attack *attack = &result->attack;

	snprintf(text, HASH_TEXT_SIZE,
		 "SHA-1 collision attack at byte %" PRIu64 ", disturbance vector %s, %" PRIu64
		 " block%s",
		 attack->offset, blocksha_vector_name(attack->vector), attack->blocks,
		 attack->blocks == 1 ? "" : "s");
}
