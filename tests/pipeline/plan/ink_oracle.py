#!/usr/bin/env python3
"""Compares plates of mapped inks with the definition, worked out pixel by pixel in plain Python.

usage: ink_oracle.py MEZZOTINT

Pages are separated TIFFs that this script writes; plates are uncompressed and read by it too.  The
method is a fixed threshold, so that a bit tells on which side of a level a tone lies; several levels
are tried.  Where inks are only dropped or renamed, the plates of methods with noise and textures
must have the bits that they have on a page of which all inks are printed.
"""

import pathlib
import random
import struct
import subprocess
import sys
import tempfile

SOLID = 32640
INKS = ["Cyan", "Magenta", "Yellow", "Black", "PANTONE 185 C", "varnish", "Register"]
WIDTH, HEIGHT = 53, 37
LEVELS = (1, 12.5, 37, 50, 81, 100)


# ---- Files ----

def write_page(path, planes, names, bits=8, dots=None):
    """A separated TIFF of one uncompressed strip; `planes` are lists of samples."""
    count = len(planes)
    pixels = b"".join(struct.pack("<B" if bits == 8 else "<H", planes[i][at])
                      for at in range(WIDTH * HEIGHT) for i in range(count))
    ink_names = b"".join(name.encode() + b"\0" for name in names)
    tags = [(256, 4, [WIDTH]), (257, 4, [HEIGHT]), (258, 3, [bits] * count), (259, 3, [1]),
            (262, 3, [5]), (273, 4, [8]), (277, 3, [count]), (278, 4, [HEIGHT]),
            (279, 4, [len(pixels)]), (332, 3, [2]), (333, 2, ink_names), (334, 3, [count])]
    if dots:
        tags.append((336, 3, list(dots)))
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


def read_plate(path):
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
    row_bytes = (WIDTH + 7) // 8
    rows = b"".join(data[first:first + size] for first, size in zip(tags[273], tags[279]))
    return [rows[y * row_bytes + x // 8] >> (7 - x % 8) & 1
            for y in range(HEIGHT) for x in range(WIDTH)]


# ---- The definition ----

def rounded(value, by):
    """value / by to the nearest whole number."""
    return (2 * value + by) // (2 * by)


def ink15(sample, paper, solid):
    if paper > solid:
        return ink15(-sample, -paper, -solid)
    return rounded((min(max(sample, paper), solid) - paper) * SOLID, solid - paper)


def mixed(parts):
    """The sum of planes in ink15, each with a weight in 1/16384; a list of samples."""
    return [min(SOLID, sum(rounded(plane[i] * weight, 16384) for plane, weight in parts))
            for i in range(WIDTH * HEIGHT)]


def percent(value):
    return rounded(int(value * 16384), 100)


def threshold(plane, most, level):
    """The bits of samples from 0 to `most`."""
    least = rounded(int(level * 4096), 100)
    return [int(rounded(sample * 4096, most) >= least) for sample in plane]


# ---- Cases ----

class Oracle:
    def __init__(self, program, folder):
        self.program, self.folder, self.wrong = program, folder, 0

    def run(self, inks, halftone="method: threshold", more="", tone=""):
        """{plate's file: bits} of the page in.tif."""
        job = self.folder / "job.yaml"
        job.write_text("mezzotint: 1\njob: inks\ndefaults:\n"
                       f"  halftone: {{{halftone}}}\n  tone: {{{tone}}}\n"
                       f"  output: {{path: 'plates/{{ink}}.tif', compression: none{more}}}\n"
                       f"  inks: {{{inks}}}\npages: [in.tif]\n", encoding="utf-8")
        for plate in (self.folder / "plates").glob("*"):
            plate.unlink()
        done = subprocess.run([self.program, "run", "--fresh", "--verify", "-q", job],
                              capture_output=True, text=True, check=False, timeout=600)
        if done.returncode != 0:
            raise SystemExit(f"{inks}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return {plate.stem: read_plate(plate) for plate in (self.folder / "plates").iterdir()}

    def expect(self, what, found, wanted):
        if found == wanted:
            return
        self.wrong += 1
        names = f"{sorted(found)}, expected {sorted(wanted)}"
        if sorted(found) == sorted(wanted):
            names = ", ".join(f"{sum(a != b for a, b in zip(found[name], wanted[name]))} of {name}"
                              for name in sorted(wanted) if found[name] != wanted[name])
        print(f"{what}: differs: {names}")


def random_planes(most, seed):
    """Tones of all kinds, with paper and solid in them."""
    draw = random.Random(seed)
    return [[draw.choice((0, most, draw.randint(0, most), draw.randint(0, most // 8)))
             for _ in range(WIDTH * HEIGHT)] for _ in INKS]


def check_mapping(oracle, bits, is_negative):
    """The plates of a negative that `invert` makes positive are those of the positive."""
    most = (1 << bits) - 1
    planes = random_planes(most, bits)
    stored = [[most - sample for sample in plane] for plane in planes] if is_negative else planes
    write_page(oracle.folder / "in.tif", stored, INKS, bits)
    cyan, magenta, yellow, black, spot, varnish, marks = (
        [ink15(sample, 0, most) for sample in plane] for plane in planes)
    whole = 16384
    cases = (
        ("varnish: drop, register: {as: all}, pantone 185c: {to: {M: 90%, yellow: 60.5%}}",
         {"cyan": [(cyan, whole)],
          "magenta": [(magenta, whole), (spot, percent(90))],
          "yellow": [(yellow, whole), (spot, percent(60.5))],
          "black": [(black, whole)]}, marks),
        ("cyan: drop, K: {plate: Dark}, Register: drop, varnish: {as: PANTONE 185 C}",
         {"magenta": [(magenta, whole)], "yellow": [(yellow, whole)], "dark": [(black, whole)],
          "pantone-185-c": [(spot, whole), (varnish, whole)]}, None),
        ("c: drop, M: drop, yellow: drop, schwarz: {as: cyan}, varnish: drop, register: drop",
         {"pantone-185-c": [(spot, whole)], "cyan": [(black, whole)]}, None),
    )
    for inks, plates, to_all in cases:
        for level in LEVELS:
            wanted = {}
            for name, parts in plates.items():
                parts = parts + ([(to_all, whole)] if to_all else [])
                wanted[name] = threshold(mixed(parts), SOLID, level)
            found = oracle.run(inks, f"method: threshold, level: {level}%",
                               tone="invert: true" if is_negative else "")
            oracle.expect(f"{bits} bits, {inks}, level {level}, negative: {is_negative}",
                          found, wanted)


def check_settings(oracle):
    planes = random_planes(255, 3)
    write_page(oracle.folder / "in.tif", planes, INKS)
    wanted = {name.lower().replace(" ", "-"): threshold(plane, 255, 40)
              for name, plane in zip(INKS, planes)}
    wanted["black"] = threshold(planes[3], 255, 70)
    wanted["cyan"] = threshold([255 - sample for sample in planes[0]], 255, 40)
    wanted["P-6"] = wanted.pop("varnish")
    oracle.expect("settings of inks", oracle.run(
        "K: {halftone: {level: 70%}}, cyan: {tone: {invert: true}}, "
        "varnish: {label: P, output: {path: 'plates/{label}-{n}.tif'}}",
        "method: threshold, level: 40%"), wanted)


def check_dots(oracle):
    for bits, dots in ((8, (0, 255)), (8, (10, 240)), (8, (240, 10)), (8, (255, 0)), (8, (3, 4)),
                       (16, (0, 65535)), (16, (0, 255)), (16, (4096, 61440))):
        most = (1 << bits) - 1
        planes = random_planes(most, sum(dots))
        of_each_ink = dots * (len(INKS) if dots[0] == 10 else 1)
        write_page(oracle.folder / "in.tif", planes, INKS, bits, of_each_ink)
        is_all = dots in ((0, most), (0, 255))
        for level in LEVELS:
            wanted = {}
            for name, plane in zip(INKS, planes):
                tones = plane if is_all else [ink15(sample, *dots) for sample in plane]
                wanted[name.lower().replace(" ", "-")] = threshold(
                    tones, most if is_all else SOLID, level)
            oracle.expect(f"DotRange {dots} of {bits} bits, level {level}",
                          oracle.run("", f"method: threshold, level: {level}%"), wanted)


def check_kept_bits(oracle):
    write_page(oracle.folder / "in.tif", random_planes(255, 5), INKS)
    for method in ("bayer", "random", "floyd-steinberg", "pinwheel", "tone-dependent"):
        plain = oracle.run("", f"method: {method}")
        wanted = {name: bits for name, bits in plain.items() if name not in ("cyan", "varnish")}
        wanted["rot"] = wanted.pop("pantone-185-c")
        found = oracle.run("cyan: drop, varnish: drop, pantone 185 c: {plate: Rot}",
                           f"method: {method}")
        oracle.expect(f"{method}, inks dropped and renamed", found, wanted)
        one = ", ".join(f"{name}: drop" for name in INKS if name != "Magenta")
        oracle.expect(f"{method}, magenta alone", oracle.run(one, f"method: {method}"),
                      {"magenta": plain["magenta"]})


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        oracle = Oracle(program, pathlib.Path(folder))
        for bits in (8, 16):
            for is_negative in (False, True):
                check_mapping(oracle, bits, is_negative)
        check_settings(oracle)
        check_dots(oracle)
        check_kept_bits(oracle)
    if oracle.wrong:
        sys.exit(f"{oracle.wrong} cases differ")
    print("all plates are as defined")


if __name__ == "__main__":
    main()
