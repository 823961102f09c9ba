# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Read by scripts that need tools which are not everywhere.

# need COMMAND...: where one is missing, ends the test as skipped (77); or as failed, if
# BLOCKSHA_REQUIRE says that all tools should be there.
need() {
	for tool; do
		if ! command -v "$tool" >/dev/null; then
			echo "UNAVAILABLE: $tool is not installed"
			[ -z "${BLOCKSHA_REQUIRE-}" ] && exit 77
			exit 1
		fi
	done
}
