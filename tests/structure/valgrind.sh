#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind.sh COMMAND... - runs a C test under memcheck. Errors and leaks fail it.
set -eu
. "$BLOCKSHA_SOURCE/tests/structure/need.sh"

need valgrind
BLOCKSHA_TEST_QUICK=1 valgrind --quiet --error-exitcode=99 --leak-check=full "$@"
