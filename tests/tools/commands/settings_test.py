#!/usr/bin/env python3
"""Settings of halftones, as flags and in manifests. Usage: settings_test.py PROGRAM [unittest options]."""

import json
import struct
import unittest

from command import Command


class Settings(Command):
    def test_a_wrong_value_says_what_is_right(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "p.tif", "--curve", "0:0,50", status=64)
        self.assertIn("0:0,50:54,100:100", result.stderr)
        for curve, said in (("0:0,0.5:0.6,1:1", "write 50% if it is a fraction"),
                            ("0:0,90:95", "must end at 100%"), ("5:5,100:100", "must begin at 0%")):
            result = self.run_program("halftone", "page.tif", "p.tif", "--curve", curve, status=64)
            self.assertIn(said, result.stderr)
        result = self.run_program("halftone", "page.tif", "p.tif", "--method", "threshold",
                                  "--level", "0.45", status=64)
        self.assertIn("write 45% if it is a fraction, or 0.45%", result.stderr)
        result = self.run_program("halftone", "page.tif", "p.tif", "--memory", "lots", status=64)
        self.assertIn("--memory", result.stderr)
        for option in ("--memory", "--device-memory"):
            result = self.run_program("halftone", "page.tif", "p.tif", option, "5", status=64)
            self.assertIn(f"{option} must be at least 1 MiB, found '5'; a number without a unit means bytes",
                          result.stderr)
        result = self.run_program("halftone", "page.tif", "p.tif", "--level", "50", status=64)
        self.assertIn("level", result.stderr)

    def test_parameters_are_read_as_their_kind(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "p.tif", "--method", "bayer", "--order",
                                  "3%", status=64)
        self.assertIn("--order must be a whole number", result.stderr)

    def test_a_misspelt_name_of_a_list_is_answered_with_the_closest_one(self):
        self.synth()
        for words, message in (
                (["--method", "pinwheal"], "'pinwheal'; did you mean 'pinwheel'?"),
                (["--method", "fs"], "; did you mean 'floyd-steinberg'?"),
                (["--method", "Floyd"], "; did you mean 'floyd-steinberg'?"),
                (["--scale", "area"], "--scale has no effect: a page is scaled to --resolution"),
                (["--ppi", "2400"], "unknown option --ppi; did you mean --resolution?"),
                (["--lpi", "175"], "unknown option --lpi; did you mean --ruling?"),
                (["--format", "g4"], "unknown option --format; did you mean --compression?"),
                (["--method", "am", "--angle", "200°"], "parameter 'angle' must be in 0 .. 180 degrees, found 200"),
                (["--engine", "gpuu"], "--engine must be auto, cpu, gpu, handover or hybrid, "
                                       "found 'gpuu'; did you mean 'gpu'?"),
                (["--schedule", "wavefrnt"], "did you mean 'wavefront'?"),
                (["--compression", "LZW"], "found 'LZW'; did you mean 'lzw'?"),
                (["--existing", "reuse"], "--existing must be replace, refuse or overwrite, found 'reuse'; "
                                          "did you mean 'refuse'?"),
                (["--method", "pinwheel", "--path", "sprial"],
                 "--path must be spiral or serpentine, found 'sprial'; did you mean 'spiral'?"),
                (["--method", "pinwheel", "--path", "1"],
                 "--path must be spiral or serpentine, found '1'\n"),
                (["--path", "spiral"],
                 "method 'floyd-steinberg' has no parameter 'path'; it is a parameter of pinwheel")):
            result = self.run_program("halftone", "page.tif", "p.tif", *words, status=64)
            self.assertIn(message, result.stderr)
        self.assertFalse((self.folder / "p.tif").exists())

    def test_a_choice_by_name_is_that_of_the_manifest(self):
        self.synth()
        plates = {}
        for path in ("spiral", "serpentine"):
            self.run_program("halftone", "page.tif", f"{path}-flag.tif", "--method", "pinwheel",
                             "--path", path, "--verify")
            job = self.manifest(f"""\
mezzotint: 1
job: same
pages:
  - {{input: page.tif, halftone: {{method: pinwheel, path: {path}}},
      output: {{path: {path}.tif}}}}
""")
            self.run_program("run", job)
            plates[path] = (self.folder / f"{path}.tif").read_bytes()
            self.assertEqual((self.folder / f"{path}-flag.tif").read_bytes(), plates[path])
            self.assertIn(f"path={path};".encode(), plates[path])
        self.assertNotEqual(plates["spiral"], plates["serpentine"])

    def test_a_parameter_has_hyphens_or_underscores(self):
        self.synth()
        words = ["halftone", "-q", "page.tif", "p.tif", "--method", "pinwheel"]
        for flag in ("--threshold-noise", "--threshold_noise"):
            self.run_program(*words, flag, "20%")
            self.assertIn(b"threshold_noise=20;", (self.folder / "p.tif").read_bytes())
            result = self.run_program(*words, flag, "x", status=64)
            self.assertIn("--threshold-noise must be", result.stderr)

    def test_a_curve_may_be_written_as_in_a_manifest(self):
        self.synth()
        for name, curve in (("a.tif", "0:0,50:54,100:100"),
                            ("b.tif", "[[0%, 0%], [50%, 54%], [100%, 100%]]")):
            self.run_program("halftone", "-q", "--curve", curve, "page.tif", name)
        self.assertEqual((self.folder / "a.tif").read_bytes(), (self.folder / "b.tif").read_bytes())

    def test_every_setting_gives_the_same_plate_as_its_manifest(self):
        self.synth()
        self.run_program("halftone", "page.tif", "flag.tif", "--method", "threshold", "--level",
                         "40%", "--gamma", "0.8", "--curve", "0:0,50:60,100:100", "--compression",
                         "lzw")
        job = self.manifest("""\
mezzotint: 1
job: same
pages:
  - input: page.tif
    halftone: {method: threshold, level: 40%}
    tone: {gamma: 0.8, curve: [[0%, 0%], [50%, 60%], [100%, 100%]]}
    output: {path: manifest.tif, compression: lzw}
""")
        self.run_program("run", job)
        self.assertEqual((self.folder / "flag.tif").read_bytes(),
                         (self.folder / "manifest.tif").read_bytes())

    def test_settings_that_do_not_fit_are_a_mistake_of_the_manifest(self):
        self.synth("one.tif", 300, 200, "--colour", "cmyk")
        for defaults, said, of_run in (
                ("halftone: {method: am, ruling: 175}", "give the plates' resolution, such as 2400 dpi", 65),
                ("output: {path: plates/p.tif}", "put {ink} into output.path", 1)):  # a sheet that failed
            job = self.manifest(f"mezzotint: 1\njob: demo\ndefaults:\n  {defaults}\npages: [one.tif]\n")
            column = 3 + defaults.rindex(": ") + 2
            for command, status in (("check", 65), ("run", of_run)):
                result = self.run_program(command, job, status=status)
                self.assertIn(said, result.stdout + result.stderr)
                self.assertIn(f"{job}:4:{column}: ", result.stdout + result.stderr)
        said = self.run_program("halftone", "--method", "am", "--ruling", "175", "one.tif", "p.tif", status=64).stderr
        self.assertIn("2400 dpi", said)
        self.assertIn("--ruling: ", said)

    def test_a_setting_of_an_ink_is_shown_where_it_is_written(self):
        self.synth("one.tif", 300, 200, "--colour", "cmyk")
        job = self.manifest("mezzotint: 1\njob: demo\ndefaults:\n  halftone: {method: am, ruling: 30}\n"
                            "  inks: {magenta: {halftone: {method: am, ruling: 175}}}\npages: [one.tif]\n")
        self.assertIn(f"{job}:5:51: ", self.run_program("check", job, status=65).stdout)

    def test_check_finds_all_mistakes(self):
        self.synth("good.tif")
        (self.folder / "damaged.tif").write_bytes(b"II*\0 and then nothing of use")
        job = self.manifest("mezzotint: 1\njob: demo\npages:\n  - missing.tif\n  - damaged.tif\n  - good.tif\n")
        result = self.run_program("check", job, status=65)
        self.assertIn(f"{job}:4:5: input 'missing.tif' does not exist\n", result.stderr)  # and a caret
        said = result.stdout
        self.assertIn("export the page again", said)
        self.assertTrue(said.endswith("\n2 of 3 sheets cannot run.\n"), said)

    def test_curves_without_a_press_cost_one_page(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest("mezzotint: 1\njob: demo\npages:\n  - one.tif\n"
                            "  - {input: two.tif, curves: {paper: x}}\n")
        self.assertIn("'curves' has no effect", self.run_program("run", job, status=65).stderr)
        said = self.run_program("run", "--keep-going", job, status=1)
        self.assertIn(f"{job}:5:38: 'curves' has no effect", said.stderr)
        self.assertIn("1 plate", said.stdout)

    def test_the_most_that_a_manifest_may_ask_for(self):
        self.synth("one.tif", 700, 900)
        self.synth("two.tif", 900, 300)
        job = self.manifest(self.JOB + "limits: {memory: 4 GiB, threads: 64}\n")
        for words, expected in (([], (4 << 30, 64)),
                                (["--most-memory", "64MiB", "--most-threads", "1"], (64 << 20, 1)),
                                (["--most-memory", "8GiB", "--most-threads", "99"], (4 << 30, 64))):
            result = self.run_program("run", "--dry-run", "--json", job, *words)
            plan = next(line for line in map(json.loads, result.stdout.splitlines())
                        if line.get("type") == "plan")
            self.assertEqual((plan["memory_bytes"], plan["threads"]), expected)


class Tile(Command):
    def test_a_tile_gives_the_same_plate_from_flags_manifest_and_press(self):
        self.synth()
        (self.folder / "screens").mkdir()
        self.synth("screens/house.tif", 61, 40)
        self.run_program("halftone", "--verify", "page.tif", "flag.tif", "--method", "tile", "--tile",
                         "screens/house.tif", "--shift", "7")
        halftone = "halftone: {method: tile, file: %s, shift: 7}"
        (self.folder / "screens/press.yaml").write_text(
            "mezzotint-press: 1\nname: P\n" + halftone % "house.tif" + "\n")
        head = "mezzotint: 1\njob: same\n"
        for name, text in (
                ("manifest", f"{head}defaults: {{{halftone % 'screens/house.tif'}}}\n"),
                ("press", f"{head}press: screens/press.yaml\n")):
            job = self.manifest(text + f"pages:\n  - {{input: page.tif, output: {{path: {name}.tif}}}}\n")
            checked = self.run_program("check", job).stdout
            self.assertRegex(checked, r"thresholds: house\.tif, 61 x 40 px, \d+ levels, tints true to")
            self.run_program("run", job)
            plates = [(self.folder / f"{one}.tif").read_bytes() for one in ("flag", name)]
            end = struct.unpack("<I", plates[0][4:8])[0]  # of the pixels: tags name the press
            self.assertEqual(plates[0][:end], plates[1][:end], name)
        self.assertIn(b'method=tile; shift=7; values=thresholds; file="house.tif"; file-xxh3=',
                      (self.folder / "flag.tif").read_bytes())

    def test_a_tile_that_changed_makes_its_plates_again(self):
        self.synth()
        self.synth("house.tif", 61, 40)
        job = self.manifest("mezzotint: 1\njob: same\npages:\n  - {input: page.tif, output: {path: "
                            "p.tif}, halftone: {method: tile, file: house.tif}}\n")
        self.run_program("run", job)
        first = (self.folder / "p.tif").read_bytes()
        self.run_program("run", job)
        self.assertEqual((self.folder / "p.tif").read_bytes(), first)
        self.synth("house.tif", 61, 41)
        self.run_program("run", job)
        self.assertNotEqual((self.folder / "p.tif").read_bytes(), first)

    def test_a_tile_is_refused_without_its_method_and_the_method_without_its_tile(self):
        self.synth()
        for words, status, said in (
                (["--tile", "page.tif"], 64, "--tile is for methods that take a file of thresholds, and "
                                             "floyd-steinberg does not; add --method tile"),
                (["--method", "tile"], 64, "the file of its thresholds is missing"),
                (["--method", "tile", "--tile", "no.tif"], 66, "no.tif"),
                (["--method", "tile", "--tile", "page.tif", "--shift", "300"], 64,
                 "'shift' is 300 px, and must be below the width of the tile, 300 px")):
            result = self.run_program("halftone", "page.tif", "p.tif", *words, status=status)
            self.assertIn(said, result.stderr)


if __name__ == "__main__":
    unittest.main()
