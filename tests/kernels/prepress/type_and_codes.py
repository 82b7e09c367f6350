#!/usr/bin/env python3
"""Small type, hairlines and bar codes through every method with `--protect both`.

usage: type_and_codes.py PROGRAM [FOLDER]

A page of 600 dpi has type of 4 pt on paper, on a tint and reversed out of a solid, hairlines of one
pixel, an EAN-13 and a QR code. Of each plate, pixel by pixel: no dot on paper and no hole in a
solid; and both codes are read from it by zbar. The same at 1200 dpi. Plates stay in FOLDER, if given.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    from PIL import Image, ImageDraw, ImageFont
    from pyzbar import pyzbar
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy, python3-pil and python3-pyzbar")
    sys.exit(77)

from bar_codes import EAN, URL, ean13, qr  # noqa: E402  (needs NumPy)

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"  # fonts-dejavu-core
DPI = 600
POINTS = 4
PAPER, SOLID, TINT = 255, 0, 140
# A search needs no good plate here: two rounds show what it does beside paper and solids.
QUICK = {"les": ["--rounds", "2"], "pes": ["--rounds", "2"], "dbs": ["--rounds", "2"]}


def place(page, modules, left, top, size):
    """Draws modules as squares, or as bars for one row of them."""
    ink = numpy.kron(modules, numpy.ones((size, size), dtype=bool))
    height, width = ink.shape
    page[top:top + height, left:left + width][ink] = SOLID


def make_page():
    image = Image.new("L", (720, 430), PAPER)
    draw = ImageDraw.Draw(image)
    font = ImageFont.truetype(FONT, round(POINTS * DPI / 72))
    draw.rectangle((20, 70, 699, 119), fill=TINT)
    draw.rectangle((20, 130, 699, 179), fill=SOLID)
    for y, fill in ((22, SOLID), (75, SOLID), (135, PAPER)):
        draw.text((30, y), "Hamburgefonstiv 0123456789 Ingredients: tea", fill=fill, font=font)
    for i in range(8):  # hairlines on paper and across the tint
        draw.line((20 + 14 * i, 190, 120 + 14 * i, 230), fill=SOLID)
        draw.line((330 + 10 * i, 60, 330 + 10 * i, 124), fill=SOLID)
    for y in range(200, 240):  # a ramp, whose dots are near paper and solids
        draw.line((300, y, 699, y), fill=255 - 255 * (y - 200) // 39)
    page = numpy.array(image)
    place(page, numpy.tile(ean13(EAN), (40, 1)), 40, 270, 3)
    place(page, qr(URL), 440, 260, 6)
    return page


class Scene:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.page = make_page()
        Image.fromarray(self.page).save(folder / "page.tif", dpi=(DPI, DPI))

    def plate(self, name, *words):
        """The plate, True is ink, and its line of JSON."""
        path = self.folder / f"{name}.tif"
        run = subprocess.run([self.program, "halftone", "--json", "--quiet",
                              self.folder / "page.tif", path, *words],
                             check=True, capture_output=True, text=True)
        lines = [json.loads(line) for line in run.stdout.splitlines()]
        return ~numpy.array(Image.open(path)), next(line for line in lines if "plates" in line)

    def changed(self, ink, times=1):
        """Pixels of paper that have a dot, and of solids that have none."""
        page = numpy.kron(self.page, numpy.ones((times, times), dtype=numpy.uint8))
        assert ink.shape == page.shape, (ink.shape, page.shape)
        return int((ink & (page == PAPER)).sum() + (~ink & (page == SOLID)).sum())


def codes(ink):
    found = pyzbar.decode(Image.fromarray(numpy.where(ink, SOLID, PAPER).astype(numpy.uint8)))
    return {(code.type, code.data.decode()) for code in found}


def wrong_of(name, ink, changed):
    wrong = [] if changed == 0 else [f"{name}: {changed} protected pixels changed"]
    missing = {("EAN13", EAN), ("QRCODE", URL)} - codes(ink)
    return wrong + [f"{name}: zbar does not read {kind} {data}" for kind, data in sorted(missing)]


def main():
    program = sys.argv[1]
    info = json.loads(subprocess.run([program, "info", "--json"], check=True, capture_output=True,
                                     text=True).stdout)
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else scratch)
        scene = Scene(program, folder)
        tile = numpy.random.default_rng(1).permutation(64 * 64).reshape(64, 64) // 16
        Image.fromarray(tile.astype(numpy.uint8)).save(folder / "cells.tif")
        files = {"tile": ["--tile", str(folder / "cells.tif")]}
        for method in info["methods"]:
            ink, line = scene.plate(method, "--method", method, "--engine", "cpu",
                                    *QUICK.get(method, []), *files.get(method, []),
                                    "--protect", "both")
            wrong += wrong_of(method, ink, scene.changed(ink))
            print(f"{method}: {line['plates'][0]['mended_px']} px mended")
        # Protection touches nothing else: it mends what the method alone has wrong.
        bare, _ = scene.plate("bare", "--method", "ostromoukhov")
        ink, line = scene.plate("ostromoukhov", "--method", "ostromoukhov", "--protect", "both")
        mended, changed = line["plates"][0]["mended_px"], scene.changed(bare)
        if mended != changed or changed == 0 or (bare ^ ink).sum() != changed:
            wrong.append(f"ostromoukhov: {mended} px mended, {changed} px to mend")
        ink, _ = scene.plate("scaled", "--resolution", str(2 * DPI), "--scale", "nearest",
                             "--method", "pinwheel", "--protect", "both")
        wrong += wrong_of("scaled", ink, scene.changed(ink, 2))
    print("\n".join(wrong) or f"{len(info['methods'])} methods: 0 protected pixels changed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
