"""ICC profiles with tables as large as they are read, written piece by piece."""

import struct

SPACES = {b"GRAY": 1, b"RGB ": 3, b"CMYK": 4, b"Lab ": 3}
PIECE = 1 << 16


def channels(space):
    return SPACES.get(space) or int(chr(space[0]), 16)


def table(inputs, outputs, grid, value=0x60):
    """Pieces of a lut8Type: straight curves, and nodes that are all the same."""
    head = b"mft1" + bytes(4) + bytes((inputs, outputs, grid, 0))
    head += struct.pack(">9i", *(65536 if i % 4 == 0 else 0 for i in range(9)))
    nodes = grid ** inputs * outputs
    straight = bytes(range(256))
    pieces = [(head + straight * inputs, 1), (bytes((value,)) * PIECE, nodes // PIECE),
              (bytes((value,)) * (nodes % PIECE), 1), (straight * outputs, 1)]
    return pieces + [(bytes(-size_of(pieces) % 4), 1)]


def size_of(pieces):
    return sum(len(piece) * times for piece, times in pieces)


def text(words):
    data = words.encode() + b"\0"
    data = b"desc" + bytes(4) + struct.pack(">I", len(data)) + data + bytes(78)
    return [(data + bytes(-len(data) % 4), 1)]


def names(count):
    """The names of inks."""
    data = b"clrt" + bytes(4) + struct.pack(">I", count)
    for one in range(count):
        data += f"ink{one}".encode().ljust(32, b"\0") + bytes(6)
    return [(data + bytes(-len(data) % 4), 1)]


def profile(space, kind=b"prtr", to_lab=0, from_lab=0, output=b"Lab ", words="of an ordeal"):
    """Pieces of a profile of `space`, whose tables have so many nodes along each axis; 0: none. A
    link makes colours of `output` of them."""
    count = channels(space)
    tags = {b"desc": text(words),
            b"wtpt": [(b"XYZ " + bytes(4) + struct.pack(">3I", 0xF6D6, 0x10000, 0xD32D), 1)]}
    if to_lab:
        tags[b"A2B0"] = table(count, channels(output), to_lab)
    if from_lab:
        tags[b"B2A0"] = tags[b"B2A1"] = table(3, count, from_lab)
    if kind == b"link" and output not in SPACES:
        tags[b"clot"] = names(channels(output))
    elif space not in SPACES:
        tags[b"clrt"] = names(count)
    at = 128 + 4 + 12 * len(tags)
    places, bodies = b"", []
    known = {}
    for name, pieces in tags.items():
        if id(pieces) not in known:
            known[id(pieces)] = at
            bodies += pieces
            at += size_of(pieces)
        places += name + struct.pack(">II", known[id(pieces)], size_of(pieces))
    head = (struct.pack(">I", at) + bytes(4) + b"\x02\x40\0\0" + kind + space + output + bytes(12)
            + b"acsp").ljust(68, b"\0") + struct.pack(">3I", 0xF6D6, 0x10000, 0xD32D)
    return [(head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + places, 1), *bodies]


def write(path, pieces):
    with open(path, "wb") as file:
        for piece, times in pieces:
            for _ in range(times):
                file.write(piece)


def whole(pieces):
    return b"".join(piece * times for piece, times in pieces)
