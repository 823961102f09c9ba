#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blocksha git verify --syntax against git fsck: objects that are wrong in one way, and good ones with
random damage, have the same messages, and the same of them are errors."""

import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import SKIPPED, Test, unavailable, write
from make_git_repositories import git

IDENT = b"A U Thor <author@example.com> 1600000000 +0200"
NAME = {"sha1": b"32f95c0d1244a78b2be1bab8de17906fabb2c4a8",
        "sha256": b"a4e13f7dfd8345eae550125113b9d9bcd4b0f781037c02afb133fd98f5f973ae"}


def idents():
    yield IDENT
    for wrong in (b"<a@b> 1 +0000", b" <a@b> 1 +0000", b"A<a@b> 1 +0000", b"A > <a@b> 1 +0000", b"A a@b 1 +0000",
                  b"A <a@b 1 +0000", b"A <a<b> 1 +0000", b"A <a@b>1 +0000", b"A <a@b> 01 +0000",
                  b"A <a@b> 0 +0000", b"A <a@b> x +0000", b"A <a@b> 1x +0000", b"A <a@b> 1 0000",
                  b"A <a@b> 1 +000", b"A <a@b> 1 +00000", b"A <a@b> 1", b"A <a@b>", b"A", b"",
                  b"A <a@b> 99999999999999999999 +0000", b"A <a@b> 9223372036854775807 +0000",
                  b"A <a@b> 1 +00x0", b"A <> 1 -0000", b"A <a@b> 18446744073709551615 +0000"):
        yield wrong


def commits(name):
    other = name[::-1]  # git minds a name that stands for a tree and for a commit

    def commit(tree=b"tree " + name + b"\n", parents=b"", author=IDENT, committer=IDENT,
               rest=b"\nmessage\n"):
        return (tree + parents + b"author " + author + b"\ncommitter " + committer + b"\n" + rest)

    good = commit(parents=b"parent " + other + b"\n")
    yield good
    for ident in idents():
        yield commit(author=ident)
        yield commit(committer=ident)
    yield commit(tree=b"")
    yield commit(tree=b"tree " + name[:-1] + b"\n")
    yield commit(tree=b"tree " + name + b" \n")
    yield commit(tree=b"tree " + name[:-1] + b"x\n")
    yield commit(tree=b"tree " + name.upper() + b"\n")
    yield commit(parents=b"parent x\n")
    yield commit(parents=b"parent " + other + b"\n" + b"parent " + other + b"0\n")
    yield commit(author=IDENT + b"\nauthor " + IDENT)
    yield commit(rest=b"")
    yield commit(rest=b"\n")
    yield commit(rest=b"\na\0b\n")
    yield commit(rest=b"x\0\n\nmessage\n")
    yield commit(rest=b"encoding x\n\nmessage\n")
    yield commit(rest=b"encoding x")
    yield commit().replace(b"author " + IDENT + b"\n", b"")
    yield commit().replace(b"committer ", b"committed ")


def tags(name):
    name = name[4:] + name[:4]

    def tag(object_=b"object " + name + b"\n", type_=b"type blob\n", tag_=b"tag x\n",
            tagger=b"tagger " + IDENT + b"\n", rest=b"\nmessage\n"):
        return object_ + type_ + tag_ + tagger + rest

    yield tag()
    for ident in idents():
        yield tag(tagger=b"tagger " + ident + b"\n")
    yield tag(object_=b"")
    yield tag(object_=b"object x\n")
    yield tag(type_=b"")
    yield tag(type_=b"type blub\n")
    yield tag(type_=b"type \n")
    yield tag(tag_=b"")
    for bad in (b".x", b"x.", b"x..y", b"x.lock", b"x.lock/y", b"x y", b"x~", b"x^", b"x:", b"x?",
                b"x*", b"x[", b"x\\", b"x/", b"/x", b"x//y", b"x@{", b"@", b"x/.y", b"x\x7f", b"", b"-x",
                b"x.lockx", b"\xc3\xa4"):
        yield tag(tag_=b"tag " + bad + b"\n")
    yield tag(tagger=b"")
    yield tag(rest=b"")
    yield tag(rest=b"\n")
    yield tag(tagger=b"", rest=b"")


def trees(size):
    def entry(mode, name, digest=b"\x11"):
        return mode + b" " + name + b"\0" + digest * size

    yield b""
    yield entry(b"100644", b"a") + entry(b"40000", b"b") + entry(b"120000", b"c") + entry(b"160000", b"d")
    for mode in (b"100755", b"100664", b"0100644", b"040000", b"100600", b"1", b"777777", b"140000"):
        yield entry(mode, b"a")
    for name in (b".", b"..", b".git", b".GIT", b".giT", b"git~1", b"GIT~1", b"a/b", b".gitmodules",
                 b".gitx", b".gi", b"\xff"):
        yield entry(b"100644", name)
        yield entry(b"40000", name)
    yield entry(b"100644", b"a", b"\0")
    yield entry(b"100644", b"b") + entry(b"100644", b"a")
    yield entry(b"100644", b"a") + entry(b"100644", b"a")
    yield entry(b"100644", b"a") + entry(b"40000", b"a")
    yield entry(b"40000", b"a") + entry(b"100644", b"a")
    yield entry(b"100644", b"a") + entry(b"100644", b"a.b") + entry(b"40000", b"a")
    yield entry(b"100644", b"a") + entry(b"100644", b"a-") + entry(b"100644", b"a-b") + entry(b"40000", b"a")
    yield entry(b"100644", b"a") + entry(b"40000", b"a-") + entry(b"40000", b"a")
    yield entry(b"40000", b"a") + entry(b"100644", b"a0")
    yield entry(b"40000", b"a") + entry(b"100644", b"a.")
    yield entry(b"100644", b"")
    yield entry(b"", b"a")
    yield entry(b"100648", b"a")
    yield entry(b"100644", b"a")[:-1]
    yield entry(b"100644", b"a") + b"1"
    yield b"100644 a"
    yield b"\0" * (size + 3)


def with_damage(test, good, count):
    for _ in range(count):
        data = bytearray(good)
        for _ in range(test.random.randrange(1, 3)):
            at = test.random.randrange(len(data))
            kind = test.random.randrange(4)
            if kind == 0:
                del data[at]
            elif kind == 1:
                data.insert(at, test.random.choice(b"\0\n <>0a/"))
            else:
                data[at] ^= 1 << test.random.randrange(8)
        yield bytes(data)


def write_objects(folder, kind, objects):
    """{name: contents}; written as they are."""
    names = []
    for number, data in enumerate(objects):
        write(f"object{number}", data)
        names.append(os.path.abspath(f"object{number}"))
    out = git(folder, "hash-object", "-w", "--literally", "-t", kind, "--stdin-paths",
              stdin="\n".join(names).encode() + b"\n")
    return dict(zip(out.decode().split(), objects))


def messages_of_fsck(folder):
    """{name of object: set of (is an error, message)}, and the names of those that git cannot read so
    far that it would check them."""
    found, unread = {}, set()
    process = subprocess.run(
        ["git", "-C", folder, "fsck", "--no-dangling"], capture_output=True,
        env={**os.environ, "LC_ALL": "C", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull})
    for line in process.stderr.decode(errors="replace").splitlines():
        match = re.match(r"(error|warning) in (?:commit|tree|tag) ([0-9a-f]+): (\w+):", line)
        if match:
            found.setdefault(match[2], set()).add((match[1] == "error", match[3]))
        match = re.match(r"error: ([0-9a-f]+): object (could not be parsed|corrupt)", line)
        if match:
            unread.add(match[1])
    return found, unread


# git reads what these names mean for checkout, which needs other objects, or asks for more names.
LEFT_OUT = {"gitmodulesMissing", "gitmodulesBlob", "gitmodulesParse", "gitignoreSymlink",
            "gitattributesSymlink", "mailmapSymlink", "largePathname"}


def check_format(test, object_format):
    folder = f"repository-{object_format}"
    git(".", "init", "-q", f"--object-format={object_format}", folder)
    name = NAME[object_format]
    made = {"commit": list(commits(name)), "tag": list(tags(name)),
            "tree": list(trees(len(name) // 2))}
    written = {}
    for kind, objects in made.items():
        # the first commit and tag are good, and the second tree
        good = objects[1 if kind == "tree" else 0]
        objects += with_damage(test, good, 150)
        written.update(write_objects(folder, kind, objects))
    expected, unread = messages_of_fsck(folder)

    result = test.run("git", "verify", "--syntax", "--json", "--max-findings=1000", folder)
    found, verdicts = {}, {}
    for line in result.out.splitlines():
        finding = json.loads(line)
        match = re.match(r"(\w+): ", finding.get("text", ""))
        if match:
            found.setdefault(finding["object"], set()).add((finding["finding"] == "malformed", match[1]))
        elif "finding" in finding:
            verdicts[finding["object"]] = finding
    test.equal(verdicts, {}, f"{object_format}: no other findings")
    for digits, data in written.items():
        # Old versions of git skip any white space before the date, line ends too; new ones do not.
        if re.search(rb"> [ \t]*[\n\v\f\r]\s*\d", data):
            continue
        if digits in unread:
            test.check(any(error for error, _ in found.get(digits, set())),
                       f"{object_format}: git cannot read {data!r}")
            continue
        wanted = {m for m in expected.get(digits, set()) if m[1] not in LEFT_OUT}
        actual = found.get(digits, set())
        if (True, "badTree") in wanted:
            # git does not always say what it saw before the entry that ends the tree
            actual = actual & (wanted | {(True, "badTree")})
        test.equal(actual, wanted, f"{object_format}: {data!r}")
    test.check(len(expected) > 100, "fsck finds something")

    # The same in a pack.
    objects = "\n".join(written).encode() + b"\n"
    pack = git(folder, "pack-objects", "-q", "--stdout", stdin=objects)
    write("syntax.pack", pack)
    result = test.run("git", "verify", "--syntax", "--json", "--max-findings=100000",
                      f"--object-format={object_format}", "syntax.pack")
    in_pack = {}
    for line in result.out.splitlines():
        finding = json.loads(line)
        match = re.match(r"(\w+): .* at byte", finding.get("text", ""))
        if match:
            in_pack.setdefault(finding["object"], set()).add((finding["finding"] == "malformed", match[1]))
    test.equal(in_pack, found, f"{object_format}: the same objects in a pack")
    os.unlink("syntax.pack")

    for kind, objects in made.items():
        for data in objects[:40]:
            digits = [d for d, contents in written.items() if contents == data]
            wrong = any(error for d in digits for error, _ in found.get(d, set()))
            write("object", data)
            result = test.run("git", "hash-object", "-t", kind, "--object-format", object_format, "object")
            expected_name = b"" if wrong else git(folder, "hash-object", "--literally", "-t", kind,
                                                  os.path.abspath("object"))
            if kind == "tree" and data in made["commit"] + made["tag"]:
                continue
            test.equal((result.status, result.out), (int(wrong), expected_name),
                       f"hash-object -t {kind}: {data!r}")


def main():
    test = Test()
    if shutil.which("git") is None:
        unavailable("git is not installed")
        sys.exit(SKIPPED)
    for object_format in ("sha1", "sha256"):
        check_format(test, object_format)
    test.finish()


main()
