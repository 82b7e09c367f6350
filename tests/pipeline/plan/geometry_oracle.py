#!/usr/bin/env python3
"""Compares plates of cropped, trimmed, turned and repeated pages with those of pages on which plain
Python has done the same, sample by sample.

    geometry_oracle.py MEZZOTINT

Lengths become pixels in exact fractions.  A page that is not scaled keeps the samples of its file,
so its plate has the bits of the file that was made here.  Of a page that is scaled, each copy has
the bits of a plate without copies, as the method here decides pixel by pixel.  The same holds when
inks are dropped, mixed or inverted, and of samples with a DotRange; line work lies over the plates
as they are then.

The exit status is 0 only when every bit of every plate is equal.
"""

import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction
from typing import NamedTuple

WHITE_IS_0, BLACK_IS_0, SEPARATED = 0, 1, 5
KINDS = {1: "B", 2: "s", 3: "H", 4: "I", 5: "Q"}


class Page(NamedTuple):
    """rows[y][x] is a tuple of the samples of its inks."""

    rows: list
    bits: int
    photometric: int
    dpi: tuple  # (x, y) as Fractions, or None
    dots: tuple = None  # the samples of paper and of solids, where the file has a DotRange

    @property
    def size(self):
        return len(self.rows[0]), len(self.rows)

    @property
    def paper(self):
        value = (1 << self.bits) - 1 if self.photometric == BLACK_IS_0 else 0
        return tuple(value for _ in self.rows[0][0])


# ---- The definition ----


def pixels(millimetres, dpi):
    return math.floor(Fraction(str(millimetres)) * dpi / Fraction("25.4") + Fraction(1, 2))


def crop(page, left, top, width, height):
    across, down = page.dpi
    first, end = pixels(left, across), pixels(Fraction(str(left)) + Fraction(str(width)), across)
    rows = page.rows[pixels(top, down):pixels(Fraction(str(top)) + Fraction(str(height)), down)]
    return page._replace(rows=[row[first:end] for row in rows])


def trim(page, left, top, right, bottom):
    width, height = page.size
    across, down = page.dpi
    rows = page.rows[pixels(top, down):height - pixels(bottom, down)]
    return page._replace(
        rows=[row[pixels(left, across):width - pixels(right, across)] for row in rows])


def rotate(page, degrees):
    """Clockwise: the first row becomes the last column."""
    for _ in range(degrees // 90):
        turned = [list(column) for column in zip(*reversed(page.rows))]
        page = page._replace(rows=turned, dpi=page.dpi and page.dpi[::-1])
    return page


def places(count, side, gap, dpi):
    return [i * side + (pixels(i * Fraction(str(gap)), dpi) if gap else 0) for i in range(count)]


def lay_over(rows, work, prints):
    """Bits with line work over them, or knocked out below it."""
    return [[p | w if prints else p & ~w for p, w in zip(*pair)] for pair in zip(rows, work)]


def repeat(rows, across, down, gap, dpi, paper):
    """A sheet of copies of rows of anything, on paper."""
    width, height = len(rows[0]), len(rows)
    lefts = places(across, width, gap, dpi and dpi[0])
    tops = places(down, height, gap, dpi and dpi[1])
    sheet = [[paper] * (lefts[-1] + width) for _ in range(tops[-1] + height)]
    for top in tops:
        for left in lefts:
            for y, row in enumerate(rows):
                sheet[top + y][left:left + width] = row
    return sheet


# ---- Files ----


def packed_row(samples, bits):
    if bits == 1:
        text = "".join(map(str, samples)) + "0" * (-len(samples) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big")
    return struct.pack(f"<{len(samples)}{'B' if bits == 8 else 'H'}", *samples)


def write_tiff(path, page, rows_per_strip):
    width, height = page.size
    inks = len(page.rows[0][0])
    packed = [packed_row([s for pixel in row for s in pixel], page.bits) for row in page.rows]
    strips = [b"".join(packed[y:y + rows_per_strip]) for y in range(0, height, rows_per_strip)]
    data = bytearray(struct.pack("<2sHI", b"II", 42, 0))
    offsets = []
    for strip in strips:
        offsets.append(len(data))
        data += strip
    tags = [(256, 4, [width]), (257, 4, [height]), (258, 3, [page.bits] * inks), (259, 3, [1]),
            (262, 3, [page.photometric]), (273, 4, offsets), (277, 3, [inks]),
            (278, 4, [rows_per_strip]), (279, 4, [len(strip) for strip in strips])]
    if page.dpi:
        for tag, dpi in zip((282, 283), page.dpi):
            tags.append((tag, 5, [dpi.numerator | dpi.denominator << 32]))
        tags.append((296, 3, [2]))
    if page.dots:
        tags.append((336, 3, list(page.dots)))
    entries = b""
    for tag, kind, values in tags:
        value = struct.pack(f"<{len(values)}{KINDS[kind]}", *values)
        if len(value) > 4:
            data += b"\0" * (len(data) % 2)
            place, value = len(data), value
            data += value
            value = struct.pack("<I", place)
        entries += struct.pack("<HHI", tag, kind, len(values)) + value.ljust(4, b"\0")
    data += b"\0" * (len(data) % 2)
    struct.pack_into("<I", data, 4, len(data))
    data += struct.pack("<H", len(tags)) + entries + b"\0\0\0\0"
    path.write_bytes(data)


def read_plate(path):
    """Rows of bits of an uncompressed plate, 1 for ink."""
    data = path.read_bytes()
    (directory,) = struct.unpack_from("<I", data, 4)
    tags = {}
    for i in range(struct.unpack_from("<H", data, directory)[0]):
        tag, kind, count = struct.unpack_from("<HHI", data, directory + 2 + 12 * i)
        if kind not in (3, 4):
            continue
        layout = f"<{count}{KINDS[kind]}"
        at = directory + 10 + 12 * i
        if struct.calcsize(layout) > 4:
            (at,) = struct.unpack_from("<I", data, at)
        tags[tag] = struct.unpack_from(layout, data, at)
    assert tags[259] == (1,), "the plate is compressed"
    bits = b"".join(data[at:at + n] for at, n in zip(tags[273], tags[279]))
    width, height = tags[256][0], tags[257][0]
    size = (width + 7) // 8
    return [[bits[y * size + x // 8] >> (7 - x % 8) & 1 for x in range(width)]
            for y in range(height)]


def make_page(seed, width, height, inks=1, bits=8, photometric=BLACK_IS_0, dpi=(300, 300)):
    luck = random.Random(seed)
    top = (1 << bits) - 1
    rows = [[tuple(min(top, (x * 5 + y * 3 + ink * 40) * (top + 1) // 700 + luck.randrange(top // 4))
                   for ink in range(inks)) for x in range(width)] for y in range(height)]
    return Page(rows, bits, photometric, dpi and tuple(Fraction(d) for d in dpi))


# ---- The comparison ----


class Trial:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.cases = 0
        self.wrong = []

    def plates(self, page, *options, strip=16):
        """{name of the plate: its bits}."""
        write_tiff(self.folder / "page.tif", page, strip)
        return self.made(["halftone", "-q", "--compression", "none", *map(str, options),
                          str(self.folder / "page.tif"), str(self.folder / "out/{ink}.tif")])

    def plates_of_job(self, page, defaults, linework=None):
        """As plates(), by a manifest with these lines of defaults; `linework` has rows of bits."""
        write_tiff(self.folder / "page.tif", page, 16)
        entry = "page.tif"
        if linework:
            work = Page([[(bit,) for bit in row] for row in linework], 1, WHITE_IS_0, None)
            write_tiff(self.folder / "type.tif", work, 16)
            entry = "{input: page.tif, linework: {file: type.tif, ink: Magenta}}"
        job = self.folder / "job.yaml"
        job.write_text("mezzotint: 1\njob: sheet\ndefaults:\n  " + "\n  ".join(defaults) +
                       f"\npages:\n  - {entry}\n")
        return self.made(["run", "--fresh", "-q", "--verify", str(job)])

    def made(self, arguments):
        out = self.folder / "out"
        command = [self.program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        found = {plate.name: read_plate(plate) for plate in sorted(out.iterdir())}
        for plate in out.iterdir():
            plate.unlink()
        return found

    def expect(self, what, found, expected):
        self.cases += 1
        if found != expected:
            sizes = {name: (len(rows[0]), len(rows)) for name, rows in found.items()}
            self.wrong.append(f"{what}: the plates differ; they are {sizes}")


def samples_of_the_file(trial):
    """Each option alone and all together, on every form of page, in bands of any height."""
    pages = [
        make_page(1, 83, 61),
        make_page(2, 61, 83, bits=16, photometric=WHITE_IS_0, dpi=(Fraction(1234, 10), 72)),
        make_page(3, 70, 52, inks=4, photometric=SEPARATED, dpi=(200, 400)),
        make_page(4, 40, 50, inks=4, bits=16, photometric=SEPARATED, dpi=(Fraction(762, 10), 100)),
    ]
    for page in pages:
        trial_of_page(trial, page)


def trial_of_page(trial, page):
    across, down = page.dpi
    width, height = (Fraction(n) * Fraction("25.4") / dpi for n, dpi in zip(page.size, page.dpi))
    box = [f"{float(part):.3f}" for part in (width / 7, height / 9, width / 2, height * 2 / 3)]
    margins = [f"{float(part):.3f}" for part in (width / 11, 0, width / 5, height / 6)]
    inside = crop(page, *box)
    assert 0 < inside.size[0] < page.size[0] and 0 < inside.size[1] < page.size[1]
    cases = [
        (["--crop", ",".join(box)], inside),
        (["--trim", ",".join(margins)], trim(page, *margins)),
        (["--trim", "0.7mm"], trim(page, *["0.7"] * 4)),
        *((["--rotate", d], rotate(page, d)) for d in (90, 180, 270)),
    ]
    for degrees in (0, 90, 180, 270):
        options = ["--crop", ",".join(box), "--trim", "0.4", "--rotate", degrees]
        turned = rotate(trim(inside, *["0.4"] * 4), degrees)
        sheet = repeat(turned.rows, 3, 2, "1.27", turned.dpi, page.paper)
        cases.append((options, turned))
        cases.append(([*options, "--copies", "3x2", "--gap", "1.27"], turned._replace(rows=sheet)))
    for options, expected in cases:
        plain = trial.plates(expected, "--method", "floyd-steinberg")
        trial.expect(f"{page.size} {options}", trial.plates(page, *options), plain)
    for rows in (1, 7, 64):
        trial.expect(f"{page.size} {options} in bands of {rows}",
                     trial.plates(page, *options, "--band-rows", rows, strip=5), plain)
    trial.expect(f"{page.size} {options} verified",
                 trial.plates(page, *options, "--verify", "--memory", "48MiB"), plain)


def without_a_resolution(trial):
    page = make_page(5, 50, 40, dpi=None)
    sheet = page._replace(rows=repeat(page.rows, 2, 3, 0, None, page.paper))
    trial.expect("copies without a gap", trial.plates(page, "--copies", "2x3"),
                 trial.plates(sheet))
    known = page._replace(dpi=(Fraction(100), Fraction(100)))
    trial.expect("an assumed resolution",
                 trial.plates(page, "--trim", "1", "--assume-resolution", 100),
                 trial.plates(trim(known, 1, 1, 1, 1)))


def gaps_are_paper(trial):
    """Also of a page that is a negative itself."""
    page = make_page(6, 30, 20)
    options = ("--invert", "--method", "threshold")
    one = trial.plates(page, *options)["black.tif"]
    sheet = repeat(one, 2, 2, 2, page.dpi, 0)
    trial.expect("an inverted page", trial.plates(page, *options, "--copies", "2x2", "--gap", "2"),
                 {"black.tif": sheet})


def copies_of_the_plate(trial):
    """Copies are placed in pixels of the plate, and each has the samples of one scaled page."""
    for dpi, plate, scale in (((300, 300), 1000, "cubic"), ((150, 100), 400, "linear"),
                              ((400, 400), 150, "area")):
        page = make_page(7, 43, 31, inks=4, photometric=SEPARATED, dpi=dpi)
        options = ["--method", "threshold", "--resolution", plate, "--scale", scale,
                   "--trim", "0.3,0.2,0,0", "--rotate", 90]
        one = trial.plates(page, *options)
        expected = {ink: repeat(rows, 4, 3, "0.77", (plate, plate), 0) for ink, rows in one.items()}
        for more in ([], ["--band-rows", 1], ["--band-rows", 50]):
            trial.expect(f"{dpi} to {plate} {more}",
                         trial.plates(page, *options, *more, "--copies", "4x3", "--gap", "0.77"),
                         expected)
        by_hand = trial.plates(rotate(trim(page, "0.3", "0.2", 0, 0), 90), *options[:6])
        trial.expect(f"{dpi} to {plate}, turned by hand", one, by_hand)


def with_inks_and_linework(trial):
    """All settings of a page in one job, against a page and plates that were turned by hand."""
    inks = "inks: {black: drop, yellow: {as: magenta}, cyan: {tone: {invert: true}}}"
    geometry = ["crop: {left: 0.5 mm, top: 0.3 mm, width: 2.6 mm, height: 1.9 mm}",
                "trim: {left: 0.2 mm, top: 0 mm, right: 0.1 mm, bottom: 0.25 mm}"]
    for dots, degrees, plate in ((None, 90, 1200), ((20, 230), 270, 1200), ((230, 20), 180, None),
                                 (None, 90, None), ((20, 230), 0, 200)):
        page = make_page(9, 43, 31, inks=4, photometric=SEPARATED, dpi=(300, 300))
        page = page._replace(dots=dots)
        hand = trim(crop(page, "0.5", "0.3", "2.6", "1.9"), "0.2", 0, "0.1", "0.25")
        hand = rotate(hand, degrees)
        output = "output: {path: 'out/{ink}.tif', compression: none%s}" % (
            f", resolution: {plate}" if plate else "")
        plain = [output, "halftone: {method: threshold}", inks]
        dpi = (plate, plate) if plate else hand.dpi
        sheets = {name: repeat(rows, 3, 2, "0.4", dpi, 0)
                  for name, rows in trial.plates_of_job(hand, plain).items()}
        geometric = [*plain, *geometry, f"rotate: {degrees}",
                     "copies: {across: 3, down: 2, gap: 0.4 mm}"]
        what = f"inks, DotRange {dots}, turned by {degrees}, plates of {plate} dpi"
        trial.expect(what, trial.plates_of_job(page, geometric), sheets)
        luck = random.Random(degrees)
        work = [[int(luck.random() < 0.2) for _ in row] for row in sheets["magenta.tif"]]
        trial.expect(what + ", line work", trial.plates_of_job(page, geometric, work),
                     {name: lay_over(rows, work, name == "magenta.tif")
                      for name, rows in sheets.items()})


def gaps_of_inverted_inks(trial):
    """A method that carries errors from copy to copy shows the sample that a gap has."""
    page = make_page(10, 37, 29, inks=4, photometric=SEPARATED, dpi=(100, 100))
    inks = ["output: {path: 'out/{ink}.tif', compression: none}",
            "inks: {magenta: drop, yellow: {tone: {invert: true}}}"]
    sheet = repeat(page.rows, 2, 2, "1", page.dpi, (0, 0, 255, 0))
    trial.expect("gaps of inks of which one is inverted",
                 trial.plates_of_job(page, [*inks, "copies: {across: 2, down: 2, gap: 1 mm}"]),
                 trial.plates_of_job(page._replace(rows=sheet), inks))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(sys.argv[1], pathlib.Path(folder))
        samples_of_the_file(trial)
        without_a_resolution(trial)
        gaps_are_paper(trial)
        copies_of_the_plate(trial)
        with_inks_and_linework(trial)
        gaps_of_inverted_inks(trial)
    for line in trial.wrong:
        print(line, file=sys.stderr)
    print(f"{trial.cases} plates, {len(trial.wrong)} differ")
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
