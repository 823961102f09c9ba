#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_checklists.py [FOLDER] - writes the checksum lists of tests/lists, and the table EXPECTED
of what blocksha sum -c says of each.

Digests are hashlib's; verdicts were written down here by hand, from the documented formats.
FILES are what the lists name; the tests make them."""

import base64
import hashlib
import os
import sys

FILES = {b"a.txt": b"hello\n", b"b.bin": bytes(range(256)), b"empty": b"", b"with space": b"1\n",
         b"back\\slash": b"2\n", b"new\nline": b"3\n", b"cr\r": b"4\n", b" blank": b"5\n",
         b"*star": b"6\n", b"(p) = q": b"7\n", b"#hash": b"8\n", b"-dash": b"9\n",
         b"latin\xe9": b"10\n", b"- dash": b"11\n"}


def digest(algorithm, name):
    return hashlib.new(algorithm, FILES[name]).digest()


def hexa(algorithm, name):
    return digest(algorithm, name).hex().encode()


def b64(algorithm, name):
    return base64.b64encode(digest(algorithm, name))


def lines(form, names, algorithm="sha256", text=hexa, end=b"\n"):
    """A line for each name; %d and %n in form are the digest and the name."""
    return b"".join(form.replace(b"%d", text(algorithm, name)).replace(b"%n", name) + end
                    for name in names)


A, B, E = (hexa("sha256", name) for name in (b"a.txt", b"b.bin", b"empty"))
A1 = hexa("sha1", b"a.txt")
MD5 = hexa("md5", b"a.txt")
ABE = [b"a.txt", b"b.bin", b"empty"]
GNU = lines(b"%d  %n", ABE)
OK3 = "a.txt: OK\nb.bin: OK\nempty: OK\n"
AOK = "a.txt: OK\n"

BEGIN = b"-----BEGIN PGP SIGNED MESSAGE-----\n"
HEADER = BEGIN + b"Hash: SHA512\n\n"
SIGNATURE = (b"-----BEGIN PGP SIGNATURE-----\n\niQIzBAEBCgAdFiEEabcd\n=abcd\n"
             b"-----END PGP SIGNATURE-----\n")

BOM = b"\xef\xbb\xbf"


def unsupported_tags():
    """One line for each algorithm that hashlib has and blocksha has not, in several spellings."""
    out = b""
    for tags, algorithm in (("MD5", "md5"), ("SHA224 SHA2-224", "sha224"),
                            ("SHA384 SHA2-384", "sha384"), ("SHA512 SHA2-512", "sha512"),
                            ("SHA3-256", "sha3_256"), ("SHA3-512", "sha3_512"),
                            ("BLAKE2b BLAKE2b-512 BLAKE2B-512 BLAKE2b512", "blake2b"),
                            ("BLAKE2s BLAKE2S-256", "blake2s")):
        for tag in tags.split():
            out += tag.encode() + b" (a.txt) = " + hexa(algorithm, b"a.txt") + b"\n"
            out += tag.encode() + b"(a.txt)= " + b64(algorithm, b"a.txt") + b"\n"
    for bits in (8, 160, 256):
        value = hashlib.blake2b(FILES[b"a.txt"], digest_size=bits // 8).hexdigest().encode()
        out += b"BLAKE2b-%d (a.txt) = " % bits + value + b"\n"
    return out


def not_quite_unsupported():
    """Lines that resemble them: wrong lengths, unknown tags, no digests."""
    blake = hexa("blake2b", b"a.txt")
    return (b"MD5 (a.txt) = " + MD5[:31] + b"\nMD5 (a.txt) = " + MD5 + b"0\n"
            b"SHA512 (a.txt) = " + A + b"\nMD5 (a.txt = " + MD5 + b"\nMD5 (a.txt) " + MD5 + b"\n"
            b"BLAKE2b-7 (a.txt) = 00\nBLAKE2b-0 (a.txt) = \nBLAKE2b-520 (a.txt) = " + blake +
            b"00\nBLAKE2b-08 (a.txt) = 00\nBLAKE2b- (a.txt) = " + blake + b"\nBLAKE2s-512 (a.txt) "
            b"= " + blake + b"\nmd5 (a.txt) = " + MD5 + b"\nHMAC-SHA256 (a.txt) = " + A +
            b"\nSIZE (a.txt) = 6\n" + MD5 + b"\n" + MD5[:31] + b"g  a.txt\n" + MD5 + b"0  a.txt\n")


# name, list, exit codes without option and with --strict and with --strict-all, verdicts,
# numbers of malformed lines, of lines with unsupported algorithms, what standard error has
TABLE = [
    # GNU, BSD, OpenSSL
    ("gnu-text.sha256", GNU, "0 0 0", OK3),
    ("gnu-binary.sha256", lines(b"%d *%n", ABE), "0 0 0", OK3),
    ("gnu-text.sha1", lines(b"%d  %n", ABE, "sha1"), "0 0 0", OK3),
    ("gnu-names.sha256", lines(b"%d  %n", [b" blank", b"*star", b"#hash", b"- dash", b"-dash",
                                           b"with space", b"(p) = q"]), "0 0 0",
     " blank: OK\n*star: OK\n#hash: OK\n- dash: OK\n-dash: OK\nwith space: OK\n(p) = q: OK\n"),
    ("one-space.sha256", lines(b"%d %n", [b"a.txt", b" blank", b"*star"]), "0 0 0",
     "a.txt: OK\n blank: OK\n*star: OK\n"),
    ("one-tab.sha256", lines(b"%d\t%n", ABE), "0 0 0", OK3),
    ("tab-and-star.sha256", lines(b"%d\t*%n", ABE), "0 0 0", OK3),
    ("one-space-after-gnu.sha256", lines(b"%d  %n", ABE[:1]) + lines(b"%d %n", ABE[1:2]), "0 1 1",
     AOK, [2]),
    ("bsd-tag.sha256", lines(b"SHA256 (%n) = %d", [*ABE, b"(p) = q"]), "0 0 0",
     OK3 + "(p) = q: OK\n"),
    ("bsd-tag.sha1", lines(b"SHA1 (%n) = %d", ABE, "sha1"), "0 0 0", OK3),
    ("openssl1.sha256", lines(b"SHA256(%n)= %d", ABE), "0 0 0", OK3),
    ("openssl3.sha256", lines(b"SHA2-256(%n)= %d", ABE), "0 0 0", OK3),
    ("openssl.sha1", lines(b"SHA1(%n)= %d", ABE, "sha1"), "0 0 0", OK3),
    ("openssl-r.sha256", lines(b"%d *%n", ABE), "0 0 0", OK3),
    ("openssl3-spaces.txt", lines(b"SHA2-256 (%n) = %d", ABE), "0 0 0", OK3),
    ("openssl3-of-sha1.txt", b"SHA2-256(a.txt)= " + A1 + b"\nSHA2-256(a.txt)= " + A + b"\n",
     "0 1 1", AOK, [1]),
    ("mixed-lengths.txt", A1 + b"  a.txt\n" + A + b"  a.txt\n", "0 0 0", AOK * 2),
    ("mixed-tags.txt", b"SHA1 (a.txt) = " + A1 + b"\n" + B + b"  b.bin\nSHA256 (empty) = " + E +
     b"\n", "0 0 0", OK3),
    # a digest alone belongs to the file that the list is named after
    ("a.txt.sha256", A + b"\n", "0 0 0", AOK),
    ("a.txt.sha1", b"\t" + A1.upper() + b"\r\n", "0 0 0", AOK),
    ("b.bin.sha256", b"# the digest of b.bin\n" + b64("sha256", b"b.bin"), "0 0 0", "b.bin: OK\n"),
    ("b.bin.sha1", A1 + b"\n", "1 1 1", "b.bin: FAILED\n"),
    ("empty.sha1", E + b"\n", "1 1 1", "", [1]),
    ("nameless.txt", A + b"\n" + A + b"\n", "1 1 1", "", [1, 2]),
    (".sha256", A + b"\n", "1 1 1", "", [1]),
    ("nameless-escaped.sha256", b"\\" + A + b"\n" + A + b" \n", "1 1 1", "", [1, 2]),
    ("nameless-and-missing.sha256", A + b"\n" + A + b"  a.txt\n", "1 1 1",
     "nameless-and-missing: FAILED open or read\n" + AOK),
    # digits, ends of lines, blanks, comments, escapes
    ("upper.sha256", lines(b"%d  %n", ABE, text=lambda *of: hexa(*of).upper()) +
     b"SHA256 (a.txt) = " + A.upper() + b"\n", "0 0 0", OK3 + AOK),
    ("crlf.sha256", lines(b"%d  %n", ABE, end=b"\r\n"), "0 0 0", OK3),
    ("crcrlf.sha256", lines(b"SHA256 (%n) = %d", ABE, end=b"\r\r\n") + b"\r\r\n", "0 0 0", OK3),
    ("crlf-and-cr.sha256", b"\\" + lines(b"%d  cr\\r", [b"cr\r"], end=b"\r\n"), "0 0 0",
     "cr\r: OK\n"),
    ("no-final-newline.sha256", GNU[:-1], "0 0 0", OK3),
    ("blanks-before.sha256", lines(b" \t%d  %n", ABE) + b"\t SHA256 (a.txt)\t=\t" + A + b"\n",
     "0 0 0", OK3 + AOK),
    ("comments.sha256", b"# one\n\n#two\n\r\n" + GNU + b"#\n", "0 0 0", OK3),
    ("escaped.sha256", b"\\" + hexa("sha256", b"back\\slash") + b"  back\\\\slash\n\\" +
     hexa("sha256", b"new\nline") + b" *new\\nline\n\\SHA256 (cr\\r) = " + hexa("sha256", b"cr\r") +
     b"\n" + hexa("sha256", b"back\\slash") + b"  back\\slash\n", "0 0 0",
     "back\\slash: OK\n\\new\\nline: OK\ncr\r: OK\nback\\slash: OK\n"),
    ("escaped-wrongly.sha256", b"\\" + A + b"  a\\.txt\n\\" + A + b"  a.txt\\\n" + GNU, "0 1 1",
     OK3, [1, 2]),
    ("latin1.sha256", lines(b"%d  %n", [b"latin\xe9"]), "0 0 0", "latin\udce9: OK\n"),
    # base64
    ("base64-tagged.sha256", lines(b"SHA256 (%n) = %d", ABE, text=b64), "0 0 0", OK3),
    ("base64-openssl.txt", lines(b"SHA2-256(%n)= %d", ABE, text=b64), "0 0 0", OK3),
    ("base64-untagged.txt", lines(b"%d  %n", ABE, text=b64) +
     lines(b"%d *%n", ABE, "sha1", text=b64), "0 0 0", OK3 * 2),
    ("base64-of-sha1.txt", lines(b"SHA1 (%n) = %d", ABE, "sha1", text=b64), "0 0 0", OK3),
    # the last character has two bits behind the digest: no encoder sets them
    ("base64-not-canonical.txt", b"SHA256 (a.txt) = " + b64("sha256", b"a.txt")[:-2] + b"N=\n",
     "1 1 1", "a.txt: FAILED\n"),
    ("base64-cut.txt", b"SHA256 (a.txt) = " + b64("sha256", b"a.txt")[:-1] + b"\nSHA256 (a.txt) = " +
     b64("sha256", b"a.txt")[:-2] + b"==\nSHA256 (a.txt) = " + b64("sha256", b"a.txt") + b"=\n" +
     b64("sha256", b"a.txt")[:40] + b"  a.txt\n" + b64("sha256", b"a.txt").replace(b"/", b"_") +
     b"  a.txt\n" + A + b"  a.txt\n", "0 1 1", AOK, [1, 2, 3, 4, 5]),
    # OpenPGP
    ("signed.sha256", HEADER + GNU + SIGNATURE, "0 0 0", OK3, [], [], ["signature"]),
    ("signed-crlf.sha256", (HEADER + GNU + SIGNATURE).replace(b"\n", b"\r\n"), "0 0 0", OK3, [], [],
     ["signature"]),
    ("signed-no-headers.txt", BEGIN + b"\n" + GNU + SIGNATURE, "0 0 0", OK3, [], [],
     ["signature"]),
    ("signed-blanks.txt", HEADER.replace(b"-\n", b"- \t\n").replace(b"\n\n", b"\n \n") + GNU +
     SIGNATURE.replace(b"-\n", b"-\t\n"), "0 0 0", OK3, [], [], ["signature"]),
    ("signed-dashes.txt", HEADER + b"- " + GNU + b"- # a comment\n- -dash\n-dash\n" + SIGNATURE,
     "0 1 1", OK3, [8, 9], [], ["signature"]),
    ("signed-text-around.txt", b"From somebody\n\n" + HEADER + GNU + SIGNATURE + b"\n" + GNU +
     b"# greetings\n", "0 1 1", OK3, [1, 15, 16, 17, 18], [], ["signature"]),
    ("signed-headers.txt", BEGIN + b"Hash: SHA512\n" + GNU + b": x\n\n" + lines(b"%d  %n", ABE[:1]) +
     SIGNATURE, "0 1 1", AOK, [3, 4, 5, 6], [], ["signature"]),
    ("signed-twice.txt", (HEADER + GNU + SIGNATURE) * 2, "0 0 0", OK3 * 2, [], [], ["signature"]),
    # what the signature does not cover must not look as if it did
    ("signed-late.txt", lines(b"%d  %n", ABE[:1]) + HEADER + GNU + SIGNATURE, "1 1 1", AOK, [], [],
     ["signed late"]),
    ("signed-cut-in-text.txt", HEADER + GNU, "1 1 1", OK3, [], [], ["signature", "no end"]),
    ("signed-cut-in-signature.txt", HEADER + GNU + SIGNATURE[:60], "1 1 1", OK3, [], [],
     ["signature", "no end"]),
    ("signed-nothing.txt", HEADER + SIGNATURE, "1 1 1", "", [], [], ["signature"]),
    ("signature-alone.txt", GNU + SIGNATURE, "0 1 1", OK3, [4, 6, 7, 8]),
    # encodings
    ("utf8-mark.sha256", BOM + GNU, "0 0 0", OK3, [], [], ["mark"]),
    ("utf8-mark-tagged.sha256", BOM + lines(b"SHA256 (%n) = %d", ABE), "0 0 0", OK3, [], [],
     ["mark"]),
    ("utf8-mark-comment.sha256", BOM + b"# comment\n" + GNU, "0 0 0", OK3, [], [], ["mark"]),
    ("utf8-mark-signed.sha256", BOM + HEADER + GNU + SIGNATURE, "0 0 0", OK3, [], [],
     ["mark", "signature"]),
    ("utf8-mark-alone.sha256", BOM, "1 1 1", "", [], [], ["mark"]),
    ("utf8-mark-later.sha256", GNU + BOM + GNU, "0 1 1", OK3 + OK3[10:], [4]),
    ("utf8-mark-twice.sha256", BOM + BOM + GNU, "0 1 1", OK3[10:], [1], [], ["mark"]),
    ("utf16-le.sha256", b"\xff\xfe" + GNU.decode().encode("utf-16-le"), "1 1 1", "", [], [],
     ["UTF-16"]),
    ("utf16-be.sha256", b"\xfe\xff" + GNU.decode().encode("utf-16-be"), "1 1 1", "", [], [],
     ["UTF-16"]),
    ("utf16-no-mark.sha256", GNU.decode().encode("utf-16-le"), "1 1 1", "", [1, 2, 3, 4]),
    # algorithms of others
    ("other-tags.txt", unsupported_tags() + lines(b"SHA256 (%n) = %d", ABE), "0 0 1", OK3, [],
     list(range(1, 34))),
    ("other-lengths.txt", b"".join(lines(b"%d  %n", ABE[:1], algorithm) for algorithm in
                                   ("md5", "sha224", "sha384", "sha512")) + GNU, "0 0 1", OK3, [],
     [1, 2, 3, 4]),
    ("other-reversed.txt", lines(b"%d %n", ABE[:1], "md5") + lines(b"%d %n", ABE), "0 0 1", OK3, [],
     [1]),
    ("other-escaped.txt", b"\\" + MD5 + b"  new\\nline\n\\MD5 (back\\\\slash) = " + MD5 + b"\n\\" +
     MD5 + b"  new\\xline\n" + GNU, "0 1 1", OK3, [3], [1, 2]),
    ("other-alone.txt", b"MD5 (a.txt) = " + MD5 + b"\n", "1 1 1", "", [], [1], ["nothing"]),
    ("other-not-quite.txt", not_quite_unsupported() + GNU, "0 1 1", OK3, list(range(1, 18))),
    ("freebsd-distinfo.txt", b"TIMESTAMP = 1700000000\nSHA256 (a.txt) = " + A + b"\n"
     b"SIZE (a.txt) = 6\n", "0 1 1", AOK, [1, 3]),
    # damage
    ("one-is-wrong.sha256", A + b"  a.txt\n" + A + b"  b.bin\n" + E + b"  empty\n", "1 1 1",
     "a.txt: OK\nb.bin: FAILED\nempty: OK\n"),
    ("one-is-missing.sha256", A + b"  missing\n" + GNU, "1 1 1",
     "missing: FAILED open or read\n" + OK3),
    ("junk.sha256", b"total 3\n" + GNU + b"-- \nend\n", "0 1 1", OK3, [1, 5, 6]),
    ("junk-alone.txt", b"I-am-not-a-hash", "1 1 1", "", [1]),
    ("short-digests.txt", b"SHA256 (a.txt) = " + A[:63] + b"\nSHA256 (a.txt) = " + A[:8] + b"\n" +
     A[:63] + b"  a.txt\n" + A + b"0  a.txt\n" + A1[:39] + b"  a.txt\n" + A + b"  a.txt\n", "0 1 1",
     AOK, [1, 2, 3, 4, 5]),
    ("broken-tags.txt", b"SHA1 (\n((\nSHA256 ()= \n(\n = \nSHA2-256(\nSHA2-256\nSHA2-256(a.txt)=\n"
     b"SHA2-256  (a.txt) = " + A + b"\n", "1 1 1", "", list(range(1, 10))),
    ("nul.txt", A + b"  a.txt\0junk\nSHA2-256(a.txt)= " + A + b"\0junk\n" + A[:32] + b"\0" + A[33:] +
     b"  a.txt\n\0\n" + A + b"  a.txt\n", "0 1 1", AOK, [1, 2, 3, 4]),
    ("empty-list.txt", b"", "1 1 1", ""),
    ("comments-alone.txt", b"# nothing\n\n", "1 1 1", ""),
    # names that --safe-paths refuses; without it they are opened, and not there
    ("paths.txt", b"".join(A + b"  " + name + b"\n" for name in
                           (b"/nowhere/a.txt", b"nowhere/../a.txt", b"a.txt", b"..a.txt")), "1 1 1",
     "/nowhere/a.txt: FAILED open or read\nnowhere/../a.txt: FAILED open or read\na.txt: OK\n"
     "..a.txt: FAILED open or read\n"),
]

EXPLANATION = """\
# What blocksha sum -c says of the lists in this folder; written by tests/make_checklists.py.
# "exit": the exit codes without option, with --strict, with --strict-all. "malformed",
# "unsupported": numbers of lines. "says": what standard error tells about the list. "out":
# standard output; there \\\\ is a backslash, \\r a carriage return, \\xNN a byte.
"""


def escape(text):
    text = text.encode("utf-8", "surrogateescape")
    return text.decode("latin-1").replace("\\", "\\\\").replace("\r", "\\r").replace("\xe9", "\\xe9")


def expected():
    parts = [EXPLANATION]
    for name, _, status, out, *rest in TABLE:
        part = [f"\n[{name}]", f"exit {status}"]
        for key, value in zip(("malformed", "unsupported"), rest):
            if value:
                part.append(f"{key} {' '.join(map(str, value))}")
        if len(rest) == 3:
            part.append(f"says {', '.join(rest[2])}")
        part += [f"out {escape(line)}" for line in out.split("\n")[:-1]]
        parts.append("\n".join(part) + "\n")
    return "".join(parts)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "lists")
    os.makedirs(folder, exist_ok=True)
    for name, data, *_ in TABLE:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    with open(os.path.join(folder, "EXPECTED"), "w", encoding="ascii") as file:
        file.write(expected())


if __name__ == "__main__":
    main()
