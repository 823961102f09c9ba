/* SPDX-License-Identifier: MIT */
/*
 * options.h - what options mean that are zero.
 */
#ifndef BLOCKSHA_GIT_OPTIONS_H
#define BLOCKSHA_GIT_OPTIONS_H

#include "blocksha_git.h"

/* Bytes for the data of objects. */
uint64_t blocksha_git_memory(const struct blocksha_git_options *options);

/* The number of threads, at least 1. */
unsigned blocksha_git_jobs(const struct blocksha_git_options *options);

#endif
