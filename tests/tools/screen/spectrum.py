#!/usr/bin/python3
"""Spectra of tints against the screens that `mezzotint screen` says they have.

For each resolution and ruling the program tells the screens of the four process inks; their moire
period is computed again from the cells. A tint of 30 % of each is halftoned; its strongest frequency
must be that of the screen, to 0.001 lpi and 0.001 degrees. All four plates over each other must have
no strong frequency below half the rosette's.

usage: spectrum.py MEZZOTINT [--sets N] [--picture FILE]   the picture is the spectrum of the last set
"""
import argparse
import importlib.machinery
import importlib.util
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
    import scipy  # noqa: F401, which bench-screens needs
except ImportError as error:
    print(f"skipped: {error.name} is not installed")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[3]
loader = importlib.machinery.SourceFileLoader("bench_screens", str(ROOT / "tools/bench-screens"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(bench)

# dpi, lpi, and the least period of the moire in mm.
SETS = ((2400, 175, 3000), (1200, 133, 3000), (600, 85, 3000), (2400, 133, 3000),
        (2400, 150, 3000), (2540, 150, 3000), (2540, 175, 3000), (4000, 175, 3000),
        (4800, 200, 3000))
INKS = ("cyan", "magenta", "yellow", "black")
TINT = 30
NOT_SEEN = 0.35  # lines of a cell's frequency: slower beats than these would be seen


def frequency(ink, dpi):
    """Cycles a mm, to the right and down."""
    repeats, m, n = (ink["cell"][key] for key in ("repeats", "m", "n"))
    scale = repeats * dpi / 25.4 / (m * m + n * n)
    return numpy.array([m * scale, n * scale])


def moire_mm(inks, dpi):
    """Of lines of cyan, magenta and black: the smallest sum of three first harmonics."""
    lines = []
    for ink in inks:
        x, y = frequency(ink, dpi)
        lines.append([numpy.array(v) for v in ((x, y), (-y, x), (-x, -y), (y, -x))])
    least = min(numpy.hypot(*(a + b + c)) for a, b, c in itertools.product(*lines))
    return math.inf if least < 1e-9 else 1 / least


def composed(plates):
    """Lightness of the plates over each other: each ink takes its part of the light."""
    takes = {"cyan": 0.55, "magenta": 0.6, "yellow": 0.15, "black": 0.95}
    light = numpy.ones(plates["cyan"].shape)
    for ink, plate in plates.items():
        light *= 1 - takes[ink] * plate
    return light


def spectrum_of(light):
    weights = bench.window()
    plane = (light - (light * weights).sum() / weights.sum()) * weights
    return abs(numpy.fft.fft2(plane)) ** 2


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--sets", type=int, default=len(SETS))
    parser.add_argument("--picture")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        peer = bench.Mezzotint(options.program, pathlib.Path(folder))
        for dpi, lpi, least_mm in SETS[:options.sets]:
            told = json.loads(subprocess.run(
                [options.program, "screen", "--json", "--dpi", str(dpi), "--ruling", str(lpi)],
                check=True, capture_output=True, text=True).stdout)
            inks = {ink["ink"]: ink for ink in told["inks"]}
            period = moire_mm([inks[name] for name in ("cyan", "magenta", "black")], dpi)
            told_mm = told["moire_mm"] or math.inf
            agrees = period == told_mm or abs(period / told_mm - 1) < 1e-6
            off_lpi = off_angle = 0
            plates = {}
            for name in INKS:
                ink = inks[name]
                plates[name] = peer.tint(TINT, dpi, lpi, ink["angle"])
                ruling, angle = bench.peak(plates[name], dpi, lpi, ink["angle"])
                off_lpi = max(off_lpi, abs(ruling - ink["actual_ruling"]))
                off_angle = max(off_angle, abs(math.remainder(angle - ink["actual_angle"], 90)))
            power = spectrum_of(composed(plates))
            f = numpy.hypot(*numpy.meshgrid(*[numpy.fft.fftfreq(bench.SIDE)] * 2))
            slow = power[(f > 3 / bench.SIDE) & (f < NOT_SEEN * lpi / dpi)].max()
            carrier = power[(f > 0.9 * lpi / dpi) & (f < 1.1 * lpi / dpi)].max()
            bad = (not agrees or period < least_mm or off_lpi > 1e-3 or off_angle > 1e-3 or
                   slow > 0.003 * carrier)
            wrong += bad
            print(f"{dpi:5} dpi {lpi:4} lpi: moire "
                  f"{'none' if period == math.inf else f'{period / 1000:.2f} m'}"
                  f"{'' if agrees else ' (told otherwise)'}, off by at most {off_lpi:.5f} lpi "
                  f"{off_angle:.5f} degrees; strongest slow beat {slow / carrier:.5f} of the "
                  f"screens' power{'   WRONG' if bad else ''}", flush=True)
            if options.picture:
                shown = numpy.fft.fftshift(numpy.log10(power / power.max() + 1e-7))
                middle = slice(bench.SIDE // 2 - 320, bench.SIDE // 2 + 320)
                shown = 255 * (shown[middle, middle] / 7 + 1)
                Image.fromarray(shown.astype(numpy.uint8)).save(options.picture)
    print(f"{options.sets} sets, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
