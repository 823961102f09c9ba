#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Several thousand files of this machine: the same lines as coreutils, and both algorithms in
one run; lists of them verify, by us and by coreutils."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import ALIASES, Test, write

FILES = 4000
SMALL = 64 * 1024          # most of them are at most so long
LARGE = 20                 # and some are longer
LARGE_LIMIT = 8 * 1024 * 1024


def real_files():
    """Files of /usr, from as many folders as possible, in a fixed order."""
    small, large = [], []
    for folder, folders, files in os.walk("/usr"):
        folders.sort()
        taken = 0
        for name in sorted(files):
            path = os.path.join(folder, name)
            try:
                size = os.stat(path).st_size
            except OSError:
                continue
            if not os.path.isfile(path) or not os.access(path, os.R_OK):
                continue
            if size <= SMALL and taken < 12 and len(small) < FILES:
                small.append(path)
                taken += 1
            elif SMALL < size <= LARGE_LIMIT and len(large) < LARGE and size % 3 == 0:
                large.append(path)
        if len(small) == FILES and len(large) == LARGE:
            break
    return small + large


def main():
    test = Test(needs_coreutils=True)
    files = real_files()
    print(f"{len(files)} files")
    test.check(len(files) >= 2000, "enough files in /usr")
    lines = {}
    for name in ALIASES:
        lines[name] = test.compare(name, *files, what=f"{name} of real files").out
        result = test.run("sum", "-a", name.removesuffix("sum"), *files)
        test.equal(result.key(), (0, lines[name], b""), f"sum -a of {name}")

    both = test.run("sum", "-a", "sha1,sha256", *files)
    pairs = zip(lines["sha1sum"].splitlines(True), lines["sha256sum"].splitlines(True))
    expected = b"".join(one + two for one, two in pairs)
    test.equal(both.key(), (0, expected, b""), "sum -a sha1,sha256")

    write("list", both.out)
    result = test.run("sum", "-c", "--quiet", "list")
    test.equal(result.key(), (0, b"", b""), "sum -c of both")
    for name in ALIASES:
        write("list", lines[name])
        test.compare(name, "-c", "list", what=f"{name} -c of real files")
    test.finish()


main()
