/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* st_mtim */

#include "links.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* A file that has been met. Its names left tell how many more may come. */
struct link {
	struct link *next; /* in its bucket */
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec time;
	uint64_t names_left; /* not met yet */
	uint64_t holders;    /* jobs with this link */
	const struct job *owner;
	struct hash_result result;
	atomic_bool done;
};

struct links {
	pthread_mutex_t lock;
	size_t count, capacity; /* capacity: of buckets, a power of two */
	struct link **buckets;
};

enum { FIRST_CAPACITY = 64 };

struct links *links_create(void)
{
	struct links *links = calloc(1, sizeof(*links));

	if (links == NULL)
		return NULL;
	links->capacity = FIRST_CAPACITY;
	links->buckets = calloc(links->capacity, sizeof(struct link *));
	if (links->buckets == NULL) {
		free(links);
		return NULL;
	}
	pthread_mutex_init(&links->lock, NULL);
	return links;
}

void links_destroy(struct links *links)
{
	if (links == NULL)
		return;
	for (size_t i = 0; i < links->capacity; i++)
		for (struct link *link = links->buckets[i], *next; link != NULL; link = next) {
			next = link->next;
			free(link);
		}
	free(links->buckets);
	pthread_mutex_destroy(&links->lock);
	free(links);
}

/* Multiplied by the odd number next to 2^64 divided by the golden ratio; the high bits are the
   mixed ones. */
static size_t bucket_of(const struct links *links, dev_t dev, ino_t ino)
{
	uint64_t key = ((uint64_t)ino ^ (uint64_t)dev << 48) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(key >> 32) & (links->capacity - 1);
}

static void insert(struct links *links, struct link *link)
{
	struct link **bucket = &links->buckets[bucket_of(links, link->dev, link->ino)];

	link->next = *bucket;
	*bucket = link;
}

/* Twice as many buckets. Without memory for them the chains become longer, no more. */
static void grow(struct links *links)
{
	struct link **old = links->buckets;
	size_t old_capacity = links->capacity;
	struct link **buckets = calloc(2 * old_capacity, sizeof(struct link *));

	if (buckets == NULL)
		return;
	links->buckets = buckets;
	links->capacity = 2 * old_capacity;
	for (size_t i = 0; i < old_capacity; i++)
		for (struct link *link = old[i], *next; link != NULL; link = next) {
			next = link->next;
			insert(links, link);
		}
	free(old);
}

static struct link *find(const struct links *links, const struct stat *status)
{
	struct link *link = links->buckets[bucket_of(links, status->st_dev, status->st_ino)];

	while (link != NULL && (link->dev != status->st_dev || link->ino != status->st_ino))
		link = link->next;
	return link;
}

static void take_out(struct links *links, const struct link *link)
{
	struct link **place = &links->buckets[bucket_of(links, link->dev, link->ino)];

	while (*place != link)
		place = &(*place)->next;
	*place = link->next;
	links->count--;
}

static bool is_unchanged(const struct link *link, const struct stat *status)
{
	return link->size == status->st_size && link->time.tv_sec == status->st_mtim.tv_sec &&
	       link->time.tv_nsec == status->st_mtim.tv_nsec;
}

static void add(struct links *links, struct job *job, const struct stat *status)
{
	struct link *link = calloc(1, sizeof(*link));

	if (link == NULL)
		return; /* each name is read then */
	link->dev = status->st_dev;
	link->ino = status->st_ino;
	link->size = status->st_size;
	link->time = status->st_mtim;
	link->names_left = status->st_nlink - 1;
	link->holders = 1;
	link->owner = job;
	job->link = link;
	if (links->count++ == links->capacity)
		grow(links);
	insert(links, link);
}

bool links_meet(struct links *links, struct job *job, const struct stat *status)
{
	bool own = true;
	struct link *link;

	pthread_mutex_lock(&links->lock);
	link = find(links, status);
	if (link == NULL) {
		add(links, job, status);
	} else if (link->names_left > 0 && is_unchanged(link, status)) {
		link->names_left--;
		link->holders++;
		job->link = link;
		own = false;
	}
	pthread_mutex_unlock(&links->lock);
	return own;
}

void links_finish(struct links *links, const struct job *job)
{
	struct link *link = job->link;

	pthread_mutex_lock(&links->lock);
	if (link->owner == job) {
		link->result = job->result;
		atomic_store_explicit(&link->done, true, memory_order_release);
	}
	pthread_mutex_unlock(&links->lock);
}

bool link_is_done(const struct link *link)
{
	return atomic_load_explicit(&link->done, memory_order_acquire);
}

void links_take(struct links *links, struct job *job)
{
	struct link *link = job->link;

	pthread_mutex_lock(&links->lock);
	if (link->owner != job)
		job->result = link->result;
	else
		link->owner = NULL;
	job->link = NULL;
	if (--link->holders == 0 && link->names_left == 0) {
		take_out(links, link);
		free(link);
	}
	pthread_mutex_unlock(&links->lock);
}
