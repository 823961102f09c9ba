#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes tests/expected/git_files.h: small packs, indexes and loose objects, as git writes them.

    python3 tests/make_git_files.py           writes it
    python3 tests/make_git_files.py --check   compares instead

Contents and dates are fixed, but how well git and zlib compress may change with their versions:
then --check fails, and the tests still pass."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile

OUTPUT = pathlib.Path(__file__).resolve().parent / "expected" / "git_files.h"

ENVIRONMENT = {
    **os.environ, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "1600000000 +0000",
    "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com",
    "GIT_COMMITTER_DATE": "1600000000 +0000"}

# cases.md P08, P18 and others have packs that git does not write; those are in test_git_cases.c.
DUPLICATES = bytes.fromhex("5041434b000000020000000231789cab00000079007931789cab000000790079"
                           "c56d25f1e8721379704ea1eab2e5e050c0d94c99")


def git(folder, *arguments, stdin=b""):
    return subprocess.run(["git", "-C", str(folder), *arguments], input=stdin, env=ENVIRONMENT,
                          check=True, capture_output=True).stdout


def fill(folder, object_format):
    """A repository of few objects: versions of a text, folders, two commits, a tag."""
    git(folder.parent, "init", "-q", f"--object-format={object_format}", str(folder))
    words = [f"{random.Random(i).randrange(10**9):09d}" for i in range(40)]
    for version in range(4):
        words[version * 7] = f"version {version}"
        (folder / "text").write_text("\n".join(words) + "\n")
        (folder / "folder").mkdir(exist_ok=True)
        (folder / "folder" / "other").write_text("\n".join(words[::-1]) + "\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"version {version}")
    git(folder, "tag", "-a", "-m", "a tag", "tag")


def pack(folder, name, *options):
    """(pack, index) of everything in the repository."""
    objects = git(folder, "rev-list", "--objects", "--all")
    stem = folder / name
    stem.with_suffix(".pack").write_bytes(
        git(folder, "pack-objects", "-q", "--stdout", "--threads=1", "--window=10", *options,
            stdin=objects))
    return stem.with_suffix(".pack")


def index(folder, path, *options):
    out = path.with_suffix(".idx")
    out.unlink(missing_ok=True)
    git(folder, "index-pack", *options, "-o", str(out), str(path))
    return out.read_bytes()


def packs(folder):
    """(name, format, pack, index)"""
    sha1, sha256 = folder / "sha1", folder / "sha256"
    fill(sha1, "sha1")
    fill(sha256, "sha256")
    ofs = pack(sha1, "ofs", "--delta-base-offset")
    yield "OFS deltas", "SHA1", ofs.read_bytes(), index(sha1, ofs)
    yield "an index of version 1", "SHA1", ofs.read_bytes(), index(sha1, ofs, "--index-version=1")
    yield ("offsets of 64 bits", "SHA1", ofs.read_bytes(),
           index(sha1, ofs, "--index-version=2,0x100"))
    ref = pack(sha1, "ref")
    yield "REF deltas", "SHA1", ref.read_bytes(), index(sha1, ref)
    ofs = pack(sha256, "ofs", "--delta-base-offset")
    yield "SHA-256", "SHA256", ofs.read_bytes(), index(sha256, ofs)
    empty = sha1 / "empty.pack"
    empty.write_bytes(git(sha1, "pack-objects", "-q", "--stdout"))
    yield "no object", "SHA1", empty.read_bytes(), index(sha1, empty)
    duplicates = sha1 / "duplicates.pack"
    duplicates.write_bytes(DUPLICATES)
    yield "an object twice", "SHA1", DUPLICATES, index(sha1, duplicates)


def loose(folder):
    """(path, contents)"""
    for name in ("sha1", "sha256"):
        for kind in ("HEAD:text", "HEAD:", "HEAD", "tag"):
            digits = git(folder / name, "rev-parse", kind).decode().strip()
            path = f"{digits[:2]}/{digits[2:]}"
            yield path, (folder / name / ".git" / "objects" / path).read_bytes()


def literal(data):
    """Lines of digits: a string literal of all would be longer than compilers must take."""
    digits = data.hex()
    lines = [digits[i:i + 80] for i in range(0, len(digits), 80)]
    return "(const char *const[]){" + "".join(f'\n\t  "{line}",' for line in lines) + " NULL}"


def make():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows = []
        for name, object_format, pack_data, idx_data in packs(folder):
            rows.append(f'\t{{"{name}",\n\t BLOCKSHA_GIT_{object_format},\n'
                        f'\t {len(pack_data)},\n\t {literal(pack_data)},\n'
                        f'\t {len(idx_data)},\n\t {literal(idx_data)}}},\n')
        objects = [f'\t{{"{path}",\n\t {len(data)},\n\t {literal(data)}}},\n'
                   for path, data in loose(folder)]
    return ("/* SPDX-License-Identifier: MIT */\n"
            "/* Made by: python3 tests/make_git_files.py - not to be edited. */\n"
            "/* clang-format off */\n\n"
            "static const struct expected_git_pack expected_git_packs[] = {\n" + "".join(rows) +
            "};\n\nstatic const struct expected_git_loose expected_git_loose[] = {\n" +
            "".join(objects) + "};\n")


def main():
    text = make()
    if "--check" in sys.argv:
        sys.exit(0 if OUTPUT.read_text() == text else f"{OUTPUT} is not what git makes here")
    OUTPUT.write_text(text)


main()
