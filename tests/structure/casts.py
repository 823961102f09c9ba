#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Bytes become words in blocksha_byteorder.h alone. So no cast in lib/ or include/ makes a
pointer to integers wider than a byte, from which a compiler could take an alignment that
the data does not have; and a cast to a vector pointer comes after one to void *, which says
that the load is one that takes any address."""

import os
import re
import sys
from pathlib import Path

SOURCE = Path(os.environ["BLOCKSHA_SOURCE"])

QUALIFIERS = r"(?:\b(?:const|volatile|restrict)\b\s*)*"
WORD = (r"(?:(?:u?int(?:_fast|_least)?(?:16|32|64|max|ptr)_t|size_t|ptrdiff_t|wchar_t"
        r"|(?:(?:unsigned|signed|short|long|int)\s*)+)\b)")
VECTOR = r"(?:__m\d+i?(?:_u)?|u?int\d+x\d+(?:x\d+)?_t)\b"
POINTER = r"\s*" + QUALIFIERS + r"\*\s*" + QUALIFIERS + r"\)\s*"
WORD_CAST = re.compile(r"\(\s*" + QUALIFIERS + WORD + POINTER + r"[\w(&*]")
VECTOR_CAST = re.compile(r"\(\s*" + QUALIFIERS + VECTOR + POINTER + r"(?!\(\s*(?:const\s+)?void\s*\*\s*\))")

MUST_BE_FOUND = ["(uint32_t *)p", "(const uint64_t*)data", "(unsigned long const *) p",
                 "*(const unsigned *)(p + 1)", "_mm_loadu_si128((const __m128i *)p)",
                 "(unsigned int *)&x", "(size_t *)(const void *)p"]
MUST_PASS = ["(const unsigned char *)p", "(uint32_t)p[0]", "sizeof(uint32_t *)",
             "(const __m128i *)(const void *)p", "void f(const uint32_t *p, int n)", "(void *)p"]


def without_comments(text):
    """Comments become blank; line numbers stay."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), text,
                  flags=re.DOTALL)


def casts(text):
    for pattern in (WORD_CAST, VECTOR_CAST):
        for match in pattern.finditer(text):
            if not re.search(r"sizeof\s*$", text[:match.start()]):
                yield match


def main():
    for text in MUST_BE_FOUND:
        if not list(casts(text)):
            sys.exit(f"FAILED: this check does not see {text}")
    for text in MUST_PASS:
        if list(casts(text)):
            sys.exit(f"FAILED: this check refuses {text}")

    failures = files = 0
    for folder in ("include", "lib"):
        for path in sorted((SOURCE / folder).glob("**/*.[ch]")):
            files += 1
            text = without_comments(path.read_text())
            for match in casts(text):
                line = text.count("\n", 0, match.start()) + 1
                print(f"{path.relative_to(SOURCE)}:{line}: FAILED: {match.group().strip()}")
                failures += 1
    print(f"{files} files, {failures} casts")
    sys.exit(failures > 0 or files == 0)


main()
