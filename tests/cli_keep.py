#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Keeping a checksum list: --update, --recheck, --diff, and -c -r, with what coreutils and hashlib
say of the lists."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from collisions import COLLISIONS
from harness import C_LOCALE, Test, write

OLD = 1_000_000_000  # a time of modification at which no file is young


def make(name, data, when=OLD):
    """A file with that time of modification, in seconds or (ns,)."""
    if os.path.dirname(name):
        os.makedirs(os.path.dirname(name), exist_ok=True)
    write(name, data)
    ns = when[0] if isinstance(when, tuple) else when * 10**9
    os.utime(name, ns=(ns, ns))


def read(name):
    with open(name, "rb") as file:
        return file.read()


def escape(name):
    return name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")


def entry(name, algorithms=("sha256",), tagged=False, stamp=None):
    """The lines of a file as it is now."""
    status = os.stat(name)
    out = b""
    if stamp is not False:
        seconds, rest = divmod(status.st_mtime_ns, 10**9)
        out = b"# blocksha: size=%d time=%d.%09d%s name=%s\n" % (
            status.st_size, seconds, rest, stamp or b"", escape(name))
    for algorithm in algorithms:
        digest = hashlib.new(algorithm, read(name)).hexdigest().encode()
        mark = b"\\" if escape(name) != name else b""
        if tagged:
            line = algorithm.upper().encode() + b" (" + escape(name) + b") = " + digest
        else:
            line = digest + b"  " + escape(name)
        out += mark + line + b"\n"
    return out


def no_rest(test, name, what):
    test.check(not os.path.exists(name + ".blocksha-new"), f"{what}: nothing is left behind")


def update(test, expected, *options, status=0, list_name="list", what="", roots=("d",)):
    result = test.run("sum", "--update", list_name, "-r", *options, *roots)
    what = what or f"--update {options}"
    test.equal((result.out, result.status), (expected, status), what)
    if status == 0:
        test.equal(result.err, b"", what)
    no_rest(test, list_name, what)
    return result


def check_update(test):
    names = [b"d/a", b"d/back\\slash", b"d/cr\r", b"d/new\nline", b"d/sub/x"]
    for number, name in enumerate(names):
        make(name, b"content %d\n" % number, (number * 1000 + 7,))
    update(test, b"d/a: NEW\nd/back\\slash: NEW\nd/cr\r: NEW\n\\d/new\\nline: NEW\nd/sub/x: NEW\n")
    test.equal(read("list"), b"".join(map(entry, names)), "a first list")
    inode = os.stat("list").st_ino
    update(test, b"", what="nothing changed")
    test.equal(os.stat("list").st_ino, inode, "a list that is right is not written again")
    if test.coreutils:
        result = test.original("sha256sum", "-c", "--strict", "list")
        test.equal((result.status, result.err), (0, b""), "coreutils reads the list")
    test.equal(test.run("sum", "-c", "--strict-all", "list").status, 0, "blocksha reads it")

    # new, changed, missing; the order is kept, new ones come last
    before = {name: entry(name) for name in names}
    make(b"d/a", b"longer content\n", OLD)
    make(b"d/Z", b"new\n")
    make(b"d/sub/y", b"new too\n")
    os.unlink(b"d/cr\r")
    os.utime(b"d/back\\slash", ns=(5, 5))
    update(test, b"d/Z: NEW\nd/a: CHANGED\nd/sub/y: NEW\nd/cr\r: MISSING\n", "--quote=9.1")
    test.equal(read("list"), entry(b"d/a") + entry(b"d/back\\slash") + before[b"d/new\nline"] +
               before[b"d/sub/x"] + entry(b"d/Z") + entry(b"d/sub/y"), "new, changed, missing")
    update(test, b"", what="again")

    # times before 1970, with and without a fraction; sizes alone
    make(b"d/a", b"old\n", (-1,))
    make(b"d/Z", b"old\n", (-10**9,))
    update(test, b"d/Z: CHANGED\nd/a: CHANGED\n")
    test.check(entry(b"d/a") in read("list") and b"time=-1.999999999 name=d/a" in read("list"),
               "a time before 1970")
    update(test, b"", what="times before 1970 are read back")
    make(b"d/a", b"longer\n", (-1,))
    update(test, b"d/a: CHANGED\n", what="only the size moved")
    make(b"d/a", b"longeR\n", (0,))
    update(test, b"d/a: CHANGED\n", what="only the time moved")
    os.utime(b"d/a", ns=(1, 1))
    update(test, b"", what="the time moved, the content did not")
    test.check(entry(b"d/a") in read("list"), "the new time is remembered")
    make(b"d/a", b"again\n", (2,))
    update(test, b"", "--status")
    make(b"d/q r", b"q\n")
    update(test, b"'d/q r': NEW\n", "--quote=9.11")


def check_suspects(test):
    make("d/a", b"good\n")
    make("d/b", b"good too\n")
    update(test, b"d/a: NEW\nd/b: NEW\n")
    good = read("list")
    make("d/a", b"rot!\n")
    update(test, b"", what="size and time are the same: not read")
    for _ in range(2):
        update(test, b"d/a: SUSPECT\n", "--recheck", status=1)
        test.equal(read("list"), good, "the list keeps the digest of what it was")
    test.equal(test.run("sum", "-c", "list").out, b"d/a: FAILED\nd/b: OK\n", "-c agrees")
    make("d/a", b"good\n")
    update(test, b"", "--recheck", what="repaired")
    # a change that the time tells is none of these
    make("d/a", b"new!\n", OLD + 1)
    update(test, b"d/a: CHANGED\n", "--recheck")
    # a file that was written just before may be written again at the same time
    future = int(time.time()) + 100
    make("d/a", b"one\n", future)
    update(test, b"d/a: CHANGED\n")
    test.check(entry(b"d/a", stamp=b"?") in read("list"), "a young file", f"  {read('list')}")
    make("d/a", b"two\n", future)
    update(test, b"d/a: CHANGED\n", what="a young file is read again")
    make("d/a", b"thr\n", future)
    update(test, b"d/a: SUSPECT\n", "--recheck", status=1)
    make("d/a", b"two\n", OLD)
    update(test, b"", what="a young file grows old")
    test.check(entry(b"d/a") in read("list"), "it is young no more")


def check_forms(test):
    """What a list looks like stays."""
    for name in (b"d/a", b"d/b", b"d/c"):
        make(name, name)
    # one that coreutils made
    start = (b"# a comment\n\n" + entry(b"d/c", stamp=False) + b"#\xff\0 another\r\n" +
             entry(b"d/a", stamp=False))
    write("list", start)
    os.chmod("list", 0o640)
    update(test, b"d/b: NEW\n")
    expected = (b"# a comment\n\n" + entry(b"d/c") + b"#\xff\0 another\r\n" + entry(b"d/a") +
                entry(b"d/b"))
    test.equal(read("list"), expected, "comments and order stay")
    test.equal(os.stat("list").st_mode & 0o7777, 0o640, "the mode stays")
    # tags; more algorithms
    write("list", entry(b"d/b", ["sha1"], True, False) + entry(b"d/a", ["sha1"], True, False))
    update(test, b"d/c: NEW\n")
    test.equal(read("list"), b"".join(entry(name, ["sha1"], True) for name in
                                      (b"d/b", b"d/a", b"d/c")), "a tagged list of SHA-1")
    update(test, b"", "-a", "sha1,sha256", what="another algorithm")
    text = read("list")
    test.equal(sorted(text.splitlines()), sorted(b"".join(
        entry(name, ["sha1", "sha256"], True) for name in (b"d/a", b"d/b", b"d/c")).splitlines()),
        "a list that got another algorithm")
    update(test, b"", what="both stay")
    test.equal(read("list"), text, "both stay")
    write("list", entry(b"d/b", stamp=False))
    update(test, b"d/a: NEW\nd/c: NEW\n", "--tag")
    test.equal(read("list"), b"".join(entry(name, tagged=True) for name in
                                      (b"d/b", b"d/a", b"d/c")), "--tag")
    # by a symbolic link; in the tree; with another spelling of its names
    os.unlink("list")
    os.makedirs("elsewhere")
    os.symlink("elsewhere/real", "list")
    write("elsewhere/real", b"")
    update(test, b"d/a: NEW\nd/b: NEW\nd/c: NEW\n")
    test.check(os.path.islink("list") and read("elsewhere/real").count(b"name=") == 3,
               "a list behind a symbolic link")
    os.unlink("list")
    write("d/list", b"")
    update(test, b"d/a: NEW\nd/b: NEW\nd/c: NEW\n", list_name="d/list",
           what="a list is not in itself")
    write("list", entry(b"d/a", stamp=False).replace(b"d/a", b".//d/./a"))
    update(test, b"d/b: NEW\nd/c: NEW\nd/list: NEW\n", what="another spelling")
    write("list", entry(b"d/a", stamp=False))
    update(test, b"./d/b: NEW\n./d/c: NEW\n./d/list: NEW\n./elsewhere/real: NEW\n", roots=(".",),
           what="the working directory")
    # roots one by one: what is not below them is left alone
    make("e/f", b"f")
    write("list", b"")
    update(test, b"d/a: NEW\nd/b: NEW\nd/c: NEW\nd/list: NEW\ne/f: NEW\n", roots=("d/", "e"))
    os.unlink("e/f")
    update(test, b"", roots=("d",), what="another tree")
    make("e/g", b"g")
    update(test, b"e/g: NEW\ne/f: MISSING\n", roots=("e",))
    # what is excluded is not missing
    update(test, b"", "--exclude=a")
    test.check(b"  d/a\n" in read("list"), "what is excluded stays")


def check_failures(test):
    make("d/a", b"a\n")
    make("d/b", b"b\n")
    update(test, b"d/a: NEW\nd/b: NEW\n")
    good = read("list")
    # a tree that is not there, or empty, is not one whose files are all missing
    os.rename("d", "away")
    update(test, b"", status=1, what="the tree is not there")
    os.mkdir("d")
    result = update(test, b"", status=1, what="the tree is empty")
    test.equal(result.err, b"blocksha: list: no file was found\n", "the tree is empty")
    test.equal(read("list"), good, "the list stays as it is")
    os.rmdir("d")
    os.rename("away", "d")
    # lists that cannot be kept whole
    digest = hashlib.sha256(b"a\n").hexdigest().encode()
    for what, text in (
            ("junk", good + b"junk\n"), ("MD5", b"MD5 (x) = " + b"0" * 32 + b"\n" + good),
            ("UTF-16", good.decode().encode("utf-16")),
            ("two digests", good + b"0" * 64 + b"  d/a\n"),
            ("a digest alone", good + digest + b"\n"),
            ("signed", b"-----BEGIN PGP SIGNED MESSAGE-----\n\n" + good +
             b"-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----\n")):
        make("d/c", b"c\n")
        write("list", text)
        result = update(test, b"", status=1, what=f"a list with {what}")
        test.check(result.err.startswith(b"blocksha: list: "), f"a list with {what}", result.err)
        test.equal(read("list"), text, f"a list with {what} stays as it is")
    write("list", good)
    result = test.run("sum", "--update", "list", "-a", "sha1", "-r", "d")
    test.equal((result.status, result.out, read("list")), (1, b"", good), "-a without SHA-256")
    # a file that cannot be read does not keep the others out
    result = update(test, b"d/c: NEW\n", status=1, roots=("d", "/proc/self/mem"))
    test.check(b"blocksha: /proc/self/mem: " in result.err, "a file that cannot be read")
    test.equal(read("list"), good + entry(b"d/c"), "the others are in the list")
    # nowhere to write
    with open("/dev/full", "wb") as full:
        make("d/d", b"d\n")
        before = read("list")
        result = test.run("sum", "--update", "list", "-r", "d", stdout=full)
        test.equal(result.status, 1, "output to a full device")
        no_rest(test, "list", "output to a full device")
        test.check(read("list") in (before, before + entry(b"d/d")), "the list is whole")
    for name in ("missing/list", "d", "/dev/null", "/proc/list"):
        result = test.run("sum", "--update", name, "-r", "d")
        test.equal((result.status, result.out), (1, b""), f"--update {name}")
        test.check(result.err.startswith(b"blocksha: " + name.encode() + b": "),
                   f"--update {name}: message", f"  {result.err}")
    # what a killed one left is written over; what another one writes is not touched
    write("list.blocksha-new", b"x" * 100000)
    make("d/e", b"e\n")
    test.equal(test.run("sum", "--update", "list", "-r", "d").status, 0, "after a killed one")
    no_rest(test, "list", "after a killed one")
    test.equal(test.run("sum", "-c", "--strict-all", "list").status, 0, "and the list is right")


def check_interruption(test):
    """SIGINT and SIGTERM while a large file is read, and two updates at a time."""
    make("d/a", b"a\n")
    update(test, b"d/a: NEW\n")
    good = read("list")
    make("d/b", b"b\n")
    with open("d/z", "wb") as file:
        file.truncate(64 << 30)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen([test.blocksha, "sum", "--update", "list", "-r", "d"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=C_LOCALE)
        deadline = time.monotonic() + 60
        while not os.path.exists("list.blocksha-new") and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)
        other = test.run("sum", "--update", "list", "-r", "d")
        test.equal(other.key(), (1, b"", b"blocksha: list: another program is updating it\n"),
                   "two at a time")
        process.send_signal(number)
        out, err = process.communicate()
        test.equal(process.returncode, 130 if number == signal.SIGINT else -number,
                   f"{number}: status")
        test.equal(read("list"), good, f"{number}: the list is the old one")
        if number == signal.SIGINT:
            no_rest(test, "list", f"{number}")
    os.unlink("d/z")
    update(test, b"d/b: NEW\n", what="after interruptions")


def check_attack(test):
    make("d/attack", COLLISIONS["shattered-1"].data[:320])
    result = test.run("sum", "--update", "list", "-a", "sha1", "-r", "d")
    test.equal((result.status, result.out), (3, b"d/attack: NEW\n"), "an attack")
    test.check(b"SHA-1 collision attack at byte" in result.err, "an attack", f"  {result.err}")


def check_diff(test):
    one = {name: hashlib.sha256(name).hexdigest().encode() for name in (b"a", b"b\n", b"c", b"d e")}
    two = {**one, b"c": one[b"a"], b"new": one[b"c"]}
    del two[b"a"]

    def listed(files, form=b"%d  %n"):
        out = b"# comment\n"
        for name, digest in files.items():
            mark = b"\\" if escape(name) != name else b""
            out += mark + form.replace(b"%d", digest).replace(b"%n", escape(name)) + b"\n"
        return out

    write("one", listed(one))
    write("two", listed(two))
    write("same", listed(dict(reversed(one.items())), b"SHA2-256(./%n)= %d"))
    write("sha1", b"SHA1 (a) = " + b"0" * 40 + b"\n")
    write("empty", b"# nothing\n")
    write("junk", read("one") + b"junk\n")
    write("md5", b"0" * 32 + b"  x\n" + read("one"))
    write("twice", read("one") + one[b"a"] + b"  a\n")
    write("contradiction", read("one") + b"0" * 64 + b"  a\n")
    for old, new, status, out, err in (
            ("one", "one", 0, b"", b""), ("one", "same", 0, b"", b""), ("same", "one", 0, b"", b""),
            ("one", "twice", 0, b"", b""),
            ("one", "two", 1, b"a: MISSING\nc: CHANGED\nnew: NEW\n", b""),
            ("two", "one", 1, b"c: CHANGED\nnew: MISSING\na: NEW\n", b""),
            ("sha1", "one", 1, b"\\b\\n: NEW\nc: NEW\nd e: NEW\n",
             b"blocksha: a: the lists have no algorithm in common for it\n"),
            ("empty", "empty", 1, b"", b"blocksha: no file was compared\n"),
            ("one", "missing", 1, b"", b"blocksha: missing: No such file or directory\n"),
            ("one", "junk", 1, b"", b"blocksha: junk: 6: improperly formatted checksum line\n"),
            ("md5", "one", 1, b"", b"blocksha: md5: 1: x: no supported algorithm has digests of "
             b"128 bits\n"),
            ("one", "contradiction", 1, b"", b"blocksha: contradiction: 6: a: another SHA256 "
             b"digest stands above\n")):
        result = test.run("sum", "--diff", old, new)
        test.equal(result.key(), (status, out, err), f"--diff {old} {new}")
        test.equal(test.run("sum", "--diff", "--status", old, new).key(), (status, b"", err),
                   f"--diff --status {old} {new}")
    test.equal(test.run("sum", "--diff", "-", "two", stdin=read("one")).out,
               b"a: MISSING\nc: CHANGED\nnew: NEW\n", "--diff of standard input")
    test.equal(test.run("sum", "--diff", "--quote=9.11", "empty", "one").out,
               b"a: NEW\n'b'$'\\n': NEW\nc: NEW\n'd e': NEW\n", "--diff --quote")
    for words in ("--diff", "--diff one", "--diff one two one", "--diff -c one two",
                  "--diff -r one two", "--diff --update x one two", "--update list d",
                  "--recheck -r d", "--update list -c -r d", "--update list -r -b d",
                  "--update list -r --json d", "--update list -r --symlinks=text d",
                  "--update list -r --strict d", "--diff -w one two"):
        result = test.run("sum", *words.split())
        test.equal((result.status, result.out), (2, b""), f"{words} is wrong usage")


def check_extra(test):
    for name in ("d/a", "d/b", "d/sub/c", "d/sub/e f"):
        make(name, name.encode())
    write("d/list", entry(b"d/a", stamp=False) + entry(b"d/sub/c", stamp=False).replace(
        b"d/sub", b"./d//sub/."))
    ok = b"d/a: OK\n./d//sub/./c: OK\n"
    warning = b"blocksha: WARNING: 2 files are in no list\n"
    for words in (["d", "d/list"], ["d/list", "d"], ["d/list", "d/"], ["d/list", "./d"]):
        root = next(word for word in words if "list" not in word).removesuffix("/").encode()
        result = test.run("sum", "-c", "-r", *words)
        test.equal(result.key(), (1, ok + root + b"/b: EXTRA\n" + root + b"/sub/e f: EXTRA\n",
                                  warning), f"-c -r {words}")
    result = test.run("sum", "-cr", "--quote=9.11", "--exclude=b", "d", "d/list")
    test.equal(result.out, ok + b"'d/sub/e f': EXTRA\n", "-c -r --quote --exclude")
    test.equal(test.run("sum", "-cr", "--status", "d", "d/list").key(), (1, b"", b""), "--status")
    result = test.run("sum", "-c", "-r", "d", stdin=read("d/list"))
    test.check(b"d/list: EXTRA\n" in result.out and result.status == 1, "the list as input")
    # in several lists, in lines that are not supported
    write("more", b"MD5 (d/b) = " + b"0" * 32 + b"\n" + entry(b"d/sub/e f", stamp=False))
    result = test.run("sum", "-cr", "d", "d/list", "more")
    test.equal((result.status, result.out), (0, ok + b"d/sub/e f: OK\n"), "two lists")
    # a mistyped tree is not another one
    for words in (["missing", "d/list"], ["d/list"], ["missing"]):
        result = test.run("sum", "-cr", *words)
        test.equal((result.status, result.out), (2, b""), f"-c -r {words}: no tree")
    test.equal(test.run("sum", "-cr", "d", "missing").out, b"".join(
        b"d/%s: EXTRA\n" % name for name in (b"a", b"b", b"list", b"sub/c", b"sub/e f")), "no list")


def main():
    test = Test()
    for check in (check_update, check_suspects, check_forms, check_failures, check_interruption,
                  check_attack, check_diff, check_extra):
        folder = check.__name__
        os.mkdir(folder)
        os.chdir(folder)
        check(test)
        os.chdir("..")
        shutil.rmtree(folder)
    test.finish()


main()
