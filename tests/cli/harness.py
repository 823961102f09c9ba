# SPDX-License-Identifier: MIT
"""What the tests of the program share: running it under its names, comparing it with
coreutils, counting checks.

    import os, sys
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
    from harness import Test
    test = Test()            # a new empty folder is the working directory now
    ...
    test.finish()
"""

import os
import pty
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
C_LOCALE = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C"}
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "BLOCKSHA_KERNEL"):
    if name in os.environ:
        C_LOCALE[name] = os.environ[name]

ALIASES = ("sha1sum", "sha256sum")


class Result:
    """What a run left: status (negative: the signal), out and err as bytes."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def key(self):
        return self.status, self.out, self.err


def shown(data, limit=600):
    if not isinstance(data, bytes) or len(data) <= limit:
        return repr(data)
    return f"{data[:limit]!r} ... {len(data)} bytes"


def difference(actual, expected):
    """Both values; of long ones the part where they begin to differ."""
    if isinstance(actual, bytes) and isinstance(expected, bytes):
        at = len(os.path.commonprefix([actual, expected]))
        if at > 200:
            actual, expected = actual[at - 100:], expected[at - 100:]
            return (f"  from byte {at - 100}\n  is        {shown(actual)}\n"
                    f"  should be {shown(expected)}")
    return f"  is        {shown(actual)}\n  should be {shown(expected)}"


def unavailable(text):
    print(f"UNAVAILABLE: {text}", flush=True)


def has_terminals():
    """Whether pseudo-terminals can be made; says so if not."""
    try:
        for fd in pty.openpty():
            os.close(fd)
    except OSError as error:
        unavailable(f"no pseudo-terminal: {error}")
        return False
    return True


class Test:
    def __init__(self, needs_coreutils=False):
        self.blocksha = os.environ.get("BLOCKSHA")
        if not self.blocksha or not os.access(self.blocksha, os.X_OK):
            sys.exit("BLOCKSHA must be the path of the program")
        self.blocksha = os.path.abspath(self.blocksha)
        here = os.path.dirname(os.path.abspath(__file__))
        self.source = os.environ.get("BLOCKSHA_SOURCE", os.path.dirname(os.path.dirname(here)))
        self.shared = os.path.abspath(os.environ.get(
            "BLOCKSHA_SHARED", os.path.join(self.source, "..", "shared")))
        self.checks = self.failures = 0
        self.seed = int(os.environ.get("BLOCKSHA_TEST_SEED", time.time_ns()))
        self.random = random.Random(self.seed)
        print(f"seed {self.seed}", flush=True)
        self.coreutils = find_coreutils()
        if self.coreutils is None:
            unavailable("coreutils 9.1 is not installed, nothing can be compared with it")
            if needs_coreutils:
                sys.exit(1 if os.environ.get("BLOCKSHA_REQUIRE") else SKIPPED)
        self.folder = tempfile.mkdtemp(prefix="blocksha-test-")
        os.chdir(self.folder)

    def is_sanitized(self):
        """Whether the program needs the memory of a sanitizer, and its library before others."""
        with open(self.blocksha, "rb") as file:
            program = file.read()
        return b"__asan_init" in program or b"__tsan_init" in program

    def build_shim(self):
        """The path of the library with faults (faults.c), or None."""
        if self.is_sanitized():
            unavailable("a sanitizer is there, no library can be preloaded before it")
            return None
        source = os.path.join(self.source, "tests", "cli", "faults.c")
        command = [*os.environ.get("CC", "cc").split(), "-O1", "-shared", "-fPIC", "-o",
                   "faults.so", source, "-ldl"]
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            unavailable(f"no library to preload can be made: {error}")
            return None
        return os.path.abspath("faults.so")

    # --- Checks ---

    def check(self, condition, what, detail=""):
        self.checks += 1
        if condition:
            return True
        self.failures += 1
        print(f"FAILED: {what}\n{detail}", flush=True)
        if self.failures >= 20:
            print("too many failures", flush=True)
            self.finish()
        return False

    def equal(self, actual, expected, what):
        return self.check(actual == expected, what,
                          "" if actual == expected else difference(actual, expected))

    def finish(self):
        os.chdir("/")
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.failures:
            print(f"{self.failures} of {self.checks} checks FAILED, seed {self.seed}")
            sys.exit(1)
        if self.checks == 0:
            print("nothing was tested")
            sys.exit(SKIPPED)
        print(f"{self.checks} checks passed")
        sys.exit(0)

    # --- Runs ---

    def run(self, *arguments, **options):
        """blocksha with these arguments."""
        return run(self.blocksha, ["blocksha", *arguments], **options)

    def alias(self, name, *arguments, argv0=None, **options):
        """blocksha under a name of coreutils."""
        return run(self.blocksha, [argv0 or name, *arguments], **options)

    def original(self, name, *arguments, argv0=None, **options):
        """The program of coreutils itself."""
        return run(self.coreutils[name], [argv0 or name, *arguments], **options)

    def compare(self, name, *arguments, what=None, **options):
        """The alias must do what the original does: output, messages, status."""
        expected = self.original(name, *arguments, **options)
        actual = self.alias(name, *arguments, **options)
        what = what or f"{name} {' '.join(map(repr, arguments))} {options or ''}"
        self.equal(actual.status, expected.status, f"{what}: status")
        self.equal(actual.out, expected.out, f"{what}: standard output")
        self.equal(actual.err, expected.err, f"{what}: standard error")
        return expected


def find_coreutils():
    """{name: path} of coreutils 9.1, or None."""
    found = {}
    for name in ALIASES:
        path = shutil.which(name)
        if path is None:
            return None
        version = subprocess.run([path, "--version"], capture_output=True, env=C_LOCALE).stdout
        if not version.startswith(f"{name} (GNU coreutils) 9.1\n".encode()):
            return None
        found[name] = path
    return found


def run(program, argv, stdin=b"", env=None, stdout=None, stderr=None, before=None):
    """Runs program. stdin: bytes, a file, or None for a closed one. stdout, stderr: a file, or
    "closed"; without, they are collected. before: called in the child."""
    closed = [number for number, stream in enumerate((stdin, stdout, stderr))
              if (stream is None if number == 0 else stream == "closed")]

    def prepare():
        for number in closed:
            os.close(number)
        if before:
            before()

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        feed = None
        if isinstance(stdin, bytes):
            feed = tempfile.TemporaryFile()
            feed.write(stdin)
            feed.seek(0)
            stdin = feed
        process = subprocess.Popen(
            argv, executable=program, env={**C_LOCALE, **(env or {})},
            stdin=stdin if stdin is not None else subprocess.DEVNULL,
            stdout=out if stdout in (None, "closed") else stdout,
            stderr=err if stderr in (None, "closed") else stderr,
            preexec_fn=prepare if closed or before else None)
        process.wait()
        if feed:
            feed.close()
        out.seek(0)
        err.seek(0)
        return Result(process.returncode, out.read(), err.read())


def limit_memory(size):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


def write(name, data):
    """A new file in place of the old one: some file systems wait for the disk when a file is
    emptied and written again."""
    try:
        os.unlink(name)
    except FileNotFoundError:
        pass
    with open(name, "xb") as file:
        file.write(data)
