/* SPDX-License-Identifier: MIT */
#include "hashfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input.h"

struct hashing {
	const struct digest_set *set;
	union digest_state states[DIGEST_COUNT];
};

static void update_all(void *context, const unsigned char *data, size_t size)
{
	struct hashing *hashing = context;

	for (size_t i = 0; i < hashing->set->count; i++)
		hashing->set->algorithms[i]->update(&hashing->states[i], data, size);
}

void hash_file(struct reader *reader, const char *name, const struct digest_set *set,
	       struct hash_result *result)
{
	struct hashing hashing = {.set = set};
	int fd = input_open(name);

	result->size = 0;
	result->opened = fd >= 0;
	if (!result->opened) {
		result->error = errno;
		return;
	}
	for (size_t i = 0; i < set->count; i++)
		set->algorithms[i]->init(&hashing.states[i]);
	result->error = reader_run(reader, fd, update_all, &hashing, &result->size);
	if (close(fd) != 0 && result->error == 0 && errno != EINTR)
		result->error = errno;
	for (size_t i = 0; i < set->count; i++) {
		int status = set->algorithms[i]->final(&hashing.states[i], &result->digests[i]);

		/* The library has one thing to say here: more than 2^61-1 bytes. */
		if (status != BLOCKSHA_OK && result->error == 0)
			result->error = EFBIG;
	}
}

void hash_reason(const struct hash_result *result, char text[HASH_REASON_SIZE])
{
	const char *error = strerror(result->error);

	if (result->size == 0)
		snprintf(text, HASH_REASON_SIZE, "%s", error);
	else
		snprintf(text, HASH_REASON_SIZE, "at byte %" PRIu64 ": %s", result->size, error);
}
