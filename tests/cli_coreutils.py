#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Under the names sha1sum and sha256sum the program does what coreutils 9.1 does: standard
output, standard error and exit status are compared for a table of command lines."""

import itertools
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import ALIASES, Test, write

FILES = {
    "f": b"hello\n",
    "empty": b"",
    "binary": bytes(range(256)) * 300,
    "with space": b"1",
    "back\\slash": b"2",
    "new\nline": b"3",
    "cr\rname": b"4",
    "-dash": b"5",
    "*star": b"6",
    "colon:name": b"7",
    "it's": b"8",
    "tab\tname": b"9",
    b"latin\xff".decode("utf-8", "surrogateescape"): b"10",
}

OPTIONS = ["-b", "-c", "-t", "-w", "-z", "--tag", "--quiet", "--status", "--strict",
           "--ignore-missing"]

COMMANDS = [
    # operands
    "", "f", "f empty", "missing", "f missing f", "d", "f d f", "-", "- -", "f - f", "-- f",
    "-- -dash", "-- -c", "./-dash", "/proc/self/mem f", "/dev/null", "''", "f ''", "d/", "f/",
    "f/x", "/proc/version", "'with space' 'no such'", "no:such", "-- --", "--",
    # options apart, together, abbreviated
    "--binary f", "--text f", "-b -t f", "-t -b f", "-bt f", "--tag f", "--tag -b f", "-b --tag f",
    "--tag -t f", "-t --tag f", "--text --tag --binary f", "--tag --text --tag f",
    "--zero f empty", "-z --tag f", "-bz f", "-zz f", "f -b", "f --tag empty", "f -- -b",
    "--bin f", "--b f", "--che good", "--q -c good", "--i -c good", "--w -c good", "--z f",
    "--ta f", "--te f", "--str -c good", "--sta -c good", "--c=x", "--check=x good", "--tag=", "--tag=x f",
    # wrong ones
    "--bogus", "--bogus f", "-x", "-bx f", "-a", "-a sha1 f", "-l 160 f", "--t f", "--s -c good",
    "--st -c good", "--=x", "--=", "-h", "-v", "-V", "--algorithm=sha1 f", "--algorithm f",
    "--raw f", "--base64 f", "--untagged f", "--length=8 f", "--debug f", "-W foo", "-:", "-?",
    "--no-detect f", "--no f", "--no-detect -c good",
    "--check --bogus good", "-c -x", "--no-check", "---", "--tag--", "-b- f", "-c- good",
    # combinations that are refused, and which refusal comes first
    "-cz good", "-c --tag good", "-cb good", "-ct good", "-c --tag -t good", "-c --tag -z good",
    "-c -z -b good", "--status f", "--warn f", "-w f", "--quiet f", "--strict f",
    "--ignore-missing f", "--ignore-missing --strict f", "--status --strict f",
    "--status --quiet f", "--quiet --warn f", "--warn --status f", "--strict --quiet",
    "--tag -t --strict f", "-z -c missing --bogus",
    # lists
    "-c good", "-c tagged", "-c bad", "-c garbage", "-c empty", "-c missing", "-c d", "-c absent",
    "-c good bad", "-c bad good", "-c good missing good", "-c f", "-c", "-c -", "-c good - good",
    "-c dashes", "-c reversed", "-c reversed good", "-c good reversed", "-c good good",
    "-c 'odd names'", "-c unreadable", "-c onlyabsent", "-c binary",
    "--status --status -c good", "-c --status bad absent garbage", "-c -w garbage f empty",
    "-c --quiet good bad absent", "-c --strict garbage", "-c --strict good",
    "-c --ignore-missing absent", "-c --ignore-missing onlyabsent",
    "-c --ignore-missing --status onlyabsent", "-c --ignore-missing --strict garbage",
    "-c --quiet --status bad", "-c --status --quiet bad", "-c --warn --quiet garbage bad",
    "-c --quiet --warn garbage bad", "-c --status --warn garbage bad",
    "-c --warn --status garbage bad", "f -c good", "good -c", "good bad -c --quiet",
]

def prepare(test, name):
    """Files, and lists for one algorithm, made by coreutils itself."""
    def sums(*arguments):
        return test.original(name, *arguments).out

    for file, data in FILES.items():
        write(file, data)
    os.makedirs("d", exist_ok=True)
    good = sums("f", "empty", "with space")
    digits = good.split()[0]
    wrong = bytes([good[0] ^ 1]) + good[1:]
    absent = digits + b"  not there\n"
    write("good", good)
    write("tagged", sums("--tag", *FILES) if name == "sha1sum" else sums("--tag", "--", *FILES))
    write("odd names", sums("--", *FILES))
    write("bad", good + wrong + wrong)
    write("garbage", b"junk\n# comment\n\n" + good + b"more junk\n")
    write("absent", good + absent + absent)
    write("onlyabsent", absent)
    write("dashes", digits + b"  -\n")
    write("reversed", digits + b" f\n" + digits + b"  f\n")
    write("unreadable", good + digits + b"  d\n" + digits + b"  /proc/self/mem\n")


def split(line):
    """A command line in which only '...' quotes."""
    words, quoted = [], False
    for number, part in enumerate(line.split("'")):
        if number % 2:
            words.append(part)
        else:
            words += part.split()
    return words


def main():
    test = Test(needs_coreutils=True)
    for name in ALIASES:
        prepare(test, name)
        good = open("good", "rb").read()
        for line in COMMANDS:
            test.compare(name, *split(line))
            test.compare(name, *split(line), stdin=good + b"junk\n")
        # every pair of options, and more of them at random
        for pair in itertools.product(OPTIONS, OPTIONS):
            test.compare(name, *pair, "good")
            test.compare(name, *pair, "bad", "absent", "garbage", "f")
        for _ in range(100):
            words = test.random.choices(OPTIONS, k=test.random.randint(3, 6))
            words.insert(test.random.randrange(len(words) + 1), "garbage")
            test.compare(name, *words, "onlyabsent")
        for words in (["f", "-c", "good"], ["-b", "f", "-t"], ["-c", "good", "--status"]):
            test.compare(name, *words, env={"POSIXLY_CORRECT": "1"})
        # the name in messages is argv[0] as it is
        for argv0 in (f"/usr/local/bin/{name}", f"./{name}", f"a b/{name}"):
            for words in (["missing"], ["--bogus"], ["--tag", "-t"], ["-c", "garbage"]):
                test.compare(name, *words, argv0=argv0)
        # the order of both streams where they end in the same place
        for words in (["f", "missing", "f"], ["-c", "-w", "garbage", "bad", "unreadable"]):
            test.compare(name, *words, stderr=subprocess.STDOUT)
        # closed and full streams
        for words in ([], ["f"], ["f", "-", "f"], ["-"], ["-c"], ["-c", "dashes"],
                      ["-", "f", "-"], ["-c", "good", "-"], ["missing"], ["-c", "good"],
                      ["-c", "--status", "good"], ["-c", "garbage"], ["--bogus"]):
            test.compare(name, *words, stdin=None)
            test.compare(name, *words, stdout="closed")
            test.compare(name, *words, stderr="closed")
            test.compare(name, *words, stdin=None, stdout="closed")
            with open("/dev/full", "wb") as full:
                test.compare(name, *words, stdout=full)
                test.compare(name, *words, stderr=full)
            with open("d/readonly", "wb"), open("d/readonly", "rb") as readonly:
                test.compare(name, *words, stdout=readonly)
        folder = os.open("d", os.O_RDONLY)
        for words in ([], ["-"], ["-c"], ["-c", "-"], ["f", "-"]):
            test.compare(name, *words, stdin=folder)
        os.close(folder)
        # standard input that is partly read, and a pipe without a reader
        for words in ([], ["-", "-"], ["-c"], ["f", "-"]):
            streams = []
            for _ in range(2):
                file = open("binary", "rb", buffering=0)
                file.seek(1000)
                streams.append(file)
            expected = test.original(name, *words, stdin=streams[0])
            test.equal(test.alias(name, *words, stdin=streams[1]).key(), expected.key(),
                       f"{name} {words} from the middle of a file")
            test.equal(streams[1].tell(), streams[0].tell(), "where standard input stands then")
            for file in streams:
                file.close()
        for handler in (signal.SIG_DFL, signal.SIG_IGN):
            for words in (["f", "missing", "f"], ["-c", "bad"], ["-c", "--status", "bad"]):
                results = []
                for runner in (test.original, test.alias):
                    reader, writer = os.pipe()
                    os.close(reader)
                    results.append(runner(name, *words, stdout=writer, before=lambda:
                                          signal.signal(signal.SIGPIPE, handler)).key())
                    os.close(writer)
                test.equal(results[1], results[0], f"{name} {words}, closed pipe, {handler}")
        # help and version are our own, but their status is not
        for words in (["--help"], ["--version"], ["--help", "--bogus"], ["f", "--help"],
                      ["--vers"], ["--bogus", "--help"], ["-t", "--tag", "--help"]):
            ours, original = test.alias(name, *words), test.original(name, *words)
            test.equal((ours.status, ours.err, ours.out != b""),
                       (original.status, original.err, original.out != b""),
                       f"{name} {words}")
        with open("/dev/full", "wb") as full:
            test.compare(name, "--help", stdout=full)
    test.finish()


main()
