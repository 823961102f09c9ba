/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L

#include "tee.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hashfile.h"
#include "message.h"
#include "replace.h"
#include "status.h"
#include "transfer.h"

/* As much as reader.c reads at a time, for the same reason. */
#define PIECE_SIZE ((size_t)128 * 1024)

struct tee {
	unsigned char *piece;
	const struct digest_pass *pass;
	union digest_state state;
	int read_error, write_error;
};

/* Ends at the end of the input, or at the first error. */
static void copy(struct tee *tee)
{
	size_t got;

	while ((tee->read_error = transfer_read(STDIN_FILENO, tee->piece, PIECE_SIZE, &got)) == 0 &&
	       got > 0) {
		tee->write_error = transfer_write(STDOUT_FILENO, tee->piece, got);
		if (tee->write_error != 0)
			return;
		tee->pass->update(&tee->state, tee->piece, got);
	}
	tee->write_error = transfer_end(STDOUT_FILENO);
}

static void print_lines(const struct tee_options *options, FILE *out,
			const struct hash_result *result)
{
	const struct digest_set *set = options->algorithms;

	for (size_t i = 0; i < set->count; i++)
		line_digest(out, options->format, "-", set->algorithms[i],
			    &result->digests[set->algorithms[i]->id]);
}

static int save_lines(const struct tee_options *options, const struct hash_result *result)
{
	struct replace replace;
	const char *error = replace_begin(&replace, options->output, true);

	if (error == NULL) {
		print_lines(options, replace.out, result);
		error = replace_commit(&replace);
	}
	if (error == NULL)
		return STATUS_OK;
	message_about(options->output, "%s", error);
	return STATUS_FAILED;
}

static int give_lines(const struct tee_options *options, const struct hash_result *result)
{
	if (options->output != NULL)
		return save_lines(options, result);
	print_lines(options, stderr, result); /* main looks whether it could be written */
	return STATUS_OK;
}

static int finish(const struct tee_options *options, struct tee *tee)
{
	struct hash_result result = {.opened = true};
	char text[HASH_TEXT_SIZE];
	int status = STATUS_OK;

	if (tee->pass->final(&tee->state, result.digests, &result.attack) < 0 &&
	    tee->read_error == 0)
		tee->read_error = EFBIG; /* more than 2^61-1 bytes */
	if (tee->read_error != 0) {
		message("-: %s", strerror(tee->read_error));
		status = STATUS_FAILED;
	}
	if (tee->write_error != 0) {
		message("write error: %s", strerror(tee->write_error));
		status = STATUS_FAILED;
	}
	if (status == STATUS_OK)
		status = give_lines(options, &result);
	if (result.attack.blocks == 0)
		return status;
	hash_attack_text(&result, text);
	message("-: %s", text);
	return status_worst(status, STATUS_ATTACK);
}

int tee_run(const struct tee_options *options)
{
	struct tee tee = {.pass = options->pass};
	int status;

	tee.piece = malloc(PIECE_SIZE);
	if (tee.piece == NULL) {
		message("memory exhausted");
		return STATUS_FAILED;
	}
	tee.pass->init(&tee.state);
	copy(&tee);
	status = finish(options, &tee);
	free(tee.piece);
	return status;
}
