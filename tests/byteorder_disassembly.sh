#!/bin/bash
# SPDX-License-Identifier: MIT
#
# byteorder_disassembly.sh [--markdown] [COMPILER...] - looks at the machine code
# that compilers make of blocksha_byteorder.h at -O2.
#
# For x86-64 and aarch64 it is checked:
#  - each 32 and 64 bit function is one memory access of the full width, one byte
#    swap where the order is not the CPU's (none where it is), moves between
#    registers, and the return;
#  - the portable kernels swap 16 words a block and load no single byte.
# All other code (16 bits, other targets) is shown only. --markdown prints the tables
# of docs/byteorder.md instead.
#
# Without COMPILER: every gcc and clang that is there, native and cross. COMPILER may
# have options: byteorder_disassembly.sh 'clang --target=aarch64-linux-gnu -Os'.
#
# Exit status: 0 all is as it should be, 1 something is not, 77 nothing was checked.
set -eu
export LC_ALL=C

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One line a function: verdict (ok, shown, FAILED), target, compiler, function,
# machine code, reason of a failure; separated by tabs.
results=$work/results
: >"$results"

unavailable() {
	echo "UNAVAILABLE: $*"
}

# --- Compilers ------------------------------------------------------------------

# Every gcc and clang in PATH, one a line: native ones, then cross ones. One compiler
# may come under several names.
find_compilers() {
	local commands clangs triplets triplet clang

	commands=$(compgen -c | sort -uV)
	grep -xE 'gcc(-[0-9]+)?' <<<"$commands" || true
	mapfile -t clangs < <(grep -xE 'clang(-[0-9]+)?' <<<"$commands")
	mapfile -t triplets < <(sed -nE 's/^(\w+-linux-gnu\w*)-gcc$/\1/p' <<<"$commands")
	for clang in "${clangs[@]}"; do
		echo "$clang"
	done
	for triplet in aarch64-linux-gnu "${triplets[@]}"; do
		grep -x "$triplet-gcc" <<<"$commands" || true
		for clang in "${clangs[@]}"; do
			echo "$clang --target=$triplet"
		done
	done
}

# describe COMPILER: sets target (aarch64-linux-gnu) and label (gcc 12.2.0 -Os).
describe() {
	local words word version

	read -ra words <<<"$1"
	target=$("${words[@]}" -dumpmachine | sed -E 's/-(unknown|pc)-/-/')
	case $("${words[0]}" --version) in
	*clang*) label=clang version=$("${words[0]}" -dumpversion) ;;
	*) label=gcc version=$("${words[0]}" -dumpfullversion -dumpversion) ;;
	esac
	label+=" $version"
	for word in "${words[@]:1}"; do
		[[ $word == --target=* ]] || label+=" $word"
	done
}

# The headers that the sources need (stdint.h, stddef.h) come with the compiler when
# it is told that there is no libc: no cross libc has to be installed. A section per
# function keeps the padding between functions out.
compile() {
	local words
	read -ra words <<<"$1"
	"${words[0]}" -O2 "${words[@]:1}" -std=c11 -ffreestanding -ffunction-sections \
		-I"$root/include" -c "$2" -o "$work/object.o"
}

# Whether this compiler makes code for its target at all (a clang may lack it).
can_compile() {
	echo 'int nothing;' >"$work/nothing.c"
	compile "$1" "$work/nothing.c" 2>/dev/null
}

# find_objdump TARGET: prints the disassembler for object files of this target.
find_objdump() {
	local name=$1-objdump

	[ "${1%%-*}" != "$(uname -m)" ] || name=objdump
	command -v "$name" || command -v llvm-objdump
}

# --- Machine code ---------------------------------------------------------------

# Prints the functions of object.o: name, tab, "instruction; instruction; ...".
disassemble() {
	"$1" -d --no-show-raw-insn "$work/object.o" | awk '
		/^[0-9a-f]+ <.*>:$/ {
			flush()
			name = $2
			gsub(/[<>:]/, "", name)
		}
		/^ *[0-9a-f]+:[ \t]/ {
			sub(/^ *[0-9a-f]+:[ \t]+/, "")
			gsub(/[ \t]+/, " ")
			gsub(/, /, ",")
			sub(/ $/, "")
			code = code (code == "" ? "" : "; ") $0
		}
		END { flush() }
		function flush() {
			# Padding behind the return (what is behind the jump of mips is none).
			while (code ~ /(bx lr|br %r14|nop[^;]*); nop[^;]*$/)
				sub(/; nop[^;]*$/, "", code)
			if (code != "")
				print name "\t" code
			code = ""
		}'
}

# judge TARGET LABEL: takes what disassemble prints and adds the verdict.
judge() {
	awk -F '\t' -v OFS='\t' -v target="$1" -v label="$2" '
		BEGIN { cpu = target; sub(/-.*/, "", cpu) }
		{
			bits = substr($1, length($1) - 1)
			verdict = "ok"
			reason = ""
			if ((cpu != "x86_64" && cpu != "aarch64") || bits == 16)
				verdict = "shown"
			else if ((reason = judge($2, bits, $1 ~ /_be/)) != "")
				verdict = "FAILED"
			print verdict, target, label, $1, $2, reason
		}

		# Returns what is wrong with the code, or "". Both CPUs are little-endian.
		function judge(code, bits, big_endian,    list, n, i) {
			accesses = swaps = 0
			n = split(code, list, "; ")
			for (i = 1; i <= n; i++)
				if (!expected(list[i], bits))
					return "unexpected: " list[i]
			if (accesses != 1)
				return accesses " memory accesses, not 1"
			if (swaps != big_endian)
				return swaps " byte swaps, not " big_endian
			return ""
		}

		# Counts one instruction; false when it is none of those that may be there.
		function expected(text, bits) {
			return cpu == "x86_64" ? x86_64(text, bits) : aarch64(text, bits)
		}
		# The register tells the width: %eax, %r8d are 32 bits, %rax, %r8 are 64.
		function x86_64(text, bits,    register, access) {
			register = bits == 32 ? "%(e[a-z]+|r[0-9]+d)" : "%(r[a-z]+|r[0-9]+)"
			access = "(" register ",\\(%r[a-z0-9]+\\)|\\(%r[a-z0-9]+\\)," register ")$"
			if (text ~ ("^bswap[lq]? " register "$"))
				return ++swaps
			if (text ~ ("^movbe[lq]? " access))
				return ++swaps && ++accesses
			if (text ~ ("^mov[lq]? " access))
				return ++accesses
			return text ~ /^(mov[lq]? %[a-z0-9]+,%[a-z0-9]+|retq?|endbr64)$/
		}
		# fmov moves between the two register files.
		function aarch64(text, bits,    register) {
			register = bits == 32 ? "[ws][0-9]+" : "[xd][0-9]+"
			if (text ~ ("^rev " register "," register "$"))
				return ++swaps
			if (text ~ ("^(ldr|str) " register ",\\[x[0-9]+\\]$"))
				return ++accesses
			return text ~ /^(f?mov [wxsd][0-9]+,[wxsd][0-9]+|ret|bti c)$/
		}'
}

# judge_kernel TARGET LABEL FUNCTION: the same for a kernel, which loads the 16 words of
# a block once.
judge_kernel() {
	awk -F '\t' -v OFS='\t' -v target="$1" -v label="$2" -v kernel="$3" '
		$1 == kernel {
			n = split($2, list, "; ")
			for (i = 1; i <= n; i++) {
				swaps += list[i] ~ /^(bswap|movbe|rev )/
				bytes += loads_byte(list[i])
			}
		}
		END {
			code = sprintf("%d instructions, %d byte swaps, %d loads of one byte",
				       n, swaps, bytes)
			good = swaps == 16 && bytes == 0
			print good ? "ok" : "FAILED", target, label, kernel, code,
				good ? "" : "16 byte swaps and no load of one byte are expected"
		}
		# movzbl (%rdi),%eax; mov (%rdi),%al; ldrb w0,[x1]
		function loads_byte(text) {
			return text ~ /^mov([sz]b[a-z]*|b) .*\),%/ ||
			       text ~ /^mov .*\),%([a-d][lh]|[sd]il|[sb]pl|r[0-9]+b)$/ ||
			       text ~ /^ldu?rs?b /
		}'
}

# check_the_judge COMPILER OBJDUMP: a judge that accepts everything would show nothing.
# Code that is not optimised takes each value through memory and must be refused.
check_the_judge() {
	local verdicts

	compile "$1 -O0" "$root/tests/byteorder_disassembly.c"
	verdicts=$(disassemble "$2" | judge "$target" "$label" | cut -f 1 | sort -u | paste -sd ' ' -)
	if [ "$verdicts" != "FAILED shown" ]; then
		echo "FAILED: the verdicts on code at -O0 ($label, $target) are: $verdicts"
		exit 1
	fi
}

# examine COMPILER: adds to results.
examine() {
	local objdump kernel

	if ! command -v "${1%% *}" >/dev/null; then
		unavailable "$1 is not there"
		return
	fi
	describe "$1"
	! cut -f 2,3 "$results" | grep -qxF "$target"$'\t'"$label" || return 0
	if ! can_compile "$1"; then
		unavailable "$label makes no code for $target"
		return
	fi
	if ! objdump=$(find_objdump "$target"); then
		unavailable "no objdump for $target ($label)"
		return
	fi

	compile "$1" "$root/tests/byteorder_disassembly.c"
	disassemble "$objdump" >"$work/functions"
	if [ "$(wc -l <"$work/functions")" != 12 ]; then
		echo "$objdump does not show the 12 functions for $target ($label)"
		exit 1
	fi
	judge "$target" "$label" <"$work/functions" >>"$results"

	case $target in
	x86_64-* | aarch64-*)
		check_the_judge "$1" "$objdump"
		for kernel in sha1 sha256; do
			compile "$1" "$root/lib/portable/${kernel}_portable.c"
			disassemble "$objdump" |
				judge_kernel "$target" "$label" "blocksha_${kernel}_portable"
		done >>"$results"
		;;
	esac
}

# --- Output ---------------------------------------------------------------------

print_text() {
	awk -F '\t' '
		$2 $3 != last { print $3 ", " $2 ":"; last = $2 $3 }
		{ printf "  %-6s %-26s %s\n", $1, $4, $5 }
		$6 != "" { print "         " $6 }' "$results"
}

# For the targets that are checked: the code, one row for the compilers that make the
# same. For all others: the number of instructions.
print_markdown() {
	awk -F '\t' '
		{
			target = $2
			label = $3
			name = $4
			if (!seen[target]++)
				targets[++ntargets] = target
			if (!seen[label]++)
				labels[++nlabels] = label
			if (!seen[name]++)
				names[++nnames] = name
			if ($1 != "shown")
				checked[target] = 1
			code[target, name, label] = $5
		}
		END {
			for (t = 1; t <= ntargets; t++)
				if (targets[t] in checked)
					print_code(targets[t])
			print_counts()
		}

		function print_code(target,    i) {
			print "| " target " | machine code | compilers |"
			print "|---|---|---|"
			for (i = 1; i <= nnames; i++)
				print_rows(target, names[i])
			print ""
		}
		function print_rows(target, name,    l, text, users, order, n, i) {
			for (l = 1; l <= nlabels; l++) {
				text = code[target, name, labels[l]]
				if (text == "")
					continue
				if (text in users) {
					users[text] = users[text] ", " labels[l]
				} else {
					users[text] = labels[l]
					order[++n] = text
				}
			}
			for (i = 1; i <= n; i++) {
				text = order[i] ~ /; / ? "`" order[i] "`" : order[i]
				print "| " name " | " text " | " users[order[i]] " |"
			}
		}

		function print_counts(    row, rule, i, t) {
			row = "| " labels[1]
			for (i = 2; i <= nlabels; i++)
				row = row " / " labels[i]
			rule = "|---|"
			for (t = 1; t <= ntargets; t++)
				if (!(targets[t] in checked)) {
					row = row " | " targets[t]
					rule = rule "---|"
				}
			print row " |"
			print rule
			for (i = 1; i <= nnames; i++)
				if (names[i] !~ /_portable$/)
					print "| " names[i] counts(names[i]) " |"
		}
		function counts(name,    row, t, l, n, list) {
			for (t = 1; t <= ntargets; t++) {
				if (targets[t] in checked)
					continue
				for (l = 1; l <= nlabels; l++) {
					n = split(code[targets[t], name, labels[l]], list, "; ")
					row = row (l == 1 ? " | " : " / ") (n ? n : "-")
				}
			}
			return row
		}' "$results"
}

# --- Main -----------------------------------------------------------------------

markdown=false
if [ "${1-}" = --markdown ]; then
	markdown=true
	shift
fi

if [ $# -gt 0 ]; then
	compilers=("$@")
else
	mapfile -t compilers < <(find_compilers)
fi
for compiler in "${compilers[@]}"; do
	examine "$compiler"
done
if [ $# -eq 0 ]; then
	for target in x86_64 aarch64; do
		for label in gcc clang; do
			cut -f 2,3 "$results" | grep -q "^$target-.*"$'\t'"$label" ||
				unavailable "no $label for $target"
		done
	done
fi

checked=$(grep -vc ^shown "$results" || true)
failed=$(grep -c ^FAILED "$results" || true)
if $markdown; then
	print_markdown
	[ "$failed" = 0 ]
	exit
fi
print_text
echo "$checked functions checked, $failed FAILED"
if [ "$checked" = 0 ]; then
	unavailable "no compiler and disassembler for x86-64 or aarch64"
	exit 77
fi
[ "$failed" = 0 ]
