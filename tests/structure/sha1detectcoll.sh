#!/bin/sh
# SPDX-License-Identifier: MIT
# The drop-in libsha1detectcoll as it is installed: complete, movable, found by pkg-config;
# each of its two libraries is enough for a program. The option decides whether it is
# installed with the rest.
set -eu
. "$BLOCKSHA_SOURCE/tests/structure/need.sh"
need pkg-config
unset MAKEFLAGS MFLAGS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

fail() {
	echo "FAILED: $1"
	exit 1
}

DESTDIR="$tmp/all" cmake --install "$BLOCKSHA_BUILD" --prefix /usr >/dev/null
find all -name '*sha1detectcoll*' >found
if grep -q '^BLOCKSHA_INSTALL_SHA1DETECTCOLL:BOOL=ON$' "$BLOCKSHA_BUILD/CMakeCache.txt"; then
	[ -s found ] || fail "not installed in spite of the option"
else
	[ ! -s found ] || fail "installed without the option: $(cat found)"
fi

DESTDIR="$tmp/staged" cmake --install "$BLOCKSHA_BUILD" --prefix /usr \
	--component sha1detectcoll >/dev/null
mv staged/usr moved
if grep -rlE "$BLOCKSHA_BUILD|$tmp" moved; then
	fail "these files name the build folder"
fi
lib=$(dirname "$(find "$tmp/moved" -name libsha1detectcoll.a)")
find moved ! -type d | sed "s|^${lib#"$tmp/"}|LIB|" | LC_ALL=C sort >installed
cat >expected <<'END'
LIB/libsha1detectcoll.a
LIB/libsha1detectcoll.so
LIB/libsha1detectcoll.so.1
LIB/libsha1detectcoll.so.1.0.0
LIB/pkgconfig/libsha1detectcoll.pc
moved/include/sha1dc/sha1.h
END
diff expected installed

# The header comes first. A function of the program that has a name of ours disturbs nothing.
cat >user.c <<'END'
#include <sha1dc/sha1.h>
#include <stdio.h>
int blocksha_sha1dc_init(int code);
int blocksha_sha1dc_init(int code)
{
	return code;
}
int main(void)
{
	unsigned char digest[20];
	SHA1_CTX ctx;
	SHA1DCInit(&ctx);
	SHA1DCUpdate(&ctx, "abc", 3);
	if (SHA1DCFinal(digest, &ctx))
		return 1;
	for (int i = 0; i < 20; i++)
		printf("%02x", digest[i]);
	puts("");
	return blocksha_sha1dc_init(0);
}
END
# FIPS 180-2, appendix A.1
digest=a9993e364706816aba3e25717850c26c9cd0d89d
LD_LIBRARY_PATH=$lib
PKG_CONFIG_PATH=$lib/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH

# shellcheck disable=SC2046 # options
"$CC" -o shared user.c $(pkg-config --cflags --libs libsha1detectcoll)
[ "$(./shared)" = "$digest" ] || fail "with the shared library: $(./shared)"
LC_ALL=C ldd ./shared | grep "libsha1detectcoll.so.1 => $lib/"

if [ ! -e "$BLOCKSHA_BUILD/compat/sha1detectcoll/sha1detectcoll.o" ]; then
	echo "UNAVAILABLE: a static library without other names"
	exit 0
fi
"$CC" -o static -I moved/include user.c "$lib/libsha1detectcoll.a"
[ "$(./static)" = "$digest" ] || fail "with the static library: $(./static)"
