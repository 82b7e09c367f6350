#!/usr/bin/env python3
"""Compares a program that scales a plane of samples with exact arithmetic in plain Python.

Samples are ink15: integers from 0 (paper) to 32640 (solid).  The program is run as

    PROGRAM WIDTH HEIGHT PX QX PY QY FILTER BAND_ROWS THREADS < samples > samples

with samples of 16 bits in native byte order, row by row.  A page of WIDTH x HEIGHT samples becomes
a plate PX/QX times as wide and PY/QY times as high.  The bands and the threads that the program
computes the plate with must not change a sample.

The exit status is 0 only when every sample of every case is equal.
"""

import argparse
import array
import itertools
import math
import pathlib
import random
import subprocess
import sys
import time
from fractions import Fraction
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import effort  # noqa: E402  (it lies there)

SOLID = 32640
ONE = 16384  # the sum of the weights of linear and cubic
FILTERS = ("nearest", "linear", "cubic", "area")
MESSAGES = 20  # differing cases reported in full
TIMEOUT = 600  # seconds for one run of the program
LEVEL = 128  # one level of 8 bits in ink15
PILLOW_LIMIT = 1.5  # levels of 255


class Ratio(NamedTuple):
    """Plate over page, in lowest terms."""

    p: int
    q: int

    def __str__(self):
        return f"{self.p}/{self.q}"


class Case(NamedTuple):
    """One page, to be scaled with every filter."""

    width: int
    height: int
    across: Ratio
    down: Ratio
    kind: str

    def __str__(self):
        page = f"page {self.width} x {self.height} ({self.kind})"
        return f"{page}, ratios {self.across} across, {self.down} down"


# ---- The definition ----


def plate_length(length, ratio):
    p, q = ratio
    return max(1, (length * p + q // 2) // q)


def clamp(value, low, high):
    return min(max(value, low), high)


def round_half_away(value):
    """The integer nearest to a Fraction, a half away from zero."""
    magnitude = math.floor(abs(value) + Fraction(1, 2))
    return magnitude if value >= 0 else -magnitude


def keys_kernel(t):
    """Keys' cubic kernel with a = -1/2 (Catmull-Rom)."""
    a = Fraction(-1, 2)
    t = abs(t)
    if t <= 1:
        return (a + 2) * t**3 - (a + 3) * t**2 + 1
    if t < 2:
        return a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
    return Fraction(0)


def tent_kernel(t):
    return max(Fraction(0), 1 - abs(t))


KERNELS = {"linear": (tent_kernel, range(0, 2)), "cubic": (keys_kernel, range(-1, 3))}


def integer_weights(exact):
    """Rounded weights, the first of the largest corrected so that they sum to ONE."""
    weights = [round_half_away(ONE * weight) for weight in exact]
    weights[weights.index(max(weights))] += ONE - sum(weights)
    return weights


def kernel_taps(name, length, ratio):
    """For each plate sample of a line, the page samples it takes and their weights."""
    p, q = ratio
    kernel, offsets = KERNELS[name]
    taps = []
    for x in range(plate_length(length, ratio)):
        centre = Fraction((2 * x + 1) * q - p, 2 * p)
        first = math.floor(centre)
        weights = integer_weights([kernel(centre - (first + k)) for k in offsets])
        taps.append([(clamp(first + k, 0, length - 1), w) for k, w in zip(offsets, weights)])
    return taps


def nearest_taps(length, ratio):
    """The page sample that each plate sample takes; the last one goes on beyond the page."""
    p, q = ratio
    plate = range(plate_length(length, ratio))
    return [min((2 * x + 1) * q // (2 * p), length - 1) for x in plate]


def area_taps(length, ratio):
    """For each plate sample of a line, the page samples it covers and by how much."""
    p, q = ratio
    taps = []
    for x in range(plate_length(length, ratio)):
        begin, end = x * q, (x + 1) * q
        covered = range(begin // p, (end - 1) // p + 1)
        taps.append([(min(i, length - 1), min(end, (i + 1) * p) - max(begin, i * p)) for i in covered])
    return taps


def transpose(rows):
    return list(zip(*rows))


def sum_line(line, taps):
    return [sum(w * line[i] for i, w in sample) for sample in taps]


def filter_line(line, taps):
    return [clamp((total + ONE // 2) // ONE, 0, SOLID) for total in sum_line(line, taps)]


def scale_both(rows, taps_across, taps_down, line_function):
    """Applies a function of a line to the rows and then to the columns of the result."""
    wide = [line_function(row, taps_across) for row in rows]
    return transpose([line_function(column, taps_down) for column in transpose(wide)])


def scale_nearest(rows, across, down):
    xs = nearest_taps(len(rows[0]), across)
    ys = nearest_taps(len(rows), down)
    return [[rows[y][x] for x in xs] for y in ys]


def scale_area(rows, across, down):
    sums = scale_both(rows, area_taps(len(rows[0]), across), area_taps(len(rows), down), sum_line)
    whole = across.q * down.q
    return [[(total + whole // 2) // whole for total in row] for row in sums]


def scale(rows, across, down, name):
    """The plate, as rows of samples."""
    if name == "nearest":
        return scale_nearest(rows, across, down)
    if name == "area":
        return scale_area(rows, across, down)
    taps_across = kernel_taps(name, len(rows[0]), across)
    taps_down = kernel_taps(name, len(rows), down)
    return scale_both(rows, taps_across, taps_down, filter_line)


# ---- The program ----


def run_program(program, rows, across, down, name, band_rows, threads):
    """The samples that the program writes, or a RuntimeError."""
    numbers = (len(rows[0]), len(rows), *across, *down)
    command = [program, *map(str, numbers), name, str(band_rows), str(threads)]
    samples = array.array("H", itertools.chain.from_iterable(rows))
    try:
        done = subprocess.run(command, input=samples.tobytes(), capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"no end within {TIMEOUT} s: {' '.join(command)}") from None
    if done.returncode != 0:
        text = done.stderr.decode(errors="replace").strip()
        raise RuntimeError(f"exit status {done.returncode}: {' '.join(command)}: {text}")
    if len(done.stdout) % 2:
        raise RuntimeError(f"an odd number of bytes: {' '.join(command)}")
    result = array.array("H")
    result.frombytes(done.stdout)
    return result


def difference(expected, actual, width):
    """None when the samples are equal, otherwise what differs."""
    if len(expected) != len(actual):
        return f"{len(actual)} samples instead of {len(expected)}"
    if expected == actual:
        return None
    places = [i for i, (want, got) in enumerate(zip(expected, actual)) if want != got]
    y, x = divmod(places[0], width)
    want, got = expected[places[0]], actual[places[0]]
    return (f"{len(places)} of {len(expected)} samples differ, "
            f"first at x {x}, y {y}: expected {want}, program {got}")


# ---- Pages and cases ----


def noise_sample(rng):
    return rng.choice((0, SOLID)) if rng.random() < 0.6 else rng.randint(0, SOLID)


def make_page(kind, width, height, seed):
    rng = random.Random(seed)
    samplers = {
        "noise": lambda: noise_sample(rng),
        "extremes": lambda: rng.choice((0, SOLID)),
        "solid": lambda: SOLID,
    }
    return [[samplers[kind]() for _ in range(width)] for _ in range(height)]


def plate_samples(case):
    return plate_length(case.width, case.across) * plate_length(case.height, case.down)


SAME_RATIOS = [
    Ratio(8, 1), Ratio(127, 15), Ratio(3, 2), Ratio(1, 3), Ratio(1, 16), Ratio(32, 1), Ratio(1, 1)
]
MIXED_RATIOS = [
    (Ratio(8, 1), Ratio(1, 3)),
    (Ratio(1, 16), Ratio(32, 1)),
    (Ratio(127, 15), Ratio(3, 2)),
    (Ratio(1, 1), Ratio(127, 15)),
    (Ratio(3, 2), Ratio(1, 1)),
    (Ratio(257, 4096), Ratio(4095, 4096)),  # the largest sums of area
    (Ratio(4096, 4095), Ratio(4096, 129)),
]
RATIO_PAIRS = [(ratio, ratio) for ratio in SAME_RATIOS] + MIXED_RATIOS
SIZES = [(1, 1), (1, 7), (9, 1), (3, 2), (5, 4), (8, 8), (13, 11), (20, 16)]
MORE_SIZES = [(2, 1), (1, 2), (1, 40), (70, 1), (33, 3), (64, 5), (61, 47), (600, 40), (37, 301)]
MORE_RATIO_PAIRS = [
    (Ratio(1, 2), Ratio(1, 2)),
    (Ratio(1, 4), Ratio(2, 3)),
    (Ratio(1, 16), Ratio(1, 15)),
    (Ratio(257, 4096), Ratio(257, 4096)),
    (Ratio(4095, 4096), Ratio(4095, 4096)),
    (Ratio(2, 1), Ratio(4, 1)),
    (Ratio(16, 1), Ratio(1, 16)),
    (Ratio(4096, 129), Ratio(1, 2)),
]


def combine(sizes, pairs, most_samples):
    """A case for each size and pair of ratios whose plate is not too large."""
    kinds = itertools.cycle(("noise", "extremes", "noise", "noise", "solid"))
    cases = [Case(w, h, across, down, next(kinds)) for w, h in sizes for across, down in pairs]
    return [case for case in cases if plate_samples(case) <= most_samples]


def random_ratio(rng):
    """Any allowed ratio, its logarithm about even."""
    while True:
        value = Fraction(2 ** rng.uniform(-4, 5)).limit_denominator(rng.choice((3, 20, 300, 4096)))
        if value.numerator <= 4096 and Fraction(1, 16) <= value <= 32:
            return Ratio(value.numerator, value.denominator)


def random_cases(count, most_samples):
    rng = random.Random(15)
    cases = []
    while len(cases) < count:
        size = (rng.randint(1, 80), rng.randint(1, 60))
        case = Case(*size, random_ratio(rng), random_ratio(rng), rng.choice(("noise", "extremes")))
        if plate_samples(case) <= most_samples:
            cases.append(case)
    return cases


def width_cases():
    """Every small width, for programs that take several samples at a time."""
    pairs = [(Ratio(1, 1), Ratio(3, 2)), (Ratio(127, 15), Ratio(1, 1)), (Ratio(1, 3), Ratio(3, 2))]
    return [Case(width, 3, *pair, "noise") for width in range(1, 50) for pair in pairs]


def default_cases():
    return combine(SIZES, RATIO_PAIRS, effort.choose(6000, 24000))


def whole_cases():
    cases = combine(SIZES + MORE_SIZES, RATIO_PAIRS + MORE_RATIO_PAIRS, 60000)
    return cases + width_cases() + random_cases(200, 40000)


def band_settings(bands):
    """Pairs of rows in a band and threads; 0 stands for all the rows."""
    return list(itertools.product(bands, range(1, 9)))


# ---- The comparison ----


class Tally:
    def __init__(self):
        self.cases = 0
        self.runs = 0
        self.samples = 0
        self.failures = 0

    def fail(self, text):
        self.failures += 1
        if self.failures <= MESSAGES:
            print(f"DIFFERS: {text}")


def compare_filter(program, case, rows, name, settings, tally):
    """Compares one filter with the oracle, once for each of the settings."""
    plate = scale(rows, case.across, case.down, name)
    width, height = len(plate[0]), len(plate)
    expected = array.array("H", itertools.chain.from_iterable(plate))
    tally.cases += 1
    for band, threads in settings:
        band_rows = band or height
        tally.runs += 1
        tally.samples += len(expected)
        try:
            actual = run_program(program, rows, case.across, case.down, name, band_rows, threads)
            problem = difference(expected, actual, width)
        except RuntimeError as error:
            problem = str(error)
        if problem:
            tally.fail(f"{name}, {case}, plate {width} x {height}, bands of {band_rows}, "
                       f"{threads} threads: {problem}")


def compare_cases(program, cases, settings, runs_each):
    """Compares every filter for every case, each with runs_each of the settings."""
    rng = random.Random(1)
    tally = Tally()
    for seed, case in enumerate(cases):
        rows = make_page(case.kind, case.width, case.height, seed)
        for name in FILTERS:
            compare_filter(program, case, rows, name, rng.sample(settings, runs_each), tally)
    return tally


def expect(what, actual, wanted):
    if actual != wanted:
        raise SystemExit(f"the oracle itself is wrong: {what}: {actual} instead of {wanted}")


def check_oracle():
    """Values worked out by hand, and a comparison that must fail."""
    half, third, same, double = Ratio(1, 2), Ratio(1, 3), Ratio(1, 1), Ratio(2, 1)
    expect("lengths", [plate_length(n, third) for n in range(1, 6)], [1, 1, 1, 1, 2])
    expect("length of a half", [plate_length(n, half) for n in range(1, 6)], [1, 1, 2, 2, 3])
    expect("rounding", [round_half_away(Fraction(n, 4)) for n in (-6, -5, 2, 5)], [-2, -1, 1, 1])
    exact = [keys_kernel(Fraction(n, 2)) for n in (-3, -1, 1, 3)]
    expect("cubic at a half", integer_weights(exact), [-1024, 9216, 9216, -1024])
    # 1/3: -2/27, 7/9, 1/3, -1/27 of 16384 sum to 16383 when rounded.
    exact = [keys_kernel(Fraction(n, 3)) for n in (-4, -1, 2, 5)]
    expect("cubic at a third", integer_weights(exact), [-1214, 12744, 5461, -607])
    expect("nearest", scale([[1, 2, 3]], half, same, "nearest"), [[2, 3]])
    expect("linear", scale([[0, 400]], double, same, "linear"), [(0, 100, 300, 400)])
    # The quarter weights of cubic are -9/128, 111/128, 29/128 and -3/128.
    expect("cubic", scale([[128, 256, 384]], double, same, "cubic"), [(119, 151, 221, 291, 361, 393)])
    expect("overshoot", scale([[0, SOLID]], double, same, "cubic"), [(0, 6630, 26010, SOLID)])
    expect("area", scale([[0, 3, 0], [1, 1, 9]], half, half, "area"), [[1, 5]])
    expect("area, larger", scale([[0, 7]], Ratio(3, 2), same, "area"), [[0, 4, 7]])
    changed = difference(array.array("H", (5, 6, 7, 8)), array.array("H", (5, 6, 9, 8)), 2)
    wanted = "1 of 4 samples differ, first at x 0, y 1: expected 7, program 9"
    expect("a changed sample", changed, wanted)


# ---- Pillow ----


def soft_picture(width, height):
    """Rows of levels from 0 to 255: slow waves."""
    def level(x, y):
        return 127.5 + 70 * math.sin(x / 4.1 + 0.3) * math.cos(y / 5.3) + 55 * math.sin((x + 2 * y) / 9.7)
    return [[clamp(round(level(x, y)), 0, 255) for x in range(width)] for y in range(height)]


def ramp_picture(width, height):
    last = width + height - 2
    return [[round(255 * (x + y) / last) for x in range(width)] for y in range(height)]


def inside(length, plate, ratio, edge=4):
    """The plate samples whose centres lie more than edge page samples inside the page."""
    centres = (Fraction((2 * x + 1) * ratio.q, 2 * ratio.p) for x in range(plate))
    return [x for x, centre in enumerate(centres) if edge < centre < length - edge]


def pillow_differences(program, image_module, picture, ratio, name, resample):
    """Differences in levels of 255 between the program and Pillow, inside the picture."""
    height, width = len(picture), len(picture[0])
    plate_width, plate_height = plate_length(width, ratio), plate_length(height, ratio)
    rows = [[LEVEL * level for level in row] for row in picture]
    ours = run_program(program, rows, ratio, ratio, name, plate_height, 1)
    image = image_module.new("L", (width, height))
    image.putdata(list(itertools.chain.from_iterable(picture)))
    theirs = image.resize((plate_width, plate_height), resample).tobytes()
    if len(ours) != len(theirs):
        raise RuntimeError(f"{len(ours)} samples instead of {len(theirs)}")
    xs, ys = inside(width, plate_width, ratio), inside(height, plate_height, ratio)
    places = [y * plate_width + x for y in ys for x in xs]
    return [abs(ours[i] / LEVEL - theirs[i]) for i in places]


def compare_pillow(program):
    """Prints the differences from Pillow; True when none is too large."""
    from PIL import Image

    width, height = 120, 60  # multiples of every denominator, so that Pillow's ratio is the same
    pictures = {"ramp": ramp_picture(width, height), "soft": soft_picture(width, height)}
    cubic = [(Ratio(8, 1), "cubic", Image.BICUBIC), (Ratio(127, 15), "cubic", Image.BICUBIC),
             (Ratio(3, 2), "cubic", Image.BICUBIC)]
    area = [(Ratio(1, 3), "area", Image.BOX), (Ratio(1, 4), "area", Image.BOX)]
    good = True
    for (kind, picture), (ratio, name, resample) in itertools.product(pictures.items(), cubic + area):
        found = pillow_differences(program, Image, picture, ratio, name, resample)
        largest, mean = max(found), sum(found) / len(found)
        verdict = "" if largest <= PILLOW_LIMIT else "  TOO LARGE"
        good = good and not verdict
        print(f"Pillow, {kind}, {name} {ratio}: largest {largest:.3f}, mean {mean:.3f} levels "
              f"over {len(found)} samples{verdict}")
    return good


def main():
    parser = argparse.ArgumentParser(description="Compare a scaling program with exact arithmetic.")
    parser.add_argument("program", help="the program to test")
    parser.add_argument("--whole", action="store_true", help="more cases: about two minutes")
    parser.add_argument("--pillow", action="store_true", help="compare with Pillow too")
    arguments = parser.parse_args()
    check_oracle()
    start = time.monotonic()
    if arguments.whole:
        tally = compare_cases(arguments.program, whole_cases(), band_settings((1, 2, 3, 7, 16, 0)), 3)
    else:
        tally = compare_cases(arguments.program, default_cases(), band_settings((1, 3, 0)), 2)
    seconds = time.monotonic() - start
    if tally.failures > MESSAGES:
        print(f"... and {tally.failures - MESSAGES} more")
    print(f"{tally.cases} cases in {tally.runs} runs, {tally.samples} samples compared, "
          f"{tally.failures} runs differ ({seconds:.1f} s); {effort.form()}")
    good = tally.failures == 0
    if arguments.pillow:
        try:
            good = compare_pillow(arguments.program) and good
        except ImportError:
            parser.error("Pillow is not importable here")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
