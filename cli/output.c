/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "output.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "statusline.h"

#define BUFFER_SIZE ((size_t)64 * 1024)

static pthread_t printer; /* the thread that prints */
static bool is_terminal;  /* where the line of the progress may be, too */
static int first_error;   /* errno of the first write that failed */

void output_setup(void)
{
	static char buffer[BUFFER_SIZE];

	/* Lines leave by output_flush, not where a buffer happens to be full. */
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	printer = pthread_self();
	is_terminal = isatty(STDOUT_FILENO) != 0;
}

void output_flush(void)
{
	if (!pthread_equal(pthread_self(), printer))
		return; /* the printer may be in the middle of a line */
	if (is_terminal)
		statusline_hide();
	if (fflush(stdout) != 0 && first_error == 0)
		first_error = errno;
	if (is_terminal)
		statusline_show();
}

void output_line_ends(void)
{
	if (__fpending(stdout) > BUFFER_SIZE / 2)
		output_flush();
}

bool output_failed(void)
{
	return ferror(stdout) != 0;
}

bool output_close(bool as_coreutils)
{
	int close_error;
	bool failed;

	output_flush();
	failed = output_failed();
	close_error = fclose(stdout) != 0 ? errno : 0;
	/* A stdout that was closed from the start is no fault when nothing was to be written. */
	if (!failed && (close_error == 0 || close_error == EBADF))
		return true;

	if (as_coreutils || first_error == 0)
		first_error = close_error;
	if (first_error != 0)
		message("write error: %s", strerror(first_error));
	else
		message("write error");
	return false;
}
