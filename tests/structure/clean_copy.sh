#!/bin/sh
# SPDX-License-Identifier: MIT
# In a copy of the sources, in a folder with a space in its name: README's first command
# from another folder, and the targets of the Makefile.
set -eu
unset MAKEFLAGS MFLAGS CC
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/a copy" "$tmp/data"
cd "$BLOCKSHA_SOURCE"
tar -c --exclude='./build*' --exclude=./.git . | tar -x -C "$tmp/a copy"

cd "$tmp/data"
mkdir tree
echo one >"tree/odd  name"
echo two >plain
run="$tmp/a copy/scripts/run"

"$run" plain tree >digests
sha256sum plain "tree/odd  name" | cmp - digests
"$run" --algorithm=sha1 plain >digests
sha1sum plain | cmp - digests
echo one | "$run" - >digests
echo one | sha256sum | cmp - digests
status=0
"$run" missing plain >digests 2>messages || status=$?
[ "$status" -eq 1 ]
grep -q missing messages
sha256sum plain | cmp - digests
"$run" >digests
cd "$tmp/a copy"
sha256sum --quiet -c "$tmp/data/digests"
grep -q ' lib/sha1.c$' "$tmp/data/digests"

make install PREFIX=/opt/x DESTDIR="$tmp/root" >/dev/null
"$tmp/root/opt/x/bin/blocksha" --version
[ -f build/libblocksha.a ] && [ -f build/libblocksha.so ]
make clean
[ ! -e build ]
