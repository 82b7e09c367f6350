#!/usr/bin/env python3
"""mezzotint screen, and plates that have its screens. Usage: screen_test.py PROGRAM [unittest options]."""

import json
import struct
import unittest

from command import Command


class Screen(Command):
    def test_screens_of_a_set_of_inks(self):
        lines = self.run_program("screen", "--dpi", "2400", "--ruling", "133").stdout.splitlines()
        self.assertEqual(lines[0], "cyan     133 lpi at 15 degrees: 133.10 lpi at 15.00 degrees, "
                                   "4097 levels, cells of (209, 56) / 12 px")
        self.assertEqual(lines[-1], "moire of these screens: 8.9 m")
        screens = json.loads(self.run_program(
            "screen", "--json", "--inks", "black=37.5,gold", "--rosette", "dots.png",
            "--side", "50").stdout)
        self.assertEqual([ink["angle"] for ink in screens["inks"]], [37.5, 45])
        png = (self.folder / "dots.png").read_bytes()
        self.assertTrue(png.startswith(b"\x89PNG"))
        self.assertEqual(struct.unpack(">II", png[16:24]), (50, 50))
        self.assertIn("at most 150 lpi",
                      self.run_program("screen", "--dpi", "600", status=64).stderr)

    def test_a_screen_that_does_not_fit_a_page_fails_that_page_alone(self):
        for name, dpi in (("one", "2400"), ("two", "600")):
            self.synth(f"{name}.tif", 60, 40, "--dpi", dpi)
        text = ("mezzotint: 1\njob: dots\ndefaults: {halftone: {method: am, ruling: 175}}\n"
                "pages: [%s]\n")
        result = self.run_program("run", self.manifest(text % "one.tif, two.tif"), status=1)
        self.assertIn("at most 150 lpi", result.stderr)
        self.assertEqual([path.name for path in (self.folder / "plates").iterdir()], ["one_black.tif"])
        self.run_program("run", self.manifest(text % "two.tif"), status=65)

    def test_am_plates_have_the_screens_of_their_inks(self):
        self.synth("page.tif", 60, 40, "--colour", "cmyk")
        words = ("--method", "am", "--ruling", "133", "--resolution", "2400")
        shown = self.run_program("halftone", *words, "--dry-run", "page.tif", "plate.tif").stdout
        self.assertIn("ink magenta: screen 133 lpi at 75 degrees: 133.10 lpi at 75.00 degrees, "
                      "4097 levels, cells of (56, 209) / 12 px", shown)
        self.assertIn("moire of its screens: 8.9 m", shown)
        self.run_program("halftone", *words, "--verify", "page.tif", "plate.tif")
        tags = (self.folder / "plate_black.tif").read_bytes()
        self.assertIn(b"method=am; ruling=133; angle=45; dot=euclidean; minimum_dot=1; dpi=2400; "
                      b"cell_repeats=4; cell_m=51; cell_n=51;", tags)
        result = self.run_program("halftone", "--method", "am", "page.tif", "plate.tif", status=64)
        self.assertIn("leaves less than 4 px to a cell", result.stderr)
        self.run_program("halftone", "--method", "am", "--ruling", "60 lpi", "--angle", "7.5",
                         "--dot", "round", "page.tif", "plate.tif")

    def test_an_exported_screen_gives_the_dots_of_its_method(self):
        self.synth()
        self.run_program("screen", "--dpi", "300", "--ruling", "60", "--inks", "black", "--export",
                         "tiff")
        am = ("--method", "am", "--ruling", "60")
        self.run_program("halftone", *am, "--compression", "none", "page.tif", "am.tif")
        self.run_program("halftone", "--method", "tile", "--tile", "black.tif", "--compression",
                         "none", "page.tif", "tile.tif")
        judged = self.run_program("compare", "--json", "page.tif", "am.tif", "tile.tif").stdout
        one, two = (json.loads(line) for line in judged.splitlines())
        self.assertEqual(two | {"halftone": "am.tif"}, one)
        for inks in ("", "=15", "cyan,cyan", "a\nb"):
            self.run_program("screen", "--inks", inks, status=64)
        self.run_program("screen", "--folder", "", "--export", "tiff", status=64)


if __name__ == "__main__":
    unittest.main()
