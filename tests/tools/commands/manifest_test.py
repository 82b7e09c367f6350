#!/usr/bin/env python3
"""What is said of a manifest, by mezzotint check and by mezzotint run. Usage: manifest_test.py PROGRAM [unittest options]."""

import os
import unittest

from command import Command


class Check(Command):
    def test_check_validates_and_plans(self):
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("check", self.manifest(self.JOB))
        self.assertIn("plates/one.tif", result.stdout)
        self.assertFalse((self.folder / "plates").exists())

    def test_check_shows_what_changes_the_plate(self):
        self.synth("one.tif")
        job = self.manifest("mezzotint: 1\njob: demo\npages:\n  - input: one.tif\n"
                            "    halftone: {method: bayer, order: 2}\n"
                            "    tone: {gamma: 0.9, curve: [[0%, 0%], [50%, 60%], [100%, 100%]]}\n"
                            "    output: {negative: true}\n")
        said = self.run_program("check", job).stdout
        self.assertIn("    parameters: order 2\n", said)
        self.assertIn("    tone: gamma 0.9 curve 0:0 50:60 100:100\n", said)
        self.assertIn("    negative plates\n", said)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_check_looks_whether_plates_can_be_made(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest(self.JOB)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.assertIn("cannot be written to", self.run_program("check", job, status=73).stdout)


class Mistakes(Command):
    def test_mistakes_of_a_manifest_have_their_place(self):
        job = self.manifest("mezzotint: 1\njob: demo\npages:\n  - {inptu: one.tif}\n")
        result = self.run_program("run", job, status=65)
        self.assertIn("job.yaml:4:6: ", result.stderr)
        self.assertIn("input", result.stderr)

    def test_a_missing_manifest_is_66(self):
        self.assertIn("no.yaml", self.run_program("run", "no.yaml", status=66).stderr)

    def test_both_kinds_of_mistakes_are_told_at_once(self):
        self.synth("one.tif")
        job = self.manifest("mezzotint: 1\njob: demo\ndefaults:\n  tone: {gama: 2}\npages:\n"
                            "  - {input: one.tif, bogus: 1}\n  - nowhere.tif\n")
        said = self.run_program("check", job, status=65).stderr
        for place in ("job.yaml:4:10: unknown key 'gama'", "job.yaml:6:22: unknown key 'bogus'",
                      "job.yaml:7:5: "):
            self.assertIn(place, said)

    def test_the_caret_is_on_the_path_that_is_there_twice(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest("mezzotint: 1\njob: demo\npages:\n"
                            "  - input: one.tif\n    output: {path: x.tif}\n"
                            "  - input: two.tif\n    output:\n      path: x.tif\n")
        said = self.run_program("check", job, status=65).stderr
        self.assertIn("job.yaml:8:13: inputs 'one.tif' (line 4) and 'two.tif'", said)
        self.assertIn("write another path here", said)

    def test_a_path_with_braces_in_a_flow_map_is_to_be_quoted(self):
        job = self.manifest("mezzotint: 1\njob: demo\npages:\n"
                            "  - {input: one.tif, output: {path: plates/{stem}.tif}}\n")
        said = self.run_program("check", job, status=65).stderr
        self.assertIn('needs quotes, as in path: "plates/{stem}.tif"', said)

    def test_a_page_is_no_manifest(self):
        self.synth("one.tif", 900, 900)
        said = self.run_program("run", "one.tif", status=65).stderr
        self.assertIn("the manifest 'one.tif' is a TIFF file; did you mean 'mezzotint halftone one.tif", said)

    def test_an_old_plate_among_the_pages_is_a_warning(self):
        self.synth("one.tif")
        self.run_program("halftone", "-q", "one.tif", "old.tif")
        result = self.run_program(
            "run", self.manifest('mezzotint: 1\njob: demo\npages: ["*.tif"]\n'))
        self.assertIn("old.tif: it is a plate that mezzotint made", result.stderr)
        self.assertNotIn("one.tif: it is a plate", result.stderr)


if __name__ == "__main__":
    unittest.main()
