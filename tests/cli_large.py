#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A file of 4 GiB, a tree of 50,000 files, a line of 1 GiB, lists of a million lines: the digests
of coreutils, in bounded memory."""

import hashlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import ALIASES, C_LOCALE, Test, limit_memory, unavailable, write

GIB = 1 << 30
FOLDERS, FILES = 500, 100

# Address space of the program: buffers, the stack of a thread, the C library.
MEMORY = 32 * 1024 * 1024


def check_sparse(test):
    """Holes, and some data behind 4 GiB, so that a length in 32 bits would be seen."""
    with open("sparse", "wb") as file:
        file.write(b"begin")
        file.truncate(4 * GIB)
        file.seek(4 * GIB + 12345)
        file.write(b"end")
    bounded = {} if test.is_sanitized() else {"before": limit_memory(MEMORY)}
    result = test.run("sum", "-a", "sha1,sha256", "sparse", **bounded)
    if test.coreutils:
        expected = b"".join(test.original(name, "sparse").out for name in ALIASES)
    else:
        expected = b""
        for algorithm in ("sha1", "sha256"):
            with open("sparse", "rb") as file:
                digest = hashlib.file_digest(file, algorithm).hexdigest()
            expected += f"{digest}  sparse\n".encode()
    test.equal(result.key(), (0, expected, b""), "a file of 4 GiB")
    write("list", expected.splitlines(True)[1])
    with open("sparse", "rb") as file:
        result = test.run("sum", stdin=file)
    test.equal(result.out.split()[0], expected.splitlines()[1].split()[0], "4 GiB as input")
    result = test.run("sum", "-c", "list")
    test.equal(result.key(), (0, b"sparse: OK\n", b""), "a list with a file of 4 GiB")
    os.unlink("sparse")


def find(test, program, name):
    """find -print0 | xargs -0 PROGRAM"""
    script = 'find tree -type f -print0 | LC_ALL=C sort -z | xargs -0 "$@"'
    result = subprocess.run(["sh", "-c", script, "sh", *program], capture_output=True, env=C_LOCALE)
    test.equal((result.returncode, result.stderr), (0, b""), name)
    return result.stdout


def check_tree(test):
    expected = {algorithm: [] for algorithm in ("sha1", "sha256")}
    for folder in range(FOLDERS):
        path = f"tree/{folder:03}"
        os.makedirs(path)
        for number in range(FILES):
            name = f"{path}/{number:02}"
            data = test.random.randbytes(test.random.choice((0, 10, 100, 1000, 5000)))
            write(name, data)
            for algorithm, rows in expected.items():
                rows.append(f"{hashlib.new(algorithm, data).hexdigest()}  {name}\n")
    expected = {algorithm: "".join(rows).encode() for algorithm, rows in expected.items()}
    for algorithm in expected:
        out = find(test, [test.blocksha, "sum", "-a", algorithm], f"sum -a {algorithm}")
        test.equal(out, expected[algorithm], f"a tree, sum -a {algorithm}")
        if test.coreutils:
            out = find(test, [test.coreutils[f"{algorithm}sum"]], f"{algorithm}sum")
            test.equal(out, expected[algorithm], f"a tree, {algorithm}sum")
        else:
            unavailable(f"{algorithm}sum over the tree")
        write("list", expected[algorithm])
        bounded = {} if test.is_sanitized() else {"before": limit_memory(MEMORY)}
        result = test.run("sum", "-c", "--quiet", "--strict", "list", **bounded)
        test.equal(result.key(), (0, b"", b""), f"a list of the tree, {algorithm}")


def check_line(test):
    """A list whose second line is 1 GiB of zero bytes without a newline."""
    digest = hashlib.sha256(b"x").hexdigest().encode()
    write("x", b"x")
    with open("list", "wb") as file:
        file.write(digest + b"  x\n")
        file.truncate(GIB)
    bounded = {} if test.is_sanitized() else {"before": limit_memory(MEMORY)}
    result = test.run("sum", "-c", "-w", "list", **bounded)
    test.equal((result.status, result.out), (0, b"x: OK\n"), "a line of 1 GiB")
    test.check(b"list: 2: improperly formatted" in result.err, "a line of 1 GiB", result.err)
    test.equal(test.run("sum", "-c", "--strict", "list").status, 1, "a line of 1 GiB, strict")


def check_million(test):
    """Lists of 10^6 lines: every verdict, in order, and the numbers of the lines."""
    names = [f"file {number}" for number in range(10)]
    for name in names:
        write(name, name.encode())
    rows = []
    for number in range(1_000_000):
        name = names[number * 7 % 10]
        digest = hashlib.sha256((name if number % 1000 else "other").encode()).hexdigest()
        rows.append(f"{digest}  {name}\n")
    write("list", "".join(rows).encode() + b"junk\n")
    bounded = {} if test.is_sanitized() else {"before": limit_memory(MEMORY)}
    result = test.run("sum", "-c", "-w", "list", **bounded)
    expected = [f"{names[number * 7 % 10]}: {'OK' if number % 1000 else 'FAILED'}\n"
                for number in range(1_000_000)]
    test.equal(result.out, "".join(expected).encode(), "verdicts of 10^6 lines")
    test.equal(result.status, 1, "10^6 lines")
    numbers = [int(line.split(b": ")[2]) for line in result.err.splitlines() if b"expected" in line]
    test.equal(numbers, list(range(1, 1_000_001, 1000)), "the lines that failed of 10^6")
    test.check(b"blocksha: list: 1000001: improperly formatted" in result.err, "the line behind them")

    rest = hashlib.sha256(b"file 0").hexdigest().encode() + b"  file 0\n"
    md5 = hashlib.md5(b"").hexdigest().encode() + b"  file 0\n"
    for what, line, status in (("comments", b"# comment\n", 0), ("empty lines", b"\r\n", 0),
                               ("malformed lines", b"junk\n", 1), ("MD5", md5, 1)):
        write("list", line * 1_000_000 + rest)
        result = test.run("sum", "-c", "--strict-all", "list", **bounded)
        test.equal((result.status, result.out), (status, b"file 0: OK\n"), f"10^6 {what}")


def main():
    test = Test()
    check_million(test)
    check_line(test)
    check_tree(test)
    check_sparse(test)
    test.finish()


main()
