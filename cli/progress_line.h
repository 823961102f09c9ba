/* SPDX-License-Identifier: MIT */
/*
 * progress_line.h - how far the work is, as a text; pure functions.
 *
 *	4567/123456 files, 0.5/8.9 GiB, 430.1 MiB/s, 0:00:19 left  .../the/current/file
 */
#ifndef BLOCKSHA_CLI_PROGRESS_LINE_H
#define BLOCKSHA_CLI_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress_count {
	uint64_t files;
	uint64_t bytes;
};

struct progress_state {
	struct progress_count done;
	struct progress_count total;
	bool counting;    /* total still grows */
	double rate;      /* bytes per second; 0: unknown */
	const char *name; /* the current file; NULL: none */
};

/*
 * Writes the text into line, which has size bytes, at least 1: printable ASCII of less than width
 * columns (none when width is 0 or 1). What has no room is left out from the end on, the beginning
 * of the name before all else. While files are being counted the totals carry a + and no time is
 * told; a total that is smaller than what is done is no total and left out.
 */
void progress_line(char *line, size_t size, size_t width, const struct progress_state *state);

/* The size of the longest text of progress_bytes, with its end: "1023.9 MiB". */
#define PROGRESS_BYTES_SIZE 16

/* "512 B", "1.5 GiB" */
void progress_bytes(char text[PROGRESS_BYTES_SIZE], uint64_t bytes);

/* Bytes per second, smoothed over the last seconds. All zero before the first sample. */
struct progress_rate {
	double time; /* of the last sample */
	uint64_t bytes;
	double value;
};

/* Adds a sample: so many bytes were done at this time, in seconds since the beginning. */
void progress_rate_add(struct progress_rate *rate, double time, uint64_t bytes);

#endif
