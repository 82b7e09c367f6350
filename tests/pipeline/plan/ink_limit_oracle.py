#!/usr/bin/env python3
"""Measures how much ink plates with light inks and drops of several sizes really print.

usage: ink_limit_oracle.py MEZZOTINT

Pages are CMYK TIFFs with gradients, noise, tints and solids; plates are uncompressed. The volumes of
all drops of a place of 32 x 16 px are added up, over all inks that count. None may be above the limit
by more than 2 %. The mean of each plate is compared with the definition in
kernels/prepress/ink_limit.h, worked out here from the page in floating point.
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))

import effort  # noqa: E402, beside the tests
import plain_tiff  # noqa: E402

WIDTH, HEIGHT = 512, 256
INKS = ("cyan", "magenta", "yellow", "black")
PLACE = (16, 32)  # rows and columns that are added up
LIMIT = 240
DARK = ((0, 0), (40, 12), (70, 55), (100, 100))
LIGHT = ((0, 0), (40, 90), (100, 100))
VOLUMES = (0, 40, 70, 100)


def read_plate(path):
    """The values of an uncompressed plate of 1 or 2 bits, 1 or more being ink."""
    width, height, bits, rows = plain_tiff.read_plate(path)
    values = numpy.unpackbits(numpy.frombuffer(rows, "u1").reshape(height, -1), axis=1)
    if bits == 2:
        values = values[:, 0::2] * 2 + values[:, 1::2]
    return values[:, :width]


# ---- The page, and what is to be printed of it ----

def page():
    """Gradients of each ink in a direction of its own, then noise, then tints and solids."""
    random = numpy.random.default_rng(20261128)
    samples = numpy.zeros((HEIGHT, WIDTH, 4))
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    ramps = (x / WIDTH, y / HEIGHT, 1 - x / WIDTH, (x + y) / (WIDTH + HEIGHT))
    for ink, ramp in enumerate(ramps):
        samples[:, :, ink] = 255 * ramp
    samples[96:160, :256] = random.integers(0, 256, (64, 256, 4))
    samples[96:160, 256:] = 255 * random.integers(0, 2, (64, 256, 4))
    for i in range(16):  # all solids over each other, and a tint of each
        samples[160:192, 32 * i:32 * i + 32] = [255 * (i >> ink & 1) for ink in range(4)]
        samples[192:224, 32 * i:32 * i + 32] = [128 * (i >> ink & 1) for ink in range(4)]
    return numpy.rint(samples).astype("u1")


def printed(samples, curve):
    return numpy.interp(samples / 2.55, [p[0] for p in curve], [p[1] for p in curve])


def lightest(total, most):
    """The largest factor from 0 to 1 for which total(factor) is at most `most`, pixel by pixel."""
    within, above = numpy.zeros(most.shape), numpy.full(most.shape, 2.0)
    for _ in range(40):
        middle = numpy.minimum((within + above) / 2, 1)
        fits = total(middle) <= most
        within, above = numpy.where(fits, middle, within), numpy.where(fits, above, middle)
    return numpy.where(total(numpy.ones(most.shape)) <= most, 1, within)


def wanted(samples, curves):
    """What is to be printed of each plate, in percent: of `curves`, by ink of the page and plate."""
    samples = samples.astype(float)

    def sum_of(inks, factor):
        return sum(printed(samples[:, :, INKS.index(ink)] * factor, curve)
                   for ink in inks for curve in curves[ink].values())

    solid = numpy.full(samples.shape[:2], float(LIMIT))
    factors = {"black": lightest(lambda k: sum_of(["black"], k), solid)}
    left = solid - sum_of(["black"], factors["black"])
    colours = lightest(lambda k: sum_of(INKS[:3], k), left)
    return {plate: printed(samples[:, :, INKS.index(ink)] * factors.get(ink, colours), curve)
            for ink in INKS for plate, curve in curves[ink].items()}


def means(values):
    rows, columns = PLACE
    height, width = values.shape
    return values.reshape(height // rows, rows, width // columns, columns).mean(axis=(1, 3))


# ---- Jobs ----

PLAIN = ((0, 0), (100, 100))
WITH_LIGHT = {"cyan": {"cyan": DARK, "light cyan": LIGHT},
              "magenta": {"magenta": DARK, "light magenta": LIGHT},
              "yellow": {"yellow": PLAIN}, "black": {"black": DARK, "light black": LIGHT}}
DARKER = ((0, 0), (50, 80), (100, 100))
WITHOUT_LIGHT = {ink: {ink: DARKER} for ink in INKS}


def curve_text(curve):
    return "[" + ", ".join(f"[{x}%, {y}%]" for x, y in curve) + "]"


def inks_text(curves):
    lines = []
    for ink, plates in curves.items():
        for plate, curve in plates.items():
            source = "" if plate == ink else f"from: {ink}, "
            lines.append(f"    {plate}: {{{source}tone: {{curve: {curve_text(curve)}}}}}\n")
    return "  inks:\n" + "".join(lines)


def plate_volumes(folder, plate, levels):
    """What each pixel of a plate prints, in percent of the largest drop."""
    name = plate.replace(" ", "-")
    if levels == "planes":
        bits = [read_plate(folder / f"plates/page_{name}_{i}.tif") for i in (1, 2)]
        values = bits[0] + 2 * bits[1]
    else:
        values = read_plate(folder / f"plates/page_{name}.tif")
    return numpy.array(VOLUMES if levels else (0, 100), float)[values]


def check(program, folder, method, levels, curves, dpi=600):
    kind = "light inks" if curves is WITH_LIGHT else "curves alone"
    words = f"{method}, {levels or 'bilevel'}, {kind}, {dpi} dpi"
    volumes = ", ".join(f"{volume}%" if volume else "0" for volume in VOLUMES)
    (folder / "job.yaml").write_text(
        "mezzotint: 1\njob: x\ndefaults:\n"
        f"  halftone: {{method: {method}}}\n" +
        (f"  levels: {{volumes: [{volumes}], format: {levels}}}\n" if levels else "") +
        f"  ink_limit: {LIMIT}%\n  output: {{compression: none, resolution: {dpi}}}\n" +
        inks_text(curves) + "pages: [page.tif]\n")
    subprocess.run([program, "run", "--fresh", "--quiet", "--journal", folder / "journal.db",
                    folder / "job.yaml"], check=True)
    plates = [plate for ink in INKS for plate in curves[ink]]
    found = {plate: plate_volumes(folder, plate, levels) for plate in plates}
    most = means(sum(found.values())).max()
    print(f"{words}: at most {most:.1f} % in a place of 32 x 16 px, the limit is {LIMIT} %")
    assert most <= 1.02 * LIMIT, words
    if dpi != 600:
        return
    aim = wanted(page(), curves)
    unlimited = sum(printed(page()[:, :, INKS.index(ink)].astype(float), curve)
                    for ink in INKS for curve in curves[ink].values())
    assert means(unlimited).max() > 1.4 * LIMIT, "the page must exceed the limit"
    for plate in plates:
        apart = abs(means(found[plate]) - means(aim[plate])).max()
        assert apart < 4, f"{words}: {plate} is {apart:.1f} % from the definition"


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        plain_tiff.write_page(folder / "page.tif", WIDTH, HEIGHT, 4, 5, page().tobytes(), 600)
        for method in effort.choose(("bayer",), ("floyd-steinberg", "bayer")):
            for levels in ("packed", "planes", ""):
                check(program, folder, method, levels, WITH_LIGHT)
            check(program, folder, method, "packed", WITHOUT_LIGHT)
        check(program, folder, "floyd-steinberg", "packed", WITH_LIGHT, 1200)
        if effort.full():
            check(program, folder, "fm", "packed", WITH_LIGHT)
        print(effort.form())


if __name__ == "__main__":
    main()
