#!/usr/bin/env python3
"""Checks the largest jobs that the limits permit: `mezzotint check` takes at most 256 MiB, and a
job beyond the limits is refused by name in as little.

Of jobs that only the memory of their plan limits, the largest that is permitted is looked for.

  large_check.py PROGRAM             small ones
  large_check.py PROGRAM --whole     the largest, with the time that each takes
"""

import os
import time

import odd_icc
import odd_tiff
import tight_memory
from odd_tiff import DEFLATE, NONE, Page
from ordeal import Ordeal

SABOTAGES = {"greedy": "a check is said to have taken 300 MiB more",
             "speechless": "a refusal loses its message"}
MOST_MIB = 256
MOST_PLATES = 100_000  # of a job
MOST_PAGES = 4_096  # of a file
MOST_ENTRIES = 5_000


class Checks:
    def __init__(self, ordeal):
        self.ordeal = ordeal

    def check(self, name, text):
        """Whether the job is permitted."""
        ordeal = self.ordeal
        manifest = ordeal.scratch / "job.yaml"
        manifest.write_text(text, encoding="utf-8")
        begin = time.monotonic()
        outcome = tight_memory.run(ordeal, [ordeal.program, "-q", "check", manifest])
        seconds = time.monotonic() - begin
        if ordeal.sabotage("greedy"):
            outcome.peak += 300
        if outcome.status != 0 and ordeal.sabotage("speechless"):
            outcome.messages = ""
        ordeal.count("checks")
        ordeal.most("peak_mib", round(outcome.peak, 1))
        if ordeal.options.list:
            print(f"  {name}: status {outcome.status}, {outcome.peak:.0f} MiB, {seconds:.1f} s "
                  f"{' '.join(outcome.messages.split())[:200]}", flush=True)
        ordeal.check(outcome.peak <= MOST_MIB,
                     f"{name}: the check took {outcome.peak:.0f} MiB\n{outcome.messages}")
        named = tight_memory.NEEDED.search(outcome.messages) or tight_memory.NAMED.search(
            outcome.messages)
        ordeal.check(outcome.status == 0 or named,
                     f"{name}: status {outcome.status}\n{outcome.messages}")
        return outcome.status == 0

    def largest(self, name, text_of, most):
        """Looks for the largest number up to `most` whose job, text_of(number), is permitted."""
        if self.check(f"{name}, {most}", text_of(most)):
            return
        least = 0
        while most - least > max(most // 16, 1):
            middle = (least + most) // 2
            if self.check(f"{name}, {middle}", text_of(middle)):
                least = middle
            else:
                most = middle
        self.ordeal.check(least > 0, f"{name}: none is permitted")


def manifest(pages, defaults="", head=""):
    return f"mezzotint: 1\njob: large\n{head}{defaults}pages:\n{pages}"


def entries(count, name="page.tif", out="out/{entry}_{{page}}_{{ink}}.tif", more=""):
    return "".join(f'- {{input: {name}, output: {{path: "{out.format(entry=one)}"}}{more}}}\n'
                   for one in range(count))


def many_plates(checks, plates):
    folder = checks.ordeal.scratch
    for samples in (1, 16):
        pages = min(plates // samples, MOST_PAGES)
        odd_tiff.write(folder / "page.tif", Page(8, 8, samples=samples, compression=DEFLATE), pages)
        count = plates // samples // pages
        checks.check(f"{count * pages * samples} plates of {samples} inks",
                     manifest(entries(count)))
        checks.check(f"{2 * count * pages * samples} plates of {samples} inks",
                     manifest(entries(2 * count)))
    (folder / "many").mkdir()
    odd_tiff.write(folder / "many/page0.tif", Page(8, 8))
    count = min(plates // 20, MOST_ENTRIES)
    for one in range(1, count):
        os.link(folder / "many/page0.tif", folder / f"many/page{one}.tif")
    lights = ", ".join(f"light{one}: {{from: black}}" for one in range(19))
    checks.check(f"{20 * count} plates of {count} files",
                 manifest("- many/*.tif\n", f"defaults: {{inks: {{{lights}}}}}\n"))


def large_settings(checks, pages):
    folder = checks.ordeal.scratch
    odd_tiff.write(folder / "page.tif", Page(8, 8), MOST_PAGES)
    points = ", ".join(f"[{one * 100 / 255:.3f}%, {one * 100 / 255:.3f}%]" for one in range(256))
    curve = f"tone: {{curve: [{points}]}}"
    several = "".join(f"    light{one}: {{from: black, {curve}}}\n" for one in range(20))

    def of_pages(last):
        return manifest(f'- {{input: page.tif, pages: 1-{last}, output: '
                        '{path: "out/{page}_{ink}.tif"}}\n', f"defaults:\n  inks:\n{several}")
    checks.largest("pages with 20 curves of 256 points", of_pages, pages)
    long_path = "/".join(["d" * 200] * 18)

    def of_paths(last):
        return manifest(f"- {{input: page.tif, pages: 1-{last}, output: "
                        f'{{path: "{long_path}/{{page}}_{{ink}}.tif"}}}}\n')
    checks.largest("pages with paths of 3,600 bytes", of_paths, pages)


def large_files(checks, whole):
    folder = checks.ordeal.scratch
    side = 100_000 if whole else 20_000
    strip = 1 << 13  # in bytes, so that the file stays small
    odd_tiff.write(folder / "page.tif", Page(side, side, samples=16, rows=1 if whole else 8,
                                             compression=DEFLATE,
                                             coder=lambda _: [(bytes(strip), 1)]))
    checks.check("a page of 10 Gpx in 16 inks", manifest("- page.tif\n"))
    tiles = 16_000 if whole else 4_000
    odd_tiff.write(folder / "page.tif", Page(tiles, tiles * 15 // 16, tile=(16, 16),
                                             compression=DEFLATE))
    checks.check("a page of a million tiles", manifest("- page.tif\n"))
    odd_icc.write(folder / "press.icc",
                  odd_icc.profile(b"FCLR", from_lab=70 if whole else 30))
    odd_icc.write(folder / "page.icc", odd_icc.profile(b"CMYK", to_lab=45 if whole else 20,
                                                    from_lab=33))
    odd_tiff.write(folder / "page.tif", Page(8, 8, samples=4))
    checks.check("the largest profiles", manifest(
        "- page.tif\n", "defaults: {profile: press.icc, colour: {assume: {cmyk: page.icc}, "
                        "black: profile}}\n"))
    files = 600 if whole else 300
    odd_tiff.write(folder / "page.tif", Page(8, 8))
    odd_tiff.write(folder / "tile0.tif", Page(512, 512, bits=16, value=1, compression=NONE))
    for one in range(1, files):
        os.link(folder / "tile0.tif", folder / f"tile{one}.tif")
    checks.check(f"{files} tiles of 512 x 512", manifest("".join(
        f'- {{input: page.tif, output: {{path: "{one}.tif"}}, '
        f"halftone: {{method: tile, file: tile{one}.tif}}}}\n" for one in range(files))))


def large_library(checks, files):
    """Curves of a press, each with 256 points and as many measures."""
    folder = checks.ordeal.scratch
    points = ", ".join(f"[{one * 100 / 255:.3f}%, {one * 100 / 255:.3f}%]" for one in range(256))
    (folder / "curves").mkdir()
    for one in range(files):
        (folder / f"curves/{one}.yaml").write_text(
            f"mezzotint-curve: 1\nkind: press\npress: large\nink: ink {one}\nscreen: threshold\n"
            f"dpi: 1200\npaper: GC1\npoints: [{points}]\nmeasures: [{points}]\n", encoding="utf-8")
    (folder / "press.yaml").write_text(
        "mezzotint-press: 1\nname: large\ncurves: {library: curves, paper: GC1}\n",
        encoding="utf-8")
    odd_tiff.write(folder / "page.tif", Page(8, 8, dpi=(1200, 1200)))
    checks.check(f"a library of {files} curves", manifest(
        "- page.tif\n", head="press: press.yaml\n"))


def hold(ordeal):
    checks = Checks(ordeal)
    whole = ordeal.options.whole
    many_plates(checks, MOST_PLATES if whole else 2_000)
    large_settings(checks, MOST_PAGES if whole else 50)
    large_files(checks, whole)
    large_library(checks, 10_000 if whole else 20)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--whole", {"action": "store_true", "help": "the largest jobs; some minutes"}),
        ("--list", {"action": "store_true", "help": "print each check"})])
    ordeal.hold(hold)
