#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reading and writing: files of every interesting size, pipes, files of /proc, readers that go
away, and reads that are short, interrupted or fail."""

import errno
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, Test, unavailable, write

PIECE = 128 * 1024  # cli/reader.c reads so much at a time,
ALONE = 8           # and after so many pieces it makes a thread

SIZES = sorted({0, 1, 63, 64, 65, 4095, 4096, 4097} | {
    n * PIECE + d for n in (1, 2, 8, 9, 12, 16, 17) for d in (-1, 0, 1)})


def line(data, name, algorithm="sha256"):
    return hashlib.new(algorithm, data).hexdigest().encode() + b"  " + name + b"\n"


def lines(data, name):
    return line(data, name, "sha1") + line(data, name)


def check_sizes(test, data):
    names = []
    for size in SIZES:
        names.append(f"s{size}")
        write(names[-1], data[:size])
    expected = b"".join(lines(data[:size], f"s{size}".encode()) for size in SIZES)
    test.equal(test.run("sum", "-a", "sha1,sha256", *names).key(), (0, expected, b""), "sizes")
    for size in SIZES:
        result = test.run("sum", stdin=data[:size])
        test.equal(result.key(), (0, line(data[:size], b"-"), b""), f"{size} bytes as input")
    return names, expected


def check_pipes(test, data):
    """A pipe in pieces of any size, slow ones too; several names for one standard input."""
    for sizes, count in (((1, 2, 3), 3000), ((65536,), 40), ((1, 65536, 4096, 300000), 20),
                         ((PIECE,), 17)):
        reader, writer = os.pipe()
        sent = b"".join(data[:sizes[i % len(sizes)]] for i in range(count))

        def feed():
            for i in range(count):
                os.write(writer, data[:sizes[i % len(sizes)]])
            os.close(writer)

        thread = threading.Thread(target=feed)
        thread.start()
        result = test.run("sum", "-a", "sha1,sha256", "-", "-", stdin=reader)
        thread.join()
        os.close(reader)
        test.equal(result.key(), (0, lines(sent, b"-") + lines(b"", b"-"), b""), f"pipe {sizes}")

    reader, writer = os.pipe()
    process = subprocess.Popen([test.blocksha, "sum"], stdin=reader, stdout=subprocess.PIPE,
                               env=C_LOCALE)
    os.close(reader)
    for part in (b"a", b"b", data[:70000]):
        time.sleep(0.05)
        os.write(writer, part)
    os.close(writer)
    test.equal(process.communicate()[0], line(b"ab" + data[:70000], b"-"), "a slow pipe")

    # a line is there as soon as its file is read: standard input is still open
    write("f", b"f")
    reader, writer = os.pipe()
    process = subprocess.Popen([test.blocksha, "sum", "f", "-"], stdin=reader,
                               stdout=subprocess.PIPE, bufsize=0, env=C_LOCALE)
    test.equal(process.stdout.read(len(line(b"f", b"f"))), line(b"f", b"f"), "the first line")
    os.close(writer)
    test.equal(process.communicate()[0], line(b"", b"-"), "the second line")
    os.close(reader)


def check_names(test):
    """Standard input is what has no name or the name -, even where something has that name."""
    data = b"x"
    os.mkdir("-")
    test.equal(test.run("sum", stdin=data).key(), (0, line(data, b"-"), b""), "folder named -")
    test.equal(test.run("sum", "-", stdin=data).key(), (0, line(data, b"-"), b""), "folder -")
    test.equal(test.run("sum", "./-").key(), (1, b"", b"blocksha: ./-: Is a directory\n"), "./-")
    os.rmdir("-")
    os.mkfifo("fifo")

    def feed():
        with open("fifo", "wb") as file:
            file.write(b"through a fifo")

    writer = threading.Thread(target=feed)
    writer.start()
    test.equal(test.run("sum", "fifo").out, line(b"through a fifo", b"fifo"), "a fifo by name")
    writer.join()


def check_proc(test):
    """Files whose size is said to be 0."""
    for name in ("/proc/version", "/proc/filesystems", "/proc/devices", "/proc/cmdline",
                 "/sys/kernel/mm/transparent_hugepage/enabled"):
        if not os.path.exists(name):
            unavailable(f"{name} is not there")
            continue
        for _ in range(5):  # it may change between the two reads
            with open(name, "rb") as file:
                data = file.read()
            result = test.run("sum", name)
            if result.out == line(data, name.encode()):
                break
        test.equal(result.key(), (0, line(data, name.encode()), b""), name)


def check_closed_pipe(test, names):
    """The reader went away: SIGPIPE ends the run, and where it is ignored, an error does."""
    for handler, status, message in (
            (signal.SIG_DFL, -signal.SIGPIPE, b""),
            (signal.SIG_IGN, 1, b"blocksha: write error: Broken pipe\n")):
        reader, writer = os.pipe()
        os.close(reader)
        result = test.run("sum", *names, stdout=writer,
                          before=lambda: signal.signal(signal.SIGPIPE, handler))
        os.close(writer)
        test.equal((result.status, result.err), (status, message), f"closed pipe, {handler}")
    # head takes the first line and goes
    process = subprocess.run(["sh", "-c", '"$0" sum "$@" | head -n 1', test.blocksha, *names],
                             capture_output=True, env=C_LOCALE)
    test.equal((process.stdout.count(b"\n"), process.stderr), (1, b""), "sum | head")


def check_faults(test, data, names, expected):
    shim = test.build_shim()
    if shim is None:
        return

    def faulty(*arguments, **settings):
        return test.run("sum", *arguments, env={"LD_PRELOAD": shim, **settings})

    sizes = ["-a", "sha1,sha256", *names]
    for settings in ({"FAULT_THREADS": "1"}, {"FAULT_EINTR": "2"}, {"FAULT_EINTR": "3"},
                     {"FAULT_SHORT": "1000", "FAULT_EINTR": "5"}, {"FAULT_SHORT": "65537"},
                     {"FAULT_SHORT": str(PIECE - 1)},
                     {"FAULT_SHORT": "4096", "FAULT_THREADS": "1"}):
        result = faulty(*sizes, **settings)
        test.equal(result.key(), (0, expected, b""), f"{settings}")
    write("list", expected)
    result = faulty("-c", "--quiet", "list", FAULT_SHORT="7", FAULT_EINTR="4")
    test.equal(result.key(), (0, b"", b""), "a list in short reads")

    # a thread that reads, beside those for signals and for hashing, for large files only
    for size, status in ((ALONE * PIECE - 1, 0), (ALONE * PIECE, 42)):
        write("large", data[:size])
        test.equal(faulty("-j2", "large", FAULT_THREADS="3").status, status, f"thread for {size} bytes")

    write("good", b"good")
    write("eio", data[:17 * PIECE + 5])
    good = line(b"good", b"good")
    for at in (1, 100, PIECE - 1, PIECE, PIECE + 1, 8 * PIECE - 1, 8 * PIECE, 8 * PIECE + 1,
               15 * PIECE + 77, 17 * PIECE, 17 * PIECE + 5):
        for threads in ("0", "1"):
            settings = {"FAULT_EIO": str(at), "FAULT_NAME": "/eio", "FAULT_THREADS": threads}
            result = faulty("good", "eio", "good", **settings)
            test.equal(result.key(), (1, good + good, b"blocksha: eio: at byte %d: Input/output "
                                      b"error\n" % at), f"{settings}")
            result = test.alias("sha256sum", "good", "eio", "good",
                                env={"LD_PRELOAD": shim, **settings})
            test.equal(result.key(), (1, good + good, b"sha256sum: eio: Input/output error\n"),
                       f"sha256sum {settings}")
    write("list", good + line(data[:17 * PIECE + 5], b"eio") + good)
    result = faulty("-c", "list", FAULT_EIO="300000", FAULT_NAME="/eio")
    test.equal(result.key(), (1, b"good: OK\neio: FAILED open or read\ngood: OK\n",
                              b"blocksha: list: 2: eio: at byte 300000: Input/output error\n"
                              b"blocksha: list: WARNING: 1 listed file could not be read\n"),
               "an input error while verifying")
    # only opening tells that a file is missing
    result = faulty("-c", "--ignore-missing", "list", FAULT_EIO="300000", FAULT_NAME="/eio",
                    FAULT_ERRNO=str(errno.ENOENT))
    test.equal((result.status, result.out),
               (1, b"good: OK\neio: FAILED open or read\ngood: OK\n"), "ENOENT of a read")
    # the list itself breaks off: what was read counts, but the run has failed
    for at, verdicts in ((0, 0), (len(good), 1), (len(good) - 1, 1), (len(good) + 10, 1)):
        result = faulty("-c", "list", FAULT_EIO=str(at), FAULT_NAME="/list")
        test.equal((result.status, result.out.count(b"good")), (1, verdicts), f"list, {at}")
        test.check(result.err.endswith(b"blocksha: list: Input/output error\n"), f"list, {at}",
                   f"  {result.err}")


def main():
    test = Test()
    data = test.random.randbytes(18 * PIECE)
    names, expected = check_sizes(test, data)
    check_pipes(test, data)
    check_names(test)
    check_proc(test)
    check_closed_pipe(test, names)
    check_faults(test, data, names, expected)
    test.finish()


main()
