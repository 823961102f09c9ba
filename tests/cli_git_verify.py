#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blocksha git verify against git: packs of every shape are good, and their objects are listed in the
same lines; damaged ones are refused by both; repositories with everything that may lie in them."""

import json
import os
import pathlib
import re
import shutil
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import SKIPPED, Test, unavailable
from make_git_repositories import (chain, entry_header, git, make_index, make_pack, make_packs,
                                   make_repository, make_thin, pack_of)


def check_good(test, what, path):
    """As git lists it, with any number of threads and little memory."""
    expected = git(path.parent, "verify-pack", "-v", path.absolute()).decode()
    expected = expected.replace(str(path.absolute()), str(path))
    for options in (["-j1"], ["-j3"], ["-j2", "--memory=1M"], ["-j2", "--memory=100K"]):
        result = test.run("git", "verify", "-v", *options, str(path))
        test.equal((result.status, result.out.decode(), result.err), (0, expected, b""),
                   f"{what}, {options}")
    for options in ([], ["--quick"]):
        result = test.run("git", "verify", *options, str(path))
        test.equal(result.key(), (0, f"{path}: OK\n".encode(), b""), f"{what}, {options}")
    idx = path.with_suffix(".idx")
    result = test.run("git", "verify", str(idx))
    test.equal(result.key(), (0, f"{idx}: OK\n".encode(), b""), f"{what}, the index alone")
    # without its index the pack says no less
    alone = path.with_name("alone.pack")
    shutil.copy(path, alone)
    result = test.run("git", "verify", "-v", str(alone))
    test.equal((result.status, result.out.decode()), (0, expected.replace(str(path), str(alone))),
               f"{what}, without index")
    test.check(b"has no index" in result.err, f"{what}, without index: a note")
    result = test.run("git", "verify", "-q", str(alone))
    test.equal(result.key(), (0, b"", b""), f"{what}, without index, quiet")
    alone.unlink()


def check_damaged(test, what, path):
    """A byte changed anywhere is refused, by git too; and with its trailer made right again, too."""
    good, size = path.read_bytes(), path.stat().st_size
    digest = 32 if what.startswith("sha256") else 20
    for _ in range(6):
        data = bytearray(good)
        data[test.random.randrange(size)] ^= 1 << test.random.randrange(8)
        path.write_bytes(data)
        status, _ = git(path.parent, "verify-pack", path.absolute(), check=False)
        result = test.run("git", "verify", str(path))
        test.equal((result.status, status != 0), (1, True), f"{what}, damaged")
        test.check(b": damaged: " in result.err or b": malformed: " in result.err,
                   f"{what}, damaged: it is told", result.err)
        test.check(str(path.with_suffix(".idx")).encode() not in result.err,
                   f"{what}, damaged: the index is not blamed", result.err)
    for cut in (0, 1, 11, 12, 31, size // 2, size - digest, size - 1):
        if cut >= size:
            continue
        path.write_bytes(good[:cut])
        result = test.run("git", "verify", str(path))
        test.equal(result.status, 1, f"{what}, cut at {cut}")
    path.write_bytes(good)


def check_thin(test):
    repository = make_repository("thin", versions=10)
    path, missing = make_thin(repository)
    test.check(len(missing) > 0, "the thin pack needs objects")
    result = test.run("git", "verify", str(path))
    test.equal(result.status, 1, "a thin pack")
    # A base that is a delta itself has no name as long as its own base is missing.
    named = set(re.findall(r"missing: unresolved delta: its base ([0-9a-f]{40}) was not found",
                           result.err.decode()))
    test.equal(set(missing) - named, set(), "a thin pack: the bases that are missing")
    path.with_suffix(".promisor").write_bytes(b"")
    result = test.run("git", "verify", str(path))
    test.equal(result.status, 0, "a thin pack of a promisor")
    test.check(b"missing" not in result.err and b": note: unresolved delta" in result.err,
               "a thin pack of a promisor: notes", result.err)


def check_json(test, path):
    result = test.run("git", "verify", "-v", "--json", str(path))
    lines = [json.loads(line) for line in result.out.splitlines()]
    listed = git(path.parent, "verify-pack", "-v", path.absolute()).decode().splitlines()
    listed = [line.split() for line in listed if re.match("[0-9a-f]{40}", line)]
    test.equal(lines[-1], {"name": str(path), "ok": True}, "--json, the verdict")
    test.equal([[o["object"], o["type"], str(o["size"]), str(o["packed_size"]), str(o["offset"])] +
                ([str(o["depth"]), o["base"]] if o["depth"] else []) for o in lines[:-1]], listed,
               "--json, objects")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    damaged = path.with_name("damaged.pack")
    damaged.write_bytes(data)
    result = test.run("git", "verify", "--json", str(damaged))
    lines = [json.loads(line) for line in result.out.splitlines()]
    test.equal((result.status, lines[-1]["ok"]), (1, False), "--json, a damaged pack")
    found = [line for line in lines if line.get("finding") == "damaged"]
    test.equal([(f["name"], f["offset"], f["text"], f["found"]) for f in found],
               [(str(damaged), len(data) - 20, "wrong checksum of the pack", data[-20:].hex())],
               "--json, the finding")
    damaged.unlink()


def check_repositories(test):
    repository = make_repository("repository", versions=3)
    for path in ("repository", "repository/.git"):
        result = test.run("git", "verify", path)
        test.equal(result.key(), (0, f"{path}: OK\n".encode(), b""), f"loose objects in {path}")
    git(repository, "worktree", "add", "-q", "../worktree")
    result = test.run("git", "verify", "worktree")
    test.check(result.status == 1 or result.status == 0, "a worktree is looked at")
    git(repository, "gc", "-q")
    git(".", "clone", "-q", "--bare", "repository", "bare.git")
    for path in ("repository", "bare.git"):
        result = test.run("git", "verify", path)
        test.equal(result.key(), (0, f"{path}: OK\n".encode(), b""), f"packs in {path}")

    objects = pathlib.Path("bare.git/objects")
    pack = next((objects / "pack").glob("*.pack"))
    names = pack.with_name("other.pack"), pack.with_name("orphan.idx")
    shutil.copy(pack, names[0])
    shutil.copy(pack.with_suffix(".idx"), names[1])
    (objects / "pack" / "tmp_pack_x").write_bytes(b"x")
    (objects / "00").mkdir(exist_ok=True)
    (objects / "00" / "tmp_obj_x").write_bytes(b"x")
    (objects / "info" / "alternates").write_text("../../repository/.git/objects\n")
    result = test.run("git", "verify", "bare.git")
    test.equal((result.status, result.out), (0, b"bare.git: OK\n"), "garbage is no failure")
    for name, text in ((names[0], b"has no index beside it"), (names[1], b"there is no pack beside"),
                       (objects / "pack" / "tmp_pack_x", b"garbage"),
                       (objects / "00" / "tmp_obj_x", b"garbage"),
                       (objects / "info" / "alternates", b"alternate")):
        test.check(any(bytes(name) in line and text in line and b": note: " in line
                       for line in result.err.splitlines()), f"a note about {name}", result.err)
    for name in names:
        name.unlink()

    # an index promises objects
    lost = pathlib.Path("lost.git")
    shutil.copytree("bare.git", lost)
    git(lost, "commit-graph", "write", "--reachable")
    for path in (lost / "objects" / "pack").glob("pack-*.pack"):
        path.unlink()
    result = test.run("git", "verify", "-q", "lost.git")
    test.equal(result.key(), (1, b"lost.git: FAILED\n",
                              b"blocksha: lost.git: missing: no object is there, only indexes of "
                              b"packs: none was verified\n"), "the packs are lost")

    # a FIFO that nobody writes to, where a small text is looked for
    for folder, fifo, text in (("waits", ".git", b"is no repository"),
                               ("waits.git", "objects/info/alternates", b"nothing was verified")):
        (pathlib.Path(folder) / fifo).parent.mkdir(parents=True)
        os.mkfifo(os.path.join(folder, fifo))
        result = test.run("git", "verify", folder)
        test.check(result.status == 1 and text in result.err, f"a FIFO {fifo}", result.err)

    # one object damaged in each form
    loose = next(pathlib.Path("repository/.git/objects").glob("??/*"), None)
    if loose is None:
        git(repository, "hash-object", "-w", "--stdin", stdin=b"loose")
        loose = next(pathlib.Path("repository/.git/objects").glob("??/*"))
    good = loose.read_bytes()
    loose.chmod(0o644)
    loose.write_bytes(good[:-1])
    result = test.run("git", "verify", "repository")
    test.equal((result.status, result.out), (1, b"repository: FAILED\n"), "a damaged loose object")
    test.check(str(loose).encode() in result.err, "a damaged loose object is named", result.err)
    loose.write_bytes(good)

    git(".", "init", "-q", "empty")
    result = test.run("git", "verify", "empty")
    test.equal((result.status, b"nothing was verified" in result.err), (1, True),
               "an empty repository")
    os.mkdir("no repository")
    test.equal(test.run("git", "verify", "no repository").status, 1, "no repository")
    test.equal(test.run("git", "verify", "absent").status, 1, "no file")


def check_pairs(test, path):
    """An index of another pack; and a format that is forced."""
    other = make_pack(path.parent, "other.pack", "--revs", objects=b"HEAD~5\n")
    os.rename(path.with_suffix(".idx"), "kept.idx")
    shutil.copy(make_index(path.parent, other), path.with_suffix(".idx"))
    result = test.run("git", "verify", str(path))
    test.equal((result.status, b"is the index of another pack" in result.err), (1, True),
               "the index of another pack")
    os.rename("kept.idx", path.with_suffix(".idx"))
    result = test.run("git", "verify", "--object-format=sha256", str(path))
    test.equal(result.status, 1, "a SHA-1 pack as SHA-256")
    result = test.run("git", "verify", "--object-format=sha1", str(path))
    test.equal(result.status, 0, "a SHA-1 pack as SHA-1")


def check_limits(test):
    """Sizes beyond the limits, and many findings."""
    noise = test.random.randbytes(100000)
    path = pathlib.Path("large.pack")
    path.write_bytes(pack_of([entry_header(3, len(noise)) + zlib.compress(noise),
                              entry_header(3, 3) + zlib.compress(b"abc")]))
    result = test.run("git", "verify", "-v", "--max-object-size=99999", str(path))
    test.equal((result.status, b"limit: object is larger than is allowed, expected 99999, found "
                b"100000" in result.err), (1, True), "--max-object-size")
    test.check(b" blob   3 12 " in result.out, "--max-object-size: the others are verified")
    test.equal(test.run("git", "verify", "--max-object-size=100000", str(path)).status, 0,
               "--max-object-size, exactly")

    bad = pathlib.Path("bad.pack")
    data = bytearray(pack_of([entry_header(3, 1) + zlib.compress(bytes([i])) for i in range(200)]))
    make_index(".", path)
    bad.write_bytes(data)
    make_index(".", bad)
    for at in range(15, len(data) - 20, 10):
        data[at] ^= 0xff
    bad.write_bytes(data)
    result = test.run("git", "verify", "--max-findings=5", str(bad))
    test.check(len(result.err.splitlines()) == 6 and b"more findings are not shown" in result.err,
               "--max-findings", result.err)
    result = test.run("git", "verify", str(bad))
    test.equal(len(result.err.splitlines()), 101, "the number of findings is bounded")


def check_usage(test):
    for arguments in (["verify"], ["verify", "--jobs=0", "x"], ["verify", "--memory=x", "x"],
                      ["verify", "--memory=99999999999999999999", "x"], ["verify", "--object-format=md5", "x"],
                      ["verify", "--nothing", "x"], [], ["nothing"]):
        result = test.run("git", *arguments)
        test.equal((result.status, result.out), (2, b""), f"git {arguments}")
        test.check(b"--help" in result.err, f"git {arguments}: where to find help", result.err)
    for number in ("0", "1000001", "1K", "x", ""):
        result = test.run("git", "verify", f"--max-findings={number}", "x")
        test.equal((result.status, result.err.splitlines()[0]),
                   (2, b"blocksha: " + (number.encode() or b"''") +
                    b": not a number of findings from 1 to 1000000"), f"--max-findings={number}")
    for arguments in (["--help"], ["verify", "--help"], ["verify", "--version"]):
        result = test.run("git", *arguments)
        test.check(result.status == 0 and result.out and not result.err, f"git {arguments}")


def check_time(test):
    """What takes time for each object, or for each delta, takes no more for many."""
    path = pathlib.Path("long.pack")
    path.write_bytes(chain(30000))
    result = test.run("git", "verify", "-j2", "--memory=10K", str(path))
    test.equal(result.status, 0, "a chain of 30000 deltas in 10 KiB")


def check_progress(test, path):
    """The progress is on standard error, only when asked for, and changes nothing else."""
    plain = test.run("git", "verify", str(path))
    asked = test.run("git", "verify", "--progress", str(path))
    test.equal(plain.err, b"", "no progress without a terminal")
    test.equal((asked.status, asked.out), (plain.status, plain.out), "--progress")
    size = b"%.1f" % (path.stat().st_size / 1024)
    test.check(b"/%s" % size in asked.err, "--progress tells the size of the pack", asked.err)


def main():
    test = Test()
    if shutil.which("git") is None:
        unavailable("git is not installed")
        sys.exit(SKIPPED)
    path = None
    for what, path in make_packs("packs"):
        check_good(test, what, path)
        check_damaged(test, what, path)
    path = pathlib.Path("packs/sha1/ofs.pack")
    check_json(test, path)
    check_pairs(test, path)
    check_thin(test)
    check_repositories(test)
    check_limits(test)
    check_progress(test, path)
    check_usage(test)
    check_time(test)
    test.finish()


main()
