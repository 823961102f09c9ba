/* SPDX-License-Identifier: MIT */
#include "hashfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input.h"

struct hashing {
	const struct digest_pass *pass;
	union digest_state state;
};

static void update(void *context, const unsigned char *data, size_t size)
{
	struct hashing *hashing = context;

	hashing->pass->update(&hashing->state, data, size);
}

void hash_file(struct reader *reader, const char *name, const struct digest_pass *pass,
	       struct hash_result *result)
{
	struct hashing hashing = {.pass = pass};
	int fd = input_open(name);
	int error = errno;

	*result = (struct hash_result){.opened = fd >= 0};
	if (!result->opened) {
		result->error = error;
		return;
	}
	pass->init(&hashing.state);
	result->error = reader_run(reader, fd, update, &hashing, &result->size);
	if (close(fd) != 0 && result->error == 0 && errno != EINTR)
		result->error = errno;
	/* The only error that the library can have here: more than 2^61-1 bytes. */
	if (pass->final(&hashing.state, result->digests, &result->attack) < 0 && result->error == 0)
		result->error = EFBIG;
}

void hash_reason(const struct hash_result *result, char text[HASH_TEXT_SIZE])
{
	const char *error = strerror(result->error);

	if (result->size == 0)
		snprintf(text, HASH_TEXT_SIZE, "%s", error);
	else
		snprintf(text, HASH_TEXT_SIZE, "at byte %" PRIu64 ": %s", result->size, error);
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
