#!/usr/bin/env python3
"""Compares plates that were made through the chain, and checks the numbers against plain Python.

    making_oracle.py MEZZOTINT

For each plate this script makes the contone that it was halftoned from, pixel by pixel: inks mixed,
cropped, turned, scaled by the oracle of the scaler, copied, line work laid over, as a TIFF of 16 bits whose DotRange says that
32640 is solid. It turns the plate the right way round, too, and writes it without tags. `compare` of
these two, which need no chain, must give the numbers that it gives for page and plate.
"""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "kernels/prepress")]
from scale_oracle import Ratio, scale  # noqa: E402

SOLID, WHOLE = 32640, 16384
WIDTH, HEIGHT, DPI = 61, 45, 300
INKS = ("Cyan", "Magenta", "Yellow", "Black", "PANTONE 185 C")


# ---- Files ----


def write_tiff(path, width, height, samples, bits, photometric, dpi, inks=(), dots=()):
    """One uncompressed strip of interleaved samples, or of packed rows where `bits` is 1."""
    count = max(len(inks), 1)
    names = b"".join(name.encode() + b"\0" for name in inks)
    tags = [(256, 4, [width]), (257, 4, [height]), (258, 3, [bits] * count), (259, 3, [1]),
            (262, 3, [photometric]), (273, 4, [8]), (277, 3, [count]), (278, 4, [height]),
            (279, 4, [len(samples)])]
    if dpi:
        tags += [(282, 5, [dpi, 1]), (283, 5, [dpi, 1]), (296, 3, [2])]
    if inks:
        tags += [(332, 3, [2]), (333, 2, names), (334, 3, [count])]
    if dots:
        tags.append((336, 3, list(dots)))
    begin = 8 + len(samples) + len(samples) % 2
    extra_at = begin + 2 + 12 * len(tags) + 4
    directory, extra = struct.pack("<H", len(tags)), b""
    for number, kind, values in tags:
        data = values if kind == 2 else b"".join(
            struct.pack("<H" if kind == 3 else "<I", value) for value in values)
        entry = struct.pack("<HHI", number, kind, 1 if kind == 5 else len(values))
        if len(data) > 4:
            directory += entry + struct.pack("<I", extra_at + len(extra))
            extra += data + b"\0" * (len(data) % 2)
        else:
            directory += entry + data.ljust(4, b"\0")
    path.write_bytes(struct.pack("<2sHI", b"II", 42, begin) + samples + b"\0" * (len(samples) % 2) +
                     directory + struct.pack("<I", 0) + extra)


def write_contone(path, rows, dpi):
    """Rows of ink15, as a page whose solid is 32640."""
    samples = b"".join(struct.pack(f"<{len(row)}H", *row) for row in rows)
    write_tiff(path, len(rows[0]), len(rows), samples, 16, 5, dpi, ("Black",), (0, SOLID))


def write_bilevel(path, rows, dpi):
    packed = b""
    for row in rows:
        bits = list(row) + [0] * (-len(row) % 8)
        packed += bytes(int("".join(map(str, bits[x:x + 8])), 2) for x in range(0, len(bits), 8))
    write_tiff(path, len(rows[0]), len(rows), packed, 1, 0, dpi)


def read_plate(path):
    """Rows of bits of an uncompressed plate of this machine's program."""
    data = path.read_bytes()
    at, = struct.unpack_from("<I", data, 4)
    tags = {}
    for i in range(struct.unpack_from("<H", data, at)[0]):
        tag, kind, count = struct.unpack_from("<HHI", data, at + 2 + 12 * i)
        size = {3: "H", 4: "I"}.get(kind)
        if size is None:
            continue
        place = at + 2 + 12 * i + 8
        if struct.calcsize(size) * count > 4:
            place, = struct.unpack_from("<I", data, place)
        tags[tag] = struct.unpack_from(f"<{count}{size}", data, place)
    width, height = tags[256][0], tags[257][0]
    rows = b"".join(data[first:first + size] for first, size in zip(tags[273], tags[279]))
    row_bytes = (width + 7) // 8
    return [[rows[y * row_bytes + x // 8] >> (7 - x % 8) & 1 for x in range(width)]
            for y in range(height)]


# ---- The definition ----


def ink15(rows):
    return [[sample * 128 for sample in row] for row in rows]


def mixed(parts):
    """The sum of planes of ink15, each with a weight in 1/16384."""
    return [[min(SOLID, sum((2 * plane[y][x] * weight + WHOLE) // (2 * WHOLE)
                            for plane, weight in parts))
             for x in range(len(parts[0][0][0]))] for y in range(len(parts[0][0]))]


def percent(value):
    return int(2 * value * WHOLE + 100) // 200


def cropped(rows, left, top, width, height):
    return [row[left:left + width] for row in rows[top:top + height]]


def turned(rows, degrees):
    """Clockwise."""
    for _ in range(degrees // 90):
        rows = [list(row) for row in zip(*rows[::-1])]
    return rows


def copied(rows, across, down, gap):
    """With `gap` pixels of paper between the copies."""
    lines = []
    for row in rows:
        lines.append((row + [0] * gap) * (across - 1) + row)
    return (lines + [[0] * len(lines[0])] * gap) * (down - 1) + lines


def overlaid(rows, linework, value):
    return [[value if bit else sample for sample, bit in zip(row, bits)]
            for row, bits in zip(rows, linework)]


def upright(rows, mirror, negative):
    return [[bit ^ negative for bit in (row[::-1] if mirror else row)] for row in rows]


# ---- Cases ----


def random_rows(seed):
    """Tones of all kinds in patches, with paper and solids."""
    draw = random.Random(seed)
    rows = []
    for y in range(HEIGHT):
        tone = draw.choice((0, 255, draw.randrange(256)))
        rows.append([tone if (x // 9 + y // 7) % 3 else draw.randrange(256) for x in range(WIDTH)])
    return rows


def random_linework(seed, width, height):
    draw = random.Random(seed)
    return [[int((x // 5 + y // 3) % 4 == 0 and draw.random() < 0.8) for x in range(width)]
            for y in range(height)]


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder, self.wrong, self.compared = program, folder, 0, 0

    def mezzotint(self, *words, status=0):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, text=True,
                              capture_output=True, check=False, timeout=600,
                              env={"XDG_STATE_HOME": str(self.folder)})
        if done.returncode != status:
            raise SystemExit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def plate(self, flags):
        self.mezzotint("halftone", "-q", "--compression", "none", "--protect", "both", *flags,
                       "page.tif", "plate.tif")

    def compare(self, *words):
        found = json.loads(self.mezzotint("compare", "--json", *words))
        steps = found.pop("compared_after", [])
        for name in ("contone", "halftone", "ink"):
            found.pop(name)
        return found, steps

    def expect(self, what, found, wanted):
        self.compared += 1
        if found == wanted:
            return
        self.wrong += 1
        print(f"{what}: {found}, expected {wanted}")

    def same(self, what, found, wanted):
        """Numbers and steps."""
        names = [name for name in wanted[0] if found[0].get(name) != wanted[0][name]]
        self.expect(what, ({name: found[0].get(name) for name in names}, found[1]),
                    ({name: wanted[0][name] for name in names}, wanted[1]))

    def same_numbers(self, what, contone, plate, dpi, steps, mirror=False, negative=False, flags=(),
                     tag_steps=()):
        """Holds the numbers of a plate against those of `contone` and the plate the right way round;
        so those of the plate without its tags, where `flags` say how it was made."""
        bits = read_plate(self.folder / plate)
        write_contone(self.folder / "contone.tif", contone, dpi)
        write_bilevel(self.folder / "upright.tif", upright(bits, mirror, negative), dpi)
        write_bilevel(self.folder / "untagged.tif", bits, dpi)
        wanted, _ = self.compare("contone.tif", "upright.tif")
        steps = [*steps, *(["mirror undone"] if mirror else []),
                 *(["negative undone"] if negative else [])]
        self.same(what, self.compare("page.tif", plate), (wanted, [*steps, *tag_steps]))
        if flags:
            self.same(f"{what}, by flags", self.compare("page.tif", "untagged.tif", *flags),
                      (wanted, steps))


KEPT = ["protected pixels as they are"]
TO_INK = "samples to 32640 levels of ink"


def check_scales(bench):
    rows = random_rows(1)
    write_tiff(bench.folder / "page.tif", WIDTH, HEIGHT, bytes(255 - s for row in rows for s in row),
               8, 1, DPI)
    for name, dpi, ratio, mirror, negative in (
            ("nearest", 1200, Ratio(4, 1), True, False), ("cubic", 750, Ratio(5, 2), False, False),
            ("linear", 900, Ratio(3, 1), False, True), ("area", 200, Ratio(2, 3), True, True)):
        flags = ["--resolution", dpi, "--scale", name]
        flags += ["--mirror"] * mirror + ["--negative"] * negative
        bench.plate(flags)
        bench.same_numbers(name, scale(ink15(rows), ratio, ratio, name), "plate.tif", dpi,
                           [TO_INK, f"scale by {ratio}, {name}"], mirror, negative, flags,
                           KEPT)


def check_geometry(bench):
    """Millimetres that are whole pixels: 10 to one."""
    for width, height in ((WIDTH, HEIGHT), (40, 40)):
        rows = cropped(random_rows(9), 0, 0, width, height)
        write_tiff(bench.folder / "page.tif", width, height,
                   bytes(255 - s for row in rows for s in row), 8, 1, 254)
        for degrees in (0, 90, 180, 270):
            turn = [f"rotate by {degrees} degrees clockwise"] * (degrees > 0)
            flags = ["--rotate", degrees] * (degrees > 0)
            what = f"{width} x {height} px, rotate by {degrees}"
            bench.plate(flags)
            bench.same_numbers(what, turned(ink15(rows), degrees), "plate.tif", 254, turn,
                               flags=flags, tag_steps=KEPT)
            flags += ["--crop", "0.5,0.3,3,2", "--copies", "2x3", "--gap", "0.7", "--mirror",
                      "--resolution", 508, "--scale", "nearest"]
            bench.plate(flags)
            by2 = Ratio(2, 1)
            kept = turned(ink15(cropped(rows, 5, 3, 30, 20)), degrees)
            contone = copied(scale(kept, by2, by2, "nearest"), 2, 3, 14)
            steps = bench.compare("page.tif", "plate.tif")[1]
            bench.expect(what, steps[:len(turn)], turn)
            bench.same_numbers(f"{what}, cropped and copied", contone, "plate.tif", 508, steps[:-2],
                               mirror=True, flags=flags, tag_steps=KEPT)


def check_tones(bench):
    """The tone is that of the page: its contone and numbers are those of a plate without a curve."""
    rows = random_rows(10)
    write_tiff(bench.folder / "page.tif", WIDTH, HEIGHT, bytes(255 - s for row in rows for s in row),
               8, 1, DPI)
    bench.plate(["--curve", "0:0,50:40,100:100"])
    bench.same_numbers("curve", ink15(rows), "plate.tif", DPI, [], tag_steps=[
        *KEPT, "plate made with curve 0:0 50:40 100:100, not undone"])


def check_trim(bench):
    """Margins of 2 and 3 mm at 254 dpi are 20 and 30 px; a gap of 1 mm at 508 dpi is 20."""
    rows = [list(row) * 2 for row in random_rows(9)] * 2
    width, height = len(rows[0]), len(rows)
    write_tiff(bench.folder / "page.tif", width, height,
               bytes(255 - s for row in rows for s in row), 8, 1, 254)
    flags = ["--resolution", 508, "--scale", "nearest", "--trim", "2,3,0,0", "--rotate", 90,
             "--copies", "2x1", "--gap", 1, "--mirror"]
    bench.plate(flags)
    kept = turned(ink15([row[20:] for row in rows[30:]]), 90)
    contone = copied(scale(kept, Ratio(2, 1), Ratio(2, 1), "nearest"), 2, 1, 20)
    steps = bench.compare("page.tif", "plate.tif")[1]
    bench.expect("steps of trim", [step.split()[0] for step in steps],
                 ["rotate", "crop", "samples", "scale", "2", "mirror", "protected"])
    bench.same_numbers("trim", contone, "plate.tif", 508, steps[:-2], True, False, flags,
                       KEPT)


JOB = """mezzotint: 1
job: Inks
defaults:
  output: {path: "plates/{ink}.tif", resolution: 600, compression: none, mirror: true}
  scale: linear
  inks:
    PANTONE 185 C: {to: {magenta: 90%, yellow: 60.5%}}
    cyan: {plate: Blue}
    yellow: {halftone: {method: bayer}}
pages: [{input: page.tif, linework: {file: type.tif, ink: black, overprint: false}}]
"""


def check_inks(bench):
    planes = [random_rows(seed) for seed in range(2, 7)]
    samples = bytes(plane[y][x] for y in range(HEIGHT) for x in range(WIDTH) for plane in planes)
    write_tiff(bench.folder / "page.tif", WIDTH, HEIGHT, samples, 8, 5, DPI, INKS)
    linework = random_linework(7, 2 * WIDTH, 2 * HEIGHT)
    write_bilevel(bench.folder / "type.tif", linework, 600)
    (bench.folder / "job.yaml").write_text(JOB, encoding="utf-8")
    bench.mezzotint("run", "-q", "job.yaml")
    cyan, magenta, yellow, black, spot = map(ink15, planes)
    by2 = Ratio(2, 1)
    for plate, parts, value in (
            ("blue", [(cyan, WHOLE)], 0),
            ("magenta", [(magenta, WHOLE), (spot, percent(90))], 0),
            ("yellow", [(yellow, WHOLE), (spot, percent(60.5))], 0),
            ("black", [(black, WHOLE)], SOLID)):
        contone = overlaid(scale(mixed(parts), by2, by2, "linear"), linework, value)
        mix = bench.compare("page.tif", f"plates/{plate}.tif")[1][1]
        bench.same_numbers(plate, contone, f"plates/{plate}.tif", 600,
                           [TO_INK, mix, "scale by 2/1, linear",
                            f"line work type.tif as {'solid ink' if value else 'paper'}"], True)


FILES = """mezzotint: 1
job: Files
defaults: {output: {path: "files/{ink}.tif", resolution: 600, compression: none}, scale: linear, halftone: {method: bayer}}
pages:
  - input: page.tif
    linework: [{file: type.tif, ink: magenta}, {file: "type_{ink}.tif"}, {file: marks.tif, ink: cyan, overprint: true}]
"""


def check_files(bench):
    """On each plate, what a file knocks out is paper unless another prints it, whatever their order."""
    planes = [random_rows(seed) for seed in range(2, 7)]
    samples = bytes(plane[y][x] for y in range(HEIGHT) for x in range(WIDTH) for plane in planes)
    write_tiff(bench.folder / "page.tif", WIDTH, HEIGHT, samples, 8, 5, DPI, INKS)
    works = {"type.tif": random_linework(20, 2 * WIDTH, 2 * HEIGHT), "marks.tif": random_linework(21, 2 * WIDTH, 2 * HEIGHT)}
    names = ["cyan", "magenta", "yellow", "black", "pantone-185-c"]
    for seed, ink in enumerate(names):
        works[f"type_{ink}.tif"] = random_linework(22 + seed, 2 * WIDTH, 2 * HEIGHT)
    for name, rows in works.items():
        write_bilevel(bench.folder / name, rows, 600)
    order = ["type.tif", *(f"type_{ink}.tif" for ink in names), "marks.tif"]
    prints = {"type.tif": "magenta", "marks.tif": "cyan", **{f"type_{ink}.tif": ink for ink in names}}
    (bench.folder / "files.yaml").write_text(FILES, encoding="utf-8")
    bench.mezzotint("run", "-q", "files.yaml")
    by2 = Ratio(2, 1)
    for plate, plane in zip(names, planes):
        contone = scale(ink15(plane), by2, by2, "linear")
        steps = []
        for name in order:
            overprints = name in ("type_black.tif", "marks.tif")
            what = "as solid ink" if prints[name] == plate else "overprinted" if overprints else "as paper"
            steps.append(f"line work {name} {what}")
            if prints[name] != plate and not overprints:
                contone = overlaid(contone, works[name], 0)
        for name in order:
            if prints[name] == plate:
                contone = overlaid(contone, works[name], SOLID)
        found = bench.compare("page.tif", f"files/{plate}.tif")[1]
        bench.expect(f"steps of {plate}", [step for step in found if step.startswith("line work")], steps)
        bench.same_numbers(f"files, {plate}", contone, f"files/{plate}.tif", 600, found)
    (bench.folder / "marks.tif").rename(bench.folder / "moved.tif")
    said = bench.mezzotint("compare", "page.tif", "files/cyan.tif", "--linework", "moved.tif", status=64)
    bench.expect("moved.tif", "has 7 files of line work over it, and none has the name of moved.tif" in said, True)
    (bench.folder / "other").mkdir()
    (bench.folder / "moved.tif").rename(bench.folder / "other/marks.tif")
    bench.mezzotint("compare", "page.tif", "files/cyan.tif", "--linework", "other/marks.tif")


def check_refusals(bench):
    def refused(what, status, *words):
        said = bench.mezzotint("compare", *words, status=status)
        bench.expect(" ".join(map(str, words)), what if what in said else said, what)

    write_bilevel(bench.folder / "untagged.tif", read_plate(bench.folder / "plates/black.tif"), 600)
    refused("page.tif has 61 x 45 px and untagged.tif has 122 x 90 px: a halftone must have the size "
            "of its contone; where the page was scaled, say so with --resolution 600", 65,
            "page.tif", "untagged.tif", "--ink", "black")
    refused("plates/black.tif says itself how it was made", 64, "page.tif", "plates/black.tif", "--mirror")
    write_tiff(bench.folder / "small.tif", 50, 40, bytes(5 * 50 * 40), 8, 5, DPI, INKS)
    refused("it was made from page 1 of page.tif, so give that", 65, "small.tif", "plates/black.tif")
    data = (bench.folder / "plates/black.tif").read_bytes()
    (bench.folder / "later.tif").write_bytes(data.replace(b"; resolution=", b"; revolution="))
    refused("'revolution=600'", 65, "page.tif", "later.tif")
    write_bilevel(bench.folder / "type.tif", random_linework(8, 2 * WIDTH, 2 * HEIGHT), 600)
    refused("type.tif is not the line work that plates/black.tif has over it", 65,
            "page.tif", "plates/black.tif")
    (bench.folder / "type.tif").unlink()
    refused("plates/black.tif has the line work type.tif over it, which is not beside page.tif; give it with "
            "--linework FILE", 66, "page.tif", "plates/black.tif")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(program, pathlib.Path(folder))
        check_scales(bench)
        check_geometry(bench)
        check_trim(bench)
        check_tones(bench)
        check_files(bench)
        check_inks(bench)
        check_refusals(bench)
    if bench.wrong:
        sys.exit(f"{bench.wrong} of {bench.compared} differ")
    print(f"all {bench.compared} are as defined")


if __name__ == "__main__":
    main()
