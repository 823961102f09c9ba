#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kinds of checksum lists: those of tests/lists with what EXPECTED says of them, options that
judge lists, whatever writes a list read back, the shared collection when it is there."""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_checklists
from harness import ALIASES, C_LOCALE, Test, unavailable, write

A = hashlib.sha256(make_checklists.FILES[b"a.txt"]).hexdigest().encode()
B = hashlib.sha256(make_checklists.FILES[b"b.bin"]).hexdigest().encode()
MD5 = hashlib.md5(make_checklists.FILES[b"a.txt"]).hexdigest().encode()

# what "says" in EXPECTED stands for, behind the name of the list
SAYINGS = {
    "signature": b"the list is signed, but its signature was NOT checked",
    "signed late": b"a signed message begins behind lines that it does not sign",
    "no end": b"the signed message has no end",
    "mark": b"skipped a UTF-8 byte-order mark",
    "UTF-16": b"the list is in UTF-16; it must be in UTF-8 or ASCII",
    "nothing": b"no file was verified",
}


def read_expected(path):
    """[(name, exit codes, {"malformed": [number...], ...}, standard output)]"""
    with open(path, encoding="ascii") as file:
        blocks = re.split(r"(?m)^\[(.*)\]\n", file.read())[1:]
    for name, block in zip(blocks[::2], blocks[1::2]):
        fields, out = {}, b""
        for line in block.splitlines():
            key, _, text = line.partition(" ")
            if key == "out":
                text = text.replace("\\\\", "\0").replace("\\r", "\r").replace("\\xe9", "\xe9")
                out += text.replace("\0", "\\").encode("latin-1") + b"\n"
            elif key:
                fields[key] = text
        numbers = {key: [int(n) for n in fields.get(key, "").split()]
                   for key in ("malformed", "unsupported")}
        says = [SAYINGS[key] for key in fields["says"].split(", ")] if "says" in fields else []
        yield name, [int(n) for n in fields["exit"].split()], numbers, says, out


def lines_with(err, name, pattern):
    return [int(number) for number in
            re.findall(rb"(?m)^blocksha: " + re.escape(name.encode()) + rb": (\d+): " + pattern,
                       err)]


def check_list(test, name, status, numbers, says, out):
    for options, code in zip(([], ["--strict"], ["--strict-all"]), status):
        result = test.run("sum", "-c", *options, name)
        test.equal((result.out, result.status), (out, code), f"{name} {options}")
    result = test.run("sum", "-c", "-w", name)
    found = {"malformed": lines_with(result.err, name, rb"improperly formatted checksum line$"),
             "unsupported": lines_with(result.err, name, rb".* (?:is not supported|no supported "
                                       rb"algorithm has digests of \d+ bits)$")}
    test.equal((result.out, result.status, found), (out, status[0], numbers), f"{name}: lines")
    for text in SAYINGS.values():
        test.equal(result.err.count(b"blocksha: " + name.encode() + b": " + text + b"\n"),
                   int(text in says), f"{name}: says {text}")
    result = test.run("sum", "-c", "--status", name)
    test.equal((result.out, result.status), (b"", status[0]), f"{name} --status")
    # as a stream, byte by byte, it is the same list; but it has no name to tell a file
    if b"nameless" not in name.encode() and name not in ("a.txt.sha256", "a.txt.sha1", "b.bin.sha256",
                                                        "b.bin.sha1"):
        with open(name, "rb") as file:
            result = test.run("sum", "-c", stdin=file)
        test.equal((result.out, result.status), (out, status[0]), f"{name} as input")


def check_table(test):
    """The lists in the tree."""
    folder = os.path.join(test.source, "tests", "lists")
    os.mkdir("made")
    subprocess.run([sys.executable, os.path.join(test.source, "tests", "make_checklists.py"), "made"],
                   check=True)
    test.equal(sorted(os.listdir("made")), sorted(set(os.listdir(folder)) - {".gitattributes"}),
               "lists in tests/lists are those of the script")
    for name in os.listdir("made"):
        with open(os.path.join("made", name), "rb") as new, \
                open(os.path.join(folder, name), "rb") as old:
            test.equal(old.read(), new.read(), f"tests/lists/{name} is what the script makes")
    for name in os.listdir("made"):
        shutil.copy(os.path.join("made", name), name)
    for row in read_expected(os.path.join(folder, "EXPECTED")):
        check_list(test, *row)
    for name, data, *_ in make_checklists.TABLE:
        os.unlink(name)


def check_messages(test):
    write("list", b"MD5 (a.txt) = " + MD5 + b"\n" + MD5 + b"  b.bin\n" + A + b"  a.txt\n")
    result = test.run("sum", "-c", "list")
    test.equal(result.key(), (0, b"a.txt: OK\n", b"blocksha: list: WARNING: 2 lines have "
                              b"unsupported algorithms and were not verified\n"), "unsupported")
    result = test.run("sum", "-cw", "list")
    test.equal(result.err, b"blocksha: list: 1: a.txt: MD5 is not supported\n"
               b"blocksha: list: 2: b.bin: no supported algorithm has digests of 128 bits\n"
               b"blocksha: list: WARNING: 2 lines have unsupported algorithms and were not "
               b"verified\n", "unsupported, with --warn")
    # what is not known to be verified is said even where nothing else is
    write("list", make_checklists.HEADER + A + b"  a.txt\n" + make_checklists.SIGNATURE)
    for option in ("--status", "--quiet"):
        result = test.run("sum", "-c", option, "list")
        test.equal(result.key(), (0, b"", b"blocksha: list: the list is signed, but its signature "
                                  b"was NOT checked\n"), f"signature with {option}")
    write("list", make_checklists.BOM + A + b"  a.txt\n")
    test.equal(test.run("sum", "-c", "--status", "list").key(), (0, b"", b""), "mark with --status")
    # base64 is shown as what it is
    write("list", b"SHA256 (a.txt) = " + base64.b64encode(bytes.fromhex(B.decode())) + b"\n")
    result = test.run("sum", "-c", "list")
    test.equal(result.err, b"blocksha: list: 1: a.txt: SHA256 expected " + B + b", found " + A +
               b"\nblocksha: list: WARNING: 1 computed checksum did NOT match\n", "base64")
    # the name of a list that says whose digests are in it, with its folder
    os.mkdir("folder")
    write("folder/a.txt", b"hello\n")
    write("folder/a.txt.sha256", A + b"\n")
    test.equal(test.run("sum", "-c", "folder/a.txt.sha256").key(), (0, b"folder/a.txt: OK\n", b""),
               "a digest alone in a folder")
    write("folder/.sha256", A + b"\n")
    test.equal(test.run("sum", "-c", "folder/.sha256").status, 1, "a name of nothing in a folder")
    test.equal(test.run("sum", "-c", "-a", "sha1", "folder/a.txt.sha256").status, 1,
               "a digest alone, of another algorithm than -a")


def check_strict_all(test):
    for text, options, status in (
            (A + b"  missing\n" + A + b"  a.txt\n", "--ignore-missing", 0),
            (A + b"  missing\n" + A + b"  a.txt\n", "--ignore-missing --strict", 0),
            (A + b"  missing\n" + A + b"  a.txt\n", "--ignore-missing --strict-all", 1),
            (A + b"  missing\n" + A + b"  a.txt\n", "--strict-all --ignore-missing", 1),
            (b"MD5 (a.txt) = " + MD5 + b"\n" + A + b"  a.txt\n", "--strict", 0),
            (b"MD5 (a.txt) = " + MD5 + b"\n" + A + b"  a.txt\n", "--strict-all", 1),
            (b"# comment\n\n" + A + b"  a.txt\n", "--strict-all", 0)):
        write("list", text)
        for more in ("", " --status", " --quiet", " -w"):
            result = test.run("sum", "-c", *(options + more).split(), "list")
            test.equal(result.status, status, f"{text} {options}{more}")
    # nothing verified is a failure, whatever the options
    for text in (b"", b"# comment\n", b"junk\n", b"MD5 (a.txt) = " + MD5 + b"\n", A + b"  missing\n",
                 A + b"  /missing\n", MD5 + b"  missing\n" + A + b"  missing\n"):
        write("list", text)
        for mask in range(64):
            options = [option for bit, option in enumerate(
                ("--strict", "--strict-all", "--ignore-missing", "--safe-paths", "--status",
                 "--no-detect")) if mask >> bit & 1]
            result = test.run("sum", "-c", *options, "list")
            test.equal((result.status, b"OK" in result.out), (1, False), f"{text} {options}")


def check_safe_paths(test):
    refused = [b"/a.txt", b"//a.txt", b"..", b"../a.txt", b"folder/..", b"folder/../a.txt",
               b"./../a.txt", b"folder//..//a.txt", os.path.abspath("a.txt").encode(), b"/"]
    allowed = [b"a.txt", b"./a.txt", b"folder/a.txt", b"folder//a.txt", b"folder/./a.txt"]
    for name in (b"..a", b"a..", b"...", b"folder/..a"):
        write(name, b"hello\n")
        allowed.append(name)
    write("list", b"".join(A + b"  " + name + b"\n" for name in refused + allowed))
    result = test.run("sum", "-c", "--safe-paths", "list")
    test.equal(result.out, b"".join(name + b": FAILED unsafe name\n" for name in refused) +
               b"".join(name + b": OK\n" for name in allowed), "--safe-paths")
    test.equal(result.status, 1, "--safe-paths")
    for line, name in enumerate(refused, 1):
        reason = b"the name is absolute" if name[:1] == b"/" else b"the name has a component '..'"
        test.check(b"blocksha: list: %d: %s: refused: %s\n" % (line, name, reason) in result.err,
                   f"--safe-paths: message about {name}", f"  {result.err}")
    test.check(result.err.endswith(b"blocksha: list: WARNING: %d listed names were refused as "
                                   b"unsafe\n" % len(refused)), "--safe-paths: summary")
    write("list", b"".join(A + b"  " + name + b"\n" for name in allowed))
    test.equal(test.run("sum", "-c", "--safe-paths", "list").status, 0, "--safe-paths, safe names")
    # nothing of a refused file is read, not even whether it is there
    write("list", A + b"  ../missing\n" + A + b"  a.txt\n")
    for options in ([], ["--ignore-missing"], ["--status"]):
        test.equal(test.run("sum", "-c", "--safe-paths", *options, "list").status, 1,
                   f"--safe-paths {options}")
    # the name of the list is the user's
    write("folder/a.txt.sha256", A + b"\n")
    path = os.path.abspath("folder/a.txt.sha256")
    test.equal(test.run("sum", "-c", "--safe-paths", path).status, 0, "--safe-paths, own name")


def check_quote(test):
    names = {b"a.txt": b"a.txt", b"with space": b"'with space'", b"new\nline": b"'new'$'\\n''line'",
             b"back\\slash": b"'back\\slash'", b"cr\r": b"'cr'$'\\r'", b"*star": b"'*star'",
             b"latin\xe9": b"'latin'$'\\351'", b"(p) = q": b"'(p) = q'", b"#hash": b"'#hash'"}
    write("list", test.run("sum", "--", *names).out)
    plain = test.run("sum", "-c", "list").out
    test.equal(test.run("sum", "-c", "--quote=9.1", "list").key(), (0, plain, b""), "--quote=9.1")
    test.equal(test.run("sum", "-c", "--quote", "9.11", "list").key(),
               (0, b"".join(quoted + b": OK\n" for quoted in names.values()), b""), "--quote=9.11")
    test.equal(test.run("sum", "-c", "--quote=9.11", "--quote=9.1", "list").out, plain, "the last")
    # what is quoted is what a shell reads as the name, whatever bytes are in it
    bash = shutil.which("bash")
    if bash is None:
        unavailable("bash")
    else:
        os.mkdir("bytes")
        os.chdir("bytes")
        odd = [prefix + bytes([byte]) + b"'x"[:byte % 3] for byte in range(1, 256) if byte != 0x2f
               for prefix in (b"", b"_")]
        odd = sorted(set(odd) - {b"."})
        for name in odd:
            write(name, b"")
        write("../list", test.run("sum", "--", *odd).out)
        result = test.run("sum", "-c", "--quote=9.11", "../list")
        rows = result.out.splitlines(True)
        test.check(all(row.endswith(b": OK\n") for row in rows), "--quote=9.11 of odd names")
        script = b"".join(b"printf '%s\\0' " + row.removesuffix(b": OK\n") + b"\n" for row in rows)
        words = subprocess.run([bash, "-s"], input=script, capture_output=True, env=C_LOCALE)
        test.equal(words.stdout.split(b"\0")[:-1], odd, "--quote=9.11 in a shell")
        os.chdir("..")
    for words in (["--quote=9.5", "-c", "list"], ["--quote=", "-c", "list"], ["--quote=9.1", "list"],
                  ["--safe-paths", "list"], ["--strict-all", "list"]):
        result = test.run("sum", *words)
        test.equal((result.status, result.out), (2, b""), f"{words} is wrong usage")


def check_writers(test):
    """What other programs write is read back."""
    names = ["a.txt", "b.bin", "empty", "with space", "(p) = q", "*star", " blank"]
    out = b"".join(name.encode() + b": OK\n" for name in names)
    programs = [[name, *option] for name in ALIASES for option in ([], ["-b"], ["--tag"])]
    programs += [["cksum", "-a", algorithm, *option] for algorithm in ("sha1", "sha256")
                 for option in ([], ["--untagged"])]
    programs += [["openssl", "dgst", "-" + algorithm, *option] for algorithm in ("sha1", "sha256")
                 for option in ([], ["-r"])]
    for algorithm in ("1", "256"):
        programs += [["shasum", "-a", algorithm, *option] for option in ([], ["-b"], ["--tag"])]
    for command in programs:
        if shutil.which(command[0]) is None:
            unavailable(f"{command[0]} is not installed")
            continue
        made = subprocess.run([*command, *names], capture_output=True, env=C_LOCALE)
        if made.returncode != 0:
            unavailable(f"{' '.join(command)}: {made.stderr.decode(errors='replace')[:100]}")
            continue
        write("list", made.stdout)
        test.equal(test.run("sum", "-c", "--strict-all", "list").key(), (0, out, b""),
                   f"the list of {' '.join(command)}")


def check_json(test):
    """An object for each file, with what the lines say."""
    os.mkdir("objects")
    good = make_checklists.FILES[b"a.txt"]
    wrong = "0" * 64
    write("list", A + b"  a.txt\n" + wrong.encode() + b"  b.bin\nMD5 (a.txt) = " + MD5 + b"\njunk\n" +
          A + b"  missing\n" + A + b"  ../a.txt\n" + hashlib.sha1(
              make_checklists.FILES[b"latin\xe9"]).hexdigest().encode() + b"  latin\xe9\n")
    result = test.run("sum", "-c", "--json", "--safe-paths", "list")
    plain = {"list": "list", "attack": None, "error": None}
    rows = [json.loads(line) for line in result.out.decode().splitlines()]
    expected = [
        {**plain, "name": "a.txt", "verdict": "OK", "line": 1, "expected": A.decode(),
         "size": len(good), "sha256": A.decode()},
        {**plain, "name": "b.bin", "verdict": "FAILED", "line": 2, "expected": wrong, "size": 256,
         "sha256": B.decode()},
        {"name": "a.txt", "verdict": "unsupported", "list": "list", "line": 3},
        {**plain, "name": "missing", "verdict": "FAILED open or read", "line": 5, "size": 0,
         "expected": A.decode(), "error": {"code": "ENOENT", "text": "No such file or directory"}},
        {"name": "../a.txt", "verdict": "FAILED unsafe name", "list": "list", "line": 6,
         "expected": A.decode()},
    ]
    test.equal(rows[:-1], expected, "-c --json")
    test.equal((rows[-1]["name_base64"], rows[-1]["verdict"], "name" in rows[-1]),
               (base64.b64encode(b"latin\xe9").decode(), "OK", False), "-c --json: a name")
    test.equal(result.status, 1, "-c --json")
    lines = test.run("sum", "-c", "--safe-paths", "list")
    test.equal((lines.status, lines.err), (result.status, result.err), "messages with --json")
    for option, count in (("--quiet", 4), ("--status", 0)):
        result = test.run("sum", "-c", "--json", option, "list")
        test.equal(result.out.count(b"\n"), count, f"-c --json {option}")
    write("objects/x", b"x")
    write("list", A + b"  a.txt\n")
    result = test.run("sum", "-cr", "--json", "list", "objects")
    test.equal(json.loads(result.out.splitlines()[1]), {"name": "objects/x", "verdict": "EXTRA"},
               "-c -r --json")


# of the shared lists, those that do not simply verify: exit code, verdicts that are not OK
SHARED = {"empty-file.sha256": (1, b""), "hash-only.sha256": (1, b"hash-only: FAILED open or read\n"),
          "missing-file.sha256": (1, b"no-such-file: FAILED open or read\n"),
          "one-bad-hash.sha256": (1, b"b.bin: FAILED\n"),
          "only-missing.sha256": (1, b"no-such-file: FAILED open or read\n")}
# and how many files the others verify, where it is not three
SHARED_OK = {"bsd-tag.sha256": 4, "comments.sha256": 2, "escaped-names.sha256": 4,
             "gnu-text.sha1": 5, "gnu-text.sha256": 5, "mixed-tags.txt": 2,
             "sha1-in-sha256-list.sha256": 2, "missing-file.sha256": 1, "one-bad-hash.sha256": 2,
             "empty-file.sha256": 0, "hash-only.sha256": 0, "only-missing.sha256": 0}


def check_shared(test):
    folder = os.path.join(test.shared, "data", "checksum-lists")
    if not os.path.isfile(os.path.join(folder, "payload.tar")):
        unavailable(f"{folder}: the shared checksum lists are not there")
        return
    os.mkdir("shared")
    os.chdir("shared")
    with tarfile.open(os.path.join(folder, "payload.tar"), errors="surrogateescape") as tar:
        tar.extractall()
    count = 0
    for name in sorted(os.listdir(folder)):
        if not name.endswith((".sha1", ".sha256", ".txt")) or name.startswith("EXPECTED"):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            write(name, file.read())
        result = test.run("sum", "-c", name)
        status, others = SHARED.get(name, (0, b""))
        found = b"".join(line + b"\n" for line in result.out.split(b"\n")
                         if line and not line.endswith(b": OK"))
        test.equal((result.status, found, result.out.count(b": OK\n")),
                   (status, others, SHARED_OK.get(name, 3)), f"shared {name}")
        count += 1
    test.check(count >= 25, "enough shared lists", f"  {count}")
    # none of the files of those from elsewhere is there
    for name in sorted(os.listdir(os.path.join(folder, "wild"))):
        if name == "EXPECTED.txt":
            continue
        result = test.run("sum", "-c", os.path.join(folder, "wild", name))
        lines = result.out.splitlines()
        test.check(result.status == 1 and lines and all(
            line.endswith(b": FAILED open or read") for line in lines), f"wild {name}",
            f"  {result.key()}")
    os.chdir("..")


def main():
    test = Test()
    for name, data in make_checklists.FILES.items():
        write(name, data)
    check_table(test)
    check_messages(test)
    check_strict_all(test)
    check_safe_paths(test)
    check_quote(test)
    check_json(test)
    check_writers(test)
    check_shared(test)
    test.finish()


main()
