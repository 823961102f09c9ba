# SPDX-License-Identifier: MIT
"""Fetches a Debian source package with apt, without touching what apt knows of the system:
lists and cache lie in a folder of their own. The sources are the machine's, as deb-src."""

import os
import re
import subprocess
from pathlib import Path


class Unavailable(Exception):
    """The source cannot be had here; says why."""


def source_entries(folder):
    """(name, text) of files for sources.list.d: those of the machine, as deb-src."""
    for path in sorted(folder.glob("sources.list")) + sorted(folder.glob("sources.list.d/*.list")):
        lines = [re.sub(r"^\s*deb\s", "deb-src ", line) for line in path.read_text().splitlines()
                 if re.match(r"\s*deb\s", line)]
        yield path.stem + ".list", "".join(line + "\n" for line in lines)
    for path in sorted(folder.glob("sources.list.d/*.sources")):
        yield path.name, re.sub(r"(?mi)^Types:.*$", "Types: deb-src", path.read_text())


def private_apt(folder):
    """Makes the folder; returns the environment in which apt uses it."""
    parts = folder / "sources.list.d"
    for path in (parts, folder / "lists/partial", folder / "cache/archives/partial"):
        path.mkdir(parents=True, exist_ok=True)
    for name, text in source_entries(Path("/etc/apt")):
        (parts / name).write_text(text)
    config = folder / "apt.conf"
    config.write_text(
        f'Dir::Etc::SourceList "/dev/null";\nDir::Etc::SourceParts "{parts}";\n'
        f'Dir::State::Lists "{folder}/lists";\nDir::Cache "{folder}/cache";\n'
        f'Acquire::Retries "3";\nAPT::Sandbox::User "root";\n')
    return {**os.environ, "APT_CONFIG": str(config), "LC_ALL": "C"}


def fetch(package, folder, apt_folder, log):
    """Unpacks the newest source of the package as folder. Returns its version."""
    env = private_apt(apt_folder)
    # A failed update may still leave lists that are good enough.
    subprocess.run(["apt-get", "update"], env=env, stdout=log, stderr=log)
    shown = subprocess.run(["apt-get", "source", "--print-uris", "--only-source", package], env=env,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = re.search(rf"' ({package}_(\S+)\.dsc) ", shown.stdout)
    if shown.returncode != 0 or not found:
        raise Unavailable(f"apt knows no source of {package}: {last_line(shown.stdout)}")

    folder.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["apt-get", "source", "--only-source", "--download-only", package],
                          env=env, cwd=apt_folder, stdout=log, stderr=log)
    if done.returncode != 0:
        raise Unavailable(f"apt could not download the source of {package}: see {log.name}")
    subprocess.run(["dpkg-source", "--extract", found.group(1), folder], check=True,
                   cwd=apt_folder, stdout=log, stderr=log)
    return found.group(2)


def last_line(text):
    return (text.strip().splitlines() or ["it says nothing"])[-1]
