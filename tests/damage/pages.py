"""The pages that are damaged, and the tags of each that decide something.

Every page is small and unsymmetrical, and has values other than the defaults of its tags, so that a
tag that is lost shows in the plates.
"""

import dataclasses
import fractions
import pathlib
import struct
import zlib

import codecs_of_pages
import tiff_form
from tiff_form import (ASCII, BYTE, LONG, RATIONAL, SHORT, UNDEFINED, Entry, Form)

PROFILES = pathlib.Path("/usr/share/color/icc/ghostscript")  # Debian's libgs-common
PAGE_PROFILE = PROFILES / "a98.icc"
PRESS_PROFILE = PROFILES / "default_cmyk.icc"

CLASSIC = Form()
MOTOROLA_BEFORE = Form(order=">", behind=False)
BIG = Form(big=True)
BIG_MOTOROLA = Form(order=">", big=True)
FORMS = (CLASSIC, MOTOROLA_BEFORE, BIG, BIG_MOTOROLA)

ALWAYS_REQUIRED = (256, 257, 262, 273, 324)
SHOWN = (266, 274, 282, 283, 292, 317, 333, 336, 347, 34377, 34675)


@dataclasses.dataclass
class Page:
    """A sound page.

    `required`: tags without which TIFF 6 gives the page no meaning. `settings`: which manifest it has.
    `shown`: tags that may be missing, and whose values here are others than without them. `tags` and
    `segments` are functions of the form, whose byte order decides some of them.
    """
    name: str
    own_form: Form
    tags: object
    segments: object
    required: tuple = ()
    settings: str = "plain"
    shown: tuple = SHOWN


def _base(width, height, bits, photometric, compression, rows, counts, more):
    """The tags of a page of strips or, with rows of 0, of tiles, which `more` has."""
    tags = [Entry(254, LONG, [0]), Entry(256, SHORT, [width]), Entry(257, SHORT, [height]),
            Entry(258, SHORT, bits), Entry(259, SHORT, [compression]),
            Entry(262, SHORT, [photometric]), Entry(277, SHORT, [len(bits)])]
    if rows:
        tags += [Entry(273, LONG, [0] * len(counts)), Entry(278, SHORT, [rows]),
                 Entry(279, LONG, counts)]
    return sorted(tags + more, key=lambda entry: entry.tag)


def resolution(across, down, unit=2):
    return [Entry(282, RATIONAL, [across]), Entry(283, RATIONAL, [down]), Entry(296, SHORT, [unit])]


def _strips(data, height, rows):
    """Rows of equal length, cut into strips."""
    row = len(data) // height
    return [data[at * row:(at + rows) * row] for at in range(0, height, rows)]


def _samples(width, height, inks, most=255):
    """Interleaved samples, each ink with a gradient of its own."""
    return [(7 * x * (ink + 1) + 11 * y * (inks - ink) + 31 * ink + 5 * (x * y)) % (most + 1)
            for y in range(height) for x in range(width) for ink in range(inks)]


def _plain(form, width, height, inks, photometric, more, rows=8, bits=8, segments=None,
           compression=1):
    segments = segments or _strips(bytes(_samples(width, height, inks)), height, rows)
    return _base(width, height, [bits] * inks, photometric, compression, rows,
                 [len(strip) for strip in segments], more)


def uncompressed(name, form, inks, photometric, more, required=(), settings="plain", **others):
    """A page of uncompressed 8-bit samples in strips."""
    width, height = 24, 20
    return Page(name, form,
                lambda f: _plain(f, width, height, inks, photometric, more, **others),
                lambda f: _strips(bytes(_samples(width, height, inks)), height, 8), required,
                settings)


def coded(name, form, size, bits, photometric, compression, rows, segments, more, required=()):
    """A page of compressed strips; `segments` and `more` are functions of the form."""
    return Page(name, form,
                lambda f: _base(*size, bits, photometric, compression, rows,
                                [len(strip) for strip in segments(f)], more(f)),
                segments, required)


# ---- The pages ----

def palette():
    width, height = 40, 24
    colours = [(255 - i) * 257 if i % 3 else i * 191 for i in range(256)]
    colours += [(i * 83 % 256) * 257 for i in range(256)] + [(255 - i // 2) * 257 for i in range(256)]
    more = [Entry(320, SHORT, colours)] + resolution(300, 300)
    strips = [codecs_of_pages.lzw(strip)
              for strip in _strips(bytes(_samples(width, height, 1)), height, 12)]
    return coded("palette", CLASSIC, (width, height), [8], 3, 5, 12, lambda f: strips,
                 lambda f: more, required=(320,))


def rgb_with_profile():
    profile = PAGE_PROFILE.read_bytes() if PAGE_PROFILE.exists() else b""
    more = resolution(300, 250) + [Entry(274, SHORT, [6]), Entry(34675, UNDEFINED, list(profile))]
    return uncompressed("rgb-profile", CLASSIC, 3, 2, more, required=(277, 258), settings="press")


def grey_with_resolution():
    return uncompressed("grey", MOTOROLA_BEFORE, 1, 0,
                        resolution(fractions.Fraction(11811, 100), 120, 3) +
                        [Entry(255, SHORT, [1]), Entry(274, SHORT, [3])])


def cmyk(name, form, ranges):
    more = resolution(300, 300) + [Entry(332, SHORT, [1]), Entry(336, SHORT, ranges)]
    return uncompressed(name, form, 4, 5, more, required=(277, 258))


def cmyk_and_spots():
    names = b"Cyan\0Magenta\0Gold\0Black\0PANTONE 185 C\0varnish\0"
    more = resolution(200, 300) + [Entry(332, SHORT, [2]), Entry(333, ASCII, list(names)),
                                    Entry(334, SHORT, [6])]
    return uncompressed("spots", CLASSIC, 6, 5, more, required=(277, 258))


def grey_16():
    width, height, rows = 30, 24, 8

    def strips(form):
        samples = [value * 257 + 13 * (at % 19) for at, value in
                   enumerate(_samples(width, height, 1, 250))]
        lines = [samples[y * width:(y + 1) * width] for y in range(height)]
        return [zlib.compress(codecs_of_pages.differences(form.order, lines[y:y + rows]))
                for y in range(0, height, rows)]

    return coded("grey-16", BIG_MOTOROLA, (width, height), [16], 1, 8, rows, strips,
                 lambda f: [Entry(317, SHORT, [2])] + resolution(300, 300), required=(258,))


def fax(name, form, compression, data, options):
    rows = len(codecs_of_pages.STEPS)
    return coded(name, form, (32, rows), [1], 0, compression, rows,
                 lambda f: [codecs_of_pages.mirrored(data)],
                 lambda f: [Entry(266, SHORT, [2]), options] + resolution(204, 98))


def jpeg():
    groups = [[((x * 37 + y * 61) % 200 + 20, (x * 53 + y * 29) % 200 + 30, 90 + 20 * x, 170 - 25 * y)
               for x in range(3)] for y in range(3)]
    more = [Entry(347, UNDEFINED, list(codecs_of_pages.jpeg_tables())),
            Entry(529, RATIONAL, [fractions.Fraction(part, 1000) for part in (299, 587, 114)]),
            Entry(530, SHORT, [2, 1]), Entry(532, RATIONAL, [0, 255, 128, 255, 128, 255])]
    return coded("jpeg", CLASSIC, (48, 24), [8] * 3, 6, 7, 8,
                 lambda f: [codecs_of_pages.jpeg_strip(8, row) for row in groups],
                 lambda f: more + resolution(300, 300), required=(277, 258))


def tiled():
    width, height, inks = 40, 24, 4
    samples = _samples(48, 32, inks)

    def tile(ink, left, top):
        return bytes(samples[((top + y) * 48 + left + x) * inks + ink]
                     for y in range(16) for x in range(16))

    tiles = [tile(ink, left, top) for ink in range(inks) for top in (0, 16) for left in (0, 16, 32)]
    more = resolution(300, 300) + [
        Entry(284, SHORT, [2]), Entry(322, SHORT, [16]), Entry(323, SHORT, [16]),
        Entry(324, LONG, [0] * len(tiles)), Entry(325, LONG, [256] * len(tiles)),
        Entry(332, SHORT, [1])]
    return Page("tiles", MOTOROLA_BEFORE,
                lambda f: _base(width, height, [8] * inks, 5, 1, 0, [], more), lambda f: tiles,
                required=(277, 258, 322, 323, 324))


def rgba():
    more = resolution(300, 300) + [Entry(338, SHORT, [2]), Entry(339, SHORT, [1] * 4)]
    return uncompressed("rgba", BIG, 4, 2, more, required=(277, 258, 338))


def resource(number, data):
    """An image resource of Photoshop, without a name."""
    return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + b"\0" * (len(data) % 2)


def cmyk_and_photoshop_spots():
    names = b"".join(bytes([len(name)]) + name for name in (b"PANTONE 185 C", b"varnish"))
    display = b"".join(struct.pack(">HhhhhHBB", 2, 0, 100, 50, 0, 100, 2, 0) for _ in range(2))
    blocks = resource(1006, names) + resource(1007, display)
    more = resolution(300, 300) + [Entry(332, SHORT, [1]), Entry(338, SHORT, [0, 0]),
                                    Entry(34377, BYTE, list(blocks))]
    return uncompressed("photoshop", CLASSIC, 6, 5, more, required=(277, 258, 338),
                        settings="spots")


def cielab():
    return uncompressed("cielab", CLASSIC, 3, 8, resolution(300, 300), required=(277, 258),
                        settings="press")


def tile_of_thresholds():
    """No page, but the thresholds of `method: tile`; mezzotint keeps their shift in ImageDescription."""
    more = [Entry(270, ASCII, list(b"mezzotint tile; shift=5\0")), Entry(274, SHORT, [3])]
    page = uncompressed("tile", CLASSIC, 1, 1, more, settings="tile")
    return dataclasses.replace(page, shown=(270, 274))


def line_work():
    """No page, but the line work of one."""
    page = fax("line-work", CLASSIC, 4, codecs_of_pages.g4(), Entry(274, SHORT, [2]))
    return dataclasses.replace(page, settings="line-work", shown=(266, 274))


def contone_for(settings):
    """A sound page for line_work(), which must have its size, or for tile_of_thresholds(), which repeats."""
    width, height = 32, len(codecs_of_pages.STEPS) if settings == "line-work" else 50
    pixels = bytes(_samples(width, height, 1))
    return tiff_form.write(CLASSIC, _base(width, height, [8], 1, 1, height, [len(pixels)], []),
                           [pixels])


def decisive_pages():
    """Pages whose tags all decide plates; 262, 256, 257 and where pixels lie are always required."""
    return [palette(), rgb_with_profile(), grey_with_resolution(),
            cmyk("cmyk-negative", CLASSIC, [255, 0]), cmyk("cmyk-range", BIG, [13, 242] * 4),
            cmyk_and_spots(), grey_16(),
            fax("g4", CLASSIC, 4, codecs_of_pages.g4(), Entry(293, LONG, [0])),
            fax("g3", MOTOROLA_BEFORE, 3, codecs_of_pages.g3(), Entry(292, LONG, [1])), jpeg(),
            tiled(), rgba(), cmyk_and_photoshop_spots(), cielab(),
            tile_of_thresholds(), line_work()]


SETTINGS = {
    "plain": "",
    "press": f"  profile: {PRESS_PROFILE}\n  colour: {{assume: {{rgb: sRGB}}}}\n",
    "spots": "  extra_channels: inks\n  spot_polarity: ink\n",
    "tile": "",
    "line-work": "",
}
# Where the damaged file is not the page, but named by it.
NAMED_BY_PAGE = {"tile": "halftone: {{method: tile, file: {}}}", "line-work": "linework: {}"}
