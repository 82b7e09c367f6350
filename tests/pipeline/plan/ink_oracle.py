#!/usr/bin/env python3
"""Compares plates of mapped inks with the definition, worked out pixel by pixel in plain Python.

usage: ink_oracle.py MEZZOTINT

Pages are separated TIFFs that this script writes; plates are uncompressed and read by it too.  The
method is a fixed threshold, so that a bit tells on which side of a level a tone lies; a job has the page
once for each of several levels.  Where inks are only dropped or renamed, the plates of methods with noise and textures
must have the bits that they have on a page of which all inks are printed.
"""

import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

SOLID = 32640
INKS = ["Cyan", "Magenta", "Yellow", "Black", "PANTONE 185 C", "varnish", "Register"]
WIDTH, HEIGHT = 53, 37
LEVELS = (1, 12.5, 37, 50, 81, 100)
THRESHOLDS = [f"method: threshold, level: {level}%" for level in LEVELS]


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

    def run(self, inks, *halftones, tone=""):
        """For each halftone {plate's file: bits} of the page in.tif, of one job."""
        pages = "".join(f"  - {{input: in.tif, halftone: {{{halftone}}}, "
                        f"output: {{path: 'plates/{i}/{{ink}}.tif', compression: none}}}}\n"
                        for i, halftone in enumerate(halftones))
        job = self.folder / "job.yaml"
        job.write_text(f"mezzotint: 1\njob: inks\ndefaults:\n"
                       f"  halftone: {{{halftones[0]}}}\n  tone: {{{tone}}}\n"
                       f"  inks: {{{inks}}}\npages:\n{pages}", encoding="utf-8")
        shutil.rmtree(self.folder / "plates", ignore_errors=True)
        done = subprocess.run([self.program, "run", "--fresh", "--verify", "-q", job],
                              capture_output=True, text=True, check=False, timeout=600)
        if done.returncode != 0:
            raise SystemExit(f"{inks}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return [{plate.stem: read_plate(plate) for plate in (self.folder / f"plates/{i}").iterdir()}
                for i in range(len(halftones))]

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
        tones = {name: mixed(parts + ([(to_all, whole)] if to_all else []))
                 for name, parts in plates.items()}
        found = oracle.run(inks, *THRESHOLDS, tone="invert: true" if is_negative else "")
        for level, of_level in zip(LEVELS, found, strict=True):
            oracle.expect(f"{bits} bits, {inks}, level {level}, negative: {is_negative}", of_level,
                          {name: threshold(tone, SOLID, level) for name, tone in tones.items()})


def check_settings(oracle):
    planes = random_planes(255, 3)
    write_page(oracle.folder / "in.tif", planes, INKS)
    wanted = {name.lower().replace(" ", "-"): threshold(plane, 255, 40)
              for name, plane in zip(INKS, planes)}
    wanted["black"] = threshold(planes[3], 255, 70)
    wanted["cyan"] = threshold([255 - sample for sample in planes[0]], 255, 40)
    wanted["P-6"] = wanted.pop("varnish")
    found, = oracle.run(
        "K: {halftone: {level: 70%}}, cyan: {tone: {invert: true}}, "
        "varnish: {label: P, output: {path: 'plates/0/{label}-{n}.tif'}}",
        "method: threshold, level: 40%")
    oracle.expect("settings of inks", found, wanted)


def check_dots(oracle):
    for bits, dots in ((8, (0, 255)), (8, (10, 240)), (8, (240, 10)), (8, (255, 0)), (8, (3, 4)),
                       (16, (0, 65535)), (16, (0, 255)), (16, (4096, 61440))):
        most = (1 << bits) - 1
        planes = random_planes(most, sum(dots))
        of_each_ink = dots * (len(INKS) if dots[0] == 10 else 1)
        write_page(oracle.folder / "in.tif", planes, INKS, bits, of_each_ink)
        is_all = dots in ((0, most), (0, 255))
        tones = {name.lower().replace(" ", "-"):
                 plane if is_all else [ink15(sample, *dots) for sample in plane]
                 for name, plane in zip(INKS, planes)}
        for level, found in zip(LEVELS, oracle.run("", *THRESHOLDS), strict=True):
            oracle.expect(f"DotRange {dots} of {bits} bits, level {level}", found,
                          {name: threshold(tone, most if is_all else SOLID, level)
                           for name, tone in tones.items()})


def check_kept_bits(oracle):
    write_page(oracle.folder / "in.tif", random_planes(255, 5), INKS)
    methods = ("bayer", "random", "floyd-steinberg", "pinwheel", "tone-dependent")
    halftones = [f"method: {method}" for method in methods]
    one = ", ".join(f"{name}: drop" for name in INKS if name != "Magenta")
    runs = (oracle.run(inks, *halftones) for inks in (
        "", "cyan: drop, varnish: drop, pantone 185 c: {plate: Rot}", one))
    for method, plain, renamed, alone in zip(methods, *runs, strict=True):
        wanted = {name: bits for name, bits in plain.items() if name not in ("cyan", "varnish")}
        wanted["rot"] = wanted.pop("pantone-185-c")
        oracle.expect(f"{method}, inks dropped and renamed", renamed, wanted)
        oracle.expect(f"{method}, magenta alone", alone, {"magenta": plain["magenta"]})


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
