/* SPDX-License-Identifier: MIT */
/*
 * message.h - what the program says on standard error.
 *
 * A message is one line that begins with the program's name. Names of files in it
 * are quoted (quote.h). Threads may write messages at the same time.
 */
#ifndef BLOCKSHA_CLI_MESSAGE_H
#define BLOCKSHA_CLI_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

/* The name before every message, which must live as long as the program. Before the first one. */
void message_setup(const char *program);

/* The command whose --help is recommended, when that is not the program alone. */
void message_set_command(const char *command);

/* "PROGRAM: TEXT" */
__attribute__((format(printf, 1, 2))) void message(const char *format, ...);

/* "PROGRAM: NAME: TEXT" */
__attribute__((format(printf, 2, 3))) void message_about(const char *name, const char *format, ...);

/* "PROGRAM: LIST: LINE: TEXT", or with a name of a file before the text when it is not NULL */
__attribute__((format(printf, 4, 5))) void
message_at_line(const char *list, uint64_t line, const char *name, const char *format, ...);

/* "Try 'COMMAND --help' for more information." */
void message_try_help(void);

/* Whether all messages so far could be written. */
bool message_all_written(void);

#endif
