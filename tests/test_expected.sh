#!/bin/sh
# SPDX-License-Identifier: MIT
# The expected values in the tree are what their script makes.
set -eu

source=${BLOCKSHA_SOURCE:-$(dirname "$0")/..}
if ! command -v python3 >/dev/null; then
	echo "UNAVAILABLE: python3"
	exit 77
fi
exec python3 "$source/tests/make_expected.py" --check
