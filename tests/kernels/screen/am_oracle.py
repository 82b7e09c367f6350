#!/usr/bin/env python3
"""Compares AM screens with a second making of them, and holds their tints to what is promised.

usage: am_oracle.py PROGRAM

`PROGRAM tile REPEATS M N DOT MINIMUM_DOT` writes a tile, `PROGRAM choose DPI RULING ANGLE` a cell. Here
pixels are looked up one by one in the plane, and the thresholds of a strip are spread over the plane by
the lattice of (m, n) and (-n, m). The order of the cells is the program's, and has an oracle of its own.
"""
import functools
import math
import pathlib
import subprocess
import sys

try:
    import numpy
    import scipy.ndimage
except ImportError as missing:
    print(f"skipped: {missing}; install python3-scipy")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import effort  # noqa: E402  (it lies there)

DOTS = ("round", "euclidean", "ellipse", "diamond", "rhomboid", "square", "cross", "line")
CYAN, MAGENTA, BLACK = (5, 66, 18), (5, 18, 66), (4, 39, 39)  # 2400 dpi, 175 lpi
SMALL = (13, 88, 24)  # 600 dpi, 85 lpi: cells of 7 px


# The definition -------------------------------------------------------------------------------

def spot(dot, x, y, one):
    """PDF's spot functions, of places from -1 to 1, given as whole numbers over `one`; the rhomboid from its
    middle. Values are whole numbers over 180 one^2."""
    x, y = abs(x), abs(y)
    light, dark = one * one - (x * x + y * y), (x - one) ** 2 + (y - one) ** 2 - one * one
    if dot == "round":
        return 180 * light
    if dot == "euclidean":
        return 180 * numpy.where(x + y <= one, light, dark)
    if dot == "ellipse":
        w = 3 * x + 4 * y - 3 * one
        small = 36 * one * one - (9 * x * x + 16 * y * y)
        large = 9 * (one - x) ** 2 + 16 * (one - y) ** 2 - 36 * one * one
        return 5 * numpy.where(w < 0, small, numpy.where(w > one, large, 18 * one * (one - 2 * w)))
    if dot == "diamond":
        line = one * (20 * one - (17 * x + 20 * y))
        return 9 * numpy.where(4 * (x + y) <= 3 * one, 20 * light,
                               numpy.where(100 * (x + y) <= 123 * one, line, 20 * dark))
    if dot == "rhomboid":
        return -9 * one * (9 * x + 10 * y)
    if dot == "square":
        return -180 * one * numpy.maximum(x, y)
    if dot == "cross":
        return -180 * one * numpy.minimum(x, y)
    return -180 * one * y


class Screen:
    """A tile of the program."""

    made = {}

    @classmethod
    def of(cls, program, cell, dot="euclidean", minimum=1):
        words = (program, cell, dot, minimum)
        if words not in cls.made:
            cls.made[words] = cls(*words)
        return cls.made[words]

    def __init__(self, program, cell, dot="euclidean", minimum=1):
        self.minimum, self.dot = minimum, dot
        lines = run(program, "tile", *cell, dot, minimum)
        self.cell = lines[0]
        self.repeats, self.m, self.n = lines[0]
        self.width, self.height, self.shift = lines[1]
        self.ranks, self.thresholds, self.phases = (numpy.array(line) for line in lines[2:])
        self.count = self.m ** 2 + self.n ** 2
        self.side = math.sqrt(self.count) / self.repeats
        check(self.width * self.height == self.count == len(self.ranks), "the tile has its size")

    def tint(self, share):
        """The strip's bits at a share of the ranks."""
        return self.ranks < round(share * self.count)

    def plane(self, values, side):
        """A plane of pixels from the values of a strip."""
        y, x = numpy.mgrid[0:side, 0:side]
        column = (x - y // self.height * self.shift) % self.width
        return values[y % self.height * self.width + column]


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=True)
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def check(holds, promise):
    if not holds:
        sys.exit(f"am_oracle: not so: {promise}")


@functools.cache
def cells(screen, half):
    """Of each pixel of the strip its cell, row by row, and its place in it from -1 to 1, as whole numbers
    over the count of pixels. Cells are moved by half of one where `half`."""
    y, x = numpy.divmod(numpy.arange(screen.count), screen.width)
    across, down = 2 * x + 1, 2 * y + 1  # in halves of pixels
    moved = screen.count if half else 0
    u, a = numpy.divmod((across * screen.m + down * screen.n) * screen.repeats + moved, 2 * screen.count)
    v, b = numpy.divmod((down * screen.m - across * screen.n) * screen.repeats + moved, 2 * screen.count)
    return v % screen.repeats * screen.repeats + u % screen.repeats, a - screen.count, b - screen.count


def in_order(*keys):
    """Where elements go that are sorted by the first key, equal ones by the next, and so on; stable."""
    return numpy.lexsort(keys[::-1])


def keys(screen, order, at):
    """Growth by whole cells: pixels by their number in their cell, and cells in the order of phases. Keys are
    whole numbers over 2 repeats^2; of those that are equal the lower number is first."""
    cell, a, b = at
    sorted_pixels = in_order(cell, order, a * a + b * b, b, a)
    sizes = numpy.bincount(cell)
    number = numpy.empty(screen.count, int)
    number[sorted_pixels] = numpy.arange(screen.count) - numpy.repeat(numpy.cumsum(sizes) - sizes, sizes)
    share = 2 * screen.phases[cell] + 1
    whole = 2 * screen.repeats ** 2
    return numpy.where(number < screen.minimum, share * screen.minimum, number * whole + share), number


def ranks(screen):
    """The definition of am_tile.h, by sorting exact numbers."""
    cell, a, b = dots = cells(screen, False)
    values = spot(screen.dot, a, b, screen.count)
    zone = screen.count * 42 // 100 if screen.side >= 10 else screen.count // 2
    order = in_order(*keys(screen, -values, dots))
    first, rest = order[:zone], order[zone:]
    rest = rest[in_order(*(key[rest] for key in keys(screen, values, cells(screen, True))))]
    last, middle = rest[:zone][::-1], rest[zone:]
    by_spot = in_order(*(key[middle] for key in (-values, a * a + b * b, b, a, screen.phases[cell])))
    found = numpy.empty(screen.count, int)
    found[numpy.concatenate([first, middle[by_spot], last])] = numpy.arange(screen.count)
    return found


def thresholds(screen):
    """Half a group of pixels below the share at which it takes ink."""
    found = []
    whole = screen.minimum * screen.repeats ** 2
    for rank in screen.ranks.tolist():
        low, high = rank, rank + 1
        if rank < whole:
            low = rank - rank % screen.minimum
            high = low + screen.minimum
        elif screen.count - rank <= whole:
            high = screen.count - (screen.count - high) // screen.minimum * screen.minimum
            low = high - screen.minimum
        found.append((low + high) * 4096 // (2 * screen.count))
    return found


# The tests ------------------------------------------------------------------------------------

def test_ranks(program):
    cases = [(((3, 14, 5), (2, 9, 9))[i % 2], dot, 1) for i, dot in enumerate(DOTS)]
    cases += [(CYAN, "euclidean", 1), (BLACK, "round", 9)]
    cases += [(SMALL, "round", 1), (SMALL, "diamond", 5), ((8, 66, 0), "square", 16)]
    cases += [((8, -52, 43), "ellipse", 1), ((1, 5, 5), "line", 12), ((8, -65, 0), "cross", 2)]
    cases = effort.choose([*cases[:len(DOTS)], cases[-2]], cases)  # the small ones
    for cell, dot, minimum in cases:
        screen = Screen.of(program, cell, dot, minimum)
        what = f"{cell} {dot} minimum_dot {minimum}"
        check((ranks(screen) == screen.ranks).all(), f"the ranks of {what} are those defined")
        check(thresholds(screen) == screen.thresholds.tolist(), f"the thresholds of {what}")
    return len(cases)


def test_lattice(program):
    """Of a plane: it repeats by (m, n) and (-n, m), and a repeat has each rank once."""
    for cell in (CYAN, BLACK, (11, 151, 0), (8, -52, 43), (9, -52, 193)):
        screen = Screen.of(program, cell)
        reach = abs(screen.m) + abs(screen.n)
        plane = screen.plane(screen.ranks, 2 * reach)
        for x, y in ((screen.m, screen.n), (-screen.n, screen.m)):
            here = plane[max(0, -y):2 * reach - max(0, y), max(0, -x):2 * reach - max(0, x)]
            there = plane[max(0, y):2 * reach + min(0, y), max(0, x):2 * reach + min(0, x)]
            check((here == there).all(), f"{cell} repeats after ({x}, {y})")
        check((numpy.sort(screen.ranks) == numpy.arange(screen.count)).all(), "ranks are an order")


def test_even_cells(program):
    for cell in (CYAN, MAGENTA, BLACK):
        screen = Screen.of(program, cell)
        of_dot, of_hole = cells(screen, False)[0], cells(screen, True)[0]
        for percent in effort.choose((1, 7, 20, 41), range(1, 42)):
            ink = screen.tint(percent / 100)
            sizes = numpy.bincount(of_dot[ink], minlength=screen.repeats ** 2)
            check(numpy.ptp(sizes) <= 1, f"{cell} at {percent} %: dots differ by a pixel at most")
            paper = ~screen.tint(1 - percent / 100)
            sizes = numpy.bincount(of_hole[paper], minlength=screen.repeats ** 2)
            check(numpy.ptp(sizes) <= 1, f"{cell} at {100 - percent} %: so do holes")


def spectrum(screen, strip):
    """The Fourier coefficients of the endless plane, and their frequencies across and down."""
    rows = numpy.fft.fft(strip.reshape(screen.height, screen.width), axis=1)
    x, y = numpy.arange(screen.width), numpy.arange(screen.height)[:, None]
    slant = x * screen.shift / screen.width  # of a strip against the one above it
    rows = rows * numpy.exp(2j * numpy.pi * slant * y / screen.height)
    found = numpy.fft.fft(rows, axis=0) / screen.count
    across = numpy.broadcast_to(x / screen.width, found.shape)
    down = (y - slant) / screen.height
    return found, (across + 0.5) % 1 - 0.5, (down + 0.5) % 1 - 0.5


def unevenness(screen, strip):
    """The RMS, of 255, of what lies below 0.7 of the frequency of the screen."""
    found, across, down = spectrum(screen, strip.astype(float))
    distance = numpy.hypot(across, down) * screen.side
    return 255 * math.sqrt((abs(found[(distance > 1e-9) & (distance < 0.7)]) ** 2).sum())


def plain_ranks(screen):
    """Pixels sorted by the spot function alone."""
    _, a, b = cells(screen, False)
    found = numpy.empty(screen.count, int)
    found[numpy.argsort(-spot(screen.dot, a, b, screen.count), kind="stable")] = numpy.arange(screen.count)
    return found


def test_even_tints(program):
    """Against plain sorting, the customary way."""
    print("unevenness and, by plain sorting, at 2 5 10 25 40 50 60 75 93 98 %")
    for cell in (CYAN, MAGENTA, BLACK):
        screen = Screen.of(program, cell)
        plain = plain_ranks(screen)
        figures = {}
        for percent in (2, 5, 10, 25, 40, 50, 60, 75, 93, 98):
            ours = unevenness(screen, screen.tint(percent / 100))
            theirs = unevenness(screen, plain < round(percent / 100 * screen.count))
            figures[percent] = (ours, theirs)
            check(ours <= 1.02 * theirs, f"{cell} at {percent} % is no less even")
        for percent, most in ((10, 0.5), (25, 0.65), (75, 0.75)):
            if cell != BLACK:
                most = min(most, 0.37)
            ours, theirs = figures[percent]
            check(ours <= most * theirs, f"{cell} at {percent} % is more even")
        print(f"{cell}:", "  ".join(f"{a:.2f} ({b:.2f})" for a, b in figures.values()))


def test_frequencies(program):
    """The ruling and the angle, measured in a tint of 30 % of 2048 px a side."""
    side = 2048
    window = numpy.blackman(side)
    cases = ((2400, 175, 15), (2400, 133, 75), (2540, 150, 45), (1200, 100, 7.5))
    for dpi, ruling, angle in effort.choose(cases[-1:], cases):
        repeats, m, n = run(program, "choose", dpi, ruling, angle)[0]
        screen = Screen.of(program, (repeats, m, n))
        plane = screen.plane(screen.tint(0.3).astype(float), side) - 0.3
        plane *= window[:, None] * window
        x, y = peak(plane, repeats * m / (m * m + n * n), repeats * n / (m * m + n * n))
        found_ruling, found_angle = dpi * math.hypot(x, y), math.degrees(math.atan2(y, x))
        designed_ruling = dpi * repeats / math.hypot(m, n)
        designed_angle = math.degrees(math.atan2(n, m))
        print(f"{dpi} dpi: {found_ruling:.4f} lpi at {found_angle:.4f} degrees, designed "
              f"{designed_ruling:.4f} at {designed_angle:.4f}, wanted {ruling} at {angle}")
        check(abs(found_ruling - designed_ruling) < 0.001, "the ruling is the one designed")
        check(abs(found_angle - designed_angle) < 0.001, "the angle is the one designed")


def peak(plane, x, y):
    """The frequency near (x, y) at which a plane is strongest, by direct Fourier sums."""
    side = numpy.arange(len(plane))
    step = 0.2 / len(plane)

    @functools.lru_cache(4)
    def of_rows(x):
        """In two real products: a complex one would copy the plane each time."""
        return plane @ numpy.cos(2 * numpy.pi * x * side) - 1j * (plane @ numpy.sin(2 * numpy.pi * x * side))

    def power(x, y):
        return abs(of_rows(x) @ numpy.exp(-2j * numpy.pi * y * side))

    while step > 1e-9:
        around = [(power(x + i * step, y + j * step), x + i * step, y + j * step)
                  for i in (-1, 0, 1) for j in (-1, 0, 1)]
        _, best_x, best_y = max(around)
        if (best_x, best_y) == (x, y):
            step /= 2
        x, y = best_x, best_y
    return x, y


def smallest(bits):
    """Pixels of the smallest group that touches no edge of the plane."""
    labels, count = scipy.ndimage.label(bits, numpy.ones((3, 3)))
    edges = numpy.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    sizes = numpy.bincount(labels.ravel(), minlength=count + 1)
    inside = numpy.setdiff1d(numpy.arange(1, count + 1), edges)
    return sizes[inside].min()


def test_minimum_dot(program):
    """40 tints: dots of 0.5 to 5 % and holes of 95 to 99.5 %, through the thresholds of the tile. Those
    whose dots are larger on average have no smaller ones."""
    tones = [round(4096 * share / 1000) for share in numpy.linspace(5, 50, effort.choose(4, 20))]
    screens = ((CYAN, 4), (CYAN, 9), (CYAN, 16), (BLACK, 9), (SMALL, 4))
    for cell, minimum in effort.choose(screens[-2:], screens):
        screen = Screen.of(program, cell, minimum=minimum)
        for tone in tones:
            for whole, is_dot in ((tone, True), (4096 - tone, False)):
                ink = whole > screen.thresholds
                check(abs(ink.mean() - whole / 4096) < 0.001, f"{cell} covers {whole}/4096")
                plane = screen.plane(ink == is_dot, 700)
                found, mean = smallest(plane), tone / 4096 * screen.side ** 2
                what = f"{cell} at {whole}/4096: the smallest of {found} px"
                check(found == minimum if mean < minimum else found >= int(mean), what)


def main():
    program, = sys.argv[1:]
    count = test_ranks(program)
    test_lattice(program)
    test_even_cells(program)
    test_even_tints(program)
    test_frequencies(program)
    test_minimum_dot(program)
    print(f"{count} screens equal, 0 differing; {effort.form()}")


main()
