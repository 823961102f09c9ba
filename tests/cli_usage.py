#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blocksha by its own name: subcommands, options of sum, exit codes, messages."""

import hashlib
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import Test, write

TRY = b"Try 'blocksha --help' for more information.\n"
TRY_SUM = b"Try 'blocksha sum --help' for more information.\n"

# command line, what standard error begins with; all are wrong usage: exit code 2, no output
WRONG = [
    ("", b"blocksha: a subcommand is missing\n" + TRY),
    ("bogus", b"blocksha: bogus: unknown subcommand\n" + TRY),
    ("-c", b"blocksha: -c: unknown subcommand\n" + TRY),
    ("sums f", b"blocksha: sums: unknown subcommand\n" + TRY),
    ("sum --no-detect=x f", b"blocksha: option '--no-detect' doesn't allow an argument\n"),
    ("sum --bogus", b"blocksha: unrecognized option '--bogus'\n" + TRY_SUM),
    ("sum -x", b"blocksha: invalid option -- 'x'\n" + TRY_SUM),
    ("sum -a", b"blocksha: option requires an argument -- 'a'\n" + TRY_SUM),
    ("sum --algorithm", b"blocksha: option '--algorithm' requires an argument\n" + TRY_SUM),
    ("sum -a md5 f", b"blocksha: md5: unknown algorithm\n" + TRY_SUM),
    ("sum -a sha1,md5 f", b"blocksha: sha1,md5: unknown algorithm\n" + TRY_SUM),
    ("sum -a sha1, f", b"blocksha: sha1,: unknown algorithm\n" + TRY_SUM),
    ("sum -a ,sha1 f", b"blocksha: ,sha1: unknown algorithm\n" + TRY_SUM),
    ("sum -a SHA256 f", b"blocksha: SHA256: unknown algorithm\n" + TRY_SUM),
    ("sum -a sha2 f", b"blocksha: sha2: unknown algorithm\n" + TRY_SUM),
    ("sum --algorithm= f", b"blocksha: '': unknown algorithm\n" + TRY_SUM),
    ("sum --tag --text f", b"blocksha: --tag does not support --text mode\n" + TRY_SUM),
    ("sum --tag --check f", b"blocksha: the --tag option is meaningless"),
    ("sum -b -c f", b"blocksha: the --binary and --text options are meaningless"),
    ("sum -z -c f", b"blocksha: the --zero option is not supported"),
    ("sum --strict f", b"blocksha: the --strict option is meaningful only"),
    ("sum --status f", b"blocksha: the --status option is meaningful only"),
    ("sum --quiet f", b"blocksha: the --quiet option is meaningful only"),
    ("sum --warn f", b"blocksha: the --warn option is meaningful only"),
    ("sum --ignore-missing f", b"blocksha: the --ignore-missing option is meaningful only"),
    ("sum --s f", b"blocksha: option '--s' is ambiguous; possibilities: "),
]


def main():
    test = Test()
    data = b"some bytes\n"
    sha1 = hashlib.sha1(data).hexdigest().encode()
    sha256 = hashlib.sha256(data).hexdigest().encode()
    write("f", data)
    os.mkdir("d")

    for line, message in WRONG:
        result = test.run(*line.split())
        test.check(result.status == 2 and result.out == b"" and result.err.startswith(message),
                   f"blocksha {line}", f"{result.key()}")

    # command line, exit code, output, messages
    both = sha1 + b"  f\n" + sha256 + b"  f\n"
    tagged = b"SHA1 (f) = " + sha1 + b"\nSHA256 (f) = " + sha256 + b"\n"
    missing = b"blocksha: missing: No such file or directory\n"
    rows = [
        ("f", 0, sha256 + b"  f\n", b""),
        ("-a sha1 f", 0, sha1 + b"  f\n", b""),
        ("-asha1 f", 0, sha1 + b"  f\n", b""),
        ("--algorithm=sha256 f", 0, sha256 + b"  f\n", b""),
        ("--algorithm sha1 f", 0, sha1 + b"  f\n", b""),
        ("--alg=sha1 f", 0, sha1 + b"  f\n", b""),
        ("-a sha1,sha256 f", 0, both, b""),
        ("f -a sha1,sha256", 0, both, b""),
        ("-a sha256,sha1 f", 0, sha256 + b"  f\n" + sha1 + b"  f\n", b""),
        ("-a sha1,sha1 f", 0, sha1 + b"  f\n", b""),
        ("-a sha1 -a sha256 f", 0, sha256 + b"  f\n", b""),
        ("-a sha1,sha256 --tag f", 0, tagged, b""),
        ("--no-detect f", 0, sha256 + b"  f\n", b""),
        ("-a sha1 --no-detect f", 0, sha1 + b"  f\n", b""),
        ("--no-detect -a sha256,sha1 f", 0, sha256 + b"  f\n" + sha1 + b"  f\n", b""),
        ("-a sha1,sha256 -z f", 0, both.replace(b"\n", b"\0"), b""),
        ("-a sha1,sha256 -b f", 0, both.replace(b"  f", b" *f"), b""),
        ("-a sha1,sha256", 0, both.replace(b"f\n", b"-\n"), b""),
        ("- -", 0, sha256 + b"  -\n" + hashlib.sha256().hexdigest().encode() + b"  -\n", b""),
        ("f missing f", 1, 2 * (sha256 + b"  f\n"), missing),
        ("d f", 1, sha256 + b"  f\n", b"blocksha: d: Is a directory\n"),
        ("/proc/self/mem", 1, b"", b"blocksha: /proc/self/mem: Input/output error\n"),
        ("-- -c", 1, b"", b"blocksha: -c: No such file or directory\n"),
    ]
    for line, status, out, err in rows:
        result = test.run("sum", *line.split(), stdin=data)
        test.equal(result.key(), (status, out, err), f"blocksha sum {line}")

    # the program may be called by any path; only two names change what it is
    result = test.alias("/some/where/else", "sum", "f")
    test.equal(result.key(), (0, sha256 + b"  f\n", b""), "another name")
    for name, digest in (("sha1sum", sha1), ("sha256sum", sha256), ("/x/sha1sum", sha1)):
        result = test.alias(name, "f")
        test.equal(result.key(), (0, digest + b"  f\n", b""), name)
    result = test.alias("sha512sum", "f")
    test.equal((result.status, result.out), (2, b""), "an unknown name of coreutils")

    # help is made from the tables: every option is there, and coreutils' names lack ours
    result = test.run("--help")
    test.check(result.status == 0 and b"\n  sum  " in result.out and not result.err, "--help")
    for runner, options in ((lambda *a: test.run("sum", *a), [b"--algorithm=LIST", b"--no-detect"]),
                            (lambda *a: test.alias("sha1sum", *a), [])):
        result = runner("--help")
        options += [b"--" + name for name in (b"check", b"ignore-missing", b"quiet", b"status",
                                              b"warn", b"strict", b"tag", b"zero", b"binary",
                                              b"text", b"help", b"version")]
        for option in options:
            rows = re.findall(rb"^ +(?:-\w, )?" + option + rb"(?: |$)", result.out, re.MULTILINE)
            test.equal(len(rows), 1, f"{option} in the help text")
        test.equal((result.status, result.err), (0, b""), "--help")
        test.check(max(map(len, result.out.split(b"\n"))) < 80, "width of --help")
    for option in (b"--algorithm", b"--no-detect", b"--strict-all", b"--safe-paths", b"--quote"):
        test.check(option not in test.alias("sha1sum", "--help").out, f"{option}: help of sha1sum")

    with open(os.path.join(test.source, "include", "blocksha.h")) as header:
        words = header.read().split()
    version = ".".join(words[words.index(f"BLOCKSHA_VERSION_{part}") + 1]
                       for part in ("MAJOR", "MINOR", "PATCH"))
    for arguments in (["--version"], ["sum", "--version"]):
        result = test.run(*arguments)
        test.equal(result.key(), (0, f"blocksha {version}\n".encode(), b""), f"{arguments}")

    # nothing that was to be written may get lost unseen
    with open("/dev/full", "wb") as full:
        for arguments in (["--help"], ["--version"], ["sum", "--help"], ["sum", "f"],
                          ["sum", "f", "f", "f"]):
            result = test.run(*arguments, stdout=full)
            test.equal((result.status, result.err),
                       (1, b"blocksha: write error: No space left on device\n"),
                       f"{arguments} to a full device")
        result = test.run("sum", "f", "missing", stdout=full)
        test.equal(result.err, b"blocksha: write error: No space left on device\n",
                   "the first write error ends the run")
        write("list", sha256 + b"  f\njunk\n")
        test.equal(test.run("sum", "-c", "list", stderr=full).status, 1, "messages get lost")
        test.equal(test.run("sum", "--bogus", stderr=full).status, 2, "usage error, no messages")
    result = test.run("sum", "f", stdout="closed")
    test.equal(result.key(), (1, b"", b"blocksha: write error: Bad file descriptor\n"), "closed")
    result = test.run("sum", stdin=None)
    test.equal(result.key(), (1, b"", b"blocksha: -: Bad file descriptor\n"
                              b"blocksha: standard input: Bad file descriptor\n"), "no input")
    test.finish()


main()
