#!/bin/sh
# SPDX-License-Identifier: MIT
# plain_line.sh COMPILER... - the library can be built by one plain compiler line, without any
# build system.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/program.c" <<'END'
#include <stdio.h>
#include "blocksha.h"
int main(void)
{
	unsigned char digest[BLOCKSHA_SHA256_DIGEST_SIZE];
	char hex[2 * sizeof(digest) + 1];
	blocksha_sha256("abc", 3, digest);
	blocksha_hex_encode(hex, digest, sizeof(digest));
	return puts(hex) < 0;
}
END
# FIPS 180-2, appendix B.1
expected=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad

for cc; do
	if ! command -v "$cc" >/dev/null; then
		echo "UNAVAILABLE: $cc is not installed"
		[ -z "${BLOCKSHA_REQUIRE-}" ] || exit 1
		continue
	fi
	echo "$cc"
	mkdir "$tmp/$cc"
	cd "$tmp/$cc"
	ln -s "$BLOCKSHA_SOURCE/include" "$BLOCKSHA_SOURCE/lib" .
	"$cc" -O2 -Iinclude -c lib/*.c lib/*/*.c
	"$cc" -Iinclude -o program ../program.c ./*.o
	[ "$(./program)" = "$expected" ]
done
