#!/bin/sh
# SPDX-License-Identifier: MIT
# What is installed is complete, can be moved, and is found by pkg-config and by CMake.
set -eu
. "$BLOCKSHA_SOURCE/tests/structure/need.sh"
need pkg-config
unset MAKEFLAGS MFLAGS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

DESTDIR="$tmp/staged" cmake --install "$BLOCKSHA_BUILD" --prefix /usr >/dev/null
# The prefix is not written into anything.
mv staged/usr moved
[ ! -e staged/usr ] && [ -z "$(find staged -type f)" ]
if grep -rlE "$BLOCKSHA_BUILD|$tmp" moved; then
	echo "FAILED: these files name the build folder"
	exit 1
fi

lib=$(dirname "$(find "$tmp/moved" -name libblocksha.a)")
for file in "$lib/libblocksha.so" "$lib/libblocksha.so.0" moved/bin/blocksha \
	moved/include/blocksha.h moved/include/blocksha_byteorder.h \
	"$lib/libblocksha-git.so" "$lib/libblocksha-git.so.0" "$lib/libblocksha-git.a" \
	moved/include/blocksha_git.h moved/share/man/man1/blocksha-git.1 \
	moved/share/man/man1/blocksha.1 moved/share/man/man3/blocksha.3 \
	moved/share/bash-completion/completions/blocksha moved/share/zsh/site-functions/_blocksha \
	moved/share/fish/vendor_completions.d/blocksha.fish; do
	[ -s "$file" ] || { echo "FAILED: $file is not installed" && exit 1; }
done
moved/bin/blocksha --version

cat >user.c <<'END'
#include <blocksha.h>
#include <stdio.h>
int main(void)
{
	unsigned char digest[BLOCKSHA_SHA1_DIGEST_SIZE];
	char hex[2 * sizeof(digest) + 1];
	blocksha_sha1("abc", 3, digest);
	blocksha_hex_encode(hex, digest, sizeof(digest));
	puts(hex);
	return blocksha_version() != BLOCKSHA_VERSION;
}
END
# FIPS 180-2, appendix A.1
expected=a9993e364706816aba3e25717850c26c9cd0d89d
cat >git_user.c <<'END'
#include <blocksha_git.h>
#include <stdio.h>
int main(void)
{
	struct blocksha_git_options options = {0};
	struct blocksha_git_naming naming;
	struct blocksha_attack attack;
	unsigned char name[BLOCKSHA_GIT_MAX_NAME_SIZE];
	char header[BLOCKSHA_GIT_HEADER_SIZE], hex[2 * sizeof(name) + 1];
	blocksha_git_naming_init(&naming, BLOCKSHA_GIT_SHA1, header,
				 blocksha_git_header(header, BLOCKSHA_GIT_BLOB, 0));
	blocksha_git_naming_final(&naming, name, &attack);
	blocksha_hex_encode(hex, name, 20);
	puts(hex);
	return blocksha_git_verify("absent", &options) != BLOCKSHA_GIT_BAD;
}
END
LD_LIBRARY_PATH=$lib
export LD_LIBRARY_PATH

# runs NAME yes|no: the program gives the digest; it needs libblocksha.so or not.
runs() {
	echo "$1"
	[ "$("./$1")" = "$expected" ]
	shared=no
	! LC_ALL=C ldd "./$1" | grep -q libblocksha.so.0 || shared=yes
	[ "$shared" = "$2" ]
}

export PKG_CONFIG_PATH="$lib/pkgconfig"
# shellcheck disable=SC2046 # options
{
	"$CC" -o pkg-config-shared user.c $(pkg-config --cflags --libs blocksha)
	"$CC" -o pkg-config-static user.c -static $(pkg-config --cflags --libs --static blocksha)
}
runs pkg-config-shared yes
runs pkg-config-static no

# "git hash-object /dev/null"
plain=$expected expected=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
# shellcheck disable=SC2046 # options
{
	"$CC" -o git-shared git_user.c $(pkg-config --cflags --libs blocksha-git)
	"$CC" -o git-static git_user.c -static $(pkg-config --cflags --libs --static blocksha-git)
}
runs git-shared yes
runs git-static no
expected=$plain

cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.13)
project(user C)
find_package(blocksha 0.1 REQUIRED COMPONENTS git)
foreach(name git git_shared git_static)
	add_executable(cmake-${name} git_user.c)
	target_link_libraries(cmake-${name} PRIVATE blocksha::${name})
endforeach()
foreach(name blocksha shared static)
	add_executable(cmake-${name} user.c)
	target_link_libraries(cmake-${name} PRIVATE blocksha::${name})
endforeach()
find_package(blocksha 99 QUIET)
if(blocksha_FOUND)
	message(FATAL_ERROR "this is not version 99")
endif()
END
cmake -B . -DCMAKE_PREFIX_PATH="$tmp/moved"
cmake --build .
runs cmake-blocksha yes
runs cmake-shared yes
runs cmake-static no
expected=e69de29bb2d1d6434b8b29ae775ad8c2e48c5391
runs cmake-git yes
runs cmake-git_shared yes
runs cmake-git_static no
