"""Pages that pass the whole chain: spot channels mixed into others, inks dropped, renamed and with
settings of their own, turned, scaled, repeated, protected, with line work over them, and mirrored.

Plates have 4 times the page's resolution, the page turned by 90 degrees, and two copies of it.
"""

import hashlib
import struct

INKS = ("Cyan", "Magenta", "Yellow", "Black", "PANTONE 185 C", "Varnish")
PLATES = ("blue", "magenta", "yellow", "black")
PAGE_DPI, PLATE_DPI, TIMES = 300, 1200, 4
SETTINGS = """\
linework: %s
output: {path: "%s", resolution: %d, mirror: true}
halftone: {method: bayer}
rotate: 90
copies: {across: 2, down: 1}
scale: cubic
protect: both
inks:
  PANTONE 185 C: {to: {magenta: 90%%, yellow: 60%%}}
  Varnish: drop
  Cyan: {plate: Blue}
  Black: {halftone: {method: floyd-steinberg}, tone: {curve: [[0%%, 0%%], [40%%, 55%%], [100%%, 100%%]]}}
"""


def settings(linework_file, path="plates/{stem}_{ink}.tif"):
    """Lines of such a page in a manifest's `pages`."""
    return SETTINGS % (linework_file, path, PLATE_DPI)


def page(number, width, height):
    """The bytes of a separated TIFF: patches of tone, paper and solids among them."""
    drawn = hashlib.shake_128(b"chain %d" % number).digest(len(INKS) * 64)
    tones = [255 if tone > 240 else 0 if tone < 60 else tone for tone in drawn]
    samples = bytes(tones[len(INKS) * ((x // 7 + 5 * (y // 6)) % 64) + ink]
                    for y in range(height) for x in range(width) for ink in range(len(INKS)))
    names = b"".join(name.encode() + b"\0" for name in INKS)
    return tiff(width, height, samples, 8, 5, PAGE_DPI, len(INKS),
                [(332, 3, [2]), (333, 2, names), (334, 3, [len(INKS)])])


def linework(number, width, height):
    """The bytes of the line work of a page of that size."""
    drawn = hashlib.shake_128(b"type %d" % number).digest(64)
    across, down = 2 * TIMES * height, TIMES * width
    rows = b"".join(bytes(drawn[(x + 3 * (y // 5)) % 64] & 0x3C if y % 5 else 0
                          for x in range((across + 7) // 8)) for y in range(down))
    return tiff(across, down, rows, 1, 0, PLATE_DPI, 1, [])


def tiff(width, height, samples, bits, photometric, dpi, count, more):
    """A TIFF of one uncompressed strip; types of tags: 2 bytes, 3 short, 4 long, 5 rational."""
    tags = [(256, 4, [width]), (257, 4, [height]), (258, 3, [bits] * count), (259, 3, [1]),
            (262, 3, [photometric]), (273, 4, [8]), (277, 3, [count]), (278, 4, [height]),
            (279, 4, [len(samples)]), (282, 5, [dpi, 1]), (283, 5, [dpi, 1]), (296, 3, [2]), *more]
    begin = 8 + len(samples) + len(samples) % 2
    extra_at = begin + 2 + 12 * len(tags) + 4
    directory, extra = struct.pack("<H", len(tags)), b""
    for tag, kind, values in tags:
        data = values if kind == 2 else struct.pack(
            f"<{len(values)}{'H' if kind == 3 else 'I'}", *values)
        many = 1 if kind == 5 else len(values)
        if len(data) > 4:
            directory += struct.pack("<HHII", tag, kind, many, extra_at + len(extra))
            extra += data + b"\0" * (len(data) % 2)
        else:
            directory += struct.pack("<HHI", tag, kind, many) + data.ljust(4, b"\0")
    return (struct.pack("<2sHI", b"II", 42, begin) + samples + b"\0" * (len(samples) % 2)
            + directory + struct.pack("<I", 0) + extra)
