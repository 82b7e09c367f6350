#!/usr/bin/env python3
"""--keep-going: what is wrong does not hold up the rest. Usage: keep_going_test.py PROGRAM [unittest options]."""

import json
import os
import pathlib
import unittest

from command import Command


class KeepGoing(Command):
    def test_the_night_goes_past_what_is_wrong(self):
        self.synth("one.tif")
        wrong = self.manifest("mezzotint: 1\njob: wrong\npages: [none.tif]\n", "wrong.yaml")
        good = self.manifest("mezzotint: 1\njob: good\npages: [one.tif]\n", "good.yaml")
        self.run_program("run", wrong, good, status=65)
        self.assertFalse((self.folder / "plates").exists())
        result = self.run_program("run", "--keep-going", wrong, good, "gone.yaml", status=66)
        self.assertIn("none.tif", result.stderr)
        self.assertIn("gone.yaml", result.stderr)
        self.assertTrue((self.folder / "plates" / "one_black.tif").exists())

    def test_a_page_with_a_mistake_fails_alone(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest("mezzotint: 1\njob: night\npages: [one.tif, tow.tif, two.tif]\n")
        refused = self.run_program("run", job, status=65)
        self.assertIn("job.yaml:3:18: input 'tow.tif' does not exist", refused.stderr)
        self.assertFalse((self.folder / "plates").exists())
        result = self.run_program("run", "--keep-going", "--report", "report", job, status=1)
        self.assertIn("job.yaml:3:18: input 'tow.tif' does not exist; did you mean 'two.tif'?",
                      result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder / "plates")),
                         ["one_black.tif", "two_black.tif"])
        sheets = json.loads((self.folder / "report/report.json").read_text())["sheets"]
        self.assertEqual([(sheet["outcome"], pathlib.Path(sheet["input"]).name) for sheet in sheets],
                         [("good", "one.tif"), ("failed", "tow.tif"), ("good", "two.tif")])
        self.synth("tow.tif")
        after = self.run_program("run", "--keep-going", job)
        self.assertIn("2 sheets made before", after.stdout)
        self.assertTrue((self.folder / "plates/tow_black.tif").exists())

    def test_a_cluster_goes_past_what_is_wrong(self):
        self.synth("one.tif")
        self.synth("two.tif")
        (self.folder / "bad.tif").write_text("no page")
        wrong = self.manifest("mezzotint: 1\njob: wrong\npages: [none.tif]\n", "wrong.yaml")
        good = self.manifest("mezzotint: 1\njob: good\npages: [one.tif]\n", "good.yaml")
        page = self.manifest("mezzotint: 1\njob: page\npages: [bad.tif, two.tif]\n", "page.yaml")
        submit = ("submit", "--engine", "none", "--plan", "p")
        self.run_program(*submit, wrong, good, status=65)
        self.assertFalse((self.folder / "p").exists())
        self.run_program(*submit, "--keep-going", wrong, status=65)
        self.assertFalse((self.folder / "p").exists())
        dry = self.run_program(*submit, "--dry-run", page, status=65)
        self.assertIn("bad.tif", dry.stderr)
        self.run_program(*submit, "--keep-going", good, page)
        result = self.run_program(*submit, "--keep-going", wrong, good, page, status=65)
        self.assertIn("none.tif", result.stderr)
        self.assertIn("3 sheets", result.stdout)
        self.assertIn("failed: " + str(self.folder / "bad.tif"),
                      self.run_program("status", "p").stdout)

        local = ("submit", "--engine", "local", "--plan", "p", good, page)
        self.assertIn("2 of 3 sheets made, 1 failed", self.run_program(*local, status=1).stdout)
        for name in ("one", "two"):
            self.assertTrue((self.folder / "plates" / f"{name}_black.tif").exists(), name)
        sheets = json.loads((self.folder / "p" / "report" / "report.json").read_text())["sheets"]
        self.assertEqual([sheet["outcome"] for sheet in sheets], ["good", "failed", "good"])
        self.assertEqual(sheets[1]["error"]["kind"], "data")


if __name__ == "__main__":
    unittest.main()
