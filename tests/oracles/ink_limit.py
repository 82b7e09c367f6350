#!/usr/bin/python3
"""The limit of total ink, in the integers of its definition, by NumPy.

usage: ink_limit.py --planes N --limit PERCENT [--cmy 0,1,2] [--black 3] [--all]
                    IN [--out OUT | --compare OUT]

IN and OUT are N planes of ink15, one behind the other, raw little-endian uint16; --compare ends with 1
if its file differs. Prints the coverage before and after as JSON.

The limit L is PERCENT of a solid, 32640, rounded down. Where C + M + Y + K > L,
    K' = min(K, L)
    ink' = ink * max(0, L - K') / (C + M + Y)    rounded down, for C, M and Y
so K keeps its dots, but for limits below a solid. With --all, spot colours count too: their sum is taken
off beside K', and kept.
A plane that the page lacks is -1 in --cmy and --black.
"""
import argparse
import json
import sys
from fractions import Fraction

from oracle_base import SOLID, differences, numpy, read_planes, write_planes


def limit_of(percent):
    """In ink15, of a text or number of percent."""
    return int(Fraction(str(percent)) * SOLID / 100)


def limit(planes, most, cmy=(0, 1, 2), black=3, count_all=False):
    """`planes` (inks, count) with no pixel above `most`, as far as C, M and Y can do it."""
    out = planes.astype(numpy.int64)
    coloured = [plane for plane in cmy if plane >= 0]
    spots = [plane for plane in range(len(out)) if plane not in (*coloured, black)] if count_all else []
    colours = out[coloured].sum(axis=0)
    fixed = out[spots].sum(axis=0) + (out[black] if black >= 0 else 0)
    over = colours + fixed > most
    if black >= 0:
        out[black] = numpy.where(over, numpy.minimum(out[black], most), out[black])
        fixed = out[spots].sum(axis=0) + out[black]
    room = numpy.maximum(0, most - fixed)
    divisor = numpy.maximum(1, colours)  # 0 only where there is nothing to take off
    for plane in coloured:
        out[plane] = numpy.where(over, out[plane] * room // divisor, out[plane])
    return out


def coverage(before, after, counted):
    """Most and mean total ink in percent, and the share of pixels that were changed."""
    sums = [planes[counted].astype(numpy.int64).sum(axis=0) for planes in (before, after)]
    changed = (before != after).any(axis=0)
    return {**{f"{what}_{when}_percent": float(of(total)) * 100 / SOLID
               for when, total in zip(("before", "after"), sums)
               for what, of in (("max", numpy.max), ("mean", numpy.mean))},
            "pixels": int(changed.size), "changed": int(changed.sum())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--planes", type=int, required=True)
    parser.add_argument("--limit", required=True)
    parser.add_argument("--cmy", default="0,1,2")
    parser.add_argument("--black", type=int, default=3)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("samples")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--out")
    where.add_argument("--compare")
    words = parser.parse_args()
    cmy = [int(plane) for plane in words.cmy.split(",")]
    before = read_planes(words.samples, words.planes)
    most = limit_of(words.limit.rstrip("%"))
    after = limit(before, most, cmy, words.black, words.all)
    counted = [plane for plane in range(words.planes) if words.all or plane in (*cmy, words.black)]
    said = {"limit": most, **coverage(before, after, counted)}
    status = 0
    if words.out:
        write_planes(words.out, after)
    if words.compare:
        said["compared"] = differences(after, read_planes(words.compare, words.planes))
        status = 1 if said["compared"]["differing"] else 0
    print(json.dumps(said))
    return status


if __name__ == "__main__":
    sys.exit(main())
