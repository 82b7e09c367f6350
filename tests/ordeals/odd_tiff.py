"""TIFFs of odd shapes, written piece by piece: they may be larger than the memory of who writes them.

A strip or tile is a list of pieces, each a pair (bytes, times), so that a long run takes no room.
Its samples are all of one value, of bytes alike.
"""

import array
import itertools
import struct
import zlib

NONE, LZW, JPEG, DEFLATE, PACKBITS, ZSTD = 1, 5, 7, 8, 32773, 50000
LZMA, LERC, WEBP, JPEG_XL = 34925, 34887, 50001, 50002
BLANK, GREY, RGB, SEPARATED, LAB = 0, 1, 2, 5, 8  # PhotometricInterpretation
PIECE = 1 << 16
ZSTD_BLOCK = 128 << 10


def raw(size, value=0):
    return [(bytes((value,)) * PIECE, size // PIECE), (bytes((value,)) * (size % PIECE), 1)]


def deflated(size, value=0):
    coder = zlib.compressobj(6)
    piece = bytes((value,)) * PIECE
    coded = [coder.compress(piece) for _ in range(size // PIECE)]
    return [(b"".join(coded) + coder.compress(piece[:size % PIECE]) + coder.flush(), 1)]


def packed(size, value, row):
    """PackBits: runs of at most 128 bytes, none of two rows."""
    last = row % 128
    end = (b"" if last == 0 else bytes((0, value)) if last == 1 else bytes((257 - last, value)))
    return [(bytes((129, value)) * (row // 128) + end, size // row)]


def zstandard(size, value=0, window_bits=17):
    """A frame that asks for a window of 2 ** window_bits bytes, of runs of one byte."""
    def block(length, is_last):
        return struct.pack("<I", is_last | 1 << 1 | length << 3)[:3] + bytes((value,))
    whole, rest = divmod(size, ZSTD_BLOCK)
    last = rest or ZSTD_BLOCK
    whole -= not rest
    return [(b"\x28\xb5\x2f\xfd\0" + bytes(((window_bits - 10) << 3,)), 1),
            (block(ZSTD_BLOCK, 0), whole), (block(last, 1), 1)]


def old_zstandard(size, version, value=0):
    """A frame of zstd 0.`version`, 5 to 7, that asks for the largest window; of runs of one byte."""
    head = {5: b"\x0f", 6: b"\x0f", 7: b"\0\x88"}[version]
    def block(length):
        run = bytes((0xF0 | length >> 16, length >> 8 & 255, length & 255, value)) + b"\0"
        return bytes((0, 0, len(run))) + run
    whole, rest = divmod(size, ZSTD_BLOCK)
    return [(bytes((0x20 + version,)) + b"\xb5\x2f\xfd" + head, 1), (block(ZSTD_BLOCK), whole),
            (block(rest) if rest else b"", 1), (b"\xc0\0\0", 1)]


def segment(mark, content):
    return struct.pack(">BBH", 0xFF, mark, len(content) + 2) + content


def frame(mark, width, height, components, sampling=0x11):
    """The frame header of a JPEG; `sampling` is that of its first component."""
    return segment(mark, struct.pack(">BHHB", 8, height, width, components) + b"".join(
        bytes((one + 1, 0x11 if one else sampling, 0)) for one in range(components)))


def jpeg(width, height, components=1, progressive=True, scans=1, before=b"", frames=None,
         blocks=None):
    """A JPEG of zeros: a bit for the first coefficient of a block, and one for the end of the block
    where the others are in the scan. `scans` is 1, or the number of components. `before` lies before
    its tables, `frames` takes the place of its frame header, and `blocks` are those of a component."""
    one_code = bytes((1, *[0] * 15, 0))  # the bit 0 means 0
    ids = range(1, components + 1)
    frames = frames or frame(0xC2 if progressive else 0xC1, width, height, components)
    head = (b"\xff\xd8" + before + segment(0xDB, b"\0" + b"\x01" * 64) + frames
            + segment(0xC4, b"\0" + one_code) + segment(0xC4, b"\x10" + one_code))
    blocks = -(-width // 8) * -(-height // 8) if blocks is None else blocks
    pieces = [(head, 1)]
    for scan in range(scans):
        inside = ids if scans == 1 else [scan + 1]
        spectrum = (0, 0, 0) if progressive else (0, 63, 0)
        bits = blocks * len(inside) * (1 if progressive else 2)
        pieces += [(segment(0xDA, bytes((len(inside),)) + b"".join(bytes((one, 0)) for one in inside)
                            + bytes(spectrum)), 1),
                   (b"\0", bits // 8), (bytes((0xFF >> bits % 8,)) if bits % 8 else b"", 1)]
    return pieces + [(b"\xff\xd9", 1)]


def reversed_bits(pieces):
    table = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
    return [(piece.translate(table), times) for piece, times in pieces]


CODERS = {NONE: raw, DEFLATE: deflated, ZSTD: zstandard}


class Page:
    """Geometry and tags; `rows` of a strip or `tile` (width, height); planes chunky or apart.

    `dpi` across and down, `value` of all bytes of its samples, `names` of its inks, `profile` its
    ICC profile. A `coder` makes the pieces of a block of so many bytes. `more` tags are entries as
    tags() has them.
    """

    def __init__(self, width, height, samples=1, bits=8, rows=None, tile=None, planar=False,
                 compression=NONE, orientation=1, coder=None, dpi=None, value=0, photometric=None,
                 names=None, profile=b"", more=()):
        self.width, self.height, self.samples, self.bits = width, height, samples, bits
        self.rows, self.tile, self.planar = rows or height, tile, planar
        self.compression, self.orientation, self.dpi = compression, orientation, dpi
        self.coder = coder or (
            (lambda size: packed(size, value, self.row_bytes())) if compression == PACKBITS
            else lambda size: CODERS[compression](size, value))
        self.photometric = photometric if photometric is not None else {
            1: GREY if bits > 1 else BLANK, 3: RGB}.get(samples, SEPARATED)
        self.names = names or [f"ink{one}" for one in range(samples)]
        self.profile, self.more = profile, list(more)

    def row_bytes(self):
        """Bytes of a row of a strip or tile, decoded."""
        width = self.tile[0] if self.tile else self.width
        return -(-width * self.bits * (1 if self.planar else self.samples) // 8)

    def block_sizes(self):
        """Bytes of each strip or tile, decoded; there may be a million of them."""
        planes = self.samples if self.planar else 1
        if self.tile:
            across, down = -(-self.width // self.tile[0]), -(-self.height // self.tile[1])
            yield from itertools.repeat(self.row_bytes() * self.tile[1], across * down * planes)
            return
        for _ in range(planes):
            for y in range(0, self.height, self.rows):
                yield self.row_bytes() * min(self.rows, self.height - y)

    def tags(self, offsets, counts):
        tags = [(256, 4, [self.width]), (257, 4, [self.height]), (258, 3, [self.bits] * self.samples),
                (259, 3, [self.compression]), (262, 3, [self.photometric]),
                (274, 3, [self.orientation]), (277, 3, [self.samples]),
                (284, 3, [2 if self.planar else 1])] + self.more
        if self.tile:
            tags += [(322, 4, [self.tile[0]]), (323, 4, [self.tile[1]]), (324, 4, offsets),
                     (325, 4, counts)]
        else:
            tags += [(273, 4, offsets), (278, 4, [self.rows]), (279, 4, counts)]
        if self.dpi:
            tags += [(282, 5, [self.dpi[0], 1]), (283, 5, [self.dpi[1], 1]), (296, 3, [2])]
        if self.profile:
            tags.append((34675, 7, self.profile))
        if self.photometric == SEPARATED:
            tags.append((332, 3, [1 if self.samples == 4 else 2]))
            if self.samples != 4:
                names = b"".join(name.encode() + b"\0" for name in self.names)
                tags += [(333, 2, names), (334, 3, [self.samples])]
        return sorted(tags)


def write(path, page, directories=1):
    """The page, `directories` times over the same blocks."""
    with open(path, "wb") as file:
        file.write(b"II*\0\0\0\0\0")
        offsets, counts, known = array.array("I"), array.array("I"), {}
        for size in page.block_sizes():
            if size not in known or page.compression == NONE:
                begin = file.tell()
                for piece, times in page.coder(size):
                    for first in range(0, times, 4096):
                        file.write(piece * min(4096, times - first) if len(piece) < 64 else piece)
                        if len(piece) >= 64:
                            for _ in range(min(4096, times - first) - 1):
                                file.write(piece)
                known[size] = begin, file.tell() - begin
            offsets.append(known[size][0])
            counts.append(known[size][1])
        link = 4
        for _ in range(directories):
            link = write_directory(file, page.tags(offsets, counts), link)


def write_directory(file, tags, link):
    """Writes a directory, lets the file's place `link` lead to it, and returns its own link."""
    widths = {3: "H", 4: "I", 5: "I"}
    file.write(bytes(file.tell() % 2))
    entries = []
    for tag, kind, values in tags:
        content = (values.tobytes() if isinstance(values, array.array)
                   else bytes(values) if kind in (2, 7)
                   else struct.pack(f"<{len(values)}{widths[kind]}", *values))
        many = len(values) // 2 if kind == 5 else len(values)
        if len(content) > 4:
            place = file.tell()
            file.write(content + bytes(len(content) % 2))
            content = struct.pack("<I", place)
        entries.append(struct.pack("<HHI", tag, kind, many) + content.ljust(4, b"\0"))
    begin = file.tell()
    file.write(struct.pack("<H", len(entries)) + b"".join(entries) + bytes(4))
    end = file.tell()
    file.seek(link)
    file.write(struct.pack("<I", begin))
    file.seek(end)
    return end - 4
