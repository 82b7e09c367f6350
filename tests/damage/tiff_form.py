"""Writes TIFF files tag by tag, so that each field of a directory entry can be wrong on its own.

Knows nothing of what tags mean, except that the offsets of strips and tiles are filled in.
"""

import copy
import dataclasses
import fractions
import struct

BYTE, ASCII, SHORT, LONG, RATIONAL, SBYTE, UNDEFINED, SSHORT = range(1, 9)
SLONG, SRATIONAL, FLOAT, DOUBLE, IFD = range(9, 14)
LONG8, SLONG8, IFD8 = 16, 17, 18

# The code of `struct` and the number of parts of a value.
CODES = {BYTE: ("B", 1), ASCII: ("B", 1), SHORT: ("H", 1), LONG: ("I", 1), RATIONAL: ("I", 2),
         SBYTE: ("b", 1), UNDEFINED: ("B", 1), SSHORT: ("h", 1), SLONG: ("i", 1),
         SRATIONAL: ("i", 2), FLOAT: ("f", 1), DOUBLE: ("d", 1), IFD: ("I", 1), LONG8: ("Q", 1),
         SLONG8: ("q", 1), IFD8: ("Q", 1)}
TYPES = tuple(CODES)
UNSIGNED = (BYTE, SHORT, LONG, LONG8)
OFFSETS = (273, 324)  # of the page's segments


def width_of(kind):
    """Bytes of a value of a type."""
    code, parts = CODES[kind]
    return struct.calcsize("<" + code) * parts


def encode(order, kind, values):
    """Values as bytes. Raises struct.error where the type cannot hold one."""
    code, parts = CODES[kind]
    flat = []
    for value in values:
        if parts == 2:
            fraction = fractions.Fraction(value).limit_denominator(10**6)
            flat += [fraction.numerator, fraction.denominator]
        else:
            flat.append(float(value) if code in "fd" else int(value))
    return struct.pack(f"{order}{len(flat)}{code}", *flat)


def decode(order, kind, data):
    """Values in bytes; bytes behind the last whole value are left out."""
    code, parts = CODES[kind]
    count = len(data) // width_of(kind)
    flat = struct.unpack_from(f"{order}{count * parts}{code}", data)
    if parts == 1:
        return list(flat)
    return [fractions.Fraction(a, b) if b else None for a, b in zip(flat[::2], flat[1::2])]


@dataclasses.dataclass
class Entry:
    """An entry of a directory: what it ought to say, and what it says otherwise.

    `count` and `kind_field` are written in place of the true ones. `place` is where values go that do
    not fit into the entry: "auto", "end" (the last bytes of the file), "across" (they go on beyond
    its end) or "beyond" (they begin there).
    """
    tag: int
    kind: int
    values: list
    count: int | None = None
    kind_field: int | None = None
    place: str = "auto"

    def but(self, **changes):
        """A copy with other fields."""
        other = copy.copy(self)
        for name, value in changes.items():
            setattr(other, name, value)
        return other


@dataclasses.dataclass(frozen=True)
class Form:
    """The outer form of a file: byte order, size of offsets, and where values lie.

    `behind`: the values lie behind the directory, as libtiff writes them, and are the last bytes of
    the file; else before it.
    """
    order: str = "<"
    big: bool = False
    behind: bool = True

    def name(self):
        return (("big-" if self.big else "") + ("II" if self.order == "<" else "MM") +
                ("-behind" if self.behind else "-before"))

    @property
    def inline(self):
        """Bytes of values that fit into an entry."""
        return 8 if self.big else 4


def even(data):
    return data + b"\0" * (len(data) % 2)


def _with_offsets(form, entry, segments, at):
    """The entry with the offsets of the segments, where it is the one for them."""
    if entry.tag not in OFFSETS or len(entry.values) < len(segments):
        return entry
    offsets = []
    for segment in segments:
        offsets.append(at)
        at += len(even(segment))
    return entry.but(values=offsets + entry.values[len(segments):])


def write(form, entries, segments):
    """The bytes of a file of one page."""
    order, word = form.order, "Q" if form.big else "I"
    begin = 16 if form.big else 8
    pixels = b"".join(map(even, segments))
    entries = [_with_offsets(form, entry, segments, begin) for entry in entries]
    data = [encode(order, entry.kind, entry.values) for entry in entries]
    size = len(entries) * (20 if form.big else 12) + (16 if form.big else 6)
    outside = [len(value) > form.inline for value in data]
    auto = sum(len(even(value)) for value, entry, out in zip(data, entries, outside)
               if out and entry.place == "auto")
    directory = begin + len(pixels) + (0 if form.behind else auto)
    at = directory + size if form.behind else begin + len(pixels)
    tail = begin + len(pixels) + size + auto  # behind all else

    values, last, fields = b"", b"", []
    for value, entry, out in zip(data, entries, outside):
        if not out:
            fields.append(value.ljust(form.inline, b"\0"))
        elif entry.place == "auto":
            fields.append(struct.pack(order + word, at + len(values)))
            values += even(value)
        else:
            there = {"end": value, "across": value[:len(value) // 2], "beyond": b""}[entry.place]
            gap = 64 if entry.place == "beyond" else 0
            fields.append(struct.pack(order + word, tail + len(last) + gap))
            last += there
    table = struct.pack(order + ("Q" if form.big else "H"), len(entries))
    for entry, field in zip(entries, fields):
        table += struct.pack(order + "HH" + word, entry.tag,
                             entry.kind if entry.kind_field is None else entry.kind_field,
                             len(entry.values) if entry.count is None else entry.count) + field
    table += struct.pack(order + word, 0)
    mark = b"II" if order == "<" else b"MM"
    head = (mark + struct.pack(order + "HHHQ", 43, 8, 0, directory) if form.big else
            mark + struct.pack(order + "HI", 42, directory))
    return head + pixels + (table + values if form.behind else values + table) + last


def read_back(order, big, data):
    """Tags of the first directory of a sound file as {tag: (type, values)}."""
    at, = struct.unpack_from(order + ("Q" if big else "I"), data, 8 if big else 4)
    number, = struct.unpack_from(order + ("Q" if big else "H"), data, at)
    at += 8 if big else 2
    tags, inline, word = {}, 8 if big else 4, "Q" if big else "I"
    for _ in range(number):
        tag, kind, count = struct.unpack_from(order + "HH" + word, data, at)
        field = at + 4 + inline
        size = count * width_of(kind)
        if size > inline:
            field, = struct.unpack_from(order + word, data, field)
        if field + size > len(data):
            raise ValueError(f"tag {tag} ends beyond the file")
        tags[tag] = (kind, decode(order, kind, data[field:field + size]))
        at += 4 + 2 * inline
    return tags
