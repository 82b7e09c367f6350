#!/usr/bin/env python3
"""Makes the same tables with and without fused multiply-add in the library of mathematics.

usage: same_table.py ICC_TABLE

The results of pow() and others differ then in their last bits; tables of profiles must not. Exits with
77 where Ghostscript's profiles are missing, or where nothing can be masked.
"""
import os
import pathlib
import subprocess
import sys

PROFILES = pathlib.Path("/usr/share/color/icc/ghostscript")
SCREEN, PRESS, GREY, OTHER = (str(PROFILES / name)
                              for name in ("srgb.icc", "default_cmyk.icc", "sgray.icc", "a98.icc"))
MASKED = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"}
# Input, output, intent, black point, mode of black.
TABLES = [("sRGB", PRESS, 1, 1, 0), (SCREEN, PRESS, 0, 0, 3), (OTHER, PRESS, 2, 1, 1), (GREY, PRESS, 1, 1, 1),
          (PRESS, PRESS, 1, 1, 0), (PRESS, PRESS, 0, 0, 2), (PRESS, "sRGB", 3, 0, 3), (PRESS, "sRGB", 1, 0, 3)]
MATHEMATICS = "import math; print(hash(tuple(math.pow(i / 997, 2.4) + math.exp(i / 331) for i in range(50000))))"


def printed(command, **more):
    return subprocess.run(command, env={**os.environ, **more}, stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 64
    if not PROFILES.exists():
        print("skipped: Ghostscript's profiles are not installed (Debian: libgs-common)")
        return 77
    mathematics = [sys.executable, "-c", MATHEMATICS]
    if printed(mathematics) == printed(mathematics, **MASKED):
        print("skipped: masking changes no result of pow() and exp() on this machine")
        return 77
    good = True
    for source, target, *settings in TABLES:
        command = [arguments[0], source, target, *map(str, settings), "0", "digest"]
        digests = printed(command), printed(command, **MASKED)
        same = digests[0] == digests[1]
        good &= same and len(digests[0]) == 32
        print("ok  " if same else "BAD ", source, target, *settings, *set(digests))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
