#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which file may include which: ARCHITECTURE.md explains the layers."""

import os
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

SOURCE = Path(os.environ["BLOCKSHA_SOURCE"])

PUBLIC = ["blocksha.h", "blocksha_byteorder.h", "blocksha_git.h", "blocksha_writer.h"]
ISO_C = ["<stdatomic.h>", "<stdbool.h>", "<stddef.h>", "<stdint.h>", "<limits.h>", "<string.h>"]
KERNEL = ISO_C + ["common.h", "blocksha_byteorder.h", "kernel.h", "sha1_steps.h", "sha256_k.h", "sha1dc/*"]
FRONT = ISO_C + ["blocksha.h", "blocksha_byteorder.h", "common.h", "kernel.h", "stream.h", "detect.h",
                 "sha1dc/*"]

# (files, what they may include); the first row that fits a file holds. A file may always
# include the header of its own name.
LAYERS = [
    ("include/blocksha_byteorder.h", ["<stdint.h>"]),
    ("include/*", ["<stddef.h>", "<stdint.h>", "blocksha.h"]),
    ("lib/common.h", []),
    ("lib/kernel.h", ["<stddef.h>", "<stdint.h>", "common.h"]),
    ("lib/cpu.h", ["<stdbool.h>", "<stddef.h>", "<stdint.h>", "common.h"]),
    ("lib/x86/*", KERNEL + ["<immintrin.h>", "own"]),
    ("lib/arm/*", KERNEL + ["own", "<arm_neon.h>", "<arm_acle.h>"]),
    ("lib/*/*", KERNEL + ["own"]),
    ("lib/cpu.c", KERNEL + ["cpu.h", "<cpuid.h>", "<sys/auxv.h>", "<sys/sysctl.h>", "<sys/types.h>",
                            "<asm/hwcap.h>"]),
    ("lib/kernels.c", KERNEL + ["cpu.h", "arm/arm_target.h"]),
    ("lib/dispatch.c", KERNEL + ["cpu.h", "blocksha.h"]),
    ("lib/*", FRONT),
    ("git/*", ["<*>"] + PUBLIC + ["common.h", "own"]),
    ("compat/*", ["<*>"] + PUBLIC + ["*sha1.h"]),
    ("cli/kernels.c", ["<*>"] + PUBLIC + ["own"]),
    ("cli/*", ["<*>"] + PUBLIC + ["own"]),
    ("tests/*", ["*"]),
    ("bench/*", ["*"]),
    ("fuzz/*", ["*"]),
]


def allowed(path, name, patterns):
    if name == path.stem + ".h":
        return True
    if "own" in patterns and (path.parent / name).is_file() and "/" not in name:
        return True
    return any(fnmatch(name, pattern) for pattern in patterns)


def includes(path):
    """(line number, name) of each #include; <name> keeps its brackets, "../" goes."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(?:"(.*?)"|(<.*?>)|(.*))', line)
        if match:
            name = match.group(1) or match.group(2) or match.group(3)
            yield number, name.replace("../", "")


def main():
    failures = files = 0
    for path in sorted(SOURCE.glob("*/**/*.[ch]")):
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith("build"):
            continue
        patterns = next((may for files_, may in LAYERS if fnmatch(name, files_)), [])
        files += 1
        for number, included in includes(path):
            if not allowed(path, included, patterns):
                print(f"{name}:{number}: FAILED: may not include {included}")
                failures += 1
    print(f"{files} files, {failures} wrong includes")
    sys.exit(failures > 0 or files == 0)


main()
