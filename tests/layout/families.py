#!/usr/bin/env python3
"""What differs between the members of a family is in the family's table, and nowhere else.

A codec is a row of stages/tiff/plate/codecs.cpp: other code asks the row, and does not compare a compression
with the name of a codec. (`auto` and `none` are no codecs: not chosen yet, and rows as they are.) Lists every such
comparison, apart from those below, which say why they are right.

  families.py ROOT | --self-test
"""

import re
import sys

import known_lines

PLACES = ("kernels", "manifests", "pipeline", "stages", "tools")
SUFFIXES = {".h", ".hpp", ".cpp", ".cu", ".cuh"}

CODEC = r"(tiff::)?Compression::k(?!Automatic\b|None\b)"
COMPARED = re.compile(
    rf"\bcase (tiff::)?Compression::k|[!=]=\s*{CODEC}|\b{CODEC}\w+\s*[!=]="
    rf"|\b(count|find|contains)\([^;]*{CODEC}")

# File, a part of the line, and why it may.
RIGHT = []


def compares(line):
    return COMPARED.search(line.split("//")[0])


PLANTED = [
    ("  if (compression == tiff::Compression::kG4) return codes;", True),
    ("      first.compression != Compression::kZstd) {", True),
    ("    case Compression::kNone:", True),
    ("  return Compression::kLzw == info.compression;", True),
    ("  const auto g4 = std::ranges::count(all, tiff::Compression::kG4);", True),
    ("  if (compression == tiff::Compression::kAutomatic) return samples();", False),
    ("  takes_rows_ = compression == Compression::kNone;", False),
    ("      .compression = tiff::Compression::kDeflate,", False),
    ("  // not where compression == Compression::kG4", False),
    ("  if (codec_of(compression).is_bilevel) return;", False),
]


if __name__ == "__main__":
    sys.exit(known_lines.Search(PLACES, SUFFIXES, compares, RIGHT, PLANTED,
             "compares with a member of a family: ask its row in the table, or say in tests/layout/families.py "
             "why it is right").main())
