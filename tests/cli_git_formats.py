#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""git verify on indexes, multi-pack-indexes, commit-graphs, reverse indexes, bitmaps, times and
bundles: all variants that the machine's git makes, each of their bytes damaged, damage that git
sees, files that other tools wrote."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from gitfiles import GIT, all_files, have_git, reseal, trailer_size
from harness import Test, unavailable, write

QUICK = os.environ.get("BLOCKSHA_TEST_QUICK", "0") not in ("", "0")
UNPROTECTED = b": note: unprotected (skipHash)\n"

# What has to be in the files that were made, or the test would not test what it says.
CONTENTS = {
    "TREE": b"TREE", "REUC": b"REUC", "UNTR": b"UNTR", "FSMN": b"FSMN", "sdir": b"sdir",
    "EOIE IEOT": b"IEOT", "version 4 EOIE IEOT": b"EOIE", "split": b"link",
    "split changed": b"link", "version 2": b"DIRC\0\0\0\2", "version 3": b"DIRC\0\0\0\3",
    "version 4": b"DIRC\0\0\0\4", "commit-graph: commi": b"EDGE",
    "commit-graph Bloom: commi": b"BDAT", "commit-graph overflow: commi": b"GDO2",
    "midx with bitmap": b"RIDX", "bundle version 3": b"# v3 git bundle\n", "rev": b"RIDX",
    "mtimes": b"MTME", "bitmap": b"BITM",
}


def content(path):
    with open(path, "rb") as file:
        return file.read()


def verify(test, *arguments, **options):
    return test.run("git", "verify", *arguments, **options)


def check_variants(test, files, repositories):
    found = set()
    for name, path, object_format in files:
        short = name.rsplit(" ", 1)[0]
        if short in CONTENTS:
            found.add(short)
            test.check(CONTENTS[short] in content(path), f"{name} has {CONTENTS[short]}")
        result = verify(test, path)
        note = b""
        if short == "skipHash":
            at = os.path.getsize(path) - trailer_size(object_format)
            note = b"blocksha: %s: at byte %d%s" % (path.encode(), at, UNPROTECTED)
        test.equal(result.key(), (0, path.encode() + b": OK\n", note), name)
        result = verify(test, "--require-checksum", path)
        test.equal(result.status, int(short == "skipHash"), f"{name} --require-checksum")
        other = "sha256" if object_format == "sha1" else "sha1"
        if not path.endswith("commit-graph-chain"):
            result = verify(test, f"--object-format={other}", path)
            test.equal(result.status, 1, f"{name} is not {other}")
    test.equal(found, set(CONTENTS), "variants")
    for repository in repositories:
        result = verify(test, repository.path)
        test.equal(result.key(), (0, repository.path.encode() + b": OK\n", b""), repository.path)
        # git says so too, or the files would prove nothing
        for command in (["fsck", "--full"], ["multi-pack-index", "verify"],
                        ["commit-graph", "verify"]):
            git = repository.git(*command, check=False)
            test.equal(git.returncode, 0, f"{repository.path}: git {command}: {git.stderr}")
    for name, path, object_format in files:
        if path.endswith(".bundle"):
            base = [r for r in repositories if r.path.endswith(f"{object_format}/packs")][0]
            git = base.git("bundle", "verify", path, check=False)
            test.equal(git.returncode, 0, f"{name}: git {git.stderr}")


def check_damage(test, files):
    """tests/git_damage.c does it in one process."""
    program = os.path.join(os.environ.get("BLOCKSHA_BUILD", ""), "tests", "git_damage")
    if not os.access(program, os.X_OK):
        unavailable("git_damage is not built")
        return
    text = [path for _, path, _ in files if path.endswith((".bundle", "-chain"))]
    binary = [path for _, path, _ in files if path not in text]
    for arguments in (binary, ["-t", *text]):
        result = subprocess.run([program, *arguments], capture_output=True,
                                env={**os.environ, "BLOCKSHA_TEST_SEED": str(test.seed)})
        test.equal((result.returncode, result.stderr), (0, b""), "each byte damaged")
        test.check(result.returncode == 0, "git_damage", f"  {result.stdout[-2000:]}")


def check_against_git(test, files, repositories):
    """Indexes with a new checksum: what git refuses, or what makes it crash, is not good."""
    indexes = [(path, object_format) for name, path, object_format in files
               if path.endswith("/index") and not name.startswith(("split", "skipHash"))]
    commands = {
        "index": ["ls-files", "--stage", "--sparse", "-z"],
        "midx": ["multi-pack-index", "verify"],
    }

    def damaged(data, object_format):
        data = bytearray(data)
        at = test.random.choice((test.random.randrange(len(data)),
                                 len(data) - 1 - test.random.randrange(min(600, len(data)))))
        data[at] = test.random.choice((0, 255, data[at] ^ (1 << test.random.randrange(8)),
                                       test.random.randrange(256)))
        return at, reseal(bytes(data), object_format)

    for _ in range(20 if QUICK else 100):
        path, object_format = test.random.choice(indexes)
        at, data = damaged(content(path), object_format)
        write("index", data)
        folder = os.path.join(test.folder, object_format, "indexes")
        git = subprocess.run(["git", *commands["index"]], cwd=folder, capture_output=True,
                             env={**GIT, "GIT_INDEX_FILE": os.path.abspath("index")})
        ours = verify(test, "index")
        if git.returncode != 0:
            test.equal(ours.status, 1, f"{path} with byte {at} damaged: git {git.returncode}, "
                                       f"{git.stderr[-100:]}")
    for repository in [r for r in repositories if "/midx" in r.path]:
        path = repository.file("objects/pack/multi-pack-index")
        good = content(path)
        for _ in range(5 if QUICK else 15):
            at, data = damaged(good, repository.format)
            write(path, data)
            git = repository.git(*commands["midx"], check=False)
            ours = verify(test, path)
            if git.returncode != 0:
                test.equal(ours.status, 1, f"{path} with byte {at} damaged: "
                                           f"git {git.returncode}, {git.stderr[-100:]}")
        write(path, good)


def check_repository(test, repositories):
    """Damage to any file is found when the whole repository is verified, and the file is named."""
    for repository in repositories:
        wanted = []
        for folder, _, names in os.walk(repository.file()):
            wanted += [os.path.join(folder, name) for name in names
                       if name in ("index", "multi-pack-index", "commit-graph")
                       or name.endswith((".rev", ".bitmap", ".mtimes", ".graph"))]
        test.check(len(wanted) > 0, f"{repository.path} has files")
        for path in wanted:
            good = content(path)
            at = len(good) - 1 - test.random.randrange(8)
            write(path, good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
            result = verify(test, repository.path)
            test.equal((result.status, result.out), (1, repository.path.encode() + b": FAILED\n"),
                       f"{path}: damaged checksum")
            test.check(b"blocksha: %s: at byte" % path.encode() in result.err,
                       f"{path}: is named", f"  {result.err}")
            write(path, good)


def check_worktree(test, repository):
    """A worktree has an index of its own; its .git is a file that leads to the repository."""
    tree = os.path.join(test.folder, "worktree")
    repository.git("worktree", "add", "-q", "--detach", tree)
    index = repository.file("worktrees", "worktree", "index")
    good = content(index)
    for path in (repository.path, tree):
        test.equal(verify(test, path).status, 0, f"{path} and a worktree")
        write(index, good[:-1] + bytes([good[-1] ^ 1]))
        result = verify(test, path)
        test.check(result.status == 1 and b"worktrees/worktree/index: at byte" in result.err,
                   f"{path}: damaged index of a worktree", f"  {result.err}")
        write(index, good)
    repository.git("worktree", "remove", tree)


def check_missing(test, repositories):
    """Files that others need."""
    def with_one_less(repository, victim, needing, kind=b"missing"):
        good = content(victim)
        os.unlink(victim)
        result = verify(test, needing)
        test.equal(result.status, 1, f"{needing} without {victim}")
        test.check(kind in result.err and victim.encode() in result.err,
                   f"{needing} names {victim}", f"  {result.err}")
        write(victim, good)

    for repository in repositories:
        name = os.path.basename(repository.path)
        if name == "midx":
            midx = repository.file("objects/pack/multi-pack-index")
            for path in repository.packs(".idx"):
                with_one_less(repository, path, midx)
            # an index that is there, but of another pack; it does no harm where all objects of
            # its pack are listed for others, which have them, too
            indexes, refused = repository.packs(".idx"), 0
            for i, path in enumerate(indexes):
                good = content(path)
                write(path, content(indexes[i - 1]))
                result = verify(test, midx)
                refused += result.status
                test.equal(path.encode() in result.err, result.status == 1, "the wrong index")
                write(path, good)
            test.check(refused >= 1, "wrong indexes", f"  {refused} of {len(indexes)}")
            # one that is no file: the finding says which
            path = repository.packs(".idx")[0]
            os.rename(path, path + ".away")
            os.mkdir(path)
            result = verify(test, midx)
            test.equal(result.status, 1, "an index that cannot be opened")
            test.check(b"multi-pack-index: unreadable: not compared with " in result.err and
                       path.encode() in result.err, "the index is named", result.err)
            os.rmdir(path)
            os.rename(path + ".away", path)
            # a multi-pack-index that lies alone
            shutil.copy(midx, "multi-pack-index")
            result = verify(test, "multi-pack-index")
            test.equal(result.key(), (0, b"multi-pack-index: OK\n",
                                      b"blocksha: multi-pack-index: note: no pack lies beside it: "
                                      b"not compared\n"), "a multi-pack-index alone")
        if name == "graph":
            folder = repository.file("objects/info/commit-graphs")
            chain = os.path.join(folder, "commit-graph-chain")
            layers = content(chain).decode().split()
            paths = [os.path.join(folder, f"graph-{layer}.graph") for layer in layers]
            for path in paths:
                with_one_less(repository, path, chain)
                if path != paths[-1]:
                    with_one_less(repository, path, paths[-1])
            good = content(chain)
            for bad in (good.splitlines(True)[1] + good.splitlines(True)[0], good[:-1], b"",
                        b"x" + good[1:], good + b"\n", good.replace(b"\n", b" ")):
                write(chain, bad)
                test.equal(verify(test, chain).status, 1, f"chain {bad}")
            write(chain, good)
        if name == "one-pack":
            rev = repository.packs(".rev")[0]
            idx = rev[:-4] + ".idx"
            good = content(idx)
            os.unlink(idx)
            result = verify(test, rev)
            test.check(result.status == 0 and b"not compared" in result.err, "rev without idx",
                       f"  {result.err}")
            write(idx, good)


def check_rev(test, repositories):
    """R04: positions that are a permutation, but not the right one."""
    for repository in repositories:
        for path in repository.packs(".rev"):
            good = content(path)
            for i, j in ((0, 1), (2, 5)):
                data = bytearray(good)
                a, b = 12 + 4 * i, 12 + 4 * j
                data[a:a + 4], data[b:b + 4] = good[b:b + 4], good[a:a + 4]
                for what, changed in (("sealed", reseal(bytes(data), repository.format)),
                                      ("not sealed", bytes(data))):
                    write(path, changed)
                    result = verify(test, path)
                    test.equal(result.status, 1, f"{path}: {i} and {j} exchanged, {what}")
                    test.check(b"at byte %d: object " % a in result.err or b"multi" in path.encode(),
                               f"{path}: the place", f"  {result.err}")
                    test.equal(b"checksum" in result.err, what == "not sealed", f"{path}: {what}")
            write(path, good)


def check_wrong_pack(test, repositories):
    """R02: an object in another pack, or elsewhere in its own, with a checksum that fits."""
    for repository in repositories:
        path = repository.file("objects/pack/multi-pack-index")
        if not os.path.exists(path):
            continue
        good = content(path)
        rows = {good[at:at + 4]: int.from_bytes(good[at + 4:at + 12], "big")
                for at in range(12, 12 + 12 * good[6], 12)}
        packs = int.from_bytes(good[8:12], "big")
        count = int.from_bytes(good[rows[b"OIDF"] + 1020:rows[b"OIDF"] + 1024], "big")
        for entry in test.random.sample(range(count), 8):
            at = rows[b"OOFF"] + 8 * entry
            pack, offset = good[at:at + 4], good[at + 4:at + 8]
            other = ((int.from_bytes(pack, "big") + 1) % packs).to_bytes(4, "big")
            for changed in (other + offset,
                            pack + (int.from_bytes(offset, "big") + 1).to_bytes(4, "big")):
                write(path, reseal(good[:at] + changed + good[at + 8:], repository.format))
                result = verify(test, path)
                if result.status == 0 and changed[4:] == offset:
                    # The other pack may have the object at the same place, too.
                    oracle = subprocess.run(["git", "-C", repository.path, "multi-pack-index",
                                             "verify"], capture_output=True)
                    test.equal(oracle.returncode, 0, f"{path}: object {entry}, for git")
                    continue
                test.equal(result.status, 1, f"{path}: object {entry}")
                test.check(b"at byte %d: object" % at in result.err or
                           b"order of the packs" in result.err, f"{path}: object {entry}",
                           f"  {result.err}")
        write(path, good)


def check_split(test, folder):
    """The shared index is missing, is another one, is split itself."""
    for object_format in ("sha1", "sha256"):
        place = os.path.join(folder, object_format, "saved", "split-changed")
        index = os.path.join(place, "index")
        shared = [os.path.join(place, name) for name in os.listdir(place) if name != "index"][0]
        good = content(shared)
        os.unlink(shared)
        result = verify(test, index)
        test.check(result.status == 1 and b"missing: shared index is not there: " in result.err and
                   shared.encode() in result.err, "no shared index", f"  {result.err}")
        for bad in (good[:-1] + bytes([good[-1] ^ 1]), b"", content(index),
                    reseal(good[:60] + b"\1" + good[61:], object_format)):
            write(shared, bad)
            result = verify(test, index)
            test.check(result.status == 1 and b"shared index" in result.err, "a wrong shared index",
                       f"  {result.err}")
        # the shared index names itself
        header, link = good[:-trailer_size(object_format)], content(index)
        at = link.index(b"link")
        name = os.path.basename(shared).split(".")[1]
        write(shared, reseal(header + b"link" + trailer_size(object_format).to_bytes(4, "big") +
                             bytes.fromhex(name) + bytes(trailer_size(object_format)),
                             object_format))
        test.equal(verify(test, index, shared).status, 1, "an index that stands on itself")
        test.check(at > 0, "link")
        write(shared, good)


def check_cases(test):
    empty = bytes.fromhex("444952430000000200000000")
    sealed = bytes.fromhex("39d890139ee5356c7ef572216cebcd27aa41f9df")
    for name, data, status, message in (
            ("no checksum", empty + bytes(20), 0, b"at byte 12" + UNPROTECTED),
            ("no checksum, SHA-256", empty + bytes(32), 0, b"at byte 12" + UNPROTECTED),
            ("good", empty + sealed, 0, b""),
            ("bad", empty + b"\x11" * 20, 1,
             b"at byte 12: damaged: wrong checksum of the index, expected " +
             sealed.hex().encode() + b", found " + b"11" * 20 + b"\n"),
            ("empty file", b"", 1,
             b"malformed: too short for an index, expected 32, found 0\n"),
            ("optional", bytes.fromhex("4449524300000002000000005a5a5a5a00000000"
                                       "b61983b21b0adf1d0a3d96e3ebc4f18f37620256"), 0,
             b"at byte 12: note: extension ZZZZ is not known, and passed over\n"),
            ("mandatory", bytes.fromhex("4449524300000002000000007a7a7a7a00000000"
                                        "e06d99b524c5869282c9337fa4ef80092c58164a"), 1,
             b"at byte 12: malformed: extension zzzz is not known, and must not be passed over\n"),
            ("version 1", reseal(empty[:7] + b"\1" + empty[8:] + bytes(20), "sha1"), 1, None),
            ("version 5", reseal(empty[:7] + b"\5" + empty[8:] + bytes(20), "sha1"), 1, None),
            ("2^32-1 entries", reseal(empty[:8] + b"\xff" * 4 + bytes(20), "sha1"), 1,
             b"at byte 8: malformed: more entries than the file has room for, expected 0, "
             b"found 4294967295\n")):
        write("index", data)
        result = verify(test, "index")
        test.equal(result.status, status, name)
        if message is not None:
            expected = message and b"blocksha: index: " + message
            test.equal(result.err, expected, name)

    # version 4: one entry that takes off more than there is before it, with any varint
    stat = bytes(24) + (0o100644).to_bytes(4, "big") + bytes(12)
    for strip, status in ((b"\0", 0), (b"\1", 1), (b"\x80\0", 1), (b"\xff" * 9 + b"\x7f", 1),
                          (b"\xff" * 300, 1)):
        entry = stat + b"\1" * 20 + b"\0\4" + strip + b"name\0"
        write("index", reseal(b"DIRC\0\0\0\4\0\0\0\1" + entry + bytes(20), "sha1"))
        test.equal(verify(test, "index").status, status, f"strip {strip}")

    # paths
    def index_of(*paths, mode=0o100644, flags=0):
        body = b"DIRC\0\0\0\2" + len(paths).to_bytes(4, "big")
        for path in paths:
            entry = bytes(24) + mode.to_bytes(4, "big") + bytes(12) + b"\1" * 20
            entry += (flags | min(len(path), 0xfff)).to_bytes(2, "big") + path
            body += entry + bytes(8 - len(entry) % 8)
        return reseal(body + bytes(20), "sha1")

    for paths, status in (
            ((b"a",), 0), ((b"a", b"b"), 0), ((b"b", b"a"), 1), ((b"a", b"a"), 1), ((b".",), 1),
            ((b"..",), 1), ((b".git",), 1), ((b"a/.git/b",), 1), ((b".GIT/x",), 1), ((b".gitx",), 0),
            ((b"/a",), 1), ((b"a/",), 1), ((b"a//b",), 1), ((b"a/../b",), 1), ((b"a/..b",), 0),
            ((b"a" * 5000,), 0), ((b"a/" * 3000 + b"a",), 0), ((b"\xff\n\t\x01",), 0), ((b"",), 1),
            ((b"a", b"a-", b"a/b", b"a0"), 0)):
        write("index", index_of(*paths))
        result = verify(test, "index")
        test.equal(result.status, status, f"paths {[path[:20] for path in paths]}: {result.err}")
    for mode, status in ((0o100755, 0), (0o120000, 0), (0o160000, 0), (0o100664, 0), (0o040000, 1),
                         (0o120644, 1), (0, 1), (0o200644, 1), (0x10000 | 0o100644, 1)):
        write("index", index_of(b"a", mode=mode))
        test.equal(verify(test, "index").status, status, f"mode {mode:o}")
    for flags, status in ((0x8000, 0), (0x1000, 0), (0x3000, 0), (0x4000, 1)):
        write("index", index_of(b"a", flags=flags))
        test.equal(verify(test, "index").status, status, f"flags {flags:x}")

    # --json
    write("index", empty + b"\x11" * 20)
    result = verify(test, "--json", "index")
    lines = [json.loads(line) for line in result.out.splitlines()]
    test.equal((lines[0]["finding"], lines[0]["offset"], lines[0]["expected"]),
               ("damaged", 12, sealed.hex()), "--json")

    # two folders of one name in a folder, which git refuses; in different ones, in any order, it is
    # nothing wrong
    subprocess.run(["git", "init", "-q", "twins"], env=GIT, check=True)
    for tree, status in ((b"\0-1 3\na\0-1 0\nb\0-1 0\na\0-1 0\n", 1),
                         (b"\0-1 2\nb\0-1 1\na\0-1 0\na\0-1 1\na\0-1 0\n", 0)):
        write("index", reseal(empty + b"TREE" + len(tree).to_bytes(4, "big") + tree + bytes(20),
                              "sha1"))
        git = subprocess.run(["git", "ls-files"], cwd="twins",
                             env={**GIT, "GIT_INDEX_FILE": os.path.abspath("index")},
                             capture_output=True, check=False)
        result = verify(test, "index")
        test.equal((git.returncode != 0, result.status), (status == 1, status), f"TREE {tree}")
        test.equal(b"two folders of one name" in result.err, status == 1, f"TREE {tree}: text")
    # a TREE extension of folders in folders: no recursion
    depth = 1000 if QUICK else 100000
    tree = b"\0-1 1\n" + b"x\0-1 1\n" * depth + b"x\0-1 0\n"
    write("index", reseal(empty + b"TREE" + len(tree).to_bytes(4, "big") + tree + bytes(20), "sha1"))
    test.equal(verify(test, "index").key(), (0, b"index: OK\n", b""), "folders in folders")


def check_shared(test):
    folder = os.path.join(test.shared, "data", "git-index")
    if not os.path.exists(os.path.join(folder, "EXPECTED.tsv")):
        unavailable("the indexes of other tools are not there")
        return
    with open(os.path.join(folder, "EXPECTED.tsv")) as file:
        header, *rows = [line.rstrip("\n").split("\t") for line in file]
    for row in rows:
        row = dict(zip(header, row))
        path = os.path.join(folder, row["file"])
        result = verify(test, path)
        malformed = row["structure_error"] != "-" or "OVERRUN" in row["extensions"] or \
            "trailing" in row["extensions"] or row["git-2.39.5 ls-files"].startswith(
                ("ls-files rc=-", "ls-files rc=128"))
        good = row["trailer"] in ("ok", "null") and not malformed
        test.equal(result.status, int(not good), f"{row['file']}: {result.err}")
        test.equal(UNPROTECTED in result.err, row["trailer"] == "null", f"{row['file']}: skipHash")
        test.equal(b"wrong checksum" in result.err, row["trailer"] == "BAD", f"{row['file']}: trailer")
        if malformed:
            test.check(b"malformed" in result.err and b"at byte" in result.err, row["file"],
                       f"  {result.err}")
        if row["file"].startswith("malformed/"):
            # to reach the parser alone
            write("index", reseal(content(path), row["hash"]))
            result = verify(test, "index")
            test.equal(result.status, 1, f"{row['file']}, sealed")
            test.check(result.err.startswith(b"blocksha: index: at byte") and
                       b": malformed: " in result.err, row["file"], f"  {result.err}")


def main():
    test = Test()
    check_cases(test)
    check_shared(test)
    if not have_git():
        unavailable("git is not installed")
        if os.environ.get("BLOCKSHA_REQUIRE"):
            sys.exit(1)
        test.finish()
    files, repositories = all_files(test.folder)
    check_variants(test, files, repositories)
    check_damage(test, files)
    check_against_git(test, files, repositories)
    check_repository(test, repositories)
    check_worktree(test, repositories[0])
    check_missing(test, repositories)
    check_rev(test, repositories)
    check_wrong_pack(test, repositories)
    check_split(test, test.folder)
    test.finish()


main()
