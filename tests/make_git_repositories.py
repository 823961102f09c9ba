#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Repositories and packs of many shapes, made with the machine's git, for the tests that compare with
it. As a program it leaves them in a folder, to try things out; or leaves small files of one kind
there as seeds, and runs a fuzzer with them:

    python3 tests/make_git_repositories.py FOLDER
    python3 tests/make_git_repositories.py --seeds pack|idx|loose FOLDER COMMAND..."""

import hashlib
import os
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import zlib

ENVIRONMENT = {
    **os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "1600000000 +0000",
    "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com",
    "GIT_COMMITTER_DATE": "1600000000 +0000"}

FORMATS = ("sha1", "sha256")


def git(folder, *arguments, stdin=b"", check=True):
    """What git prints; with check=False its exit status and what it prints."""
    done = subprocess.run(["git", "-C", str(folder), *map(str, arguments)], input=stdin,
                          env=ENVIRONMENT, check=check, capture_output=True)
    return done.stdout if check else (done.returncode, done.stdout)


def make_repository(folder, object_format="sha1", versions=30, seed=1):
    """Versions of texts, of which git makes deltas; folders; files of all modes; a tag."""
    chance = random.Random(seed)
    folder = pathlib.Path(folder)
    git(".", "init", "-q", f"--object-format={object_format}", folder)
    texts = [[f"{chance.randrange(10**9):09d}" for _ in range(100)] for _ in range(5)]
    for version in range(versions):
        for number, lines in enumerate(texts):
            for _ in range(3):
                lines[chance.randrange(len(lines))] = f"{version} {chance.randrange(10**6)}"
            path = folder / f"folder{number % 2}" / f"text{number}"
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(lines) + "\n")
        (folder / "empty").write_bytes(b"")
        (folder / "noise").write_bytes(chance.randbytes(20000))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"version {version}")
    git(folder, "tag", "-a", "-m", "a tag", "tag")
    return folder


def make_pack(folder, name, *options, objects=None):
    """The path of a pack of these objects, or all, without its index."""
    path = pathlib.Path(folder) / name
    if objects is None:
        objects = git(folder, "rev-list", "--objects", "--all")
    path.write_bytes(git(folder, "pack-objects", "-q", "--stdout", *options, stdin=objects))
    return path


def make_index(folder, path, *options):
    """Makes the index of a pack beside it; its path, or None: git refuses the pack."""
    out = path.with_suffix(".idx")
    out.unlink(missing_ok=True)
    status, _ = git(folder, "index-pack", *options, "-o", out.absolute(), path.absolute(),
                    check=False)
    return out if status == 0 else None


# --- Packs that git does not make ------------------------------------------------------------


def entry_header(kind, size):
    out = bytearray()
    byte, size = kind << 4 | size & 15, size >> 4
    while size:
        out.append(byte | 0x80)
        byte, size = size & 0x7f, size >> 7
    out.append(byte)
    return bytes(out)


def distance(value):
    out = [value & 0x7f]
    while value >> 7:
        value = (value >> 7) - 1
        out.append(0x80 | value & 0x7f)
    return bytes(reversed(out))


def pack_of(entries, object_format="sha1"):
    data = b"PACK" + struct.pack(">II", 2, len(entries)) + b"".join(entries)
    return data + hashlib.new(object_format, data).digest()


def chain(length):
    """A blob of two bytes and deltas on it, each on the one before."""
    entries = [entry_header(3, 2) + zlib.compress(b"ab")]
    for i in range(length):
        delta = bytes([2, 2, 2, i & 0xff, i >> 8 & 0xff])
        entries.append(entry_header(6, len(delta)) + distance(len(entries[-1])) +
                       zlib.compress(delta))
    return pack_of(entries)


# --- All of them -------------------------------------------------------------------------------


def make_packs(folder):
    """Yields (what, path of a pack with its index)."""
    folder = pathlib.Path(folder)
    for object_format in FORMATS:
        repository = make_repository(folder / object_format, object_format)
        ofs = make_pack(repository, "ofs.pack", "--delta-base-offset")
        make_index(repository, ofs)
        yield f"{object_format}, OFS deltas", ofs
        ref = make_pack(repository, "ref.pack")
        make_index(repository, ref)
        yield f"{object_format}, REF deltas", ref
        deep = make_pack(repository, "deep.pack", "--depth=4000", "--window=100",
                         "--delta-base-offset", "--no-reuse-delta")
        make_index(repository, deep, "--index-version=2,0x100")
        yield f"{object_format}, offsets of 64 bits", deep
        plain = make_pack(repository, "plain.pack", "--window=0", "--no-reuse-delta")
        make_index(repository, plain, "--index-version=1")
        yield f"{object_format}, no deltas, index of version 1", plain
        empty = make_pack(repository, "empty.pack", objects=b"")
        make_index(repository, empty)
        yield f"{object_format}, empty", empty
    long = folder / "sha1" / "chain.pack"
    long.write_bytes(chain(10000))
    make_index(folder / "sha1", long)
    yield "a chain of 10000 deltas", long


def make_thin(folder):
    """The path of a pack whose deltas need objects that it does not have, and of which ones."""
    folder = pathlib.Path(folder)
    thin = make_pack(folder, "thin.pack", "--thin", "--revs", objects=b"HEAD\n^HEAD~3\n")
    fixed = folder / "fixed.pack"
    status, _ = git(folder, "index-pack", "--fix-thin", "--stdin", fixed.absolute(),
                    stdin=thin.read_bytes(), check=False)
    assert status == 0, "git cannot complete the thin pack"

    lines = git(folder, "verify-pack", "-v", fixed.absolute()).decode().splitlines()
    objects = [line.split()[0] for line in lines if re.match("[0-9a-f]{40,} ", line)]
    return thin, objects[struct.unpack(">I", thin.read_bytes()[8:12])[0]:]


def make_seeds(kind, folder):
    """Files of that kind in the folder, each of less than 8 KiB."""
    repositories = folder / "repositories"
    seeds = folder / "seeds"
    seeds.mkdir(parents=True, exist_ok=True)
    files = []
    for object_format in FORMATS:
        repository = make_repository(repositories / object_format, object_format, versions=2)
        for number, options in enumerate(([], ["--delta-base-offset"], ["--window=0"])):
            path = make_pack(repository, f"{number}.pack", *options,
                             objects=git(repository, "rev-list", "--objects", "HEAD", "--",
                                         "folder0", "empty"))
            files += [path, make_index(repository, path)]
        files += (repository / ".git" / "objects").glob("??/*")
    for number, path in enumerate(files):
        if path.suffix == ("" if kind == "loose" else f".{kind}") and path.stat().st_size < 8192:
            (seeds / str(number)).write_bytes(path.read_bytes())
    return seeds


def main():
    if len(sys.argv) > 4 and sys.argv[1] == "--seeds":
        folder = pathlib.Path(sys.argv[3])
        shutil.rmtree(folder, ignore_errors=True)
        seeds = make_seeds(sys.argv[2], folder)
        print(f"{len(list(seeds.iterdir()))} seeds", flush=True)
        os.execv(sys.argv[4], [*sys.argv[4:], str(seeds)])
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for what, path in make_packs(folder):
        print(f"{path}: {what}")


if __name__ == "__main__":
    main()
