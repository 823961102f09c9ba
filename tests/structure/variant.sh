#!/bin/sh
# SPDX-License-Identifier: MIT
# variant.sh BUILD-DIR LABELS [TOOL...] -- CMAKE-OPTION... - see slow.cmake.
set -eu
. "$BLOCKSHA_SOURCE/tests/structure/need.sh"

dir=$1
labels=$2
shift 2
while [ "$1" != -- ]; do
	need "$1"
	shift
done
shift

cd "$BLOCKSHA_SOURCE" # where cmake looks for presets
unset CC
cmake -B "$dir" "$@"
cmake --build "$dir"
BLOCKSHA_TEST_QUICK=1 ctest --test-dir "$dir" -L "$labels" -LE slow --output-on-failure --no-tests=error
