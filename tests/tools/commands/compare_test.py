#!/usr/bin/env python3
"""mezzotint compare. Usage: compare_test.py PROGRAM [unittest options]."""

import json
import re
import unittest

from command import Command


class Compare(Command):
    def setUp(self):
        super().setUp()
        self.synth()
        self.run_program("halftone", "-q", "page.tif", "fs.tif")

    def refusal(self, *words, status):
        result = self.run_program("compare", *words, status=status)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def test_the_table_has_a_column_for_each_halftone(self):
        self.run_program("halftone", "-q", "page.tif", "bayer.tif", "--method", "bayer")
        lines = self.run_program("compare", "page.tif", "fs.tif", "bayer.tif").stdout.splitlines()
        self.assertEqual(lines[0], "page.tif: 300 x 200 px, 0.1 Mpx")
        self.assertEqual(lines[1], "ink black, seen at 300 dpi from 11.67 inch (product 3500)")
        self.assertEqual(lines[3].split(), ["fs.tif", "bayer.tif"])
        self.assertEqual({len(line) for line in lines[4:] if line and line[0] not in "↓"},
                         {len(lines[3])}, lines)

    def test_json_says_how_it_was_looked_at(self):
        result = self.run_program("compare", "page.tif", "fs.tif", "--json", "--dpi", "600",
                                  "--distance", "5", "--threads", "2")
        found = json.loads(result.stdout)
        self.assertEqual((found["v"], found["type"], found["halftone"], found["ink"]),
                         (1, "comparison", "fs.tif", "black"))
        self.assertEqual((found["dpi"], found["distance_inch"]), (600, 5))
        self.assertAlmostEqual(found["ink_coverage"], found["contone_coverage"], delta=0.002)

    def test_files_that_do_not_belong_together_are_refused(self):
        self.synth("other.tif", 301, 200)
        self.assertIn("other.tif has 301 x 200 px and fs.tif has 300 x 200 px",
                      self.refusal("other.tif", "fs.tif", status=65))
        self.assertIn("page.tif is not bilevel (8-bit grey",
                      self.refusal("page.tif", "page.tif", status=65))
        self.assertIn("fs.tif is bilevel (1-bit", self.refusal("fs.tif", "fs.tif", status=65))
        self.assertIn("none.tif", self.refusal("page.tif", "none.tif", status=66))
        self.assertIn("page.tif has no page 2", self.refusal("page.tif", "fs.tif", "--page", "2",
                                                             status=64))
        self.assertIn("it must lie in 100 .. 38000",
                      self.refusal("page.tif", "fs.tif", "--distance", "1000", status=64))

    def test_a_plate_says_which_ink_it_is(self):
        self.synth("inks.tif", 300, 200, "--colour", "cmyk")
        self.run_program("halftone", "-q", "inks.tif", "plate_{ink}.tif")
        lines = self.run_program("compare", "--json", "inks.tif", "plate_cyan.tif",
                                 "plate_black.tif").stdout.splitlines()
        told = [json.loads(line) for line in lines]
        self.assertEqual([one["ink"] for one in told[:2]], ["cyan", "black"])
        self.assertEqual([one["type"] for one in told[2:]], ["print_comparison"])
        for name in ("yellow", "3"):
            line = self.run_program("compare", "--json", "inks.tif", "fs.tif", "--ink", name).stdout
            self.assertEqual(json.loads(line)["ink"], "yellow")
        self.assertIn("inks.tif has no ink 'red'; its inks are 1 cyan, 2 magenta, 3 yellow, 4 black",
                      self.refusal("inks.tif", "fs.tif", "--ink", "red", status=64))


class ComparePage(Command):
    """mezzotint compare --html; what is on the page is the business of tests/tools."""

    def setUp(self):
        super().setUp()
        self.synth()
        for method in ("floyd-steinberg", "bayer"):
            self.run_program("halftone", "-q", "--method", method, "page.tif", f"{method}.tif")

    def compare(self, *words, status=0):
        return self.run_program(
            "compare", "page.tif", "floyd-steinberg.tif", "bayer.tif", *words, status=status)

    def test_the_page_has_the_numbers_of_the_json(self):
        result = self.compare("--json", "--html", "out/page.html")
        page = (self.folder / "out/page.html").read_text(encoding="utf-8")
        reports = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual(len(reports), 2)
        self.assertNotEqual(reports[0]["hvs_rms"], reports[1]["hvs_rms"])
        for report in reports:
            for field in ("hvs_rms", "gaussian_rms_1_5", "average_error", "interior_rms"):
                self.assertTrue(f">{report[field]:.3f}<" in page, f"{field} of {report}")
        self.assertEqual(page.count("<img "), 3 * 4)
        self.assertEqual(self.leftovers(), [])

    def test_each_ink_is_beside_its_plates(self):
        self.synth("colour.tif", 300, 200, "--colour", "cmyk")
        self.run_program("halftone", "-q", "colour.tif", "plate_{ink}.tif")
        self.run_program("compare", "colour.tif", "plate_cyan.tif", "plate_black.tif",
                         "--html", "page.html")
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        captions = re.findall("<figcaption>([^<]*)</figcaption>", page)
        self.assertEqual(captions[-4:], ["colour.tif, cyan (contone)", "plate_cyan.tif",
                                         "colour.tif, black (contone)", "plate_black.tif"])

    def test_plates_of_several_inks_are_a_print(self):
        self.synth("colour.tif", 300, 200, "--colour", "cmyk")
        for name in ("one", "two"):
            self.run_program("halftone", "-q", "colour.tif", f"{name}_{{ink}}.tif")
        plates = ["one_cyan.tif", "one_black.tif", "one_yellow.tif", "two_cyan.tif", "two_black.tif"]
        result = self.run_program("compare", "colour.tif", *plates, "--json", "--html", "page.html")
        prints = [json.loads(line) for line in result.stdout.splitlines()][5:]
        self.assertEqual([one["print"] for one in prints], ["one", "two"])
        self.assertEqual([one["inks"] for one in prints],
                         [["cyan", "yellow", "black"], ["cyan", "black"]])
        self.assertEqual(len(prints[0]["overlaps"]), 3)
        page = (self.folder / "page.html").read_text(encoding="utf-8")
        self.assertIn("<h2>The inks over each other</h2>", page)
        self.assertIn(f"{prints[0]['delta_e']:.3f}</td>", page.replace("</strong>", ""))
        text = self.run_program("compare", "colour.tif", *plates).stdout
        self.assertIn("one: cyan, yellow, black\n", text)
        apart = self.run_program("compare", "colour.tif", *plates, "--inks", "apart", "--json").stdout
        self.assertEqual(len(apart.splitlines()), 5)
        refusal = self.run_program("compare", "colour.tif", *plates, "--gain", "900", status=64)
        self.assertIn("give at most", refusal.stderr)

    def test_an_older_page_is_replaced_or_refused(self):
        page = self.folder / "page.html"
        page.write_text("older", encoding="utf-8")
        self.compare("--html", "page.html", status=64)
        self.assertEqual(page.read_text(encoding="utf-8"), "older")
        self.compare("--html", "page.html", "--force")
        self.compare("--html", "page.html")
        refusal = self.compare("--html", "page.html", "--existing", "refuse", status=73)
        self.assertIn("page.html", refusal.stderr)
        self.assertIn("<h1>Halftones of page.tif</h1>", page.read_text(encoding="utf-8"))
        self.assertEqual(self.leftovers(), [])

    def test_what_is_compared_is_not_overwritten(self):
        before = (self.folder / "bayer.tif").read_bytes()
        (self.folder / "link.tif").symlink_to("bayer.tif")
        for name in ("bayer.tif", "./page.tif", "link.tif"):
            refusal = self.compare("--html", name, status=64)
            self.assertIn(f"{name}: the command reads this file, and would replace it", refusal.stderr)
        self.assertEqual((self.folder / "bayer.tif").read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
