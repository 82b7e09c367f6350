#!/usr/bin/env python3
"""Solid discs and bars of 0.3 to 3 px, scaled by `edges` and by `cubic`: where their contours are, and their ink.

usage: discs_and_bars.py SCALE_SAMPLES

Pages of 300 dpi have discs at many places, and bars of 20 px at many angles and places. A pixel has the area that is
covered, in 8 bits. The plates have 2400 dpi and are not screened; their contour is where they have half ink.

  contour   RMS distance in um between the contours of plate and shape, from either to the nearest of the other
  ink       ink of the plates against that of the shapes, difference in %
  spread    RMS difference of the ink of single shapes, %
  lost      shapes without a contour on the plate, %; their distances do not count

The aim is a contour of at most 10 um, ink within 2 % and no shape lost. AIM_FROM has the widths that reach it with
`edges`. Ends with 1 where one of those misses it.
"""
import pathlib
import subprocess
import sys
from typing import NamedTuple

try:
    import numpy
    from scipy.spatial import cKDTree
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy and python3-scipy")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import effort  # noqa: E402  (it lies there)

SOLID = 32640  # ink15
TIMES = 8
PIXEL = 25400 / 300  # um of the page
LENGTH = 20  # px of a bar
LINES = 64  # of a pixel, whose lengths in a shape are exact
STEP = 0.1  # px between points of a true contour
WIDTHS = [tenths / 10 for tenths in range(3, 31, 3)]
MOST_CONTOUR, MOST_INK = 10, 2  # um and %
AIM_FROM = {"bars": 0.9, "discs": 2.4}  # px


# Shapes ---------------------------------------------------------------------------------------

class Shapes(NamedTuple):
    """Rectangles or discs in squares of a page; all arrays have one value a shape, lengths are px of the page."""
    x: numpy.ndarray  # of the middle
    y: numpy.ndarray
    width: float
    angle: numpy.ndarray | None = None  # of a bar, radians
    side: int = 14  # of the squares

    def columns(self):
        return int(numpy.ceil(numpy.sqrt(len(self.x))))

    def span(self, y):
        """Where the shapes begin and end on lines; nowhere if they end before they begin."""
        if self.angle is None:
            half = numpy.sqrt(numpy.maximum((self.width / 2)**2 - (y - self.y)**2, 0))
            return self.x - half, self.x + half
        begin, end = numpy.full(y.shape, -numpy.inf), numpy.full(y.shape, numpy.inf)
        cos, sin = numpy.cos(self.angle), numpy.sin(self.angle)
        for half, right, down in ((LENGTH / 2, cos, sin), (self.width / 2, -sin, cos)):
            middle = self.x - (y - self.y) * down / right
            begin = numpy.maximum(begin, middle - half / abs(right))
            end = numpy.minimum(end, middle + half / abs(right))
        return begin, end

    def area(self):
        return numpy.pi * self.width**2 / 4 if self.angle is None else LENGTH * self.width

    def distance(self, which, x, y):
        """Of points from the contour of a shape each."""
        right, down = x - self.x[which], y - self.y[which]
        if self.angle is None:
            return abs(numpy.hypot(right, down) - self.width / 2)
        cos, sin = numpy.cos(self.angle[which]), numpy.sin(self.angle[which])
        along = abs(right * cos + down * sin) - LENGTH / 2
        across = abs(down * cos - right * sin) - self.width / 2
        outside = numpy.hypot(numpy.maximum(along, 0), numpy.maximum(across, 0))
        return outside + abs(numpy.minimum(numpy.maximum(along, across), 0))

    def contour(self, which):
        """Points of a shape's contour."""
        along, across = circle(self.width / 2) if self.angle is None else rectangle(LENGTH / 2, self.width / 2)
        angle = 0 if self.angle is None else self.angle[which]
        cos, sin = numpy.cos(angle), numpy.sin(angle)
        return numpy.stack((self.x[which] + along * cos - across * sin, self.y[which] + along * sin + across * cos),
                           axis=1)


def circle(radius):
    turn = numpy.linspace(0, 2 * numpy.pi, max(8, int(2 * numpy.pi * radius / STEP)), endpoint=False)
    return radius * numpy.cos(turn), radius * numpy.sin(turn)


def rectangle(half_length, half_width):
    along, across = (numpy.arange(-half + STEP / 2, half, STEP) for half in (half_length, half_width))
    ends, sides = (numpy.repeat((-half, half), len(points))
                   for half, points in ((half_length, across), (half_width, along)))
    return numpy.concatenate((along, along, ends)), numpy.concatenate((sides, across, across))


def page_of(shapes):
    """The part of each pixel that is covered, as levels of 8 bits."""
    side, columns = shapes.side, shapes.columns()
    page = numpy.zeros((-(-len(shapes.x) // columns) * side, columns * side))
    pixels = numpy.arange(side)[:, None]
    for line in range(side * LINES):
        own = numpy.arange(len(shapes.x))
        top, left = own // columns * side, own % columns * side
        begin, end = shapes.span(top + (line + 0.5) / LINES)
        covered = numpy.clip(end - left - pixels, 0, 1) - numpy.clip(begin - left - pixels, 0, 1)
        page[top + line // LINES, left + pixels] += numpy.maximum(covered, 0) / LINES
    return numpy.rint(255 * page).astype(numpy.uint16)


def placed(width, count, is_bar):
    """Shapes at places that spread evenly over a pixel; bars are turned evenly."""
    side = LENGTH + 10 if is_bar else 14
    own, columns = numpy.arange(count), int(numpy.ceil(numpy.sqrt(count)))
    x = own % columns * side + side / 2 + own * 0.7548776662 % 1
    y = own // columns * side + side / 2 + own * 0.5698402910 % 1
    angle = numpy.pi * (own + 1 / 3) / count if is_bar else None
    return Shapes(x, y, width, angle, side)


# Measures -------------------------------------------------------------------------------------

def scaled(program, page, name):
    height, width = page.shape
    words = [program, *map(str, (width, height, TIMES, 1, TIMES, 1)), name, "512", "2"]
    done = subprocess.run(words, input=(page * 128).tobytes(), capture_output=True, check=True)
    return numpy.frombuffer(done.stdout, numpy.uint16).reshape(TIMES * height, TIMES * width)


def borders(plate):
    """Middles of the borders between plate pixels of less and more than half ink, px of the page."""
    bits = plate > SOLID / 2
    down, across = numpy.nonzero(bits[1:] != bits[:-1]), numpy.nonzero(bits[:, 1:] != bits[:, :-1])
    return numpy.concatenate((numpy.stack((down[1] + 0.5, down[0] + 1), axis=1),
                              numpy.stack((across[1] + 1, across[0] + 0.5), axis=1))) / TIMES


class Figures(NamedTuple):
    contour: float
    ink: float
    spread: float
    lost: float

    def reach_aim(self):
        return self.contour <= MOST_CONTOUR and abs(self.ink) <= MOST_INK and self.lost == 0


def measure(shapes, plate):
    count, columns, size = len(shapes.x), shapes.columns(), shapes.side * TIMES
    squares = plate.reshape(len(plate) // size, size, columns, size).sum(axis=(1, 3), dtype=numpy.int64).ravel()[:count]
    ink = 100 * (squares / SOLID / TIMES**2 / shapes.area() - 1)
    points = borders(plate)
    of = (points // shapes.side).astype(int) @ (1, columns)
    is_there = numpy.bincount(of, minlength=count) > 0
    lost = 100 * (1 - is_there.mean())
    if not is_there.any():
        return Figures(numpy.nan, ink.mean(), numpy.sqrt(numpy.mean(ink**2)), lost)
    there = shapes.distance(of, points[:, 0], points[:, 1])
    back = cKDTree(points).query(numpy.concatenate([shapes.contour(i) for i in numpy.flatnonzero(is_there)]))[0]
    contour = PIXEL * numpy.sqrt((numpy.mean(there**2) + numpy.mean(back**2)) / 2)
    return Figures(contour, ink.mean(), numpy.sqrt(numpy.mean(ink**2)), lost)


def table(program, name, count):
    """Prints the figures of shapes of all widths; returns whether those of AIM_FROM reach the aim."""
    kept = True
    print(f"{count} {name} of each width: contour, um; ink, spread and lost, %")
    print("   px" + 2 * f"{'contour':>9}{'ink':>8}{'spread':>8}{'lost':>7}" + "\n" + f"{'edges':>14}{'cubic':>32}")
    for width in WIDTHS:
        shapes = placed(width, count, name == "bars")
        page = page_of(shapes)
        edges, cubic = (measure(shapes, scaled(program, page, way)) for way in ("edges", "cubic"))
        is_kept = edges.reach_aim() or width < AIM_FROM[name]
        verdict = "reached" if edges.reach_aim() else "missed" if is_kept else "missed, BUT EXPECTED"
        kept = kept and is_kept
        print(f"{width:5.1f}" + "".join(f"{made.contour:9.2f}{made.ink:+8.2f}{made.spread:8.2f}{made.lost:7.1f}"
                                        for made in (edges, cubic)) + f"  {verdict}")
    return kept


def main():
    kept = [table(sys.argv[1], "bars", effort.choose(18, 240)), table(sys.argv[1], "discs", effort.choose(36, 400))]
    print(effort.form())
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
