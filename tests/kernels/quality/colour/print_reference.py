#!/usr/bin/env python3
"""The numbers of a print and of its lines, computed a second time with NumPy and SciPy.

usage: print_reference.py PROGRAM

Halftones pages of several inks, and compares what `mezzotint compare --json` says of the prints with
what is computed here from the definitions of kernels/quality/colour/colour_report.h and periods.h: whole
pages and one transform of them, where the program has tiles.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
    import scipy.signal
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}; install python3-scipy and python3-pil")
    sys.exit(77)

WHITE = numpy.array([0.96422, 1.0, 0.82521])
PAPER = (95, 0, -2)
INKS = ["cyan", "magenta", "yellow", "black"]
SOLIDS = {1: (55, -37, -50), 2: (48, 74, -3), 4: (89, -5, 93), 8: (16, 0, 0),
          6: (47, 68, 48), 5: (50, -65, 27), 3: (24, 22, -46), 7: (23, 0, 0)}
SCATTER = 1.2


def xyz(lab):
    fy = (lab[0] + 16) / 116
    f = numpy.array([fy + lab[1] / 500, fy, fy - lab[2] / 200])
    return WHITE * numpy.where(f > 6 / 29, f ** 3, 3 * (6 / 29) ** 2 * (f - 4 / 29))


def lab(light):
    t = light / WHITE
    f = numpy.where(t > (6 / 29) ** 3, numpy.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return numpy.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]),
                        200 * (f[..., 1] - f[..., 2])], -1)


def roots():
    """The square root of the light of each set of inks; bit 3 is black, the product of what is below."""
    light = {0: xyz(PAPER)} | {inks: xyz(colour) for inks, colour in SOLIDS.items()}
    for inks in range(9, 16):
        light[inks] = light[inks - 8] * light[8] / light[0]
    return numpy.sqrt(numpy.array([light[inks] for inks in range(16)]))


def printed(coverage):
    """Demichel's mean of roots; coverage is [ink, y, x]."""
    table, out = roots(), numpy.zeros(coverage.shape[1:] + (3,))
    for inks in range(16):
        area = numpy.ones(coverage.shape[1:])
        for k in range(4):
            area = area * (coverage[k] if inks >> k & 1 else 1 - coverage[k])
        out += area[..., None] * table[inks]
    return out


def grown(bits, gain):
    """The area of each pixel when dots stand `gain` further out; bits are [y, x], with a margin of 1."""
    def at(dy, dx):
        return bits[1 + dy:bits.shape[0] - 1 + dy, 1 + dx:bits.shape[1] - 1 + dx]
    width = numpy.maximum(0, 1 - gain * (at(0, -1) + at(0, 1)))
    height = numpy.maximum(0, 1 - gain * (at(-1, 0) + at(1, 0)))
    corners = sum(at(dy, dx) * (1 - at(dy, 0)) * (1 - at(0, dx)) for dy in (-1, 1) for dx in (-1, 1))
    return numpy.where(at(0, 0) == 1, 1, 1 - numpy.maximum(0, width * height - gain ** 2 * corners))


def gaussian(sigma, radius):
    line = numpy.exp(-numpy.arange(-radius, radius + 1) ** 2 / (2 * sigma * sigma))
    return numpy.outer(line, line) / line.sum() ** 2


def spread(k, radius):
    j, i = numpy.mgrid[-radius:radius + 1, -radius:radius + 1]
    r = numpy.hypot(i, j)
    p = (k * k + 4 * math.pi ** 2 * r * r) ** -1.5 * numpy.clip(radius + 1 - r, 0, 1)
    return p / p.sum()


def filtered(field, kernel):
    return scipy.signal.fftconvolve(field, kernel, "valid")


def seen(light_roots):
    """CIELAB, 55 px narrower on every side."""
    degree = 3500 * math.pi / 180
    scatter = gaussian(SCATTER, math.ceil(4 * SCATTER))
    light = numpy.stack([filtered(light_roots[..., c], scatter) ** 2 for c in range(3)], -1) / WHITE
    wide = spread(0.419 * degree, 50)
    narrow = spread(degree / (0.525 * math.log(11) + 3.91), 23)
    y = filtered(light[27:-27, 27:-27, 1], narrow)
    x_y = filtered(light[..., 0] - light[..., 1], wide)
    y_z = filtered(light[..., 1] - light[..., 2], wide)
    return lab(WHITE * numpy.maximum(numpy.stack([y + x_y, y, y - y_z], -1), 0))


def judge(asked, bits, gain, moved=(), shift=0):
    """asked and bits are [ink, y, x]."""
    margin = 48 + 55 + 1
    size = asked.shape[1:]
    def around(planes):
        wide = numpy.pad(planes, ((0, 0), (margin, margin), (margin + shift, margin)), "reflect")
        return numpy.stack([wide[k, :, (0 if k in moved else shift):][:, :size[1] + 2 * margin]
                            for k in range(4)])
    dots = numpy.stack([grown(plane, gain) for plane in around(bits)])
    d = seen(printed(dots)) - seen(printed(around(asked)[:, 1:-1, 1:-1]))
    mean = numpy.stack([filtered(d[..., c], gaussian(16, 48)) for c in range(3)], -1)
    d = d[48:-48, 48:-48]
    t = d - mean
    return {"delta_e": numpy.sqrt((d ** 2).sum(-1)).mean(),
            "texture": numpy.sqrt((t ** 2).sum(-1)).mean(),
            "grain_l": math.sqrt((t[..., 0] ** 2).mean()),
            "grain_c": math.sqrt((t[..., 1:] ** 2).sum(-1).mean()),
            "shift_l": d[..., 0].mean(), "shift_a": d[..., 1].mean(), "shift_b": d[..., 2].mean(),
            "overlap": overlap(bits) / overlap(asked)}


def overlap(planes):
    return sum((planes[j] * planes[k]).sum() for j in range(4) for k in range(j))


def highest_ratio(tiles, shortest):
    """The strongest line of tiles of 256 x 256 that do not overlap: (ratio, u, v)."""
    window = numpy.sin(math.pi * (numpy.arange(256) + 0.5) / 256) ** 2
    window = numpy.outer(window, window)
    power = sum(numpy.abs(numpy.fft.fft2(window * (tile - (window * tile).sum() / window.sum()))) ** 2
                for tile in tiles) / len(tiles)
    floor = power.mean() / 10000
    best = (1, 0, 0)
    for v in range(-127, 129):
        for u in range(0, 129):
            distance = math.hypot(u, v)
            if not 2 <= distance <= 256 / shortest or not (0 < u < 128 or v >= 0):
                continue
            if power[v, u] <= best[0] * floor:
                continue
            around, along = [], []
            for dv in range(-9, 10):
                for du in range(-9, 10):
                    other = math.hypot(u + du, v + dv)
                    if max(abs(du), abs(dv)) <= 2 or other < 2:
                        continue
                    value = power[(v + dv) % 256, (u + du) % 256]
                    if abs(other - distance) <= 1.5 + distance / 16:
                        around.append(value)
                    if abs(du * v - dv * u) <= 2 * distance and (
                            2 * distance < abs(du * u + dv * v) <= 7 * distance):
                        along.append(value)
            middle = max(sorted(values)[len(values) // 2] for values in (around, along))
            level = max(middle / (1 - 1 / (9 * len(tiles))) ** 3, floor)
            best = max(best, (power[v, u] / level, u, v))
    return best


def run(program, folder, *words):
    return subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True,
                          cwd=folder).stdout


def plates(program, folder, page, *method):
    Image.fromarray(page, "CMYK" if page.ndim == 3 else "L").save(folder / "page.tif", dpi=(300, 300))
    run(program, folder, "halftone", "-q", "page.tif", "plate.tif", "--existing", "replace",
        "--compression", "none", "--method", *method)


def read(path):
    # Pillow shows ink, which is 0 in MinIsWhite, as black.
    return 1.0 - numpy.asarray(Image.open(path).convert("1"), float)


def check_prints(program, folder, wrong):
    random = numpy.random.default_rng(22)
    ramp = numpy.linspace(0, 1, 190)[None, :] * numpy.ones((170, 1))
    flesh = numpy.stack([0.1 + 0 * ramp, 0.25 + 0.2 * ramp, 0.28 + 0 * ramp, 0.1 * ramp])
    noisy = numpy.clip(flesh + 0.2 * random.standard_normal(flesh.shape), 0, 1)
    compared = 0
    for title, ink, method in [("flesh", flesh, "floyd-steinberg"), ("noisy", noisy, "bayer")]:
        page = (255 * ink).round().astype(numpy.uint8)
        plates(program, folder, numpy.moveaxis(page, 0, -1), method)
        names = [f"plate_{name}.tif" for name in INKS]
        bits = numpy.stack([read(folder / name) for name in names])
        for gain_um in (0, 20):
            lines = run(program, folder, "compare", "--json", "page.tif", *names, "--gain", gain_um)
            found = json.loads(lines.splitlines()[-1])
            gain = gain_um * 300 / 25400
            expected = judge(page / 255, bits, gain)
            for moved, shift in [((1,), 1), ((0, 1, 2), 2)]:
                entry = next(one for one in found["registers"] if one["shift_px"] == shift
                             and one["moved"] == [INKS[k] for k in moved])
                value = judge(page / 255, bits, gain, moved, shift)["delta_e"]
                key = f"delta_e, {entry['moved']} by {shift} px"
                expected[key] = value
                found[key] = entry["delta_e"]
            for key, value in expected.items():
                compared += 1
                if not math.isclose(value, found[key], rel_tol=1e-7, abs_tol=1e-9):
                    wrong.append(f"{title}, gain {gain_um}: {key}: expected {value}, found {found[key]}")
    return compared


def check_lines(program, folder, wrong):
    compared = 0
    for method in ["zhou-fang", "pinwheel", "bayer", "am"]:
        ruling = ["--ruling", "30"] if method == "am" else []
        plates(program, folder, numpy.full((512, 512), 153, numpy.uint8), method, *ruling)
        found = json.loads(run(program, folder, "compare", "--json", "page.tif", "plate.tif"))
        bits = read(folder / "plate.tif")
        tiles = [bits[y:y + 256, x:x + 256] for y in (0, 256) for x in (0, 256)]
        ratio, u, v = highest_ratio(tiles, 8)
        periods = found["periods"]
        compared += 1
        if periods["tiles"] != 4:
            wrong.append(f"{method}: {periods['tiles']} tiles")
        # A peak that is not the highest of its neighbours, or leaked, is none.
        if periods["highest_ratio"] > ratio * (1 + 1e-7):
            wrong.append(f"{method}: highest ratio {periods['highest_ratio']}, expected at most {ratio}")
        for line in periods["lines"][:1]:
            if line["ratio"] == periods["highest_ratio"] and math.isclose(line["ratio"], ratio, rel_tol=1e-7):
                if abs(256 / line["period_px"] - math.hypot(u, v)) > 0.71:
                    wrong.append(f"{method}: period {line['period_px']}, expected {256 / math.hypot(u, v)}")
        if method == "am" and not (29 < periods["lines"][0]["lines_an_inch"] < 31
                                   and abs(periods["lines"][0]["angle"] % 90 - 45) < 2):
            wrong.append(f"am: {periods['lines'][0]}, asked for 30 lpi at 45 degrees")
        print(f"{method}: {len(periods['lines'])} lines, highest ratio {periods['highest_ratio']:.2f}")
    return compared


def main(program):
    wrong = []
    with tempfile.TemporaryDirectory(prefix="mezzotint-print-") as name:
        folder = pathlib.Path(name)
        compared = check_prints(program, folder, wrong) + check_lines(program, folder, wrong)
    for text in wrong[:40]:
        print(text, file=sys.stderr)
    print(f"{compared} numbers compared, {len(wrong)} differ")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
