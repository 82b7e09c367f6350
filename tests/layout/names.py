#!/usr/bin/env python3
"""Names of inks are compared by is_same_ink() or ink_key() alone (kernels/prepress/ink_key.h).

These ignore case, spaces and the form of Unicode. `==` ignores nothing, and so loses the settings of an
ink that a page writes in capitals. Lists every comparison that looks like one of inks, apart from those
below, which say why they are right.

  names.py ROOT | --self-test
"""

import re
import sys

import known_lines

PLACES = ("manifests", "pipeline", "stages", "tools/commands", "tools/compare", "tools/library", "tools/python",
          "tools/cli", "tools/gallery", "tools/wedge")
SUFFIXES = {".h", ".hpp", ".cpp", ".py"}

# An ink beside == or !=, or as that by which find() and its like compare; in Python also `in`.
COMPARED = re.compile(
    r"\b(ink|ink_name|page_ink|press_ink)\s*[!=]=\s*(?!nullptr|0\b|end\b)[\w(*&]"
    r"|[!=]=\s*[\w.>-]*\b(ink|page_ink|press_ink)\b(?![\w(:])"
    r"|\b(find|count|equal|contains|mismatch)\([^;]*::(ink|page_ink|press_ink)\)"
    r"|\bink (not )?in (self\.)?\w*inks\b|inks\.index\(")

# File, a part of the line, and why it may compare so.
NUMBER = "the number of an ink, or a place"
ONE_SHEET = "two copies of one name, of the same sheet"
RIGHT = [
    ("manifests/curve/foreign_curve.cpp", "ink != std::string_view::npos", NUMBER),
    ("manifests/curve/foreign_curve.cpp", "ink == kProcessInks.end()", NUMBER),
    ("manifests/curve/measurement_cgats.cpp", "ink == kMaxMeasuredInks", NUMBER),
    ("manifests/curve/measurement_csv.cpp", "ink == kMaxMeasuredInks", NUMBER),
    ("manifests/curve/ramp.cpp", "*patch.ink != ink", NUMBER),
    ("manifests/curve/ramp.cpp", "i != ink", NUMBER),
    ("pipeline/plan/ink_groups.cpp", "&PlatePlan::ink", ONE_SHEET),
    ("pipeline/plan/ink_groups.cpp", "sheet.plates[plate].ink == ink", ONE_SHEET),
    ("pipeline/plan/ink_map.cpp", "plate.ink == plate.page_ink", "whether it was renamed at all"),
    ("pipeline/plan/plan.cpp", "plates[i].page_ink != plates[i].ink", "whether messages name both"),
    ("pipeline/plan/provenance.cpp", "&PlatePlan::ink", ONE_SHEET),
    ("pipeline/report/page_picture.cpp", "images.inks[k].name", ONE_SHEET),
    ("pipeline/run/proof_run.cpp", "plate->ink, &proof::ProofInk::ink", ONE_SHEET),
    ("pipeline/run/proof_run.cpp", "ink == inks.end()", NUMBER),
    ("pipeline/run/proof_run.cpp", "names[k], &PrintedPlate::ink", ONE_SHEET),
    ("pipeline/watch/folder/ink_sets.cpp", "ink == std::string::npos", NUMBER),
    ("tools/commands/linearise.cpp", "ink == like_->inks.end()", NUMBER),
    ("tools/python/mezzotint/_arrays.py", "ink != ", "dots of an array"),
    ("tools/wedge/write_wedge.cpp", "one.ink != ink", NUMBER),
]


def compares(line):
    return COMPARED.search(line.split("//")[0].split("#")[0] if "#include" not in line else "")


PLANTED = [
    ("  if (other.ink == name) return;", True),
    ("  return curve.ink != wanted.ink;", True),
    ("  if (name == plate.page_ink) {", True),
    ("  const auto it = std::ranges::find(plates, name, &PlatePlan::ink);", True),
    ("        if ink in self.inks:", True),
    ("        number = self.inks.index(name)", True),
    ("  if (prepress::is_same_ink(other.ink, name)) return;", False),
    ("  // whether other.ink == name", False),
    ("  if (ink == nullptr) return;", False),
]


if __name__ == "__main__":
    sys.exit(known_lines.Search(PLACES, SUFFIXES, compares, RIGHT, PLANTED,
             "compares an ink byte by byte: use prepress::is_same_ink(), or say in "
             "tests/layout/names.py why it is right").main())
