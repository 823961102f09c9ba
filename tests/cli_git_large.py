#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blocksha git with what takes minutes: objects of more than 4 GiB, in little memory, and 10,000 random
places of damage in a pack of some size."""

import os
import pathlib
import shutil
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from harness import SKIPPED, Test, limit_memory, unavailable
from make_git_repositories import entry_header, git, make_index, make_pack, make_repository, pack_of

SIZE = (4 << 30) + 5
MEMORY = 512 << 20  # of the process; the object has eight times as much


def deflated_zeros(size, before=b""):
    stream = zlib.compressobj(1)
    out = stream.compress(before)
    zeros = bytes(1 << 24)
    while size > 0:
        out += stream.compress(zeros[:size])
        size -= len(zeros)
    return out + stream.flush()


def check_large_objects(test):
    git(".", "init", "-q", "repository")
    with open("zeros", "wb") as file:
        file.truncate(SIZE)
    name = git("repository", "hash-object", "--no-filters", os.path.abspath("zeros"))
    options = {} if test.is_sanitized() else {"before": limit_memory(MEMORY)}
    test.equal(test.run("git", "hash-object", "zeros", **options).key(), (0, name, b""),
               f"hash-object of {SIZE} bytes")
    os.mkdir("folder")
    os.rename("zeros", "folder/zeros")
    tree = git("repository", "mktree", "--missing", stdin=b"100644 blob " + name.strip() + b"\tzeros\n")
    test.equal(test.run("git", "tree", "folder", **options).key(), (0, tree, b""), "tree")
    shutil.rmtree("folder")

    path = pathlib.Path("zeros.pack")
    path.write_bytes(pack_of([entry_header(3, SIZE) + deflated_zeros(SIZE),
                              entry_header(3, 2) + zlib.compress(b"hi")]))
    test.check(make_index(".", path) is not None, "git takes the pack")
    listed = git(".", "verify-pack", "-v", path.absolute()).replace(
        str(path.absolute()).encode(), bytes(path))
    test.equal(test.run("git", "verify", "-v", "--memory=64M", str(path), **options).key(),
               (0, listed, b""), "an object of more than 4 GiB in a pack")
    result = test.run("git", "verify", f"--max-object-size={SIZE - 1}", str(path))
    test.equal((result.status, b"object is larger than is allowed" in result.err), (1, True),
               "--max-object-size")
    os.unlink("zeros.idx")
    test.equal(test.run("git", "verify", "--memory=64M", str(path), **options).status, 0,
               "the same without index")
    path.unlink()

    digits = name.decode().strip()
    loose = pathlib.Path(digits[:2]) / digits[2:]
    loose.parent.mkdir()
    data = deflated_zeros(SIZE, b"blob %d\0" % SIZE)
    loose.write_bytes(data)
    test.equal(test.run("git", "verify", "--memory=64M", str(loose), **options).key(),
               (0, f"{loose}: OK\n".encode(), b""), "the same as loose object")
    loose.write_bytes(data[:-1])
    test.equal(test.run("git", "verify", "--memory=64M", str(loose), **options).status, 1, "cut")
    shutil.rmtree(loose.parent)


def check_damage(test):
    program = pathlib.Path(os.environ.get("BLOCKSHA_BUILD", "")) / "tests" / "test_git_damage"
    if not program.exists():
        unavailable("test_git_damage was not built")
        return
    repository = make_repository("many", versions=60)
    path = make_pack(repository, "many.pack", "--delta-base-offset")
    make_index(repository, path)
    done = subprocess.run([program], capture_output=True, env={
        **os.environ, "BLOCKSHA_TEST_PACK": str(path), "BLOCKSHA_TEST_PLACES": "10000"})
    test.equal(done.returncode, 0, f"10000 places of damage in {path.stat().st_size} bytes: "
               f"{done.stdout[-2000:].decode()}")


def main():
    test = Test()
    if shutil.which("git") is None:
        unavailable("git is not installed")
        sys.exit(SKIPPED)
    check_large_objects(test)
    check_damage(test)
    test.finish()


main()
