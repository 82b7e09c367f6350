#!/usr/bin/python3
"""A box for tea, as a designer sends it, with press file and manifest; and the check of what was made of it.

usage: box_job.py make FOLDER [--size WxH] [--plain] [--no-limit] [--photoshop ink|paper] [--profile FILE] [--link FILE]
                  [--curves FOLDER] [--inside]
       box_job.py check FOLDER [--within PERCENT]
       box_job.py try MEZZOTINT [options of make]

make    writes pages (300 dpi), type as line work (2400 dpi), presses/xl106-board.yaml, tea.yaml for
        `mezzotint run`, and hot/ with folder.yaml and hot/tea.yaml, a ticket, for `mezzotint watch --once hot`
        --size       in mm, default 80x60; 700x1000 is a sheet
        --plain      without limit of ink, proofs, PPF; --no-limit: without the first alone
        --photoshop  spot channels as Photoshop has them, in place of InkNames
        --profile    output profile of the press; --link: device link of back.tif; --curves: a library
        --inside     a page in RGB as well, which needs --profile
check   plates of `run` below plates/: each there, none more; size and resolution; line work whole; paper
        and solids of the contone exact; ink against the contone's after the limit, where no profile and
        no curves are used; PPF and its zones against the contone
try     all of it in a scratch folder: make, run, check, and the same through the hot folder, whose plates
        must have the same bits
"""
import argparse
import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import box_pages
import ink_limit
import ppf_reader
from oracle_base import SOLID, Image, bits_of, numpy

DPI, PLATE_DPI, LIMIT = 300, 2400, 300
LABELS = {"Black": "K", "Cyan": "C", "Magenta": "M", "Yellow": "Y", "PANTONE 185 C": "P185"}
LAB = {"black": [16, 0, 0], "cyan": [55, -37, -50], "magenta": [48, 74, -3], "yellow": [89, -5, 93]}


def press_file(words):
    lines = ["mezzotint-press: 1", "name: XL 106, board", f"resolution: {PLATE_DPI}", "scale: cubic", "protect: both",
             "halftone: {method: am, ruling: 175, dot: euclidean, minimum_dot: 9}"]
    if words.profile:
        lines.append(f"profile: {json.dumps(os.path.abspath(words.profile))}")
    if not words.plain:
        lines += [f"ink_limit: {LIMIT}%"] * (not words.no_limit)
        lines += ["paper_lab: [95, 0, -2]",
                  'proof: {dpi: 100, path: "proofs/{stem}.png"}',
                  'ppf: {path: "ppf/{stem}.ppf", zones: 4, zone_width: 15 mm}']
    if words.curves:
        lines.append(f"curves: {{library: {json.dumps(os.path.abspath(words.curves))}, paper: GC1}}")
    lines.append("inks:")
    for name in ("black", "cyan", "magenta", "yellow"):
        colour = "" if words.plain else f", lab: {LAB[name]}"
        lines.append(f"  {name}: {{label: {json.dumps(LABELS[name.capitalize()])}{colour}}}")
    lines.append("  PANTONE 185 C: {label: P185" + ("}" if words.plain else ", lab: [48, 72, 40]}"))
    lines.append('output: {path: "plates/{stem}_{label}.tif", compression: g4, mirror: true}')
    return "\n".join(lines) + "\n"


def pages_yaml(words):
    """The entries of `pages`, and the defaults above them."""
    defaults = ["  inks: {varnish: drop, die line: drop}"]
    if words.photoshop:
        defaults += ["  extra_channels: inks", f"  spot_polarity: {words.photoshop}"]
    if words.inside:
        defaults.append("  colour: {assume: {rgb: sRGB}, black: k-only}")
    pages = ["  - input: front.tif", "    linework: front_type.tif", "  - input: back.tif",
             "    halftone: {method: fm, dot: 2}"]
    if words.link:
        pages.append(f"    colour: {{link: {json.dumps(os.path.abspath(words.link))}}}")
    if words.inside:
        pages.append("  - input: inside.tif")
    return "\n".join(["defaults:", *defaults, "pages:", *pages]) + "\n"


def make(words):
    folder = pathlib.Path(words.folder)
    width, height = (round(float(mm) / 25.4 * DPI) for mm in words.size.split("x"))
    for name in ("presses", "hot"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    names = [*box_pages.PROCESS, *box_pages.SPOTS]
    size, scale = (width, height), PLATE_DPI // DPI
    box_pages.write_page(folder / "front.tif", box_pages.front, size, names, DPI, words.photoshop)
    box_pages.write_page(folder / "back.tif", box_pages.back, size, names[:4], DPI)
    box_pages.write_line_work(folder / "front_type.tif", box_pages.type_page, (width * scale, height * scale),
                              PLATE_DPI)
    if words.inside:
        inside = numpy.moveaxis(box_pages.inside(width, height), 0, 2)
        Image.fromarray(inside).save(folder / "inside.tif", dpi=(DPI, DPI))
    (folder / "presses/xl106-board.yaml").write_text(press_file(words))
    (folder / "tea.yaml").write_text("mezzotint: 1\njob: Tea box 250g\npress: presses/xl106-board.yaml\n" +
                                     pages_yaml(words))
    hot = folder / "hot"
    (hot / "folder.yaml").write_text("mezzotint: 1\npress: ../presses/xl106-board.yaml\nreserve: 10 MiB\n"
                                     "stability: {looks: 2, every: 100 ms, age: 0 s}\n")
    (hot / "tea.yaml").write_text("mezzotint: 1\njob: Tea box 250g\n" + pages_yaml(words))
    for page in folder.glob("*.tif"):
        shutil.copy(page, hot)
    kept = {key: getattr(words, key) for key in ("plain", "no_limit", "photoshop", "profile", "link", "curves",
                                                 "inside", "size")}
    (folder / "made.json").write_text(json.dumps(kept))
    print(f"{folder}: {width} x {height} px, plates of {width * scale} x {height * scale} px")


# Check ------------------------------------------------------------------------------------------

class Checker:
    def __init__(self, folder, within):
        self.folder, self.within, self.wrong = pathlib.Path(folder), within, 0
        self.made = json.loads((self.folder / "made.json").read_text())
        width, height = (round(float(mm) / 25.4 * DPI) for mm in self.made["size"].split("x"))
        scale = PLATE_DPI // DPI
        self.pages = {"front": box_pages.front(width, height, 0, height)[:5],
                      "back": box_pages.back(width, height, 0, height)}
        self.size = width * scale, height * scale
        self.type = box_pages.type_page(*self.size, 0, self.size[1])
        # Whether tones of a page are those of its contone, so that its ink can be foretold.
        self.tones_kept = not (self.made["profile"] or self.made["curves"])

    def expect(self, good, what):
        if not good:
            self.wrong += 1
            print("wrong:", what)

    def nominal(self, stem):
        """Ink15 of a page after the limit."""
        planes = self.pages[stem].astype(numpy.int64) * (SOLID // 255)
        if self.made["plain"] or self.made["no_limit"]:
            return planes
        flat = ink_limit.limit(planes.reshape(len(planes), -1), ink_limit.limit_of(LIMIT))
        return flat.reshape(planes.shape)

    def plate(self, stem, label):
        """Its bits, the mirror undone."""
        image = Image.open(self.folder / f"plates/{stem}_{label}.tif")
        self.expect(image.size == self.size, f"{stem}_{label}: {image.size}, not {self.size}")
        self.expect(abs(image.info["dpi"][0] - PLATE_DPI) < 0.5, f"{stem}_{label}: {image.info['dpi']}")
        return bits_of(image)[:, ::-1]

    def check_plates(self):
        names = {"front": list(LABELS), "back": list(LABELS)[:4]}
        if self.made["inside"]:
            names["inside"] = list(LABELS)[:4]
        wanted = {f"{stem}_{LABELS[ink]}.tif" for stem, inks in names.items() for ink in inks}
        found = {path.name for path in (self.folder / "plates").glob("*")}
        self.expect(found == wanted, f"plates {sorted(found ^ wanted)}")
        order = [*box_pages.PROCESS, box_pages.SPOTS[0]]
        for stem in self.pages:
            nominal = self.nominal(stem)
            for ink in names[stem]:
                if f"{stem}_{LABELS[ink]}.tif" in found:
                    self.check_ink(stem, ink, self.plate(stem, LABELS[ink]), nominal[order.index(ink)])

    def check_ink(self, stem, ink, bits, nominal):
        work = self.type if stem == "front" else numpy.zeros_like(bits)
        if stem == "front" and ink == "Black":
            self.expect(bits[work].all(), f"{stem} {ink}: line work has holes")
        converted = self.made["profile"] or (stem == "back" and self.made["link"])
        scale = PLATE_DPI // DPI
        # Far from other tones, which the filter of the scaling mixes in.
        paper, solid = (inner(nominal == value) for value in (0, SOLID))
        own = work if ink == "Black" else numpy.zeros_like(work)
        if not converted:
            self.expect(not (counts(bits & ~own, scale)[paper]).any(), f"{stem} {ink}: dots on paper")
            self.expect((counts(bits, scale)[solid] == scale ** 2).all(), f"{stem} {ink}: holes in solids")
        if self.tones_kept and not converted:
            share = counts(own, scale) / scale ** 2
            wanted = (nominal * (1 - share) + SOLID * share).mean() * 100 / SOLID
            gap = abs(100 * bits.mean() - wanted)
            print(f"{stem} {ink}: {100 * bits.mean():.3f} % ink, contone {wanted:.3f} %")
            self.expect(gap < 0.3, f"{stem} {ink}: differs from its contone by {gap:.3f} %")

    def check_ppf(self):
        for stem in self.pages:
            path = self.folder / f"ppf/{stem}.ppf"
            if not path.exists():
                self.expect(False, f"{path} is not there")
                continue
            try:
                read = ppf_reader.Reader(path.read_bytes()).read()
            except ppf_reader.Wrong as wrong:
                self.expect(False, f"{path}: {wrong}")
                continue
            order = [*box_pages.PROCESS, box_pages.SPOTS[0]]
            nominal = self.nominal(stem)
            self.sheet = ppf_reader.sheet_of(read["keys"])
            self.check_csv(stem, read)
            for separation in next(iter(read["sides"].values())):
                ink = next((name for name in order if name.lower() == separation["name"].lower()), None)
                self.expect(ink is not None, f"{stem}: PPF has {separation['name']}")
                if ink and self.tones_kept and not (stem == "back" and self.made["link"]):
                    self.check_zones(stem, ink, separation, nominal[order.index(ink)])

    def check_csv(self, stem, read):
        """The zones beside the file are those of its images."""
        with open(self.folder / f"ppf/{stem}.zones.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
            rows = [{key.lower(): value for key, value in row.items()} for row in rows]
        for separation in next(iter(read["sides"].values())):
            theirs = [float(row.get(separation["name"].lower(), "nan")) for row in rows]
            per_mm = separation["CIP3PreviewImageResolution"][0] / ppf_reader.MM
            own = ppf_reader.zones(ppf_reader.ink_of(separation["image"]), per_mm, 4, 15.0, None, self.sheet)
            gap = max((abs(a - b) for a, b in zip(own, theirs)), default=0)
            self.expect(len(theirs) == 4 and gap <= self.within,
                        f"{stem} {separation['name']}: CSV differs by {gap:.3f} %")

    def check_zones(self, stem, ink, separation, nominal):
        per_mm = separation["CIP3PreviewImageResolution"][0] / ppf_reader.MM
        theirs = ppf_reader.zones(ppf_reader.ink_of(separation["image"]), per_mm, 4, 15.0, None, self.sheet)
        tones = {"contone": nominal}
        if stem == "front" and ink == "Black":
            scale = PLATE_DPI // DPI
            height, width = nominal.shape
            share = self.type.reshape(height, scale, width, scale).mean(axis=(1, 3))
            tones["with line work"] = nominal * (1 - share) + SOLID * share
        gaps = {what: max(abs(a - b) for a, b in zip(theirs, ppf_reader.zones(
            tone * (100 / SOLID), DPI / ppf_reader.MM, 4, 15.0))) for what, tone in tones.items()}
        print(f"{stem} {ink}: zones {[round(z, 2) for z in theirs]}, differ from "
              + ", ".join(f"the {what} by {gap:.3f} %" for what, gap in gaps.items()))
        self.expect(min(gaps.values()) <= self.within, f"{stem} {ink}: zones differ by {min(gaps.values()):.3f} %")

    def check_proofs(self):
        for stem in self.pages:
            path = self.folder / f"proofs/{stem}.png"
            self.expect(path.exists(), f"{path} is not there")
            if path.exists():
                size = Image.open(path).size
                wanted = tuple(round(side / PLATE_DPI * 100) for side in self.size)
                self.expect(all(abs(a - b) <= 1 for a, b in zip(size, wanted)), f"{path}: {size}, not {wanted}")


def counts(bits, scale):
    """The ink in each square of scale x scale plate pixels, which is a pixel of the page."""
    height, width = bits.shape
    rows = bits.view(numpy.uint8).reshape(height // scale, scale, width).sum(axis=1, dtype=numpy.uint8)
    return rows.reshape(len(rows), width // scale, scale).sum(axis=2, dtype=numpy.uint16)


def inner(mask):
    """Without what lies within two pixels of its edge; the edge of the page is none."""
    padded = numpy.pad(mask, 2, mode="edge")
    rows = numpy.lib.stride_tricks.sliding_window_view(padded, 5, axis=0).all(axis=-1)
    return numpy.lib.stride_tricks.sliding_window_view(rows, 5, axis=1).all(axis=-1)


def check(words):
    checker = Checker(words.folder, words.within)
    checker.check_plates()
    if not checker.made["plain"]:
        checker.check_ppf()
        checker.check_proofs()
    print(f"{checker.wrong} wrong")
    return 1 if checker.wrong else 0


def plates_of(folder):
    return {path.name: Image.open(path).tobytes() for path in pathlib.Path(folder).glob("*.tif")}


def try_all(words):
    program = os.path.abspath(words.folder)
    with tempfile.TemporaryDirectory() as scratch:
        words.folder = scratch
        env = {**os.environ, "XDG_STATE_HOME": f"{scratch}/state", "XDG_CACHE_HOME": f"{scratch}/cache",
               "XDG_RUNTIME_DIR": scratch}
        make(words)
        for command in (("run", "-q", "tea.yaml"), ("watch", "-q", "--once", "hot")):
            begin = time.monotonic()
            done = subprocess.run([program, *command], cwd=scratch, env=env, text=True, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            seconds = time.monotonic() - begin
            print(f"{' '.join(command)}: status {done.returncode}, {seconds:.1f} s\n{done.stdout}", end="")
            if done.returncode:
                return 1
        same = plates_of(f"{scratch}/plates") == plates_of(f"{scratch}/hot/plates")
        print(f"the hot folder's plates are {'the same' if same else 'others'}")
        return check(words) or not same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("make", "check", "try"))
    parser.add_argument("folder")
    parser.add_argument("--size", default="80x60")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--no-limit", action="store_true")
    parser.add_argument("--photoshop", choices=("ink", "paper"))
    parser.add_argument("--profile")
    parser.add_argument("--link")
    parser.add_argument("--curves")
    parser.add_argument("--inside", action="store_true")
    parser.add_argument("--within", type=float, default=0.2)
    words = parser.parse_args()
    return {"make": make, "check": check, "try": try_all}[words.action](words)


if __name__ == "__main__":
    sys.exit(main())
