"""Damages of tags: every way in which an entry of a directory can be wrong.

A damage is (name, entries): the entries that stand in the file in place of the sound one. Names that
begin alike are of one kind: `count`, `type`, `place`, `missing`, `doubled`.
"""

import struct

from tiff_form import (ASCII, CODES, OFFSETS, RATIONAL, TYPES, UNDEFINED, UNSIGNED, decode, encode,
                       width_of)

NAMES = {1: "BYTE", 2: "ASCII", 3: "SHORT", 4: "LONG", 5: "RATIONAL", 6: "SBYTE", 7: "UNDEFINED",
         8: "SSHORT", 9: "SLONG", 10: "SRATIONAL", 11: "FLOAT", 12: "DOUBLE", 13: "IFD", 16: "LONG8",
         17: "SLONG8", 18: "IFD8"}
NO_TYPES = (0, 14, 15, 129)  # which TIFF does not have

# The values that TIFF 6 knows, of tags where it knows some; Orientation and ResolutionUnit have a 0
# from old writers. DotRange: those of 8 bits.
KNOWN = {254: range(8), 258: (1, 2, 4, 8, 16), 259: (1, 2, 3, 4, 5, 7, 8, 32773), 262: range(9),
         266: (1, 2), 274: range(9), 284: (1, 2), 296: range(4), 317: (1, 2), 332: (1, 2),
         336: range(256), 338: range(3), 339: (1, 2, 3)}


def _counts(entry):
    count = len(entry.values)
    yield "count + 1", [entry.but(count=count + 1)]
    yield "count - 1", [entry.but(count=count - 1)]
    if count != 1:
        yield "count 0", [entry.but(count=0)]
        if entry.tag not in OFFSETS:
            yield "count - 1, written", [entry.but(values=entry.values[:-1])]
    more = 0 if entry.kind in (ASCII, UNDEFINED) else entry.values[-1]
    yield "count + 1, written", [entry.but(values=entry.values + [more])]
    yield "count 2^31 + 1", [entry.but(count=2**31 + 1)]


def _can_hold(entry, kind):
    if CODES[entry.kind][1] == 2 and CODES[kind][0] in "BbHhIiQq" and CODES[kind][1] == 1:
        return all(float(value).is_integer() for value in entry.values)
    return True


def _types(order, entry):
    for kind in TYPES + NO_TYPES:
        if kind != entry.kind:
            yield f"type {NAMES.get(kind, kind)}", [entry.but(kind_field=kind)]
    for kind in TYPES:
        if kind == entry.kind or entry.tag in OFFSETS or not _can_hold(entry, kind):
            continue
        try:
            encode(order, kind, entry.values)
        except struct.error:
            continue  # this type has no such values
        yield f"type {NAMES[kind]}, written", [entry.but(kind=kind)]


def _places(form, entry):
    if len(entry.values) * width_of(entry.kind) > form.inline:
        for place in ("end", "across", "beyond"):
            yield f"place {place}", [entry.but(place=place)]


def _doubled(entry):
    yield "doubled, same", [entry, entry]
    if entry.tag in OFFSETS:
        return
    first = entry.values[0]
    most = (1 << 8 * width_of(entry.kind)) - 1 if CODES[entry.kind][1] == 1 else 2**31
    other = [first + 1 if first < most else first - 1] + entry.values[1:]
    yield "doubled, other", [entry, entry.but(values=other)]


def damages_of(form, entry):
    """All damages of one entry, in a fixed order."""
    yield from _counts(entry)
    yield from _types(form.order, entry)
    yield from _places(form, entry)
    yield "missing", []
    yield from _doubled(entry)


def says_something_else(form, entry, damaged):
    """True if the damaged entry is a sound entry of another value: of an unsigned type, all inside.

    A resolution whose type is made LONG is the offset of the RATIONAL that it was. A field of 16 bits
    whose type is made BYTE has, in a file with the high byte first, the value 0. No reader can know
    that this is wrong where the tag may have such a value.
    """
    if damaged.kind_field not in UNSIGNED or entry.kind not in UNSIGNED + (RATIONAL,):
        return False
    data = encode(form.order, entry.kind, entry.values)
    size = len(entry.values) * width_of(damaged.kind_field)
    if len(data) > form.inline and size <= form.inline:  # the offset is read as the value
        return entry.kind == RATIONAL
    if size > max(len(data), form.inline):
        return False
    read = decode(form.order, damaged.kind_field, data.ljust(form.inline, b"\0")[:size])
    known = KNOWN.get(entry.tag, read)
    return read != entry.values and all(value in known for value in read)
