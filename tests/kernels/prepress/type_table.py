#!/usr/bin/env python3
"""How near plates scaled by `edges` come to the truth: type, line work and codes from contone pages.

usage: type_table.py PROGRAM [FOLDER]

Ghostscript draws panels of type (type_page.py) at 12000 dpi. Their truth and their contone pages of 150 to
1200 dpi are made of that. The program scales the pages to 2400 dpi by `cubic`, `nearest` and `edges`, and
screens them and the truth by the same AM screen, so that plates can be compared pixel by pixel. The column
`gs` is the panel that Ghostscript draws at 2400 dpi itself, screened alike.

The long form measures all panels and prints the table:

  wrong     plate pixels that differ from the truth's plate, % of the panel, mean over its inks
  contour   RMS distance in um between the contours of plate and truth, from either to the nearest of the other
  ink       pixels of ink on the plate against the truth's plate, difference in %
  fringe    pixels of colour more than one pixel outside the black, ppm of the panel
  codes     bar codes that zbar reads from the plate, of 10
  OCR       wrong characters by tesseract, %; the plate reduced to 600 dpi

q80 and q90 are pages that were compressed by JPEG. The truth of `stipple`, dots of a pixel and of 2 x 2, is the page.

Ends with 1 unless black type of 6 to 18 pt has, at 300 and at 600 dpi, at most 0.2 of the wrong pixels that
`cubic` has. That of type of 4 and 5 pt (`small`) is printed alone. The long form prints which panels have more wrong
pixels by `edges` than by `cubic`, and ends with 1 if one of NO_WORSE has at 300 or 600 dpi. Plates of the last panel
stay in FOLDER, if given.
"""
import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image
    from scipy.ndimage import binary_dilation
    from scipy.spatial import cKDTree
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy, python3-pil and python3-scipy")
    sys.exit(77)

import type_page  # noqa: E402  (needs NumPy)
from type_page import FINE, PLATE  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import effort  # noqa: E402  (it lies there)

try:
    from pyzbar import pyzbar
except ImportError:
    pyzbar = None
NO_CODES = None if pyzbar and shutil.which("qrencode") else "python3-pyzbar or qrencode is not installed"
NO_OCR = None if shutil.which("tesseract") else "tesseract-ocr is not installed"

RESOLUTIONS = (150, 200, 300, 400, 600, 1200)
FILTERS = ("cubic", "nearest", "edges")
BOUND = 0.2  # of cubic's wrong pixels
BOUND_AT = (300, 600)  # dpi
NO_WORSE = ("grey", "grey q90", "black q80", "tint q80", "grey q80", "stipple")
MOST_POINTS = 60_000  # of a contour, whose distances are measured
INKS = ("cyan", "magenta", "yellow", "black")
UM = 25400


# Plates ---------------------------------------------------------------------------------------

class Maker:
    """Makes plates of tones by the program."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def plates(self, tones, dpi, scale=None, quality=None):
        """Bits of the planes, true is ink; `tones` is an array (planes, rows, columns) of 0 to 1. With a quality, the
        page is compressed by JPEG."""
        samples = numpy.rint(255 * tones).astype(numpy.uint8)
        image = Image.fromarray(255 - samples[0]) if len(samples) == 1 \
            else Image.fromarray(numpy.ascontiguousarray(numpy.moveaxis(samples, 0, -1)), "CMYK")
        coded = {"compression": "jpeg", "quality": quality} if quality else {}
        image.save(self.folder / "page.tif", dpi=(dpi, dpi), **coded)
        command = [self.program, "halftone", "-q", self.folder / "page.tif", self.folder / "plate_{ink}.tif",
                   "--method", "am", "--ruling", "175", "--compression", "none", "--force", "--engine", "cpu",
                   "--resolution", str(PLATE), *(["--scale", scale] if scale else [])]
        done = subprocess.run(command, capture_output=True, text=True)  # it warns that 150 and 200 dpi are little
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        inks = INKS if len(samples) == 4 else INKS[3:]
        return [~numpy.asarray(Image.open(self.folder / f"plate_{ink}.tif")) for ink in inks]


class Scene:
    """A drawing: what is ink, at 12000 dpi and as Ghostscript draws it at 2400 dpi."""

    def __init__(self, drawing, folder):
        self.fine = type_page.draw(drawing, FINE, folder)
        self.by_ghostscript = type_page.draw(drawing, PLATE, folder)
        self.truth = type_page.box_means(self.fine, FINE // PLATE) > 0.5

    def plates(self, maker, panel, filters=FILTERS, resolutions=RESOLUTIONS):
        """The truth's plates, then name, dpi and plates of each way to make them."""
        def paint(share, dpi):
            return panel.paint(share.astype(float), dpi)
        yield "truth", PLATE, maker.plates(paint(self.truth, PLATE), PLATE)
        for dpi in resolutions:
            tones = paint(type_page.box_means(self.fine, FINE // dpi), dpi)
            for name in filters:
                yield name, dpi, maker.plates(tones, dpi, name, panel.quality)
        yield "gs", PLATE, maker.plates(paint(self.by_ghostscript, PLATE), PLATE)


# Measures -------------------------------------------------------------------------------------

def wrong(plates, truth, panel):
    used = [ink for ink, tone in enumerate(panel.ink) if tone or panel.ground[0]]
    return 100 * numpy.mean([numpy.mean(plates[ink] != truth[ink]) for ink in used])


def added_ink(plates, truth, _):
    return 100 * (sum(map(numpy.sum, plates)) / sum(map(numpy.sum, truth)) - 1)


def contour(bits, dpi):
    """Middles of the borders between ink and paper, in um from the upper left corner."""
    down, across = numpy.nonzero(bits[1:] != bits[:-1]), numpy.nonzero(bits[:, 1:] != bits[:, :-1])
    points = numpy.concatenate((numpy.stack((down[0] + 1, down[1] + 0.5), axis=1),
                                numpy.stack((across[0] + 0.5, across[1] + 1), axis=1)))
    return points * (UM / dpi)


def thinned(points):
    return points[::max(1, len(points) // MOST_POINTS)]


class Contours:
    """Distances of the contours of plates from a true one."""

    def __init__(self, fine):
        self.true = contour(fine, FINE)
        self.tree = cKDTree(self.true)

    def rms(self, bits):
        ours = contour(bits, PLATE)
        there = self.tree.query(thinned(ours))[0]
        back = cKDTree(ours).query(thinned(self.true))[0]
        return numpy.sqrt((numpy.mean(there**2) + numpy.mean(back**2)) / 2)


def fringe(plates, *_):
    outside = ~binary_dilation(plates[3], numpy.ones((3, 3)))
    return 1e6 * numpy.mean(outside & (plates[0] | plates[1] | plates[2]))


def codes_read(bits):
    """How many of the codes of type_page.CODES zbar reads, each from its place, at 1200 dpi."""
    grey = 255 - numpy.rint(255 * type_page.box_means(bits, 2)).astype(numpy.uint8)
    per_mm, read = PLATE / 2 / 25.4, 0
    for code in type_page.CODES:
        (width, height), margin = code.size(), 8 * code.module
        left, right = (round(x * per_mm) for x in (code.x - margin, code.x + width + margin))
        top, bottom = (len(grey) - round(y * per_mm) for y in (code.y + height + margin, code.y - margin))
        part = Image.fromarray(grey[max(top, 0):bottom, max(left, 0):right])
        wanted = type_page.bar_codes.EAN if code.kind == "EAN13" else type_page.bar_codes.URL
        read += any((found.type, found.data.decode()) == (code.kind, wanted) for found in pyzbar.decode(part))
    return read


def edits(ours, theirs):
    """Least number of insertions, deletions and substitutions of characters."""
    row = list(range(len(theirs) + 1))
    for at, letter in enumerate(ours, 1):
        last, row[0] = row[0], at
        for i, other in enumerate(theirs, 1):
            last, row[i] = row[i], min(row[i] + 1, row[i - 1] + 1, last + (letter != other))
    return row[-1]


def misread(bits, lines, folder):
    grey = 255 - numpy.rint(255 * type_page.box_means(bits, PLATE // 600)).astype(numpy.uint8)
    Image.fromarray(grey).save(folder / "read.png", dpi=(600, 600))
    text = subprocess.run(["tesseract", folder / "read.png", "-", "--psm", "6"], check=True, capture_output=True,
                          text=True).stdout
    truth = " ".join(lines)
    return 100 * edits(" ".join(text.split()), truth) / len(truth)


# The table ------------------------------------------------------------------------------------

class Table:
    """Figures by way and resolution, a column each."""

    def __init__(self):
        self.columns = []
        self.figures = {}

    def enter(self, column, way, figure):
        if column not in self.columns:
            self.columns.append(column)
        self.figures[way, column] = figure

    def print(self):
        ways = list(dict.fromkeys(way for way, _ in self.figures))
        for title in dict.fromkeys(title for title, _ in self.columns):
            columns = [column for column in self.columns if column[0] == title]
            print(f"\n{title}\n{'dpi':>5} {'':8}" + "".join(f"{name:>10}" for _, name in columns))
            for name, dpi in sorted(ways, key=lambda way: (way[0] in ("gs", "truth"), way[1])):
                row = [self.figures.get(((name, dpi), column)) for column in columns]
                print(f"{dpi:>5} {name:8}" + "".join(f"{'-' if x is None else format(x, '.2f'):>10}" for x in row))


def measure(table, panel, scene, maker):
    is_two_level = panel.ink[0] + panel.ground[0] == 1 and len(panel.ink) == 1 and not panel.is_photograph
    contours = Contours(scene.fine) if is_two_level and not panel.quality else None
    for name, dpi, plates in scene.plates(maker, panel):
        if name == "truth":
            truth = plates
        else:
            table.enter(("wrong, %", panel.name), (name, dpi), wrong(plates, truth, panel))
            table.enter(("ink, %", panel.name), (name, dpi), added_ink(plates, truth, panel))
        if contours:
            table.enter(("contour, um", panel.name), (name, dpi), contours.rms(plates[0]))
        if panel.name == "rich":
            table.enter(("fringe, ppm", panel.name), (name, dpi), fringe(plates))


def measure_stipple(table, maker):
    panel = type_page.Panel("stipple", "stipple", (1,))
    for dpi in RESOLUTIONS[:-1]:
        page = type_page.stipple(dpi)
        truth = maker.plates(page, dpi, "nearest")
        for name in FILTERS:
            plates = maker.plates(page, dpi, name)
            table.enter(("wrong, %", panel.name), (name, dpi), wrong(plates, truth, panel))
            table.enter(("ink, %", panel.name), (name, dpi), added_ink(plates, truth, panel))


def measure_codes(table, maker):
    if NO_CODES:
        print(f"column 'codes' skipped: {NO_CODES}")
        return
    scene = Scene(type_page.codes_drawing(), maker.folder)
    for name, dpi, plates in scene.plates(maker, type_page.Panel("codes", "codes", (1,))):
        table.enter(("codes read, of 10", "codes"), (name, dpi), codes_read(plates[0]))


def measure_reading(table, maker):
    if NO_OCR:
        print(f"columns of OCR skipped: {NO_OCR}")
        return
    for size, lines in ((4, type_page.READ_4), (6, type_page.READ_6)):
        scene = Scene(type_page.drawings()[f"read {size}"], maker.folder)
        for name, dpi, plates in scene.plates(maker, type_page.Panel("read", "read", (1,))):
            table.enter(("OCR, wrong characters, %", f"{size} pt"), (name, dpi),
                        misread(plates[0], lines, maker.folder))


def whole_table(maker):
    table, drawings = Table(), type_page.drawings()
    for drawing, panels in itertools.groupby(type_page.PANELS, key=lambda panel: panel.drawing):
        scene = Scene(drawings[drawing], maker.folder)
        for panel in panels:
            measure(table, panel, scene, maker)
    measure_stipple(table, maker)
    measure_codes(table, maker)
    measure_reading(table, maker)
    table.print()
    return table


def worse_than_cubic(table):
    """Prints the panels that have more wrong pixels by `edges`; returns whether one is of NO_WORSE."""
    failed = False
    for panel, dpi in itertools.product([panel.name for panel in type_page.PANELS] + ["stipple"], RESOLUTIONS[:-1]):
        edges, cubic = (table.figures[(name, dpi), ("wrong, %", panel)] for name in ("edges", "cubic"))
        if edges > cubic:
            print(f"{panel}, {dpi} dpi: {edges:.3f} % wrong by edges, {cubic:.3f} % by cubic: worse")
            failed = failed or panel in NO_WORSE and dpi in BOUND_AT
    return failed


def black_of(table):
    return {(panel, dpi): {name: table.figures[(name, dpi), ("wrong, %", panel)] for name in FILTERS}
            for panel in ("black", "small") for dpi in BOUND_AT}


def black_type(maker):
    panel = type_page.PANELS[0]
    plates = Scene(type_page.drawings()[panel.drawing], maker.folder).plates(maker, panel, ("cubic", "edges"), BOUND_AT)
    truth, found = next(plates)[2], {(panel.name, dpi): {} for dpi in BOUND_AT}
    for name, dpi, made in plates:
        if name in ("cubic", "edges"):
            found[panel.name, dpi][name] = wrong(made, truth, panel)
    return found


def main():
    if shutil.which("gs") is None:
        print("skipped: Ghostscript is not installed (Debian: ghostscript)")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        maker = Maker(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else scratch))
        table = whole_table(maker) if effort.full() else None
        found = black_of(table) if table else black_type(maker)
    failed = table is not None and worse_than_cubic(table)
    for (panel, dpi), figures in found.items():
        share = figures["edges"] / figures["cubic"]
        verdict = "" if share <= BOUND else f", more than {BOUND}"
        failed = failed or bool(verdict) and panel == "black"
        print(f"{panel}, {dpi} dpi: {figures['edges']:.3f} % wrong by edges, {figures['cubic']:.3f} % by cubic: "
              f"{share:.3f} of it{verdict}")
    print(effort.form())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
