#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sum --tee: what goes in comes out, with its digest on standard error or in a file; and no digest
when a byte could not be read or written."""

import fcntl
import hashlib
import os
import resource
import signal
import stat
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, Test, unavailable, write

PIECE = 128 * 1024


def line(data, algorithm="sha256"):
    return hashlib.new(algorithm, data).hexdigest().encode() + b"  -\n"


def check_copies(test, data):
    for size in (0, 1, 63, 64, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, len(data)):
        part = data[:size]
        result = test.run("sum", "--tee", stdin=part)
        test.equal(result.key(), (0, part, line(part)), f"{size} bytes")
        result = test.run("sum", "--tee", "-a", "sha1,sha256", "--output", "digests", stdin=part)
        test.equal(result.key(), (0, part, b""), f"{size} bytes, --output")
        with open("digests", "rb") as file:
            test.equal(file.read(), line(part, "sha1") + line(part), f"{size} bytes, the file")
    tagged = b"SHA256 (-) = " + hashlib.sha256(data).hexdigest().encode()
    test.equal(test.run("sum", "--tee", "--tag", stdin=data).err, tagged + b"\n", "--tag")
    test.equal(test.run("sum", "--tee", "--tag", "-z", stdin=data).err, tagged + b"\0", "-z")


def check_pipe(test, data):
    """Through pipes of one page; in non-blocking mode, too."""
    process = subprocess.Popen([test.blocksha, "sum", "--tee"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=C_LOCALE)
    for pipe in (process.stdin, process.stdout):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 4096)

    def feed():
        process.stdin.write(data)
        process.stdin.close()

    thread = threading.Thread(target=feed)
    thread.start()
    out = process.stdout.read()
    thread.join()
    test.equal(out, data, "pipe")
    test.equal((process.stderr.read(), process.wait()), (line(data), 0), "pipe")

    # both ends without blocking: the flags are set before the program starts
    reader, writer = os.pipe2(os.O_NONBLOCK)
    back, out = os.pipe2(os.O_NONBLOCK)
    for end in (writer, out):
        fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 4096)
    process = subprocess.Popen([test.blocksha, "sum", "--tee"], stdin=reader, stdout=out,
                               stderr=subprocess.PIPE, env=C_LOCALE)
    os.close(reader)
    os.close(out)
    os.set_blocking(writer, True)
    os.set_blocking(back, True)

    def feed_slowly():
        with os.fdopen(writer, "wb", buffering=0) as file:
            for at in range(0, len(data), 50000):
                file.write(data[at:at + 50000])

    thread = threading.Thread(target=feed_slowly)
    thread.start()
    with os.fdopen(back, "rb") as file:
        test.equal(file.read(), data, "non-blocking")
    thread.join()
    test.equal((process.stderr.read(), process.wait()), (line(data), 0), "non-blocking")


def check_output_file(test, data):
    """The file appears whole, or the old one stays."""
    write("old", b"old\n")
    os.chmod("old", 0o640)
    os.symlink("old", "link")
    result = test.run("sum", "--tee", "--output", "link", stdin=data)
    test.equal(result.key(), (0, data, b""), "--output LINK")
    with open("old", "rb") as file:
        test.equal(file.read(), line(data), "behind the link")
    test.check(os.path.islink("link"), "the link stays")
    test.equal(stat.S_IMODE(os.stat("old").st_mode), 0o640, "the mode stays")
    with open("/dev/full", "wb") as full:
        result = test.run("sum", "--tee", "--output", "old", stdin=b"x", stdout=full)
    test.equal(result.key(), (1, b"", b"blocksha: write error: No space left on device\n"), "full")
    with open("old", "rb") as file:
        test.equal(file.read(), line(data), "the old file stays")
    result = test.run("sum", "--tee", "--output", "/dev/full", stdin=b"x")
    test.equal(result.key(), (1, b"x", b"blocksha: /dev/full: No space left on device\n"),
               "--output /dev/full")
    result = test.run("sum", "--tee", "--output", "/dev/stderr", stdin=b"x")
    test.equal(result.key(), (0, b"x", line(b"x")), "--output /dev/stderr")
    result = test.run("sum", "--tee", "--output", "no/such/folder", stdin=b"x")
    test.equal(result.key(), (1, b"x", b"blocksha: no/such/folder: No such file or directory\n"),
               "--output no/such/folder")
    result = test.run("sum", "--tee", "--output", ".", stdin=b"x")
    test.equal(result.key(), (1, b"x", b"blocksha: .: Is a directory\n"), "--output .")
    os.symlink("nothing", "dangling")
    result = test.run("sum", "--tee", "--output", "dangling", stdin=b"x")
    test.equal(result.key(), (1, b"x", b"blocksha: dangling: No such file or directory\n"),
               "--output dangling")
    test.check(os.path.islink("dangling"), "the dangling link stays")
    os.unlink("dangling")
    test.equal(sorted(os.listdir(".")), ["digests", "link", "old"], "nothing is left over")


def check_conflicts(test):
    """What does not apply to a copy is refused, so that nobody takes it for done."""
    for options in (["--json"], ["-r"], ["--files-from", "names"], ["--files0-from", "names"],
                    ["--update", "list", "-r"], ["--diff"]):
        result = test.run("sum", "--tee", *options, stdin=b"x")
        test.equal((result.status, result.out), (2, b""), f"--tee {options}")
        test.check(b"do not go with --tee" in result.err, f"--tee {options}: message", result.err)


def check_failures(test, data):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (PIECE + 1000, PIECE + 1000))

    result = test.run("sum", "--tee", stdin=data, before=limit)
    test.equal(result.key(), (1, data[:PIECE + 1000], b"blocksha: write error: File too large\n"),
               "a limit of size")
    for handler, status, message in (
            (signal.SIG_DFL, -signal.SIGPIPE, b""),
            (signal.SIG_IGN, 1, b"blocksha: write error: Broken pipe\n")):
        reader, writer = os.pipe()
        os.close(reader)
        result = test.run("sum", "--tee", stdin=data, stdout=writer,
                          before=lambda: signal.signal(signal.SIGPIPE, handler))
        os.close(writer)
        test.equal((result.status, result.err), (status, message), f"closed pipe, {handler}")
    for stdin, stdout, message in ((b"x", "closed", b"write error: Bad file descriptor"),
                                   (None, None, b"-: Bad file descriptor")):
        result = test.run("sum", "--tee", stdin=stdin, stdout=stdout)
        test.equal((result.status, result.err), (1, b"blocksha: " + message + b"\n"), "closed")
    result = test.run("sum", "--tee", stdin=b"x", stderr="closed")
    test.equal((result.status, result.out), (1, b"x"), "nobody can read the digest")
    with open("/proc/self/mem", "rb", buffering=0) as unreadable:  # nothing is at address 0
        result = test.run("sum", "--tee", stdin=unreadable)
        test.equal(result.key(), (1, b"", b"blocksha: -: Input/output error\n"), "read error")


def check_faults(test, data):
    shim = test.build_shim()
    if shim is None:
        return
    for settings in ({"FAULT_EINTR": "2"}, {"FAULT_WRITE_EINTR": "2"}, {"FAULT_SHORT": "777"},
                     {"FAULT_WRITE_SHORT": "1000", "FAULT_WRITE_EINTR": "3"},
                     {"FAULT_SHORT": "65537", "FAULT_EINTR": "3", "FAULT_WRITE_SHORT": "65535",
                      "FAULT_WRITE_EINTR": "2"}):
        result = test.run("sum", "--tee", "--output", "digests", stdin=data,
                          env={"LD_PRELOAD": shim, **settings})
        test.equal(result.key(), (0, data, b""), f"{settings}")
        with open("digests", "rb") as file:
            test.equal(file.read(), line(data), f"{settings}: the file")
    for at in (0, 1, PIECE - 1, PIECE, PIECE + 1, len(data) - 1):
        result = test.run("sum", "--tee", stdin=data,
                          env={"LD_PRELOAD": shim, "FAULT_WRITE_ENOSPC": str(at)})
        test.equal(result.key(), (1, data[:at], b"blocksha: write error: No space left on "
                                                b"device\n"), f"full at {at}")
    result = test.run("sum", "--tee", stdin=data, env={"LD_PRELOAD": shim, "FAULT_CLOSE": "1"})
    test.equal(result.key(), (1, data, b"blocksha: write error: Disk quota exceeded\n"),
               "only closing tells")


def check_usage(test):
    for arguments, message in (
            (["--output", "f"], b"the --output option is meaningful only with --tee"),
            (["--tee", "-c"], b"the --tee option is not supported when verifying checksums"),
            (["--tee", "file"], b"file: the --tee option takes no files")):
        result = test.run("sum", *arguments, stdin=b"x")
        test.equal((result.status, result.out, result.err.splitlines()[0]),
                   (2, b"", b"blocksha: " + message), f"{arguments}")
    test.equal(test.alias("sha1sum", "--tee", stdin=b"x").status, 1, "unknown to sha1sum")


def check_attack(test):
    path = os.path.join(test.shared, "data", "sha1-collisions", "shattered-1.pdf")
    if not os.path.exists(path):
        unavailable("the published collisions are not there")
        return
    with open(path, "rb") as file:
        data = file.read()
    result = test.run("sum", "--tee", "-a", "sha1", stdin=data)
    test.equal((result.status, result.out), (3, data), "an attack passes, and is told")
    test.check(result.err.startswith(line(data, "sha1") + b"blocksha: -: SHA-1 collision attack"),
               "an attack", f"  {result.err}")


def main():
    test = Test()
    data = test.random.randbytes(5 * PIECE + 77)
    check_copies(test, data)
    check_pipe(test, data)
    check_output_file(test, data)
    check_conflicts(test)
    check_failures(test, data)
    check_faults(test, data)
    check_usage(test)
    check_attack(test)
    test.finish()


main()
