#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manual pages: their examples are run and print what stands there, and they describe the
options that the program has."""

import glob
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from collisions import COLLISIONS
from harness import C_LOCALE, Test, write


def unescape(line):
    """The text of a line of a literal display."""
    for code, text in (("\\-", "-"), ("\\&", ""), ("\\(aq", "'"), ("\\e", "\\")):
        line = line.replace(code, text)
    return line


def examples(page):
    """(command, output) of each "$ " line in the displays of the section EXAMPLES."""
    section = re.search(r"^\.Sh EXAMPLES\n(.*?)^\.Sh ", page, re.MULTILINE | re.DOTALL)
    for display in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed$", section[1],
                              re.MULTILINE | re.DOTALL):
        command, output = None, ""
        for line in map(unescape, display.splitlines()):
            if not line.startswith("$ "):
                output += line + "\n"
                continue
            if command is not None:
                yield command, output
            command, output = line[2:], ""
        yield command, output


def check_examples(test, name, page):
    os.makedirs(f"{name}/work")
    os.symlink(test.blocksha, f"{name}/blocksha")
    # no example needs more of this file than its beginning
    write(f"{name}/work/shattered-1.pdf", COLLISIONS["shattered-1"].data)
    path = os.path.abspath(name) + ":" + C_LOCALE["PATH"]
    count = 0
    for command, output in examples(page):
        result = subprocess.run(["sh", "-c", command], cwd=f"{name}/work", capture_output=True,
                                env={**C_LOCALE, "PATH": path}, stdin=subprocess.DEVNULL)
        test.equal((result.stdout, result.stderr), (output.encode(), b""), f"{name}: $ {command}")
        count += 1
    test.check(count >= 1, f"{name}: there are examples")


def help_of(test, subcommand):
    """What --help prints; for a subcommand that has commands, also that of all of them."""
    text = test.run(subcommand, "--help").out.decode()
    for command in re.findall(r"^  ([a-z][\w-]*) ", text, re.MULTILINE):
        text += test.run(subcommand, command, "--help").out.decode()
    return text


def check_options(test, subcommand, page):
    """Each option of --help has an entry in the page, and each entry is an option."""
    text = help_of(test, subcommand)
    helped = set(re.findall(r"^ +(?:-(\w), )?--([\w-]+)(=?)", text, re.MULTILINE))
    entries = set()
    for line in re.findall(r"^\.It (F[lL] .*)$", page, re.MULTILINE):
        short = re.match(r"Fl (\w)\b", line)
        long = re.search(r"Fl Fl ([\w-]+)", line)
        entries.add((short[1] if short else "", long[1], "=" if "Ns = Ns" in line else ""))
    test.equal(sorted(entries), sorted(helped), f"options in blocksha-{subcommand}(1), --help")


def main():
    test = Test()
    paths = sorted(glob.glob(os.path.join(test.source, "docs", "man", "*.1")))
    test.check(len(paths) >= 2, "there are manual pages")
    for path in paths:
        with open(path) as file:
            page = file.read()
        name = os.path.basename(path)
        check_examples(test, name, page)
        if name != "blocksha.1":
            check_options(test, name.removeprefix("blocksha-").removesuffix(".1"), page)
        else:
            text = test.run("--help").out.decode()
            helped = re.findall(r"^  (\w[\w-]*) ", text, re.MULTILINE)
            test.equal(re.findall(r"^\.It Cm ([\w-]+)$", page, re.MULTILINE), helped,
                       "subcommands in blocksha(1) and in --help")
    test.finish()


main()
