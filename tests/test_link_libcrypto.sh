#!/bin/sh
# SPDX-License-Identifier: MIT
# Links libblocksha.a with OpenSSL's libcrypto.a, all of ours and in both orders, and
# runs link_libcrypto.c: a name that both define would be an error of the linker, or the
# wrong function.
set -eu

source=${BLOCKSHA_SOURCE:-$(dirname "$0")/..}
build=${BLOCKSHA_BUILD:-$source/build}
cc=${CC:-cc}
ours=$build/libblocksha.a
theirs=$($cc -print-file-name=libcrypto.a)

if [ ! -f "$theirs" ] || ! echo '#include <openssl/sha.h>' | $cc -E - >/dev/null 2>&1; then
	echo "UNAVAILABLE: libcrypto.a and its headers (Debian: libssl-dev)"
	exit 77
fi
if nm "$ours" 2>/dev/null | grep -qE ' U __(asan|tsan|msan|ubsan)_'; then
	echo "UNAVAILABLE: $ours is built with a sanitizer"
	exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

$cc -std=c11 -O1 -I"$source/include" -c "$source/tests/link_libcrypto.c" -o "$work/test.o"
cp "$ours" "$work/libours.a" # whose folder has no space in its name
all_of_ours="-Wl,--whole-archive $work/libours.a -Wl,--no-whole-archive"
for libraries in "$all_of_ours $theirs" "$theirs $all_of_ours"; do
	# shellcheck disable=SC2086 # several words
	$cc "$work/test.o" $libraries -ldl -pthread -o "$work/test"
	"$work/test"
done
