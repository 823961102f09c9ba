/* SPDX-License-Identifier: MIT */
/*
 * version.h - what --version prints.
 */
#ifndef BLOCKSHA_CLI_VERSION_H
#define BLOCKSHA_CLI_VERSION_H

void version_print(void);

#endif
