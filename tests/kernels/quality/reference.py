#!/usr/bin/env python3
"""Every metric of `mezzotint compare`, computed a second time with NumPy and SciPy.

usage: reference.py PROGRAM

Makes 20 small pages, halftones each with four methods (the smaller ones with two in the short form), and compares what the program reports with
what is computed here, to 1e-6 of the value (and 1e-9 absolute, for values that are 0 but for
rounding). The definitions are those of kernels/quality/*.h; whole pages, direct sums and FFTs of
the whole page stand here where the program has tiles, overlap-save and separable filters.
"""
import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
    import scipy.ndimage
    import scipy.signal
except ImportError as missing:
    print(f"skipped: {missing}; install python3-scipy")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import effort  # noqa: E402  (it lies there)

METHODS = effort.choose(["floyd-steinberg", "bayer"],
                        ["floyd-steinberg", "threshold", "bayer", "ostromoukhov"])
MOST_SAMPLES = effort.choose(200_000, 10**9)  # of a page: the larger ones take most of the time
TOLERANCE = 1e-6
ZERO = 1e-9


# Files ----------------------------------------------------------------------------------------

def write_tiff(path, samples, max_is_ink=False, dpi=None):
    """One strip, uncompressed, grey, little endian."""
    height, width = samples.shape
    bits = samples.dtype.itemsize * 8
    data = samples.astype(samples.dtype.newbyteorder("<")).tobytes()
    data += b"\0" * (len(data) % 2)
    tags = [(256, 4, width), (257, 4, height), (258, 3, bits), (259, 3, 1),
            (262, 3, 0 if max_is_ink else 1), (273, 4, 8), (277, 3, 1), (278, 4, height),
            (279, 4, samples.nbytes)]
    rational = b""
    if dpi is not None:
        at = 8 + len(data)
        rational = struct.pack("<II", dpi, 1)
        tags += [(282, 5, at), (283, 5, at), (296, 3, 2)]
    directory = struct.pack("<H", len(tags))
    for number, kind, value in tags:
        directory += struct.pack("<HHII", number, kind, 1, value)
    header = struct.pack("<2sHI", b"II", 42, 8 + len(data) + len(rational))
    path.write_bytes(header + data + rational + directory + struct.pack("<I", 0))


def read_plate(path):
    """The bits of an uncompressed plate, 1 is ink."""
    file = path.read_bytes()
    assert file[:4] == b"II*\0", path
    at = struct.unpack_from("<I", file, 4)[0]
    tags = {}
    for i in range(struct.unpack_from("<H", file, at)[0]):
        number, kind, count = struct.unpack_from("<HHI", file, at + 2 + 12 * i)
        letter = {3: "H", 4: "I"}.get(kind)
        if letter is None:
            continue
        place = at + 2 + 12 * i + 8
        if struct.calcsize(letter) * count > 4:
            place = struct.unpack_from("<I", file, place)[0]
        tags[number] = struct.unpack_from(f"<{count}{letter}", file, place)
    assert tags[259] == (1,) and tags[262] == (0,), tags
    width, height = tags[256][0], tags[257][0]
    data = b"".join(file[o:o + n] for o, n in zip(tags[273], tags[279]))
    rows = numpy.frombuffer(data, numpy.uint8).reshape(height, (width + 7) // 8)
    return numpy.unpackbits(rows, axis=1)[:, :width]


# Filters --------------------------------------------------------------------------------------

def gaussian(sigma, radius):
    y, x = numpy.mgrid[-radius:radius + 1, -radius:radius + 1]
    kernel = numpy.exp(-(x * x + y * y) / (2 * sigma * sigma))
    return kernel / kernel.sum()


def reflect(page, margin):
    """Reflect-101, back and forth for pages smaller than the margin."""
    def places(size):
        walk = list(range(size)) + list(range(size - 2, 0, -1))
        return [walk[i % len(walk)] for i in range(-margin, size + margin)]
    return page[numpy.ix_(places(page.shape[0]), places(page.shape[1]))]


def blur(page, sigma, radius):
    return scipy.signal.convolve(reflect(page, radius), gaussian(sigma, radius), "valid", "fft")


def rms(values):
    return 255 * math.sqrt(numpy.mean(values ** 2)) if values.size else math.nan


# Metrics --------------------------------------------------------------------------------------

def eye(sight):
    k = (math.pi * sight / 180) / (0.525 * math.log(11) + 3.91)
    radius = max(1, round(23 * sight / 3500))
    j, i = numpy.mgrid[-radius:radius + 1, -radius:radius + 1]
    r = numpy.sqrt(i * i + j * j)
    p = 2 * math.pi * k / (k * k + 4 * math.pi ** 2 * r * r) ** 1.5
    p /= p.sum()
    p = numpy.where(r >= radius + 1, 0, numpy.where(r > radius, p * (radius + 1 - r), p))
    return p / p.sum(), radius


def hvs(report, a, b, sight):
    p, radius = eye(sight)
    seen = scipy.signal.fftconvolve(b - a, p, "full")
    seen = seen[radius:radius + a.shape[0], radius:radius + a.shape[1]]
    inside = seen[radius:max(a.shape[0] - radius, radius), radius:max(a.shape[1] - radius, radius)]
    report["hvs_rms"] = rms(inside)
    report["startup_rms"] = rms(seen[:16])
    report["interior_rms"] = rms(seen[16:])


def average_error(a, b):
    kernel = gaussian(1, 3)
    soft = scipy.ndimage.convolve(b, kernel, mode="constant")
    weight = scipy.ndimage.convolve(numpy.ones_like(b), kernel, mode="constant")
    return 255 * numpy.mean(numpy.abs(a - soft / weight))


def wsnr(a, b):
    height, width = min(512, a.shape[0]), min(512, a.shape[1])
    v = numpy.fft.fftfreq(height)[:, None] * 120
    u = numpy.fft.fftfreq(width)[None, :] * 120
    w = 0.7
    s = (1 - w) / 2 * numpy.cos(4 * numpy.arctan2(v, u)) + (1 + w) / 2
    f = numpy.sqrt(u * u + v * v) / s
    c = 2.6 * (0.0192 + 0.114 * f) * numpy.exp(-(0.114 * f) ** 1.1)
    c = numpy.where(f < 7.8909, 0.9809, c)
    signal = noise = 0.0
    for top in range(0, a.shape[0] - height + 1, height):
        for left in range(0, a.shape[1] - width + 1, width):
            tile = numpy.s_[top:top + height, left:left + width]
            signal += numpy.sum(numpy.abs(numpy.fft.fft2(1 - a[tile])) ** 2)
            noise += numpy.sum(numpy.abs(numpy.fft.fft2(b[tile] - a[tile]) * c) ** 2)
    return decibels(signal, noise)


def decibels(signal, noise):
    return 10 * math.log10(signal / noise) if signal > 0 and noise > 0 else math.nan


def ssim(a, b):
    # Beyond the page, the mirror image of the blurred page is the blurred mirror image.
    x, y = 1 - blur(a, 1.5, 6), 1 - blur(b, 1.5, 6)
    mx, my = blur(x, 1.5, 5), blur(y, 1.5, 5)
    vx, vy = blur(x * x, 1.5, 5) - mx ** 2, blur(y * y, 1.5, 5) - my ** 2
    vxy = blur(x * y, 1.5, 5) - mx * my
    c1, c2 = 0.01 ** 2, 0.03 ** 2
    return numpy.mean((2 * mx * my + c1) * (2 * vxy + c2)
                      / ((mx ** 2 + my ** 2 + c1) * (vx + vy + c2)))


def tones(report, ink, max_ink, b):
    level = (2 * 255 * ink.astype(numpy.int64) + max_ink) // (2 * max_ink)
    report["tones"] = []
    errors = []
    for one in numpy.unique(level):
        here = level == one
        pixels = int(here.sum())
        asked, got = numpy.mean(ink[here] / max_ink), numpy.mean(b[here])
        report["tones"].append({"level": int(one), "pixels": pixels, "asked": asked, "got": got})
        if pixels >= 4096:
            errors.append(255 * abs(got - asked))
    report["tone_error_mean"] = numpy.mean(errors) if errors else math.nan
    report["tone_error_max"] = max(errors) if errors else math.nan


def isolated(page):
    """Ones that have no other one around them."""
    around = scipy.ndimage.convolve(page.astype(int), numpy.ones((3, 3), int), mode="constant")
    return int(numpy.sum((page == 1) & (around == 1)))


def spectrum(report, ink, max_ink, b):
    tiles = []
    for top in range(0, ink.shape[0] - 255, 256):
        for left in range(0, ink.shape[1] - 255, 256):
            tile = numpy.s_[top:top + 256, left:left + 256]
            values = [int(v) for v in ink[tile].ravel()]
            n = len(values)
            deviation = n * sum(v * v for v in values) - sum(values) ** 2
            mean = sum(values) / n / max_ink
            flat = math.sqrt(deviation) / n / max_ink <= 2 / 255
            if flat and 0.02 <= mean <= 0.98 and 0 < b[tile].mean() < 1:
                tiles.append((deviation, top, left, b[tile]))
    tiles = [tile for _, _, _, tile in sorted(tiles, key=lambda t: t[:3])[:64]]
    report["spectrum_tiles"] = len(tiles)
    report["spectrum"] = []
    if not tiles:
        return
    power = numpy.zeros((256, 256))
    for tile in tiles:
        g = tile.mean()
        one = numpy.abs(numpy.fft.fft2(tile - g)) ** 2 / 256 ** 2 / (g * (1 - g))
        one[0, 0] = 0
        power += one / len(tiles)
    f = numpy.fft.fftfreq(256) * 256
    distance = numpy.round(numpy.sqrt(f[:, None] ** 2 + f[None, :] ** 2)).astype(int)
    for ring in range(1, 182):
        p = power[distance == ring]
        mean = p.mean()
        anisotropy = math.nan
        if mean < 1e-20:
            mean = 0
        elif len(p) > 1 and numpy.any(p != mean):
            anisotropy = 10 * math.log10(numpy.sum((p - mean) ** 2) / (len(p) - 1) / mean ** 2)
        report["spectrum"].append(
            {"frequency": ring / 256, "power": mean, "anisotropy_db": anisotropy})


def seam(power):
    """(period, ratio) of the least likely line."""
    size = len(power)
    floor = power.mean() / 1000
    around = numpy.array([numpy.median(power[max(i - 16, 0):i + 17]) for i in range(size)])
    row = (power + floor) / (around + floor) if floor > 0 else numpy.ones(size)
    longest = min(512, size // 8)
    tried, best = 0, (0.0, 0, 1.0)
    for period in range(2, longest + 1):
        for phase in range(period):
            tried += 1
            returns = numpy.sort(row[phase::period])[::-1]
            n = len(returns)
            k = math.ceil(3 * n / 4)
            ratio = returns[k - 1]
            if ratio < 1.25:
                continue
            share = numpy.mean(row >= ratio * (1 - 1e-9))
            chance = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
                      + k * math.log(share))
            if chance < best[0]:
                best = (chance, period, ratio)
    if best[1] == 0 or best[0] + math.log(tried) >= math.log(1e-6):
        return 0, 1.0
    return best[1:]


def judge(ink, max_ink, bits, sight):
    a, b = ink / max_ink, bits.astype(float)
    error = blur(b - a, 1.5, 6)
    report = {
        "width_px": a.shape[1], "height_px": a.shape[0],
        "contone_coverage": a.mean(), "ink_coverage": b.mean(), "dots": int(bits.sum()),
        "isolated_dots": isolated(bits), "isolated_holes": isolated(1 - bits),
        "gaussian_rms_1_5": rms(error), "gaussian_rms_3": rms(blur(b - a, 3, 12)),
        "average_error": average_error(a, b),
        "hpsnr_db": decibels(1, numpy.mean((blur(b, 2, 5) - blur(a, 2, 5)) ** 2)
                             if numpy.any(a != b) else 0),
        "wsnr_db": wsnr(a, b), "ssim": ssim(a, b),
        "startup_tone_error": 255 * numpy.mean((b - a)[:16]),
    }
    hvs(report, a, b, sight)
    tones(report, ink, max_ink, b)
    spectrum(report, ink, max_ink, b)
    power = error ** 2
    report["seam_row_period"], report["seam_row_ratio"] = seam(power.sum(axis=1))
    report["seam_column_period"], report["seam_column_ratio"] = seam(power.sum(axis=0))
    return report


# Pages ----------------------------------------------------------------------------------------

def photo(random, height, width, depth=8):
    """Noise of all scales, with an edge."""
    page = numpy.zeros((height, width))
    for sigma in (1, 4, 16, 64):
        one = scipy.ndimage.gaussian_filter(random.standard_normal((height, width)), sigma)
        page += one / max(one.std(), 1e-9)
    page[:, width // 2:] += 1
    page = numpy.clip((page + 5) / 11, 0, 1)
    return numpy.round(page * (2 ** depth - 1)).astype(numpy.uint8 if depth == 8 else numpy.uint16)


def pages():
    """name, samples, max_is_ink, dpi of the tag or None, product for --distance or None."""
    random = numpy.random.default_rng(20261)
    def constant(height, width, value):
        return numpy.full((height, width), value, numpy.uint8)
    ramp = numpy.linspace(0, 255, 640).round().astype(numpy.uint8)
    deep = numpy.linspace(0, 65535, 523).round().astype(numpy.uint16)
    tint = constant(530, 800, 230) - random.integers(0, 3, (530, 800)).astype(numpy.uint8)
    steps = numpy.repeat(numpy.arange(16, dtype=numpy.uint8) * 17, 40)
    return [
        ("one pixel", constant(1, 1, 100), False, None, None),
        ("one row", ramp[None, 5::9].copy(), False, None, None),
        ("one column", ramp[5::9, None].copy(), True, None, None),
        ("13 x 5", photo(random, 5, 13), False, None, None),
        ("17 rows", photo(random, 17, 120), False, 600, None),
        ("paper", constant(60, 70, 255), False, None, None),
        ("solid", constant(60, 70, 0), False, None, None),
        ("mid grey", constant(512, 512, 128), False, None, None),
        ("light grey", constant(300, 520, 243), False, None, None),
        ("dark, max is ink", constant(260, 256, 200), True, None, None),
        ("tint", tint, False, None, None),
        ("ramp", numpy.tile(ramp, (96, 1)), False, None, None),
        ("ramp down", numpy.tile(ramp[:, None], (1, 100)), False, 1200, None),
        ("16-bit ramp", numpy.tile(deep, (110, 1)), False, None, None),
        ("steps", numpy.tile(steps, (257, 1)), True, None, None),
        ("photo", photo(random, 300, 400), False, None, 2850),
        ("photo, odd", photo(random, 131, 97), False, None, 7000),
        ("photo over a tile", photo(random, 601, 577), False, None, None),
        ("photo, several tiles", photo(random, 1040, 513), False, None, None),
        ("16-bit photo", photo(random, 333, 222, 16), True, 2400, 1000),
    ]


# Comparison -----------------------------------------------------------------------------------

def differences(name, expected, found):
    """What differs, one text each."""
    if isinstance(expected, dict):
        return [text for key in expected for text in
                differences(f"{name}.{key}", expected[key], found.get(key, "missing"))]
    if isinstance(expected, list):
        if len(expected) != len(found):
            return [f"{name}: expected {len(expected)} entries, found {len(found)}"]
        return [text for i, one in enumerate(expected)
                for text in differences(f"{name}[{i}]", one, found[i])]
    if not math.isfinite(expected):
        return [] if found is None else [f"{name}: expected null, found {found}"]
    if isinstance(found, (int, float)) and math.isclose(
            expected, found, rel_tol=TOLERANCE, abs_tol=ZERO):
        return []
    return [f"{name}: expected {expected!r}, found {found!r}"]


def main(program):
    wrong, compared = [], 0
    with tempfile.TemporaryDirectory(prefix="mezzotint-quality-") as name:
        folder = pathlib.Path(name)
        contone = folder / "contone.tif"
        for title, samples, max_is_ink, dpi, sight in pages():
            if samples.size > MOST_SAMPLES:
                continue
            write_tiff(contone, samples, max_is_ink, dpi)
            plates = [folder / f"{method}.tif" for method in METHODS]
            for method, plate in zip(METHODS, plates):
                subprocess.run([program, "halftone", "-q", contone, plate, "--method", method,
                                "--compression", "none"], check=True)
            words = [program, "compare", "--json", contone, *plates]
            if sight is not None:
                words += ["--distance", repr(sight / (dpi or 300))]
            result = subprocess.run(words, check=True, capture_output=True, text=True)
            max_ink = int(numpy.iinfo(samples.dtype).max)
            ink = samples if max_is_ink else max_ink - samples
            lines = result.stdout.splitlines()
            for method, plate, line in zip(METHODS, plates, lines, strict=True):
                found = json.loads(line)
                expected = judge(ink, max_ink, read_plate(plate), sight or 3500)
                compared += len(expected)
                wrong += differences(f"{title}, {method}", expected, found)
    for text in wrong[:40]:
        print(text, file=sys.stderr)
    print(f"{compared} metrics compared, {len(wrong)} values differ; {effort.form()}")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1]))
