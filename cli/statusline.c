/* SPDX-License-Identifier: MIT */
/*
 * The line is moved over with a carriage return and erased with spaces, which every terminal
 * understands. It is written past stdio: when that fails it is no message that got lost.
 */
#define _POSIX_C_SOURCE 200809L
#include "statusline.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char line[STATUSLINE_SIZE]; /* what is to be seen while nobody hides it */
static size_t columns;             /* so many are filled on the terminal */

/* Replaces what is on the terminal. */
static void draw(const char *text)
{
	char bytes[2 * STATUSLINE_SIZE + 2];
	size_t length = strlen(text);
	size_t size = 0;

	if (length == 0 && columns == 0)
		return;
	bytes[size++] = '\r';
	memcpy(bytes + size, text, length);
	size += length;
	if (length < columns) {
		memset(bytes + size, ' ', columns - length);
		size += columns - length;
		/* The cursor stands behind the text. */
		bytes[size++] = '\r';
		memcpy(bytes + size, text, length);
		size += length;
	}
	columns = length;
	/* What a terminal does not take, nobody sees; the next line covers the rest. */
	if (write(STDERR_FILENO, bytes, size) < 0)
		return;
}

void statusline_set(const char *text)
{
	size_t length = text != NULL ? strlen(text) : 0;

	if (length > STATUSLINE_SIZE - 1)
		length = STATUSLINE_SIZE - 1;
	pthread_mutex_lock(&lock);
	if (length > 0)
		memcpy(line, text, length);
	line[length] = '\0';
	draw(line);
	pthread_mutex_unlock(&lock);
}

void statusline_hide(void)
{
	pthread_mutex_lock(&lock);
	draw("");
}

void statusline_show(void)
{
	draw(line);
	pthread_mutex_unlock(&lock);
}
