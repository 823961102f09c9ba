#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""lib/sha1dc/tables.c is what scripts/make-sha1dc-tables makes of the published tables, and the
expected values of the tests are what make_sha1dc_expected.py makes of them and of the published
collisions. Both are in data/ of the directory BLOCKSHA_SHARED, and not part of the project.

tables.c is formatted by clang-format after it is made, so white space does not count."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["BLOCKSHA_SOURCE"])
SHARED = Path(os.environ.get("BLOCKSHA_SHARED", SOURCE / "../shared"))
TABLES = SHARED / "data/sha1dc-tables"


def main():
    inputs = [TABLES / "disturbance-vectors.csv", TABLES / "unavoidable-bit-conditions.csv"]
    for path in inputs + [SHARED / "data/sha1-collisions"]:
        if not path.exists():
            print(f"UNAVAILABLE: {path}")
            sys.exit(77)
    script = SOURCE / "scripts/make-sha1dc-tables"
    made = subprocess.run([sys.executable, script, *inputs], check=True, capture_output=True).stdout
    if made.split() != (SOURCE / "lib/sha1dc/tables.c").read_bytes().split():
        sys.exit("FAILED: lib/sha1dc/tables.c is not what scripts/make-sha1dc-tables makes")
    print("lib/sha1dc/tables.c: as computed")
    sys.exit(subprocess.run([sys.executable, SOURCE / "tests/make_sha1dc_expected.py", SHARED,
                             "--check"], check=False).returncode)


main()
