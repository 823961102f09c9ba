#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""File names of any bytes: in digest lines, in tagged lines, in verdicts and in messages, all
as coreutils 9.1 writes them; and lists with such names are read back by both."""

import hashlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import ALIASES, Test, write

# What the quoting of names and the escaping of lines treat in different ways.
LETTERS = [b"'", b"\n", b"\r", b"a", b" ", b"\xff", b":", b"{", b"}", b"#", b"~", b"\t", b"\\",
           b"?", b"\x01", b"z", b'"', b"$", b"n", b"*", b"\xc3\xa9"]


def every_byte():
    """Every byte from 1 to 255 but the slash: first, last, and with a quote, before which and
    behind which the rules of quoting differ."""
    for number in range(1, 256):
        byte = bytes([number])
        if byte != b"/":
            yield from (byte + b"_", b"_" + byte, b"'" + byte, byte + b"'")


def random_names(test, count):
    for _ in range(count):
        yield b"_" + b"".join(test.random.choices(LETTERS, k=test.random.randint(1, 9)))
    for _ in range(count // 10):
        name = bytes(test.random.randrange(1, 256) for _ in range(test.random.randint(1, 250)))
        yield name.replace(b"/", b"_").replace(b".", b"_")
        yield b"".join(test.random.choices(LETTERS, k=test.random.randint(60, 120)))


def expected_lines(names, contents, tagged, zero):
    """What coreutils 9.1 would write, made here by the rules of its manual."""
    for name in names:
        digest = hashlib.sha256(contents[name]).hexdigest().encode()
        mark, end = b"", b"\0" if zero else b"\n"
        if not zero and any(c in name for c in b"\\\n\r"):
            mark = b"\\"
            name = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
        if tagged:
            yield mark + b"SHA256 (" + name + b") = " + digest + end
        else:
            yield mark + digest + b"  " + name + end


def main():
    test = Test()
    names = sorted(set(every_byte()) | set(random_names(test, 500)))
    contents = {name: b"content of " + name for name in names}
    for folder in ("nothing", "changed", "files"):
        os.mkdir(folder)
    os.chdir("files")
    for name in names:
        write(name, contents[name])
        write(b"../changed/" + name, contents[name] + b"!")

    formats = [(), ("--tag",), ("-z",), ("--tag", "-z"), ("-b",), ("-t",)]
    for tagged in (False, True):
        for zero in (False, True):
            options = ["--tag"] * tagged + ["-z"] * zero
            result = test.run("sum", *options, "--", *names)
            test.equal(result.out, b"".join(expected_lines(names, contents, tagged, zero)),
                       f"lines with {options}")
            test.equal((result.status, result.err), (0, b""), f"lines with {options}")

    for tagged in (False, True):
        options = ["--tag"] * tagged
        write("../list", test.run("sum", "-a", "sha1,sha256", *options, "--", *names).out)
        result = test.run("sum", "-c", "../list")
        verdicts = result.out.count(b": OK\n")
        test.equal((result.status, result.err, verdicts), (0, b"", 2 * len(names)),
                   f"reading back with {options}")
        # with other files of these names nothing verifies
        os.chdir("../changed")
        result = test.run("sum", "-c", "../list")
        test.equal((result.status, result.out.count(b": FAILED\n")), (1, 2 * len(names)),
                   f"changed files with {options}")
        os.chdir("../files")

    if test.coreutils:
        for program in ALIASES:
            for options in formats:
                lines = test.compare(program, *options, "--", *names,
                                     what=f"{program} {options} of odd names").out
                if "-z" in options:
                    continue
                write("../list", lines)
                test.compare(program, "-c", "../list", what=f"{program} -c of odd names")
                result = test.run("sum", "-c", "../list")
                test.equal((result.status, result.err), (0, b""), f"sum -c of {program} {options}")
                # and the other way round
                algorithm = program.removesuffix("sum")
                write("../list", test.run("sum", "-a", algorithm, *options, "--", *names).out)
                result = test.original(program, "-c", "--strict", "../list")
                test.equal((result.status, result.err, result.out.count(b": OK\n")),
                           (0, b"", len(names)), f"{program} -c of sum {options}")
        # names of files that are not there, in messages and in verdicts
        names += [b"", b"-x", b"/", b"/_'", b"a/b'c"]
        names += list(random_names(test, 2000))
        os.chdir("../nothing")
        for at in range(0, len(names), 500):
            test.compare("sha256sum", "--", *names[at:at + 500], what="names in messages")
        test.compare("sha256sum", "-c", "../list", what="missing odd names in verdicts")
        test.compare("sha256sum", "-c", "-w", "--", *names[:500], what="lists of odd names")
        for name in names[::10]:
            if b"/" not in name and 0 < len(name) < 250:
                write(name, b"junk\n")
        test.compare("sha256sum", "-c", "-w", "--", *names, what="lists of odd names")
    test.finish()


main()
