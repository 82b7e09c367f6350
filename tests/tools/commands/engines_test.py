#!/usr/bin/env python3
"""Where a page is halftoned: on the CPU, on a GPU, and without one. Usage: engines_test.py PROGRAM [unittest options]."""

import json
import os
import unittest

from command import Command


class Engines(Command):
    def test_an_engine_that_is_not_there_is_69_before_anything_runs(self):
        self.synth()
        result = self.run_program(
            "halftone", "page.tif", "plate.tif", "--method", "bayer", "--engine", "gpu", status=69)
        self.assertIn("schedule 'words' runs on a GPU", result.stderr)

    def test_engine_auto_says_why(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "p.tif", "--dry-run", "--explain")
        self.assertIn("engine 'auto': CPU, as its pages are done before a GPU has started",
                      result.stdout)
        result = self.run_program("halftone", "page.tif", "p.tif", "--dry-run", "--explain",
                                  "--engine", "cpu")
        self.assertNotIn("'auto'", result.stdout)

    def test_the_memory_of_a_gpu_has_a_budget(self):
        self.synth()
        self.run_program("halftone", "page.tif", "p.tif", "--device-memory", "256MiB")
        result = self.run_program("halftone", "page.tif", "p.tif", "--device-memory", "lots",
                                  status=64)
        self.assertIn("--device-memory must be a size", result.stderr)

    def test_a_page_without_its_engine_fails_alone(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest(
            "mezzotint: 1\njob: night\ndefaults: {halftone: {method: bayer}}\npages: "
            "[one.tif, {input: two.tif, halftone: {engine: gpu}}]\n")
        hidden = {"CUDA_VISIBLE_DEVICES": ""}
        self.run_program("run", job, status=69, environment=hidden)
        self.assertFalse((self.folder / "plates").exists())
        self.run_program("run", "--keep-going", job, status=1, environment=hidden)
        self.assertEqual(os.listdir(self.folder / "plates"), ["one_black.tif"])


class Calibrate(Command):
    def gpus(self):
        return json.loads(self.run_program("info", "--json").stdout)["gpus"]

    def test_calibration_is_kept_in_the_users_cache(self):
        if not self.gpus():
            self.skipTest("there is no GPU")
        cache = {"XDG_CACHE_HOME": str(self.folder / "cache")}
        result = self.run_program("calibrate", "--json", environment=cache)
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertIn("floyd-steinberg", {row["method"] for row in rows})
        kept = json.loads((self.folder / "cache/mezzotint/gpu-costs.json").read_text())
        self.assertEqual(kept["v"], 1)
        self.assertEqual(set(kept["gpus"][rows[0]["gpu"]]), {row["method"] for row in rows})

    def test_calibration_needs_a_gpu(self):
        if self.gpus():
            self.skipTest("there is one")
        result = self.run_program("calibrate", status=69)
        self.assertIn("calibrate: there is no GPU", result.stderr)


if __name__ == "__main__":
    unittest.main()
