#!/usr/bin/python3
"""Colours of flat tints by Neugebauer, with the n of Yule and Nielsen, in XYZ under D50.

usage: neugebauer.py PRESS AREA,AREA... [AREA,AREA...]... [--inks NAME,NAME...] [--n N] [--paper-white]
                     [--expect FILE] [--within DE]

PRESS       a press file in YAML, with paper_lab, overprints and lab of its inks, of which --inks chooses;
            or JSON: {"n": 2, "paper": [95, 0, -2], "inks": [{"name": "cyan", "lab": [55, -37, -50]}, ...],
            "overprints": [{"inks": ["cyan", "magenta"], "lab": [24, 17, -46]}]}: Lab of paper, solids, and
            of the overprints that are known; of another it is the product of the reflectances, over paper, of
            the largest part of it that is known, the first of several, and of the rest
AREA        printed dot of each ink in percent, in the order of the inks

Prints a JSON line a tint: xyz (Y of a perfect white is 1), lab, srgb (0..255, clipped).
--paper-white  colours relative to the paper, which is then white
--expect       a file of a line a tint, `L a b` or, with a #, `# R G B` of sRGB; ends with 1 where the
               difference (CIE 1976) is more than --within, by default 2

X^(1/n) = sum over the 2^inks overprints of weight * X_i^(1/n), for Y and Z likewise; the weight is the
product of a of the inks in the overprint and 1 - a of the others.
"""
import argparse
import itertools
import json
import sys

from oracle_base import numpy
from press_model import seen_root

WHITE = numpy.array([0.9642, 1.0, 0.8249])  # of D50 in ICC profiles
# Of XYZ under D50, by Bradford from D65.
TO_SRGB = numpy.array([[3.1338561, -1.6168667, -0.4906146], [-0.9787684, 1.9161415, 0.0334540],
                       [0.0719453, -0.2289914, 1.4052427]])


def to_xyz(lab):
    lightness, a, b = lab
    fy = (lightness + 16) / 116
    f = numpy.array([fy + a / 500, fy, fy - b / 200])
    return WHITE * numpy.where(f > 6 / 29, f ** 3, (116 * f - 16) * 27 / 24389)


def to_lab(xyz):
    fx, fy, fz = seen_root(numpy.asarray(xyz) / WHITE)
    return numpy.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def to_srgb(xyz):
    linear = numpy.clip(TO_SRGB @ xyz, 0, 1)
    return 255 * numpy.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def from_srgb(rgb):
    v = numpy.asarray(rgb) / 255
    linear = numpy.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    return numpy.linalg.solve(TO_SRGB, linear)


class Press:
    def __init__(self, description):
        self.n = description.get("n", 2)
        self.names = [ink["name"].lower() for ink in description["inks"]]
        self.paper = to_xyz(description["paper"])
        solids = [to_xyz(ink["lab"]) for ink in description["inks"]]
        known = {frozenset(name.lower() for name in one["inks"]): to_xyz(one["lab"])
                 for one in description.get("overprints", ())}
        unknown = [sorted(key) for key in known if not key <= set(self.names)]
        if unknown:
            raise SystemExit(f"overprints of inks that are none: {unknown}")
        known.update({frozenset([name]): solid for name, solid in zip(self.names, solids)})
        known[frozenset()] = self.paper
        self.primaries = {}
        for bits in itertools.product((0, 1), repeat=len(solids)):
            names = frozenset(name for bit, name in zip(bits, self.names) if bit)
            self.primaries[bits] = self.light(names, known)

    def light(self, names, known):
        """Of inks over each other."""
        if names in known:
            return known[names]
        part = max((key for key in known if key < names), key=len)
        return known[part] / self.paper * self.light(names - part, known)

    def xyz(self, areas):
        """Of dot areas, 0..1."""
        total = numpy.zeros(3)
        for bits, primary in self.primaries.items():
            weight = numpy.prod([a if bit else 1 - a for bit, a in zip(bits, areas)])
            total += weight * primary ** (1 / self.n)
        return total ** self.n

    def counted(self, parts):
        """Of areas of the overprints themselves, {bits: part}, as a proof counts them."""
        return sum(part * self.primaries[bits] ** (1 / self.n) for bits, part in parts.items()) ** self.n

    def shown(self, areas, paper_white):
        xyz = self.xyz(areas)
        return xyz / self.paper * WHITE if paper_white else xyz


def description(path, inks):
    """Of a file in JSON, or of a press file: the inks that have a colour, or those that are asked for."""
    with open(path, encoding="utf-8") as file:
        if not path.endswith((".yaml", ".yml")):
            return json.load(file)
        import yaml
        press = yaml.safe_load(file)
    own = {name.lower(): ink["lab"] for name, ink in press["inks"].items() if isinstance(ink, dict) and "lab" in ink}
    names = [name.strip().lower() for name in inks.split(",")] if inks else list(own)
    known = [one for one in press.get("overprints", ()) if {ink.lower() for ink in one["inks"]} <= set(names)]
    return {"paper": press["paper_lab"], "inks": [{"name": name, "lab": own[name]} for name in names],
            "overprints": known}


def expected(line):
    """Lab of a line of a file."""
    if line.startswith("#"):
        return to_lab(from_srgb([float(word) for word in line[1:].replace(",", " ").split()]))
    return numpy.array([float(word) for word in line.replace(",", " ").split()])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("press")
    parser.add_argument("tints", nargs="+")
    parser.add_argument("--inks")
    parser.add_argument("--n", type=float)
    parser.add_argument("--paper-white", action="store_true")
    parser.add_argument("--expect")
    parser.add_argument("--within", type=float, default=2)
    words = parser.parse_args()
    press = Press(description(words.press, words.inks))
    press.n = words.n or press.n
    lines = []
    if words.expect:
        with open(words.expect, encoding="utf-8") as file:
            lines = [line.strip() for line in file if line.strip()]
        if len(lines) != len(words.tints):
            raise SystemExit(f"{len(words.tints)} tints, and {len(lines)} expected")
    status = 0
    for number, tint in enumerate(words.tints):
        areas = [float(area.rstrip("%")) / 100 for area in tint.split(",")]
        if len(areas) != len(press.names):
            raise SystemExit(f"{tint}: the press has {len(press.names)} inks")
        xyz = press.shown(areas, words.paper_white)
        said = {"tint": tint, "xyz": xyz.round(6).tolist(), "lab": to_lab(xyz).round(4).tolist(),
                "srgb": to_srgb(xyz).round(2).tolist()}
        if lines:
            # What sRGB cannot show was clipped in the proof, and is here.
            ours = to_lab(from_srgb(to_srgb(xyz))) if lines[number].startswith("#") else to_lab(xyz)
            said["dE76"] = float(numpy.linalg.norm(ours - expected(lines[number])).round(4))
            status |= said["dE76"] > words.within
        print(json.dumps(said))
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
