#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blocksha kernels in both forms, its self-test, and BLOCKSHA_KERNEL: every kernel of this machine
can be forced and gives the same digests, and an error lists those that can be."""

import hashlib
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from collisions import COLLISIONS
from harness import Test, write

VARIABLE = "BLOCKSHA_KERNEL"
FREE = {VARIABLE: ""}  # which forces nothing
ALGORITHMS = ["sha1", "sha256", "sha1+sha256", "sha1dc", "sha1dc+sha256"]
KEYS = ["algorithm", "name", "lanes", "compiled", "usable", "missing", "selected"]
STATES = re.compile(r"selected: the best here|selected: many messages|usable|needs [\w.-]+|"
                    rf"selected: forced by {VARIABLE}|not compiled for this CPU")
TRY = b"Try 'blocksha kernels --help' for more information.\n"

# What to call for the kernels of an algorithm, and which digests it prints.
OPTIONS = {
    "sha1": (["-a", "sha1", "--no-detect"], ["sha1"]),
    "sha256": ([], ["sha256"]),
    "sha1+sha256": (["-a", "sha1,sha256", "--no-detect"], ["sha1", "sha256"]),
    "sha1dc": (["-a", "sha1"], ["sha1"]),
    "sha1dc+sha256": (["-a", "sha1,sha256"], ["sha1", "sha256"]),
}


def listing(test, *options, env=None):
    """The rows of kernels --json."""
    result = test.run("kernels", "--json", *options, env=env or FREE)
    test.equal((result.status, result.err), (0, b""), f"kernels --json {options} {env}")
    return [json.loads(row) for row in result.out.splitlines()]


def check_listing(test, kernels):
    """The objects make sense, and the text says the same."""
    test.equal({kernel["algorithm"] for kernel in kernels}, set(ALGORITHMS), "algorithms")
    names = [(kernel["algorithm"], kernel["name"]) for kernel in kernels]
    test.equal(len(set(names)), len(names), "names are unique in their algorithm")
    for kernel in kernels:
        what = f"{kernel}"
        test.equal(list(kernel), KEYS, what)
        test.check(kernel["usable"] or not kernel["selected"], what)
        test.check(kernel["compiled"] or not kernel["usable"], what)
        test.check(not kernel["compiled"] or kernel["usable"] == (kernel["missing"] is None), what)
    for algorithm in ALGORITHMS:
        rows = [kernel for kernel in kernels if kernel["algorithm"] == algorithm]
        test.equal([rows[-1][key] for key in ("name", "lanes", "usable")], ["portable", 1, True],
                   f"the last row of {algorithm}")
        best = next(row for row in rows if row["usable"] and row["lanes"] == 1)
        test.equal([row for row in rows if row["selected"] and row["lanes"] == 1], [best],
                   f"the best of {algorithm} is selected")

    result = test.run("kernels", env=FREE)
    lines = result.out.decode().splitlines()
    test.equal((result.status, result.err, lines[0].split()),
               (0, b"", ["algorithm", "kernel", "lanes", "state"]), "kernels")
    rows = [line.split(None, 3) for line in lines[1:]]
    test.equal([row[:3] for row in rows],
               [[kernel["algorithm"], kernel["name"], str(kernel["lanes"])] for kernel in kernels],
               "the text has the rows of --json")
    for row, kernel in zip(rows, kernels):
        state = row[3]
        test.check(STATES.fullmatch(state), f"the state of {row}")
        test.equal((state.startswith("selected"), state.startswith("not compiled"),
                    state == f"needs {kernel['missing']}"),
                   (kernel["selected"], not kernel["compiled"],
                    kernel["compiled"] and not kernel["usable"]), f"the state of {row}")


def check_self_test(test, kernels):
    """All usable kernels are tested, whatever is forced."""
    usable = [kernel["usable"] for kernel in kernels]
    for env in (FREE, {VARIABLE: "sha1:portable,sha1dc:portable"}):
        rows = listing(test, "--self-test", env=env)
        test.equal([row.get("self_test") for row in rows],
                   ["passed" if is_usable else None for is_usable in usable], f"self-test, {env}")
        result = test.run("kernels", "--self-test", env=env)
        lines = result.out.splitlines()[1:]
        test.equal((result.status, result.err, [line.endswith(b", self-test passed")
                                                for line in lines]), (0, b"", usable),
                   f"self-test in the text, {env}")
    with open("/dev/full", "wb") as full:
        for options in ([], ["--json"], ["--self-test"]):
            test.equal(test.run("kernels", *options, stdout=full, env=FREE).status, 1,
                       f"kernels {options} to a full device")


def check_forced(test, kernels):
    """Each usable kernel by name, and all of them give the digests of hashlib."""
    data = test.random.randbytes(300001)
    attack = COLLISIONS["shattered-1"]
    write("data", data)
    write("attack", attack.data)
    for kernel in kernels:
        if not kernel["usable"]:
            continue
        algorithm, name = kernel["algorithm"], kernel["name"]
        forced = f"{algorithm}:{name}"
        env = {VARIABLE: forced}
        selected = [row["name"] for row in listing(test, env=env) if row["selected"] and
                    row["algorithm"] == algorithm and (row["lanes"] > 1) == (kernel["lanes"] > 1)]
        test.equal(selected, [name], f"{forced}: selected")
        text = test.run("kernels", env=env).out.decode()
        rows = [row.split()[:2] for row in text.splitlines() if row.endswith(f"by {VARIABLE}")]
        test.equal(rows, [[algorithm, name]], f"{forced}: forced")

        options, hashes = OPTIONS[algorithm]
        out = b"".join(hashlib.new(one, content).hexdigest().encode() + b"  " + file + b"\n"
                       for file, content in ((b"data", data), (b"attack", attack.data))
                       for one in hashes)
        detects = algorithm.startswith("sha1dc")
        err = attack.message(b"blocksha: attack") if detects else b""
        result = test.run("sum", *options, "data", "attack", env=env)
        test.equal(result.key(), (3 if detects else 0, out, err), f"{forced}: sum {options}")
        if len(hashes) == 1:
            alias = hashes[0] + "sum"
            result = test.alias(alias, "data", env=env)
            test.equal(result.key(), (0, out.splitlines(True)[0], b""), f"{forced}: {alias}")

    everywhere = ",".join(f"{algorithm}:portable" for algorithm in ALGORITHMS)
    rows = listing(test, env={VARIABLE: everywhere})
    test.equal([row["algorithm"] for row in rows if row["selected"] and row["lanes"] == 1 and
                row["name"] == "portable"], [row["algorithm"] for row in rows
                                             if row["name"] == "portable"], everywhere)


def check_wrong(test, kernels):
    """A name that cannot be forced ends every command, and the message lists those that can."""
    usable = b"".join(b"blocksha:   %s:%s\n" % (kernel["algorithm"].encode(),
                                              kernel["name"].encode())
                      for kernel in kernels if kernel["usable"])
    write("f", b"f")
    unusable = [f"{kernel['algorithm']}:{kernel['name']}" for kernel in kernels
                if not kernel["usable"]]
    for value in ["bogus", "sha1", "sha1:", ":portable", "sha1:bogus", "md5:portable",
                  "SHA1:portable", "sha1:portabl", "sha1:portable2", "sha1+sha256:x86-avx512-x16",
                  "sha1:portable,bogus", "sha1:portable,,sha256:portable", "sha1:portable sha256",
                  *unusable]:
        message = f": unknown or unusable kernel in {VARIABLE}; usable here:\n".encode()
        for words in (["sum", "f"], ["sum", "-c", "f"], ["kernels"], ["sum", "--help"]):
            result = test.run(*words, env={VARIABLE: value})
            first, rest = result.err.split(b"\n", 1)
            test.equal((result.status, result.out, rest), (2, b"", usable), f"{value}: {words}")
            test.check((first + b"\n").endswith(message) and value.encode() in first,
                       f"{value}: {words}", f"  {first}")
        for alias in ("sha1sum", "sha256sum"):
            result = test.alias(alias, "f", env={VARIABLE: value})
            test.equal((result.status, result.out, result.err.split(b"\n", 1)[1]),
                       (1, b"", usable.replace(b"blocksha:  ", alias.encode() + b":  ")),
                       f"{value}: {alias}")
    for words in (["--help"], ["--version"]):
        test.equal(test.run(*words, env={VARIABLE: "bogus"}).status, 0, f"{words} needs no kernel")


def check_usage(test):
    for words, message in ((["extra"], b"blocksha: extra: no argument is expected\n"),
                           (["--bogus"], b"blocksha: unrecognized option '--bogus'\n"),
                           (["-j"], b"blocksha: invalid option -- 'j'\n")):
        result = test.run("kernels", *words, env=FREE)
        test.equal(result.key(), (2, b"", message + TRY), f"kernels {words}")
    result = test.run("kernels", "--help", env=FREE)
    test.equal((result.status, result.err), (0, b""), "kernels --help")
    for text in (b"--self-test", b"--json", VARIABLE.encode()):
        test.check(text in result.out, f"{text} in kernels --help")


def main():
    test = Test()
    kernels = listing(test)
    check_listing(test, kernels)
    check_self_test(test, kernels)
    check_forced(test, kernels)
    check_wrong(test, kernels)
    check_usage(test)
    test.finish()


main()
