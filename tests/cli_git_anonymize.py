#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""git anonymize: agreement with git fast-export --anonymize, with a second implementation of the
rule on random streams, at every place where a piece can end; the saved mapping; bounded memory."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, Test, limit_memory, unavailable, write

PIECE = 128 * 1024  # cli/git_anonymize.c reads so much at a time
NAME = re.compile(rb"(?<![0-9A-Za-z_])([0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})(?![0-9A-Za-z_])")
GIT = {**C_LOCALE, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent",
       "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
       "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com"}


class Rule:
    """What the manual page says, in another language."""

    def __init__(self):
        self.numbers = {}

    def stand_in(self, match):
        name = match.group(1).lower()
        if not name.strip(b"0"):
            return match.group(1)
        number = self.numbers.setdefault(name, len(self.numbers) + 1)
        return b"%0*x" % (len(name), number)

    def apply(self, data):
        return NAME.sub(self.stand_in, data)

    def mapping(self):
        return b"".join(b"%s %0*x\n" % (name, len(name), number)
                        for name, number in self.numbers.items())


def check_git(test):
    """The stand-ins of git itself, in both formats, where it makes them."""
    if shutil.which("git") is None:
        unavailable("git is not installed")
        return

    def git(*arguments):
        return subprocess.run(["git", *arguments], check=True, capture_output=True, env=GIT).stdout

    for name_format in ("sha1", "sha256"):
        git("init", "-q", "-b", "main", "--object-format", name_format, "repository")
        os.chdir("repository")
        for i in range(40):
            write(f"f{i % 7}", b"%d\n" % i)
            os.makedirs(f"d{i % 3}", exist_ok=True)
            write(f"d{i % 3}/g", b"%d\n" % (i // 2))
            git("add", "-A")
            git("commit", "-q", "-m", f"commit {i}")
        git("checkout", "-q", "-b", "side", "HEAD~20")
        write("s", b"s")
        git("add", "-A")
        git("commit", "-q", "-m", "side")
        git("merge", "-q", "-m", "merge", "-s", "ours", "main")
        git("tag", "-a", "-m", "tag", "v1")
        for options in (["--all"], ["--all", "--no-data"], ["main", "--no-data"],
                        ["side", "^main~5", "--no-data"], ["--all", "--no-data", "--full-tree"]):
            expected = NAME.findall(git("fast-export", "--anonymize", *options))
            stream = git("fast-export", *options)
            result = test.run("git", "anonymize", stdin=stream)
            test.equal((result.status, result.err), (0, b""), f"{name_format} {options}")
            test.equal(NAME.findall(result.out), expected, f"{name_format} {options}: names")
            test.equal(NAME.sub(b"", result.out), NAME.sub(b"", stream),
                       f"{name_format} {options}: all else")
        os.chdir("..")
        shutil.rmtree("repository")


def digits(test, count):
    return bytes(test.random.choices(b"0123456789abcdef", k=count))


def random_stream(test, size):
    """Names, runs that are nearly names, and what may stand around them."""
    names = [digits(test, test.random.choice((40, 64))) for _ in range(20)]
    names += [b"0" * 40, b"0" * 64, names[0].upper()]
    around = [b" ", b"\n", b"_", b"g", b"Z", b"-", b"/", b"\0", b"\xff", b".pack", b"", b"from ",
              b"blob\ndata 12\n", b"\xc3\xa4", b"0", b"x" * 50]
    out = []
    length = 0
    while length < size:
        kind = test.random.randrange(6)
        if kind < 3:
            part = test.random.choice(names)
        elif kind == 3:
            part = digits(test, test.random.choice((1, 38, 39, 41, 63, 65, 104, 128, 300)))
        else:
            part = digits(test, test.random.choice((40, 64)))
        out += [part, test.random.choice(around)]
        length += len(out[-1]) + len(part)
    return b"".join(out)


def check_random(test):
    for size in (0, 10, 100, 1000, 10000, 3 * PIECE, 2000000):
        stream = random_stream(test, size)
        rule = Rule()
        expected = rule.apply(stream)
        if os.path.exists("map"):
            os.unlink("map")
        result = test.run("git", "anonymize", "--map", "map", stdin=stream)
        test.equal(result.key(), (0, expected, b""), f"{size} random bytes")
        with open("map", "rb") as file:
            test.equal(file.read(), rule.mapping(), f"{size} random bytes: mapping")
        # a second stream goes on with the same mapping
        more = stream[size // 2:] + random_stream(test, 1000)
        result = test.run("git", "anonymize", "--map", "map", stdin=more)
        test.equal(result.key(), (0, rule.apply(more), b""), f"{size} random bytes, reused")
        with open("map", "rb") as file:
            test.equal(file.read(), rule.mapping(), f"{size} random bytes: mapping, reused")
    for size in range(0, 140):
        for end in (b"", b"\n", b"_"):
            stream = b"a" * size + end
            result = test.run("git", "anonymize", stdin=stream)
            test.equal(result.out, Rule().apply(stream), f"{size} digits and {end!r}")


def check_pieces(test):
    """A stream cut at every place: each write is a piece of its own for the reader."""
    stream = b"".join(
        before + digits(test, count) + after for count in (39, 40, 41, 64, 65, 66)
        for before in (b" ", b"x") for after in (b"\n", b"_"))[:500]
    expected = Rule().apply(stream)
    shim = test.build_shim()
    if shim is not None:
        for size in range(1, 140):
            result = test.run("git", "anonymize", stdin=stream,
                              env={"LD_PRELOAD": shim, "FAULT_SHORT": str(size)})
            test.equal(result.key(), (0, expected, b""), f"in reads of {size} bytes")
        for at in range(0, len(stream), 7):
            # cut once, at this place
            reader, writer = os.pipe()

            def feed():
                os.write(writer, stream[:at])
                os.write(writer, stream[at:])
                os.close(writer)

            thread = threading.Thread(target=feed)
            thread.start()
            result = test.run("git", "anonymize", stdin=reader, env={
                "LD_PRELOAD": shim, "FAULT_EINTR": "3", "FAULT_WRITE_EINTR": "2",
                "FAULT_WRITE_SHORT": "100"})
            thread.join()
            os.close(reader)
            test.equal(result.key(), (0, expected, b""), f"cut at {at}")
        for at in (0, 1, 100, 499):
            result = test.run("git", "anonymize", stdin=stream,
                              env={"LD_PRELOAD": shim, "FAULT_WRITE_ENOSPC": str(at)})
            test.equal(result.key(), (1, expected[:at], b"blocksha: write error: No space left on "
                                                        b"device\n"), f"full at {at}")
    # at the end of the program's own pieces
    for place in range(PIECE - 70, PIECE + 6):
        name = digits(test, 64)
        for stream in (b" " * place + name + b"\n", b"." * place + name[:40],
                       b"-" * (place - 1) + b"_" + name):
            result = test.run("git", "anonymize", stdin=stream)
            test.equal(result.out, Rule().apply(stream), f"a name at {place}")


def check_map(test):
    name, longer = b"1" * 40, b"2" * 64
    good = (b"%s %040x\n" % (name, 1)) + (b"%s %064x\n" % (longer, 2))
    for bad, line in (
            (b"x", 1), (good + b"\n", 3), (good[:-1], 2), (good.replace(b"1 0", b"1  0"), 1),
            (good + b"%s %040x\n" % (name, 3), 3), (good + b"%s %040x\n" % (b"3" * 40, 4), 3),
            (good + b"%s %064x\n" % (b"3" * 40, 3), 3), (good + b"\0" + good, 3),
            (b"%s %040x\n" % (name, 2), 1), (b"1" * 300 + b"\n", 1),
            (good + b"%s %040x\n" % (b"g" * 40, 3), 3)):
        write("map", bad)
        result = test.run("git", "anonymize", "--map", "map", stdin=b"text")
        test.equal(result.key(), (1, b"", b"blocksha: map: %d: not the next line of a mapping\n"
                                  % line), f"mapping {bad!r}")
        with open("map", "rb") as file:
            test.equal(file.read(), bad, "what is no mapping is left alone")
    write("map", good)
    result = test.run("git", "anonymize", "--map", "map", stdin=b"3" * 40 + b" " + name)
    test.equal(result.out, b"%040x %040x" % (3, 1), "numbers go on")
    result = test.run("git", "anonymize", "--map", "no/folder", stdin=b"x")
    test.equal((result.status, result.err),
               (1, b"blocksha: no/folder: No such file or directory\n"), "no folder")
    result = test.run("git", "anonymize", "--map", ".", stdin=b"x")
    test.equal((result.status, result.out), (1, b""), "a folder")
    # no room for the mapping: the old one stays
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    write("map", good)
    many = b"".join(b"%040x\n" % (1 << 90 | i) for i in range(100))
    result = test.run("git", "anonymize", "--map", "map", stdin=many, before=limit)
    test.equal((result.status, len(result.out), result.err),
               (1, len(many), b"blocksha: map: File too large\n"), "no room for the mapping")
    with open("map", "rb") as file:
        test.equal(file.read(), good, "the old mapping stays")
    # the reader of the stream went away: who went out keeps the stand-in
    os.unlink("map")
    with open("/dev/full", "wb") as full:
        result = test.run("git", "anonymize", "--map", "map", stdin=name, stdout=full)
    test.equal(result.key(), (1, b"", b"blocksha: write error: No space left on device\n"), "full")
    with open("map", "rb") as file:
        test.equal(file.read(), b"%s %040x\n" % (name, 1), "the mapping of a broken stream")
    test.equal(sorted(os.listdir(".")), ["map"], "nothing is left over")


def check_size(test):
    """A stream of any size takes the memory of its distinct names."""
    if test.is_sanitized():
        unavailable("a sanitizer is there, memory cannot be limited")
        return
    names = [digits(test, 40) for _ in range(1000)]
    block = b"\n".join(names) + b"\n"
    expected = Rule().apply(block)
    times = 60 if not os.environ.get("BLOCKSHA_TEST_QUICK") else 10
    with open("large", "wb") as file:
        for _ in range(times * 10):
            file.write(block)
    with open("large", "rb") as file:
        result = test.run("git", "anonymize", stdin=file, before=limit_memory(20 << 20))
    test.equal(result.key(), (0, expected * times * 10, b""), "a large stream in 20 MiB")
    os.unlink("large")
    # many names: each once, and their numbers in order
    many = b"".join(b"%040x\n" % (i * 0x9e3779b97f4a7c15) for i in range(1, 200001))
    result = test.run("git", "anonymize", stdin=many)
    test.equal(result.out, b"".join(b"%040x\n" % i for i in range(1, 200001)), "200000 names")


def check_usage(test):
    for arguments in (["file"], ["--no-such-option"], ["--map"]):
        result = test.run("git", "anonymize", *arguments, stdin=b"x")
        test.equal((result.status, result.out), (2, b""), f"{arguments}")
    test.check(b"--map=FILE" in test.run("git", "anonymize", "--help").out, "--help")
    result = test.run("git", "anonymize", stdin=None)
    test.equal(result.key(), (1, b"", b"blocksha: -: Bad file descriptor\n"), "stdin is closed")


def main():
    test = Test()
    check_git(test)
    check_random(test)
    check_map(test)
    check_pieces(test)
    check_size(test)
    check_usage(test)
    test.finish()


main()
