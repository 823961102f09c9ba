#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each shared library exports the functions of its headers and nothing else, each with the version
that the symbol map gives it. libblocksha needs the C library alone. All global names of the static
libraries begin with blocksha_, so that they can be linked with any other.

The drop-in libsha1detectcoll exports the functions of its header and nothing else, without
versions, since the original has none; so does its static library."""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["BLOCKSHA_SOURCE"])
BUILD = Path(os.environ["BLOCKSHA_BUILD"])
# (library, its headers, what it needs)
LIBRARIES = [
    ("libblocksha", ["blocksha.h", "blocksha_byteorder.h"], ["libc"]),
    ("libblocksha-git", ["blocksha_git.h", "blocksha_writer.h"], ["libblocksha", "libdeflate", "libz", "libc", "libpthread"]),
]


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def declared_functions(header):
    """The functions that a header declares and does not define."""
    text = without_comments(header.read_text())
    text = re.sub(r"^#(.*\\\n)*.*$", "", text, flags=re.MULTILINE)
    text = text.replace('extern "C" {', "")
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", ";", text)
    statements = [s.strip() for s in text.split(";")]
    calls = [re.search(r"(\w+)\s*\(", s) for s in statements
             if not s.startswith(("static", "typedef"))]
    return {call.group(1) for call in calls if call}


def mapped_symbols(path):
    """{name: version} of a linker version script."""
    symbols = {}
    for version, body in re.findall(r"([\w.]+)\s*\{(.*?)\}", without_comments(path.read_text()),
                                    flags=re.DOTALL):
        for name in re.search(r"global:(.*?)(local:|$)", body, re.DOTALL).group(1).split(";"):
            if name.strip():
                symbols[name.strip()] = version
    return symbols


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def defined(library, *options):
    """(kind, name) of the symbols that nm lists, without its headings, "LIBRARY[MEMBER]:"."""
    lines = output_of("nm", "--defined-only", "-g", "-P", *options, library).splitlines()
    return [(line.split()[1], line.split()[0]) for line in lines if line and line[-1] != ":"]


def difference(what, found, expected):
    for name in sorted(set(found) - set(expected)):
        print(f"FAILED: {what}: {name} should not be there")
    for name in sorted(set(expected) - set(found)):
        print(f"FAILED: {what}: {name} is missing")
    return found != expected


def library_needs(library, allowed=("libc",)):
    """The libraries that it needs, and whether there is another one than allowed."""
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", library))
    wrong = [name for name in needed if name.split(".so")[0] not in allowed]
    for name in wrong:
        print(f"FAILED: {library.name} needs {name}")
    return needed, bool(wrong)


def sha1detectcoll():
    failed = False
    folder = BUILD / "compat" / "sha1detectcoll"
    source = SOURCE / "compat" / "sha1detectcoll"
    declared = declared_functions(source / "sha1dc" / "sha1.h")
    mapped = re.findall(r"(\w+);", without_comments((source / "libsha1detectcoll.map").read_text()))
    failed |= difference("symbol map against sha1dc/sha1.h", set(mapped), declared)

    shared = folder / "libsha1detectcoll.so"
    exported = {name for _, name in defined(shared, "-D", "--with-symbol-versions")}
    failed |= difference(shared.name, exported, declared)
    needed, wrong = library_needs(shared)
    failed |= wrong
    soname = re.findall(r"\(SONAME\).*\[(.*)\]", output_of("readelf", "-d", shared))
    failed |= difference("soname", set(soname), {"libsha1detectcoll.so.1"})

    static = {name for _, name in defined(folder / "libsha1detectcoll.a")}
    if not (folder / "sha1detectcoll.o").exists():
        print("UNAVAILABLE: libsha1detectcoll.a without other names: not with these tools")
        static = {name for name in static if not name.startswith("blocksha_")}
    failed |= difference("libsha1detectcoll.a", static, declared)
    print(f"libsha1detectcoll: {len(exported)} functions exported, needs {' '.join(needed)}")
    return failed


def check(library, headers, needs):
    declared = set().union(*(declared_functions(SOURCE / "include" / h) for h in headers))
    mapped = mapped_symbols(SOURCE / "cmake" / f"{library}.map")
    if not declared:
        sys.exit("FAILED: no function found in the headers")
    failed = difference(f"{library}.map against headers", set(mapped), declared)

    shared = BUILD / f"{library}.so"
    exported = {name for kind, name in defined(shared, "-D", "--with-symbol-versions")
                if kind != "A"}  # A: the names of the versions themselves
    expected = {f"{name}@@{version}" for name, version in mapped.items()}
    failed |= difference(shared.name, exported, expected)

    needed, wrong = library_needs(shared, needs)
    failed |= wrong

    for _, name in defined(BUILD / f"{library}.a"):
        if not name.startswith("blocksha_"):
            print(f"FAILED: {library}.a has the global name {name}")
            failed = True
    print(f"{library}: {len(exported)} functions exported, needs {' '.join(needed) or 'nothing'}")
    return failed


def main():
    failed = sha1detectcoll()
    for row in LIBRARIES:
        failed |= check(*row)
    sys.exit(failed)


main()
