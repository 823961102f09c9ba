#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes what the tests of collision detection compare with:

    tests/expected/sha1dc_tables.h    the published disturbance vectors and conditions
    tests/expected/sha1dc_messages.h  published colliding messages and what must be found in them

    python3 tests/make_sha1dc_expected.py SHARED            writes both
    python3 tests/make_sha1dc_expected.py SHARED --check    compares instead of writing

SHARED is a folder with data/sha1dc-tables and data/sha1-collisions. The messages are the first
320 bytes of the SHAttered files (Stevens et al., "The first collision for full SHA-1", CRYPTO
2017) and the SHA-mbles files (Leurent and Peyrin, "SHA-1 is a Shambles", USENIX Security 2020).

What must be found is computed here from the definition of the detection, all 32 vectors for each
block and with steps backwards, in plain Python; and it is compared with what the reference
implementation found in the whole files (EXPECTED.sha1dc, EXPECTED.blocks) before it is written.
Nothing here calls the library under test.
"""

import argparse
import csv
import hashlib
import pathlib
import re
import struct
import sys

EXPECTED = pathlib.Path(__file__).resolve().parent / "expected"
MASK = 0xFFFFFFFF
INITIAL = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)  # FIPS 180-4, 5.3.1
K = (0x5A827999, 0x6ED9EBA1, 0x8F1BBCDC, 0xCA62C1D6)  # 4.2.1


# --- The definition ----------------------------------------------------------------


def rotl(x, n):
    return (x << n | x >> (32 - n)) & MASK


def expand(words):
    w = list(words)
    while len(w) < 80:
        w.append(rotl(w[-3] ^ w[-8] ^ w[-14] ^ w[-16], 1))
    return w


def f(t, b, c, d):
    return (b & c ^ ~b & d, b ^ c ^ d, b & c ^ b & d ^ c & d, b ^ c ^ d)[t // 20] & MASK


def step(t, s, word):
    a, b, c, d, e = s
    return ((rotl(a, 5) + f(t, b, c, d) + e + K[t // 20] + word) & MASK, a, rotl(b, 30), c, d)


def step_back(t, s, word):
    a, b, c, d = s[1], rotl(s[2], 2), s[3], s[4]
    return (a, b, c, d, (s[0] - rotl(a, 5) - f(t, b, c, d) - K[t // 20] - word) & MASK)


def add(x, y):
    return tuple((i + j) & MASK for i, j in zip(x, y))


def states_of(before, w):
    """The states before the steps 0 to 79, and behind the last one."""
    states = [before]
    for t in range(80):
        states.append(step(t, states[t], w[t]))
    return states


def compress(before, block):
    return add(before, states_of(before, expand(struct.unpack(">16I", block)))[80])


class Vector:
    def __init__(self, row):
        self.kind, self.k, self.b = row["type"], int(row["K"]), int(row["b"])
        self.zero_from, self.zero_to = int(row["zero_from"]), int(row["zero_to"])
        self.difference = [int(row[f"dm{t}"], 16) for t in range(80)]
        assert expand(self.difference[:16]) == self.difference

    def other_half(self, states, w, t):
        """The chaining values before and behind the block of the other half, whose state
        before step t is the same."""
        other = [x ^ d for x, d in zip(w, self.difference)]
        before = behind = states[t]
        for i in range(t - 1, -1, -1):
            before = step_back(i, before, other[i])
        for i in range(t, 80):
            behind = step(i, behind, other[i])
        return before, add(before, behind)


def attacks(vectors, before, block, reduced):
    """[(vector, chaining value before the other half)]"""
    w = expand(struct.unpack(">16I", block))
    states = states_of(before, w)
    found = []
    for index, vector in enumerate(vectors):
        results = set()
        for t in (vector.zero_from, vector.zero_to):
            other, out = vector.other_half(states, w, t)
            results.add(out == add(before, states[80]) or (reduced and other == before))
        assert len(results) == 1
        if results.pop():
            found.append((index, other))
    return found


class Verdict:
    """Of a message; blocks from the limit on are taken for harmless."""

    def __init__(self, vectors, data, safe, reduced, limit=10):
        padding = b"\x80" + bytes((55 - len(data)) % 64) + struct.pack(">Q", 8 * len(data))
        state = INITIAL
        self.attacks = []  # (offset, vector, before, the other's before)
        padded = data + padding
        for offset in range(0, len(padded), 64):
            if offset // 64 >= limit and not safe:
                break  # hashlib is faster
            block = padded[offset : offset + 64]
            before = state
            state = compress(state, block)
            if offset // 64 >= limit:
                continue
            found = attacks(vectors, before, block, reduced)
            if found:
                self.attacks.append((offset, found[0][0], before, found[0][1]))
                if safe:
                    state = compress(compress(state, block), block)
        self.digest = struct.pack(">5I", *state).hex() if safe else hashlib.sha1(data).hexdigest()


# --- Comparing with the reference implementation -------------------------------------


def compare(vectors, folder):
    expected = {}  # (file, reduced, safe): (digest, found)
    for line in (folder / "EXPECTED.blocks").read_text().splitlines():
        m = re.match(r"(\S+) reduced=(.) safe_hash=(.) found=(.) hash=(\w+)", line)
        if m:
            expected[m[1], int(m[2]), int(m[3])] = (m[5], int(m[4]))
    blocks = (folder / "EXPECTED.blocks").read_text()
    assert len(expected) == 5 * 4
    for (name, reduced, safe), (digest, found) in expected.items():
        data = (folder / name).read_bytes()
        verdict = Verdict(vectors, data, safe, reduced)
        if verdict.digest != digest or bool(verdict.attacks) != found:
            sys.exit(f"{name}, reduced {reduced}, safe {safe}: not what the reference found")
        for offset, index, before, other in verdict.attacks:
            v = vectors[index]
            line = (f"block={offset // 64} DV={v.kind}({v.k},{v.b})"
                    f" ihv1={struct.pack('>5I', *before).hex()}"
                    f" ihv2={struct.pack('>5I', *other).hex()}"
                    f" dm={','.join('%08x' % d for d in v.difference[:16])}")
            if line not in blocks:
                sys.exit(f"{name}: the reference did not find {line}")


# --- C -------------------------------------------------------------------------------

HEAD = """/* SPDX-License-Identifier: MIT */
/* Made by: python3 tests/make_sha1dc_expected.py - not to be edited. */
/* clang-format off */

"""


def words(values):
    return "{" + ", ".join("0x%08x" % v for v in values) + "}"


def tables_header(vectors, conditions):
    out = [HEAD, "static const struct expected_vector expected_vectors[32] = {\n"]
    for v in vectors:
        rows = [", ".join("0x%08x" % d for d in v.difference[i : i + 8]) for i in (0, 8)]
        out.append(f'\t{{"{v.kind}({v.k},{v.b})", {v.zero_from}, {v.zero_to},\n')
        out.append(f"\t {{{rows[0]},\n\t  {rows[1]}}}}},\n")
    out.append("};\n\nstatic const struct expected_condition expected_conditions[373] = {\n")
    for c in conditions:
        out.append("\t{%s, %s, %s, %s, %s, %s},\n"
                   % tuple(c[key] for key in ("dv", "t1", "bit1", "t2", "bit2", "xor")))
    out.append("};\n")
    return "".join(out)


def verdict_text(verdict):
    out = f'{{"{verdict.digest}", {len(verdict.attacks)}, {{'
    for offset, vector, before, other in verdict.attacks:
        out += f"\n\t   {{{offset}, {vector},\n\t    {words(before)},\n\t    {words(other)}}},"
    return out + "}},"


def messages_header(vectors, folder):
    out = [HEAD, "static const struct expected_message expected_messages[] = {\n"]
    for name, size in (("shattered-1.pdf", 320), ("shattered-2.pdf", 320),
                       ("sha-mbles-1.bin", 640), ("sha-mbles-2.bin", 640)):
        data = (folder / name).read_bytes()[:size]
        out.append(f'\t{{"{name}", {size},\n')
        for i in range(0, size, 32):
            out.append(f'\t "{data[i : i + 32].hex()}"\n')
        out.append("\t ,{\n")
        for reduced in (0, 1):
            for safe in (0, 1):
                verdict = Verdict(vectors, data, safe, reduced)
                out.append(f"\t  {verdict_text(verdict)}\n")
        out.append("\t }},\n")
    out.append("};\n")
    return "".join(out)


def main():
    parser = argparse.ArgumentParser(description="makes tests/expected/sha1dc_*.h")
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    options = parser.parse_args()
    tables, messages = options.shared / "data/sha1dc-tables", options.shared / "data/sha1-collisions"

    with open(tables / "disturbance-vectors.csv", newline="") as file:
        vectors = [Vector(row) for row in csv.DictReader(file)]
    with open(tables / "unavoidable-bit-conditions.csv", newline="") as file:
        conditions = list(csv.DictReader(file))
    assert len(vectors) == 32 and len(conditions) == 373
    compare(vectors, messages)
    files = {"sha1dc_tables.h": tables_header(vectors, conditions),
             "sha1dc_messages.h": messages_header(vectors, messages)}
    for name, text in files.items():
        path = EXPECTED / name
        if not options.check:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"FAILED: {path} is not what this script makes")
        print(f"{name}: {'as computed' if options.check else 'written'}")


main()
