# SPDX-License-Identifier: MIT
"""Files of git in all their variants, made by the machine's git in a new folder."""

import hashlib
import os
import shutil
import subprocess

from harness import C_LOCALE

GIT = {**C_LOCALE, "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent",
       "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
       "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c@example.com",
       "GIT_CONFIG_COUNT": "3", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none",
       "GIT_CONFIG_KEY_1": "gc.auto", "GIT_CONFIG_VALUE_1": "0",
       "GIT_CONFIG_KEY_2": "advice.addEmbeddedRepo", "GIT_CONFIG_VALUE_2": "false"}


def have_git():
    return shutil.which("git") is not None


class Repository:
    def __init__(self, path, object_format="sha1"):
        self.path, self.format = path, object_format
        self.clock = 1700000000
        os.makedirs(path)
        self.git("init", "-q", "-b", "main", "--object-format", object_format)

    def git(self, *arguments, check=True, env=None, stdin=b""):
        result = subprocess.run(["git", *arguments], cwd=self.path, input=stdin,
                                capture_output=True, env={**GIT, **(env or {})})
        if check and result.returncode != 0:
            raise RuntimeError(f"git {arguments}: {result.stderr.decode()}")
        return result

    def write(self, name, text):
        path = os.path.join(self.path, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def commit(self, message, date=None):
        self.clock += 100
        when = f"@{self.clock if date is None else date} +0000"
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message,
                 env={"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when})

    def file(self, *parts):
        return os.path.join(self.path, ".git", *parts)

    def packs(self, suffix):
        folder = self.file("objects", "pack")
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))
                if name.endswith(suffix)]


def trailer_size(object_format):
    return 20 if object_format == "sha1" else 32


def reseal(data, object_format):
    """data with the checksum that it should have."""
    body = data[:-trailer_size(object_format)]
    return body + hashlib.new(object_format, body).digest()


def some_files(repository, count=12):
    for i in range(count):
        repository.write(f"file{i:02}", f"{i}\n")
        repository.write(f"folder{i % 3}/inner{i % 2}/file{i}", f"inner {i}\n")
    os.symlink("file00", os.path.join(repository.path, "link"))
    os.chmod(os.path.join(repository.path, "file01"), 0o755)


def keep(files, repository, name, target):
    """Saves the index as it is now under a name of its own, with its shared index."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(repository.file("index"), target)
    files.append((name, target, repository.format))


def index_files(folder, object_format):
    """(name, path, format) of indexes, each alone in a folder."""
    files = []
    r = Repository(os.path.join(folder, "indexes"), object_format)

    def save(name):
        keep(files, r, f"{name} {object_format}",
             os.path.join(folder, "saved", name.replace(" ", "-"), "index"))

    r.git("read-tree", "--empty")
    save("empty")
    some_files(r)
    r.git("add", "-A")
    save("version 2")
    r.commit("first")
    save("TREE")
    for version in ("3", "4"):
        r.git("update-index", "--index-version", version)
        r.write("new", version)
        r.git("add", "-N", "new")
        r.git("update-index", "--skip-worktree", "file05")
        r.git("update-index", "--assume-unchanged", "file06")
        save(f"version {version}")
        r.git("rm", "-q", "--cached", "new")
        r.git("update-index", "--no-skip-worktree", "file05")
    save("version 4 without flags")
    r.git("-c", "index.threads=4", "-c", "index.recordOffsetTable=true", "-c",
          "index.recordEndOfIndexEntries=true", "update-index", "--force-write-index")
    save("version 4 EOIE IEOT")
    r.git("update-index", "--index-version", "2")
    r.git("-c", "index.threads=3", "-c", "index.recordOffsetTable=true", "-c",
          "index.recordEndOfIndexEntries=true", "update-index", "--force-write-index")
    save("EOIE IEOT")
    r.write("x" * 200 + "/" + "y" * 200, "long")
    r.git("add", "-A")
    save("long path")
    r.git("reset", "-q", "--hard")

    # conflicts, resolved and not
    r.git("checkout", "-q", "-b", "other")
    r.write("file00", "other\n")
    r.write("file02", "other\n")
    r.commit("other")
    r.git("checkout", "-q", "main")
    r.write("file00", "mine\n")
    r.write("file02", "mine\n")
    r.commit("mine")
    r.git("merge", "-q", "other", check=False)
    save("conflict")
    r.write("file00", "both\n")
    r.git("add", "file00")
    save("REUC")
    r.git("reset", "-q", "--hard")

    # untracked cache
    r.git("update-index", "--untracked-cache")
    save("UNTR empty")
    r.write("untracked/a/b", "u")
    r.write("untracked/c", "u")
    r.write("folder0/.gitignore", "ignored\n")
    r.write("folder0/ignored", "i")
    r.write("folder1/untracked", "u")
    r.git("status", "--porcelain")
    r.git("status", "--porcelain")
    save("UNTR")
    r.git("update-index", "--no-untracked-cache")
    r.git("clean", "-fdxq")

    # file system monitor
    hook = os.path.join(r.path, ".git", "monitor")
    with open(hook, "w") as file:
        file.write("#!/bin/sh\nprintf 'token-1\\0file03\\0'\n")
    os.chmod(hook, 0o755)
    r.git("config", "core.fsmonitor", hook)
    r.git("update-index", "--fsmonitor")
    r.git("status", "--porcelain")
    r.write("file03", "changed\n")
    r.git("status", "--porcelain")
    r.git("update-index", "--force-write-index")
    save("FSMN")
    r.git("config", "--unset", "core.fsmonitor")
    r.git("update-index", "--no-fsmonitor")
    r.git("checkout", "-q", "--", ".")

    # sparse
    r.git("sparse-checkout", "set", "--cone", "--sparse-index", "folder0/inner0")
    save("sdir")
    r.git("sparse-checkout", "disable")

    # skipHash, as later versions of git write it
    with open(os.path.join(folder, "saved", "TREE", "index"), "rb") as file:
        data = file.read()
    target = os.path.join(folder, "saved", "skipHash", "index")
    os.makedirs(os.path.dirname(target))
    with open(target, "wb") as file:
        file.write(data[:-trailer_size(object_format)] + bytes(trailer_size(object_format)))
    files.append((f"skipHash {object_format}", target, object_format))
    files += split_files(folder, object_format)
    return files


def split_files(folder, object_format):
    """Split indexes; the shared one lies beside. Without and with replaced and deleted entries."""
    files = []
    r = Repository(os.path.join(folder, "split"), object_format)
    some_files(r)
    r.commit("first")

    def save(name):
        target = os.path.join(folder, "saved", name.replace(" ", "-"))
        os.makedirs(target)
        for entry in os.listdir(r.file()):
            if entry == "index" or entry.startswith("sharedindex."):
                shutil.copy(r.file(entry), target)
        files.append((f"{name} {object_format}", os.path.join(target, "index"), object_format))
        files.extend((f"{name}: shared {object_format}", os.path.join(target, entry), object_format)
                     for entry in sorted(os.listdir(target)) if entry.startswith("sharedindex."))

    r.git("config", "splitIndex.maxPercentChange", "100")
    r.git("update-index", "--split-index")
    save("split")
    r.write("file03", "changed\n")
    r.write("new", "new\n")
    r.git("add", "-A")
    r.git("rm", "-q", "--cached", "file04", "link")
    save("split changed")
    return files


def many_commits(repository):
    """A history with merges of two and of four, and dates that go back."""
    r = repository
    for i in range(6):
        r.write("a", f"{i}\n")
        r.write(f"d/{i}", f"{i}\n")
        r.commit(f"c{i}")
    for i in range(4):
        r.git("checkout", "-q", "-b", f"side{i}", "HEAD~1" if i % 2 else "HEAD")
        r.write(f"s{i}", f"{i}\n")
        r.commit(f"side {i}")
    r.git("checkout", "-q", "main")
    r.git("merge", "-q", "-m", "octopus", "side0", "side1", "side2", "side3", "-s", "ours",
          check=False)
    r.git("merge", "-q", "--no-ff", "-m", "octopus", "side0", check=False)
    tree = r.git("write-tree").stdout.decode().strip()
    parents = [argument for i in range(4) for argument in ("-p", f"side{i}")]
    octopus = r.git("commit-tree", tree, "-p", "main", *parents, "-m", "octopus").stdout
    r.git("update-ref", "refs/heads/main", octopus.decode().strip())
    r.git("reset", "-q", "--hard")
    r.commit("after")
    r.git("tag", "-a", "-m", "tag", "v1")


def graph_files(folder, object_format):
    files = []
    r = Repository(os.path.join(folder, "graph"), object_format)
    many_commits(r)

    def save(name, *paths):
        target = os.path.join(folder, "graphs", name.replace(" ", "-"))
        os.makedirs(target)
        for path in paths:
            shutil.copy(path, target)
            files.append((f"{name}: {os.path.basename(path)[:5]} {object_format}",
                          os.path.join(target, os.path.basename(path)), object_format))

    r.git("commit-graph", "write", "--reachable")
    save("commit-graph", r.file("objects/info/commit-graph"))
    r.git("-c", "commitGraph.generationVersion=1", "commit-graph", "write", "--reachable")
    save("commit-graph generation 1", r.file("objects/info/commit-graph"))
    r.git("commit-graph", "write", "--reachable", "--changed-paths")
    save("commit-graph Bloom", r.file("objects/info/commit-graph"))
    r.commit("far in the future", date=4000000000)
    r.commit("and back", date=1000)
    r.git("commit-graph", "write", "--reachable")
    save("commit-graph overflow", r.file("objects/info/commit-graph"))
    os.unlink(r.file("objects/info/commit-graph"))
    for i in range(3):
        r.commit(f"layer {i}")
        r.git("commit-graph", "write", "--reachable", "--split=no-merge", "--changed-paths")
    chain = r.file("objects/info/commit-graphs")
    save("chain", *(os.path.join(chain, name) for name in sorted(os.listdir(chain))))
    return files, [r]


def pack_files(folder, object_format):
    """Reverse indexes, bitmaps, times, multi-pack-indexes, bundles; repositories whole."""
    files = []
    base = Repository(os.path.join(folder, "packs"), object_format)
    many_commits(base)
    repositories = [base]

    def copy(name):
        path = os.path.join(folder, name)
        shutil.copytree(base.path, path, symlinks=True)
        r = Repository.__new__(Repository)
        r.path, r.format, r.clock = path, object_format, base.clock
        repositories.append(r)
        return r

    def add(name, path):
        files.append((f"{name} {object_format}", path, object_format))

    r = copy("one-pack")
    r.git("-c", "pack.writeReverseIndex=true", "repack", "-adq", "--write-bitmap-index")
    add("rev", r.packs(".rev")[0])
    add("bitmap", r.packs(".bitmap")[0])
    r = copy("lookup")
    r.git("-c", "pack.writeBitmapLookupTable=true", "-c", "pack.writeBitmapHashCache=false",
          "repack", "-adq", "--write-bitmap-index")
    add("bitmap with lookup table", r.packs(".bitmap")[0])
    r = copy("lookup-cache")
    r.git("-c", "pack.writeBitmapLookupTable=true", "repack", "-adq", "--write-bitmap-index")
    add("bitmap with lookup table and hash cache", r.packs(".bitmap")[0])

    r = copy("cruft")
    r.git("branch", "-D", "-q", "side2")
    r.write("lost", "lost\n")
    r.git("add", "lost")
    r.git("rm", "-q", "--cached", "lost")
    r.git("repack", "--cruft", "-dq")
    add("mtimes", r.packs(".mtimes")[0])

    for name, options, env in (
            ("midx", [], {}), ("midx with bitmap", ["--bitmap"], {}),
            ("midx with bitmap and rev", ["--bitmap"],
             {"GIT_TEST_MIDX_WRITE_REV": "1", "GIT_TEST_MIDX_READ_RIDX": "0"})):
        r = copy(name.replace(" ", "-"))
        r.git("repack", "-dq")
        for i in range(3):
            r.write("more", f"{i}\n")
            r.commit(f"more {i}")
            r.git("repack", "-dq")
        r.git("pack-objects", "-q", r.file("objects/pack/pack"), "--revs", stdin=b"HEAD\n")
        r.git("multi-pack-index", "write", *options, env=env)
        add(name, r.file("objects/pack/multi-pack-index"))
        for path in r.packs(".bitmap"):
            add(f"{name}: bitmap", path)
        for path in r.packs(".rev"):
            add(f"{name}: rev", path)

    os.makedirs(os.path.join(folder, "bundles"))
    for name, version, revisions in (
            ("bundle", [], ["--all"]), ("thin bundle", [], ["main", "^main~3"]),
            ("bundle version 3", ["--version=3"], ["main"])):
        path = os.path.join(folder, "bundles", name.replace(" ", "-") + ".bundle")
        base.git("bundle", "create", "-q", *version, path, *revisions)
        add(name, path)
    return files, repositories


def all_files(folder):
    """(files, repositories): files are (name, path, format of objects)."""
    files, repositories = [], []
    for object_format in ("sha1", "sha256"):
        place = os.path.join(folder, object_format)
        files += index_files(place, object_format)
        for make in (graph_files, pack_files):
            more, repos = make(place, object_format)
            files += more
            repositories += repos
    return files, repositories
