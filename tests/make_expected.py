#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the expected values of the C tests, tests/expected/*.h.

    python3 tests/make_expected.py            writes sha1.h, sha256.h, sha1_sha256.h,
                                              sha1dc.h, sha1dc_sha256.h
    python3 tests/make_expected.py --huge     writes huge.h (seconds)
    python3 tests/make_expected.py --check    compares instead of writing (both forms)
    python3 tests/make_expected.py --message SIZE
                                              writes that message of huge.h to stdout,
                                              for any other program to hash

Digests of whole messages come from hashlib, that is from OpenSSL or from Python's
own C code. What hashlib cannot do, to go on from a given state and length, is done
here by a SHA in plain Python, which is compared with hashlib before it is used.
Its constants are computed from their definitions in FIPS 180-4. Nothing here calls
the library under test.
"""

import argparse
import hashlib
import math
import pathlib
import struct
import sys

EXPECTED = pathlib.Path(__file__).resolve().parent / "expected"
MASK = 0xFFFFFFFF
MAX_LENGTH = 2**61 - 1


def stream(size):
    """The fixed stream of test.h (test_stream)."""
    out = bytearray(size)
    x = 0
    for i in range(size):
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        out[i] = x >> 56
    return bytes(out)


# --- SHA in plain Python ---------------------------------------------------------


def primes(count):
    found = []
    n = 2
    while len(found) < count:
        if all(n % p for p in found):
            found.append(n)
        n += 1
    return found


def cube_root(n):
    low, high = 0, n
    while low < high:
        middle = (low + high + 1) // 2
        if middle**3 <= n:
            low = middle
        else:
            high = middle - 1
    return low


def rotl(x, n):
    return (x << n | x >> (32 - n)) & MASK


def rotr(x, n):
    return rotl(x, 32 - n)


class SHA1:
    name = "sha1"
    export_id = 1
    words = 5
    # Section 5.3.1: the nibbles 0..f, up and down, and one word of its own.
    initial = struct.unpack("<4I", bytes.fromhex("0123456789abcdeffedcba9876543210"))
    initial += (0xC3D2E1F0,)
    # Section 4.2.1: 2^30 times the square roots of 2, 3, 5 and 10.
    K = [math.isqrt(n << 60) for n in (2, 3, 5, 10)]

    @classmethod
    def compress(cls, state, block):
        w = list(struct.unpack(">16I", block))
        for t in range(16, 80):
            w.append(rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1))
        a, b, c, d, e = state
        for t in range(80):
            f = (b & c ^ ~b & d, b ^ c ^ d, b & c ^ b & d ^ c & d, b ^ c ^ d)[t // 20]
            temporary = rotl(a, 5) + f + e + cls.K[t // 20] + w[t]
            a, b, c, d, e = temporary & MASK, a, rotl(b, 30), c, d
        return tuple((x + y) & MASK for x, y in zip(state, (a, b, c, d, e)))


class SHA256:
    name = "sha256"
    export_id = 2
    words = 8
    # Section 5.3.3: the fractions of the square roots of the first 8 primes;
    # section 4.2.2: of the cube roots of the first 64.
    initial = tuple(math.isqrt(p << 64) & MASK for p in primes(8))
    K = [cube_root(p << 96) & MASK for p in primes(64)]

    @classmethod
    def compress(cls, state, block):
        w = list(struct.unpack(">16I", block))
        for t in range(16, 64):
            x, y = w[t - 15], w[t - 2]
            s0 = rotr(x, 7) ^ rotr(x, 18) ^ x >> 3
            s1 = rotr(y, 17) ^ rotr(y, 19) ^ y >> 10
            w.append((s1 + w[t - 7] + s0 + w[t - 16]) & MASK)
        a, b, c, d, e, f, g, h = state
        for t in range(64):
            s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)
            s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)
            t1 = h + s1 + (e & f ^ ~e & g) + cls.K[t] + w[t]
            t2 = s0 + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) & MASK, a, b, c, (d + t1) & MASK, e, f, g
        return tuple((x + y) & MASK for x, y in zip(state, (a, b, c, d, e, f, g, h)))


class Both:
    """SHA-1 and SHA-256 of the same bytes: one state after the other, one digest after the
    other."""

    name = "sha1_sha256"
    export_id = 3
    words = SHA1.words + SHA256.words
    initial = SHA1.initial + SHA256.initial

    @classmethod
    def compress(cls, state, block):
        return SHA1.compress(state[:5], block) + SHA256.compress(state[5:], block)


class DetectingSHA1(SHA1):
    """With detection of attacks: the same digest; options and verdict are saved, too."""

    name = "sha1dc"
    export_id = 4


class DetectingBoth(Both):
    name = "sha1dc_sha256"
    export_id = 5


HASHES = (SHA1, SHA256, Both, DetectingSHA1, DetectingBoth)
DETECTING = (DetectingSHA1, DetectingBoth)


def verdict_words(options=0, vector=0, blocks=0, offset=0):
    """What stands behind the words of the state: these two, and two words each of how many
    blocks are part of an attack and of the offset of the first."""
    return (options, vector, blocks >> 32, blocks & MASK, offset >> 32, offset & MASK)


def hashlib_digest(sha, data):
    if issubclass(sha, SHA1):
        return hashlib.sha1(data).digest()
    if issubclass(sha, Both):
        return hashlib.sha1(data).digest() + hashlib.sha256(data).digest()
    return hashlib.new(sha.name, data).digest()


class Message:
    """A message in the making: state, bytes so far, and the bytes not yet compressed."""

    def __init__(self, sha, state=None, length=0, buffer=b"", verdict=None):
        self.sha = sha
        self.verdict = verdict or (verdict_words() if sha in DETECTING else ())
        self.state = state or sha.initial
        self.length = length
        self.buffer = buffer
        assert len(buffer) == length % 64

    def update(self, data):
        self.length += len(data)
        data = self.buffer + data
        whole = len(data) // 64 * 64
        for i in range(0, whole, 64):
            self.state = self.sha.compress(self.state, data[i : i + 64])
        self.buffer = data[whole:]

    def digest(self):
        copy = Message(self.sha, self.state, self.length, self.buffer)
        zeros = (55 - self.length) % 64
        copy.update(b"\x80" + bytes(zeros) + struct.pack(">Q", 8 * self.length))
        assert copy.buffer == b""
        return self.words(copy.state)

    def words(self, state):
        return struct.pack(f">{len(state)}I", *state)

    def export(self, magic=b"bsha", version=1, algorithm=None, zero=b"\0\0", unused=b""):
        """The form of docs/state.md; the arguments are for forms that must be refused."""
        saved = magic + bytes([version, algorithm or self.sha.export_id]) + zero
        saved += struct.pack(">Q", self.length) + self.words(self.state + self.verdict)
        saved += self.buffer + (unused or bytes(64 - len(self.buffer)))
        return saved + hashlib.sha256(saved).digest()[:4]


def compare_with_hashlib():
    data = stream(400)
    for sha in HASHES:
        for length in range(300):
            message = Message(sha)
            message.update(data[: length // 3])
            message.update(data[length // 3 : length])
            if message.digest() != hashlib_digest(sha, data[:length]):
                sys.exit(f"the {sha.name} of this script is wrong at length {length}")


# --- The cases -------------------------------------------------------------------


def all_lengths(sha):
    """The digest of the digests of 4097 messages: message n is bytes n .. 2n - 1 of
    the stream."""
    data = stream(2 * 4096)
    digests = [hashlib_digest(sha, data[n : 2 * n]) for n in range(4097)]
    return hashlib_digest(sha, b"".join(digests)).hex()


# (what, length before, bytes of the stream that are then appended)
RESUMED = [
    ("a new message", 0, 3),
    ("a new message, nothing appended", 0, 0),
    ("2^29 - 1 bytes", 2**29 - 1, 0),
    ("to 2^29 bytes: 2^32 bits", 2**29 - 1, 1),
    ("to 2^29 + 1 bytes", 2**29 - 1, 2),
    ("across 2^29 bytes", 2**29 - 64, 200),
    ("across 2^31 bytes", 2**31 - 1, 66),
    ("2^32 - 1 bytes", 2**32 - 1, 0),
    ("across 2^32 bytes", 2**32 - 64, 128),
    ("2^32 bytes", 2**32, 0),
    ("2^32 + 55 bytes", 2**32, 55),
    ("2^32 + 56 bytes", 2**32, 56),
    ("across 2^35 bytes", 2**35 - 1, 130),
    ("across 2^40 bytes", 2**40 - 10, 100),
    ("across 2^53 bytes", 2**53 - 64, 65),
    ("across 2^56 bytes", 2**56 - 1, 2),
    ("every byte of the length different", 0x0123456789ABCDEF, 7),
    ("to the longest message, 2^61 - 1 bytes", MAX_LENGTH - 63, 63),
    ("one byte to the longest message", MAX_LENGTH - 1, 1),
    ("a block and more to the longest message", MAX_LENGTH - 200, 200),
    ("the longest message", MAX_LENGTH, 0),
]


def message_of(sha, length, number, verdict=None):
    """Any words are a state that some message could have."""
    if length == 0:
        return Message(sha, verdict=verdict)
    data = stream(100 * number + 128)[100 * number :]
    state = struct.unpack_from(f">{sha.words}I", data)
    rest = data[max(32, 4 * sha.words) :]
    return Message(sha, state, length, rest[: length % 64], verdict)


def resumed(sha):
    for number, (what, length, append) in enumerate(RESUMED):
        # With each of the options in turn: they show in an attack only.
        verdict = verdict_words(options=number % 16) if sha in DETECTING else None
        message = message_of(sha, length, number, verdict)
        before = message.export().hex()
        message.update(stream(append))
        yield what, before, append, message.export().hex(), message.digest().hex()


def refused(sha):
    """Forms with a right check which export never writes."""
    five = message_of(sha, 64 * 1000 + 5, 0)
    yield "another magic", five.export(magic=b"bshb")
    yield "version 0", five.export(version=0)
    yield "version 2", five.export(version=2)
    for other in HASHES:
        if other is not sha:
            yield f"algorithm {other.name}", five.export(algorithm=other.export_id)
    yield "an unknown algorithm", five.export(algorithm=255)
    yield "byte 6 not zero", five.export(zero=b"\1\0")
    yield "byte 7 not zero", five.export(zero=b"\0\1")
    yield "first unused byte not zero", five.export(unused=b"\1" + bytes(58))
    yield "last unused byte not zero", five.export(unused=bytes(58) + b"\x80")
    yield "2^61 bytes", message_of(sha, 2**61, 0).export()
    yield "2^64 - 1 bytes", message_of(sha, 2**64 - 1, 0).export()
    if sha in DETECTING:
        yield from refused_verdicts(sha)


# Length of the message, and what was found in it.
ATTACKED = [
    ("one block of many", 64 * 1000 + 5, dict(vector=27, blocks=1, offset=64 * 7)),
    ("with all options", 64 * 1000 + 5, dict(options=15, vector=1, blocks=3, offset=64 * 9)),
    ("every block", 64 * 1000, dict(options=1, vector=31, blocks=1000, offset=0)),
    ("the first block", 64, dict(vector=30, blocks=1, offset=0)),
    ("the last block", 64 * 3 + 63, dict(options=2, vector=16, blocks=1, offset=64 * 2)),
    ("the last block of the longest message", MAX_LENGTH,
     dict(vector=5, blocks=1, offset=MAX_LENGTH // 64 * 64 - 64)),
    ("every block of the longest message", MAX_LENGTH, dict(blocks=MAX_LENGTH // 64)),
    ("blocks and offset of more than 32 bits", 2**50, dict(blocks=2**33 + 1, offset=2**40)),
]


def attacked(sha):
    for number, (what, length, found) in enumerate(ATTACKED):
        message = message_of(sha, length, number, verdict_words(**found))
        yield what, message.export().hex(), message.digest().hex(), found


def refused_verdicts(sha):
    length = 64 * 1000 + 5
    for what, size, found in (
        ("an unknown option", length, dict(options=16)),
        ("the highest option", length, dict(options=2**31)),
        ("an unknown option at the beginning", 0, dict(options=16)),
        ("a vector without attack", length, dict(vector=1)),
        ("an offset without attack", length, dict(offset=64)),
        ("an attack in no block", 63, dict(blocks=1)),
        ("an attack in no byte", 0, dict(blocks=1, vector=27)),
        ("vector 32", length, dict(vector=32, blocks=1)),
        ("vector 2^31", length, dict(vector=2**31, blocks=1)),
        ("an offset inside a block", length, dict(blocks=1, offset=65)),
        ("an attack behind the last block", length, dict(blocks=1, offset=64 * 1000)),
        ("an attack beyond the message", length, dict(blocks=1, offset=64 * 1001)),
        ("an attack far beyond the message", length, dict(blocks=1, offset=2**64 - 64)),
        ("more blocks than there are", length, dict(blocks=1001)),
        ("more blocks than from the offset on", length, dict(blocks=994, offset=64 * 7)),
        ("2^32 times as many blocks", length, dict(blocks=2**32 + 1)),
        ("2^64 - 1 blocks", length, dict(blocks=2**64 - 1)),
    ):
        yield what, message_of(sha, size, 0, verdict_words(**found)).export()


# Multiples of this message are hashed: the first MiB of the stream, again and again.
HUGE_PERIOD = 2**20
HUGE_SIZES = [2**29 - 1, 2**29, 2**29 + 1, 2**32 + 64, 5 * 2**30]


def huge():
    """One pass over the longest message, looking at the digest at each size."""
    data = stream(HUGE_PERIOD)
    hashes = [hashlib.sha1(), hashlib.sha256()]
    done = 0
    for size in HUGE_SIZES:
        while done < size:
            begin = done % HUGE_PERIOD
            piece = data[begin : begin + size - done]
            for h in hashes:
                h.update(piece)
            done += len(piece)
        yield size, hashes[0].hexdigest(), hashes[1].hexdigest()


# --- C ---------------------------------------------------------------------------

HEAD = """/* SPDX-License-Identifier: MIT */
/* Made by: python3 tests/make_expected.py{option} - not to be edited. */
/* clang-format off */

"""


def string(text, indent="\t "):
    """A C string literal, on lines of at most 64 characters."""
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    return f"\n{indent}".join(f'"{line}"' for line in lines)


def header_of(sha):
    out = [HEAD.format(option="")]
    lengths = string(all_lengths(sha)).replace("\n", " \\\n")
    out.append(f"#define EXPECTED_ALL_LENGTHS \\\n\t{lengths}\n")
    out.append("\nstatic const struct expected_resumed expected_resumed[] = {\n")
    for what, before, append, after, digest in resumed(sha):
        out.append(f'\t{{"{what}",\n\t {string(before)},\n\t {append},\n')
        out.append(f"\t {string(after)},\n\t {string(digest)}}},\n")
    out.append("};\n\nstatic const struct expected_refused expected_refused[] = {\n")
    for what, saved in refused(sha):
        out.append(f'\t{{"{what}",\n\t {string(saved.hex())}}},\n')
    out.append("};\n")
    if sha in DETECTING:
        out.append("\nstatic const struct expected_attacked expected_attacked[] = {\n")
        for what, saved, digest, found in attacked(sha):
            numbers = [found.get(key, 0) for key in ("offset", "blocks", "vector")]
            out.append(f'\t{{"{what}",\n\t {string(saved)},\n\t {string(digest)},\n')
            out.append("\t UINT64_C(%d), UINT64_C(%d), %d},\n" % tuple(numbers))
        out.append("};\n")
    return "".join(out)


def huge_header():
    out = [HEAD.format(option=" --huge")]
    out.append(f"#define EXPECTED_HUGE_PERIOD {HUGE_PERIOD}\n")
    out.append("\nstatic const struct expected_huge expected_huge[] = {\n")
    for size, sha1, sha256 in huge():
        out.append(f'\t{{UINT64_C({size}),\n\t "{sha1}",\n\t "{sha256}"}},\n')
    out.append("};\n")
    return "".join(out)


def write_message(size):
    data = stream(HUGE_PERIOD)
    while size > 0:
        sys.stdout.buffer.write(data[:size])
        size -= len(data)


def main():
    parser = argparse.ArgumentParser(description="makes tests/expected/*.h")
    parser.add_argument("--huge", action="store_true", help="make huge.h instead")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    parser.add_argument("--message", type=int, metavar="SIZE", help="write a message of huge.h")
    options = parser.parse_args()

    if options.message is not None:
        write_message(options.message)
        return
    compare_with_hashlib()
    if options.huge:
        files = {"huge.h": huge_header()}
    else:
        files = {f"{sha.name}.h": header_of(sha) for sha in HASHES}
    for name, text in files.items():
        path = EXPECTED / name
        if not options.check:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path} is not what this script makes")
        print(f"{name}: {'as computed' if options.check else 'written'}")


main()
