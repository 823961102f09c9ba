/* SPDX-License-Identifier: MIT */
/*
 * commit_graph.h - parents, dates and generations of commits (gitformat-commit-graph): one file, or
 * a chain of files each of which goes on where the one before ends.
 */
#ifndef BLOCKSHA_GIT_COMMIT_GRAPH_H
#define BLOCKSHA_GIT_COMMIT_GRAPH_H

#include "chunks.h"

/* As rows of the table of kinds. The chain is the text file with the names of the others. */
void blocksha_git_commit_graph_verify(struct git_file *file, struct git_report *report);
void blocksha_git_commit_graph_chain_verify(struct git_file *file, struct git_report *report);

#endif
