"""A press made of arithmetic: what bits become on paper, and what an instrument reads there.

The bits of a plate are blurred by a Gaussian and cut at a threshold, which spreads the ink: the physical
gain, with the jump where dots touch. Light that is scattered in the paper makes dots look larger, by
Yule and Nielsen: R = ((1 - a) Rp^(1/n) + a Rs^(1/n))^n at each wavelength, n = 1.7. With AM dots of
175 lpi at 2400 dpi a tint of 56 % gains about 17.5 % by its density.
"""
import zlib

from oracle_base import Image, bits_of, numpy, scipy

WAVELENGTHS = numpy.arange(400, 701, 10)
# CIE 1931, two degrees, and the illuminant D50, in steps of 10 nm from 400.
X_BAR = (.01431, .04351, .13438, .2839, .34828, .3362, .2908, .19536, .09564, .03201, .0049, .0093, .06327,
         .1655, .2904, .43345, .5945, .7621, .9163, 1.0263, 1.0622, 1.0026, .85445, .6424, .4479, .2835,
         .1649, .0874, .04677, .0227, .011359)
Y_BAR = (.000396, .00121, .004, .0116, .023, .038, .06, .09098, .13902, .20802, .323, .503, .71, .862, .954,
         .99495, .995, .952, .87, .757, .631, .503, .381, .265, .175, .107, .061, .032, .017, .00821, .004102)
Z_BAR = (.06785, .2074, .6456, 1.3856, 1.74706, 1.77211, 1.6692, 1.28764, .81295, .46518, .272, .1582, .07825,
         .04216, .0203, .00875, .0039, .0021, .00165, .0011, .0008, .00034, .00019, .00005, .00002, 0, 0, 0, 0,
         0, 0)
D50 = (49.31, 56.51, 60.03, 57.82, 74.82, 87.25, 90.61, 91.37, 95.11, 91.96, 95.72, 96.61, 97.13, 102.10,
       100.75, 102.32, 100.0, 97.74, 98.92, 93.50, 97.69, 99.27, 99.04, 95.72, 98.86, 95.67, 98.19, 103.0,
       99.13, 87.38, 91.60)
SEEN = numpy.array([X_BAR, Y_BAR, Z_BAR]) * numpy.array(D50)
SEEN = SEEN / SEEN[1].sum()
WHITE = SEEN.sum(axis=1)  # Y = 1
FINER = numpy.array([0.125, 0.375, 0.625, 0.875], numpy.float32)
FILTERS = {"RED": 620, "GREEN": 530, "BLUE": 430}  # of a densitometer, 20 nm wide


def bump(centre, width, height):
    return height * numpy.exp(-0.5 * ((WAVELENGTHS - centre) / width) ** 2)


THROUGH = {name: bump(centre, 20, 1) for name, centre in FILTERS.items()}
PAPER = 0.86 - bump(400, 25, 0.12)
# Densities of the solids over the paper.
INKS = {
    "cyan": bump(630, 75, 1.50) + bump(420, 40, 0.15),
    "magenta": bump(540, 42, 1.48) + bump(430, 60, 0.60) + 0.02,
    "yellow": 1.40 / (1 + numpy.exp((WAVELENGTHS - 492) / 9.0)) + 0.015,
    "black": 1.78 + bump(450, 150, 0.06),
}


def density_spectrum(ink):
    """Of the solid of an ink, over paper; a spot colour gets one by its name."""
    name = ink.lower()
    if name in INKS:
        return INKS[name]
    lot = zlib.crc32(name.encode())
    return bump(440 + lot % 180, 50, 1.45) + bump(420, 60, 0.1 + lot // 180 % 40 / 100) + 0.03


class Plate:
    """The bits of a bilevel TIFF, in rectangles; 1 is ink. Rows of an uncompressed file stay on disk."""

    def __init__(self, path, mirrored=False):
        self.mirrored = mirrored
        image = Image.open(path)
        if image.mode != "1":
            raise SystemExit(f"{path}: a plate has one bit a pixel, and this is {image.mode}")
        self.width, self.height = image.size
        dpi = image.info.get("dpi")
        self.dpi = float(dpi[0]) if dpi else None
        tags = image.tag_v2
        self.rows = None
        strips = tags.get(273, ())
        if tags.get(259) == 1 and (len(strips) == 1 or self.in_order(tags)) and tags.get(266, 1) == 1:
            stride = (self.width + 7) // 8
            self.rows = numpy.memmap(path, numpy.uint8, "r", strips[0], (self.height, stride))
            self.flip = tags.get(262) == 1
        else:
            self.image = bits_of(image)

    def in_order(self, tags):
        at = tags[273]
        return all(at[i] + tags[279][i] == at[i + 1] for i in range(len(at) - 1))

    def bits(self, left, top, width, height):
        if self.mirrored:
            left = self.width - left - width
        if left < 0 or top < 0 or left + width > self.width or top + height > self.height:
            raise SystemExit(f"a patch at {left}, {top} of {width} x {height} px lies outside of the plate, "
                             f"which has {self.width} x {self.height}")
        if self.rows is None:
            found = self.image[top:top + height, left:left + width]
        else:
            first = left // 8
            rows = numpy.unpackbits(self.rows[top:top + height, first:(left + width + 7) // 8], axis=1)
            found = rows[:, left - 8 * first:left - 8 * first + width] ^ self.flip
        return found[:, ::-1] if self.mirrored else found


class Press:
    """`spread` is the Gaussian's sigma in micrometres; `level` what is ink of the blurred bits."""

    def __init__(self, n=1.7, spread=7.0, level=0.42):
        self.n, self.spread, self.level = n, spread, level

    def area(self, bits, dpi):
        """The part of the paper that ink covers, seen through an aperture that is soft at its edges."""
        blurred = scipy.ndimage.gaussian_filter(bits.astype(numpy.float32), self.spread * dpi / 25400,
                                                mode="nearest", truncate=4)
        corners = blurred[:-1, :-1], blurred[:-1, 1:], blurred[1:, :-1], blurred[1:, 1:]
        over = [corner > self.level for corner in corners]
        whole = over[0] & over[1] & over[2] & over[3]
        ink = numpy.where(whole, numpy.float32(len(FINER) ** 2), numpy.float32(0))
        edge = (over[0] | over[1] | over[2] | over[3]) & ~whole  # the edge of a dot lies between pixels
        left, right, left_below, right_below = (corner[edge] for corner in corners)
        parts = numpy.zeros(left.shape, numpy.float32)
        for down in FINER:
            before, after = (above * (1 - down) + below * down for above, below in (
                (left, left_below), (right, right_below)))
            for across in FINER:
                parts += before * (1 - across) + after * across > self.level
        ink[edge] = parts
        weights = [numpy.hanning(size + 2)[1:-1] for size in ink.shape]
        return float(weights[0] @ ink @ weights[1] / (weights[0].sum() * weights[1].sum() * len(FINER) ** 2))

    def spectrum(self, ink, area):
        """Reflectances; paper's is PAPER."""
        solid = 10 ** (-density_spectrum(ink) / self.n)
        return PAPER * ((1 - area) + area * solid) ** self.n


def densities(spectrum):
    """By each filter, and VIS by the eye's."""
    found = {}
    for name, weights in THROUGH.items():
        found[name] = -numpy.log10((spectrum * weights).sum() / weights.sum())
    found["VIS"] = -numpy.log10((spectrum * SEEN[1]).sum())
    return found


def xyz(spectrum):
    """Y of a perfect white is 1."""
    return SEEN @ spectrum


def seen_root(t):
    """f of CIELAB."""
    return numpy.where(t > 216 / 24389, numpy.cbrt(t), (24389 / 27 * t + 16) / 116)


def lab(values):
    """Under D50, of XYZ with white's Y = 1."""
    fx, fy, fz = seen_root(numpy.asarray(values) / WHITE)
    return numpy.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def main_filter(ink):
    """The filter under which the ink is darkest."""
    if ink.lower() == "black":
        return "VIS"
    found = densities(PAPER * 10 ** -density_spectrum(ink))
    return max(FILTERS, key=found.get)


def tone(press, ink, area, by="density"):
    """The dot area that a perfect instrument reads, of a physical area: Murray-Davies, unless `by` says otherwise."""
    if by == "physical":
        return area
    spectra = [press.spectrum(ink, a) for a in (0, area, 1)]
    if by == "density":
        name = main_filter(ink)
        p, t, s = (10 ** -densities(spectrum)[name] for spectrum in spectra)
        return float((p - t) / (p - s))
    p, t, s = (xyz(spectrum) for spectrum in spectra)
    if by in ("y", "xyz"):  # xyz: that of the three which changes most
        one = 1 if by == "y" else int(numpy.argmax(1 - s / p))
        return float((p[one] - t[one]) / (p[one] - s[one]))
    p, t, s = (116 * seen_root(values / WHITE) - 16 for values in (p, t, s))
    if by == "l":
        return float((p[1] - t[1]) / (p[1] - s[1]))
    if by == "sctv":
        return float(numpy.sqrt(((t - p) ** 2).sum() / ((s - p) ** 2).sum()))
    raise SystemExit(f"no tone by {by}: density, xyz, y, l, sctv or physical")
