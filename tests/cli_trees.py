#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sum -r: order, names and digests are those of `find | LC_ALL=C sort | sha256sum`; links, loops,
FIFOs and what else a tree can hold; exclusion; lists of files; another directory to start from."""

import fnmatch
import hashlib
import os
import resource
import shutil
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import C_LOCALE, Test, unavailable, write

QUICK = os.environ.get("BLOCKSHA_TEST_QUICK", "0") not in ("", "0")
TRAPS = [b"a", b"a.b", b"a-", b"a0", b"ab", b"a b", b"A", b"\xff", b"a\xff", b"new\nline", b"back\\slash",
         b"cr\r", b"...", b".a", b"-", b"-r", b"*", b"a\x01", "Vögel".encode(), "Vögel".encode("latin-1"),
         b" ", b"x" * 255]


def digest_line(name, data):
    """What sha256sum prints."""
    line = hashlib.sha256(data).hexdigest().encode() + b"  "
    if any(byte in name for byte in b"\\\n\r"):
        name = name.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
        line = b"\\" + line
    return line + name + b"\n"


def found(*arguments, keep=lambda name: True):
    """The names that find prints, sorted by sort."""
    names = subprocess.run(["find", *arguments, "-print0"], capture_output=True, check=False).stdout
    ordered = subprocess.run(["sort", "-z"], input=names, capture_output=True, check=True,
                             env=C_LOCALE).stdout
    return [name for name in ordered.split(b"\0")[:-1] if keep(name)]


def sums(names):
    """The lines of sha256sum, of many files in more than one run."""
    if not names:
        return b""
    return subprocess.run(["xargs", "-0", "sha256sum", "--"], input=b"\0".join(names),
                          capture_output=True, check=False, env=C_LOCALE).stdout


def make_random_tree(test, folder, depth):
    os.makedirs(folder, exist_ok=True)
    for name in test.random.sample(TRAPS, test.random.randrange(len(TRAPS) // 2)):
        path = folder + b"/" + name
        if depth > 0 and test.random.random() < 0.4:
            make_random_tree(test, path, depth - 1)
        elif test.random.random() < 0.1:
            os.symlink(test.random.choice(TRAPS), path)
        else:
            write(path, test.random.randbytes(test.random.choice([0, 1, 63, 64, 200, 5000])))


def check_order(test):
    for _ in range(2 if QUICK else 8):
        make_random_tree(test, b"tree", 3)
        names = found("tree", "-type", "f")
        expected = sums(names)
        for options in ([], ["-j", "1"], ["-j", "7"]):
            result = test.run("sum", "-r", *options, "tree")
            test.equal((result.status, result.out), (0, expected), f"sum -r {options}")
        both = test.run("sum", "-a", "sha1,sha256", "-z", "-r", "tree")
        test.equal([record.split(b"  ", 1)[1] for record in both.out.split(b"\0")[1:-1:2]], names,
                   "sum -z -r, both algorithms")
        followed = test.run("sum", "-r", "--symlinks=follow", "tree")
        test.equal(followed.out, sums(found("-L", "tree", "-type", "f")), "sum -r, links followed")
        shutil.rmtree(b"tree")


def check_roots(test):
    os.makedirs("r/d")
    write("r/d/x", b"x")
    write("r/d.c", b"c")
    write("r/y", b"y")
    os.symlink("d", "r/link")
    for root in ("r", "r/", "r//", "./r", ".", "./", "r/../r", "r/d", os.path.abspath("r")):
        result = test.run("sum", "-r", root)
        test.equal(result.key()[:2], (0, sums(found(root, "-type", "f"))), f"sum -r {root}")
    result = test.run("sum", "-r", "r/link")
    test.equal(result.key(), (0, digest_line(b"r/link/x", b"x"), b""), "a link that is named")
    # In the order of the arguments, a directory as often as it is named; files among them.
    result = test.run("sum", "-r", "r/y", "r/d", "r/d.c", "r/d")
    lines = [(b"r/y", b"y"), (b"r/d/x", b"x"), (b"r/d.c", b"c"), (b"r/d/x", b"x")]
    test.equal(result.key(), (0, b"".join(digest_line(*line) for line in lines), b""), "several roots")
    result = test.run("sum", "-r", "r/none", "r/y")
    test.equal(result.key(), (1, digest_line(b"r/y", b"y"),
                              b"blocksha: r/none: No such file or directory\n"), "a root that is not there")
    result = test.run("sum", "r/d", "r/y")
    test.equal(result.key(), (1, digest_line(b"r/y", b"y"), b"blocksha: r/d: Is a directory\n"),
               "a directory without -r")
    test.compare("sha256sum", "-r", "r")
    test.check(test.run("sum", "-r", "--symlinks=bogus", "r").status == 2, "--symlinks=bogus")
    shutil.rmtree("r")


def check_special_files(test):
    os.mkdir("s")
    write("s/file", b"f")
    os.mkfifo("s/p")
    os.symlink("p", "s/q")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("s/sock")
    line = digest_line(b"s/file", b"f")
    notes = b"blocksha: s/p: skipped: FIFO\nblocksha: s/sock: skipped: socket\n"
    result = test.run("sum", "-r", "s")
    test.equal(result.key()[:2], (0, line), "FIFO and socket in a tree")
    for note in notes.splitlines(True):
        test.check(note in result.err, f"note {note}", result.err)
    followed = test.run("sum", "-r", "--symlinks=follow", "s")
    test.equal(followed.key()[:2], (0, line), "FIFO behind a link")
    test.check(b"blocksha: s/q: skipped: FIFO\n" in followed.err, "note", followed.err)

    def feed():
        with open("s/p", "wb") as fifo:
            fifo.write(b"through the pipe")

    writer = threading.Thread(target=feed, daemon=True)
    writer.start()
    result = test.run("sum", "-r", "s/p")
    writer.join()
    test.equal(result.key(), (0, digest_line(b"s/p", b"through the pipe"), b""), "a FIFO that is named")
    listener.close()
    shutil.rmtree("s")


def check_links(test):
    os.makedirs("l/d")
    write("l/d/x", b"x")
    write("l/a.b", b"b")
    os.symlink("d", "l/a")
    os.symlink("d/x", "l/to_file")
    os.symlink("gone", "l/dangling")
    os.symlink("..", "l/d/up")
    plain = [(b"l/a.b", b"b"), (b"l/d/x", b"x")]
    for options in ([], ["--symlinks=skip"]):
        result = test.run("sum", "-r", *options, "l")
        test.equal(result.key()[:2], (0, b"".join(digest_line(*line) for line in plain)), f"links {options}")
    text = [(b"l/a", b"d"), (b"l/a.b", b"b"), (b"l/d/up", b".."), (b"l/d/x", b"x"),
            (b"l/dangling", b"gone"), (b"l/to_file", b"d/x")]
    result = test.run("sum", "-r", "--symlinks=text", "l")
    test.equal(result.key(), (0, b"".join(digest_line(*line) for line in text), b""), "links as text")
    follow = [(b"l/a.b", b"b"), (b"l/a/x", b"x"), (b"l/d/x", b"x"), (b"l/to_file", b"x")]
    result = test.run("sum", "-r", "--symlinks=follow", "l")
    test.equal(result.key()[:2], (1, b"".join(digest_line(*line) for line in follow)), "links followed")
    for name in (b"l/a/up", b"l/d/up"):
        test.check(b"blocksha: " + name + b": symbolic link loop\n" in result.err, f"loop at {name}",
                   result.err)
    test.check(b"blocksha: l/dangling: No such file or directory\n" in result.err, "dangling link",
               result.err)
    shutil.rmtree("l")


def check_one_file_system(test):
    os.mkdir("m")
    write("m/f", b"f")
    os.symlink("/proc/self/task", "m/e")
    if not os.path.isdir("m/e") or os.stat("m/e").st_dev == os.stat("m").st_dev:
        unavailable("no other file system to link to")
    else:
        result = test.run("sum", "-r", "--symlinks=follow", "--one-file-system", "m")
        test.equal(result.key()[:2], (0, digest_line(b"m/f", b"f")), "one file system")
        test.check(b"blocksha: m/e: skipped" in result.err, "note", result.err)
    shutil.rmtree("m")


def check_exclusion(test):
    for name in ("x/build/a", "x/src/build/b.o", "x/src/b.c", "x/.git/h", "x/src/.hidden", "x/b.o"):
        os.makedirs(os.path.dirname(name), exist_ok=True)
        write(name, name.encode())
    for pattern, find in (("*.o", ["!", "-name", "*.o"]),
                          ("build", ["!", "-path", "*/build/*"]),
                          ("build/", ["!", "-path", "*/build/*"]),
                          ("x/build", ["!", "-path", "x/build/*"]),
                          ("src/*", ["!", "-path", "*/src/*"]),
                          (".*", ["!", "-path", "*/.*"])):
        names = found("x", "-type", "f", *find)
        test.check(0 < len(names) < 6, f"find without {pattern}", names)
        result = test.run("sum", "-r", f"--exclude={pattern}", "x")
        test.equal(result.key(), (0, sums(names), b""), f"--exclude={pattern}")
        dotted = test.run("sum", "-r", "-C", "x", f"--exclude={pattern}", ".")
        if "x" not in pattern:
            names = [b"." + name[1:] for name in names]
            test.equal([line[66:] for line in dotted.out.splitlines()], names, f"{pattern} below .")
    kept = found("x", "-type", "f",
                 keep=lambda name: not any(fnmatch.fnmatchcase(name, glob) for glob in (b"*.o", b"*.git*")))
    result = test.run("sum", "-r", "--exclude", "*.o", "--exclude", ".git", "x")
    test.equal(result.key(), (0, sums(kept), b""), "two patterns")
    shutil.rmtree("x")


def check_lists_of_files(test):
    names = [b"one", b"with space", b" lead", b"back\\slash", "Vögel".encode("latin-1"), b"-dash"]
    odd = names + [b"new\nline"]
    for name in odd:
        write(name, name)
    expected = b"".join(digest_line(name, name) for name in names)
    with_odd = b"".join(digest_line(name, name) for name in odd)
    for option, end, list_of, lines in (("--files-from", b"\n", names, expected),
                                        ("--files0-from", b"\0", odd, with_odd)):
        for last in (end, b""):
            text = end.join(list_of) + last
            write("list", text)
            result = test.run("sum", f"{option}=list")
            test.equal(result.key(), (0, lines, b""), f"{option}, end {last}")
            result = test.run("sum", f"{option}=-", stdin=text)
            test.equal(result.key(), (0, lines, b""), f"{option}=-, end {last}")
        write("list", end.join([b"one", b"none", b"with space"]) + end)
        result = test.run("sum", f"{option}=list")
        some = digest_line(b"one", b"one") + digest_line(b"with space", b"with space")
        test.equal(result.key(), (1, some, b"blocksha: none: No such file or directory\n"),
                   f"{option}: one is not there")
        result = test.run("sum", f"{option}=none")
        test.equal(result.key(), (1, b"", b"blocksha: none: No such file or directory\n"),
                   f"{option}: no list")
        write("list", b"")
        result = test.run("sum", f"{option}=list", stdin=b"not to be read")
        test.equal(result.out, b"", f"{option}: nothing in the list, and nothing from stdin")
    for name in [*odd, b"list"]:
        os.unlink(name)


def check_other_directory(test):
    os.makedirs("c/d/e")
    write("c/d/f", b"f")
    write("c/d/e/g", b"g")
    os.makedirs("c/lists")
    write("c/lists/all", b"f\ne/g\n")
    lines = digest_line(b"f", b"f") + digest_line(b"e/g", b"g")
    test.equal(test.run("sum", "-C", "c/d", "f", "e/g").key(), (0, lines, b""), "-C with files")
    result = test.run("sum", "-r", "-C", "c/d", ".")
    lines = digest_line(b"./e/g", b"g") + digest_line(b"./f", b"f")
    test.equal(result.key(), (0, lines, b""), "-C with a tree")
    result = test.run("sum", "-r", "-C", "c/d", os.path.abspath("c/d/e"))
    test.equal(result.key(), (0, digest_line(os.path.abspath("c/d/e/g").encode(), b"g"), b""),
               "-C with an absolute name")
    result = test.run("sum", "-C", "c/none", "f")
    test.check(result.status == 1 and result.out == b"" and b"c/none: No such file" in result.err,
               "-C to where nothing is", result.err)
    shutil.rmtree("c")


def make_chain(levels):
    """b"d/d/d/...", with a file in every hundredth directory; returns their names."""
    names = []
    at = os.open(".", os.O_RDONLY)
    for level in range(1, levels + 1):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
        if level % 100 == 0:
            file = os.open("z", os.O_WRONLY | os.O_CREAT, dir_fd=at)
            os.write(file, b"%d" % level)
            os.close(file)
            names.append((b"d/" * level + b"z", b"%d" % level))
    os.close(at)
    return names


def check_depth(test):
    names = make_chain(3000)
    expected = b"".join(digest_line(*name) for name in reversed(names))
    result = test.run("sum", "-r", "d",
                      before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)))
    test.equal(result.key(), (0, expected, b""), "3000 levels with 64 descriptors")
    # A name that no call of the system takes whole.
    result = test.run("sum", names[-1][0])
    test.equal(result.key(), (0, digest_line(*names[-1]), b""), "a name of 6001 bytes")
    subprocess.run(["rm", "-rf", "d"], check=True)


def check_width(test):
    """More directories than there may be descriptors, each with a file in flight."""
    for i in range(1500):
        os.makedirs(f"w/{i % 50}/{i}")
        write(f"w/{i % 50}/{i}/f", b"%d" % i)
    for limit in (64, 1024):
        result = test.run("sum", "-r", "w",
                          before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
        test.equal(result.key(), (0, sums(found("w", "-type", "f")), b""), f"wide, {limit} descriptors")
    shutil.rmtree("w")


def processor_time(test, *arguments):
    process = subprocess.Popen([test.blocksha, *arguments], stdout=subprocess.DEVNULL, env=C_LOCALE)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    test.check(process.returncode == 0, f"{arguments}")
    return usage.ru_utime + usage.ru_stime


def check_hard_links(test):
    """One file of many names is read once: its time is not that of as many files."""
    size, count = 8 * 1024 * 1024, 24
    for folder in ("once", "often"):
        os.mkdir(folder)
    for i in range(count):
        if i == 0:
            write("once/0", os.urandom(4096))
            os.truncate("once/0", size)
        else:
            os.link("once/0", f"once/{i}")
        write(f"often/{i}", b"%d" % i)
        os.truncate(f"often/{i}", size)
    write("once/other", b"o")
    os.link("once/other", "once/0th")
    result = test.run("sum", "-r", "once")
    test.equal(result.key(), (0, sums(found("once", "-type", "f")), b""), "hard links")
    once = processor_time(test, "sum", "-r", "once")
    often = processor_time(test, "sum", "-r", "often")
    test.check(once < often / 3, "hard links are read once", f"{once} s and {often} s of many files")
    shutil.rmtree("once")
    shutil.rmtree("often")


def check_real_tree(test):
    for root in ("/usr/include", "/usr/share/doc", "/usr/lib/python3"):
        if not os.path.isdir(root):
            continue
        result = test.run("sum", "-r", root)
        test.equal((result.status, result.out), (0, sums(found(root, "-type", "f"))), f"sum -r {root}")
        return
    unavailable("no tree of this machine to compare with")


def main():
    test = Test()
    check_order(test)
    check_roots(test)
    check_special_files(test)
    check_links(test)
    check_one_file_system(test)
    check_exclusion(test)
    check_lists_of_files(test)
    check_other_directory(test)
    check_depth(test)
    check_width(test)
    check_hard_links(test)
    check_real_tree(test)
    test.finish()


main()
