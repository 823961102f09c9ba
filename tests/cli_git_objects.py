#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blocksha git hash-object and blocksha git tree against git, which has a repository to do it in."""

import hashlib
import json
import os
import shutil
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import SKIPPED, Test, unavailable, write
from make_git_repositories import FORMATS, git


def name_of(data, kind=b"blob", algorithm="sha1"):
    return hashlib.new(algorithm, kind + b" %d\0" % len(data) + data).hexdigest().encode()


def names_of(data):
    return name_of(data) + b" " + name_of(data, algorithm="sha256")


def check_files(test):
    """Files of all sizes, in all ways to give them."""
    sizes = [0, 1, 55, 56, 63, 64, 65, 1000, 4096, 131071, 131072, 131073, 1000000, 3000000]
    sizes += [test.random.randrange(20000) for _ in range(400)]
    files = []
    for number, size in enumerate(sizes):
        data = test.random.randbytes(size)
        write(f"f{number}", data)
        files.append((f"f{number}", data))
    names = [name for name, _ in files]
    expected = b"".join(name_of(data) + b"\n" for _, data in files)
    listed = "\n".join(names).encode() + b"\n"
    test.equal(git("sha1", "hash-object", "--no-filters", "--stdin-paths",
                   stdin="".join(os.path.abspath(name) + "\n" for name in names).encode()), expected,
               "git itself")
    for what, arguments, stdin in (("arguments", names, b""),
                                   ("--stdin-paths", ["--stdin-paths"], listed),
                                   ("no last newline", ["--stdin-paths"], listed[:-1]),
                                   ("-z", ["--stdin-paths", "-z"], listed.replace(b"\n", b"\0"))):
        test.equal(test.run("git", "hash-object", *arguments, stdin=stdin).key(), (0, expected, b""),
                   f"hash-object, {what}")
    test.equal(test.run("git", "hash-object", "--both", *names).key(),
               (0, b"".join(names_of(data) + b"\n" for _, data in files), b""), "hash-object --both")
    test.equal(test.run("git", "hash-object", "--object-format=sha256", *names).key(),
               (0, b"".join(name_of(data, algorithm="sha256") + b"\n" for _, data in files), b""),
               "hash-object, SHA-256")
    result = test.run("git", "hash-object", "--json", "--both", *names[:20])
    test.equal([json.loads(line) for line in result.out.splitlines()],
               [{"name": name, "object_sha1": name_of(data).decode(),
                 "object_sha256": name_of(data, algorithm="sha256").decode(), "attack": None,
                 "error": None} for name, data in files[:20]], "hash-object --json")
    for name, data in files[:14]:
        with open(name, "rb") as file:
            test.equal(test.run("git", "hash-object", "--stdin", stdin=file).out, name_of(data) + b"\n",
                       f"--stdin of a file of {len(data)} bytes")
        reader, writer = os.pipe()
        if os.fork() == 0:
            os.close(reader)
            with os.fdopen(writer, "wb") as pipe:
                pipe.write(data)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            test.equal(test.run("git", "hash-object", "--stdin", "f1", stdin=pipe).out,
                       name_of(data) + b"\n" + name_of(files[1][1]) + b"\n",
                       f"--stdin of a pipe of {len(data)} bytes")
        os.wait()
    # where a file stands counts, not its size
    with open("f12", "rb") as file:
        file.seek(1000)
        os.lseek(file.fileno(), 1000, os.SEEK_SET)
        test.equal(test.run("git", "hash-object", "--stdin", stdin=file).out,
                   name_of(files[12][1][1000:]) + b"\n", "--stdin, from the middle")
    with open("/proc/self/limits", "rb") as file:
        test.check(file.read() != b"", "/proc has files whose size is 0")
    out = test.run("git", "hash-object", "/proc/version").out
    with open("/proc/version", "rb") as file:
        test.equal(out, name_of(file.read()) + b"\n", "/proc/version")


def check_names(test):
    """Names that git quotes, and what is no name."""
    for name in ("a b", 'quote"', "new\nline", "tab\t", "back\\slash", "\x01", "\xe4", "it's"):
        write(name, name.encode())
        quoted = git("sha1", "-c", "core.quotePath=true", "ls-files", "--others",
                     os.path.abspath(name), check=False)
        plain = name.encode() + b"\n"
        if "\n" not in name:
            test.equal(test.run("git", "hash-object", "--stdin-paths", stdin=plain).out,
                       name_of(name.encode()) + b"\n", f"{name!r} as it is")
        octal = b'"' + b"".join(b"\\%03o" % byte for byte in name.encode()) + b'"\n'
        test.equal(test.run("git", "hash-object", "--stdin-paths", stdin=octal).out,
                   name_of(name.encode()) + b"\n", f"{name!r} in octal")
        test.equal(test.run("git", "hash-object", "--stdin-paths", "-z", stdin=name.encode()).out,
                   name_of(name.encode()) + b"\n", f"{name!r} with -z")
        del quoted
    # as git ls-files prints names
    os.mkdir("quoted")
    git("quoted", "init", "-q")
    for name in ('a"b', "a\tb", "a\nb", "a\\b", "\u00e4", "\x7f\x08\x0b\x0c\x0d\x07"):
        write(f"quoted/{name}", name.encode())
    lines = git("quoted", "ls-files", "--others")
    os.chdir("quoted")
    out = test.run("git", "hash-object", "--stdin-paths", stdin=lines).out
    os.chdir("..")
    test.equal(out, git("quoted", "hash-object", "--stdin-paths", stdin=lines), "what git quotes")
    for wrong in (b'"', b'"abc', b'"a"b', b'"\\q"', b'"\\08"', b'"\\400"', b"absent", b"f\0g", b"."):
        result = test.run("git", "hash-object", "--stdin-paths", stdin=wrong + b"\nf0\n")
        test.equal((result.status, result.out), (1, name_of(b"") + b"\n"), f"{wrong}, and a good one")
        test.check(len(result.err.splitlines()) == 1, f"{wrong}: a message", result.err)
    lines = b"-\n" + b"f0\n" * 3000  # more than is read at a time
    result = test.run("git", "hash-object", "--stdin-paths", stdin=lines)
    test.equal(result.key(), (1, (name_of(b"") + b"\n") * 3000,
                              b"blocksha: -: No such file or directory\n"), "- in a list")
    write("-", b"dash")
    result = test.run("git", "hash-object", "--stdin-paths", stdin=lines)
    test.equal(result.key(), (0, name_of(b"dash") + b"\n" + (name_of(b"") + b"\n") * 3000, b""),
               "the file - in a list")
    os.unlink("-")
    write("a", b"not meant by what follows")
    for wrong, shown in ((b'"a\\142', b"'\"a\\142'"), (b'"a\\000b"', b"'\"a\\000b\"'")):
        result = test.run("git", "hash-object", "--stdin-paths", stdin=wrong + b"\n")
        test.equal(result.key(), (1, b"", b"blocksha: " + shown + b": not a name of a file\n"),
                   f"{wrong}: as it was written")


def check_types(test):
    write("body", b"any bytes")
    for kind in ("blob", "tree", "commit", "tag", "x", "word" * 50):
        for object_format in FORMATS:
            result = test.run("git", "hash-object", "--literally", "-t", kind,
                              f"--object-format={object_format}", "body")
            test.equal(result.key(),
                       (0, name_of(b"any bytes", kind.encode(), object_format) + b"\n", b""),
                       f"--literally -t {kind}")
    for kind in ("tree", "commit", "tag"):
        test.equal(test.run("git", "hash-object", "-t", kind, "body").status, 1, f"-t {kind}")
    for arguments in ([], ["-t", "x", "body"], ["--stdin-paths", "body"], ["--stdin-paths", "--stdin"],
                      ["-z", "body"], ["--object-format=md5", "body"], ["--nothing"]):
        result = test.run("git", "hash-object", *arguments)
        test.equal((result.status, result.out), (2, b""), f"hash-object {arguments}")


def make_folder(test, folder):
    """Files of all modes, names that sort in git's own way, links, folders in folders."""
    os.mkdir(folder)
    for name in ("a", "a.b", "a-b", "a0", "ab", "b/c", "a/b", "a=b", "B", "\u00e4", ".hidden",
                 "empty/none", "x/y/z/file", "x/y.z", "x/y-z", "x/y0", "new\nline"):
        path = os.path.join(folder, name if name != "a/b" else "a_/b")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write(path, test.random.randbytes(test.random.randrange(3000)))
    os.unlink(f"{folder}/empty/none")
    for prefix in ("d", "d.", "d-", "d0"):
        os.makedirs(f"{folder}/sort/{prefix}x")
        write(f"{folder}/sort/{prefix}x/f", prefix.encode())
        write(f"{folder}/sort/{prefix}", prefix.encode())
    os.makedirs(f"{folder}/sort/e")
    write(f"{folder}/sort/e/f", b"")
    write(f"{folder}/sort/e.f", b"")
    os.chmod(f"{folder}/ab", 0o755)
    os.chmod(f"{folder}/B", 0o700)
    os.chmod(f"{folder}/a0", 0o655)  # others may execute it, its owner may not
    os.symlink("a", f"{folder}/link")
    os.symlink("/nowhere/" + "x" * 200, f"{folder}/broken")
    os.symlink("x", f"{folder}/link-to-folder")
    write(f"{folder}/large", test.random.randbytes(3000000))


def check_tree(test):
    for object_format in FORMATS:
        folder = f"tree-{object_format}"
        make_folder(test, folder)
        option = f"--object-format={object_format}"
        without = test.run("git", "tree", option, folder)
        git(".", "init", "-q", option, folder)
        git(folder, "-c", "core.autocrlf=false", "add", "--all", ".")
        expected = git(folder, "write-tree")
        test.equal(without.key(), (0, expected, b""), f"{folder}, before it is a repository")
        test.equal(test.run("git", "tree", option, "--exclude-git", folder).key(), (0, expected, b""),
                   f"{folder}, --exclude-git")
        test.check(test.run("git", "tree", option, folder).out != expected, f"{folder} with .git")
        os.chdir(folder)
        test.equal(test.run("git", "tree", option, "--exclude-git").out, expected,
                   "the working directory")
        os.chdir("..")
        shutil.rmtree(f"{folder}/.git")
    folder = "tree-sha1"
    names = [test.run("git", "tree", f"--object-format={f}", folder).out.strip() for f in FORMATS]
    test.equal(test.run("git", "tree", "--both", folder).out, b" ".join(names) + b"\n", "--both")
    test.equal(json.loads(test.run("git", "tree", "--json", folder).out),
               {"name": folder, "object_sha1": names[0].decode(), "attack": None, "error": None},
               "--json")
    test.equal(test.run("git", "tree", f"{folder}/link-to-folder").out,
               test.run("git", "tree", f"{folder}/x").out, "a link that is named is followed")

    # what a tree cannot hold
    os.mkfifo(f"{folder}/fifo")
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"{folder}/socket")
    result = test.run("git", "tree", folder)
    test.equal((result.status, result.out), (0, names[0] + b"\n"), "a FIFO and a socket are left out")
    test.equal(sorted(line.split(b": ")[1] for line in result.err.splitlines()),
               [b"tree-sha1/fifo", b"tree-sha1/socket"], "and are named")
    server.close()

    os.mkdir("nothing")
    test.equal(test.run("git", "tree", "nothing").out, b"4b825dc642cb6eb9a060e54bf8d69288fbee4904\n",
               "an empty folder")
    for arguments in (["absent"], ["body"]):
        result = test.run("git", "tree", *arguments)
        test.equal((result.status, result.out), (1, b""), f"tree {arguments}")
    if os.geteuid() != 0:
        os.chmod(f"{folder}/ab", 0)
        result = test.run("git", "tree", folder)
        test.equal((result.status, result.out), (1, b""), "a file that cannot be read")

    # folders in folders, deeper than a path may be long
    os.mkdir("deep")
    here = os.getcwd()
    os.chdir("deep")
    depth = 150
    for _ in range(depth):
        os.mkdir("d" * 100)
        os.chdir("d" * 100)
    write("file", b"")
    os.chdir(here)
    digest = bytes.fromhex(name_of(b"").decode())
    tree = b"100644 file\0" + digest
    for _ in range(depth):
        tree = b"40000 " + b"d" * 100 + b"\0" + bytes.fromhex(name_of(tree, b"tree").decode())
    test.equal(test.run("git", "tree", "deep").key(), (0, name_of(tree, b"tree") + b"\n", b""),
               "a deep folder")


def main():
    test = Test()
    if shutil.which("git") is None:
        unavailable("git is not installed")
        sys.exit(SKIPPED)
    git(".", "init", "-q", "sha1")
    check_files(test)
    check_names(test)
    check_types(test)
    check_tree(test)
    test.finish()


main()
