#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that change while they are read, faults in the middle of a tree, output that nobody
takes, little memory, few descriptors: right lines in the right order, or a message and a status.
"""

import base64
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, Test, unavailable, write

JOBS = ("1", "2", "7")
SECONDS = 60  # after so many something hangs
NOT_REGULAR = b"not a regular file any more"


def line(name, data):
    return hashlib.sha256(data).hexdigest().encode() + b"  " + name.encode() + b"\n"


def make_tree(test, folder, sizes):
    """Files f000, f001, ... of these sizes; the lines that are right for them."""
    os.mkdir(folder)
    lines = []
    for number, size in enumerate(sizes):
        name = f"{folder}/f{number:03}"
        data = test.random.randbytes(size)
        write(name, data)
        lines.append(line(name, data))
    return lines


def timed(test, *arguments, **options):
    """A run that must end."""
    return test.run("sum", *arguments, **options, before=lambda: signal.alarm(SECONDS))


# --- Changes at a known moment ---

def check_changes_while_reading(test, shim):
    """From the k-th read on the file is another one."""
    # what happens; whether the open file is changed by it
    changes = [
        ("truncate -s 10 t/f001", True),
        ("truncate -s 0 t/f001", True),
        ("printf more >> t/f001", True),
        ("printf xx | dd of=t/f001 conv=notrunc status=none; touch -d @1 t/f001", True),
        ("mv t/f001 away", False),
        ("rm t/f001", False),
        ("rm t/f001; mkfifo t/f001", False),
        ("rm t/f001; mkdir t/f001", False),
        ("rm t/f001; ln -s f000 t/f001", False),
    ]
    verdict = b"blocksha: t/f001: changed while reading\n"
    for size in (2000, 3_000_000):
        for command, changed in changes:
            for number in ("1", "3") if size > 2000 else ("1",):
                lines = make_tree(test, "t", [100, size, 200, 300])
                list_name = write("list", b"".join(lines)) or "list"
                what = f"{size} bytes, read {number}: {command}"
                env = {"LD_PRELOAD": shim, "FAULT_NAME": "/t/f001", "FAULT_READ": number,
                       "FAULT_COMMAND": command}
                options, check = test.random.choice((
                    (["-r", "t"], False), (["-r", "--allow-changing", "t"], False),
                    (["-r", "--json", "t"], False), (["-c", list_name], True),
                    ([f"t/f00{i}" for i in range(4)], False)))
                result = timed(test, "-j", test.random.choice(JOBS), *options, env=env)
                what += f" {options}"
                rest = lines[:1] + lines[2:]
                if check:
                    bad = b"FAILED changed while reading" if changed else b"OK"
                    test.equal((result.status, result.out), (int(changed), b"".join(
                        b"t/f00%d: %s\n" % (i, bad if i == 1 else b"OK") for i in range(4))), what)
                elif "--json" in options:
                    rows = [json.loads(row) for row in result.out.splitlines()]
                    test.equal([row["name"] for row in rows], [f"t/f00{i}" for i in range(4)], what)
                    test.equal([row["error"] and row["error"]["code"] for row in rows],
                               [None, "changed" if changed else None, None, None], what)
                    test.equal("sha256" in rows[1], not changed, what)
                    test.equal(result.status, int(changed), what)
                elif not changed:
                    test.equal(result.key(), (0, b"".join(lines), b""), what)
                elif "--allow-changing" in options:
                    shown = result.out.splitlines(True)
                    test.equal((result.status, shown[:1] + shown[2:], result.err, len(shown)),
                               (0, rest, b"", 4), what)
                else:
                    test.equal(result.key(), (1, b"".join(rest), verdict), what)
                shutil.rmtree("t")


def check_changes_before_opening(test, shim):
    """What the walk has seen as a regular file is something else when it is opened."""
    for command, message in (
            ("rm t/f001", b"No such file or directory"),
            ("rm t/f001; mkfifo t/f001", NOT_REGULAR),
            ("rm t/f001; mkdir t/f001", NOT_REGULAR),
            ("rm t/f001; ln -s f000 t/f001", NOT_REGULAR),
            ("rm t/f001; ln -s /dev/zero t/f001", NOT_REGULAR)):
        for jobs in JOBS:
            lines = make_tree(test, "t", [100, 2000, 200, 300])
            result = timed(test, "-j", jobs, "-r", "t", env={
                "LD_PRELOAD": shim, "FAULT_NAME": "f001", "FAULT_COMMAND": command})
            test.equal(result.key(), (1, b"".join(lines[:1] + lines[2:]),
                                      b"blocksha: t/f001: " + message + b"\n"), command)
            shutil.rmtree("t")
    # a link that was followed; a folder that is one no more
    lines = make_tree(test, "t", [100])
    os.symlink("f000", "t/link")
    result = timed(test, "-r", "--symlinks=follow", "t", env={
        "LD_PRELOAD": shim, "FAULT_NAME": "link", "FAULT_COMMAND": "rm t/f000; mkfifo t/f000"})
    test.check(result.status == 1 and b"t/link: " + NOT_REGULAR in result.err, "a link to a FIFO",
               result.err)
    result = timed(test, "-r", "--symlinks=text", "t", env={"LD_PRELOAD": shim})
    test.equal((result.status, result.out), (0, line("t/link", b"f000")), "the text of a link")
    shutil.rmtree("t")


# --- Changes at any moment ---

def disturb(folder, stop):
    """Does to files of the folder whatever can be done to them."""
    chance = random.Random(1)
    while not stop.is_set():
        name = f"{folder}/x{chance.randrange(20)}"
        action = chance.randrange(8)
        try:
            if action == 0:
                os.truncate(name, chance.randrange(400_000))
            elif action == 1:
                with open(os.open(name, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK), "wb") as file:
                    file.write(bytes(chance.randrange(100_000)))
            elif action == 2:
                os.rename(name, f"{folder}/x{chance.randrange(20)}")
            elif action == 3:
                os.unlink(name)
            elif action == 4:
                os.mkfifo(name)
            elif action == 5:
                os.mkdir(name)
            elif action == 6:
                os.rmdir(name)
            else:
                os.symlink(f"x{chance.randrange(20)}", name)
        except OSError:
            try:
                fd = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
                os.write(fd, bytes(chance.randrange(200_000)))
                os.close(fd)
            except OSError:
                pass


def check_races(test):
    """A tree in which another program writes: it ends, and files that stay have their lines."""
    os.mkdir("race")
    stable = []
    for number in range(20):
        name = f"race/s{number}"
        data = test.random.randbytes(test.random.choice((10, 5000, 300_000)))
        write(name, data)
        stable.append(line(name, data))
    stable.sort(key=lambda row: row.split(b"  ")[1])
    stop = threading.Event()
    thread = threading.Thread(target=disturb, args=("race", stop), daemon=True)
    thread.start()
    end = time.monotonic() + 2
    while time.monotonic() < end:
        options = test.random.choice(([], ["--symlinks=follow"], ["--symlinks=text"],
                                      ["--allow-changing"], ["--no-cache"]))
        result = timed(test, "-r", "-j", test.random.choice(JOBS), *options, "race")
        test.check(result.status in (0, 1), f"race {options}", f"{result.status} {result.err}")
        rows = result.out.splitlines(True)
        test.equal(b"".join(row for row in rows if b"/s" in row), b"".join(stable),
                   f"race {options}")
        names = [row.split(b"  ")[1] for row in rows]
        test.equal(names, sorted(names), f"race {options}: order")
        test.equal(result.status, int(any(b": skipped: " not in row
                                          for row in result.err.splitlines())),
                   f"race {options}: status and messages {result.err}")
    stop.set()
    thread.join()
    shutil.rmtree("race")


# --- Faults ---

def check_faults(test, shim):
    sizes = [test.random.randrange(1, 3000) for _ in range(150)]
    sizes[70:72] = [200_000, 1_500_000]
    lines = make_tree(test, "t", sizes)
    everything = b"".join(lines)
    for jobs in JOBS:
        for settings in ({"FAULT_SHORT": "100"}, {"FAULT_EINTR": "2"}, {"FAULT_THREADS": "1"},
                         {"FAULT_SHORT": "999", "FAULT_EINTR": "3"}):
            result = timed(test, "-r", "-j", jobs, "t", env={"LD_PRELOAD": shim, **settings})
            test.equal(result.key(), (0, everything, b""), f"-j {jobs}, {settings}")
        for number in (0, 60, 71, 149):
            at = test.random.randrange(sizes[number])
            reason = b"at byte %d: Input/output error" % at if at > 0 else b"Input/output error"
            result = timed(test, "-r", "-j", jobs, "t", env={
                "LD_PRELOAD": shim, "FAULT_EIO": str(at), "FAULT_NAME": f"/t/f{number:03}"})
            test.equal(result.key(), (1, b"".join(lines[:number] + lines[number + 1:]),
                                      b"blocksha: t/f%03d: %s\n" % (number, reason)),
                       f"-j {jobs}, EIO at byte {at} of file {number}")
    shutil.rmtree("t")


def check_hard_links(test, shim):
    """A file is read under one of its names, and what became of it holds for all."""
    data = {"a": test.random.randbytes(1000), "b": test.random.randbytes(300_000),
            "c": test.random.randbytes(2_000_000)}
    os.mkdir("h")
    lines = []
    for number in range(30):
        key = "abc"[number % 3]
        name = f"h/{number:02}{key}"
        if number < 3:
            write(name, data[key])
        else:
            os.link(f"h/{'abc'.index(key):02}{key}", name)
        lines.append(line(name, data[key]))
    for jobs in JOBS:
        log = os.path.abspath("log")
        result = timed(test, "-r", "-j", jobs, "h", env={"LD_PRELOAD": shim, "FAULT_LOG": log})
        test.equal(result.key(), (0, b"".join(lines), b""), f"hard links, -j {jobs}")
        with open(log, encoding="ascii") as file:
            names = {row.rstrip("\n") for row in file if "/h/" in row}
        os.unlink(log)
        test.equal(sorted(name[-1] for name in names), ["a", "b", "c"],
                   f"which names are read, -j {jobs}: {names}")
        # whichever name is read, b is not readable behind byte 1000
        result = timed(test, "-r", "-j", jobs, "h", env={
            "LD_PRELOAD": shim, "FAULT_EIO": "1000", "FAULT_NAME": "b"})
        test.equal(result.key(), (
            1, b"".join(row for row in lines if not row.endswith(b"b\n")),
            b"".join(b"blocksha: h/%02db: at byte 1000: Input/output error\n" % number
                     for number in range(1, 30, 3))), f"hard links with a fault, -j {jobs}")
        # another name, behind the one that is read, is changed or taken away
        for command in ("printf x >> h/01b", "rm h/04b"):
            result = timed(test, "-r", "-j", jobs, "h", env={
                "LD_PRELOAD": shim, "FAULT_COMMAND": command, "FAULT_NAME": "b", "FAULT_READ": "1"})
            test.check(result.status in (0, 1), command, result.err)
            others = [row for row in lines if not row.endswith(b"b\n")]
            test.equal([row for row in result.out.splitlines(True) if not row.endswith(b"b\n")],
                       others, f"{command}, -j {jobs}")
            now = line("", open("h/01b", "rb").read())[:64]
            for row in result.out.splitlines():
                if row.endswith(b"b"):
                    test.check(row.startswith(now) or command[0] == "r", f"{command}: {row}")
            lines = [line(f"h/{i:02}{'abc'[i % 3]}", open(f"h/{i:02}{'abc'[i % 3]}", "rb").read())
                     for i in range(30) if os.path.exists(f"h/{i:02}{'abc'[i % 3]}")]
        os.link("h/01b", "h/04b")
        os.truncate("h/01b", len(data["b"]))
        lines = [line(f"h/{i:02}{'abc'[i % 3]}", data["abc"[i % 3]]) for i in range(30)]
    if os.geteuid() == 0:
        os.chmod("h/01b", 0)
        os.chmod(".", 0o755)

        def drop():
            os.setuid(65534)
        # Others may not reach the place where the program was built.
        program, test.blocksha = test.blocksha, shutil.copy(test.blocksha, "./program")
        result = test.run("sum", "-r", "h", before=drop)
        os.unlink("program")
        test.blocksha = program
        test.equal(result.key(), (
            1, b"".join(row for row in lines if not row.endswith(b"b\n")),
            b"".join(b"blocksha: h/%02db: Permission denied\n" % number
                     for number in range(1, 30, 3))), "hard links that cannot be opened")
    shutil.rmtree("h")


def check_memory(test, shim):
    """Without memory at any one call, and from any one on."""
    lines = make_tree(test, "t", [100, 2000, 200_000, 0, 50])
    os.link("t/f001", "t/f009")
    lines.append(line("t/f009", open("t/f009", "rb").read()))
    write("list", b"".join(lines))
    write("names", b"".join(row[66:] for row in lines))
    verdicts = [row[66:-1] + b": OK\n" for row in lines]
    runs = [(["-r", "-j2", "t"], lines), (["-c", "list"], verdicts),
            (["-a", "sha256", "-j1", "--files-from", "names"], lines),
            (["-r", "--json", "--exclude=x*", "--symlinks=follow", "t"], None)]
    for arguments, expected in runs:
        result = timed(test, *arguments, env={"LD_PRELOAD": shim, "FAULT_MALLOC_LOG": "calls"})
        test.equal(result.status, 0, f"{arguments}")
        if expected is None:
            expected = result.out.splitlines(True)
        test.equal(result.out, b"".join(expected), f"{arguments}")
        calls = int(open("calls", encoding="ascii").read())
        for setting in ("FAULT_MALLOC", "FAULT_MALLOC_FROM"):
            for number in range(1, calls + 2):
                result = timed(test, *arguments, env={"LD_PRELOAD": shim, setting: str(number)})
                what = f"{arguments}, {setting}={number} of {calls}"
                rows = result.out.splitlines(True)
                left = iter(expected)
                if result.status == 0:
                    test.equal(result.out, b"".join(expected), what)
                elif test.check(result.status in (1, 2), what, f"{result.status} {result.err}"):
                    test.check(result.err != b"", f"{what}: a message")
                    if arguments[0] != "-c" and "--json" not in arguments:
                        test.check(all(row in left for row in rows), f"{what}: lines", f"{rows}")
    shutil.rmtree("t")


def check_little_address_space(test):
    """A limit, instead of a fault: a message, or all of it."""
    if test.is_sanitized():
        unavailable("a sanitizer needs its address space")
        return
    lines = make_tree(test, "t", [100, 2000, 200_000, 3_000_000, 50])
    for mib in range(3, 60, 3):
        def limit():
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))
        result = test.run("sum", "-r", "-j7", "t", before=limit)
        if result.status in (127, -signal.SIGSEGV, -signal.SIGKILL) and mib < 10:
            continue  # the dynamic linker had no room
        if result.status == 0:
            test.equal(result.out, b"".join(lines), f"{mib} MiB")
        else:
            test.check(result.status == 1 and result.err != b"", f"{mib} MiB",
                       f"{result.status} {result.err}")
    shutil.rmtree("t")


# --- Output ---

def check_output(test):
    """Nobody takes the results."""
    make_tree(test, "o", [test.random.randrange(100) for _ in range(3000)])
    with open("/dev/full", "wb") as full:
        for arguments in (["-r", "o"], ["-r", "-j7", "--json", "o"], ["-r", "--progress", "o"]):
            result = timed(test, *arguments, stdout=full)
            test.equal(result.status, 1, f"/dev/full, {arguments}")
            test.check(b"blocksha: write error: No space left on device\n" in result.err,
                       f"/dev/full, {arguments}", result.err)
    for handler, status in ((signal.SIG_DFL, -signal.SIGPIPE), (signal.SIG_IGN, 1)):
        reader, writer = os.pipe()

        def take_some():
            os.read(reader, 10)
            os.close(reader)
        thread = threading.Thread(target=take_some)
        thread.start()

        def before():
            os.close(reader)
            signal.alarm(SECONDS)
            signal.signal(signal.SIGPIPE, handler)
        result = test.run("sum", "-r", "-j7", "o", stdout=writer, before=before)
        os.close(writer)
        thread.join()
        test.equal(result.status, status, f"a reader that goes away, {handler}: {result.err}")
    # a limit to the size of the output
    with open("out", "wb") as out:
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        result = test.run("sum", "-r", "o", stdout=out, before=limit)
    test.equal((result.status, result.err), (1, b"blocksha: write error: File too large\n"),
               "output that is cut")
    test.equal(result.out, b"", "output elsewhere")
    shutil.rmtree("o")


def check_interruption(test):
    """SIGINT while a list has more lines to come, and while a file has more bytes."""
    for arguments in (["-c"], ["-c", "-"], ["--files-from=-"], ["-r", "--files0-from=-"], []):
        process = subprocess.Popen([test.blocksha, "sum", *arguments], env=C_LOCALE,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdin.write(b"some")
        process.stdin.flush()
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        try:
            status = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            status = None
        out, err = process.stdout.read(), process.stderr.read()
        test.equal((status, out), (130, b""), f"SIGINT, {arguments}: {err}")
        test.check(b"blocksha: interrupted: " in err, f"SIGINT, {arguments}", err)
        for stream in (process.stdin, process.stdout, process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


def check_json(test):
    """Every object is one line of JSON, whatever the name."""
    names = [b"plain", b"sp ace", b'quo"te', b"back\\slash", b"new\nline", b"tab\t", b"\x01\x1f\x7f",
             "gr\u00fc\u00df \u20ac \U0001f600".encode(), b"latin1 \xfc", b"cut \xe2\x82",
             b"surrogate \xed\xa0\x80", b"overlong \xc0\xaf", b"above \xf4\x90\x80\x80",
             b"\xe2\x80\xa8 \xef\xbb\xbf", b"<script>", b"-", b"x" * 255]
    os.mkdir("j")
    data = {}
    for name in names:
        data[b"j/" + name] = test.random.randbytes(50)
        write(b"j/" + name, data[b"j/" + name])
    os.mkfifo("j/fifo")
    for jobs in JOBS:
        result = timed(test, "-r", "--json", "-a", "sha256,sha1", "-j", jobs, "j", "missing")
        rows = []
        for text in result.out.decode().split("\n")[:-1]:
            row = json.loads(text)
            name = row.get("name")
            name = base64.b64decode(row["name_base64"]) if name is None else name.encode()
            rows.append(name)
            if name == b"missing":
                test.equal(row["error"]["code"], "ENOENT", "missing")
                test.check("sha1" not in row, "missing")
                continue
            test.equal((row["sha1"], row["sha256"], row["size"], row["attack"], row["error"]),
                       (hashlib.sha1(data[name]).hexdigest(),
                        hashlib.sha256(data[name]).hexdigest(), 50, None, None), f"{name}")
        test.equal(rows, [*sorted(data), b"missing"], "the names in JSON")
        test.equal(result.status, 1, "JSON with a missing file")
    shutil.rmtree("j")


# --- Order ---

def check_jobs(test):
    """Threads are not to be seen in what is printed."""
    lines = make_tree(test, "k", [test.random.choice((0, 10, 3000, 100_000, 140_000, 1_500_000))
                                  for _ in range(120)])
    os.mkfifo("k/a")
    os.mkdir("k/sub")
    write("k/sub/x", b"x")
    os.symlink("gone", "k/sub/dangling")
    results = []
    for jobs in JOBS:
        results.append(timed(test, "-r", "-j", jobs, "--symlinks=follow", "k", "none", "k/f003",
                             "k/sub"))
    test.equal(results[0].status, 1, f"{results[0].err}")
    test.check(results[0].out.startswith(b"".join(lines)), "the files of the tree")
    for jobs, result in zip(JOBS, results):
        test.equal(result.key(), results[0].key(), f"-j {jobs}")

    names = b"".join(b"f%03d\0" % number for number in reversed(range(120)))
    expected = b"".join(row[:66] + row[68:] for row in reversed(lines))
    for jobs in JOBS:
        result = timed(test, "-j", jobs, "-C", "k", "--files0-from=-", stdin=names)
        test.equal(result.key(), (0, expected, b""), f"-j {jobs} -C --files0-from=-")

    # a FIFO and standard input keep their places
    for jobs in JOBS:
        def feed():
            with open("k/a", "wb") as file:
                time.sleep(0.05)
                file.write(b"fifo")
        thread = threading.Thread(target=feed)
        thread.start()
        result = timed(test, "-j", jobs, "k/f000", "k/f001", "-", "k/f002", "k/a", "k/f003", "-",
                       "k/f004", stdin=b"standard input")
        thread.join()
        expected = (lines[0] + lines[1] + line("-", b"standard input") + lines[2] +
                    line("k/a", b"fifo") + lines[3] + line("-", b"") + lines[4])
        test.equal(result.key(), (0, expected, b""), f"-j {jobs}, a FIFO and standard input")
    shutil.rmtree("k")


def check_descriptors(test):
    """Few descriptors are enough for deep and for wide trees."""
    lines = []

    def add(name, data):
        write(name, data)
        lines.append(line(name, data))
    os.makedirs("d/deep" + "/n" * 100)
    os.mkdir("d/wide")
    for depth in range(101):
        folder = "d/deep" + "/n" * depth
        for name in ("a", "b"):
            add(f"{folder}/{name}", test.random.randbytes(100))
    for number in range(300):
        os.mkdir(f"d/wide/{number:03}")
        add(f"d/wide/{number:03}/x", test.random.randbytes(test.random.choice((10, 200_000))))
    lines.sort(key=lambda row: row.split(b"  ")[1])
    expected = b"".join(lines)
    for count in (20, 24, 32, 64, 200):
        def limit():
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))
        for jobs in ("1", "8", "100"):
            for progress in ([], ["--progress"]):
                result = test.run("sum", "-r", "-j", jobs, *progress, "d", before=limit)
                test.equal((result.status, result.out), (0, expected),
                           f"{count} descriptors, -j {jobs} {progress}: {result.err[:300]}")
    shutil.rmtree("d")


def check_sparse(test):
    """A hole takes no memory."""
    with open("sparse", "wb") as file:
        file.truncate(256 << 20)
    usage = {}
    write("small", b"x")
    for name in ("small", "sparse"):
        process = subprocess.Popen([test.blocksha, "sum", "-j2", name], env=C_LOCALE,
                                   stdout=subprocess.PIPE)
        out = process.stdout.read()
        process.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        test.equal(process.returncode, 0, name)
        usage[name] = used.ru_maxrss
    digest = hashlib.sha256()
    for _ in range(256):
        digest.update(bytes(1 << 20))
    test.equal(out, digest.hexdigest().encode() + b"  sparse\n", "a sparse file")
    if not test.is_sanitized():
        test.check(usage["sparse"] < usage["small"] + 16 * 1024, "memory in KiB", f"{usage}")
    os.unlink("sparse")


def main():
    test = Test()
    shim = test.build_shim()
    if shim is not None:
        check_changes_while_reading(test, shim)
        check_changes_before_opening(test, shim)
        check_faults(test, shim)
        check_hard_links(test, shim)
        check_memory(test, shim)
    check_races(test)
    check_little_address_space(test)
    check_output(test)
    check_interruption(test)
    check_json(test)
    check_jobs(test)
    check_descriptors(test)
    check_sparse(test)
    test.finish()


main()
