#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Progress of sum, on a pseudo-terminal and without one, and the signals about it."""

import fcntl
import hashlib
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, SKIPPED, Test, has_terminals, write

COLUMNS = 100
SECONDS = 30  # after so many something hangs

# "2/3+ files, 1.0/1.5+ MiB, 3.2 MiB/s, 0:00:04 left  name"; a total that is not known is left out
PROGRESS = re.compile(rb"\d+(/\d+\+?)? files, [\d.]+(/[\d.]+\+?)? [KMGTPE]?i?B, [\d.]+ [KMGTPE]?i?B/s"
                      rb"(, [\d-]+:[\d-]{2}:[\d-]{2} left)?(  .*)?")


def lines_of(names):
    """What sum prints for these files."""
    rows = []
    for name in names:
        with open(name, "rb") as file:
            rows.append(hashlib.sha256(file.read()).hexdigest().encode() + b"  " + name.encode())
    return rows


def last_shown(line):
    """What of a line is on the terminal after all its carriage returns, trailing spaces aside."""
    shown = bytearray()
    for part in line.split(b"\r"):
        shown[:len(part)] = part
    return bytes(shown).rstrip(b" ")


class Terminal:
    """A pseudo-terminal; what is written to it is collected."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
        self.bytes = b""

    def read_for(self, seconds):
        end = time.monotonic() + seconds
        while select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.bytes += data

    def read_until(self, event):
        while not event.is_set():
            self.read_for(0.05)

    def close(self):
        os.close(self.slave)
        self.read_for(5)  # until the end
        os.close(self.master)

    def screen(self):
        return [last_shown(line) for line in self.bytes.split(b"\n")]


class Run:
    """blocksha while it runs."""

    def __init__(self, test, *arguments, before=None, argv0="blocksha", **streams):
        self.process = subprocess.Popen([argv0, *arguments], executable=test.blocksha,
                                        env=C_LOCALE, preexec_fn=before,
                                        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                                           "stderr": subprocess.PIPE, **streams})

    def kill(self, number):
        self.process.send_signal(number)

    def finish(self):
        """(exit code, standard output, standard error), or the word for one that hangs."""
        try:
            out, err = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            return "hangs", b"", b""
        return self.process.returncode, out, err


class Pipe:
    """A FIFO whose reader waits for what is written to it."""

    def __init__(self, name):
        os.mkfifo(name)
        self.name = name

    def open(self):
        """When blocksha has opened it, too."""
        end = time.monotonic() + SECONDS
        while True:
            try:
                self.descriptor = os.open(self.name, os.O_WRONLY | os.O_NONBLOCK)
                os.set_blocking(self.descriptor, True)
                return self
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.01)

    def write(self, data):
        os.write(self.descriptor, data)

    def close(self):
        os.close(self.descriptor)


def check_quiet(test, names):
    """Nothing but messages where standard error is no terminal, or progress is not wanted."""
    expected = (0, b"".join(line + b"\n" for line in lines_of(names)), b"")
    test.equal(Run(test, "sum", *names).finish(), expected, "no terminal")
    for arguments, argv0 in ((["sum", "--no-progress"], "blocksha"), ([], "sha256sum")):
        terminal = Terminal()
        run = Run(test, *arguments, *names, stderr=terminal.slave, argv0=argv0)
        status, out, _ = run.finish()
        terminal.close()
        test.equal((status, out, terminal.bytes), expected, f"{argv0} {arguments}")


def check_always(test, names):
    """--progress without a terminal: whole lines, the last of which tells all."""
    status, out, err = Run(test, "sum", "--progress", *names).finish()
    test.equal((status, out.splitlines()), (0, lines_of(names)), "--progress")
    rows = err.split(b"\n")
    test.check(len(rows) >= 2 and rows[-1] == b"", "--progress: whole lines", err)
    for row in rows[:-1]:
        test.check(row.startswith(b"blocksha: ") and PROGRESS.fullmatch(row[10:]),
                   "--progress: a line", row)
    count = str(len(names)).encode()
    test.check(rows[-2].startswith(b"blocksha: " + count + b"/" + count + b" files, "),
               "--progress: the last line", err)


def check_terminal(test, names, both):
    """The line is seen while a pipe is slow, and in the end nothing of it is left. both: standard
    output is the same terminal."""
    what = f"terminal, both {both}"
    fifo = Pipe(f"pi\u00e4pe\x1b[2J-{both}")
    terminal = Terminal()
    streams = {"stderr": terminal.slave}
    if both:
        streams["stdout"] = terminal.slave
    run = Run(test, "sum", *names, fifo.name, "missing", *names, **streams)
    fifo.open()
    for _ in range(10):
        fifo.write(b"x" * 1000)
        terminal.read_for(0.1)
    fifo.close()
    done = threading.Event()
    collector = threading.Thread(target=terminal.read_until, args=(done,))
    collector.start()
    status, out, _ = run.finish()
    done.set()
    collector.join()
    terminal.close()

    printed = lines_of(names)
    digest = hashlib.sha256(b"x" * 10000).hexdigest().encode()
    printed = [*printed, digest + b"  " + fifo.name.encode(), *printed]
    message = b"blocksha: missing: No such file or directory"
    test.equal(status, 1, f"{what}: status")
    shown = terminal.screen()
    test.equal(shown.pop(), b"", f"{what}: the line is gone")
    if both:
        test.check(message in shown, f"{what}: the message", shown)
        shown.remove(message)
        test.equal(shown, printed, f"{what}: the lines")
        return
    test.equal(out, b"".join(line + b"\n" for line in printed), f"{what}: output")
    test.equal(shown, [message], f"{what}: messages")
    drawn = [part.rstrip(b" ") for part in re.split(rb"[\r\n]+", terminal.bytes)]
    drawn = [part for part in drawn if part not in (b"", message)]
    test.check(len(drawn) >= 3, f"{what}: the line is drawn again and again", terminal.bytes)
    for line in drawn:
        test.check(PROGRESS.fullmatch(line) and len(line) < COLUMNS and
                   re.fullmatch(rb"[ -~]*", line), f"{what}: a line", line)


def check_sigusr1(test, names):
    fifo = Pipe("asked")
    run = Run(test, "sum", *names, fifo.name)
    fifo.open()
    fifo.write(b"x" * 1000)
    time.sleep(0.2)
    run.kill(signal.SIGUSR1)
    time.sleep(0.3)
    fifo.close()
    status, out, err = run.finish()
    digest = hashlib.sha256(b"x" * 1000).hexdigest().encode()
    test.equal((status, out.splitlines()), (0, lines_of(names) + [digest + b"  asked"]), "SIGUSR1")
    test.check(err.startswith(b"blocksha: ") and err.count(b"\n") == 1 and
               PROGRESS.fullmatch(err[10:-1]), "SIGUSR1: one line", err)


def check_sigint(test, names):
    """Ends at once with a summary and the lines that are complete, whatever is being read."""
    expected = lines_of(names)
    fifo = Pipe("waits")
    for last in (fifo.name, "/dev/zero"):
        run = Run(test, "sum", *names, last)
        if last == fifo.name:
            fifo.open()
        time.sleep(0.5)
        run.kill(signal.SIGINT)
        status, out, err = run.finish()
        if last == fifo.name:
            fifo.close()
        test.equal(status, 130, f"SIGINT, {last}: exit code")
        rows = out.split(b"\n")
        test.equal((rows[-1], rows[:-1]), (b"", expected[:len(rows) - 1]), f"SIGINT, {last}: lines")
        summary = re.fullmatch(rb"blocksha: interrupted: (\d+) files?, [\d.]+ [KMGTPE]?i?B done\n",
                               err)
        test.check(summary and int(summary[1]) <= len(names),
                   f"SIGINT, {last}: summary without the file that was not finished", err)
    run = Run(test, "sum", names[0], "/dev/zero")
    time.sleep(0.5)
    run.kill(signal.SIGINT)
    test.check(run.finish()[2].startswith(b"blocksha: interrupted: 1 file, "), "SIGINT: one file")

    # many small files, at some moment
    many = [f"many/{i:05}" for i in range(1000)]
    os.mkdir("many")
    for name in many:
        write(name, name.encode())
    expected = lines_of(many)
    for delay in (0.01, 0.02, 0.04, 0.08):
        run = Run(test, "sum", *many, "/dev/zero")
        time.sleep(delay)
        run.kill(signal.SIGINT)
        status, out, _ = run.finish()
        rows = out.split(b"\n")
        # before main has begun, the signal still kills
        test.check(status in (130, -signal.SIGINT), f"SIGINT after {delay} s: exit code {status}")
        test.equal((rows[-1], rows[:-1]), (b"", expected[:len(rows) - 1]),
                   f"SIGINT after {delay} s: lines")


def check_ignored_sigint(test, names):
    """As under nohup."""
    fifo = Pipe("ignored")
    run = Run(test, "sum", *names, fifo.name,
              before=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    fifo.open()
    run.kill(signal.SIGINT)
    time.sleep(0.2)
    fifo.write(b"x")
    fifo.close()
    digest = hashlib.sha256(b"x").hexdigest().encode()
    expected = b"".join(line + b"\n" for line in [*lines_of(names), digest + b"  ignored"])
    test.equal(run.finish(), (0, expected, b""), "SIGINT is ignored")


def main():
    test = Test()
    if not has_terminals():
        sys.exit(SKIPPED)
    names = ["a", "b", "c"]
    for name in names:
        write(name, test.random.randbytes(test.random.randrange(100000)))
    check_quiet(test, names)
    check_always(test, names)
    check_terminal(test, names, False)
    check_terminal(test, names, True)
    check_sigusr1(test, names)
    check_sigint(test, names)
    check_ignored_sigint(test, names)
    test.finish()


main()
