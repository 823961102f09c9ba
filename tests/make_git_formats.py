#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes tests/expected/git_formats.h: files of git beside packs, as the machine's git writes them,
for fuzzers to begin with. Indexes have the times of the files they were made of: each run gives
others.

    python3 tests/make_git_formats.py
    python3 tests/make_git_formats.py --seeds FOLDER    writes FOLDER/KIND/NAME, for libFuzzer"""

import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "cli"))
from gitfiles import all_files

# What the fuzzer is called, and the files that it begins with.
SEEDS = {
    "index": ["version 3", "version 4 EOIE IEOT", "REUC", "UNTR", "FSMN", "sdir", "split changed"],
    "midx": ["midx", "midx with bitmap"],
    "commit_graph": ["commit-graph Bloom: commi", "commit-graph overflow: commi", "chain: graph"],
    "rev": ["rev", "midx with bitmap and rev: rev"],
    "mtimes": ["mtimes"],
    "bitmap": ["bitmap", "bitmap with lookup table and hash cache"],
    "bundle": ["thin bundle", "bundle version 3"],
}


def write_seeds(target):
    with tempfile.TemporaryDirectory() as folder:
        for name, path, object_format in all_files(folder)[0]:
            for fuzzer, names in SEEDS.items():
                if name[:-len(object_format) - 1] in names:
                    kind = pathlib.Path(target, fuzzer)
                    kind.mkdir(parents=True, exist_ok=True)
                    (kind / name.replace(" ", "-")).write_bytes(pathlib.Path(path).read_bytes())


def write_header():
    out = ["/* SPDX-License-Identifier: MIT */",
           "/* Made by: python3 tests/make_git_formats.py - not to be edited. */",
           "/* clang-format off */", ""]
    with tempfile.TemporaryDirectory() as folder:
        files = {name: path for name, path, _ in reversed(all_files(folder)[0])}
        out.append("static const struct expected_git_format expected_git_formats[] = {")
        for fuzzer, names in SEEDS.items():
            for name in names:
                for object_format in ("sha1", "sha256")[:1 if name != names[0] else 2]:
                    data = pathlib.Path(files[f"{name} {object_format}"]).read_bytes()
                    out.append(f'\t{{"{fuzzer}", "{name} {object_format}", {len(data)},')
                    out.append("\t (const char *const[]){")
                    text = data.hex()
                    out += [f'\t  "{text[at:at + 80]}",' for at in range(0, len(text), 80)]
                    out.append("\t  NULL}},")
        out += ["};", ""]
    (HERE / "expected" / "git_formats.h").write_text("\n".join(out))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--seeds"]:
        write_seeds(sys.argv[2])
    else:
        write_header()
