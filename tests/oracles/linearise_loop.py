#!/usr/bin/python3
"""The loop of wedge, press, measurement and curve, closed by the program on the simulated press.

usage: linearise_loop.py MEZZOTINT [--linearise PROGRAM] [--inks NAMES] [--targets T,T...] [--as KIND,KIND...]
                         [--seeds N[,N...]] [--refusals] [--keep FOLDER]

For each target, kind of measurement and seed: the wedge is made without curves, printed and measured with
noise; `linearise` makes the curves; a wedge that is made with them prints tones within 1 % of the target,
0.35 % in the RMS. That is measured again, and after `linearise --refine` a third wedge within 0.6 and
0.25 %: what is left are the errors of reading, so that other seeds give other figures. --refusals measures with
each of the mistakes that must be refused: `linearise` writes no curve.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import mistakes
import press_model
import simulated_press
import wedge_description
from oracle_base import numpy
from true_tone import target_of, tones

HERE = pathlib.Path(__file__).resolve().parent
FIRST, REFINED = (1.0, 0.35), (0.6, 0.25)  # largest error and RMS, in percent of dot
PRESS = """mezzotint-press: 1
name: XL 106, board
resolution: 2400
halftone: {method: am, ruling: 175}
inks: {%s}
curves: {library: %s, paper: GC1, kinds: [press]}
"""
# By what `linearise` judges each kind, and so what it is judged by.
BY = {"density": "density", "spectral": "xyz", "csv-density": "density", "area": "density", "xyz": "xyz", "lab": "xyz"}
# Mistakes that a kind cannot show, or that are none: a SAMPLE_ID that is read twice is two readings.
CSV = {"swapped-columns", "unknown-id", "double-id", "no-fields", *mistakes.HEADERS}
WITHOUT = {"density": {"double-id"}, "csv-density": CSV, "area": CSV | {"low-solid"},
           **dict.fromkeys(("spectral", "xyz", "lab"), {"double-id", "swapped-columns"})}


class Loop:
    def __init__(self, words, folder):
        self.program, self.linearise = os.path.abspath(words.program), os.path.abspath(words.linearise or words.program)
        self.folder, self.inks = pathlib.Path(folder), words.inks.split(",")
        self.press, self.wrong = press_model.Press(), 0
        self.env = {**os.environ, "XDG_STATE_HOME": f"{folder}/state", "XDG_CACHE_HOME": f"{folder}/cache"}

    def call(self, *words):
        return subprocess.run([str(word) for word in words], cwd=self.folder, env=self.env, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def must(self, *words):
        done = self.call(*words)
        if done.returncode:
            raise SystemExit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}")
        return done.stdout

    def wedge(self, name, curves):
        """Plates of the wedge with the curves of a folder; its patches and their areas on paper."""
        (self.folder / f"{name}.yaml").write_text(PRESS % (", ".join(f"{ink}: {{}}" for ink in self.inks), curves))
        (self.folder / curves).mkdir(exist_ok=True)
        self.must(self.program, "wedge", "-q", "--press", f"{name}.yaml", "--out", name, "--with",
                  "none" if curves == "no_curves" else "all")
        _, patches = wedge_description.read(self.folder / name / "wedge.txt")
        plates = [f"{ink}={self.folder}/{name}/plates/wedge_{ink.lower().replace(' ', '-')}.tif" for ink in self.inks]
        return patches, simulated_press.printed_areas(
            patches, simulated_press.plates_of(plates, patches), self.press)

    def measure(self, name, patches, areas, kind, seed, mistake=None):
        """The file of the measurement."""
        readings = simulated_press.measure(patches, areas, self.press, 0.003, seed)
        table, _ = wedge_description.read(self.folder / name / "wedge.txt")
        text = simulated_press.measured_text(kind, readings, simulated_press.header_of(table), mistake)
        path = self.folder / f"{name}_{kind}.{'csv' if kind in ('area', 'csv-density') else 'txt'}"
        path.write_text(text, encoding="utf-8")
        return path

    def curves(self, name, measured, target, to, *more):
        shutil.rmtree(self.folder / to, ignore_errors=True)
        (self.folder / to).mkdir()
        facts = self.facts(name, measured)
        self.must(self.linearise, "linearise", measured, *facts, "--target", target, "-o", to, *more)

    def facts(self, name, measured):
        """The description of the wedge, or, of CSV without SAMPLE_IDs, what it says."""
        if measured.suffix != ".csv":
            return ["--wedge", f"{name}/wedge.txt"]
        table, _ = wedge_description.read(self.folder / name / "wedge.txt")
        return [word for option in ("press", "screen", "dpi", "paper")
                for word in (f"--{option}", table.keywords.get(option.upper()) or table.keywords["SCREEN_1"])]

    def judge(self, what, printed, target, by, limits):
        for ink, steps in tones(*printed, self.press, by).items():
            errors = numpy.array([tone - 100 * target_of(target)(nominal / 100) for nominal, tone in steps])
            largest, rms = numpy.abs(errors).max(), float(numpy.sqrt((errors ** 2).mean()))
            bad = largest > limits[0] or rms > limits[1]
            self.wrong += bad
            at = steps[int(numpy.abs(errors).argmax())][0]
            print(f"{'wrong: ' if bad else ''}{what}, {ink}: max {largest:.2f} at {at:g}, rms {rms:.2f}")

    def close(self, first, target, kind, seed):
        """Two passes from the wedge without curves."""
        what = f"{target} by {kind}, seed {seed}"
        self.curves("first", self.measure("first", *first, kind, seed), target, "once")
        second = self.wedge("second", "once")
        self.judge(what, second, target, BY[kind], FIRST)
        before = sorted((self.folder / "once").glob("*.yaml"))
        refine = [word for path in before for word in ("--refine", path)]
        self.curves("second", self.measure("second", *second, kind, seed + 100), target, "twice", *refine)
        self.judge(what + ", refined", self.wedge("third", "twice"), target, BY[kind], REFINED)

    def refusals(self, first, kinds):
        """Each mistake, in these kinds of measurement, of the first ink."""
        first = [patch for patch in first[0] if patch.ink == first[0][0].ink], first[1]
        for kind in kinds:
            for mistake in mistakes.NAMES:
                if mistake in WITHOUT[kind]:
                    continue
                measured = self.measure("first", *first, kind, 1, mistake)
                shutil.rmtree(self.folder / "none", ignore_errors=True)
                (self.folder / "none").mkdir()
                done = self.call(self.linearise, "linearise", measured, *self.facts("first", measured), "-o", "none")
                bad = done.returncode in (0, 70) or done.returncode < 0 or any((self.folder / "none").iterdir())
                self.wrong += bad
                print(f"{'wrong: ' if bad else ''}{kind}, {mistake}: status {done.returncode}: {said(done.stdout)}")


def said(text):
    """The line that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found = [line for line in lines if "error" in line or "refused" in line]
    return (found or lines or [""])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--linearise")
    parser.add_argument("--inks", default="cyan")
    parser.add_argument("--targets", default="linear")
    parser.add_argument("--as", dest="kinds", default="density")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--refusals", action="store_true")
    parser.add_argument("--keep")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        loop = Loop(words, words.keep or scratch)
        first = loop.wedge("first", "no_curves")
        for target in words.targets.split(","):
            for kind in words.kinds.split(","):
                for seed in words.seeds.split(","):
                    loop.close(first, target, kind, int(seed))
        if words.refusals:
            loop.refusals(first, words.kinds.split(","))
        print(f"{loop.wrong} wrong")
        return 1 if loop.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
