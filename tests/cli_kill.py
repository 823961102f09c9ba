#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""SIGKILL at random moments of --update: the list is the old or the new one, whole. The number of
kills is in BLOCKSHA_TEST_KILLS."""

import hashlib
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, Test, write

FILES = 5000  # enough that writing the list takes a while, too


def make_version(version):
    """Changes half of the files, so that their lines are another list."""
    for number in range(0, FILES, 2):
        os.utime(f"d/{number:05}", ns=(0, (version + 1) * 10**9 + number))


def expected_list(version):
    out = []
    for number in range(FILES):
        name = f"d/{number:05}"
        time_ns = (version + 1) * 10**9 + number if number % 2 == 0 else 10**9
        digest = hashlib.sha256(name.encode()).hexdigest()
        out.append(f"# blocksha: size={len(name)} time={time_ns // 10**9}.{time_ns % 10**9:09} "
                   f"name={name}\n{digest}  {name}\n")
    return "".join(out).encode()


def start(test):
    return subprocess.Popen([test.blocksha, "sum", "--update", "list", "-r", "d"], env=C_LOCALE,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    test = Test()
    kills = int(os.environ.get("BLOCKSHA_TEST_KILLS", "30"))
    os.mkdir("d")
    for number in range(FILES):
        name = f"d/{number:05}"
        write(name, name.encode())
        os.utime(name, ns=(0, 10**9))
    versions = [expected_list(version) for version in (0, 1)]
    make_version(0)
    test.equal(start(test).wait(), 0, "the first list")
    with open("list", "rb") as file:
        test.equal(file.read(), versions[0], "the first list")

    # The moments are spread over a time that follows what a run takes: a busy machine takes more
    # and more of it, so one measurement would leave all kills before, or behind, the end.
    make_version(1)
    begin = time.monotonic()
    test.equal(start(test).wait(), 0, "the second list")
    window = time.monotonic() - begin
    shortest = longest = window
    present = 1
    counts = {"old": 0, "new": 0}
    for _ in range(kills):
        wanted = 1 - present
        make_version(wanted)
        process = start(test)
        time.sleep(test.random.uniform(0, window))
        process.send_signal(signal.SIGKILL)
        process.wait()
        with open("list", "rb") as file:
            text = file.read()
        if not test.check(text in versions, "the list is one of two",
                          f"  {len(text)} bytes, not {len(versions[0])}"):
            break
        came_early = text == versions[present]
        counts["old" if came_early else "new"] += 1
        window *= 1.3 if came_early else 1 / 1.3
        shortest, longest = min(shortest, window), max(longest, window)
        present = versions.index(text)
    print(f"killed within {shortest:.3f} to {longest:.3f} s: before the new list was there "
          f"{counts['old']} times, after it {counts['new']} times")
    test.check(kills < 20 or min(counts.values()) > 0, "kills before and after the change",
               f"  {counts}")
    make_version(0)
    test.equal(start(test).wait(), 0, "after all of them")
    with open("list", "rb") as file:
        test.equal(file.read(), versions[0], "the list after all of them")
    test.finish()


main()
