#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which instructions stand where: outside of kernels the library has only instructions that
every CPU of its architecture executes, and a kernel has none beyond those that its name says
(and that its row of the table asks for). Nothing runs before main.

    instruction_sets.py                one compiler, $CC at -O2
    instruction_sets.py COMPILER...    these, at -O0, -O1, -O2 and -O3;
                                       a compiler may have options: "clang --target=..."

The unit that is looked at is the object file: all functions of a file, static ones too, are
reached only through the kernel in it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["BLOCKSHA_SOURCE"])
REQUIRE = bool(os.environ.get("BLOCKSHA_REQUIRE"))
FILES = sorted([*SOURCE.glob("lib/*.c"), *SOURCE.glob("lib/*/*.c")])

# --- x86-64: the instruction set that an instruction belongs to, None for SSE2 and before ---

BMI1 = {"andn", "bextr", "blsi", "blsmsk", "blsr"}
BMI2 = {"bzhi", "mulx", "pdep", "pext", "rorx", "sarx", "shlx", "shrx"}
SSE3 = {"addsubpd", "addsubps", "haddpd", "haddps", "hsubpd", "hsubps", "lddqu", "movddup",
        "movshdup", "movsldup", "fisttp", "monitor", "mwait"}
SSSE3 = {"pshufb", "phaddw", "phaddd", "phaddsw", "phsubw", "phsubd", "phsubsw", "pmaddubsw",
         "pmulhrsw", "psignb", "psignw", "psignd", "pabsb", "pabsw", "pabsd", "palignr"}
SSE42 = {"pcmpgtq", "pcmpestri", "pcmpestrm", "pcmpistri", "pcmpistrm", "crc32"}
PREFIXES = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3}


def without_suffix(mnemonic):
    """AT&T syntax marks some general-purpose instructions with their width."""
    return mnemonic[:-1] if mnemonic[:-1] in BMI1 | BMI2 | SSE42 else mnemonic


def evex(code, mnemonic):
    if re.match(r"v(aes|pclmul|gf2p8)", mnemonic):
        return "vaes or gfni"
    if re.match(r"v(perm|permi2|permt2)b$|vpmultishiftqb", mnemonic):
        return "avx512vbmi"
    if re.match(r"v(and|andn|or|xor)p[sd]$|v(broadcast|insert|extract)[fi](32x2|64x2|32x8)$"
                r"|vpmullq$|vpmov[dq]2m$|vpmovm2[dq]$|vcvtt?p[sd]2u?qq$", mnemonic):
        return "avx512dq"
    # The length in bits 5 and 6 of the third byte of the prefix: 2 is 512 bits. Single numbers
    # have no length.
    if re.match(r"vmov([dq]|s[sd])$", mnemonic):
        return "avx512f"
    if code[3] >> 5 & 3 != 2:
        return "avx512vl"
    if re.match(r"vp?(shufb|shuf[hl]w|align(r)|(add|sub|adds|subs|addus|subus|min[su]|max[su]|"
                r"abs|avg|cmpeq|cmpgt|cmpu?|blendm|broadcast|testn?m)[bw]|mulh?[lu]?w|madd.*|"
                r"ack[us]s.*|unpck[hl](bw|wd)|s[lr]ldq|s[lr][la]w|s[lr]lvw|permi2w|permt2w|"
                r"permw|mov[swuz].*b|mov[bw]2m|movm2[bw]|sadbw)$|vmovdqu(8|16)$", mnemonic):
        return "avx512bw"
    return "avx512f"


def x86_set(code, mnemonic):
    if code[0] == 0x62:
        return evex(code, mnemonic)
    if code[0] in (0xC4, 0xC5):
        if without_suffix(mnemonic) in BMI1:
            return "bmi1"
        if without_suffix(mnemonic) in BMI2:
            return "bmi2"
        if mnemonic.startswith("k"):
            return "avx512f" if mnemonic.endswith("w") else "avx512bw"
        if re.match(r"v(aes|pclmul|gf2p8)", mnemonic):
            return "vaes or gfni"
        return "avx2"

    i = 0
    while code[i] in PREFIXES:
        i += 1
    legacy = code[:i]
    if code[i] & 0xF0 == 0x40: # REX
        i += 1
    opcode = code[i : i + 3]
    if opcode[:2] in (b"\x0f\x38", b"\x0f\x3a"):
        if mnemonic.startswith(("sha1", "sha256")):
            return "sha"
        if mnemonic.startswith("movbe"):
            return "movbe"
        if mnemonic.startswith(("aes", "pclmul", "gf2p8")):
            return "aes or gfni"
        if without_suffix(mnemonic) in SSE42:
            return "sse4.2"
        return "ssse3" if mnemonic in SSSE3 else "sse4.1"
    if opcode == b"\x0f\x01\xd0":
        return "xgetbv"
    if opcode[:2] in (b"\x0f\xb8", b"\x0f\xbd") and 0xF3 in legacy:
        return "popcnt or lzcnt"
    # f3 0f bc is tzcnt for a CPU that has it, and else bsf: compilers use it for what both do.
    return "sse3" if mnemonic in SSE3 else None


# How objdump shows it: bytes and text; and what is to be thought of it.
X86_KNOWN = [
    ("0f c8", "bswap %eax", None), ("66 0f fe c1", "paddd %xmm1,%xmm0", None),
    ("f3 0f bc c0", "tzcnt %eax,%eax", None), ("66 41 0f ef c0", "pxor %xmm8,%xmm0", None),
    ("f3 0f 16 c1", "movshdup %xmm1,%xmm0", "sse3"),
    ("66 0f 38 00 c1", "pshufb %xmm1,%xmm0", "ssse3"),
    ("66 45 0f 3a 0f c1 04", "palignr $0x4,%xmm9,%xmm8", "ssse3"),
    ("66 0f 3a 16 c0 03", "pextrd $0x3,%xmm0,%eax", "sse4.1"),
    ("66 0f 38 37 c1", "pcmpgtq %xmm1,%xmm0", "sse4.2"),
    ("0f 3a cc c1 00", "sha1rnds4 $0x0,%xmm1,%xmm0", "sha"),
    ("44 0f 38 cb c1", "sha256rnds2 %xmm0,%xmm1,%xmm8", "sha"),
    ("0f 38 f0 07", "movbe (%rdi),%eax", "movbe"), ("0f 01 d0", "xgetbv", "xgetbv"),
    ("f3 0f b8 c0", "popcnt %eax,%eax", "popcnt or lzcnt"),
    ("c5 f8 77", "vzeroupper", "avx2"), ("c5 f5 fe c2", "vpaddd %ymm2,%ymm1,%ymm0", "avx2"),
    ("c4 e2 70 f2 c2", "andn %edx,%ecx,%eax", "bmi1"),
    ("c4 e3 7b f0 c1 06", "rorx $0x6,%ecx,%eax", "bmi2"),
    ("62 f1 75 48 fe c2", "vpaddd %zmm2,%zmm1,%zmm0", "avx512f"),
    ("62 f1 75 28 fe c2", "vpaddd %ymm2,%ymm1,%ymm0", "avx512vl"),
    ("62 41 fd 08 6e cb", "vmovq %r11,%xmm25", "avx512f"),
    ("62 f3 75 48 25 c2 96", "vpternlogd $0x96,%zmm2,%zmm1,%zmm0", "avx512f"),
    ("62 f2 75 48 00 c2", "vpshufb %zmm2,%zmm1,%zmm0", "avx512bw"),
    ("62 f1 74 48 57 c2", "vxorps %zmm2,%zmm1,%zmm0", "avx512dq"),
    ("62 f2 75 48 8d c2", "vpermb %zmm2,%zmm1,%zmm0", "avx512vbmi"),
    ("c5 f8 92 cf", "kmovw %edi,%k1", "avx512f"), ("c4 e1 fb 92 cf", "kmovq %rdi,%k1", "avx512bw"),
]


def x86_may(stem):
    """The sets that a file may use, and one that it must use: that shows that this script can
    see it."""
    sse = {"sse3", "ssse3"}
    if stem == "cpu":
        return {"xgetbv"}, "xgetbv"
    if "shani" in stem and ("gfni" in stem or "avx2" in stem): # the filter is in the name, too
        filters = {"avx2"}
        if "gfni" in stem:
            filters |= {"avx512f", "avx512bw", "avx512vl", "avx512vbmi", "vaes or gfni"}
        return sse | {"sse4.1", "sha"} | filters, "sha"
    if "avx512" in stem:
        return sse | {"sse4.1", "avx2", "avx512f", "avx512bw"}, "avx512f"
    if "avx2_x8" in stem:
        return sse | {"sse4.1", "avx2"}, "avx2"
    if "avx2" in stem:
        return sse | {"sse4.1", "avx2", "bmi1", "bmi2"}, "bmi2"
    if "shani" in stem:
        return sse | {"sse4.1", "sha"}, "sha"
    if "ssse3" in stem:
        return sse, "ssse3"
    return set(), None


# --- AArch64: the extensions that a kernel could be tempted to use; NEON is always there ---


def arm_set(_code, mnemonic):
    if re.match(r"sha1(c|m|p|h|su0|su1)$", mnemonic):
        return "sha1"
    if re.match(r"sha256(h|h2|su0|su1)$", mnemonic):
        return "sha2"
    if re.match(r"(sha512.*|eor3|rax1|xar|bcax|aes.*|pmull2?|ld1rqb|ptrue|whilelo)$", mnemonic):
        return "another extension"
    return None


ARM_KNOWN = [
    ("", "sha1c q0, s1, v2.4s", "sha1"), ("", "sha256su1 v0.4s, v1.4s, v2.4s", "sha2"),
    ("", "add v0.4s, v1.4s, v2.4s", None), ("", "eor3 v0.16b, v1.16b, v2.16b, v3.16b",
                                             "another extension"),
]


def arm_may(stem):
    if stem.endswith("_arm"):
        extension = "sha1" if stem.startswith("sha1") else "sha2"
        return {extension}, extension
    return set(), None


CPUS = {"x86_64": (x86_set, x86_may, X86_KNOWN), "aarch64": (arm_set, arm_may, ARM_KNOWN)}

# --- Looking ---------------------------------------------------------------------------


def unavailable(text):
    print(f"UNAVAILABLE: {text}")
    if REQUIRE:
        sys.exit(1)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def instructions(objdump, path):
    """(function, bytes, text) of each instruction."""
    function = "?"
    for line in run(objdump, "-d", "-w", path).splitlines():
        match = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if match:
            function = match.group(1)
        match = re.match(r"\s*[0-9a-f]+:\t([0-9a-f ]+)\t(.*)", line)
        if match:
            yield function, bytes.fromhex(match.group(1)), match.group(2).strip()


def mnemonic_of(text):
    """The first word that is no prefix."""
    words = text.split()
    while len(words) > 1 and re.match(r"(rep[a-z]*|lock|data16|cs|ds|es|fs|gs|bnd|notrack|"
                                      r"rex[.A-Z]*|\{evex\}|\{vex\})$", words[0]):
        words.pop(0)
    return words[0] if words else ""


def check_sets(cpu, objdump, stem, path):
    set_of, may, _ = CPUS[cpu]
    permitted, must = may(stem)
    used = {}
    for function, code, text in instructions(objdump, path):
        used.setdefault(set_of(code, mnemonic_of(text)), (function, text))
    yield from (f"{stem}.c: {name} in {used[name][0]}: {used[name][1]}"
                for name in used.keys() - {None} - permitted)
    # A file whose kernel this compiler cannot make has no instructions at all.
    if must and used and must not in used:
        yield f"{stem}.c: has no instruction of {must}"


def check_start(objdump, stem, path):
    """Constructors, and functions chosen while the program is loaded."""
    for section in re.findall(r"^\s*\d+ (\S+)", run(objdump, "-h", path), re.MULTILINE):
        if re.match(r"\.(pre)?init|\.ctors", section):
            yield f"{stem}.c: runs before main: {section}"
    for line in run(objdump, "-t", path).splitlines():
        if re.match(r"[0-9a-f]{8,} ....i", line):
            yield f"{stem}.c: ifunc: {line.split()[-1]}"


def check_known():
    for cpu, (set_of, _, known) in CPUS.items():
        for code, text, expected in known:
            found = set_of(bytes.fromhex(code), mnemonic_of(text))
            if found != expected:
                sys.exit(f"FAILED: this check takes {text} ({cpu}) for {found}, not {expected}")


def check_compiler(compiler, level, work):
    """Yields what is wrong; None when this compiler makes no code that can be looked at."""
    words = compiler.split()
    if not shutil.which(words[0]):
        return unavailable(f"{compiler} is not installed")
    target = run(*words, "-dumpmachine").strip()
    cpu = target.split("-")[0]
    objdump = "objdump" if cpu == os.uname().machine else f"{cpu}-linux-gnu-objdump"
    if cpu not in CPUS:
        return unavailable(f"{target}: nothing is known of its instructions")
    if not shutil.which(objdump):
        return unavailable(f"{objdump} is not installed")

    def check(path):
        object_file = work / f"{path.stem}.o"
        run(*words, "-std=c11", level, f"-I{SOURCE}/include", f"-I{SOURCE}/lib", "-c", "-o",
            object_file, path)
        return [*check_sets(cpu, objdump, path.stem, object_file),
                *check_start(objdump, path.stem, object_file)]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [fault for faults in pool.map(check, FILES) for fault in faults]


def main():
    check_known()
    jobs = [(compiler, level) for compiler in sys.argv[1:] for level in ("-O0", "-O1", "-O2", "-O3")]
    jobs = jobs or [(os.environ.get("CC", "cc"), "-O2")]
    looked = failures = 0
    for compiler, level in jobs:
        with tempfile.TemporaryDirectory() as work:
            faults = check_compiler(compiler, level, Path(work))
        if faults is None:
            continue
        print(f"{compiler} {level}: {len(FILES)} files")
        looked += 1
        for fault in faults:
            print(f"FAILED: {fault}")
            failures += 1
    if not looked:
        sys.exit(77)
    sys.exit(failures > 0)


main()
