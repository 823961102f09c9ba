#!/bin/sh
# SPDX-License-Identifier: MIT
# Every public header compiles alone, as C11 and as C++11, twice in a file; the example in
# its first comment compiles, links and runs.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-qual -Wcast-align -Werror'

for header in "$BLOCKSHA_SOURCE"/include/*.h; do
	name=$(basename "$header" .h)
	printf '#include "%s.h"\n' "$name" "$name" >"$tmp/$name.c"
	echo 'int main(void) { return 0; }' >>"$tmp/$name.c"
	echo "$name.h in C"
	# shellcheck disable=SC2086 # a list of options
	"$CC" -std=c11 $warnings -Wstrict-prototypes -I"$BLOCKSHA_SOURCE/include" \
		-fsyntax-only "$tmp/$name.c"

	if command -v "${CXX:=c++}" >/dev/null; then
		echo "$name.h in C++"
		# shellcheck disable=SC2086
		"$CXX" -x c++ -std=c++11 $warnings -Wold-style-cast -I"$BLOCKSHA_SOURCE/include" \
			-fsyntax-only "$tmp/$name.c"
	else
		echo "UNAVAILABLE: no C++ compiler"
		[ -z "${BLOCKSHA_REQUIRE-}" ] || exit 1
	fi

	# The example is what is indented in the first comment, after " *".
	sed -n '/^\/\*$/,/\*\//s/^ \*     //p' "$header" >"$tmp/example"
	[ -s "$tmp/example" ] || continue
	echo "the example of $name.h"
	{
		printf '#include <stdio.h>\n#include <stdlib.h>\n#include "%s.h"\nint main(void)\n{\n' "$name"
		cat "$tmp/example"
		printf 'return 0;\n}\n'
	} >"$tmp/example.c"
	"$CC" -std=c11 -Wall -Wextra -Wno-unused-variable -Werror -I"$BLOCKSHA_SOURCE/include" \
		-o "$tmp/example.out" "$tmp/example.c" "$BLOCKSHA_BUILD/libblocksha-git.a" \
		"$BLOCKSHA_BUILD/libblocksha.a" -ldeflate -lz -pthread
	"$tmp/example.out" >"$tmp/output"
done
