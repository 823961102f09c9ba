#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""history.py - fills a new bare repository with real contents, as one pack.

They come from the Debian packages that are installed. First a history: a changelog tells
what it looked like at each release of its package, since a release only puts an entry in
front. So there is a commit a release, of all packages in order of time, by its own author
and date. Then, as many as it takes for a pack of SIZE bytes, the text files of the packages
below /usr, one commit a package; and if they are too few, all others.

usage: history.py REPOSITORY SIZE
"""

import email.utils
import gzip
import itertools
import re
import subprocess
import sys
from pathlib import Path

HEADER = re.compile(rb"^[a-z0-9][a-z0-9+.-]* \(.*\) .*;", re.MULTILINE)
TRAILER = re.compile(rb"^ -- ([^<>\n]*) <([^<>\n]*)>  (.*)$", re.MULTILINE)


class Release:
    """An entry of a changelog."""

    def __init__(self, package, entry, date, mark):
        trailer = TRAILER.search(entry)
        self.package, self.mark, self.date = package, mark, date
        self.author = b"nobody <nobody@localhost>"
        if trailer:
            self.author = trailer.group(1) + b" <" + trailer.group(2) + b">"
            parsed = email.utils.parsedate_tz(trailer.group(3).decode("ascii", "replace"))
            if parsed:
                self.date = max(date, email.utils.mktime_tz(parsed))
        self.message = entry.split(b"\n", 1)[0] + b"\n"


class Import:
    """The input of `git fast-import`."""

    def __init__(self, repository):
        self.folder = Path(repository) / "objects/pack"
        self.process = subprocess.Popen(["git", "--git-dir", repository, "fast-import", "--quiet"],
                                        stdin=subprocess.PIPE)
        self.out = self.process.stdin

    def data(self, content):
        self.out.write(b"data %d\n%b\n" % (len(content), content))

    def commit(self, author, date, message):
        self.out.write(b"commit refs/heads/main\n")
        for role in (b"author", b"committer"):
            self.out.write(b"%b %b %d +0000\n" % (role, author, date))
        self.data(message)

    def pack_size(self):
        """What was written so far; a little of the input is still under way."""
        return sum(path.stat().st_size for path in self.folder.glob("tmp_pack_*"))

    def finish(self):
        self.out.close()
        if self.process.wait() != 0:
            sys.exit("git fast-import failed")


def import_versions(target, package, changelog, mark):
    """The changelog as it was at each release, oldest first, as they delta best."""
    starts = [match.start() for match in HEADER.finditer(changelog)]
    releases = []
    date = 0
    for start, end in zip(reversed(starts), reversed(starts[1:] + [len(changelog)])):
        mark += 1
        target.out.write(b"blob\nmark :%d\n" % mark)
        target.data(changelog[start:])
        releases.append(Release(package, changelog[start:end], date, mark))
        date = releases[-1].date
    return releases


def import_releases(target):
    """Returns how many there are, and the date of the last."""
    releases = []
    for path in sorted(Path("/usr/share/doc").glob("*/changelog.Debian.gz")):
        if not path.parent.is_symlink() and path.is_file():
            with gzip.open(path) as file:
                releases += import_versions(target, path.parent.name, file.read(), len(releases))
    releases.sort(key=lambda release: release.date)  # stable: a package's own order stays
    for release in releases:
        target.commit(release.author, release.date, release.message)
        target.out.write(b"M 100644 :%d %b/debian/changelog\n" %
                         (release.mark, release.package.encode()))
    return len(releases), releases[-1].date if releases else 0


def files_of(package):
    listed = subprocess.run(["dpkg-query", "-L", package], check=True, capture_output=True)
    for name in listed.stdout.decode("utf-8", "surrogateescape").splitlines():
        path = Path(name)
        if name.startswith("/usr/") and '"' not in name and path.is_file() and \
                not path.is_symlink():
            yield path


def is_text(content):
    """As git decides it."""
    return b"\0" not in content[:8000]


def import_files(target, date, size):
    """Returns how many there are."""
    listed = subprocess.run(["dpkg-query", "-W", "-f", "${binary:Package}\n"], check=True,
                            capture_output=True, text=True)
    files = 0
    for text, package in itertools.product((True, False), sorted(listed.stdout.split())):
        date += 1
        target.commit(b"nobody <nobody@localhost>", date, package.encode() + b"\n")
        for path in files_of(package):
            target.out.flush()
            if target.pack_size() >= size:
                return files
            content = path.read_bytes()
            if is_text(content) == text:
                mode = b"755" if path.stat().st_mode & 0o100 else b"644"
                name = f"{package.split(':')[0]}{path}".encode("utf-8", "surrogateescape")
                target.out.write(b"M 100%b inline %b\n" % (mode, name))
                target.data(content)
                files += 1
    return files


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target = Import(sys.argv[1])
    releases, date = import_releases(target)
    files = import_files(target, date, int(sys.argv[2]))
    target.finish()
    print(f"{releases} releases, {files} files")


main()
