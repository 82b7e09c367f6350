#!/usr/bin/python3
"""Tables of colours and ink limits of the kernels, against their oracles: no sample may differ.

usage: prepress_oracle.py PREPRESS_PLANES [--pixels N]

Tables of random nodes in all numbers of inputs, several grids and numbers of outputs, with each rule for
black, at random colours, at nodes, on edges and on the grey axis; 8 and 16 bits; SIMD and reference. Limits
from 0 to 400 %, with and without spot colours, with all their counts.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import colour_table
import ink_limit
from oracle_base import SOLID, numpy, read_planes, write_planes

# Inputs, outputs, grid, rule.
TABLES = [(1, 1, 2, "none"), (1, 4, 4096, "none"), (2, 3, 129, "none"), (3, 4, 2, "none"), (3, 4, 49, "none"),
          (3, 4, 33, "black-point"), (3, 4, 17, "neutrals"), (3, 1, 49, "none"), (3, 16, 9, "none"),
          (3, 5, 49, "neutrals"), (4, 4, 23, "only-black"), (4, 4, 9, "none"), (4, 6, 17, "only-black"),
          (4, 15, 5, "none"), (5, 5, 9, "none"), (6, 6, 7, "none"), (6, 7, 2, "none")]


def colours(lot, inputs, count):
    """Random samples of 16 bits, and those at which an error would hide."""
    samples = lot.integers(0, 65536, (inputs, count))
    part = count // 8
    samples[:, :part] = lot.integers(0, 65536, part)  # greys
    samples[:, part:2 * part] = lot.choice([0, 1, 255, 257, 32767, 32768, 65279, 65534, 65535], (inputs, part))
    edge = lot.integers(0, inputs, part)
    samples[:, 2 * part:3 * part] *= numpy.arange(inputs)[:, None] == edge  # one ink alone
    samples[:3, 3 * part:4 * part] = 0
    return samples


class Bench:
    def __init__(self, program, folder, pixels):
        self.program, self.folder, self.pixels = program, pathlib.Path(folder), pixels
        self.wrong = self.compared = 0
        self.lot = numpy.random.default_rng(17)

    def run(self, *words):
        return subprocess.run([self.program, *map(str, words)], cwd=self.folder, check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def compare(self, wanted, found, what):
        self.compared += wanted.size
        differing = numpy.count_nonzero(wanted != found) if wanted.shape == found.shape else -1
        if differing:
            self.wrong += 1
            print(f"wrong: {what}: {differing} of {wanted.size} samples differ")

    def table(self, inputs, outputs, grid, rule):
        nodes = self.lot.integers(0, SOLID + 1, (grid ** inputs, outputs)).astype("<u2")
        curve = numpy.sort(self.lot.integers(0, SOLID + 1, self.lot.choice([2, 3, 257, 4096, 4097]))).astype("<u2")
        if rule not in ("only-black", "neutrals"):
            curve = curve[:0]
        black = outputs - 1
        nodes.tofile(self.folder / "nodes")
        curve.tofile(self.folder / "curve")
        samples = colours(self.lot, inputs, self.pixels)
        for bits in (8, 16):
            page = samples >> 8 if bits == 8 else samples
            page = page.astype("u1" if bits == 8 else "<u2")
            page.tofile(self.folder / "in")
            wanted = colour_table.convert(nodes, grid, page, rule, black, curve)
            for action in ("convert", "reference"):
                self.run(action, inputs, outputs, grid, bits, colour_table.RULES.index(rule), black, "nodes", "curve",
                         "in", "out")
                self.compare(wanted, read_planes(self.folder / "out", outputs),
                             f"{action} of {bits} bits, {inputs} to {outputs}, {grid} nodes, {rule}")

    def limit(self, percent, spots):
        most = ink_limit.limit_of(percent)
        planes = self.lot.integers(0, SOLID + 1, (4 + spots, self.pixels))
        planes[:, :50] = SOLID
        planes[:3, 50:99] = 0
        write_planes(self.folder / "in", planes)
        counts = [int(word) for word in self.run("limit", most, spots, "in", "out").split()]
        wanted = ink_limit.limit(planes, most, count_all=True)
        self.compare(wanted, read_planes(self.folder / "out", 4 + spots), f"{percent} % with {spots} spots")
        before, after = planes.sum(axis=0), wanted.sum(axis=0)
        own = [planes.shape[1], (before > most).sum(), (planes != wanted).any(axis=0).sum(), before.sum(), after.sum(),
               before.max(), after.max()]
        if counts != [int(value) for value in own]:
            self.wrong += 1
            print(f"wrong: counts of {percent} % with {spots} spots: {counts}, not {own}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--pixels", type=int, default=20011)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(words.program.resolve(), folder, words.pixels)
        for table in TABLES:
            bench.table(*table)
        for percent in ("0", "60", "100", "240.5", "300", "320", "399.9", "400", "600"):
            for spots in (0, 1, 2):
                bench.limit(percent, spots)
        print(f"{bench.compared} samples compared, {bench.wrong} wrong")
        return 1 if bench.wrong or not bench.compared else 0


if __name__ == "__main__":
    sys.exit(main())
