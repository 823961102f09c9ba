#!/bin/sh
# SPDX-License-Identifier: MIT
# Verdict, digest and safe hash of real files, and of colliding ones, are those of sha1cdsum
# (Debian's package of the same name), another implementation; with every kernel.
set -eu
. "$BLOCKSHA_SOURCE/tests/structure/need.sh"
need sha1cdsum sha1sum
if nm "$BLOCKSHA_BUILD/libblocksha.a" 2>/dev/null | grep -qE ' U __(asan|tsan|msan|ubsan)_'; then
	echo "UNAVAILABLE: libblocksha.a is built with a sanitizer"
	exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
LC_ALL=C
export LC_ALL

"${CC:-cc}" -std=c11 -O2 -I"$BLOCKSHA_SOURCE/include" -I"$BLOCKSHA_SOURCE/lib" -D_GNU_SOURCE \
	-o "$tmp/ours" "$BLOCKSHA_SOURCE/tests/sha1dc_cdsum.c" "$BLOCKSHA_BUILD/libblocksha.a"

# The constants of the tests, the whole files where they are, what is almost one of them, and
# several hundred files of this machine, none of them large.
mkdir "$tmp/collisions"
"$tmp/ours" write "$tmp/collisions"
for file in "$tmp/collisions"/*; do
	head -c -1 "$file" >"$file.shorter"
	{ printf x && cat "$file"; } >"$file.shifted"
	{ cat "$file" && seq 100000; } >"$file.longer"
done
{
	find "$tmp/collisions" "${BLOCKSHA_SHARED:-/nonexistent}/data/sha1-collisions" \
		-type f 2>/dev/null | sort
	find /usr/bin /usr/share -type f -size -500 -readable 2>/dev/null | grep -v '[\\]' |
		sort | awk 'NR % 7 == 0' | head -n 600
} >"$tmp/files"
tr '\n' '\0' <"$tmp/files" >"$tmp/names"
xargs -0 sha1cdsum <"$tmp/names" >"$tmp/safe"
# Plain digests with the verdict of sha1cdsum.
xargs -0 sha1sum <"$tmp/names" | cut -c1-40 >"$tmp/digests"
cut -c41- "$tmp/safe" | paste -d '' "$tmp/digests" - >"$tmp/plain"

[ "$(grep -c ' \*coll\* ' "$tmp/safe")" -ge 8 ]
if cmp -s "$tmp/safe" "$tmp/plain"; then
	echo "FAILED: safe hashes are plain ones"
	exit 1
fi

"$tmp/ours" kernels >"$tmp/kernels"
while read -r kernel lanes; do
	"$tmp/ours" many "$kernel" <"$tmp/names" | diff "$tmp/plain" -
	[ "$lanes" -gt 1 ] || "$tmp/ours" safe "$kernel" <"$tmp/names" | diff "$tmp/safe" -
	echo "$kernel: the same as sha1cdsum"
done <"$tmp/kernels"
echo "$(grep -c . "$tmp/files") files, $(grep -c ' \*coll\* ' "$tmp/safe") of them with an attack"
