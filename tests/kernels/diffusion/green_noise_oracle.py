#!/usr/bin/env python3
"""Compares plates of green noise with its definition, worked out pixel by pixel in plain Python.

usage: green_noise_oracle.py MEZZOTINT

Pages are separated TIFFs that this script writes; plates are uncompressed and read by it too.  Each
page has black, whose tones are taken as they are, and inks that get a texture by their names.
"""

import functools
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

INKS = ["Cyan", "Magenta", "Yellow", "Black", "Varnish"]
SIZES = ((1, 30), (67, 1), (83, 71), (200, 40))
FEEDBACK = {1: 640, 2: 1376, 3: 2240, 4: 2976, 5: 3840}  # by dot size, of 4096
M32 = 0xFFFFFFFF


# ---- Files ----

def write_page(path, width, height, planes):
    """A separated TIFF of one uncompressed strip, 8 bits a sample."""
    count = len(planes)
    pixels = bytes(planes[i][at] for at in range(width * height) for i in range(count))
    names = b"".join(name.encode() + b"\0" for name in INKS)
    tags = [(256, 4, [width]), (257, 4, [height]), (258, 3, [8] * count), (259, 3, [1]),
            (262, 3, [5]), (273, 4, [8]), (277, 3, [count]), (278, 4, [height]),
            (279, 4, [len(pixels)]), (332, 3, [2]), (333, 2, names), (334, 3, [count])]
    begin = 8 + len(pixels) + len(pixels) % 2
    extra_at = begin + 2 + 12 * len(tags) + 4
    directory, extra = struct.pack("<H", len(tags)), b""
    for number, kind, values in tags:
        data = values if kind == 2 else b"".join(
            struct.pack("<H" if kind == 3 else "<I", value) for value in values)
        entry = struct.pack("<HHI", number, kind, len(values))
        if len(data) > 4:
            directory += entry + struct.pack("<I", extra_at + len(extra))
            extra += data + b"\0" * (len(data) % 2)
        else:
            directory += entry + data.ljust(4, b"\0")
    path.write_bytes(struct.pack("<2sHI", b"II", 42, begin) + pixels + b"\0" * (len(pixels) % 2) +
                     directory + struct.pack("<I", 0) + extra)


def read_plate(path, width, height):
    """The bits of an uncompressed bilevel TIFF, a list; 1 is ink."""
    data = path.read_bytes()
    order = "<" if data[:2] == b"II" else ">"
    at, = struct.unpack_from(order + "I", data, 4)
    number, = struct.unpack_from(order + "H", data, at)
    tags = {}
    for i in range(number):
        tag, kind, count = struct.unpack_from(order + "HHI", data, at + 2 + 12 * i)
        size = {1: "B", 3: "H", 4: "I"}.get(kind)
        if size is None:
            continue
        place = at + 2 + 12 * i + 8
        if struct.calcsize(size) * count > 4:
            place, = struct.unpack_from(order + "I", data, place)
        tags[tag] = struct.unpack_from(f"{order}{count}{size}", data, place)
    if tags[259] != (1,):
        raise ValueError(f"{path} is compressed")
    row_bytes = (width + 7) // 8
    rows = b"".join(data[first:first + size] for first, size in zip(tags[273], tags[279]))
    return [rows[y * row_bytes + x // 8] >> (7 - x % 8) & 1
            for y in range(height) for x in range(width)]


# ---- The texture of an ink ----

def mix(v):
    v = (v ^ v >> 16) * 0x85EBCA6B & M32
    v = (v ^ v >> 13) * 0xC2B2AE35 & M32
    return v ^ v >> 16


@functools.cache
def row_hash(seed, plane, row):
    return mix((mix(seed + 0x9E3779B9 & M32) ^ plane) + 0x9E3779B9 & M32) ^ row


@functools.cache
def pixels_of_row(seed, plane, y):
    return mix(row_hash(seed, plane, y) + 0x9E3779B9 & M32)


def pixel_hash(seed, plane, x, y):
    return mix(pixels_of_row(seed, plane, y) ^ x)


def make_tile():
    white = [[(pixel_hash(7, 0, x, y) >> 16) - 32768 for x in range(64)] for y in range(64)]
    tile = []
    for y in range(64):
        up = white[y - 1]
        tile.append([(16 * white[y][x] - 7 * white[y][x - 1] - up[x - 1] - 5 * up[x]
                      - 3 * up[(x + 1) % 64] + 16) // 32 for x in range(64)])
    return [[min(max(value, -32767), 32767) for value in row] for row in tile]


TILE = make_tile()


@functools.cache
def offset_of(ink, column, row):
    """Where in the tile the texture of an ink begins, in a square of 64 px of the page."""
    number = 0x811C9DC5
    for byte in ink.encode():
        number = (number ^ byte) * 0x01000193 & M32
    return mix(row_hash(number, 0, row) ^ column)


def textured(tone, ink, x, y):
    if ink == "black":
        return tone
    offset = offset_of(ink, x // 64, y // 64)
    value = TILE[(y + offset // 16) % 64][offset % 16 * 4 + x % 64 - 64]
    distance = abs(tone - 2048)
    amplitude = 256 + max(0, 1024 - 8 * min(distance, 2 * abs(distance - 1024)))
    return tone + (value * min(amplitude, tone, 4096 - tone) + 2 ** 14) // 2 ** 15


# ---- The definition ----

def green_noise(samples, width, height, plane, dot_size, seed):
    """The bits; samples are 0 for paper to 255 for solid."""
    ink = INKS[plane].lower()
    errors, bits = {}, {}
    for y in range(height):
        for x in range(width):
            tone = (2 * samples[y * width + x] * 4096 + 255) // 510
            error = (7 * errors.get((x - 1, y), 0) + errors.get((x - 1, y - 1), 0)
                     + 5 * errors.get((x, y - 1), 0) + 3 * errors.get((x + 1, y - 1), 0) + 8) // 16
            wanted = textured(tone, ink, x, y) + error
            neighbour = (x - 1, y) if pixel_hash(seed, plane, x, y) % 2 else (x, y - 1)
            sign = {None: 0, 0: -1, 1: 1}[bits.get(neighbour)]
            bits[x, y] = int(wanted + sign * FEEDBACK[dot_size] >= 2048)
            errors[x, y] = wanted - 4096 * bits[x, y]
    return [bits[x, y] for y in range(height) for x in range(width)]


# ---- Cases ----

def planes_of(width, height, seed):
    """One plane an ink: noise, a ramp, paper and solid in patches, and light tints."""
    chance = random.Random(seed)
    places = [(x, y) for y in range(height) for x in range(width)]
    noise = [chance.randrange(256) for _ in places]
    ramp = [(x + y) * 255 // (width + height) for x, y in places]
    patches = [255 * ((x // 9 + y // 7) % 2) for x, y in places]
    tints = [(5, 13, 26, 128, 230)[min(4, 5 * y // height)] for _, y in places]
    planes = [noise, ramp, patches, tints]
    return [planes[(seed + i) % 4] for i in range(len(INKS))]


def run(program, folder, settings, size):
    """{ink: bits} of the page in.tif."""
    job = folder / "job.yaml"
    job.write_text("mezzotint: 1\njob: green\ndefaults:\n"
                   f"  halftone: {{method: green-noise, {settings}}}\n"
                   "  output: {path: 'plates/{ink}.tif', compression: none}\npages: [in.tif]\n",
                   encoding="utf-8")
    for plate in (folder / "plates").glob("*"):
        plate.unlink()
    done = subprocess.run([program, "run", "--fresh", "--verify", "-q", job],
                          capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"status {done.returncode}\n{done.stdout}{done.stderr}")
    return {plate.stem: read_plate(plate, *size) for plate in (folder / "plates").iterdir()}


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed, (width, height) in enumerate(SIZES):
            planes = planes_of(width, height, seed)
            write_page(folder / "in.tif", width, height, planes)
            for dot_size in FEEDBACK:
                noise = 1000003 * seed
                plates = run(program, folder, f"dot_size: {dot_size} px, seed: {noise}",
                             (width, height))
                for number, (ink, plane) in enumerate(zip(INKS, planes)):
                    found = plates[ink.lower()]
                    expected = green_noise(plane, width, height, number, dot_size, noise)
                    if found != expected:
                        wrong += 1
                        count = sum(a != b for a, b in zip(found, expected))
                        print(f"{width} x {height}, dot size {dot_size}, {ink}: {count} differ")
    if wrong:
        sys.exit(f"{wrong} plates differ")
    print("all plates are as defined")


if __name__ == "__main__":
    main()
