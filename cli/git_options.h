/* SPDX-License-Identifier: MIT */
/*
 * git_options.h - the values of options that several commands of "blocksha git" have.
 */
#ifndef BLOCKSHA_CLI_GIT_OPTIONS_H
#define BLOCKSHA_CLI_GIT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "blocksha_git.h"

/* Bytes: digits, and K, M, G or T for powers of 1024. False after a message. */
bool git_parse_bytes(const char *text, uint64_t *bytes);

/* sha1 or sha256. False after a message. */
bool git_parse_format(const char *text, enum blocksha_git_format *format);

/* A number of threads, 1 to 1024. False after a message. */
bool git_parse_jobs(const char *text, unsigned *jobs);

/* A number of findings, 1 to 1000000. False after a message. */
bool git_parse_findings(const char *text, unsigned *findings);

#endif
