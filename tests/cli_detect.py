#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Collision attacks on SHA-1: the published ones are told with place, vector and exit code 3, while
digests, verdicts and other files stay as they are; what does not collide is clean."""

import hashlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from collisions import COLLISIONS
from harness import Test, unavailable, write

PIECE = 128 * 1024  # cli/reader.c: a file of more than eight of these is read by a thread

ATTACK = COLLISIONS["shattered-1"]
HELLO = b"hello\n"


def line(data, name, algorithm="sha1"):
    return hashlib.new(algorithm, data).hexdigest().encode() + b"  " + name + b"\n"


def told(collision, name, program=b"blocksha"):
    return collision.message(program + b": " + name)


def check_known(test):
    """Each collision alone, as both programs print it; then what is left when a byte is missing."""
    for name, collision in COLLISIONS.items():
        data, file = collision.data, name.encode()
        write(name, data)
        digest = collision.digest + b"  " + file + b"\n"
        test.equal(line(data, file), digest, f"{name}: the digest of hashlib")
        both = digest + line(data, file, "sha256")
        rows = [
            (["-a", "sha1"], 3, digest, told(collision, file)),
            (["-a", "sha1,sha256"], 3, both, told(collision, file)),
            (["-a", "sha1", "--no-detect"], 0, digest, b""),
            (["-a", "sha1,sha256", "--no-d"], 0, both, b""),
            (["-a", "sha256"], 0, line(data, file, "sha256"), b""),
            (["-a", "sha256", "--no-detect"], 0, line(data, file, "sha256"), b""),
            (["-a", "sha1", "-z"], 3, digest[:-1] + b"\0", told(collision, file)),
            (["-a", "sha1", "--tag"], 3, b"SHA1 (" + file + b") = " + collision.digest + b"\n",
             told(collision, file)),
        ]
        for options, status, out, err in rows:
            test.equal(test.run("sum", *options, name).key(), (status, out, err),
                       f"sum {options} {name}")
        result = test.run("sum", "-a", "sha1", stdin=data)
        test.equal(result.key(), (3, collision.digest + b"  -\n", told(collision, b"-")),
                   f"{name} as input")

        # more behind it changes nothing: the attack is there; less, or moved, it is none
        for what, variant in (("more", data + b"!"), ("much", data + bytes(100000))):
            write("variant", variant)
            test.equal(test.run("sum", "-a", "sha1", "variant").key(),
                       (3, line(variant, b"variant"), told(collision, b"variant")),
                       f"{name}, {what} behind it")
        for what, variant in (("cut", data[:-1]), ("shifted", b"\0" + data), ("shifted", data[1:]),
                              ("half", data[:-64]), ("git", b"blob %d\0" % len(data) + data),
                              ("changed", data[:-1] + bytes([data[-1] ^ 1]))):
            write("variant", variant)
            for algorithms in ("sha1", "sha1,sha256"):
                out = b"".join(line(variant, b"variant", algorithm)
                               for algorithm in algorithms.split(","))
                test.equal(test.run("sum", "-a", algorithms, "variant").key(), (0, out, b""),
                           f"{name}, {what}, {algorithms}")


def check_files(test):
    """One attack among other files: they are printed, in their order, and 3 beats 1."""
    write("hello", HELLO)
    write("attack", ATTACK.data)
    hello, attack = line(HELLO, b"hello"), line(ATTACK.data, b"attack")
    message = told(ATTACK, b"attack")
    missing = b"blocksha: missing: No such file or directory\n"
    rows = [
        ("hello attack hello", 3, hello + attack + hello, message),
        ("attack attack", 3, attack + attack, message + message),
        ("missing attack hello", 3, attack + hello, missing + message),
        ("attack missing hello", 3, attack + hello, message + missing),
        ("hello missing", 1, hello, missing),
        ("attack -", 3, attack + hello.replace(b"hello", b"-"), message),
        ("--no-detect attack missing", 1, attack, missing),
    ]
    for words, status, out, err in rows:
        result = test.run("sum", "-a", "sha1", *words.split(), stdin=HELLO)
        test.equal(result.key(), (status, out, err), f"sum -a sha1 {words}")
    result = test.run("sum", "-a", "sha1", "--bogus", "attack")
    test.equal((result.status, result.out), (2, b""), "wrong usage comes before an attack")
    with open("/dev/full", "wb") as full:
        result = test.run("sum", "-a", "sha1", "attack", stdout=full)
        test.equal((result.status, result.err), (3, message + b"blocksha: write error: No space "
                                                 b"left on device\n"), "3 beats a write error")
        result = test.run("sum", "-a", "sha1", "attack", stderr=full)
        test.equal((result.status, result.out), (3, attack), "messages get lost")

    # names in messages are quoted
    write("a\nb", ATTACK.data)
    test.equal(test.run("sum", "-a", "sha1", "a\nb").err, told(ATTACK, b"'a'$'\\n''b'"), "a name")

    # the thread of a large file, with the attack before it and in several pieces of input
    large = ATTACK.data + test.random.randbytes(17 * PIECE + 5)
    write("large", large)
    for algorithms in ("sha1", "sha1,sha256"):
        out = b"".join(line(large, b"large", algorithm) for algorithm in algorithms.split(","))
        test.equal(test.run("sum", "-a", algorithms, "large").key(),
                   (3, out, told(ATTACK, b"large")), f"a large file, {algorithms}")
    test.equal(test.run("sum", "-a", "sha1", stdin=large).key(),
               (3, line(large, b"-"), told(ATTACK, b"-")), "a large input")


def check_lists(test):
    """An attack does not change a verdict, but the exit code."""
    hello, attack = line(HELLO, b"hello"), line(ATTACK.data, b"attack")
    wrong = b"0" * 40 + b"  attack\n"
    at = told(ATTACK, b"list: %d: attack")
    mismatch = (b"blocksha: list: 1: attack: SHA1 expected " + b"0" * 40 + b", found " +
                ATTACK.digest + b"\n")
    warning = b"blocksha: list: WARNING: 1 computed checksum did NOT match\n"
    rows = [
        # list, options, exit code, verdicts, messages
        (attack, "", 3, b"attack: OK\n", at % 1),
        (hello + attack + hello, "", 3, b"hello: OK\nattack: OK\nhello: OK\n", at % 2),
        (hello + attack + hello, "--quiet", 3, b"", at % 2),
        (hello + attack + hello, "--warn", 3, b"hello: OK\nattack: OK\nhello: OK\n", at % 2),
        (hello + attack + hello, "--status", 3, b"", b""),
        (hello + attack + hello, "--no-detect", 0, b"hello: OK\nattack: OK\nhello: OK\n", b""),
        (attack, "--ignore-missing --strict -a sha1", 3, b"attack: OK\n", at % 1),
        (attack + attack, "--quiet", 3, b"", at % 1 + at % 2),
        (wrong, "", 3, b"attack: FAILED\n", at % 1 + mismatch + warning),
        (wrong, "--quiet", 3, b"attack: FAILED\n", at % 1 + mismatch + warning),
        (wrong, "--status", 3, b"", b""),
        (wrong, "--no-detect", 1, b"attack: FAILED\n", mismatch + warning),
        (wrong, "--no-detect --status", 1, b"", b""),
        (b"SHA1 (attack) = " + ATTACK.digest + b"\n", "", 3, b"attack: OK\n", at % 1),
        # SHA-256 has nothing to say of it
        (line(ATTACK.data, b"attack", "sha256"), "", 0, b"attack: OK\n", b""),
        (attack + line(ATTACK.data, b"attack", "sha256"), "", 3, b"attack: OK\nattack: OK\n",
         at % 1),
        (attack + line(ATTACK.data, b"attack", "sha256"), "-a sha256 --quiet", 0, b"",
         b"blocksha: list: WARNING: 1 line is improperly formatted\n"),
        # what fails besides it does not take the 3 away
        (b"junk\n" + attack, "--strict --quiet", 3, b"",
         at % 2 + b"blocksha: list: WARNING: 1 line is improperly formatted\n"),
    ]
    for text, options, status, out, err in rows:
        write("list", text)
        test.equal(test.run("sum", "-c", *options.split(), "list").key(), (status, out, err),
                   f"sum -c {options} of {text}")
    write("list", attack)
    write("other", hello)
    for lists, status in (("list other", 3), ("other list", 3), ("list missing", 3),
                          ("missing list", 3), ("other missing", 1), ("other", 0)):
        test.equal(test.run("sum", "-c", *lists.split()).status, status, f"sum -c {lists}")
    result = test.run("sum", "-c", stdin=attack)
    test.equal(result.key(), (3, b"attack: OK\n", told(ATTACK, b"'standard input': 1: attack")),
               "a list as input")


def check_coreutils(test):
    """Under the name sha1sum an attack adds a line to standard error and makes the status 1."""
    if not test.coreutils:
        unavailable("the names of coreutils with an attack")
        return
    write("bad", b"0" * 40 + b"  attack\n")
    write("good", line(HELLO, b"hello") + line(ATTACK.data, b"attack") + b"junk\n" +
          b"0" * 40 + b"  missing\n")
    message = told(ATTACK, b"attack", b"sha1sum")
    for words in ("attack", "hello attack hello", "-b attack", "--tag attack", "-z attack",
                  "missing attack", "-c good", "-c --quiet good", "-c -w good", "-c --status good",
                  "-c --ignore-missing good", "-c --strict good", "-c bad", "-c --status bad",
                  "-c --quiet bad"):
        original = test.original("sha1sum", *words.split())
        result = test.alias("sha1sum", *words.split())
        test.equal((result.status, result.out), (1, original.out), f"sha1sum {words}")
        test.equal(result.err.count(message), 1, f"sha1sum {words}: {message}")
        test.equal(result.err.replace(message, b""), original.err,
                   f"sha1sum {words}: other messages")
    for name in COLLISIONS:
        test.compare("sha256sum", name)
        write("list", test.original("sha256sum", name).out)
        test.compare("sha256sum", "-c", "list")
    test.equal(test.alias("sha1sum", "-", stdin=ATTACK.data).key(),
               (1, ATTACK.digest + b"  -\n", told(ATTACK, b"-", b"sha1sum")), "sha1sum -")


def check_faults(test):
    """A file that cannot be read to its end, a list that breaks off: the attack counts."""
    shim = test.build_shim()
    if shim is None:
        return
    preload = {"LD_PRELOAD": shim}
    for at, told_of in ((319, b""), (320, told(ATTACK, b"large")),
                        (12 * PIECE, told(ATTACK, b"large"))):
        result = test.run("sum", "-a", "sha1", "large", "hello",
                          env={**preload, "FAULT_EIO": str(at), "FAULT_NAME": "/large"})
        test.equal(result.key(), (3 if told_of else 1, line(HELLO, b"hello"),
                                  b"blocksha: large: at byte %d: Input/output error\n" % at +
                                  told_of), f"an input error at {at}")
    text = line(ATTACK.data, b"attack") + line(HELLO, b"hello")
    write("list", text)
    result = test.run("sum", "-c", "list", env={**preload, "FAULT_EIO": str(len(text) - 20),
                                                "FAULT_NAME": "/list"})
    test.equal(result.status, 3, "an input error of the list")


def check_shared(test):
    """The whole files, where they are at hand."""
    folder = os.path.join(test.shared, "data", "sha1-collisions")
    if not os.path.isdir(folder):
        unavailable("the files of the published collisions are not at hand")
        return
    attacked = {"shattered-1.pdf": ATTACK, "shattered-2.pdf": ATTACK,
                "sha-mbles-1.bin": COLLISIONS["sha-mbles-1"],
                "sha-mbles-2.bin": COLLISIONS["sha-mbles-2"],
                "sha1_reducedsha_coll.bin": None}
    os.symlink(folder, "shared")
    with open("shared/EXPECTED.sums", "rb") as file:
        sums = [row for row in file if not row.startswith(b"#")]
    test.equal(len(sums), 2 * len(attacked), "sums of all files")
    for name, collision in attacked.items():
        path = b"shared/" + name.encode()
        rows = [row.replace(b"  ", b"  shared/") for row in sums if row.split()[1] == name.encode()]
        out = b"".join(sorted(rows, key=len))
        status, err = (3, told(collision, path)) if collision else (0, b"")
        test.equal(test.run("sum", "-a", "sha1,sha256", path).key(), (status, out, err), name)
        test.equal(test.run("sum", "-a", "sha1,sha256", "--no-detect", path).key(), (0, out, b""),
                   f"{name} --no-detect")


def main():
    test = Test()
    check_known(test)
    check_files(test)
    check_lists(test)
    check_coreutils(test)
    check_faults(test)
    check_shared(test)
    test.finish()


main()
