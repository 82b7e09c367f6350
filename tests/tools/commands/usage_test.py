#!/usr/bin/env python3
"""What is said of a wrong command line, and how messages are written. Usage: usage_test.py PROGRAM [unittest options]."""

import json
import os
import subprocess
import unittest

from command import PROGRAM, Command


class Usage(Command):
    def test_no_command_is_a_usage_error_in_one_line(self):
        result = self.run_program(status=64)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("mezzotint --help", result.stderr)

    def test_a_flag_with_a_wrong_value_is_a_mistake_of_usage(self):
        self.synth()
        for words in (("run", "--quiet=maybe", "job.yaml"), ("status", "--json=x", "job.plan"),
                      ("halftone", "--invert=x", "page.tif", "plate.tif"),
                      ("run", "--fresh=x", "job.yaml")):
            with self.subTest(words=words):
                flag = words[1].split("=")[0]
                result = self.run_program(*words, status=64)
                self.assertIn(f"{flag} is a flag and takes no value", result.stderr)
                self.assertEqual(result.stdout, "")

    def test_an_empty_name_of_a_press_is_no_press(self):
        result = self.run_program("run", "--press", "", "job.yaml", status=64)
        self.assertIn("--press must name a file", result.stderr)

    def test_help_on_two_topics_asks_for_one(self):
        result = self.run_program("help", "methods", "engines", status=64)
        self.assertIn("one topic at a time: mezzotint help methods", result.stderr)

    def test_an_unknown_flag_names_itself(self):
        result = self.run_program("run", "--frobnicate", "job.yaml", status=64)
        self.assertIn("--frobnicate", result.stderr)
        self.assertIn("mezzotint run --help", result.stderr)

    def test_an_unknown_command_is_named_with_the_closest_one(self):
        result = self.run_program("halfton", "a.tif", "b.tif", status=64)
        self.assertIn("there is no command 'halfton'; did you mean 'halftone'?", result.stderr)

    def test_an_unknown_option_is_named_with_the_closest_one_before_anything_else_is_wrong(self):
        for words, message in (
                (["halftone", "--metod", "bayer", "a.tif", "b.tif"],
                 "unknown option --metod; did you mean --method?"),
                (["halftone", "--slab-row", "8", "a.tif"],
                 "unknown option --slab-row; did you mean --slab-rows?"),
                (["run", "--tread=3"], "unknown option --tread; did you mean --threads?"),
                (["-V"], "unknown option -V; see mezzotint --help"),
                (["jobs", "lst"], "there is no command 'lst'; did you mean 'list'?"),
                (["rnu", "job.yaml"], "there is no command 'rnu'; did you mean 'run'?"),
                (["halftone", "a.tif"], "OUT is missing; see mezzotint halftone --help"),
                (["cancel", "a", "b"], "unexpected argument 'b'; see mezzotint cancel --help")):
            self.assertEqual(self.run_program(*words, status=64).stderr,
                             f"mezzotint: error: {message}\n")

    def test_a_wrong_command_line_is_json_when_results_are(self):
        result = self.run_program("run", "--json", "--frobnicate", status=64)
        self.assertEqual(json.loads(result.stdout)["kind"], "usage")

    def test_times_that_are_none_are_64(self):
        self.synth("one.tif")
        job = self.manifest("mezzotint: 1\njob: a\npages: [one.tif]\n")
        for words in (["--deadline", "6"], ["--deadline", "25:00"], ["--window", "night"],
                      ["--reserve", "much"]):
            result = self.run_program("run", *words, job, status=64)
            self.assertIn(words[0] + " must be", result.stderr)

    def test_the_old_spelling_says_where_they_are(self):
        for words in (["bench", "calibrate"], ["--json", "bench", "search", "--side", "24"],
                      ["bench", "--help"]):
            result = self.run_program(*words, status=64)
            self.assertIn("'mezzotint calibrate'", result.stderr)
            self.assertIn("mezzotint-lab", result.stderr)
            self.assertEqual(result.stdout, "")


class Messages(Command):
    def test_messages_are_json_when_asked_for(self):
        self.synth()
        bad = self.manifest("mezzotint: 1\njob: a\npages:\n  - {input: page.tif, bogus: 1}\n")
        for words, status, message in (
                (["halftone", "page.tif", "plate.tif"], 0, "plate.tif"),
                (["halftone", "none.tif", "plate.tif"], 66, "none.tif"),
                (["run", bad], 65, "job.yaml:4:23: "),
                (["run", "--frobnicate", bad], 64, "--frobnicate"),
                (["run", bad, "--threads"], 64, "--threads"),
                (["halfton"], 64, "did you mean 'halftone'?")):
            for where in (["--log-json", *words], [*words[:1], "--log-json", *words[1:]]):
                lines = self.run_program(*where, status=status).stderr.splitlines()
                messages = [json.loads(line) for line in lines]
                self.assertTrue(messages, where)
                self.assertIn(message, "\n".join(one["message"] for one in messages))
                for one in messages:
                    self.assertEqual(one["level"], "error" if status else "info")
                    self.assertRegex(one["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
                    self.assertGreater(one["pid"], 0)

    def test_standard_error_in_the_journal_has_priorities(self):
        with open(self.folder / "log", "w+b") as log:
            of = os.fstat(log.fileno())
            subprocess.run([PROGRAM, "info", "--bogus"], stderr=log, timeout=600, check=False,
                           env={**os.environ, "JOURNAL_STREAM": f"{of.st_dev}:{of.st_ino}"})
        text = (self.folder / "log").read_text(encoding="utf-8")
        self.assertRegex(text, r"^<3>[^\n]*--bogus[^\n]*\n$")

    def test_colour_only_on_terminals(self):
        result = self.run_program("run", "no.yaml", status=66)
        self.assertNotIn("\033", result.stderr)

    def test_quiet_says_nothing(self):
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "-q", self.manifest(self.JOB))
        self.assertEqual(result.stdout + result.stderr, "")


if __name__ == "__main__":
    unittest.main()
