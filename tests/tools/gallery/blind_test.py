#!/usr/bin/env python3
"""Sheets without labels, and rankings of them whose agreement with the measures is known.

usage: blind_test.py PROGRAM BLIND
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    from PIL import Image
except ImportError:
    print("skipped: there is no Pillow; Debian has it in python3-pil")
    sys.exit(77)

BLIND = pathlib.Path(sys.argv.pop()).resolve()
PROGRAM = pathlib.Path(sys.argv.pop()).resolve()
METHODS = "floyd-steinberg,bayer,random,fm:dot=2"


class Blind(unittest.TestCase):
    def setUp(self):
        keep = tempfile.TemporaryDirectory(prefix="mezzotint-blind-test-")
        self.addCleanup(keep.cleanup)
        self.folder = pathlib.Path(keep.name)
        for name, colour in (("grey", "grey"), ("colour", "cmyk")):
            self.run_words(PROGRAM, "synth", "-q", f"{name}.tif", "--colour", colour, "--width", "200",
                           "--height", "160")
        self.run_words(sys.executable, BLIND, "make", PROGRAM, "out", METHODS, "grey.tif", "colour.tif",
                       "--crop", "20,20,120,100", "--seed", "7")
        self.key = json.loads((self.folder / "out/key.json").read_text())

    def run_words(self, *words, status=0):
        result = subprocess.run([str(word) for word in words], cwd=self.folder, text=True, check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(result.returncode, status, result.stdout)
        return result.stdout

    def ranked(self, name, measure, reverse=False):
        """A ranking of each sheet by a measure."""
        lines = []
        for number, sheet in enumerate(self.key, 1):
            letters = sorted(sheet["letters"], reverse=reverse,
                             key=lambda letter: sheet["measures"][sheet["letters"][letter]][measure])
            lines.append(f"{number}: {' '.join(letters)}")
        (self.folder / name).write_text("\n".join(lines))
        return name

    def test_sheets_have_letters_and_the_key_the_names(self):
        self.assertEqual(len(self.key), 2)
        for number, sheet in enumerate(self.key, 1):
            self.assertEqual(sorted(sheet["letters"]), list("ABCD"))
            self.assertEqual(sorted(sheet["letters"].values()), sorted(METHODS.split(",")))
            with Image.open(self.folder / f"out/{number}.png") as picture:
                self.assertGreater(picture.width, 4 * 4 * 96)
        self.assertIn("delta_e", self.key[1]["measures"]["bayer"])

    def test_a_ranking_by_a_measure_agrees_with_it(self):
        best = self.ranked("best.txt", "hvs_rms")
        text = self.run_words(sys.executable, BLIND, "score", "out", best, best)
        self.assertIn("agreement on one sheet: W = 1.00", text)
        self.assertRegex(text, r"hvs_rms +correlation \+\d\.\d\d over all, \+1\.00 a sheet")
        worst = self.ranked("worst.txt", "hvs_rms", reverse=True)
        self.assertRegex(self.run_words(sys.executable, BLIND, "score", "out", worst),
                         r"hvs_rms .* -1\.00 a sheet")
        text = self.run_words(sys.executable, BLIND, "score", "out", best, worst)
        self.assertIn("agreement on one sheet: W = 0.00", text)

    def test_equals_share_a_place(self):
        (self.folder / "equal.txt").write_text("1: (A B C D)\n2: (A B) (C D)\n")
        text = self.run_words(sys.executable, BLIND, "score", "out", "equal.txt")
        self.assertIn("+0.00", text)

    def test_a_letter_that_is_missing_is_named(self):
        (self.folder / "short.txt").write_text("1: A B\n2: A B C D\n")
        text = self.run_words(sys.executable, BLIND, "score", "out", "short.txt", status=1)
        self.assertIn("'1: A B': name each of A B C D once", text)


if __name__ == "__main__":
    unittest.main()
