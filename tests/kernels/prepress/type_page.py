"""Panels of type and line work for type_table.py: drawings in PostScript, painted in several ways.

Ghostscript draws what is ink as bits. A panel gives ink and background their tones, in one plane or in
several inks. Its truth and its pages come from the same drawing at 12000 dpi: a pixel of the truth is ink
where most of its 25 samples are, and a pixel of a page is the mean over its area. 25 samples have no ties,
which would make all of the truth's strokes fatter.
"""
import itertools
import subprocess
from typing import NamedTuple

import numpy
from PIL import Image

import bar_codes

FINE = 12000  # dpi of the drawings
PLATE = 2400
POINTS = 72  # per inch
MM = POINTS / 25.4


class Line(NamedTuple):
    """A line of type; x and y in points, from the left and from the bottom."""
    face: str
    size: float
    x: float
    y: float
    text: str


class Drawing(NamedTuple):
    """PostScript that draws with the colour that is set; width and height in points, whole half inches."""
    width: int
    height: int
    code: str


def type_code(lines):
    return "\n".join(f"/{line.face} findfont {line.size} scalefont setfont {line.x} {line.y} moveto "
                     f"({line.text}) show" for line in lines)


def stack(height, *lines):
    """Lines from the top down, each (face, size, text), off any grid of pixels."""
    y, placed = height - 1.37, []
    for at, (face, size, text) in enumerate(lines):
        y -= 1.13 * size
        placed.append(Line(face, size, 3.19 + 0.71 * at, round(y, 2), text))
    assert y > 1, y
    return placed


def hairlines():
    """Lines of 0.1 to 0.6 pt, level, upright and slanted, and circles."""
    code = []
    for at, width in enumerate((0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6)):
        y = 33.3 - 2.31 * at
        code.append(f"{width} setlinewidth 4.2 {y:.2f} moveto 60.1 {y:.2f} lineto stroke "
                    f"{64.3 + 2.23 * at:.2f} 16.2 moveto {64.3 + 2.23 * at:.2f} 33.1 lineto stroke "
                    f"{4.1 + 10.3 * at:.2f} 2.2 moveto {12.6 + 10.3 * at:.2f} 13.9 lineto stroke")
    for at, radius in enumerate((0.3, 0.6, 1, 2, 4)):
        code.append(f"{90.4 + 9.17 * at:.2f} 26.3 {radius} 0 360 arc fill "
                    f"0.25 setlinewidth newpath {90.4 + 9.17 * at:.2f} 9.2 {radius} 0 360 arc stroke")
    return "\n".join(code)


class Code(NamedTuple):
    """A bar code; millimetres, x and y of its lower left corner."""
    kind: str
    module: float
    x: float
    y: float

    def modules(self):
        return bar_codes.ean13(bar_codes.EAN)[None, :] if self.kind == "EAN13" \
            else bar_codes.qr(bar_codes.URL)

    def size(self):
        """Width and height in millimetres."""
        rows, columns = self.modules().shape
        return columns * self.module, (4 if self.kind == "EAN13" else rows * self.module)

    def postscript(self):
        modules = self.modules()
        high = self.size()[1] / len(modules)
        rectangles = []
        for row, line in enumerate(modules):
            steps = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], line.astype(int), [0]))))
            for begin, end in zip(steps[::2], steps[1::2]):
                y = self.y + (len(modules) - 1 - row) * high
                rectangles.append(f"{(self.x + begin * self.module) * MM:.5f} {y * MM:.5f} "
                                  f"{(end - begin) * self.module * MM:.5f} {high * MM:.5f} rectfill")
        return "\n".join(rectangles)


CODES = [Code("EAN13", 0.25, 4.03, 20.1), Code("EAN13", 0.127, 34.11, 20.1),
         Code("EAN13", 0.17, 3.07, 14.3), Code("EAN13", 0.1, 24.21, 14.3), Code("EAN13", 0.085, 38.13, 14.3),
         Code("QRCODE", 0.34, 2.03, 2.11), Code("QRCODE", 0.25, 13.61, 2.11), Code("QRCODE", 0.21, 22.71, 2.11),
         Code("QRCODE", 0.17, 30.87, 2.11), Code("QRCODE", 0.13, 38.03, 2.11)]

READ_4 = ["The edition holds nine sheets, and each sheet was printed in two runs of black.",
          "Store the tin below 25 degrees, away from direct light, with its lid closed firmly.",
          "Prices include tax; postage to other countries is charged by weight at cost.",
          "Wash hands after use. Keep out of reach of children. Contains linseed oil, resin.",
          "No part of this leaflet may be sold. Ask the museum for larger prints of the map.",
          "Batch 70613 was packed on a Thursday and is best used before the end of March."]
READ_6 = ["A plate is clean when its shadows are open and its",
          "hairlines are whole. Hold it against the light, and",
          "compare both margins with the proof of 14 August.",
          "Five quick jumps over the lazy fox vex dim wizards.",
          "Rinse, dry and gum the plate before it is stored.",
          "Tickets for the river tour are sold at the north pier.",
          "Turn left behind the mill and follow the old canal.",
          "Each jar holds 340 g; once opened, keep it cold."]


def drawings():
    middle = stack(36, ("Times-Roman", 9, "Vexed jackdaws grip 37 sphinxes"),
                   ("Helvetica", 6, "Open daily from 9 to 18; last entry half past 16"),
                   ("Palatino-Italic", 8, "Figs, gherkins and nutmeg & 250 g sugar"))
    black = stack(72, ("Times-Roman", 18, "Bright fjord 5&7"),
                  ("Palatino-Roman", 11, "Sixty wage clerks jog by"),
                  ("Helvetica-Bold", 9, "Quartz, maple, gypsum: 428"),
                  ("NewCenturySchlbk-Roman", 8, "A keen eye for fine serifs and joins"),
                  ("Times-Italic", 7, "Very soft slanted strokes of the evening edition"),
                  ("Helvetica", 6, "Six point without serifs, 0123456789, net 3.95"))
    small = stack(36, ("Helvetica", 5, "Five point grotesque for notes and legends of maps 1:25000"),
                  ("Times-Italic", 4, "Four point italic: see the notice overleaf for what the offer leaves out"),
                  ("Helvetica", 4, "Four point grotesque: warm water, salt, yeast, wheat flour (72%), oil"),
                  ("Palatino-Roman", 4, "Four point with broad serifs: registered office, number and place"),
                  ("Courier-Bold", 4, "TYPEWRITER 4 POINT: LOT 8812 EXP 03/31"))
    read_4 = stack(36, *[("Times-Roman", 4, line) for line in READ_4])
    read_6 = stack(72, *[("Times-Roman", 6, line) for line in READ_6])
    return {"black": Drawing(144, 72, type_code(black)), "small": Drawing(144, 36, type_code(small)),
            "lines": Drawing(144, 36, hairlines()), "middle": Drawing(144, 36, type_code(middle)),
            "read 4": Drawing(144, 36, type_code(read_4)), "read 6": Drawing(144, 72, type_code(read_6))}


def codes_drawing():
    return Drawing(144, 72, "\n".join(code.postscript() for code in CODES))


def draw(drawing, dpi, folder):
    """The drawing as an array, true is ink."""
    source, bits = folder / "drawing.ps", folder / "drawing.pbm"
    source.write_text(f"%!PS\n0 setgray\n{drawing.code}\nshowpage\n")
    size = f"{drawing.width * dpi // POINTS}x{drawing.height * dpi // POINTS}"
    subprocess.run(["gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=pbmraw", f"-r{dpi}", f"-g{size}",
                    f"-sOutputFile={bits}", source], check=True, stdout=subprocess.DEVNULL)
    Image.MAX_IMAGE_PIXELS = None
    return ~numpy.asarray(Image.open(bits))


def box_means(mask, factor):
    """Share of ink in each square of factor x factor samples."""
    rows, columns = mask.shape
    assert rows % factor == 0 and columns % factor == 0, (mask.shape, factor)
    down = mask.reshape(rows // factor, factor, columns).sum(axis=1, dtype=numpy.uint16)
    return down.reshape(rows // factor, columns // factor, factor).sum(axis=2, dtype=numpy.uint32) / factor**2


def photograph(shape, dpi):
    """A soft picture of 0.15 to 0.65 ink, the same at every resolution."""
    y, x = ((numpy.arange(length) + 0.5) / dpi for length in shape)
    x, y = x[None, :], y[:, None]
    wave = numpy.sin(9 * x + 2 * numpy.sin(7 * y)) + numpy.sin(23 * y + 11 * x) + numpy.sin(41 * x - 31 * y)
    return 0.4 + 0.25 / 3 * wave


class Panel(NamedTuple):
    """A drawing in tones of 0 to 1, one for each plane; four planes are C, M, Y, K."""
    name: str
    drawing: str
    ink: tuple
    ground: tuple = (0,)
    is_photograph: bool = False
    quality: int | None = None  # of JPEG; None: pages are not compressed

    def paint(self, share, dpi):
        """Tones of the planes where `share` is the share of ink; an array (planes, rows, columns)."""
        ground = [photograph(share.shape, dpi)] if self.is_photograph else self.ground * len(self.ink)
        return numpy.stack([share * ink + (1 - share) * tone for ink, tone in zip(self.ink, ground)])


PANELS = [Panel("black", "black", (1,)), Panel("small", "small", (1,)), Panel("lines", "lines", (1,)),
          Panel("tint", "middle", (1,), (0.4,)), Panel("photo", "middle", (1,), is_photograph=True),
          Panel("reversed", "middle", (0,), (1,)), Panel("grey", "middle", (0.6,)),
          Panel("colour", "middle", (1, 0.6, 0, 0)), Panel("rich", "middle", (0.6, 0.4, 0.4, 1)),
          Panel("grey q90", "middle", (0.6,), quality=90), Panel("black q80", "middle", (1,), quality=80),
          Panel("tint q80", "middle", (1,), (0.4,), quality=80), Panel("grey q80", "middle", (0.6,), quality=80)]


def stipple(dpi):
    """Single pixels and squares of 2 x 2 pixels, solid on paper, as an array (1, rows, columns)."""
    page = numpy.zeros((1, dpi // 2, dpi))
    page[0, 2::5, 2:dpi // 2:5] = 1
    for row, column in itertools.product(range(2), range(2)):
        page[0, 3 + row:-3:7, dpi // 2 + 3 + column:-3:7] = 1
    return page
