#!/usr/bin/env python3
"""Help, and what the program says of itself. Usage: help_test.py PROGRAM [unittest options]."""

import json
import unittest

from command import Command


class Help(Command):
    def test_help_and_version_are_results(self):
        self.assertIn("halftone", self.run_program("--help").stdout)
        self.assertRegex(self.run_program("--version").stdout, r"^mezzotint \d+\.\d+\.\d+\n$")
        for command in ("run", "check", "halftone", "screen", "synth", "info", "schema",
                        "calibrate"):
            self.assertIn("--help", self.run_program(command, "--help").stdout)

    def test_help_is_to_be_had_on_commands_and_topics(self):
        self.assertEqual(self.run_program("help").stdout, self.run_program("--help").stdout)
        self.assertEqual(self.run_program("help", "run").stdout,
                         self.run_program("run", "--help").stdout)
        self.assertEqual(self.run_program("help", "jobs", "retry").stdout,
                         self.run_program("jobs", "retry", "--help").stdout)
        for topic, word in (("methods", "floyd-steinberg"), ("engines", "handover"),
                            ("manifest", "pages_total"), ("exit-status", "75"),
                            ("environment", "XDG_STATE_HOME")):
            self.assertIn(word, self.run_program("help", topic).stdout)
        result = self.run_program("help", "metods", status=64)
        self.assertIn("there is no help on 'metods'; did you mean 'methods'?", result.stderr)

    def test_help_fits_a_terminal_and_shows_examples(self):
        for command in ("run", "watch", "submit", "halftone", "compare"):
            text = self.run_program("help", command).stdout
            self.assertLessEqual(max(map(len, text.splitlines())), 80, text)
            self.assertNotRegex(text, "TEXT|UINT|FLOAT|REQUIRED")
            self.assertIn("\nExamples:\n  mezzotint ", text)

    def test_help_shows_the_parameters_of_the_method_that_is_asked_for(self):
        text = self.run_program("halftone", "--help").stdout
        self.assertIn("  bayer            ordered dither, dispersed dots in a regular matrix\n", text)
        self.assertIn("mezzotint halftone --method", text)
        self.assertNotIn("--order", text.split("Examples:")[0])
        self.assertRegex(text, r"--engine NAME +Where to run: auto, cpu, gpu, handover or hybrid;"
                               r"\s+default: auto\n")
        text = self.run_program("halftone", "--method", "pinwheel", "--help").stdout
        section = text[text.index("Parameters of pinwheel:"):]
        self.assertRegex(section, r"\n  --seed N +seed of the noise; 0..4294967295, default 0\n")
        self.assertRegex(section, r"\n  --path NAME +walk through a block; spiral or serpentine,\s+"
                                  r"default\s+spiral\n")
        self.assertRegex(section, r"\n  --threshold-noise N% ")
        self.assertNotIn("--order", section.split("Examples:")[0])

    def test_help_has_no_command_of_the_lab(self):
        text = self.run_program("--help").stdout
        self.assertIn("calibrate", text)
        for command in ("bench", "train"):
            self.assertNotRegex(text, rf"(?m)^ *{command}\b")
        self.run_program("train", status=64)

    def test_schema_is_of_manifests_hot_folders_or_presses(self):
        of_jobs = json.loads(self.run_program("schema").stdout)
        of_folders = json.loads(self.run_program("schema", "--folder").stdout)
        self.assertEqual(of_jobs["required"], ["mezzotint", "job", "pages"])
        self.assertEqual(of_folders["required"], ["mezzotint"])
        self.assertIn("hours", of_folders["properties"])
        of_presses = json.loads(self.run_program("schema", "--press").stdout)
        self.assertEqual(of_presses["required"], ["mezzotint-press", "name"])
        self.assertIn("resolution", of_presses["properties"])
        self.run_program("schema", "--press", "--folder", status=64)

    def test_info_says_what_is_there(self):
        text = self.run_program("info").stdout
        for word in ("processor", "SIMD", "GPU", "libtiff", "limits", "floyd-steinberg"):
            self.assertIn(word, text)
        told = json.loads(self.run_program("info", "--json").stdout)
        self.assertEqual(told["v"], 1)
        for library, version in told["libraries"].items():
            self.assertRegex(version, r"^\d+\.", library)


if __name__ == "__main__":
    unittest.main()
