#!/usr/bin/env python3
"""Dots of several pixels: `--dot` against NumPy and the same method on a smaller page.

usage: dot_oracle.py PROGRAM

A plate with `--dot k` must be the plate of the page of means of k x k pixels, each of whose pixels is
repeated k x k times: then every run of ink or paper, across and down, is a multiple of k on the grid.
"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "quality"))
from reference import numpy, read_plate, write_tiff  # skips where NumPy and SciPy are missing

WIDTH, HEIGHT = 203, 157
# Searches are slow, and need no good plate here.
QUICK = {"les": ("--rounds", "2"), "pes": ("--rounds", "2", "--eye", "published", "--window", "3"),
         "dbs": ("--rounds", "1"), "fm": ("--size", "64")}
METHODS = ("floyd-steinberg", "ostromoukhov", "zhou-fang", "tone-dependent", "pinwheel", "threshold",
           "bayer", "fm", "random", "dbs", "les", "pes")


def page(bits):
    """A ramp with noise, and paper and solid at two edges."""
    noise = numpy.random.default_rng(bits).integers(-40, 41, (HEIGHT, WIDTH))
    grey = numpy.clip(numpy.linspace(-40, 295, WIDTH)[None, :] + noise, 0, 255)
    grey[:9], grey[-9:] = 0, 255
    return (grey * (257 if bits == 16 else 1)).astype(f"uint{bits}")


def means(samples, k):
    """Of the pixels that each square has; halves rounded up."""
    rows, columns = range(0, HEIGHT, k), range(0, WIDTH, k)
    squares = [[samples[y:y + k, x:x + k].astype(numpy.int64) for x in columns] for y in rows]
    return numpy.array([[(2 * s.sum() + s.size) // (2 * s.size) for s in row] for row in squares],
                       dtype=samples.dtype)


def halftone(program, folder, samples, method, *options):
    write_tiff(folder / "page.tif", samples)
    subprocess.run([program, "halftone", "-q", "--method", method, "--compression", "none",
                    "--existing", "replace", *QUICK.get(method, ()), *options,
                    folder / "page.tif", folder / "plate.tif"], check=True)
    return read_plate(folder / "plate.tif")


def main():
    program = sys.argv[1]
    plates = failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for method in METHODS:
            for k in (4,) if method in ("les", "pes") else (2, 3, 4):
                samples = page(16 if k == 3 else 8)
                plate = halftone(program, folder, samples, method, "--dot", str(k))
                small = halftone(program, folder, means(samples, k), method)
                expected = small.repeat(k, axis=0).repeat(k, axis=1)[:HEIGHT, :WIDTH]
                differing = numpy.count_nonzero(plate != expected)
                plates += 1
                if differing:
                    failures += 1
                    print(f"{method}, dot {k}: {differing} of {plate.size} pixels differ")
    print(f"{plates} plates, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
