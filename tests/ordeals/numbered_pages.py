"""Pages that carry a number as their picture, and plates from which it can be told again.

A page is black and white, its pixels drawn from the number, so no two are alike, and a page that is
cut off, or is partly another's, gives no plate that is right. With THRESHOLD the plate has the very
pixels of the page.
"""

import hashlib
import struct

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
    samples = b"".join(SAMPLES[byte] for byte in picture(number, width, height))
    entries = 11
    resolution = 8 + 2 + 12 * entries + 4
    tags = [(256, LONG, width), (257, LONG, height), (258, SHORT, 8), (259, SHORT, 1),
            (262, SHORT, 1), (273, LONG, resolution + 8), (277, SHORT, 1), (278, LONG, height),
            (279, LONG, len(samples)), (282, RATIONAL, resolution), (283, RATIONAL, resolution)]
    directory = b"".join(struct.pack("<HHIHH", tag, kind, 1, value, 0) if kind == SHORT else
                         struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    return (struct.pack("<2sHIH", b"II", 42, 8, entries) + directory + struct.pack("<I", 0) +
            struct.pack("<II", 300, 1) + samples)


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
