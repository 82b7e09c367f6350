#!/usr/bin/python3
"""Simplex interpolation in a table of colours, in the integers of its definition, by NumPy.

usage: colour_table.py --inputs N --outputs M --grid G [--bits 8|16] [--rule RULE] [--black K]
                       [--curve FILE] NODES IN (--out OUT | --compare OUT)

NODES   ink15 values, .npy or raw little-endian uint16: grid^N nodes of M outputs each, the first
        input slowest, the outputs of a node beside one another
IN      N planes of samples, one behind the other, raw: bytes, or little-endian uint16
OUT     M planes of ink15, raw little-endian uint16; --compare reads it, and ends with 1 if it differs
RULE    none; only-black: where C = M = Y = 0 there is ink on plane K alone, by the curve of black;
        black-point: where R = G = B = 0, a solid on K alone; neutrals: where R = G = B, ink on K
        alone, by the curve
--curve raw uint16: ink15 of equally spaced inputs, straight lines between them

Of a sample v of 16 bits (8 bits: v * 257), per input:
    u = v + (v >> 15)                        0 .. 65536
    p = (u * (grid - 1)) >> 2                node p >> 14, fraction p & 16383
The fractions are sorted, falling; from the node of the cell's corner one walks an edge per input, the
one of the largest fraction first. The nodes on the way weigh 16384 - f[0], f[0] - f[1], ... f[last],
and the result is (8192 + their sum) >> 14. A curve of n points has finer fractions: with
u * (n - 1) = 65536 i + f it is (point[i] * (65536 - f) + point[i + 1] * f + 32768) >> 16.
"""
import argparse
import json
import sys

from oracle_base import SOLID, differences, numpy, read_planes, write_planes

RULES = ("none", "only-black", "black-point", "neutrals")


def position(samples, grid):
    """Node and fraction (of 16384) of each sample, by its 16 bits."""
    v = samples.astype(numpy.int64)
    p = ((v + (v >> 15)) * (grid - 1)) >> 2
    return p >> 14, p & 16383


def sixteen_bits(samples):
    return samples.astype(numpy.int64) * 257 if samples.dtype == numpy.uint8 else samples.astype(numpy.int64)


def interpolate(nodes, grid, samples):
    """`nodes` (grid^N, outputs); `samples` (N, count): (outputs, count) as int64."""
    inputs, count = samples.shape
    nodes = nodes.astype(numpy.int64)
    strides = numpy.array([grid ** (inputs - 1 - axis) for axis in range(inputs)])
    cells, fractions = position(sixteen_bits(samples), grid)
    order = numpy.argsort(-fractions, axis=0, kind="stable")
    f = numpy.take_along_axis(fractions, order, axis=0)
    # The last layer has no successor; its fraction is 0, so that any node does as one.
    steps = numpy.where(cells < grid - 1, strides[:, None], 0)
    steps = numpy.take_along_axis(steps, order, axis=0)
    at = (cells * strides[:, None]).sum(axis=0)
    total = 8192 + (16384 - f[0])[:, None] * nodes[at]
    for j in range(inputs):
        at = at + steps[j]
        weight = f[j] - (f[j + 1] if j + 1 < inputs else 0)
        total += weight[:, None] * nodes[at]
    return (total >> 14).T


def by_curve(curve, samples):
    """The curve at 16-bit samples."""
    points = numpy.append(curve, curve[-1]).astype(numpy.int64)
    place = (samples + (samples >> 15)) * (len(curve) - 1)
    i, f = place >> 16, place & 65535
    return (points[i] * (65536 - f) + points[i + 1] * f + 32768) >> 16


def convert(nodes, grid, samples, rule="none", black=3, curve=None):
    """The table and its rule for black: (outputs, count)."""
    v = sixteen_bits(samples)
    out = interpolate(nodes, grid, samples)
    if rule == "only-black":
        chosen = (v[:3] == 0).all(axis=0)
        value = by_curve(curve, v[3])
    elif rule == "black-point":
        chosen = (v[:3] == 0).all(axis=0)
        value = numpy.full(v.shape[1], SOLID)
    elif rule == "neutrals":
        chosen = (v[0] == v[1]) & (v[1] == v[2])
        value = by_curve(curve, v[0])
    else:
        return out
    out[:, chosen] = 0
    out[black, chosen] = value[chosen]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("inputs", "outputs", "grid"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--bits", type=int, choices=(8, 16), default=16)
    parser.add_argument("--rule", choices=RULES, default="none")
    parser.add_argument("--black", type=int, default=3)
    parser.add_argument("--curve")
    parser.add_argument("nodes")
    parser.add_argument("samples")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out")
    where.add_argument("--compare")
    words = parser.parse_args()
    nodes = numpy.load(words.nodes) if words.nodes.endswith(".npy") else numpy.fromfile(words.nodes, "<u2")
    nodes = nodes.reshape(words.grid ** words.inputs, words.outputs)
    curve = numpy.fromfile(words.curve, "<u2") if words.curve else None
    out = convert(nodes, words.grid, read_planes(words.samples, words.inputs, words.bits), words.rule,
                  words.black, curve)
    if words.out:
        write_planes(words.out, out)
        return 0
    found = differences(out, read_planes(words.compare, words.outputs))
    print(json.dumps(found))
    return 1 if found["differing"] else 0


if __name__ == "__main__":
    sys.exit(main())
