#!/bin/bash
# SPDX-License-Identifier: MIT
#
# qemu_cpus.sh ARCH [COMPILER...] - runs the C tests of kernels and dispatch on CPUs that are
# not at hand, under qemu-ARCH: x86_64, aarch64, s390x, mips.
#
# On each CPU exactly those kernels must be usable that it has the instructions for, and no
# program may meet an instruction that it does not have: qemu stops it then, as the CPU would.
# COMPILER may have options:
# qemu_cpus.sh aarch64 'clang --target=aarch64-linux-gnu'.
set -euo pipefail

root=${BLOCKSHA_SOURCE:-$(cd "$(dirname "$0")/.." && pwd)}
. "$root/tests/structure/need.sh"
arch=$1
shift
qemu=qemu-$arch
need "$qemu"

programs=(test_cpu test_kernels test_dispatch test_many test_sha1 test_sha256 test_both)
# These bring their own table of kernels; they find nothing on one x86-64 that they do not find
# on another.
[ "$arch" = x86_64 ] || programs+=(test_many_lanes test_selftest)

# CPUs: the name for qemu and, besides portable, the kernels for SHA-1 and SHA-256 that can run.
case $arch in
x86_64)
	compilers=("${CC:-cc}")
	cpus=(
		'qemu64'
		'core2duo x86-ssse3'
		'Nehalem x86-ssse3'
		'Nehalem,-ssse3'
		'SandyBridge x86-ssse3'
		'Haswell x86-avx2 x86-avx2-x8 x86-ssse3'
		'Haswell,-avx2 x86-ssse3'
		'Haswell,-bmi1 x86-avx2-x8 x86-ssse3'
		'Haswell,-bmi2 x86-avx2-x8 x86-ssse3'
		'Haswell,-xsave x86-ssse3'
		'Denverton x86-shani x86-shani-x2 x86-shani-x4 x86-ssse3'
		'EPYC x86-avx2 x86-avx2-x8 x86-shani x86-shani-x2 x86-shani-x4 x86-ssse3'
	)
	;;
aarch64)
	compilers=(aarch64-linux-gnu-gcc)
	cpus=('max arm-sha' 'cortex-a57 arm-sha')
	;;
s390x | mips)
	compilers=("$arch-linux-gnu-gcc")
	cpus=('')
	;;
*)
	echo "qemu_cpus.sh: no CPU of $arch is known" >&2
	exit 2
	;;
esac
[ $# = 0 ] || compilers=("$@")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# build COMPILER: the programs, in $work. They are static, so that no other CPU's libc is
# needed. The library is an archive: some programs bring their own table of kernels.
build() {
	local words program

	read -ra words <<<"$1"
	need "${words[0]}"
	rm -rf "${work:?}"/*
	mkdir "$work/lib"
	(cd "$work/lib" && "${words[@]}" -std=c11 -O2 -I"$root/include" -I"$root/lib" \
		-c "$root"/lib/*.c "$root"/lib/*/*.c && ar rc ../lib.a ./*.o)
	for program in "${programs[@]}"; do
		"${words[@]}" -std=c11 -O2 -static -pthread -I"$root/include" -I"$root/lib" \
			-o "$work/$program" "$root/tests/$program.c" "$work/lib.a"
	done
	[ "$arch" != x86_64 ] || build_probe "${words[@]}"
}

# build_probe COMPILER-WORD...: a program that loads 16 bytes, the last of a page, into half of a
# vector of AVX2. qemu 10.0 reads 32 bytes then, so that tests with guard pages fail there.
build_probe() {
	cat >"$work/probe.c" <<'END'
#include <sys/mman.h>
int main(void)
{
	char *page = mmap(0, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(page + 4096, 4096, PROT_NONE);
	__asm__ volatile("vinserti128 $1, (%0), %%ymm0, %%ymm0" : : "r"(page + 4096 - 16) : "xmm0");
	return 0;
}
END
	"$@" -D_GNU_SOURCE -static -o "$work/probe" "$work/probe.c"
}

# run CPU PROGRAM: its output is in $work/PROGRAM.log then.
run() {
	timeout 600 "$qemu" ${1:+-cpu "$1"} "$work/$2" >"$work/$2.log" 2>&1
}

# rows ALGORITHM: the kernels that test_kernels has run, in order of their names.
rows() {
	sed -n "s/^$1: \(.*\) \.\.\. OK\$/\1/p" "$work/test_kernels.log" | sort | paste -sd ' ' -
}

# check_rows LABEL KERNEL...: exactly these have run.
check_rows() {
	local label=$1 algorithm expected found
	shift

	for algorithm in sha1 sha256 sha1+sha256; do
		expected=portable
		[ $# = 0 ] || [ "$algorithm" = sha1+sha256 ] || expected=$(printf '%s ' portable "$@")
		case "$algorithm $*" in
		'sha1+sha256 '*x86-shani*) expected='portable x86-shani' ;;
		esac
		expected=$(tr ' ' '\n' <<<"$expected" | sed '/^$/d' | sort | paste -sd ' ' -)
		found=$(rows "$algorithm")
		echo "  $algorithm: $found"
		[ "$found" = "$expected" ] || fail "$label: $algorithm: usable should be: $expected"
	done
}

# check_cpu COMPILER CPU KERNEL...
check_cpu() {
	local label="$1, $qemu${2:+ -cpu $2}" cpu=$2 program
	shift 2

	case "$*" in
	*shani*)
		if run "$cpu" test_cpu && ! grep -q '^usable here:.* sha\( \|$\)' "$work/test_cpu.log"; then
			echo "UNAVAILABLE: $label has no SHA instructions"
			return
		fi
		;;
	esac
	case "$*" in
	*avx2*)
		if ! run "$cpu" probe; then
			echo "UNAVAILABLE: $label loads more bytes than it should"
			return
		fi
		;;
	esac
	echo "$label"
	for program in "${programs[@]}"; do
		if ! run "$cpu" "$program"; then
			fail "$label: $program"
			tail -n 30 "$work/$program.log"
		fi
	done
	check_rows "$label" "$@"
}

export BLOCKSHA_TEST_QUICK=1
# glibc has vector code of its own. On CPUs that exist only here (SSE4.2 without SSSE3, AVX2
# without BMI1) it takes more for granted than CPUID says, so it is told to use none.
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2_Usable,-AVX2,-SSE4_2,-SSSE3
for compiler in "${compilers[@]}"; do
	build "$compiler"
	for line in "${cpus[@]}"; do
		read -ra words <<<"$line"
		# clang makes no SHA instructions for AArch64 before version 16.
		case "$arch $compiler" in
		"aarch64 clang-1"[0-5]*) words=("${words[@]:0:1}") ;;
		esac
		check_cpu "$compiler" "${words[0]-}" "${words[@]:1}"
	done
done
exit $failed
