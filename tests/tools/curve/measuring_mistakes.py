#!/usr/bin/env python3
"""What linearise says to the mistakes of measuring.

usage: measuring_mistakes.py MEZZOTINT

A wedge of 33 steps and four repeats, printed with a gain of 17 % at 50 %, is measured in densities, and each
mistake changes the measurement. Each must be refused with its words at its line, and no file be written;
--force with a reason writes it. A curve is refined by a wedge that was printed with it, and by no other.
"""
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile

STEPS = (0, 1, 2, 3, 4, 5, 7, 10, 13, 16, 20, 25, 30, 35, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 91,
         94, 96, 98, 99, 100)
REPEATS, PAPER, SOLID = 4, 0.07, 1.45
HEADER = {"PRESS": "XL 106", "INKS": "cyan", "SCREEN_1": "am ruling=175", "DPI": "2400", "PAPER": "GC1",
          "CURVES": "none"}
CURVE = "xl-106_cyan_press.yaml"


def density(area):
    """By Murray and Davies; areas are fractions."""
    return PAPER - math.log10(1 - area * (1 - 10 ** -SOLID))


def gained(step):
    a = step / 100
    return min(1, a + 4 * 0.17 * a * (1 - a))


def readings(area=gained, steps=STEPS):
    """[(SAMPLE_ID, step, area)], with a little noise."""
    lot = random.Random(3)
    found = []
    for step in steps:
        for repeat in range(REPEATS):
            found.append([f"{STEPS.index(step) * REPEATS + repeat + 1}", step,
                          area(step) + (lot.gauss(0, 0.002) if 0 < step < 100 else 0)])
    return found


def text_of(rows, fields=("D_RED", "D_GREEN", "D_BLUE", "D_VIS"), header=None):
    """A line a reading; values are densities through the four filters."""
    lines = ["CGATS.17", *(f'{key}\t"{value}"' for key, value in {**HEADER, **(header or {})}.items()),
             f"NUMBER_OF_FIELDS\t{1 + len(fields)}", "BEGIN_DATA_FORMAT", "\t".join(("SAMPLE_ID", *fields)),
             "END_DATA_FORMAT", f"NUMBER_OF_SETS\t{len(rows)}", "BEGIN_DATA"]
    for name, _, area in rows:
        own = density(area)
        lines.append("\t".join([name, *(f"{value:.4f}" for value in (own, PAPER + (own - PAPER) * 0.4,
                                                                    PAPER + (own - PAPER) * 0.12, own * 0.5))]))
    return "\n".join([*lines, "END_DATA", ""])


def wedge_text(curves):
    lines = ["CGATS.17", *(f'{key}\t"{value}"' for key, value in {**HEADER, "CURVES": curves}.items()),
             "BEGIN_DATA_FORMAT", "SAMPLE_ID\tINK\tNOMINAL", "END_DATA_FORMAT", "BEGIN_DATA",
             *(f"{name}\tcyan\t{step}" for name, step, _ in readings()), "END_DATA", ""]
    return "\n".join(lines)


def through(*points):
    """A function of the nominal tone, through points in percent."""
    def area(step):
        for (x0, y0), (x1, y1) in zip(points, points[1:]):
            if x0 <= step <= x1:
                return (y0 + (y1 - y0) * (step - x0) / (x1 - x0)) / 100
        raise ValueError(step)
    return area


def changed(change):
    rows = readings()
    change(rows)
    return rows


def darker(step, more, count=REPEATS):
    def change(rows):
        for row in [row for row in rows if row[1] == step][:count]:
            row[2] += more
    return changed(change)


def exchanged(one, other):
    def change(rows):
        for row in rows:
            if row[1] in (one, other):
                row[2] = gained(other if row[1] == one else one)
    return changed(change)


def named(index, name):
    def change(rows):
        rows[index][0] = name
    return changed(change)


def with_line(index, old, new):
    """The measurement with a change in the line of a reading."""
    lines = text_of(readings()).split("\n")
    first = lines.index("BEGIN_DATA") + 1
    lines[first + index] = re.sub(old, new, lines[first + index], count=1)
    return "\n".join(lines)


def mistakes():
    """(name, measurement, what is said: a place and words, or words)"""
    whole = text_of(readings())
    yield "no paper", text_of(readings(steps=STEPS[1:])), "cyan: no patch of 0 % (paper) was measured"
    yield "no solid", text_of(readings(steps=STEPS[:-1])), "cyan: no patch of 100 % (solid) was measured"
    yield "few steps", text_of(readings(steps=STEPS[::5] + (100,))), "14:1: cyan: 8 steps were measured"
    yield "step back", text_of(darker(64, -0.06)), "94:1: cyan: the step 64 % is 2."
    yield "spread", text_of(darker(30, 0.06, 2)), "62:1: cyan: the repeats of 30 % differ by 3."
    yield "gain too high", text_of(readings(through((0, 0), (50, 97), (100, 100)))), "and presses have -15 to +45"
    yield "gain too low", text_of(readings(through((0, 0), (50, 30), (100, 100)))), "the tone value increase at 50 % is -19"
    yield "far", text_of(readings(through((0, 0), (20, 58), (50, 82), (100, 100)))), "cyan: the curve would move"
    yield "steep", text_of(readings(through((0, 0), (20, 25), (45, 27), (50, 70), (100, 100)))), "would rise by"
    yield "lighter solid", text_of(exchanged(100, 76)), "142:1: cyan: the solid reads 88.4 % of the step 76 %"
    yield "upside down", text_of(readings(lambda step: gained(100 - step))), "has a density of -1.45 over paper"
    yield "filters exchanged", text_of(readings(), ("D_BLUE", "D_GREEN", "D_RED", "D_VIS")), "has a density of 0.17 over paper"
    yield "another ink", text_of(readings(), header={"INKS": "PANTONE 999 C"}), "is of ink 'PANTONE 999 C', and the wedge"
    yield "another screen", text_of(readings(), header={"SCREEN_1": "am ruling=150"}), "is of screen 'am ruling=150', and"
    yield "another resolution", text_of(readings(), header={"DPI": "1270"}), "is of resolution '1270', and the wedge"
    yield "another press", text_of(readings(), header={"PRESS": "SM 52"}), "is of press 'SM 52', and the wedge is of 'XL 106'"
    yield "another paper", text_of(readings(), header={"PAPER": "news"}), "is of paper 'news', and the wedge is of 'GC1'"
    yield "unknown patch", text_of(named(5, "Z99")), "19:1: the wedge has no patch 'Z99'"
    yield "patch twice", text_of(named(5, "5")), "19:1: patch '5' is there twice, first in line 18"
    yield "decimal commas", re.sub(r"(\d)\.(\d\d)", r"\1,\2", whole), "14:3: D_RED must be a number, found '0,0700'"
    yield "value missing", with_line(3, r"\t[^\t]*$", ""), "17:1: the line has 4 values, and the table has 5 fields"
    yield "no number", with_line(3, r"[^\t]*$", "??"), "D_VIS must be a number, found '??'"
    yield "infinite", with_line(3, r"[^\t]*$", "inf"), "D_VIS must be a number, found 'inf'"
    yield "cut in the middle", whole[:len(whole) // 2], "77:1: the file ends within a line of values"
    yield "no data", whole[:whole.index("BEGIN_DATA\n")], "there is no BEGIN_DATA"
    yield "a page of the web", "<!DOCTYPE html>\n<html></html>\n", "is an HTML page, expected a text"


class Shop:
    def __init__(self, program, folder):
        self.program, self.folder, self.wrong, self.tried = program, folder, 0, 0
        self.curve = folder / "curves" / CURVE
        for curves in ("none", "all"):
            (folder / f"{curves}.txt").write_text(wedge_text(curves), encoding="utf-8")

    def expect(self, name, text, said, *more, status=65, wedge="none"):
        """Runs linearise on the text, and looks for words in what it says."""
        (self.folder / "measured.txt").write_text(text, encoding="utf-8")
        done = subprocess.run([self.program, "linearise", self.folder / "measured.txt", "--wedge",
                               self.folder / f"{wedge}.txt", "--folder", self.folder / "curves", *more],
                              text=True, capture_output=True)
        told = done.stdout + done.stderr
        self.tried += 1
        if done.returncode != status or said not in told or (status and not more and self.curve.exists()):
            self.wrong += 1
            print(f"{name}: exit status {done.returncode}, {said!r} is not said, or a curve is written:\n{told}")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 64
    with tempfile.TemporaryDirectory() as scratch:
        shop = Shop(sys.argv[1], pathlib.Path(scratch))
        for name, text, said in mistakes():
            shop.expect(name, text, said)
        reason, uneven = "proof press, known to be uneven", text_of(darker(30, 0.06, 2))
        shop.expect("a reason", uneven, "overruled", "--force", reason, status=0)
        if f'reason: "{reason}"' not in shop.curve.read_text(encoding="utf-8"):
            shop.wrong += 1
            print("the curve file has not the reason")
        shop.expect("no reason", uneven, "--force needs a reason", "--force", " ", status=64)
        good = text_of(readings())
        shop.expect("one reading too dark", text_of(darker(30, 0.08, 1)), "left out", status=0)
        shop.expect("good", good, "written", status=0)
        for paper, other in (("GD2", "xl-106_cyan_press_gd2_am-ruling-175_2400-dpi.yaml"),):
            header = {"PAPER": paper, "INKS": "Cyan"}
            before = shop.curve.read_bytes()
            (shop.folder / "second.txt").write_text(
                wedge_text("none").replace("GC1", paper).replace("cyan", "Cyan"), encoding="utf-8")
            for _ in range(2):
                shop.expect("a second paper", text_of(readings(), header=header), other, wedge="second", status=0)
            if shop.curve.read_bytes() != before or not (shop.folder / "curves" / other).exists():
                shop.wrong += 1
                print("the curve of a second paper is not beside that of the first:",
                      sorted(path.name for path in (shop.folder / "curves").iterdir()))
        (shop.folder / "capital.txt").write_text(wedge_text("none").replace("cyan", "Cyan"), encoding="utf-8")
        shop.expect("the ink in capitals", text_of(readings(), header={"INKS": "CYAN"}), "written", wedge="capital",
                    status=0)
        shop.expect("back to the name of the ink", good, "written", status=0)
        with_all = text_of(readings(), header={"CURVES": "all"})
        refine = ("--refine", str(shop.curve))
        shop.expect("a wedge without the curve", good, "printed without the curve that is to be refined", *refine)
        shop.expect("a wedge with a curve", with_all, "the wedge was printed with a curve", "--kind", "press", wedge="all")
        shop.expect("curve for a plate", with_all, "with the curves of the press", "--kind", "plate", wedge="all")
        shop.expect("another press is said", good, "the wedge is of press 'XL 106', and the curve is for 'SM 52'",
                    "--press", "SM 52")
        shop.expect("no such target", good, "--target must be linear, tvi:PERCENT", "--target", "iso-a", status=64)
        shop.expect("no such set", good, "there is no measurement", "--target", "like:none.txt", status=66)
        shop.expect("what was not measured", good, "by sctv need", "--by", "sctv")
        print(f"{shop.tried} measurements, {shop.wrong} answered wrongly")
    return 1 if shop.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
