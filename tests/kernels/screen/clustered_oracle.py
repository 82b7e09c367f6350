#!/usr/bin/env python3
"""Compares clustered stochastic screens with their definition in NumPy, and looks at their dots.

usage: clustered_oracle.py MASK_PROGRAM CLUSTERED_PROGRAM

`MASK_PROGRAM SIDE SEED` writes the ranks of a mask of blue noise, `CLUSTERED_PROGRAM SIDE AREA SEED`
those of a clustered screen. Here every pixel is held against every centre, and shares of cells are exact.
"""

import math
import subprocess
import sys

try:
    import numpy
    import scipy.ndimage
except ImportError as missing:
    print(f"skipped: {missing}; install python3-scipy")
    sys.exit(77)

UNITS = 16


def ranks_of(program, *numbers):
    found = subprocess.run([program, *map(str, numbers)], check=True, capture_output=True)
    return numpy.frombuffer(found.stdout, dtype=numpy.uint32).astype(numpy.int64)


# The definition -------------------------------------------------------------------------------

def ways(side, centres):
    """From every centre to every pixel, along both axes, 1/16 px: [axis, centre, pixel]."""
    pixels = UNITS * numpy.stack(numpy.divmod(numpy.arange(side * side), side))
    around = side * UNITS
    return (pixels[:, None, :] - centres.T[:, :, None] + around // 2) % around - around // 2


def nearest(way):
    squared = (way ** 2).sum(axis=0)
    number = squared.argmin(axis=0)  # the first of equals
    return number, squared.min(axis=0)


def spread(side, centres, weights):
    way = ways(side, centres)
    number, _ = nearest(way)
    moved = centres.copy()
    for i in range(len(centres)):
        own = numpy.flatnonzero(number == i)
        weight = int(weights[own].sum())
        if weight == 0:
            continue
        for axis in (0, 1):
            total = int((weights[own] * way[axis, i, own]).sum())
            moved[i, axis] = (centres[i, axis] + (2 * total + weight) // (2 * weight)) % (side * UNITS)
    return moved


def order(side, centres):
    """By the share of its cell that a pixel fills with those before it. Shares are whole numbers over `whole`."""
    number, squared = nearest(ways(side, centres))
    cells = [numpy.flatnonzero(number == i) for i in range(len(centres))]
    whole = math.lcm(*(len(own) for own in cells if len(own) > 0))
    keys = [None] * (side * side)
    for i, own in enumerate(cells):
        for n, pixel in enumerate(own[numpy.argsort(squared[own], kind="stable")].tolist()):
            in_cell = 2 * len(centres) * n + 2 * i + 1
            keys[pixel] = (in_cell * (whole // len(own)), pixel)
    return sorted(range(side * side), key=keys.__getitem__)


def expected_ranks(mask, side, area):
    first = numpy.argsort(mask)
    count = (side * side + area // 2) // area
    places = UNITS * numpy.stack(numpy.divmod(first, side), axis=1)
    dots, holes = places[:count], places[count:2 * count]
    for _ in range(4):
        dots = spread(side, dots, numpy.ones(side * side, dtype=numpy.int64))
    _, squared = nearest(ways(side, dots))
    for _ in range(4):
        holes = spread(side, holes, squared)
    light = order(side, dots)[:side * side // 2]
    is_light = set(light)
    dark = [pixel for pixel in order(side, holes) if pixel not in is_light]
    ranks = numpy.zeros(side * side, dtype=numpy.int64)
    ranks[light + dark[::-1]] = range(side * side)
    return ranks


# The checks -----------------------------------------------------------------------------------

def grain(ink, area):
    """RMS of 255 below 0.7 of the frequency of the cells."""
    power = numpy.abs(numpy.fft.fft2(ink - ink.mean()) / ink.size) ** 2
    frequency = numpy.fft.fftfreq(len(ink))
    radius = numpy.hypot(frequency[:, None], frequency[None, :])
    return 255 * math.sqrt(power[(radius > 0) & (radius < 0.7 / math.sqrt(area))].sum())


def edge_length(ink):
    return sum(numpy.count_nonzero(ink != numpy.roll(ink, 1, axis)) for axis in (0, 1)) / ink.size


def count_parts(ink):
    """Connected dots on the torus, and their sizes."""
    tiled = numpy.tile(ink, (3, 3))
    labels, _ = scipy.ndimage.label(tiled)
    side = len(ink)
    inside = numpy.unique(labels[side:2 * side, side:2 * side])
    sizes = numpy.bincount(labels.ravel())[inside[inside > 0]]
    return len(sizes), sizes


def check_looks(program, side=256, area=36):
    ranks = ranks_of(program, side, area, 1).reshape(side, side)
    failures = 0
    for tint, most_grain in ((0.05, 6), (0.1, 7), (0.25, 12), (0.5, 20), (0.75, 25), (0.9, 12)):
        ink = ranks < tint * side * side
        found = grain(ink.astype(float), area)
        failures += found > most_grain
        print(f"cells of {area} px, tint {tint:4.0%}: grain {found:5.1f} (at most {most_grain}), "
              f"edges {edge_length(ink):.2f} px/px")
    failures += edge_length(ranks < side * side // 2) > 0.6
    for tint, mark in ((0.1, "dots"), (0.9, "holes")):
        ink = ranks < tint * side * side
        _, sizes = count_parts(ink if mark == "dots" else ~ink)
        print(f"tint {tint:4.0%}: {mark} of {sizes.min()} to {sizes.max()} px, mean {sizes.mean():.2f}")
        failures += sizes.min() < (2 if mark == "dots" else 1) or sizes.max() > 6
    return failures


def main():
    mask_program, program = sys.argv[1:]
    failures = 0
    for side, area, seed in ((64, 9, 1), (64, 36, 2), (65, 50, 3), (96, 400, 4), (80, 36, 5)):
        expected = expected_ranks(ranks_of(mask_program, side, seed), side, area)
        differing = numpy.count_nonzero(ranks_of(program, side, area, seed) != expected)
        if differing:
            failures += 1
            print(f"side {side}, area {area}, seed {seed}: {differing} ranks differ")
    failures += check_looks(program)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
