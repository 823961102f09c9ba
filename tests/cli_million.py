#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A tree of a million files: right lines in the right order, bounded memory, and time that grows as
the tree does. A file of 8 GiB of nothing."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, Test, unavailable

KINDS = 16    # of contents: the files are links to as many
NAMES = 1000  # files in a folder
# KiB: what the program has anyway, two workers with their buffers, a folder of names and the jobs
# that are on their way.
MEMORY = 64 * 1024
GIB = 1 << 30


def measured(test, *arguments):
    """Output, seconds of processor, KiB of memory."""
    with open("out", "wb") as out:
        process = subprocess.Popen([test.blocksha, "sum", *arguments], stdout=out, env=C_LOCALE)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    test.equal(process.returncode, 0, f"{arguments}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def make(test, root, folders, linked):
    """A tree of NAMES files a folder; the lines that are right for it go into a file."""
    contents = [test.random.randbytes(test.random.randrange(1, 200)) for _ in range(KINDS)]
    digests = [hashlib.sha256(data).hexdigest() for data in contents]
    os.mkdir(root)
    with open(f"{root}.lines", "w", encoding="ascii") as lines:
        for folder in range(folders):
            path = f"{root}/{folder:03}"
            os.mkdir(path)
            handle = os.open(path, os.O_RDONLY)
            for number in range(NAMES):
                kind = (folder + number) % KINDS
                name = f"{number:03}"
                if linked and number >= KINDS:
                    os.link(f"{number % KINDS:03}", name, src_dir_fd=handle, dst_dir_fd=handle)
                else:
                    fd = os.open(name, os.O_WRONLY | os.O_CREAT, dir_fd=handle)
                    os.write(fd, contents[kind])
                    os.close(fd)
                lines.write(f"{digests[kind]}  {path}/{name}\n")
            os.close(handle)


def same(one, other):
    return subprocess.run(["cmp", one, other], check=False).returncode == 0


def check_million(test):
    room = os.statvfs("/dev/shm") if os.path.isdir("/dev/shm") else None
    here = os.getcwd()
    # in memory, if there is room: a file of a page each, and its inode
    if room and room.f_bavail * room.f_frsize > 6 * GIB and (room.f_favail or 1 << 30) > 1_200_000:
        place = tempfile.mkdtemp(prefix="blocksha-test-", dir="/dev/shm")
        linked = False
    else:
        place = tempfile.mkdtemp(dir=here)
        unavailable("no room for a million files in memory; most of them are links now")
        linked = True
    os.chdir(place)
    try:
        results = {}
        for root, folders in (("small", 100), ("large", 1000)):
            begin = time.monotonic()
            make(test, root, folders, linked)
            print(f"{root}: made in {time.monotonic() - begin:.1f} s", flush=True)
            measured(test, "-r", root)  # what the file system has to remember, it does now
            test.check(same("out", f"{root}.lines"), f"{root}: lines")
            results[root] = min(measured(test, "-r", root) for _ in range(3))
            for jobs in ("1", "7"):
                measured(test, "-r", "-j", jobs, root)
                test.check(same("out", f"{root}.lines"), f"{root}: lines with -j {jobs}")
        print(f"seconds of processor and KiB: {results}", flush=True)
        ratio = results["large"][0] / results["small"][0]
        test.check(ratio < 15, "ten times the files take ten times the time", f"{ratio}")
        if not test.is_sanitized():
            test.check(results["large"][1] < MEMORY, "memory", f"{results}")
            test.check(results["large"][1] < results["small"][1] + 16 * 1024,
                       "memory does not grow with the tree", f"{results}")
    finally:
        os.chdir(here)
        shutil.rmtree(place)


def check_sparse(test):
    os.mkdir("s")
    with open("s/sparse", "wb") as file:
        file.truncate(8 * GIB)
    _, memory = measured(test, "-r", "s")
    if not test.is_sanitized():
        test.check(memory < MEMORY, "memory for a file of 8 GiB", f"{memory}")
    with open("out", "rb") as file:
        out = file.read()
    digest = hashlib.sha256()
    zeros = bytes(1 << 24)
    for _ in range(8 * GIB >> 24):
        digest.update(zeros)
    test.equal(out, digest.hexdigest().encode() + b"  s/sparse\n", "a file of 8 GiB")


def main():
    test = Test()
    check_million(test)
    check_sparse(test)
    test.finish()


main()
