"""Uncompressed TIFFs of one page, for tests that write pages and read plates without the program."""

import pathlib
import struct


def write_page(path, width, height, samples, photometric, rows, dpi=None):
    """A page of 8 bits a sample, whose samples lie side by side."""
    out = bytearray(b"II*\0" + bytes(4)) + rows
    resolution = len(out)
    out += struct.pack("<II", dpi or 1, 1)
    depth = len(out)
    out += struct.pack(f"<{samples}H", *[8] * samples)
    tags = [(256, 3, 1, width), (257, 3, 1, height), (258, 3, samples, 8 if samples == 1 else depth),
            (259, 3, 1, 1), (262, 3, 1, photometric), (273, 4, 1, 8), (277, 3, 1, samples),
            (278, 3, 1, height), (279, 4, 1, len(rows))]
    if dpi:
        tags += [(282, 5, 1, resolution), (283, 5, 1, resolution), (296, 3, 1, 2)]
    out += bytes(len(out) % 2)
    struct.pack_into("<I", out, 4, len(out))
    out += struct.pack("<H", len(tags)) + b"".join(struct.pack("<HHII", *tag) for tag in tags)
    pathlib.Path(path).write_bytes(out + bytes(4))


def read_plate(path):
    """Width, height, bits a pixel and rows of an uncompressed plate, in which ink is not 0."""
    data = pathlib.Path(path).read_bytes()
    at, = struct.unpack_from("<I", data, 4)
    tags = {}
    for i in range(struct.unpack_from("<H", data, at)[0]):
        place = at + 2 + 12 * i
        tag, kind, count, value = struct.unpack_from("<HHII", data, place)
        if kind not in (3, 4):
            continue
        code = "<" + {3: "H", 4: "I"}[kind] * count
        tags[tag] = struct.unpack_from(code, data, value if struct.calcsize(code) > 4 else place + 8)
    assert tags[259] == (1,) and tags[262] == (0,) and tags.get(277, (1,)) == (1,), path
    rows = b"".join(data[o:o + n] for o, n in zip(tags[273], tags[279]))
    width, height, bits = tags[256][0], tags[257][0], tags.get(258, (1,))[0]
    assert len(rows) == (width * bits + 7) // 8 * height, path
    return width, height, bits, rows
