#!/usr/bin/env python3
"""What differs between the members of a family is in the family's table, and nowhere else.

A codec is a row of stages/tiff/plate/codecs.cpp: other code asks the row, and does not compare a compression
with the name of a codec. (`auto` and `none` are no codecs: not chosen yet, and rows as they are.) A kind of values of
a key is a row of manifests/kinds. Lists every such comparison, apart from those below, which say why they are right.

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
    rf"|\b(count|find|contains)\([^;]*{CODEC}"
    r"|\bcase (manifests::)?FieldType::k|[!=]=\s*(manifests::)?FieldType::k|FieldType::k\w+\s*[!=]=|\benum FieldType;")

# File, a part of the line, and why it may.
RIGHT = [
    ("manifests/origins.cpp", "FieldType::kInkMap", "inks are listed by their names, not by this key"),
    ("manifests/settings_reader.cpp", "FieldType::kFile", "srgb stands for a file here, and no other key has it"),
    ("manifests/settings/field_value.cpp", "FieldType::k", "which member of a variant a value is, and its faults"),
    ("pipeline/cluster/plan/plan_check.cpp", "FieldType::kTemplate", "a plan's templates of paths are resolved"),
    ("pipeline/cluster/plan/plan_format_1.cpp", "FieldType::kLength", "a format of earlier plans"),
    ("tools/cli/chain_options.cpp", "FieldType::kLength", "lengths of options may leave out their unit"),
    ("tools/cli/chain_options.cpp", "FieldType::kNumber", "help ends with the range of a number"),
]


def compares(line):
    return COMPARED.search(line.split("//")[0])


PLANTED = [
    ("  if (compression == tiff::Compression::kG4) return codes;", True),
    ("      first.compression != Compression::kZstd) {", True),
    ("    case Compression::kNone:", True),
    ("  return Compression::kLzw == info.compression;", True),
    ("  const auto g4 = std::ranges::count(all, tiff::Compression::kG4);", True),
    ("    case FieldType::kLength:", True),
    ("  if (field.type != manifests::FieldType::kChoice) continue;", True),
    ("    {.type = FieldType::kLength,", False),
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
