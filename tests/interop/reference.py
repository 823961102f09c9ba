# SPDX-License-Identifier: MIT
"""The reference detector, sha1collisiondetection: the copy that git brings, as a library."""

import shutil
import subprocess
from pathlib import Path

import debian_source

LIBRARY = "libsha1detectcoll.so.1"
MAP = Path(__file__).resolve().parents[2] / "compat/sha1detectcoll/libsha1detectcoll.map"


def get_source(cache):
    """Unpacks Debian's source of git as CACHE/git, if it is not there. Returns its version."""
    stamp = cache / "source.stamp"
    if not stamp.exists():
        shutil.rmtree(cache / "git", ignore_errors=True)
        (cache / "git.stamp").unlink(missing_ok=True)  # nothing of it is built any more
        with (cache / "source.log").open("w") as log:
            version = debian_source.fetch("git", cache / "git", cache / "apt", log)
        stamp.write_text(version)
    return stamp.read_text()


def build(cache):
    """Compiles CACHE/reference/LIBRARY of it, with the options that git compiles it with."""
    folder = cache / "reference"
    folder.mkdir(exist_ok=True)
    sources = [cache / "git/sha1dc" / name for name in ("sha1.c", "ubc_check.c")]
    subprocess.run(["gcc", "-O2", "-g", "-fPIC", "-shared", f"-Wl,-soname,{LIBRARY}",
                    f"-Wl,--version-script={MAP}", "-o", folder / LIBRARY, *sources], check=True)
