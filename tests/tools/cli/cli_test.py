#!/usr/bin/env python3
"""The program as a user meets it: statuses, messages, files. Usage: cli_test.py PROGRAM [unittest args]."""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
import xml.etree.ElementTree
import zlib

PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()

# Journals of the jobs that are run here; tests know each other's manifests by their folders.
STATE_FOLDER = tempfile.TemporaryDirectory(prefix="mezzotint-cli-state-")
STATE = {"XDG_STATE_HOME": STATE_FOLDER.name, "STATE_DIRECTORY": ""}


class Cli(unittest.TestCase):
    """Each test has an empty folder of its own, and runs the program in it."""

    def setUp(self):
        self._scratch = tempfile.TemporaryDirectory(prefix="mezzotint-cli-")
        self.folder = pathlib.Path(self._scratch.name)
        self.addCleanup(self._scratch.cleanup)

    def run_program(self, *words, status=0, environment=None):
        result = subprocess.run(
            [PROGRAM, *words], cwd=self.folder, capture_output=True, text=True, timeout=120,
            env={**os.environ, **STATE, **(environment or {})}, check=False)
        self.assertEqual(result.returncode, status, f"{words}\n{result.stdout}\n{result.stderr}")
        return result

    def synth(self, name="page.tif", width=300, height=200, *more):
        self.run_program("synth", name, "--width", str(width), "--height", str(height), *more)

    def manifest(self, text, name="job.yaml"):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def leftovers(self):
        return [str(path) for path in self.folder.rglob("*.part")]

    def write_tiff(self, name, samples, photometric, extra=(), size=(8, 4), compression=1,
                   data=None, photoshop=b""):
        """An 8-bit TIFF of one strip, with a value of ExtraSamples for each that is extra."""
        if data is None:
            data = bytes(range(size[0] * size[1] * samples))
        bits = struct.pack(f"<{samples}H", *[8] * samples)
        kinds = struct.pack(f"<{len(extra)}H", *extra)
        tags = [(256, 3, 1, size[0]), (257, 3, 1, size[1]), (258, 3, samples, bits),
                (259, 3, 1, compression), (262, 3, 1, photometric), (273, 4, 1, None),
                (277, 3, 1, samples), (278, 3, 1, size[1]),
                (279, 4, 1, len(data))]
        if extra:
            tags.append((338, 3, len(extra), kinds))
        if photoshop:
            tags.append((34377, 7, len(photoshop), photoshop))
        end = 8 + 2 + 12 * len(tags) + 4
        fields, behind = b"", b""
        for tag, kind, count, value in tags:
            if isinstance(value, bytes):
                if len(value) > 4:
                    behind, value = behind + value, struct.pack("<I", end + len(behind))
                value = value.ljust(4, b"\0")
            else:
                value = struct.pack("<I", end + 256 if value is None else value)
            fields += struct.pack("<HHI", tag, kind, count) + value
        head = struct.pack("<2sHIH", b"II", 42, 8, len(tags)) + fields + bytes(4)
        (self.folder / name).write_bytes(head + behind.ljust(256, b"\0") + data)


class ComparePage(Cli):
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


class Gallery(Cli):
    METHODS = ["floyd-steinberg", "bayer:order=2", "fm"]

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


class Usage(Cli):
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
            subprocess.run([PROGRAM, "info", "--bogus"], stderr=log, timeout=60, check=False,
                           env={**os.environ, "JOURNAL_STREAM": f"{of.st_dev}:{of.st_ino}"})
        text = (self.folder / "log").read_text(encoding="utf-8")
        self.assertRegex(text, r"^<3>[^\n]*--bogus[^\n]*\n$")

    def test_info_says_what_is_there(self):
        text = self.run_program("info").stdout
        for word in ("processor", "SIMD", "GPU", "libtiff", "limits", "floyd-steinberg"):
            self.assertIn(word, text)
        told = json.loads(self.run_program("info", "--json").stdout)
        self.assertEqual(told["v"], 1)
        for library, version in told["libraries"].items():
            self.assertRegex(version, r"^\d+\.", library)


class Halftone(Cli):
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

    def test_one_file_without_a_manifest(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "plate.tif", "--verify")
        self.assertTrue((self.folder / "plate.tif").exists())
        self.assertIn("1 plate", result.stdout)
        self.assertEqual(self.leftovers(), [])

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

    def test_an_engine_that_is_not_there_is_69_before_anything_runs(self):
        self.synth()
        result = self.run_program(
            "halftone", "page.tif", "plate.tif", "--method", "bayer", "--engine", "gpu", status=69)
        self.assertIn("schedule 'words' runs on a GPU", result.stderr)

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
        result = self.run_program("halftone", "page.tif", "p.tif", "--level", "50", status=64)
        self.assertIn("level", result.stderr)

    def test_the_page_on_its_plate(self):
        self.synth()
        for options, status, said in (
                (("--crop", "1,2,3"), 64, "must be LEFT,TOP,WIDTH,HEIGHT in mm"),
                (("--crop", "1,2,0,3"), 64, "must keep more than 0 mm"),
                (("--trim", "1in"), 64, "must be MARGIN or LEFT,TOP,RIGHT,BOTTOM in mm"),
                (("--rotate", "45"), 64, "must be 0, 90, 180 or 270, found '45'"),
                (("--copies", "3"), 64, "must be ACROSSxDOWN"),
                (("--gap", "1001"), 64, "must be at most 1000 mm"),
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
                (["--existing", "reuse"], "--existing must be replace or refuse, found 'reuse'; "
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

    def test_a_parameter_has_hyphens_or_underscores(self):
        self.synth()
        words = ["halftone", "-q", "page.tif", "p.tif", "--method", "pinwheel"]
        for flag in ("--threshold-noise", "--threshold_noise"):
            self.run_program(*words, flag, "20%")
            self.assertIn(b"threshold_noise=20;", (self.folder / "p.tif").read_bytes())
            result = self.run_program(*words, flag, "x", status=64)
            self.assertIn("--threshold-noise must be", result.stderr)

    def test_a_folder_is_no_plate(self):
        self.synth()
        said = self.run_program("halftone", "page.tif", "out/", status=64).stderr
        self.assertIn("OUT must name a file, found the folder 'out/'; for example out/page.tif", said)

    def test_a_curve_may_be_written_as_in_a_manifest(self):
        self.synth()
        for name, curve in (("a.tif", "0:0,50:54,100:100"),
                            ("b.tif", "[[0%, 0%], [50%, 54%], [100%, 100%]]")):
            self.run_program("halftone", "-q", "--curve", curve, "page.tif", name)
        self.assertEqual((self.folder / "a.tif").read_bytes(), (self.folder / "b.tif").read_bytes())

    def test_inks_go_before_the_suffix(self):
        self.synth("page.tif", 100, 80, "--colour", "cmyk")
        self.run_program("halftone", "page.tif", "out/plate.tif")
        names = sorted(path.name for path in (self.folder / "out").iterdir())
        self.assertEqual(names, ["plate_black.tif", "plate_cyan.tif", "plate_magenta.tif",
                                 "plate_yellow.tif"])

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

    def test_dry_run_shows_the_plan_and_writes_nothing(self):
        self.synth()
        result = self.run_program("halftone", "page.tif", "plate.tif", "--dry-run", "--explain")
        for word in ("plate.tif", "memory", "disk", "schedule wavefront", "300 x 200"):
            self.assertIn(word, result.stdout)
        self.assertFalse((self.folder / "plate.tif").exists())


class Run(Cli):
    JOB = """\
mezzotint: 1
job: demo
defaults:
  output: {path: "plates/{stem}.tif"}
pages:
  - one.tif
  - two.tif
"""

    def test_a_good_job(self):
        self.synth("one.tif")
        self.synth("two.tif", 64, 900)
        result = self.run_program("run", self.manifest(self.JOB))
        self.assertIn("demo: 2 plates", result.stdout)
        self.assertTrue((self.folder / "plates/one.tif").exists())
        self.assertTrue((self.folder / "plates/two.tif").exists())

    def test_a_page_that_fails_is_1_and_the_others_go_on(self):
        self.synth("one.tif")
        (self.folder / "two.tif").write_bytes(b"II*\0 and then nothing of use")
        result = self.run_program("run", self.manifest(self.JOB), status=1)
        self.assertIn("two.tif", result.stderr)
        self.assertIn("1 sheet of 2 failed", result.stdout)
        self.assertTrue((self.folder / "plates/one.tif").exists())
        self.assertFalse((self.folder / "plates/two.tif").exists())
        self.assertEqual(self.leftovers(), [])

    def test_mistakes_of_a_manifest_have_their_place(self):
        job = self.manifest("mezzotint: 1\njob: demo\npages:\n  - {inptu: one.tif}\n")
        result = self.run_program("run", job, status=65)
        self.assertIn("job.yaml:4:6: ", result.stderr)
        self.assertIn("input", result.stderr)

    def test_a_missing_manifest_is_66(self):
        self.assertIn("no.yaml", self.run_program("run", "no.yaml", status=66).stderr)

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

    def test_json_lines(self):
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "--json", self.manifest(self.JOB))
        objects = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertTrue(all(item["v"] == 1 for item in objects))
        sheets = [item for item in objects if item["type"] == "sheet"]
        self.assertEqual([item["ok"] for item in sheets], [True, True])
        self.assertEqual(len(sheets[0]["plates"][0]["content_sum"]), 32)
        self.assertEqual(sum(item["type"] == "begun" for item in objects), 2)
        self.assertLessEqual({item["type"] for item in objects}, {"begun", "pulse", "sheet", "job"})
        self.assertEqual(objects[-1]["type"], "job")
        self.assertTrue(objects[-1]["ok"])

    def test_a_job_goes_on_where_it_was_left(self):
        self.synth("one.tif")
        self.synth("two.tif")
        self.run_program("run", self.manifest(self.JOB))
        again = self.run_program("run", "--resume", "job.yaml")
        self.assertIn("all 2 sheets were made before", again.stdout)
        (self.folder / "plates" / "one.tif").unlink()
        rest = self.run_program("run", "job.yaml")
        self.assertIn("one.tif is gone, so it is made again", rest.stderr)
        self.assertIn("1 plate,", rest.stdout)
        self.assertIn("1 sheet made before", rest.stdout)
        fresh = self.run_program("run", "--fresh", "job.yaml")
        self.assertIn("2 plates,", fresh.stdout)
        self.run_program("run", "--fresh", "--resume", "job.yaml", status=64)

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

    def test_settings_that_do_not_fit_are_a_mistake_of_the_manifest(self):
        self.synth("one.tif", 300, 200, "--colour", "cmyk")
        for defaults, said, of_run in (
                ("halftone: {method: am, ruling: 175}", "give the resolution of the plates, such as 2400 dpi", 65),
                ("output: {path: plates/p.tif}", "output.path must contain {ink}", 1)):  # a sheet that failed
            job = self.manifest(f"mezzotint: 1\njob: demo\ndefaults:\n  {defaults}\npages: [one.tif]\n")
            self.assertIn(said, self.run_program("check", job, status=65).stdout)
            self.assertIn(said, self.run_program("run", job, status=of_run).stderr)
        self.assertIn("2400 dpi", self.run_program("halftone", "--method", "am", "--ruling", "175", "one.tif",
                                                   "p.tif", status=64).stderr)

    def test_an_old_plate_among_the_pages_is_a_warning(self):
        self.synth("one.tif")
        self.run_program("halftone", "-q", "one.tif", "old.tif")
        result = self.run_program(
            "run", self.manifest('mezzotint: 1\njob: demo\npages: ["*.tif"]\n'))
        self.assertIn("old.tif: it is a plate that mezzotint made", result.stderr)
        self.assertNotIn("one.tif: it is a plate", result.stderr)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_check_looks_whether_plates_can_be_made(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest(self.JOB)
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.assertIn("cannot be written to", self.run_program("check", job, status=73).stdout)

    def test_plates_have_the_start_of_their_job_until_all_are_made(self):
        self.synth("one.tif")
        (self.folder / "two.tif").write_bytes(b"II*\0 and then nothing of use")
        job = self.manifest(self.JOB.replace("{stem}", "{date}/{time}/{id}/{stem}"))

        def folders():
            found = {path.parent for path in (self.folder / "plates").rglob("*.tif")}
            return sorted(str(path.relative_to(self.folder / "plates")) for path in found)
        self.run_program("run", job, status=1)
        first, = folders()
        self.assertRegex(first, r"^\d{4}-\d\d-\d\d/\d\d-\d\d-\d\d/\d{8}-\d{6}-[0-9a-f]{16}$")
        time.sleep(1.1)
        (self.folder / "two.tif").unlink()
        self.synth("two.tif")
        self.assertIn("1 sheet made before", self.run_program("run", job).stdout)
        self.assertEqual(folders(), [first])
        self.run_program("run", "--job-id", "NEXT", job)  # another job, as all was made
        self.assertEqual([name.endswith("/NEXT") for name in folders()].count(True), 1)
        self.run_program("run", "--job-id", "../up", job, status=64)
        said = self.run_program("submit", "--engine", "none", job, status=65).stderr
        self.assertIn("{date}, {time} or {id}", said)

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
        self.assertIn("job.yaml:3: input 'tow.tif' does not exist; did you mean 'two.tif'?",
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

    def test_jobs_go_by_their_priority(self):
        self.synth("one.tif")
        names = []
        for name, priority in (("low", 10), ("usual", 50), ("high", 90)):
            names.append(self.manifest(
                f"mezzotint: 1\njob: {name}\npriority: {priority}\n"
                f"pages: [{{input: one.tif, output: {{path: 'plates/{name}.tif'}}}}]\n",
                f"{name}.yaml"))
        result = self.run_program("run", *names)
        jobs = [line.split(":")[0] for line in result.stdout.splitlines()]
        self.assertEqual(jobs, ["high", "usual", "low"])

    def test_pages_begin_within_the_window_alone(self):
        self.synth("one.tif")
        job = self.manifest("mezzotint: 1\njob: a\npages: [one.tif]\n")
        hour = time.localtime().tm_hour
        later = f"{(hour + 2) % 24:02}:00-{(hour + 3) % 24:02}:00"
        process = subprocess.Popen([PROGRAM, "run", "--window", later, job], cwd=self.folder,
                                   stderr=subprocess.PIPE, env={**os.environ, **STATE}, text=True)
        self.assertIn(f"when {later} begins", process.stderr.readline())
        process.terminate()
        self.assertEqual(process.wait(timeout=30), 143)
        process.stderr.close()
        self.assertFalse((self.folder / "plates").exists())
        now = f"{hour:02}:00-{(hour + 2) % 24:02}:00"
        self.run_program("run", "--window", now, "--deadline", f"{(hour + 2) % 24:02}:30", job)
        self.assertTrue((self.folder / "plates" / "one_black.tif").exists())

    def test_times_that_are_none_are_64(self):
        self.synth("one.tif")
        job = self.manifest("mezzotint: 1\njob: a\npages: [one.tif]\n")
        for words in (["--deadline", "6"], ["--deadline", "25:00"], ["--window", "night"],
                      ["--reserve", "much"]):
            result = self.run_program("run", *words, job, status=64)
            self.assertIn(words[0] + " must be", result.stderr)

    def test_a_confined_job_stays_in_its_folder(self):
        inside = self.folder / "in"
        inside.mkdir()
        self.synth("in/one.tif")
        self.synth("secret.tif")
        os.symlink("../secret.tif", inside / "link.tif")
        for page in ("../secret.tif", str(self.folder / "secret.tif"), "link.tif"):
            job = self.manifest(f"mezzotint: 1\njob: a\npages: ['{page}']\n", "in/job.yaml")
            self.run_program("run", "--within", "in", job, status=65)
        job = self.manifest("mezzotint: 1\njob: a\npages: [one.tif]\n", "in/job.yaml")
        self.run_program("run", "--within", "in", "--plates", "out", "--report", "reports", job)
        made = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*.*")
                      if path.is_file() and not path.is_symlink())
        self.assertEqual(made, ["in/job.yaml", "in/one.tif", "out/plates/one_black.tif",
                                "reports/ink_use.csv", "reports/report.html",
                                "reports/report.json", "reports/thumbnail.jpg",
                                "secret.tif"])

    def test_a_reserve_that_no_disk_has_is_75(self):
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "--reserve", "4000 TB", self.manifest(self.JOB), status=75)
        self.assertIn("make room there", result.stderr)
        self.assertFalse((self.folder / "plates").exists())

    def test_streams_that_are_closed_are_not_taken_by_files(self):
        self.synth("one.tif")
        self.synth("two.tif")
        job = self.manifest(self.JOB)
        self.run_program("run", job, "--fresh")
        made = {path.name: path.read_bytes() for path in (self.folder / "plates").iterdir()}
        for closed, words, status in (("<&- >&- 2>&-", ["-q"], 0), ("<&- >&- 2>&-", ["--json"], 74),
                                      (">&-", ["--json"], 74)):
            (self.folder / "plates/one.tif").unlink()
            result = subprocess.run(
                ["sh", "-c", f'exec "$@" {closed}', "sh", PROGRAM, "run", *words, "--fresh",
                 "--journal", "run.db", job],
                cwd=self.folder, env={**os.environ, **STATE}, timeout=120, check=False)
            self.assertEqual(result.returncode, status, (closed, words))
            self.assertEqual({path.name: path.read_bytes()
                              for path in (self.folder / "plates").iterdir()}, made)
            self.assertNotIn(b"{", (self.folder / "run.db.lock").read_bytes())

    def test_proofs_of_plates_with_absurd_resolutions_are_refused(self):
        self.synth("page.tif")
        self.run_program("halftone", "page.tif", "plate.tif")
        plate = bytearray((self.folder / "plate.tif").read_bytes())
        directory, = struct.unpack_from("<I", plate, 4)
        entries = (directory + 2 + 12 * i for i in range(plate[directory]))
        place = {struct.unpack_from("<H", plate, entry)[0]: struct.unpack_from("<I", plate, entry + 8)[0]
                 for entry in entries}
        for tag, fraction in ((282, (1, 4294967295)), (283, (300, 540765793)), (282, (4000000, 1))):
            changed = bytearray(plate)
            struct.pack_into("<II", changed, place[tag], *fraction)
            (self.folder / "odd.tif").write_bytes(changed)
            for proof in ("proof.png", "proof.tif"):
                self.assertIn("10 to 10000 dpi", self.run_program(
                    "proof", "odd.tif", "-o", proof, status=65).stderr)

    def test_results_that_cannot_be_written_are_74(self):
        self.synth("one.tif")
        self.synth("two.tif")
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([PROGRAM, "run", "--json", self.manifest(self.JOB)],
                                    cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                    env={**os.environ, **STATE}, timeout=60, check=False)
        self.assertEqual(result.returncode, 74)
        self.assertIn(b"standard output", result.stderr)

    def test_json_has_errors_and_plans_too(self):
        result = self.run_program("run", "--json", "no.yaml", status=66)
        self.assertEqual(json.loads(result.stdout)["kind"], "missing")
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "--json", "--explain", self.manifest(self.JOB))
        types = [json.loads(line)["type"] for line in result.stdout.splitlines()]
        self.assertEqual(types[:3], ["sheet-plan", "sheet-plan", "plan"])
        self.assertEqual((types.count("sheet"), types[-1]), (2, "job"))

    def test_a_channel_without_a_plate_is_refused_unless_it_may_be_left_out(self):
        job = "mezzotint: 1\njob: tin\ndefaults: {output: {path: 'plates/{stem}_{ink}.tif'}%s}\n" \
              "pages: [tin.tif]\n"
        for extra, channels in (((0, 0), "2 channels"), ((2,), "1 channel")):
            self.write_tiff("tin.tif", 4 + len(extra), 5, extra)
            for command in ("check", "run"):
                result = self.run_program(command, self.manifest(job % ""),
                                          status=65 if command == "check" else 1)
                said = result.stdout + result.stderr
                self.assertIn(f"page 1 has {channels} beside its inks", said)
                self.assertIn("'extra_channels: inks' (--extra-channels inks)", said)
                self.assertIn("extra_channels: ignore", said)
            self.assertFalse((self.folder / "plates").exists())
            self.run_program("run", "--fresh", self.manifest(job % ", extra_channels: ignore"))
            self.assertEqual(len(list((self.folder / "plates").iterdir())), 4)
            self.run_program("halftone", "tin.tif", "out/{ink}.tif", status=65)
            self.run_program("halftone", "--extra-channels", "ignore", "tin.tif", "out/{ink}.tif")
            self.assertEqual(len(list((self.folder / "out").iterdir())), 4)
            shutil.rmtree(self.folder / "plates")
            shutil.rmtree(self.folder / "out")

    def write_spots(self, name, kinds=(2, 2), names=("PANTONE 185 C", "Wei\u00df")):
        """CMYK and two channels that Photoshop describes; returns the samples, a list a channel."""
        def block(number, data):
            return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + bytes(len(data) % 2)

        texts = [(text + "\0").encode("utf-16-be") for text in names]
        display = b"".join(struct.pack(">H8sHB", 2, bytes(8), 100, kind) for kind in kinds)
        size = (24, 10)
        # Away from the threshold of a half, whose side is the business of tests/kernels.
        levels = (0, 20, 100, 155, 230, 255)
        channels = [[levels[(3 * i * i + 5 * i + 7 * c + i // (c + 2)) % 6]
                     for i in range(size[0] * size[1])] for c in range(6)]
        self.write_tiff(
            name, 6, 5, (0, 0), size, data=bytes(v for pixel in zip(*channels) for v in pixel),
            photoshop=block(1045, b"".join(struct.pack(">I", len(t) // 2) + t for t in texts)) +
            block(1077, struct.pack(">I", 1) + display))
        return size, channels

    def plate_bits(self, path, size):
        """The ink of an uncompressed plate, a number a pixel."""
        plate = path.read_bytes()
        at, = struct.unpack_from("<I", plate, 4)
        tags = {}
        for i in range(struct.unpack_from("<H", plate, at)[0]):
            tag, kind, count, value = struct.unpack_from("<HHII", plate, at + 2 + 12 * i)
            width = {3: 2, 4: 4}.get(kind, 1)
            form = f"<{count}{ {1: 'B', 2: 'H', 4: 'I'}[width] }"
            where = value if width * count > 4 else at + 2 + 12 * i + 8
            tags[tag] = struct.unpack_from(form, plate, where)
        self.assertEqual((tags[256][0], tags[257][0], tags[259][0]), (*size, 1))
        rows = b"".join(plate[o:o + n] for o, n in zip(tags[273], tags[279]))
        stride = (size[0] + 7) // 8
        bits = [rows[y * stride + x // 8] >> (7 - x % 8) & 1
                for y in range(size[1]) for x in range(size[0])]
        self.assertIn(tags[262][0], (0, 1))
        return bits if tags[262][0] == 0 else [1 - bit for bit in bits]

    def test_spot_channels_of_photoshop_become_plates(self):
        size, channels = self.write_spots("tin.tif")
        inks = ("cyan", "magenta", "yellow", "black", "pantone-185-c", "wei")
        job = ("mezzotint: 1\njob: tin\ndefaults:\n  halftone: {method: threshold}\n"
               "  output: {compression: none}\n  extra_channels: inks\n%spages: [tin.tif]\n")
        for polarity in ("ink", "paper"):
            result = self.run_program("run", "--json", "--verify",
                                      self.manifest(job % f"  spot_polarity: {polarity}\n"))
            sheet = [line for line in map(json.loads, result.stdout.splitlines())
                     if line["type"] == "sheet"][0]
            self.assertEqual([plate["ink"] for plate in sheet["plates"]],
                             [*inks[:4], "PANTONE 185 C", "Wei\u00df"])
            self.assertFalse(sheet.get("already_done"), polarity)
            for c, ink in enumerate(inks):
                path = self.folder / f"plates/tin_{ink}.tif"
                falls = polarity == "paper" and c > 3
                expected = [int((255 - v if falls else v) > 127) for v in channels[c]]
                self.assertEqual(self.plate_bits(path, size), expected, f"{ink}, {polarity}")
                self.assertIn(f"; spots={polarity}".encode(), path.read_bytes())
            self.assertEqual(len(list((self.folder / "plates").iterdir())), 6)
        self.run_program("halftone", "--extra-channels", "inks", "--spot-polarity", "paper",
                         "tin.tif", "out/a.tif")
        self.assertEqual({path.name for path in (self.folder / "out").iterdir()},
                         {f"a_{ink}.tif" for ink in inks})

    def test_channels_that_are_no_spots_are_refused_by_name(self):
        def refusal(*words):
            result = self.run_program("halftone", *words, "tin.tif", "out/{ink}.tif", status=65)
            self.assertFalse((self.folder / "out").exists())
            return result.stderr

        as_inks = ("--extra-channels", "inks")
        with_polarity = (*as_inks, "--spot-polarity", "ink")
        self.write_spots("tin.tif")
        self.assertIn("(PANTONE 185 C, Wei\u00df)", refusal())
        self.assertIn("has spot colours (PANTONE 185 C, Wei\u00df), and the file does not say whether",
                      refusal(*as_inks))
        self.write_spots("tin.tif", kinds=(2, 0), names=("gold", "cut-out"))
        self.assertIn("alpha channels beside its inks (cut-out)", refusal(*with_polarity))
        self.write_tiff("tin.tif", 6, 5, (0, 0))
        self.assertIn("the file does not say that they are spot colours", refusal(*with_polarity))
        self.write_tiff("tin.tif", 4, 2, (0,))
        self.assertIn("1 channel beside its colours", refusal(*with_polarity))

    def test_a_picture_in_colours_among_separations_is_a_warning(self):
        self.synth("inks.tif", 30, 20, "--colour", "cmyk")
        self.synth("rgb.tif", 30, 20, "--colour", "rgb")
        job = self.manifest("mezzotint: 1\njob: cups\npages: [inks.tif, rgb.tif]\n")
        alone = self.manifest("mezzotint: 1\njob: mono\npages: [rgb.tif]\n", "alone.yaml")
        warning = "rgb.tif: its colours become one grey plate"
        result = self.run_program("run", "--report", "report", job)
        self.assertIn("; 1 warning\n", result.stdout)
        self.assertIn(warning, result.stderr)
        self.assertIn("All 2 sheets are good, with 1 warning",
                      (self.folder / "report/report.html").read_text())
        sheets = json.loads((self.folder / "report/report.json").read_text())["sheets"]
        self.assertEqual([len(sheet.get("warnings", [])) for sheet in sheets], [0, 1])
        self.assertIn(warning, self.run_program("run", "-q", job).stderr)
        self.assertIn("    warning: its colours", self.run_program("check", job).stdout)
        result = self.run_program("run", "-q", alone)
        self.assertEqual(result.stdout + result.stderr, "")

    def test_two_jobs_never_write_one_plate(self):
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            self.synth(f"{name}/card.tif", 30, 20)
            self.manifest(f"mezzotint: 1\njob: {name}\npages:\n  - {name}/card.tif\n", f"{name}.yaml")
        for command in ("check", "run"):
            said = self.run_program(command, "a.yaml", "b.yaml", status=65).stderr
            self.assertIn("b.yaml:4: '", said)
            self.assertIn("would write the same plate as", said)
            self.assertIn("no job was begun", said)
            self.assertFalse((self.folder / "plates").exists())
        self.run_program("run", "--keep-going", "a.yaml", "b.yaml", status=65)
        self.assertTrue((self.folder / "plates").exists())

    def test_reports_of_several_manifests_have_an_index(self):
        self.synth("one.tif", 30, 20)
        good = self.manifest("mezzotint: 1\njob: Posters A3\npages: [one.tif]\n", "good.yaml")
        wrong = self.manifest("mezzotint: 1\njob: Cards\npages: [one.tif]\nbogus: 1\n", "wrong.yaml")
        index = self.folder / "night/index.html"
        self.run_program("check", "--report", "night", good, good)
        self.assertFalse(index.exists())
        self.run_program("run", "--report", "night", good, wrong, status=65)
        page = index.read_text()
        self.assertIn("0 of 2 jobs good: 1 not run, 1 refused", page)
        self.assertIn("line 4: unknown key", page)
        self.assertNotIn("<a ", page)
        self.run_program("run", "--keep-going", "--report", "night", good, wrong, status=65)
        page = index.read_text()
        self.assertIn("1 of 2 jobs good: 1 refused", page)
        self.assertIn('<a href="./Posters%20A3/report.html">', page)
        self.assertIn("1 plate<", page)
        self.assertTrue((self.folder / "night/Posters A3/report.html").exists())
        self.run_program("run", "--report", "night", good, good)
        self.assertIn("All 2 jobs are good", index.read_text())
        self.run_program("run", "--report", "alone", good)
        self.assertFalse((self.folder / "alone/index.html").exists())

    def test_a_large_strip_must_have_the_checksum_that_it_says(self):
        good = zlib.compress(bytes(x % 251 for x in range(2400)) * 2400)
        bad = good[:-1] + bytes([good[-1] ^ 1])
        for data, status in ((good, 0), (bad, 65), (good[:-4], 65), (good + b"tail", 0)):
            self.write_tiff("page.tif", 1, 1, size=(2400, 2400), compression=8, data=data)
            result = self.run_program("halftone", "-q", "page.tif", "p.tif", status=status)
            self.assertEqual("Deflate data is damaged" in result.stderr, status != 0)

    def test_the_window_of_a_decoder_is_part_of_the_memory(self):
        def frame(window_log):
            blocks = b"".join(struct.pack("<I", (left <= 131072) | 2 | min(left, 131072) << 3)[:3]
                              + b"\x80" for left in range(16_000_000, 0, -131072))
            return b"\x28\xb5\x2f\xfd\x00" + bytes([window_log - 10 << 3]) + blocks
        for window_log, status in ((20, 0), (27, 65)):
            self.write_tiff("page.tif", 1, 1, size=(4000, 4000), compression=50000,
                            data=frame(window_log))
            result = self.run_program("halftone", "-q", "--memory", "64MiB", "page.tif", "p.tif",
                                      status=status)
            self.assertEqual("memory, the limit is 64 MiB" in result.stderr, status != 0)
        self.run_program("halftone", "-q", "--memory", "384MiB", "page.tif", "p.tif")

    def test_progressive_jpeg_is_refused_by_name(self):
        frame = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc2\0\x0b\x08\0\x04\0\x08\x01\x01\x11\0"
        self.write_tiff("page.tif", 1, 1, compression=7, data=frame + 40 * b"\0")
        result = self.run_program("halftone", "page.tif", "p.tif", status=65)
        self.assertIn("progressive JPEG is not supported", result.stderr)

    def test_alpha_over_grey_is_no_channel_of_its_own(self):
        self.write_tiff("grey.tif", 2, 1, (2,))
        self.run_program("halftone", "grey.tif", "plate.tif")

    def test_quiet_says_nothing(self):
        self.synth("one.tif")
        self.synth("two.tif")
        result = self.run_program("run", "-q", self.manifest(self.JOB))
        self.assertEqual(result.stdout + result.stderr, "")

    def test_threads_and_memory_do_not_change_the_bits(self):
        self.synth("one.tif", 700, 900)
        self.synth("two.tif", 900, 300)
        job = self.manifest(self.JOB)
        seen = set()
        for words in (["--threads", "1"], ["--threads", "4"], ["--memory", "50MiB"], ["--simple"],
                      ["--band-rows", "5"]):
            self.run_program("run", job, *words)
            seen.add(b"".join((self.folder / f"plates/{name}.tif").read_bytes()
                              for name in ("one", "two")))
        self.assertEqual(len(seen), 1)

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

    def test_colour_only_on_terminals(self):
        result = self.run_program("run", "no.yaml", status=66)
        self.assertNotIn("\033", result.stderr)


class Calibrate(Cli):
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


class Bench(Cli):
    """Benchmarks are commands of mezzotint-lab."""

    def test_the_old_spelling_says_where_they_are(self):
        for words in (["bench", "calibrate"], ["--json", "bench", "search", "--side", "24"],
                      ["bench", "--help"]):
            result = self.run_program(*words, status=64)
            self.assertIn("'mezzotint calibrate'", result.stderr)
            self.assertIn("mezzotint-lab", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_help_has_no_command_of_the_lab(self):
        text = self.run_program("--help").stdout
        self.assertIn("calibrate", text)
        for command in ("bench", "train"):
            self.assertNotRegex(text, rf"(?m)^ *{command}\b")
        self.run_program("train", status=64)


class Compare(Cli):
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


class Watching(Cli):
    """A watcher and those who ask it."""

    def start(self, *words):
        (self.folder / "hot").mkdir()
        (self.folder / "hot/folder.yaml").write_text(
            "mezzotint: 1\nseparations: {inks: [cyan, magenta]}\n"
            "stability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n")
        watcher = subprocess.Popen(
            [PROGRAM, "watch", "--state", "state", "--socket", "w.sock", *words, "hot"],
            cwd=self.folder, env={**os.environ, **STATE}, stderr=subprocess.DEVNULL)
        self.addCleanup(watcher.wait)
        self.addCleanup(watcher.kill)

    def jobs_with(self, *texts):
        deadline = time.monotonic() + 60
        while True:
            listed = subprocess.run([PROGRAM, "jobs", "--socket", "w.sock"], cwd=self.folder,
                                    capture_output=True, text=True, check=False).stdout
            if all(text in listed for text in texts):
                return listed
            self.assertLess(time.monotonic(), deadline, listed)
            time.sleep(0.1)

    def test_settings_of_a_folder_are_for_pages_with_any_inks(self):
        self.start()
        hot = self.folder / "hot"
        inks = "inks: {varnish: drop}"
        (hot / "folder.yaml").write_text(
            "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n"
            f"plates: ../plates\ndefaults: {{{inks}}}\n")
        self.synth("hot/tea.tif", 30, 20)
        self.synth("hot/ticket.tif", 30, 20)
        (hot / "job.yaml").write_text(
            f"mezzotint: 1\njob: misspelt\npages: [{{input: ticket.tif, {inks}}}]\n")
        deadline = time.monotonic() + 60
        while len(reports := list(hot.glob("reports/*/report.json"))) < 2:
            self.assertLess(time.monotonic(), deadline, sorted(hot.rglob("*")))
            time.sleep(0.1)
        found = {}
        for report in map(json.loads, (path.read_text() for path in reports)):
            sheet, = report["sheets"]
            found[pathlib.Path(sheet["input"]).name] = len(sheet.get("warnings", []))
        self.assertEqual(found, {"tea.tif": 0, "ticket.tif": 1})

    def test_a_folder_may_be_named_by_a_link_to_a_share_that_is_mounted_later(self):
        (self.folder / "hot").symlink_to("server/hot")
        self.synth("tea.tif", 30, 20)
        watcher = subprocess.Popen([PROGRAM, "watch", "--state", "state", "--socket", "w.sock", "hot"],
                                   cwd=self.folder, env={**os.environ, **STATE},
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(watcher.wait)
        self.addCleanup(watcher.kill)
        self.jobs_with("is not there; create it, or mount the share")
        share = self.folder / "server/hot"
        share.mkdir(parents=True)
        (share / "folder.yaml").write_text(
            "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n")
        (self.folder / "tea.tif").rename(share / "tea.tif")
        deadline = time.monotonic() + 60
        while not (share / "done/tea.tif").exists():
            self.assertLess(time.monotonic(), deadline, sorted(share.rglob("*")))
            time.sleep(0.1)

    def test_pages_that_wait_for_space_are_75_once(self):
        hot = self.folder / "hot"
        hot.mkdir()
        settings = "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: "
        (hot / "folder.yaml").write_text(settings + "1000 TiB\n")
        self.synth("hot/tea.tif", 30, 20)
        words = ("watch", "--once", "--state", "state", "hot")
        self.run_program(*words, environment=STATE, status=75)
        (hot / "folder.yaml").write_text(settings + "0\n")
        self.run_program(*words, environment=STATE)
        self.assertTrue((hot / "done/tea.tif").exists())

    def test_plates_never_lie_among_the_files_that_a_hot_folder_keeps(self):
        self.start()
        hot = self.folder / "hot"
        (hot / "folder.yaml").write_text(
            "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n"
            "defaults: {output: {path: '{stem}/{ink}.tif'}}\n")
        (hot / "done").mkdir()
        (hot / "done/black.tif").write_bytes(b"a page of somebody")
        self.synth("hot/done.tif", 30, 20)
        self.synth("hot/tea.tif", 30, 20)
        folder = self.folder / "new"
        folder.mkdir()
        self.synth("new/a.tif", 30, 20)
        (folder / "job.yaml").write_text(
            "mezzotint: 1\njob: incomplete\n"
            "pages: [{input: a.tif, output: {path: '{job}/a.tif'}}]\n")
        folder.rename(hot / "order")
        texts = [hot / "failed/done.tif.error.txt", hot / "failed/order.error.txt"]
        deadline = time.monotonic() + 60
        while not all(file.exists() for file in [*texts, hot / "tea/black.tif"]):
            self.assertLess(time.monotonic(), deadline, sorted(hot.rglob("*")))
            time.sleep(0.1)
        for text in texts:
            self.assertIn("where the hot folder keeps files of its own", text.read_text())
            self.assertNotIn("tried", text.read_text())
        self.assertEqual((hot / "done/black.tif").read_bytes(), b"a page of somebody")

    def test_jobs_name_what_is_stuck_and_keep_their_columns(self):
        self.start()
        hot = self.folder / "hot"
        (hot / ("long " + "\u00e4" * 90 + ".tif")).write_bytes(b"no page")
        (hot / "brochure.pdf").write_bytes(b"%PDF-1.7")
        self.synth("hot/milk_cyan.tif", 30, 20)
        lines = self.jobs_with("stuck", "not taken", "failed").splitlines()
        table = lines[lines.index("") + 1:]
        message = table[0].index("MESSAGE")
        self.assertLess(message, 130)
        found = {line[message:] for line in table[1:]}
        self.assertTrue(any(re.match("waits for magenta; moved to incomplete/ in 1[45] min", text)
                            for text in found), table)
        self.assertIn("it is a PDF; export each page as a TIFF file", found)
        for line in table[1:]:
            self.assertEqual(line[message - 1], " ", line)
            self.assertNotEqual(line[message], " ", line)

    def test_jobs_say_what_they_have_done(self):
        self.start()
        (self.folder / "hot/bad.tif").write_bytes(b"no page")
        self.synth("hot/good.tif", 30, 20)
        self.jobs_with("failed", "done")

        def ids(state):
            lines = self.jobs_with("MESSAGE").splitlines()
            return [line.split()[0] for line in lines if line.split()[1:2] == [state]]

        def told(*words):
            return self.run_program("jobs", *words, "--socket", "w.sock").stdout

        hot = os.path.realpath(self.folder / "hot")
        begun = "running jobs go on, and no new ones begin until"
        self.assertEqual(told("pause", "hot"),
                         f"{hot} is paused: {begun} `mezzotint jobs resume {hot}`\n")
        self.assertEqual(told("pause"), f"all folders are paused: {begun} `mezzotint jobs resume`\n")
        (failed,), (done,) = ids("failed"), ids("done")
        self.assertEqual(told("retry", failed),
                         f"{failed}: its files are in the hot folder again, to be tried again\n")
        self.assertEqual(told("again", done),
                         f"{done}: its files are in the hot folder again; its plates are made "
                         "again\n")
        self.assertEqual(told("resume", "hot"), f"{hot} begins new jobs again\n")
        self.assertEqual(told("resume", "-q"), "")
        self.assertEqual(json.loads(told("resume", "--json")), {"ok": True})
        self.assertEqual(told("resume"), "all folders begin new jobs again\n")
        self.jobs_with("failed")
        (failed,) = ids("failed")
        self.assertEqual(told("dismiss", failed),
                         f"{failed} is off the list; its files stay where they are\n")

    def test_buttons_need_the_secret_of_the_page(self):
        self.start("--http", "127.0.0.1:0")
        self.jobs_with("no jobs")
        address = self.run_program("jobs", "page", "--socket", "w.sock").stdout.strip()
        url, token = re.fullmatch(r"(http://127\.0\.0\.1:\d+/)#token=([0-9a-f]{64})",
                                  address).groups()
        self.assertEqual((self.folder / "state/page.token").stat().st_mode & 0o777, 0o600)

        def post(headers):
            request = urllib.request.Request(
                url + "request", b'{"verb":"pause"}',
                {"Content-Type": "application/json", **headers})
            try:
                return urllib.request.urlopen(request, timeout=10).status
            except urllib.error.HTTPError as error:
                return error.code

        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(url + "token", timeout=10)
        self.assertEqual(post({}), 403)
        self.assertEqual(post({"X-Mezzotint-Token": token}), 200)
        self.jobs_with("paused")


class Signals(Cli):
    def stop(self, number):
        self.synth("page.tif", 6000, 6000)
        job = self.manifest("mezzotint: 1\njob: long\npages:\n"
                            "  - {input: page.tif, output: {compression: g4}}\n")
        process = subprocess.Popen([PROGRAM, "run", "--verify", job], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 30
        while not self.leftovers() and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(number)
        process.communicate(timeout=30)
        return process.returncode

    def test_sigint_and_sigterm_leave_nothing_half_made(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            self.assertEqual(self.stop(number), status)
            self.assertEqual(self.leftovers(), [])
            self.assertFalse((self.folder / "plates/page_black.tif").exists())


if __name__ == "__main__":
    unittest.main(verbosity=1)
