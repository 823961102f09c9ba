#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""JSON and base 64 of the program against Python's, with random bytes."""

import base64
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "cli"))
from harness import Test, unavailable

PARTS = [b'"', b"\\", b"\n", b"/", b"\x1b[", b"\x7f", "äöü".encode(), "\u2028".encode(),
         "\u0085".encode(), "\U0001f600".encode(), "\ufffd".encode(), "\ud800".encode("utf8", "surrogatepass"),
         b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"name", b" "]


def build_driver(test):
    """Whether there is a driver that runs."""
    sources = [os.path.join(test.source, path)
               for path in ("tests/cli/json_driver.c", "cli/json.c", "cli/base64.c")]
    subprocess.run([*os.environ.get("CC", "cc").split(), "-std=c11", "-O1", "-o", "driver",
                    *sources], check=True)
    try:
        subprocess.run(["./driver", "json"], check=True, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        unavailable(f"the driver does not run here: {error}")
        return False
    return True


def drive(arguments, data):
    return subprocess.run(["./driver", *arguments], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def random_name(random):
    name = b"".join(random.choice(PARTS) for _ in range(random.randrange(1, 8)))
    if random.randrange(3) == 0:
        name += bytes(random.randrange(1, 256) for _ in range(random.randrange(1, 150)))
    return name


def is_utf8(name):
    try:
        name.decode("utf8")
    except UnicodeDecodeError:
        return False
    return True


def expected_object(name):
    if is_utf8(name):
        members = {"name": name.decode("utf8")}
    else:
        members = {"name_base64": base64.b64encode(name).decode()}
    return {**members, "nested": {"text": None, "null": None}, "length": len(name),
            "hex": name.hex()}


def check_json(test, names):
    lines = drive(["json"], b"".join(name + b"\0" for name in names)).split(b"\n")
    test.equal((len(lines), lines[-1]), (len(names) + 1, b""), "an object a line")
    for name, line in zip(names, lines):
        read = json.loads(line.decode("utf8"))
        text, read["nested"]["text"] = read["nested"]["text"], None
        test.equal((read, list(read)), (expected_object(name), list(expected_object(name))),
                   f"the object of {name}")
        # where text and base 64 differ in what they can say
        test.check(text == name.decode("utf8") if is_utf8(name) else "\ufffd" in text,
                   f"the text of {name}", text)
        test.check(all(ord(c) >= 32 and not 127 <= ord(c) < 160 for c in line.decode("utf8")),
                   f"control characters: {name}", line)


def check_decode(test, size, values):
    """Encodings, and the same with one character replaced."""
    texts = []
    for value in values:
        text = base64.b64encode(value)
        texts.append(text)
        at = test.random.randrange(len(text))
        texts.append(text[:at] + test.random.choice([b"A", b"=", b"-", b"", b"/", b"g"]) + text[at + 1:])
    lines = drive(["decode", str(size)], b"".join(text + b"\n" for text in texts)).split()
    test.equal(len(lines), len(texts), "an answer a line")
    for text, line in zip(texts, lines):
        try:
            value = base64.b64decode(text, validate=True)
            # Python ignores bits that are not needed
            value = value.hex() if base64.b64encode(value) == text and len(value) == size else "no"
        except ValueError:
            value = "no"
        test.equal(line.decode(), value, f"{text} for {size} bytes")


def main():
    test = Test()
    if not build_driver(test):
        test.finish()
    names = [bytes([c]) for c in range(1, 256)]
    names += [random_name(test.random) for _ in range(3000)]
    check_json(test, names)
    for size in (1, 2, 3, 20, 32, 100):
        check_decode(test, size, [test.random.randbytes(size) for _ in range(300)])
    test.finish()


main()
