#!/usr/bin/env python3
"""mezzotint gallery. Usage: gallery_test.py PROGRAM [unittest options]."""

import json
import re
import unittest

from command import Command, choose


class Gallery(Command):
    METHODS = choose(["bayer:order=2"], ["floyd-steinberg", "bayer:order=2", "fm"])

    def gallery(self, *words, status=0):
        return self.run_program("gallery", "page.tif", "out.html", *words, status=status)

    def test_its_plates_are_those_of_halftone_and_its_numbers_those_of_compare(self):
        self.synth("page.tif", 180, 150, "--colour", "cmyk")
        result = self.gallery("--json", "--crop", "0,0,180,150", "--methods", ",".join(self.METHODS))
        shown = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([one["method"] for one in shown], self.METHODS)
        inks = ["cyan", "magenta", "yellow", "black"]
        for one in shown:
            method, *options = one["method"].split(":")
            words = [word for option in options for word in ("--" + option).split("=")]
            self.run_program("halftone", "-q", "page.tif", "plate.tif", "--method", method, *words)
            lines = self.run_program("compare", "--json", "page.tif", "--dpi", "300",
                                     *(f"plate_{ink}.tif" for ink in inks)).stdout.splitlines()
            compared = [json.loads(line) for line in lines]
            self.assertEqual([plate["hvs_rms"] for plate in compared[:4]], one["hvs_rms"])
            for key in ("delta_e", "texture", "grain_l", "grain_c", "overlap"):
                self.assertEqual(compared[4][key], one[key], f"{key} of {method}")

    def test_all_methods_on_a_page_that_stands_alone(self):
        self.synth("page.tif", 120, 90)
        said = self.gallery("--sheet", "out.png", "--budget", "0.1").stdout
        page = (self.folder / "out.html").read_text(encoding="utf-8")
        for method in ("floyd-steinberg", "am", "les", "dbs"):
            self.assertIn(f"<h2>{method}</h2>", page)
            self.assertRegex(said, rf"(?m)^{method} .* ms$")
        self.assertIsNone(re.search('(src|href)="(?!data:image/png;base64,|#m)', page))
        self.assertEqual((self.folder / "out.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_mistakes_are_named(self):
        self.synth("page.tif", 120, 90)
        for words, message in ((["--crop", "10,10,200,20"], "the page has 120 x 90 px"),
                               (["--crop", "10,10"], "write X,Y,WIDTH,HEIGHT"),
                               (["--methods", "bayr"], "bayer"),
                               (["--methods", "bayer:ordr=2"], "no parameter of bayer"),
                               (["--methods", "bayer:order=99"], "order")):
            self.assertIn(message, self.gallery(*words, status=64).stderr)
        refusal = self.run_program("gallery", "page.tif", "page.tif", status=64)
        self.assertIn("page.tif: the command reads this file", refusal.stderr)


if __name__ == "__main__":
    unittest.main()
