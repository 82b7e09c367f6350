#!/usr/bin/env python3
"""mezzotint halftone: one file without a manifest. Usage: halftone_test.py PROGRAM [unittest options]."""

import json
import unittest

from command import Command


class Halftone(Command):
    def test_one_file_without_a_manifest(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "plate.tif", "--verify")
        self.assertTrue((self.folder / "plate.tif").exists())
        self.assertIn("1 plate", result.stdout)
        self.assertEqual(self.leftovers(), [])

    def test_inks_can_be_left_out(self):
        self.synth("inks.tif", 64, 64, "--colour", "cmyk")
        result = self.run_program("halftone", "inks.tif", "out/plate.tif", "--drop", "M,cyan",
                                  "--drop", "varnish")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()),
                         ["plate_black.tif", "plate_yellow.tif"])
        self.assertIn("'varnish', which no page of the job has", result.stderr)
        result = self.run_program("halftone", "inks.tif", "out/plate.tif", "--drop", "c,m,y,k",
                                  status=65)
        self.assertIn("has no plate left", result.stderr)

    def test_a_missing_input_is_66(self):
        result = self.run_program("halftone", "nowhere.tif", "plate.tif", status=66)
        self.assertIn("nowhere.tif", result.stderr)

    def test_what_is_no_tiff_is_65(self):
        (self.folder / "page.tif").write_text("not a picture")
        result = self.run_program("halftone", "page.tif", "plate.tif", status=65)
        self.assertIn("page.tif", result.stderr)
        self.assertFalse((self.folder / "plate.tif").exists())

    def test_an_output_folder_that_cannot_be_made_fails(self):
        self.synth()
        (self.folder / "file").write_text("")
        result = self.run_program("halftone", "page.tif", "file/plate.tif", status=73)
        self.assertIn("file/plate.tif", result.stderr)

    def test_the_page_on_its_plate(self):
        self.synth()
        for options, status, said in (
                (("--crop", "1,2,3"), 64, "must be LEFT,TOP,WIDTH,HEIGHT in mm"),
                (("--crop", "1,2,0,3"), 64, "; 'width' must be at least 0.001 mm, found '0 mm'"),
                (("--trim", "1in"), 64, "--trim must be a length such as 3 mm, found '1in'"),
                (("--trim", "1,2"), 64, "must be MARGIN or LEFT,TOP,RIGHT,BOTTOM in mm"),
                (("--rotate", "45"), 64, "must be 0, 90, 180 or 270, found '45'"),
                (("--copies", "3"), 64, "must be ACROSSxDOWN"),
                (("--copies", "0x3"), 64, "; 'across' must be a whole number from 1 to 1000, found '0'"),
                (("--gamma", "50"), 64, "--gamma must be a number from 0.1 to 10, found '50'"),
                (("--gap", "1001"), 64, "--gap must be at most 1000 mm, found '1001 mm'"),
                (("--gap", "3"), 64, "--gap has no effect: it lies between copies"),
                (("--trim", "13,0,13,0"), 65, "takes off all of its width"),
                (("--crop", "0,0,900,1"), 65, "outside of it")):
            result = self.run_program("halftone", "page.tif", "p.tif", *options, status=status)
            self.assertIn(said, result.stderr)
        result = self.run_program("halftone", "page.tif", "p.tif", "--dry-run", "--trim", "1,0,0,0",
                                  "--rotate", "90", "--copies", "2x1", "--resolution", "600")
        self.assertRegex(result.stdout, r"""    plates of \d+ x \d+ px, 600 dpi:
      rotate by 90 degrees clockwise
      crop to \d+ x \d+ px from 0, 12
      samples to 32640 levels of ink
      scale by 2/1, cubic
      2 x 1 copies on \d+ x \d+ px
""")

    def test_pixels_and_coverage_are_those_of_the_plate(self):
        self.synth()
        found = []
        for options in ((), ("--copies", "3x2", "--gap", "1")):
            result = self.run_program("halftone", "page.tif", "p.tif", "--method", "threshold",
                                      "--json", *options)
            sheet = next(line for line in map(json.loads, result.stdout.splitlines())
                         if line["type"] == "sheet")
            found.append((sheet["pixels"], sheet["plates"][0]["coverage_percent"]))
        (one, ink), (all_copies, ink_of_all) = found
        self.assertEqual((one, all_copies), (300 * 200, (3 * 300 + 24) * (2 * 200 + 12)))
        self.assertAlmostEqual(ink_of_all, 6 * ink * one / all_copies, places=6)

    def test_the_output_name_is_checked(self):
        self.synth()
        for name in ("plate_{inc}.tif", "plate{.tif", "plate.png", ""):
            self.run_program("halftone", "page.tif", name, status=64)
        self.run_program("halftone", "page.tif", "{stem}_{ink}.tif")
        self.assertTrue((self.folder / "page_black.tif").exists())

    def test_a_page_that_is_not_there(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "p.tif", "--page", "2", status=65)
        self.assertIn("page 2 was asked for, but the file has 1 page", result.stderr)

    def test_an_input_is_never_replaced(self):
        self.synth()
        before = (self.folder / "page.tif").read_bytes()
        result = self.run_program("halftone", "page.tif", "./page.tif", status=73)
        self.assertIn("would replace an input", result.stderr)
        self.assertEqual((self.folder / "page.tif").read_bytes(), before)

    def test_a_folder_is_no_plate(self):
        self.synth()
        said = self.run_program("halftone", "page.tif", "out/", status=64).stderr
        self.assertIn("OUT must name a file, found the folder 'out/'; for example out/page.tif", said)

    def test_inks_go_before_the_suffix(self):
        self.synth("page.tif", 100, 80, "--colour", "cmyk")
        self.run_program("halftone", "page.tif", "out/plate.tif")
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertEqual(names, ["plate_black.tif", "plate_cyan.tif", "plate_magenta.tif",
                                 "plate_yellow.tif"])

    def test_a_negative_is_made_after_the_curve(self):
        self.synth()
        coverages = []
        for more in ([], ["--negative", "--verify"]):
            result = self.run_program("halftone", "--json", "page.tif", "plate.tif", "--curve",
                                      "0:0,50:70,100:100", *more)
            sheet = next(one for one in map(json.loads, result.stdout.splitlines())
                         if one["type"] == "sheet")
            coverages.append(sheet["plates"][0]["coverage_percent"])
        self.assertAlmostEqual(sum(coverages), 100, places=3)
        for more, words in ([], 0), (["--negative"], 1):
            result = self.run_program("halftone", "page.tif", "plate.tif", "--report", "r", *more)
            self.assertEqual(result.stderr.count("% ink in the negative"), words, result.stderr)
            report = (self.folder / "r/report.html").read_text()
            self.assertEqual(report.count("of the negative</div>"), words)
            self.assertEqual(report.count("coverage is that of the negative"), words)

    def test_dry_run_shows_the_plan_and_writes_nothing(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "plate.tif", "--dry-run", "--explain")
        for word in ("plate.tif", "memory", "disk", "schedule wavefront", "300 x 200"):
            self.assertIn(word, result.stdout)
        self.assertFalse((self.folder / "plate.tif").exists())


class Verification(Command):
    def verified_by(self, *words):
        """What lines of --json say of the sheets."""
        lines = self.run_program(*words, "--json").stdout.splitlines()
        sheets = [line for line in map(json.loads, lines) if line["type"] == "sheet"]
        for sheet in sheets:
            self.assertEqual(sheet["verified"], sheet["verified_by"] == "recompute")
        sheets.sort(key=lambda sheet: sheet["plates"][0]["path"])  # they end in any order
        return [sheet["verified_by"] for sheet in sheets]

    def test_levels_of_verification_for_one_file(self):
        self.synth()
        files = ["page.tif", "plate.tif"]
        for words, level in [([], "decode"), (["--verify"], "recompute"),
                             (["--verify=bytes"], "bytes"), (["--verify", "bytes"], "bytes"),
                             (["--verify", "decode"], "decode")]:
            self.assertEqual(self.verified_by("halftone", *words, *files), [level], words)
            self.assertEqual(self.verified_by("halftone", *files, *words), [level], words)
        for words, found in [(["--verify=most"], "'most'"), (["--verify="], "''"),
                             (["--verify", "most"], "'most'")]:
            result = self.run_program("halftone", *words, *files, status=64)
            self.assertIn(f"--verify must be bytes, decode or recompute, found {found}\n",
                          result.stderr)

    def test_levels_of_verification_of_a_job(self):
        self.synth()
        job = self.manifest("""\
mezzotint: 1
job: levels
defaults: {output: {verify: bytes}}
pages:
  - {input: page.tif, output: {path: a.tif}}
  - {input: page.tif, output: {path: b.tif, verify: recompute}}
""")
        shown = self.run_program("check", "--settings", job).stdout
        self.assertIn("verified by bytes", shown)
        self.assertRegex(shown, "output.verify +recompute +page")
        self.assertEqual(self.verified_by("run", "--fresh", job), ["bytes", "recompute"])
        self.assertEqual(self.verified_by("run", "--fresh", "--verify", job), ["recompute"] * 2)
        self.assertEqual(self.verified_by("run", "--fresh", "--verify", "decode", job),
                         ["decode"] * 2)
        again = self.run_program("run", job).stderr
        self.assertEqual(again.count("verify was decode, is recompute"), 1, again)
        self.assertEqual(again.count("is made again"), 1, "bytes are proved already")
        before = f"before the file '{job}', "
        for words, where in [(["--verify="], ""), (["--verify", "fast"], before)]:
            message = self.run_program("run", *words, job, status=64).stderr
            self.assertIn(f"error: {where}--verify must be bytes, decode or recompute", message)


if __name__ == "__main__":
    unittest.main()
