#!/usr/bin/env python3
"""Holds plates with line work against the bits of the plates without it, in plain Python.

    linework_oracle.py MEZZOTINT

A plate is one large integer here, so the definition is one line: P | L where the plate prints the
line work, P & ~L where it is knocked out, and P where it is overprinted.  The script reads and
writes TIFF by itself.  Then it runs a table of jobs whose line work cannot be printed, each of which
must be refused by name.

The exit status is 0 only when every bit of every plate is right and every refusal is as written.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, DPI = 61, 47, 600
CMYK = ("cyan", "magenta", "yellow", "black")
METHODS = ("threshold", "bayer", "floyd-steinberg")
CODES = {3: "H", 4: "I"}  # of the types of tags that are read here


def tiff(pages, dpi=DPI):
    """A TIFF of (width, height, bits, samples, photometric, orientation, rows) a page."""
    out = bytearray(b"II*\0" + bytes(4))
    link = 4
    for width, height, bits, samples, photometric, orientation, rows in pages:
        data = len(out)
        out += rows
        resolution = len(out)
        out += struct.pack("<II", dpi or 1, 1)
        depth = len(out)
        out += struct.pack(f"<{samples}H", *[bits] * samples)
        tags = [
            (256, 3, 1, width), (257, 3, 1, height),
            (258, 3, samples, bits if samples == 1 else depth),
            (259, 3, 1, 1), (262, 3, 1, photometric), (273, 4, 1, data), (274, 3, 1, orientation),
            (277, 3, 1, samples), (278, 3, 1, height), (279, 4, 1, len(rows)),
        ]
        if dpi:
            tags += [(282, 5, 1, resolution), (283, 5, 1, resolution), (296, 3, 1, 2)]
        out += bytes(len(out) % 2)
        struct.pack_into("<I", out, link, len(out))
        out += struct.pack("<H", len(tags))
        for tag, kind, count, value in tags:
            out += struct.pack("<HHII", tag, kind, count, value)
        link = len(out)
        out += bytes(4)
    return bytes(out)


def save(path, *pages, dpi=DPI):
    with open(path, "wb") as file:
        file.write(tiff(pages, dpi))


def noise(seed, width=WIDTH, height=HEIGHT, samples=1):
    """Contone with flat paper and solids in it."""
    lot = random.Random(seed)
    values = bytearray()
    for y in range(height):
        for x in range(width * samples):
            flat = 0 if y % 12 < 3 else 255 if y % 12 > 8 else None
            values.append(lot.randrange(256) if flat is None else flat)
    return bytes(values)


def type_rows(seed, width=WIDTH, height=HEIGHT):
    """Rows of 0 and 1: 1 is ink; strokes, single pixels and free space."""
    lot = random.Random(seed)
    rows = [[0] * width for _ in range(height)]
    for _ in range(40):
        x, y = lot.randrange(width), lot.randrange(height)
        for i in range(lot.randrange(1, 20)):
            if lot.random() < 0.5:
                rows[y][min(x + i, width - 1)] = 1
            else:
                rows[min(y + i, height - 1)][x] = 1
    return rows


def stored(rows, orientation):
    """Upright rows as a file of that orientation has them: where its first row and column lie."""
    if orientation >= 5:  # the first row is a side
        rows = [list(column) for column in zip(*rows)]
    if orientation in (3, 4, 6, 7):  # at the bottom or the right
        rows = rows[::-1]
    if orientation in (2, 3, 7, 8):  # the first column is at the right or the bottom
        rows = [row[::-1] for row in rows]
    return rows


def bilevel(rows, min_is_white=True, orientation=1):
    """A page for save() with these upright rows of ink."""
    rows = stored(rows, orientation)
    width = len(rows[0])
    data = bytearray()
    for row in rows:
        bits = [pixel if min_is_white else 1 - pixel for pixel in row] + [0] * (-width % 8)
        for x in range(0, len(bits), 8):
            data.append(int("".join(map(str, bits[x:x + 8])), 2))
    return (width, len(rows), 1, 1, 0 if min_is_white else 1, orientation, bytes(data))


def as_number(rows):
    """Rows of pixels, each padded to whole bytes, as one integer."""
    text = ""
    for row in rows:
        text += "".join(map(str, row)) + "0" * (-len(row) % 8)
    return int(text, 2)


def plate(path):
    """The bits of an uncompressed plate, ink being 1, as one integer."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:4] == b"II*\0", path
    (at,) = struct.unpack_from("<I", data, 4)
    (count,) = struct.unpack_from("<H", data, at)
    tags = {}
    for i in range(count):
        tag, kind, many, value = struct.unpack_from("<HHII", data, at + 2 + 12 * i)
        if kind not in CODES:
            continue
        code = "<" + CODES[kind] * many
        place = value if struct.calcsize(code) > 4 else at + 2 + 12 * i + 8
        tags[tag] = struct.unpack_from(code, data, place)
    assert tags[259] == (1,) and tags[262] == (0,), path
    rows = b"".join(data[o:o + n] for o, n in zip(tags[273], tags[279]))
    return int.from_bytes(rows, "big")


class Bench:
    """A folder, and the program."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.bad = self.good = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def mezzotint(self, *arguments):
        state = {**os.environ, "XDG_STATE_HOME": self.path("state")}
        return subprocess.run([self.program, *arguments], capture_output=True, text=True,
                              env=state, cwd=self.folder, timeout=600, check=False)

    def expect(self, good, what):
        self.good += bool(good)
        self.bad += not good
        if not good:
            print("wrong:", what)

    def plates(self, page, settings, inks, linework=None, *options):
        """Plates of one page by ink, and the result of the run."""
        self.write("job.yaml", "mezzotint: 1\njob: x\ndefaults:\n"
                   "  output: {path: 'plates/{ink}.tif', compression: none" +
                   settings.get("output", "") + "}\n" +
                   f"  halftone: {{method: {settings['method']}, engine: cpu}}\n" +
                   settings.get("more", "") + f"pages:\n  - input: {page}\n" +
                   (f"    linework: {linework}\n" if linework else ""))
        run = self.mezzotint("run", "--fresh", "--verify", "--json", *options, "job.yaml")
        if run.returncode != 0:
            self.expect(False, f"{linework} {settings}: {run.stdout} {run.stderr}")
            return {}, {}
        sheet = next(line for line in map(json.loads, run.stdout.splitlines())
                     if line["type"] == "sheet")
        counts = {one["ink"]: one for one in sheet["plates"]}
        return {ink: plate(self.path(f"plates/{ink}.tif")) for ink in inks}, counts


def check_overlay(bench, page, inks, settings, linework, ink, overprint, rows, options=()):
    """Plates with line work are those without it, and the definition."""
    before, _ = bench.plates(page, settings, inks, None, *options)
    after, counts = bench.plates(page, settings, inks, linework, *options)
    if not before or not after:
        return
    work = as_number(rows)
    pixels = bin(work).count("1")
    for name in inks:
        prints = ink in ("all", name)
        want = before[name]
        if prints:
            want |= work
        elif not overprint:
            want &= ~work
        what = f"{settings['method']}, {linework}: {name}"
        bench.expect(after[name] == want, what + ": bits")
        found = (counts[name].get("linework_printed_px"),
                 counts[name].get("linework_knocked_out_px"))
        knocked_out = 0 if prints or overprint else pixels
        bench.expect(found == (pixels if prints else 0, knocked_out), f"{what}: {found}")


def check_plates(bench):
    rows = type_rows(7)
    save(bench.path("cmyk.tif"), (WIDTH, HEIGHT, 8, 4, 5, 1, noise(1, samples=4)))
    save(bench.path("grey.tif"), (WIDTH, HEIGHT, 8, 1, 1, 1, noise(2)))
    save(bench.path("type.tif"), bilevel(rows))
    plain = {"method": "floyd-steinberg"}
    for ink in (*CMYK, "all"):
        for overprint in (None, True, False) if ink != "all" else (None,):
            linework = f"{{file: type.tif, ink: {ink}" + (
                "" if overprint is None else f", overprint: {str(overprint).lower()}") + "}"
            effective = ink == "black" if overprint is None else overprint
            check_overlay(bench, "cmyk.tif", CMYK, plain, linework, ink, effective, rows)
    check_overlay(bench, "cmyk.tif", CMYK, plain, "type.tif", "black", True, rows)
    for method in METHODS:
        check_overlay(bench, "grey.tif", ("black",), {"method": method, "more": "  protect: both\n"},
                      "type.tif", "black", True, rows)
        check_overlay(bench, "grey.tif", ("black",), {"method": method,
                                                     "more": "  tone: {gamma: 2, invert: true}\n"},
                      "{file: type.tif, ink: Black, overprint: false}", "black", True, rows)
    for options in (("--threads", "1"), ("--threads", "3")):
        check_overlay(bench, "cmyk.tif", CMYK, plain, "{file: type.tif, ink: magenta}", "magenta",
                      False, rows, options)
    for min_is_white in (True, False):
        for orientation in range(1, 9):
            save(bench.path("turned.tif"), bilevel(rows, min_is_white, orientation))
            check_overlay(bench, "grey.tif", ("black",), plain, "turned.tif", "black", True, rows)
    save(bench.path("unsaid.tif"), bilevel(rows), dpi=0)
    check_overlay(bench, "grey.tif", ("black",), plain, "unsaid.tif", "black", True, rows)
    large = type_rows(8, 4 * WIDTH, 4 * HEIGHT)
    save(bench.path("large.tif"), bilevel(large), dpi=2400)
    scaled = {"method": "bayer", "output": ", resolution: 2400"}
    check_overlay(bench, "cmyk.tif", CMYK, scaled, "large.tif", "black", True, large)


def check_fitting(bench):
    """Line work that is less than a page pixel off is cut and padded at the right and the bottom."""
    width, height = 4 * WIDTH, 4 * HEIGHT
    scaled = {"method": "bayer", "output": ", resolution: 2400"}
    for across, down, words in ((-3, 2, "padded with 3 px of paper at the right and cut by 2 px at "
                                        "the bottom: it has 241 x 190 px, and the plates 244 x 188 px"),
                                (1, 0, "is cut by 1 px at the right: "),
                                (0, -1, "is padded with 1 px of paper at the bottom: ")):
        rows = type_rows(11, width + across, height + down)
        save(bench.path("near.tif"), bilevel(rows), dpi=2400)
        fitted = [row[:width] + [0] * max(-across, 0) for row in rows[:height]]
        fitted += [[0] * width for _ in range(height - len(fitted))]
        check_overlay(bench, "cmyk.tif", CMYK, scaled, "near.tif", "black", True, fitted)
        check_overlay(bench, "cmyk.tif", CMYK, scaled, "{file: near.tif, ink: cyan}", "cyan", False,
                      fitted, ("--threads", "1"))
        said = bench.mezzotint("check", "job.yaml")
        bench.expect(words in said.stdout + said.stderr, f"{words}: {said.stdout}{said.stderr}")


def placed(rows, width, height, degrees):
    """The rows on a plate of another size, from the corner that is the page's top left once it is turned
    clockwise, and how many pixels of ink are cut."""
    right = width - len(rows[0]) if degrees in (90, 180) else 0
    down = height - len(rows) if degrees in (180, 270) else 0
    plate = [[0] * width for _ in range(height)]
    cut = 0
    for y, row in enumerate(rows):
        for x, pixel in enumerate(row):
            if 0 <= x + right < width and 0 <= y + down < height:
                plate[y + down][x + right] = pixel
            else:
                cut += pixel
    return plate, cut


def check_fitting_when_turned(bench):
    """Page and line work begin at the page's top left, wherever rotation takes it; lost ink is counted."""
    sides = {0: ("right", "bottom"), 90: ("left", "bottom"), 180: ("left", "top"), 270: ("right", "top")}
    for degrees, (side, end) in sides.items():
        width, height = (WIDTH, HEIGHT) if degrees in (0, 180) else (HEIGHT, WIDTH)
        width, height = 4 * width, 4 * height
        turned = {"method": "bayer", "output": ", resolution: 2400", "more": f"  rotate: {degrees}\n"}
        for across, down in ((-3, 2), (3, -2), (2, 3), (-1, -3)):
            rows = type_rows(degrees + 3, width + across, height + down)
            rows[0][0] = rows[0][-1] = rows[-1][0] = rows[-1][-1] = 1
            save(bench.path("near.tif"), bilevel(rows), dpi=2400)
            fitted, cut = placed(rows, width, height, degrees)
            check_overlay(bench, "grey.tif", ("black",), turned, "near.tif", "black", True, fitted)
            run = bench.mezzotint("run", "--fresh", "job.yaml")
            said = run.stdout + run.stderr
            bench.expect((f"is cut off has {cut} px of ink" in said) == (cut > 0), said)
            bench.expect(f"{abs(across)} px" in said and f"at the {side}" in said and
                         f"at the {end}" in said, said)


def check_finish(bench):
    """Mirror and negative come after the line work."""
    rows = type_rows(7)
    plain, _ = bench.plates("grey.tif", {"method": "bayer"}, ("black",))
    text = f"{plain['black']:0{HEIGHT * (WIDTH + -WIDTH % 8)}b}"
    stride = WIDTH + -WIDTH % 8
    page = [[int(bit) for bit in text[y * stride:y * stride + WIDTH]] for y in range(HEIGHT)]
    for output, change in ((", mirror: true", lambda row: row[::-1]),
                           (", negative: true", lambda row: [1 - bit for bit in row])):
        found, _ = bench.plates("grey.tif", {"method": "bayer", "output": output}, ("black",),
                                "type.tif")
        want = as_number(change([a | b for a, b in zip(one, other)])
                         for one, other in zip(page, rows))
        bench.expect(found.get("black") == want, "line work with" + output)


def check_bilevel_pages(bench):
    """Pages of one bit are passed on by every method, even those that are noise."""
    lot = random.Random(9)
    rows = [[int(lot.random() < 0.3) for _ in range(24)] for _ in range(16)]
    corner = [row[:8] for row in rows[:8]]  # searches take their time
    for min_is_white in (True, False):
        for method in (*METHODS, "les") if min_is_white else METHODS:
            page = corner if method == "les" else rows
            save(bench.path("bits.tif"), bilevel(page, min_is_white))
            more = "  tone: {gamma: 3}\n" if min_is_white else ""
            found, counts = bench.plates("bits.tif", {"method": method, "more": more}, ("black",))
            bench.expect(found.get("black") == as_number(page), f"one bit by {method}{more}")
            bench.expect("protected_paper_px" not in counts.get("black", {}), "not asked for")
    repeated = [[bit for bit in row for _ in range(4)] for row in rows for _ in range(4)]
    found, _ = bench.plates("bits.tif", {"method": "bayer", "output": ", resolution: 2400"},
                            ("black",))
    bench.expect(found.get("black") == as_number(repeated), "one bit, repeated")


def check_resume(bench):
    """Line work that changes makes its plates again; nothing else does."""
    save(bench.path("edited.tif"), bilevel(type_rows(7)))
    job = "mezzotint: 1\njob: r\npages:\n  - {input: grey.tif, linework: edited.tif}\n"
    bench.write("job.yaml", job)
    texts = []
    for change in (None, None, "file", "ink", "gone"):
        if change == "file":
            save(bench.path("edited.tif"), bilevel(type_rows(8)))
        if change == "ink":
            bench.write("job.yaml", job.replace("edited.tif", "{file: edited.tif, ink: all}"))
        if change == "gone":
            bench.write("job.yaml", job.replace(", linework: edited.tif", ""))
        run = bench.mezzotint("run", "job.yaml")
        texts.append(run.stdout + run.stderr)
        bench.expect(run.returncode == 0, texts[-1])
    bench.expect("edited.tif has changed, so" in texts[2], texts[2])
    bench.expect("linework_ink was black, is all, so" in texts[3], texts[3])
    made = ["so it is made again" in text for text in texts]
    bench.expect(made == [False, False, True, True, True], f"made again: {made} {texts}")
    with open(bench.path("plates/grey_black.tif"), "rb") as file:
        bench.expect(b"linework" not in file.read(), "provenance without line work")
    bench.write("job.yaml", job)
    bench.mezzotint("run", "job.yaml")
    with open(bench.path("plates/grey_black.tif"), "rb") as file:
        bench.expect(b'linework="edited.tif"; linework_ink="black"; linework_overprint=true; '
                     b"linework-xxh3=" in file.read(), "provenance of line work")


PAGE = "pages: [{input: grey.tif, linework: %s}]\n"
REFUSED = (
    # the job's pages, and the words of the refusal
    (PAGE % "absent.tif", "input 'absent.tif' does not exist"),
    (PAGE % "typo.tif", "did you mean 'type.tif'?"),
    (PAGE % ".", "is a folder, and must be a regular file"),
    (PAGE % "'*.tif'", "input '*.tif' does not exist"),
    (PAGE % "broken.tif", "broken.tif"),
    (PAGE % "empty.tif", "empty.tif"),
    (PAGE % "job.yaml", "job.yaml"),
    (PAGE % "grey.tif", "is no line work: it must have one bit a pixel and one plane, and is 8-bit"),
    (PAGE % "cmyk.tif", "is no line work"),
    (PAGE % "bits4.tif", "is no line work"),
    (PAGE % "two.tif", "has 2 pages, and line work must have one"),
    (PAGE % "wide.tif", "is line work of 62 x 47 px (2.62 x 1.99 mm), and the page's plates have "
                        "61 x 47 px (2.58 x 1.99 mm)"),
    (PAGE % "high.tif", "is line work of 61 x 48 px"),
    (PAGE % "turned.tif", "is line work of 47 x 61 px"),
    ("pages: [{input: grey.tif, linework: far.tif, output: {resolution: 2400}}]\n",
     "is line work of 248 x 188 px"),
    ("pages: [{input: grey.tif, linework: type.tif, rotate: 90}]\n",
     "is line work of 61 x 47 px (2.58 x 1.99 mm), and the page's plates have 47 x 61 px"),
    ("pages: [{input: grey.tif, linework: type.tif, trim: {left: 1 mm}}]\n",
     "and the page's plates have 37 x 47 px"),
    ("pages: [{input: grey.tif, linework: type.tif, copies: {down: 2}}]\n",
     "and the page's plates have 61 x 94 px (2.58 x 3.98 mm), a sheet of 1 x 2 copies that line "
     "work must cover as a whole; export it with 61 x 94 px at 600 dpi"),
    ("pages: [{input: grey.tif, linework: fine.tif, output: {resolution: 1200}}]\n",
     "have 122 x 94 px (2.58 x 1.99 mm); export it with 122 x 94 px at 1200 dpi; the page's 61 x 47 "
     "px at 600 dpi are 2.58 x 1.99 mm"),
    (PAGE % "fine.tif", "is line work of 1200 x 1200 dpi, and the page's plates have 600 x 600 dpi"),
    (PAGE % "{file: type.tif, ink: cyan}",
     "is for the ink 'cyan', and the page has black; name one of these, or 'all'"),
    ("pages: [{input: grey.tif, ink: cyan, linework: type.tif}]\n",
     "is for the ink 'black', and the page has cyan"),
    ("pages: [{input: cmyk.tif, linework: {file: type.tif, ink: gold}}]\n",
     "is for the ink 'gold', and the page has cyan, magenta, yellow, black"),
    ("pages: [{input: cmyk.tif, linework: {file: type.tif, ink: C}, inks: {cyan: drop}}]\n",
     "is for the ink 'C', which the page has, but by 'inks' it is dropped; name one of the plates, "
     "magenta, yellow, black, or 'all'"),
    ("pages: [{input: cmyk.tif, linework: type.tif, inks: {black: {to: {cyan: 60%, magenta: 40%}}}}]\n",
     "but by 'inks' it is printed with cyan 60 %, magenta 40 %; name one"),
    ("pages: [{input: cmyk.tif, linework: type.tif, inks: {black: {plate: Ink 4}}}]\n",
     "but by 'inks' it is the plate 'Ink 4'; name one"),
    ("pages: [{input: several.tif, linework: type.tif}]\n",
     "belongs to one page, and 2 pages are asked for"),
    ("pages: [{input: several.tif, linework: type.tif, output: {path: 'p/{page}.tif'}}]\n",
     "belongs to one page, and 2 pages are asked for"),
    ("pages: [{input: '[gc]*.tif', linework: type.tif}]\n", "'linework' belongs to one page"),
    ("pages: [{input: grey.tif, linework: type.tif, output: {path: 'type.tif'}}]\n",
     "could replace the input 'type.tif'"),
    ("pages: [{input: grey.tif, linework: black.tif, output: {path: '{ink}.tif'}}]\n",
     "could replace the input 'black.tif'"),
    ("pages: [{input: grey.tif, linework: linked.tif, output: {path: 'type.tif'}}]\n",
     "could replace the input 'linked.tif'"),
    ("pages: [{input: grey.tif, linework: type.tif, output: {resolution: 1200}}]\n",
     "is line work of 600 x 600 dpi, and the page's plates have 1200 x 1200 dpi"),
    ("defaults: {linework: type.tif}\npages: [grey.tif]\n", "unknown key 'linework'"),
    ("linework: type.tif\npages: [grey.tif]\n", "unknown key 'linework'"),
    (PAGE % "", "'linework' must be a file, a map of keys and values, or a list of these, found nothing"),
    (PAGE % "[]", "'linework' must have 1 to 64 entries, found 0"),
    (PAGE % "[type.tif, [type.tif]]", "'linework' must be a file, or a map of keys and values, found a list"),
    (PAGE % "[type.tif, typo.tif]", "did you mean 'type.tif'?"),
    (PAGE % "[type.tif, {file: type.tif, ink: cyan}]", "is for the ink 'cyan', and the page has black"),
    (PAGE % "[type.tif, wide.tif]", "wide.tif is line work of 62 x 47 px"),
    (PAGE % "[type.tif, fine.tif]", "fine.tif is line work of 1200 x 1200 dpi"),
    (PAGE % "[type.tif, two.tif]", "two.tif has 2 pages"),
    (PAGE % "[%s]" % ", ".join(["type.tif"] * 65), "'linework' must have 1 to 64 entries, found 65"),
    ("pages: [{input: '[gc]*.tif', linework: [type.tif, black.tif]}]\n", "'linework' belongs to one page"),
    ("pages: [{input: several.tif, linework: [type.tif, black.tif]}]\n",
     "belongs to one page, and 2 pages are asked for"),
    (PAGE % "'none_{ink}.tif'", "none_black.tif is missing; {ink} needs a file for every ink of the plates; for some "
                                "of the inks, list their files, each with its 'ink'"),
    ("pages: [{input: cmyk.tif, linework: 'some_{ink}.tif'}]\n", "some_cyan.tif, some_yellow.tif are missing; {ink}"),
    ("pages: [{input: cmyk.tif, linework: 'wide_{ink}.tif'}]\n", "wide_yellow.tif is line work of 62 x 47 px"),
    ("pages: [{input: grey.tif, linework: '{ink}.tif', output: {path: 'black.tif'}}]\n",
     "black.tif would replace"),
    (PAGE % "{file: 'some_{ink}.tif', ink: black}", "'ink' has no effect: {ink} in 'file' gives every ink"),
    (PAGE % "true", "'linework' must be a text, found the boolean 'true'"),
    (PAGE % "''", "'linework' must not be empty"),
    (PAGE % "{ink: black}", "'linework' has no 'file'"),
    (PAGE % "{file: type.tif, colour: black}", "unknown key 'colour' in 'linework'"),
    (PAGE % "{file: type.tif, overprint: maybe}", "'overprint' must be true or false"),
    (PAGE % "{file: type.tif, ink: all, overprint: true}", "and 'ink' is all"),
    (PAGE % "{file: type.tif, ink: [black]}", "'ink' must be the name of an ink"),
    (PAGE % "{file: [type.tif]}", "'file' must be a file, found a list"),
)


def check_refusals(bench):
    rows = type_rows(7)
    save(bench.path("two.tif"), bilevel(rows), bilevel(rows))
    save(bench.path("several.tif"), *[(WIDTH, HEIGHT, 8, 1, 1, 1, noise(3))] * 2)
    save(bench.path("wide.tif"), bilevel(type_rows(1, WIDTH + 1)))
    save(bench.path("high.tif"), bilevel(type_rows(1, WIDTH, HEIGHT + 1)))
    save(bench.path("turned.tif"), bilevel(type_rows(1, HEIGHT, WIDTH)))
    save(bench.path("far.tif"), bilevel(type_rows(1, 4 * WIDTH + 4, 4 * HEIGHT)), dpi=2400)
    save(bench.path("fine.tif"), bilevel(rows), dpi=1200)
    save(bench.path("black.tif"), bilevel(rows))
    for ink in ("black", "magenta"):
        save(bench.path(f"some_{ink}.tif"), bilevel(rows))
    for ink in CMYK:
        save(bench.path(f"wide_{ink}.tif"), bilevel(type_rows(1, WIDTH + (ink == "yellow"))))
    save(bench.path("bits4.tif"), (WIDTH, HEIGHT, 4, 1, 1, 1, bytes((WIDTH + 1) // 2 * HEIGHT)))
    os.symlink("type.tif", bench.path("linked.tif"))
    with open(bench.path("type.tif"), "rb") as file:
        whole = file.read()
    with open(bench.path("broken.tif"), "wb") as file:
        file.write(whole[:len(whole) // 2])
    bench.write("empty.tif", "")
    for pages, words in REFUSED:
        bench.write("job.yaml", "mezzotint: 1\njob: x\n" + pages)
        for command in ("check", "run"):
            refused = bench.mezzotint(command, "job.yaml")
            text = refused.stdout + refused.stderr
            bench.expect(refused.returncode not in (0, 70) and words in text,
                         f"{command}: {pages}{refused.returncode}: {text}")
    with open(bench.path("type.tif"), "rb") as file:
        bench.expect(file.read() == whole, "type.tif was written to")


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(os.path.abspath(sys.argv[1]), folder)
        check_plates(bench)
        check_fitting(bench)
        check_fitting_when_turned(bench)
        check_finish(bench)
        check_bilevel_pages(bench)
        check_resume(bench)
        check_refusals(bench)
        print(f"{bench.good} right, {bench.bad} wrong")
        return bench.bad != 0 or bench.good == 0


if __name__ == "__main__":
    sys.exit(main())
