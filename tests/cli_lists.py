#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checksum lists: a table of lists with the verdicts that are right for blocksha; the same lists,
every prefix of every kind of line, and damaged lists under the names of coreutils, compared with
coreutils; the shared collection of lists, when it is there."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import tarfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import ALIASES, C_LOCALE, Test, unavailable, write

FILES = {b"f": b"hello\n", b"g": b"another\n", b"empty": b"", b" b": b"blank\n", b"*c": b"star\n",
         b"dd": b"dd\n", b" ": b"a space\n", b"a\\b": b"backslash\n", b"a\nb": b"newline\n",
         b"cr\r": b"return\n", b"x) = y (": b"parentheses\n", b"#h": b"hash\n", b"-": b"minus\n",
         b"(p)": b"p\n"}


def sha1(name):
    return hashlib.sha1(FILES[name]).hexdigest().encode()


def sha256(name):
    return hashlib.sha256(FILES[name]).hexdigest().encode()


F1, F, G, E = sha1(b"f"), sha256(b"f"), sha256(b"g"), sha256(b"empty")
E1 = b"da39a3ee5e6b4b0d3255bfef95601890afd80709"  # SHA-1 of nothing
BAD = b"0" * 64

# what it shows, list, options, exit code, verdicts, numbers of malformed lines
LISTS = [
    ("a good line", F + b"  f\n", "", 0, b"f: OK\n", []),
    ("SHA-1 by its length", F1 + b"  f\n", "", 0, b"f: OK\n", []),
    ("both in one list", F1 + b"  f\n" + F + b"  f\n" + G + b"  g\n", "", 0,
     b"f: OK\nf: OK\ng: OK\n", []),
    ("tags", b"SHA1 (f) = " + F1 + b"\nSHA256 (f) = " + F + b"\n", "", 0, b"f: OK\nf: OK\n", []),
    ("a tag and a digest of the other", b"SHA1 (f) = " + F + b"\nSHA256 (f) = " + F1 + b"\n" + F +
     b"  f\n", "", 0, b"f: OK\n", [1, 2]),
    ("-a leaves out the other", F1 + b"  f\n" + F + b"  f\n", "-a sha256", 0, b"f: OK\n", [1]),
    ("-a, tags", b"SHA1 (f) = " + F1 + b"\nSHA256 (f) = " + F + b"\n", "-a sha1", 0,
     b"f: OK\n", [2]),
    ("-a of both", F1 + b"  f\n" + F + b"  f\n", "-a sha1,sha256", 0, b"f: OK\nf: OK\n", []),
    ("-a and nothing of it", F + b"  f\n", "-a sha1", 1, b"", [1]),
    # one OK must not colour what follows, nor an empty file
    ("OK, FAILED, OK", E1 + b"  empty\n" + E1 + b"  g\n" + E1 + b"  empty\n", "", 1,
     b"empty: OK\ng: FAILED\nempty: OK\n", []),
    ("an empty file", E + b"  empty\n" + E + b"  f\n", "", 1, b"empty: OK\nf: FAILED\n", []),
    ("a wrong digest", BAD + b"  f\n", "", 1, b"f: FAILED\n", []),
    ("one of three is wrong", F + b"  f\n" + BAD + b"  g\n" + E + b"  empty\n", "--quiet", 1,
     b"g: FAILED\n", []),
    # nothing verified is never success
    ("garbage without newline", b"I-am-not-a-hash", "--status", 1, b"", [1]),
    ("an empty list", b"", "", 1, b"", []),
    ("an empty list", b"", "--ignore-missing --status", 1, b"", []),
    ("blank lines and comments", b"\n\r\n# nothing\n", "", 1, b"", []),
    ("nothing there", F + b"  missing\n", "--ignore-missing", 1, b"", []),
    ("nothing there", F + b"  missing\n", "--ignore-missing --status", 1, b"", []),
    ("one is there", F + b"  missing\n" + F + b"  f\n", "--ignore-missing", 0, b"f: OK\n", []),
    ("one is missing", F + b"  missing\n" + F + b"  f\n", "", 1,
     b"missing: FAILED open or read\nf: OK\n", []),
    ("a folder", F + b"  .\n" + F + b"  f\n", "--ignore-missing", 1,
     b".: FAILED open or read\nf: OK\n", []),
    ("below a file", F + b"  f/x\n" + F + b"  f\n", "--ignore-missing", 1,
     b"f/x: FAILED open or read\nf: OK\n", []),
    ("an input error", F + b"  /proc/self/mem\n" + F + b"  f\n", "", 1,
     b"/proc/self/mem: FAILED open or read\nf: OK\n", []),
    # malformed lines
    ("half of it is junk", b"junk\n" + F + b"  f\n", "", 0, b"f: OK\n", [1]),
    ("half of it is junk", b"junk\n" + F + b"  f\n", "--strict", 1, b"f: OK\n", [1]),
    ("63 digits", b"SHA256 (f) = " + F[:63] + b"\n" + F[:63] + b"  f\n", "", 1, b"", [1, 2]),
    ("8 digits", b"SHA256 (f) = " + F[:8] + b"\n" + F[:8] + b"  f\n", "", 1, b"", [1, 2]),
    ("65 digits", b"SHA256 (f) = " + F + b"0\n" + F + b"0  f\n", "", 1, b"", [1, 2]),
    ("39 and 41 digits", F1[:39] + b"  f\n" + F1 + b"0  f\n", "", 1, b"", [1, 2]),
    ("128 digits are of another algorithm", F + F + b"  f\n", "", 1, b"", []),
    ("a character that is no digit", F[:63] + b"g  f\n", "", 1, b"", [1]),
    ("broken tags", b"SHA1 (\n((\nSHA256 ()= \n(\n = \nSHA256 (f\nSHA256 (f)\nSHA256 (f) =\n"
     b"SHA256\nSHA256 f\nSHA1\n", "", 1, b"", list(range(1, 12))),
    ("a digest alone", F + b"\n" + F + b" \n", "", 1, b"", [1, 2]),
    ("names of nothing", b"SHA256 () = " + F + b"\n", "", 1, b": FAILED open or read\n", []),
    ("a blank behind a tagged digest", b"SHA256 (f) = " + F + b" \n", "", 1, b"", [1]),
    ("other tags", b"MD5 (f) = d41d8cd98f00b204e9800998ecf8427e\nSHA512 (f) = " + F + F +
     b"\nsha256 (f) = " + F + b"\nSHA256\t(f) = " + F + b"\n", "", 1, b"", [3, 4]),
    # separators
    ("two blanks, star, one blank, tab", F + b"  f\n" + F + b" *f\n", "", 0, b"f: OK\nf: OK\n", []),
    ("one blank and tab", F + b" f\n" + F + b"\tf\n", "", 0, b"f: OK\nf: OK\n", []),
    ("a tab and two characters", F + b"\t*f\n" + F + b"\t f\n", "", 0, b"f: OK\nf: OK\n", []),
    ("a one-letter name that is a blank", sha256(b" ") + b"  \n", "", 0, b" : OK\n", []),
    ("the first clear line decides: GNU", F + b"  f\n" + sha256(b" b") + b"   b\n" + F + b" f\n" +
     sha256(b"*c") + b"  *c\n", "", 0, b"f: OK\n b: OK\n*c: OK\n", [3]),
    ("the first clear line decides: reversed", F + b" f\n" + sha256(b" b") + b"  b\n" +
     sha256(b"*c") + b" *c\n" + sha256(b"dd") + b" dd\n", "", 0,
     b"f: OK\n b: OK\n*c: OK\ndd: OK\n", []),
    ("the first clear line decides: a folder away", F + b" f\n" + F + b"  f\n", "", 1,
     b"f: OK\n f: FAILED open or read\n", []),
    ("blanks before the line", b" \t" + F + b"  f\n\t SHA256 (f) = " + F + b"\n", "", 0,
     b"f: OK\nf: OK\n", []),
    ("a comment has no blank before it", b"# one\n #two\n" + F + b"  f\n", "", 0, b"f: OK\n", [2]),
    ("a name that begins with #", sha256(b"#h") + b"  #h\n", "", 0, b"#h: OK\n", []),
    ("upper case", F.upper() + b"  f\nSHA256 (f) = " + F.upper() + b"\n", "", 0, b"f: OK\nf: OK\n",
     []),
    ("spaces in tagged lines", b"SHA256(f)= " + F + b"\nSHA256 (f)=" + F + b"\nSHA256(f)\t =\t " +
     F + b"\n", "", 0, b"f: OK\nf: OK\nf: OK\n", []),
    ("two spaces behind the tag", b"SHA256  (f) = " + F + b"\n", "", 1, b"", [1]),
    ("parentheses in names", b"SHA256 (x) = y () = " + sha256(b"x) = y (") + b"\nSHA256 ((p)) = " +
     sha256(b"(p)") + b"\n", "", 0, b"x) = y (: OK\n(p): OK\n", []),
    # ends of lines
    ("no newline at the end", F + b"  f\n" + G + b"  g", "", 0, b"f: OK\ng: OK\n", []),
    ("CR LF", F + b"  f\r\nSHA256 (f) = " + F + b"\r\n", "", 0, b"f: OK\nf: OK\n", []),
    ("CR without LF at the end", F + b"  f\r", "", 0, b"f: OK\n", []),
    ("CR CR LF", F + b"  f\r\r\nSHA256 (f) = " + F + b"\r\r\n\r\r\n", "", 0, b"f: OK\nf: OK\n", []),
    ("a CR within the line", F + b"  f\rx\n", "", 1, b"f\rx: FAILED open or read\n", []),
    ("a CR of the name", b"\\" + sha256(b"cr\r") + b"  cr\\r\r\n", "", 0, b"cr\r: OK\n", []),
    # escapes
    ("escaped names", b"\\" + sha256(b"a\\b") + b"  a\\\\b\n\\" + sha256(b"a\nb") + b"  a\\nb\n",
     "", 0, b"a\\b: OK\n\\a\\nb: OK\n", []),
    ("escaped names, tagged", b"\\SHA256 (a\\\\b) = " + sha256(b"a\\b") + b"\n\\SHA256 (a\\nb) = " +
     sha256(b"a\nb") + b"\n", "", 0, b"a\\b: OK\n\\a\\nb: OK\n", []),
    ("a backslash in a line without mark", sha256(b"a\\b") + b"  a\\b\n", "", 0, b"a\\b: OK\n", []),
    ("a mark that was not needed", b"\\" + F + b"  f\n", "", 0, b"f: OK\n", []),
    ("wrong escapes", b"\\" + F + b"  f\\\n\\" + F + b"  f\\x\n\\" + F + b"  \\\n\\\\" + F +
     b"  f\n\\SHA256 (f\\) = " + F + b"\n\\ " + F + b"  f\n\\\n", "", 1, b"",
     [1, 2, 3, 4, 5, 6, 7]),
    # NUL bytes
    ("NUL behind the name", F + b"  f\0junk\nSHA256 (f\0) x) = " + F + b"\nSHA256 (f) = " + F +
     b"\0junk\n", "", 1, b"", [1, 2, 3]),
    ("NUL in a digest", F[:32] + b"\0" + F[33:] + b"  f\n\0" + F + b"  f\n", "", 1, b"", [1, 2]),
    ("NUL in an escaped name", b"\\" + F + b"  f\0\n", "", 1, b"", [1]),
    ("NUL bytes alone", b"\0\n\0\0\0", "", 1, b"", [1, 2]),
    # other encodings
    ("UTF-8 with a mark", b"\xef\xbb\xbf" + F + b"  f\n", "", 0, b"f: OK\n", []),
    ("UTF-16", (F + b"  f\n").decode().encode("utf-16"), "", 1, b"", []),
    # standard input is the list here
    ("the list in itself", F + b"  -\n" + F + b"  f\n", "-", 0, b"f: OK\n", [1]),
    ("standard input in a list", sha256(b"-") + b"  -\n", "", 0, b"-: OK\n", []),
]


def check_own(test):
    """blocksha's verdicts, and in each message the list and the line."""
    for what, text, options, status, verdicts, malformed in LISTS:
        what = f"{what}: {text[:100]!r} {options}"
        words = options.split()
        from_stdin = "-" in words
        write("list", text)
        if not from_stdin:
            words.append("list")
        result = test.run("sum", "-c", *words, stdin=text if from_stdin else FILES[b"-"])
        if "--status" not in words:
            test.equal(result.out, verdicts, what)
        else:
            test.equal(result.out, b"", what)
        test.equal(result.status, status, what)
        if "--status" in words or "--quiet" in words:
            continue
        name = b"'standard input'" if from_stdin else b"list"
        result = test.run("sum", "-c", "-w", *words, stdin=text if from_stdin else FILES[b"-"])
        lines = [int(number) for number in re.findall(
            rb"^blocksha: " + name + rb": (\d+): improperly formatted .*line$", result.err,
            re.MULTILINE)]
        test.equal((result.out, result.status, lines), (verdicts, status, malformed), what)
        if verdicts and malformed:
            text = (b"line is" if len(malformed) == 1 else b"lines are")
            test.check(name + b": WARNING: %d %s improperly formatted\n" % (len(malformed), text)
                       in result.err, what, f"  {result.err}")

    write("list", F + b"  f\n" + BAD + b"  g\n" + F + b"  missing\n")
    result = test.run("sum", "-c", "list")
    test.equal(result.err, b"blocksha: list: 2: g: SHA256 expected " + BAD + b", found " + G +
               b"\nblocksha: list: 3: missing: No such file or directory\n"
               b"blocksha: list: WARNING: 1 listed file could not be read\n"
               b"blocksha: list: WARNING: 1 computed checksum did NOT match\n", "messages")
    result = test.run("sum", "-c", "--status", "list")
    test.equal(result.key(), (1, b"", b"blocksha: list: 3: missing: No such file or directory\n"),
               "messages with --status")
    # every list for itself: one that verifies nothing fails the run, and so does a missing one
    write("empty list", b"")
    write("good", F + b"  f\n")
    write("reversed", F + b" f\n")
    for lists, status in ((["good"], 0), (["good", "good"], 0), (["good", "empty list"], 1),
                          (["empty list", "good"], 1), (["missing", "good"], 1), (["."], 1),
                          (["good", "reversed", "good"], 0)):
        result = test.run("sum", "-c", *lists)
        test.equal((result.status, result.out.count(b"OK")),
                   (status, sum("good" in x or "reversed" in x for x in lists)), f"{lists}")
    result = test.run("sum", "-c", ".", "missing")
    test.equal(result.err, b"blocksha: .: Is a directory\n"
               b"blocksha: missing: No such file or directory\n", "lists that cannot be read")


def peak_memory(pid):
    with open(f"/proc/{pid}/status") as file:
        return 1024 * int(re.search(r"VmHWM:\s*(\d+) kB", file.read())[1])


def check_long_lines(test):
    """Memory stays bounded whatever the length of a line."""
    process = subprocess.Popen([test.blocksha, "sum", "-c"], env=C_LOCALE, stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(64):
        process.stdin.write(b"x" * 1024 * 1024)
    peak = peak_memory(process.pid)
    process.stdin.close()
    test.equal(process.wait(), 1, "a line of 64 MiB")
    if not test.is_sanitized():
        test.check(peak < 8 * 1024 * 1024, "a line of 64 MiB", f"  {peak} bytes of memory")

    for length in (65535, 65536, 131072, 1048575, 1048576, 1048577, 3000000):
        for end in (b"", b"\n"):
            comment = b"#" + b"x" * (length - 1)
            write("long", F + b"  f\n" + comment + b"\n" + F + b"  f\n" + comment + end)
            result = test.run("sum", "-c", "--strict", "long")
            test.equal(result.key(), (0, b"f: OK\nf: OK\n", b""), f"a comment of {length} bytes")
            for first in (b"x", b"0"):
                write("long", F + b"  f\n" + first * length + b"\n" + F + b"  f\n" +
                      first * length + end)
                result = test.run("sum", "-c", "-w", "long")
                lines = re.findall(rb"long: (\d+): improperly", result.err)
                test.equal((result.status, result.out, lines), (0, b"f: OK\nf: OK\n", [b"2", b"4"]),
                           f"a line of {length} bytes")
                if test.coreutils:
                    test.compare("sha256sum", "-c", "-w", "long", what=f"a line of {length} bytes")
    # names that no file can have, but that a line can
    for length in (9000, 66000, 140000, 1024 * 1024 - 66, 1024 * 1024 - 65):
        name = b"n" * length
        write("long", F + b"  " + name + b"\n" + F + b"  f\n")
        result = test.run("sum", "-c", "long")
        if length + 66 <= 1024 * 1024:
            test.equal((result.status, result.out), (1, name + b": FAILED open or read\nf: OK\n"),
                       f"a name of {length} bytes")
            if test.coreutils:
                test.compare("sha256sum", "-c", "long", what=f"a name of {length} bytes")
        else:
            test.equal((result.status, result.out), (0, b"f: OK\n"), "a line of 1 MiB and 1 byte")
    # lines that end where buffers end
    text = b"".join(b"#" + b"x" * (n % 97) + b"\n" + F + b"  f\n" for n in range(3000))
    write("long", text)
    test.equal(test.run("sum", "-c", "long").key(), (0, b"f: OK\n" * 3000, b""), "6000 lines")


def unescape(name):
    """The name that an escaped one stands for, or None."""
    if not re.fullmatch(rb"(?:[^\\]|\\[\\nr])*", name, re.DOTALL):
        return None
    return re.sub(rb"\\(.)", lambda m: {b"n": b"\n", b"r": b"\r"}.get(m[1], b"\\"), name)


def parse_digest(text):
    """(algorithm, hexadecimal digest); the algorithm may be "other", or None for no digest."""
    if re.fullmatch(rb"[0-9A-Fa-f]*", text):
        algorithm = {40: "sha1", 64: "sha256"}.get(len(text))
        if len(text) in (32, 56, 96, 128):
            algorithm = "other"
        return algorithm, text.lower()
    if re.fullmatch(rb"[A-Za-z0-9+/]*=", text) and len(text) in (28, 44):
        digest = base64.b64decode(text)
        canonical = base64.b64encode(digest) == text
        return "sha1" if len(text) == 28 else "sha256", digest.hex().encode() if canonical else b""
    return None, b""


def parse(line, list_form):
    """The grammar once more, for blocksha and lists without name or frame: (algorithm, digest,
    name), None for a malformed line, () for nothing and for an algorithm of others.
    list_form["form"] is "gnu", "reversed" or missing."""
    if line.startswith(b"#"):
        return ()
    line = line.rstrip(b"\r")
    if not line:
        return ()
    if b"\0" in line:
        return None
    line = line.lstrip(b" \t")
    escaped = line.startswith(b"\\")
    line = line[escaped:]
    tagged = re.match(rb"(SHA1|SHA256|SHA2-256) ?\(", line)
    if tagged:
        algorithm = "sha1" if tagged[1] == b"SHA1" else "sha256"
        name, parenthesis, rest = line[tagged.end():].rpartition(b")")
        digest = re.fullmatch(rb"[ \t]*=[ \t]*(.*)", rest, re.DOTALL)
        if not parenthesis or not digest or parse_digest(digest[1])[0] != algorithm:
            return None
        digest = parse_digest(digest[1])[1]
    else:
        digest = re.match(rb"([^ \t]*)[ \t]", line)
        if not digest or parse_digest(digest[1])[0] is None:
            return None
        name = line[digest.end():]
        algorithm, digest = parse_digest(digest[1])
        if not name:
            return None
        if len(name) == 1 or name[:1] not in (b" ", b"*"):
            if list_form.setdefault("form", "reversed") != "reversed":
                return None
        elif list_form.setdefault("form", "gnu") == "gnu":
            name = name[1:]
    name = unescape(name) if escaped else name
    if name is None:
        return None
    return (algorithm, digest, name) if algorithm != "other" else ()


def expected_verdicts(text):
    """What blocksha prints for a list, and the number of malformed lines in it."""
    out, malformed, list_form = b"", 0, {}
    for line in text.removesuffix(b"\n").split(b"\n") if text else []:
        entry = parse(line, list_form)
        if entry is None:
            malformed += 1
            continue
        if not entry:
            continue
        algorithm, digest, name = entry
        verdict = b"FAILED open or read"
        if os.path.isfile(name):
            with open(name, "rb") as file:
                good = hashlib.new(algorithm, file.read()).hexdigest().encode()
            verdict = b"OK" if good == digest else b"FAILED"
        if b"\n" in name:
            name = b"\\" + re.sub(rb"[\\\n\r]", lambda m: {b"\n": b"\\n", b"\r": b"\\r"}.get(
                m[0], b"\\\\"), name)
        out += name + b": " + verdict + b"\n"
    return out, malformed


def check_lists(test, lists, what):
    """One run over many lists. As blocksha with what the grammar above says of each; under the
    names of coreutils with coreutils."""
    names, out, malformed = [], b"", []
    for number, text in enumerate(lists):
        names.append(f"lists/{number}")
        write(names[-1], text)
        verdicts, count = expected_verdicts(text)
        out += verdicts
        malformed.append(count)
    for at in range(0, len(names), 2000):
        part = names[at:at + 2000]
        for options in (["-w"], ["--strict", "--quiet"]) if test.coreutils else ():
            for program in ALIASES:
                test.compare(program, "-c", *options, *part, what=f"{program}: {what} {options}")
    result = test.run("sum", "-c", "-w", *names)
    found = [len(re.findall(rb"(?m)^blocksha: lists/%d: \d+: improperly" % number, result.err))
             if number % 10 == 0 else malformed[number] for number in range(len(names))]
    test.equal(result.out, out, f"{what}: verdicts of blocksha")
    test.equal(found, malformed, f"{what}: malformed lines")
    test.equal(result.err.count(b": improperly formatted"), sum(malformed), f"{what}: all of them")
    for file in names:
        os.unlink(file)


def sweep(test):
    """Every prefix of every kind of line with every end; damaged lines; lists of such."""
    gnu, other = [], []
    for tag, digest in ((b"SHA1", sha1), (b"SHA256", sha256)):
        f, b, n = digest(b"f"), digest(b"a\\b"), digest(b"a\nb")
        gnu += [f + b"  f", f + b" *f", b" \t" + f + b"  f", b"\\" + b + b"  a\\\\b",
                b"\\" + n + b" *a\\nb", tag + b" (f) = " + f, tag + b"(f)= " + f.upper(),
                b"\\" + tag + b" (a\\nb) = " + n, tag + b" (x) = y () = " + digest(b"x) = y (")]
        other += [f + b" f", f + b"\tf", digest(b" b") + b"  b", b"\\" + b + b" a\\\\b",
                  digest(b" ") + b"  "]
    new = [b"SHA2-256(f)= " + F, b"\\SHA2-256 (a\\nb) = " + sha256(b"a\nb"), F + F + b"  f"]
    for digest in (bytes.fromhex(F1.decode()), bytes.fromhex(F.decode())):
        encoded = base64.b64encode(digest)
        new += [encoded + b"  f", encoded + b" *f", b"SHA1 (f) = " + encoded,
                b"SHA256 (f) = " + encoded]
    for lines in (gnu, other, new):
        prefixes = []
        for line in lines:
            for size in range(len(line) + 1):
                prefixes += [line[:size], line[:size] + b"\n"]
                if size < 2 or size > len(line) - 4:
                    prefixes += [line[:size] + b"\r\n", line[:size] + b"\r"]
        check_lists(test, prefixes, "prefixes")

    damaged = []
    for _ in range(1000):
        line = bytearray(test.random.choice(gnu + other + new))
        for _ in range(test.random.randint(1, 3)):
            at = test.random.randrange(len(line) + 1)
            byte = test.random.choice(b"\0\t\r ()=\\*#fF0\xff-nr")
            edit = test.random.randrange(4)
            if edit == 0:
                line.insert(at, byte)
            elif edit == 1 and line:
                line[at % len(line)] = byte
            elif edit == 2 and line:
                del line[at % len(line)]
            else:
                line[at:at] = test.random.choice(gnu + other)[:test.random.randrange(70)]
        damaged.append(bytes(line))
    check_lists(test, damaged, "damaged lines")
    mixed = [b"\n".join(test.random.choices(damaged + gnu + other, k=20)) for _ in range(200)]
    check_lists(test, mixed, "lists of damaged lines")


def compare_coreutils(test):
    for name in ALIASES:
        digest = sha1 if name == "sha1sum" else sha256
        tag = name.removesuffix("sum").upper().encode()
        for what, text, options, *_ in LISTS:
            if "-a" in options:
                continue
            for old, new in ((b"SHA256", tag), (F, digest(b"f")), (G, digest(b"g"))):
                text = text.replace(old, new)
            words = options.split()
            if "-" in words:
                test.compare(name, "-c", "-w", *words, stdin=text, what=what)
                continue
            write("list", text)
            test.compare(name, "-c", *words, "list", stdin=FILES[b"-"], what=f"{name}: {what}")
            test.compare(name, "-c", "-w", "list", stdin=FILES[b"-"], what=f"{name}: {what}")
            test.compare(name, "-c", "-w", "-", stdin=text, what=f"{name}: {what}, as input")


def unfold(text):
    return text.replace("<CR>", "\r").encode("utf-8", "surrogateescape")


def check_shared(test):
    """What coreutils 9.1 said about the shared lists binds the aliases."""
    folder = os.path.join(test.shared, "data", "checksum-lists")
    if not os.path.isfile(os.path.join(folder, "EXPECTED-coreutils-9.1.txt")):
        unavailable(f"{folder}: the shared checksum lists are not there")
        return
    runs = 0
    for place, expected in ((folder, "EXPECTED-coreutils-9.1.txt"),
                            (os.path.join(folder, "wild"), "EXPECTED.txt")):
        os.makedirs("shared", exist_ok=True)
        os.chdir("shared")
        if place == folder:
            with tarfile.open(os.path.join(folder, "payload.tar"), errors="surrogateescape") as tar:
                tar.extractall()
        else:
            os.chdir("..")
            os.mkdir("wild")
            os.chdir("wild")
        for name in os.listdir(place):
            if os.path.isfile(os.path.join(place, name)) and "EXPECTED" not in name:
                with open(os.path.join(place, name), "rb") as file:
                    write(name, file.read())
        with open(os.path.join(place, expected), errors="surrogateescape", newline="\n") as file:
            blocks = file.read().split("\n$ ")[1:]
        for block in blocks:
            command, *lines = block.split("\n")
            command, status = command.split("   -> exit ")
            program, *words = command.split()
            if program not in ALIASES:
                continue
            out = b"".join(unfold(line[7:]) + b"\n" for line in lines if line.startswith("  out| "))
            err = b"".join(unfold(line[7:]) + b"\n" for line in lines if line.startswith("  err| "))
            result = test.alias(program, *words)
            if place != folder:  # the files are not there, which the expectations leave out
                result.err = re.sub(rb"(?m)^.*: No such file or directory\n", b"", result.err)
            test.equal(result.key(), (int(status), out, err), command)
            runs += 1
        os.chdir("..")
    test.check(runs > 80, "enough runs in EXPECTED", f"  {runs}")


def main():
    test = Test()
    for name, data in FILES.items():
        write(name, data)
    os.mkdir("lists")
    check_own(test)
    check_long_lines(test)
    sweep(test)
    if test.coreutils:
        compare_coreutils(test)
    check_shared(test)
    test.finish()


main()
