#!/bin/sh
# SPDX-License-Identifier: MIT
# The header of the drop-in libsha1detectcoll has the binary interface of the reference, on
# every ABI that a compiler here can compile for; and it compiles in C++ as in C.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
source=$BLOCKSHA_SOURCE
include=$source/compat/sha1detectcoll
warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-qual -Wcast-align -Werror'
checked=0

# abi NAME COMMAND...: no libc is needed. A compiler that cannot compile for the ABI at all is
# like one that is not there.
abi() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null ||
		! echo 'int x;' | "$@" -x c -ffreestanding -c -o "$tmp/x.o" - 2>/dev/null; then
		echo "UNAVAILABLE: $name"
		return
	fi
	echo "$name"
	# shellcheck disable=SC2086 # options
	"$@" -std=c11 $warnings -Wmissing-prototypes -Wstrict-prototypes -ffreestanding -c \
		-I"$include" -o "$tmp/x.o" "$source/tests/abi_sha1detectcoll.c"
	checked=$((checked + 1))
}

abi "the build's compiler" "${CC:-cc}"
abi "gcc -m32" gcc -m32
abi "gcc -mx32" gcc -mx32
abi "clang" clang
abi "clang -m32" clang -m32
for triplet in aarch64-linux-gnu arm-linux-gnueabihf i686-linux-gnu mips-linux-gnu \
	powerpc64-linux-gnu riscv64-linux-gnu s390x-linux-gnu sparc64-linux-gnu m68k-linux-gnu; do
	abi "$triplet" "$triplet-gcc"
done
for target in x86_64-w64-mingw32 i686-pc-linux-gnu armv7-linux-gnueabihf powerpc-linux-gnu; do
	abi "clang for $target" clang --target="$target"
done
[ "$checked" -gt 0 ]

printf '#include "sha1dc/sha1.h"\n#include "sha1dc/sha1.h"\n' >"$tmp/alone.c"
echo "the header alone, twice, in C"
# shellcheck disable=SC2086
"${CC:-cc}" -std=c99 $warnings -Wstrict-prototypes -fsyntax-only -I"$include" "$tmp/alone.c"
if command -v "${CXX:-c++}" >/dev/null; then
	echo "the header alone, twice, in C++"
	# shellcheck disable=SC2086
	"${CXX:-c++}" -x c++ -std=c++11 $warnings -fsyntax-only -I"$include" "$tmp/alone.c"
else
	echo "UNAVAILABLE: no C++ compiler"
	[ -z "${BLOCKSHA_REQUIRE-}" ] || exit 1
fi
