#!/usr/bin/env python3
"""Holds plates of several levels against the definitions, in plain Python.

    levels_oracle.py MEZZOTINT

Floyd-Steinberg to levels and a screen of thresholds are written here a pixel at a time, from the text
of kernels/diffusion/rules/level_rule.h and kernels/screen/threshold_levels.h. Then it runs jobs again, verifies them, plans them for a cluster, and tries
what must be refused by name.

The exit status is 0 only when every pixel is right and every refusal is as written.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))

import plain_tiff  # noqa: E402, beside the tests

WIDTH, HEIGHT = 61, 47
DROPS = ([0, 1], [0, 7, 14, 21], [0, 3, 21], [0, 1, 2, 3, 9], [0, 1, 2, 4, 7, 8, 9, 10],
         list(range(16)))
MASK = 0xFFFFFFFF


def pixels_of(path):
    """The values of the pixels of an uncompressed plate, by rows, and its bits a pixel."""
    width, height, bits, rows = plain_tiff.read_plate(path)
    stride = (width * bits + 7) // 8
    pixels = []
    for y in range(height):
        text = "".join(f"{byte:08b}" for byte in rows[y * stride:(y + 1) * stride])
        pixels.append([int(text[x * bits:(x + 1) * bits], 2) for x in range(width)])
        assert "1" not in text[width * bits:], "padding"
    return pixels, bits


def mixed(v):
    v = (v ^ v >> 16) * 0x85EBCA6B & MASK
    v = (v ^ v >> 13) * 0xC2B2AE35 & MASK
    return v ^ v >> 16


def noise(seed, plane, y, x):
    golden = 0x9E3779B9
    row = mixed((mixed(seed + golden & MASK) ^ plane) + golden & MASK) ^ y
    return mixed(mixed(row + golden & MASK) ^ x)


def tones_of(drops):
    return [int(4096 * drop / drops[-1] + 0.5) for drop in drops]


def diffused(tones, drops, overlap):
    """Levels by error diffusion; `overlap` in percent."""
    v = tones_of(drops)
    last = len(v) - 1
    half = [None] + [(v[j - 1] + v[j] + 1) // 2 for j in range(1, last + 1)]

    def nearest(tone):
        return sum(tone >= half[j] for j in range(1, last + 1))

    above, levels = [0] * (WIDTH + 2), []
    for y, row in enumerate(tones):
        errors, out = [0] * (WIDTH + 2), []
        for x, tone in enumerate(row):
            s = tone + (7 * errors[x] + above[x] + 5 * above[x + 1] + 3 * above[x + 2] + 8 >> 4)
            k = max(j for j in range(last) if v[j] <= tone)
            random_part = (noise(0x1E7E15, 0, y, x) >> 20) - 2048

            def reach(j):
                if j in (0, last):
                    return 0
                return v[j] - v[j - 1] if random_part < 0 else v[j + 1] - v[j]

            gap, above_k = v[k + 1] - v[k], tone - v[k]
            room = (reach(k) * (gap - above_k) + reach(k + 1) * above_k) // gap
            level = nearest(s + (9 * random_part * (overlap * 4096 // 100 * room >> 12) >> 15))
            level = max(nearest(tone) - 1, 0, min(level, nearest(tone) + 1, last))
            level = 0 if tone == 0 else last if tone == 4096 else level
            out.append(level)
            errors[x + 1] = s - v[level]
        above = errors
        levels.append(out)
    return levels


def matrix(order):
    rows = [[0]]
    for _ in range(order):
        rows = [[4 * m for m in row] + [4 * m + 2 for m in row] for row in rows] + [
            [4 * m + 3 for m in row] + [4 * m + 1 for m in row] for row in rows]
    return rows


def screened(tones, drops, _):
    """Levels by Bayer's matrix of 8 x 8."""
    v, ranks = tones_of(drops), matrix(3)
    return [[sum(tone > v[j - 1] + ((v[j] - v[j - 1]) * ((2 * ranks[y % 8][x % 8] + 1) * 32) >> 12)
                 for j in range(1, len(v))) for x, tone in enumerate(row)]
            for y, row in enumerate(tones)]


METHODS = {"floyd-steinberg": diffused, "bayer": screened}


class Bench:
    """A folder, and the program."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.bad = self.good = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def mezzotint(self, *arguments):
        state = {**os.environ, "XDG_STATE_HOME": self.path("state")}
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, env=state,
                              cwd=self.folder, timeout=600, check=False)

    def expect(self, good, what):
        self.good += bool(good)
        self.bad += not good
        if not good:
            print("wrong:", what)

    def write(self, text):
        with open(self.path("job.yaml"), "w") as file:
            file.write("mezzotint: 1\njob: x\n" + text)

    def job(self, page, levels, method="floyd-steinberg", more=""):
        self.write("defaults:\n  output: {path: 'plates/{ink}.tif', compression: none}\n"
                   f"  halftone: {{method: {method}}}\n" +
                   (f"  levels: {levels}\n" if levels else "") + more + f"pages: [{page}]\n")

    def plates(self, *job, **more):
        """Pixels of the plates by ink, and the results of the run."""
        self.job(*job, **more)
        run = self.mezzotint("run", "--fresh", "--verify", "--json", "job.yaml")
        if run.returncode != 0:
            self.expect(False, f"{job} {more}: {run.stdout} {run.stderr}")
            return {}, {}
        sheet = next(line for line in map(json.loads, run.stdout.splitlines())
                     if line["type"] == "sheet")
        plates = {one["ink"]: one for one in sheet["plates"]}
        return {ink: pixels_of(self.path(one["path"])) for ink, one in plates.items()}, plates


def recomposed(plates, ink):
    """The levels that planes have together, and how many there are."""
    planes = {int(name.rpartition("_")[2]): pixels for name, (pixels, bits) in plates.items()
              if name.startswith(ink + "_") and bits == 1}
    levels = [[0] * WIDTH for _ in range(HEIGHT)]
    for number, pixels in planes.items():
        for y, row in enumerate(pixels):
            for x, pixel in enumerate(row):
                levels[y][x] |= pixel << (number - 1)
    return levels, len(planes)


def grey_page():
    """Contone with paper, solids, and a ramp in it; 0 is paper."""
    lot = random.Random(1)
    rows = [[0 if y % 12 < 2 else 255 if y % 12 > 9 else
             (4 * x + y) % 256 if y > 30 else lot.randrange(256) for x in range(WIDTH)]
            for y in range(HEIGHT)]
    return rows


def check_planes(bench, tones):
    for method, definition in METHODS.items():
        bilevel, _ = bench.plates("grey.tif", "", method)
        for drops in DROPS:
            for overlap in (100, 40) if method == "floyd-steinberg" else (100,):
                want = definition(tones, drops, overlap)
                levels = f"{{drops: {drops}, overlap: {overlap}%, format: planes}}"
                plates, _ = bench.plates("grey.tif", levels, method)
                found, planes = recomposed(plates, "black")
                bench.expect(planes == max(1, (len(drops) - 1).bit_length()), f"{levels}: {planes}")
                bench.expect(found == want, f"{method} {levels}")
                if len(drops) == 2:
                    bench.expect(found == bilevel["black"][0], f"{method}: two levels")


def check_packed(bench, tones):
    for method, definition in METHODS.items():
        for drops in DROPS:
            want = definition(tones, drops, 100)
            plates, results = bench.plates("grey.tif", f"{{drops: {drops}}}", method)
            found, bits = plates["black"]
            bench.expect(bits == (1 if len(drops) == 2 else 2 if len(drops) <= 4 else 4),
                         f"{drops}: {bits} bits")
            bench.expect(found == want, f"{method} {drops}, packed")
            if bits == 1:
                continue
            counts = [sum(row.count(level) for row in want) for level in range(len(drops))]
            result = results["black"]
            bench.expect(result["drops_px"] == counts, f"{drops}: {result}")
            volume = sum(count * drop for count, drop in zip(counts, drops)) * 1e-9
            bench.expect(abs(result["volume_ml"] - volume) <= 1e-12, f"{drops}: {result}")
            share = 100 * volume / (drops[-1] * 1e-9 * WIDTH * HEIGHT)
            bench.expect(abs(result["coverage_percent"] - share) < 0.02, f"{drops}: {result}")
    for compression in ("packbits", "lzw", "deflate", "auto"):
        bench.write("defaults: {levels: {drops: [0, 1, 2]}, output: {compression: %s}}\n"
                    "pages: [grey.tif]\n" % compression)
        run = bench.mezzotint("run", "--fresh", "--verify", "job.yaml")
        bench.expect(run.returncode == 0, f"{compression}: {run.stderr}")
    plain, _ = bench.plates("grey.tif", "{drops: [0, 1, 2]}")
    want = [row[::-1] for row in plain["black"][0]]
    bench.write("defaults: {levels: {drops: [0, 1, 2]}, output: {path: 'plates/m.tif', "
                "compression: none, mirror: true}}\npages: [grey.tif]\n")
    run = bench.mezzotint("run", "--fresh", "--verify", "job.yaml")
    bench.expect(run.returncode == 0 and pixels_of(bench.path("plates/m.tif")) == (want, 2),
                 f"mirrored: {run.stderr}")


def check_inks(bench):
    """Planes of a separated page, with the texture of each ink, are its packed levels."""
    lot = random.Random(2)
    plain_tiff.write_page(bench.path("cmyk.tif"), WIDTH, HEIGHT, 4, 5, bytes(
        lot.randrange(256) for _ in range(4 * WIDTH * HEIGHT)))
    drops = "{drops: [0, 7, 14, 21]"
    packed, _ = bench.plates("cmyk.tif", drops + "}")
    planes, _ = bench.plates("cmyk.tif", drops + ", format: planes}")
    for ink in ("cyan", "magenta", "yellow", "black"):
        bench.expect(recomposed(planes, ink) == (packed[ink][0], 2), f"{ink}: planes and packed")
    bench.expect(len({str(packed[ink][0]) for ink in packed}) == 4, "inks differ")
    # An ink that the page lacks, and a light ink: their planes, too, are their packed levels.
    inks = ("  inks:\n    light cyan: {from: cyan, tone: {curve: [[0%, 0%], [50%, 100%], "
            "[100%, 100%]]}}\n    cyan: {tone: {gamma: 2}}\n")
    packed, _ = bench.plates("cmyk.tif", drops + "}", more=inks)
    planes, _ = bench.plates("cmyk.tif", drops + ", format: planes}", more=inks)
    bench.expect(recomposed(planes, "light cyan") == (packed["light cyan"][0], 2), "light cyan")
    bench.expect(recomposed(planes, "cyan") == (packed["cyan"][0], 2), "cyan beside light cyan")
    alone, _ = bench.plates("cmyk.tif", drops + "}", more="  inks: {cyan: {tone: {gamma: 2}}}\n")
    bench.expect(alone["cyan"] == packed["cyan"], "a light ink changes no other plate")
    bench.expect(packed["light cyan"][0] != packed["cyan"][0], "two curves")


def check_again(bench):
    """Plates are made once, and again where their levels changed; a cluster plans and makes them."""
    texts = []
    for levels in ("{drops: [0, 1, 3], format: planes}",) * 2 + (
            "{drops: [0, 1, 4], format: planes}", "{volumes: [0, 25%, 100%], format: planes}"):
        bench.job("grey.tif", levels)
        run = bench.mezzotint("run", "job.yaml")
        bench.expect(run.returncode == 0, run.stderr)
        texts.append("made again" in run.stdout + run.stderr)
    bench.expect(texts[1:] == [False, True, True], f"made again: {texts}")
    with open(bench.path("plates/black_2.tif"), "rb") as file:
        bench.expect(b"; levels=0 25 100 %, overlap 100, planes, bit 2; " in file.read(), "tag")
    before = [pixels_of(bench.path(f"plates/black_{bit}.tif")) for bit in (1, 2)]
    for bit in (1, 2):
        os.remove(bench.path(f"plates/black_{bit}.tif"))
    run = bench.mezzotint("submit", "--engine", "local", "--wait", "--plan", "plan", "job.yaml")
    bench.expect(run.returncode == 0, run.stdout + run.stderr)
    after = [pixels_of(bench.path(f"plates/black_{bit}.tif")) for bit in (1, 2)]
    bench.expect(before == after, "plates of a cluster")


def check_refusals(bench, refused):
    for more, words in refused:
        bench.write(more if "pages:" in more else more + "pages: [grey.tif]\n")
        for command in ("check", "run"):
            run = bench.mezzotint(command, "job.yaml")
            text = run.stdout + run.stderr
            bench.expect(run.returncode not in (0, 70) and words in text,
                         f"{command}: {more}{run.returncode}: {text}")


REFUSED = (
    ("defaults: {levels: {drops: [0]}}\n", "levels must be 2 to 16 volumes, and there are 1"),
    (f"defaults: {{levels: {{drops: {list(range(17))}}}}}\n", "and there are 17"),
    ("defaults: {levels: {drops: [1, 2]}}\n", "the first volume of levels must be 0, for paper"),
    ("defaults: {levels: {drops: [0, 7, 7]}}\n", "must rise from one to the next"),
    ("defaults: {levels: {volumes: [0, 40%, 70%]}}\n",
     "the last of the volumes must be 100%, and is 70%"),
    ("defaults: {levels: {}}\n", "'levels' must have one of 'drops' and 'volumes'"),
    ("defaults: {levels: {drops: [0, 1], volumes: [0, 100%]}}\n", "one of 'drops' and 'volumes'"),
    ("defaults: {levels: {drops: [0, 1], overlap: 120%}}\n",
     "'overlap' must be a percentage from 0 to 100, found '120%'"),
    ("defaults: {levels: {drops: [0, none]}}\n", "'drops' must be a list of numbers"),
    ("defaults: {levels: {drops: 7}}\n", "'drops' must be a list of numbers"),
    ("defaults: {levels: {drops: [0, 1], format: both}}\n", "'both'"),
    ("defaults: {halftone: {method: dbs}, levels: {drops: [0, 1, 2], format: planes}}\n",
     "method 'dbs' has no levels; these have: floyd-steinberg, "),
    ("defaults: {halftone: {schedule: wavefront}, levels: {drops: [0, 1, 2], format: planes}}\n",
     "schedule 'wavefront' of method 'floyd-steinberg' has no levels"),
    ("defaults: {levels: {drops: [0, 1, 2]}, output: {compression: g4}}\n",
     "the plate of black has packed levels, and compression g4 is for bilevel plates; use "
     "'format: planes', or compression lzw or deflate"),
    ("defaults: {levels: {drops: [0, 1, 2]}, output: {negative: true}}\n",
     "has packed levels, and output.negative is for bilevel plates"),
    ("defaults: {inks: {light cyan: {from: cyan, as: black}}}\n",
     "an ink has one of 'plate', 'as', 'to' and 'from', and here are several"),
    ("defaults: {inks: {black: {from: black}}}\n", "already, which 'inks' makes from 'black'"),
    ("pages: [{input: grey.tif, levels: {drops: [0, 1, 2], format: planes}, "
     "output: {path: one.tif}}]\n", "one.tif"),
)


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), folder)
        page = grey_page()
        plain_tiff.write_page(bench.path("grey.tif"), WIDTH, HEIGHT, 1, 0,
                              bytes(value for row in page for value in row))
        tones = [[16 * value + (value + 8 >> 4) for value in row] for row in page]
        check_planes(bench, tones)
        check_packed(bench, tones)
        check_inks(bench)
        check_again(bench)
        check_refusals(bench, REFUSED)
        print(f"{bench.good} right, {bench.bad} wrong")
        return bench.bad != 0 or bench.good == 0


if __name__ == "__main__":
    sys.exit(main())
