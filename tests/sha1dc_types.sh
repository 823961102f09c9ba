#!/bin/sh
# SPDX-License-Identifier: MIT
# Plain SHA-1 and SHA-1 with detection are different types: a program that begins a message with
# one and goes on with the other does not compile.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
types='sha1 sha256 sha1_sha256 sha1dc sha1dc_sha256'

# program CONTEXT FUNCTIONS: a message in a context of one type by the functions of another.
program() {
	case $2 in
	*dc*) attack=', &attack' ;;
	*) attack= ;;
	esac
	case $2 in
	*_sha256) digests='digest, digest + 20' ;;
	*) digests='digest' ;;
	esac
	cat <<END
#include "blocksha.h"
int main(void)
{
	unsigned char digest[64];
	struct blocksha_attack attack;
	blocksha_$1_ctx ctx;
	blocksha_$1_init(&ctx);
	blocksha_$2_update(&ctx, "abc", 3);
	(void)attack;
	return blocksha_$2_final(&ctx, $digests$attack);
}
END
}

# With the warnings that compilers give without being asked as errors: before C99 turned them
# into errors, wrong pointers were warnings.
compile() {
	"$1" -std=c11 -Werror -I"$BLOCKSHA_SOURCE/include" -fsyntax-only "$tmp/program.c" \
		>"$tmp/log" 2>&1
}

tested=0
for cc in gcc clang "${CC:-cc}"; do
	if ! command -v "$cc" >/dev/null; then
		echo "UNAVAILABLE: $cc is not installed"
		[ -z "${BLOCKSHA_REQUIRE-}" ] || exit 1
		continue
	fi
	for context in $types; do
		for functions in $types; do
			program "$context" "$functions" >"$tmp/program.c"
			if [ "$context" = "$functions" ]; then
				compile "$cc" || { cat "$tmp/log" && exit 1; }
			elif compile "$cc"; then
				echo "FAILED: $cc lets blocksha_${context}_ctx pass as blocksha_${functions}_ctx"
				exit 1
			elif ! grep -q 'incompatible.*pointer' "$tmp/log"; then
				echo "FAILED: $cc refuses it for another reason:"
				cat "$tmp/log"
				exit 1
			fi
			tested=$((tested + 1))
		done
	done
	echo "$cc: no context passes for another"
done
[ "$tested" -gt 0 ] || exit 77
