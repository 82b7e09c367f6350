"""Pages that carry a number as their picture, and plates from which it can be told again.

A page is black and white, its pixels drawn from the number, so no two are alike, and a page that is
cut off, or is partly another's, gives no plate that is right. With THRESHOLD the plate has the very
pixels of the page.
"""

import hashlib
import struct
import zlib

# Settings under which plate and page have the same pixels, in strips that are read without a codec.
THRESHOLD = "halftone: {method: threshold, level: 50%}"
UNCOMPRESSED = "compression: none"
SHORT, LONG, RATIONAL = 3, 4, 5


def picture(number, width, height):
    """Rows of bits, the leftmost pixel in the highest one, 1 for ink; width is a multiple of 8."""
    return hashlib.shake_128(str(number).encode()).digest(width // 8 * height)


SAMPLES = [bytes(0 if byte >> (7 - bit) & 1 else 255 for bit in range(8)) for byte in range(256)]


def page(number, width=64, height=16):
    """The bytes of a grey TIFF; its directory comes before its pixels, which end the file."""
    return page_in("none, directory first", number, width, height)


CODECS = {"none": (1, bytes), "deflate": (8, zlib.compress),
          "packbits": (32773, lambda strip: b"".join(bytes([len(part) - 1]) + part
                                                     for part in parts_of(strip, 128)))}
LAYOUTS = [f"{codec}, directory {place}" for codec in CODECS for place in ("first", "last")]


def parts_of(data, length):
    return [data[at:at + length] for at in range(0, len(data), length)]


def page_in(layout, number, width, height, rows=None):
    """A page in one of the LAYOUTS, in strips of so many rows; one strip by default."""
    codec, place = layout.split(", directory ")
    code, encode = CODECS[codec]
    rows = rows or height
    samples = b"".join(SAMPLES[byte] for byte in picture(number, width, height))
    strips = [encode(strip) for strip in parts_of(samples, rows * width)]
    entries, many = 11, len(strips) > 1
    bytes_before = 8
    if place == "first":
        bytes_before += 2 + 12 * entries + 4 + 8 + (8 * len(strips) if many else 0)
    at = 8 if place == "first" else 8 + sum(map(len, strips))
    resolution = at + 2 + 12 * entries + 4
    offsets = [bytes_before + sum(map(len, strips[:i])) for i in range(len(strips))]
    lists = [offsets, [len(strip) for strip in strips]]
    tables = b"".join(struct.pack(f"<{len(one)}I", *one) for one in lists if many)
    wheres = [resolution + 8, resolution + 8 + 4 * len(strips)]
    tags = [(256, LONG, 1, width), (257, LONG, 1, height), (258, SHORT, 1, 8), (259, SHORT, 1, code),
            (262, SHORT, 1, 1), (273, LONG, len(strips), wheres[0] if many else offsets[0]),
            (277, SHORT, 1, 1), (278, LONG, 1, rows),
            (279, LONG, len(strips), wheres[1] if many else len(strips[0])),
            (282, RATIONAL, 1, resolution), (283, RATIONAL, 1, resolution)]
    directory = struct.pack("<H", entries) + b"".join(
        struct.pack("<HHIHH", tag, kind, count, value, 0) if kind == SHORT else
        struct.pack("<HHII", tag, kind, count, value) for tag, kind, count, value in tags)
    directory += struct.pack("<III", 0, 300, 1) + tables
    header = struct.pack("<2sHI", b"II", 42, at)
    return header + (directory + b"".join(strips) if place == "first" else
                     b"".join(strips) + directory)


def plate_pixels(path):
    """Rows of bits of an uncompressed bilevel TIFF; ValueError when it is none."""
    data = path.read_bytes()
    try:
        tags = read_directory(data)
        if tags[259] != [1] or tags.get(258, [1]) != [1] or tags[262] != [0]:
            raise ValueError(f"{path}: not an uncompressed bilevel plate")
        return b"".join(data[offset:offset + count]
                        for offset, count in zip(tags[273], tags[279], strict=True))
    except (struct.error, KeyError, IndexError) as error:
        raise ValueError(f"{path}: not a TIFF: {error!r}") from error


def read_directory(data):
    """{tag: values} of the whole-number tags of the first directory of a little-endian TIFF."""
    magic, version, at = struct.unpack_from("<2sHI", data)
    if magic != b"II" or version != 42:
        raise ValueError("not a classic little-endian TIFF")
    tags = {}
    for index in range(struct.unpack_from("<H", data, at)[0]):
        entry = at + 2 + 12 * index
        tag, kind, count = struct.unpack_from("<HHI", data, entry)
        if kind in (SHORT, LONG):
            code = "<%d%s" % (count, "H" if kind == SHORT else "I")
            size = struct.calcsize(code)
            where = entry + 8 if size <= 4 else struct.unpack_from("<I", data, entry + 8)[0]
            tags[tag] = list(struct.unpack_from(code, data, where))
    return tags


def is_plate_of(path, number, width=64, height=16):
    try:
        return plate_pixels(path) == picture(number, width, height)
    except (ValueError, OSError):
        return False
