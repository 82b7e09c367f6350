#!/usr/bin/python3
"""Isotonic regression and the monotone cubic, against SciPy.

usage: monotone_oracle.py MONOTONE_VALUES

Isotonic regression is a least-squares problem whose steps are not negative, which scipy.optimize.nnls
solves; the cubic is scipy's PchipInterpolator. Both must agree within 1e-9 of the largest value.
"""
import subprocess
import sys

try:
    import numpy
    from scipy.interpolate import PchipInterpolator
    from scipy.optimize import nnls
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MOST = 1e-9


def isotonic(values, weights):
    """The first value is a step from below all of them."""
    low = values.min() - 1
    roots = numpy.sqrt(weights)
    steps, _ = nnls(numpy.tril(numpy.ones((len(values), len(values)))) * roots[:, None], (values - low) * roots)
    return numpy.cumsum(steps) + low


def cases(lot):
    """(line of input, expected values)"""
    def text(numbers):
        return " ".join(f"{number:.17g}" for number in numbers)
    for count in (1, 2, 3, 5, 9, 33, 40):
        for noise in (0, 0.5, 3, 50):
            values = numpy.linspace(0, 100, count) + lot.normal(0, noise, count)
            if noise == 3:
                values = numpy.round(values)  # ties
            weights = lot.integers(1, 5, count).astype(float)
            yield f"isotonic {count} {text(values)} {text(weights)}", isotonic(values, weights)
    for count in (2, 3, 4, 9, 33, 100):
        for kind in range(4):
            x = numpy.cumsum(lot.uniform(1e-3, 5, count))
            y = numpy.cumsum(lot.uniform(0, 1, count) * (lot.uniform(size=count) > 0.3 * kind))
            if kind == 3:
                y = lot.normal(size=count)  # also falling
            places = lot.uniform(x[0], x[-1], 200)
            yield (f"cubic {count} {text(x)} {text(y)} {len(places)} {text(places)}",
                   PchipInterpolator(x, y)(places))


def main():
    wanted = list(cases(numpy.random.default_rng(7)))
    given = subprocess.run([sys.argv[1]], input="\n".join(line for line, _ in wanted), text=True, check=True,
                           capture_output=True).stdout.splitlines()
    wrong, worst = 0, 0.0
    for (line, expected), found in zip(wanted, given, strict=True):
        error = numpy.abs(numpy.array(found.split(), float) - expected).max() / max(1, numpy.abs(expected).max())
        worst = max(worst, error)
        if not error <= MOST:
            wrong += 1
            print(f"differs by {error:.3g}: {line[:70]}")
    print(f"{len(wanted)} cases, largest difference {worst:.2g}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
