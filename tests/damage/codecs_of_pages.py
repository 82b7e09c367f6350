"""Small encoders for the pages of this test: LZW, predictor, G3, G4 and JPEG.

They write valid data and cover only what those pages hold; see each function.
"""

import struct

# Codes of CCITT T.4 for the runs that bilevel_rows() has.
WHITE = {4: "1011", 5: "1100", 6: "1110", 7: "1111", 8: "10011"}
BLACK = {7: "00011", 8: "000101"}
EOL = "000000000001"
STEPS = (0, 1, 2, 1, 0, 1, 1, 2, 2, 1)  # of the pattern to the right, in each row
EDGES = (5, 12, 16, 24)  # where colours change in a row of 32 pixels


def pack_bits(bits):
    """A string of 0 and 1 as bytes, the first bit highest."""
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def mirrored(data):
    """Bytes with their bits in reverse order: FillOrder 2."""
    return bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)


def lzw(data):
    """TIFF's LZW of less than 3,800 bytes, so that the table does not overflow."""
    table = {bytes([i]): i for i in range(256)}
    width, bits, run = 9, f"{256:09b}", b""
    following = 258
    for byte in data:
        longer = run + bytes([byte])
        if longer in table:
            run = longer
            continue
        bits += f"{table[run]:0{width}b}"
        table[longer] = following
        following += 1
        width = max(9, following.bit_length())
        run = bytes([byte])
    bits += f"{table[run]:0{width}b}"
    following += 1
    width = max(9, following.bit_length())
    return pack_bits(bits + f"{257:0{width}b}")


def differences(order, rows):
    """Rows of 16-bit grey as horizontal differences: Predictor 2."""
    out = b""
    for row in rows:
        steps = [row[0]] + [(b - a) & 0xFFFF for a, b in zip(row, row[1:])]
        out += struct.pack(f"{order}{len(steps)}H", *steps)
    return out


def _rows_of_modes(first):
    """Rows as strings of modes; the first by `first`, the others relative to the row above."""
    yield first
    vertical = {0: "1", 1: "011", -1: "010"}
    for above, step in zip(STEPS, STEPS[1:]):
        yield vertical[step - above] * len(EDGES) + "1"


def bilevel_rows():
    """The rows that g4() and g3() hold, as strings of 0 (white) and 1."""
    for step in STEPS:
        a, b, c, d = (edge + step for edge in EDGES)
        yield "0" * a + "1" * (b - a) + "0" * (c - b) + "1" * (d - c) + "0" * (32 - d)


def _runs(step):
    a, b, c, d = (edge + step for edge in EDGES)
    return (a, b - a), (c - b, d - c), 32 - d


def g4():
    """bilevel_rows() in G4."""
    one, two, _ = _runs(STEPS[0])
    first = "".join("001" + WHITE[white] + BLACK[black] for white, black in (one, two)) + "1"
    return pack_bits("".join(_rows_of_modes(first)) + EOL * 2)


def g3():
    """bilevel_rows() in two-dimensional G3, every second row coded in one dimension."""
    bits = ""
    for number, modes in enumerate(_rows_of_modes("")):
        if number % 2 == 0:
            one, two, rest = _runs(STEPS[number])
            modes = "".join(WHITE[white] + BLACK[black] for white, black in (one, two)) + WHITE[rest]
        bits += EOL + ("0" if number % 2 else "1") + modes
    return pack_bits(bits + (EOL + "1") * 6)


# ---- JPEG of blocks of one colour ----

def _segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg_tables():
    """The tables of jpeg_strip(), for the tag JPEGTables: all steps are 8; DC codes have 4 bits."""
    steps = _segment(0xDB, bytes([0]) + bytes([8] * 64))
    dc = _segment(0xC4, bytes([0x00]) + bytes([0, 0, 0, 9] + [0] * 12) + bytes(range(9)))
    ac = _segment(0xC4, bytes([0x10]) + bytes([1] + [0] * 15) + bytes([0]))
    return b"\xFF\xD8" + steps + dc + ac + b"\xFF\xD9"


def _block(value, before):
    """Bits of a block of the colour `value` (0..255) behind a block of the colour `before`."""
    step = value - before
    size = abs(step).bit_length()
    bits = f"{step if step > 0 else step + (1 << size) - 1:0{size}b}" if size else ""
    return f"{size:04b}" + bits + "0"


def jpeg_strip(height, groups):
    """An abbreviated stream of groups of two blocks of luma, and one each of Cb and Cr (4:2:2).

    A group is 16 x 8 pixels, as (luma, luma, Cb, Cr); all stand side by side.
    """
    frame = struct.pack(">BHHB", 8, height, 16 * len(groups), 3)
    frame += bytes([1, 0x21, 0, 2, 0x11, 0, 3, 0x11, 0])
    scan = bytes([3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
    bits, before = "", [128, 128, 128]
    for group in groups:
        for component, value in zip((0, 0, 1, 2), group):
            bits += _block(value, before[component])
            before[component] = value
    coded = pack_bits(bits + "1" * (-len(bits) % 8)).replace(b"\xFF", b"\xFF\0")
    return b"\xFF\xD8" + _segment(0xC0, frame) + _segment(0xDA, scan) + coded + b"\xFF\xD9"
