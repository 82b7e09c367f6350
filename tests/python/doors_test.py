#!/usr/bin/env python3
"""Every setting of pages means the same wherever it is given: in a manifest that the program runs, that the library
runs, that a cluster runs and that is dropped into a hot folder; as an option; and as a setting of the library.

The settings, their values and their maps are taken from the schema, and the options from the help, so a new one is
tried by itself. Not tried: paths, and the settings of inks, methods and measured curves, which need files.

usage: doors_test.py PROGRAM FOLDER   FOLDER has the Python module. Skipped (77) without NumPy.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401  pylint: disable=unused-import
except ImportError:
    print("skipped: there is no NumPy for this Python; install python3-numpy")
    sys.exit(77)

PROGRAM, FOLDER = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
sys.path.insert(0, FOLDER)
import mezzotint  # noqa: E402  pylint: disable=wrong-import-position

NOT_TRIED = ("halftone", "inks", "curves")
RESOLUTION = 600  # of plates, so that filters of scaling have an effect
LENGTH = "2 mm"


def program(*words, folder, status=0):
    done = subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
    return done


SCHEMA = json.loads(program("schema", folder=".").stdout)["definitions"]
HELP = {flag: text for flag, text in re.findall(
    r"^  (--[a-z-]+)(.*(?:\n    .*)*)", program("halftone", "--help", folder=".").stdout, re.MULTILINE)}


def inside(schema):
    """The definition of a map; nothing for a value."""
    for one in schema.get("allOf", []) + schema.get("anyOf", []):
        if "$ref" in one:
            return SCHEMA[one["$ref"].rsplit("/", 1)[1]]["properties"]
    return None


def list_of(schema):
    """Points of a curve, rising numbers or percentages; nothing for a list of names."""
    if schema["type"] == "array":
        return [[0, 0], [50, 60], [100, 100]]
    return [0, 40, 100] if "number" in schema["type"] else None


def value_of(schema):
    """A good value that is not the default; nothing for a path or names."""
    usual = schema.get("default")
    for one in [schema, *schema.get("anyOf", [])]:
        if "enum" in one:
            return [choice for choice in one["enum"] if choice != usual][-1]
        if one.get("type") == "boolean":
            return not usual
        if "integer" in one.get("type", ""):
            return 10 * one["minimum"] + (10 * one["minimum"] == usual)
        if one.get("type") == "number":
            return (one["minimum"] + one["maximum"]) / 2
        if one.get("type") == "array":
            return list_of(one["items"])
        if "mm" in one.get("pattern", ""):
            return LENGTH
        if "%" in one.get("pattern", ""):
            return f"{one['maximum'] / 2:g}%"
    return None


def settings():
    """(map or "", its settings with values): of each map all, and each alone; of the settings on top each."""
    for name, schema in SCHEMA["defaults"]["properties"].items():
        if name in NOT_TRIED:
            continue
        if inside(schema) is None:
            values = {name: value_of(schema)}
            name = ""
        else:
            values = {key: value_of(one) for key, one in inside(schema).items() if inside(one) is None}
        values = {key: value for key, value in values.items() if value is not None}
        for some in [values, *({key: value} for key, value in values.items() if len(values) > 1)]:
            if some:
                yield name, some


def flag_of(name):
    return "--" + name.replace("_", "-")


def word_of(name, values):
    """The word of a map's option, and the settings in it: those that its help has in capitals, as ACROSSxDOWN."""
    for form in re.findall("[A-Z]+(?:[,x][A-Z]+)+", HELP.get(flag_of(name), "")):
        names = [one.lower() for one in re.split("[,x]", form)]
        if set(names) <= values.keys():
            return ("," if "," in form else "x").join(str(values[one]) for one in names), names
    return None, []


def options_of(name, values):
    """The options for settings, and the names of those that have none."""
    word, held = word_of(name, values)
    options = [flag_of(name), word] if held else []
    others = [key for key in values if key not in held]
    for key in others:
        if flag_of(key) in HELP:
            options += [flag_of(key)] + ([] if values[key] is True else [str(values[key])])
    return options, [key for key in others if flag_of(key) not in HELP]


def manifest(pages):
    """The text of a job, in JSON, which YAML is as well."""
    defaults = {"halftone": {"engine": "cpu"}, "output": {"resolution": RESOLUTION}}
    return json.dumps({"mezzotint": 1, "job": "doors", "defaults": defaults, "pages": pages})


def page(name, values, plate):
    entry = {"input": f"{plate}.tif", "output": {"path": f"plates/{plate}.tif"}}
    if name:
        entry.setdefault(name, {}).update(values)
    else:
        entry.update(values)
    return entry


def without_times(lines):
    """Lines of a plan without what is measured on this machine."""
    return [{key: value for key, value in line.items() if key != "estimated_seconds"} for line in lines]


class Doors(unittest.TestCase):
    """The plates of all settings, made once by `mezzotint run`; other doors must make the same files."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = pathlib.Path(scratch.name)
        os.environ["XDG_STATE_HOME"] = str(cls.folder / "state")
        program("synth", "0.tif", "--width", 150, "--height", 100, "-q", folder=cls.folder)
        cls.good, cls.wrong = [], []
        for name, values in settings():
            cls.write("one.yaml", [page(name, values, 0)])
            checked = program("check", "one.yaml", folder=cls.folder, status=None)
            (cls.wrong if checked.returncode else cls.good).append((name, values))
        for plate in range(1, len(cls.good)):
            (cls.folder / f"{plate}.tif").write_bytes((cls.folder / "0.tif").read_bytes())
        cls.job = cls.write("job.yaml", [page(*one, plate) for plate, one in enumerate(cls.good)])
        program("run", "-q", cls.job, folder=cls.folder)
        cls.plates = cls.made(cls.folder)

    @classmethod
    def write(cls, name, pages):
        path = cls.folder / name
        path.write_text(manifest(pages), encoding="utf-8")
        return path

    @staticmethod
    def made(folder):
        """The bytes of the plates there."""
        return {path.name: path.read_bytes() for path in (folder / "plates").iterdir()}

    def compare(self, folder):
        made = self.made(folder)
        self.assertEqual(made.keys(), self.plates.keys())
        for plate, one in enumerate(self.good):
            self.assertEqual(made[f"{plate}.tif"], self.plates[f"{plate}.tif"], one)

    @staticmethod
    def shown(path):
        """What `check` shows of a job."""
        lines = program("check", "--json", path, folder=".", status=None).stdout.splitlines()
        return without_times(map(json.loads, lines))

    def other_folder(self, name):
        folder = self.folder / name
        folder.mkdir()
        for path in [self.job, *self.folder.glob("*.tif")]:
            (folder / path.name).write_bytes(path.read_bytes())
        return folder

    def test_all_settings_are_tried(self):
        self.assertGreater(len(self.good), 30)
        self.assertLess(len(self.wrong), len(self.good) / 2, self.wrong)

    def test_the_library_runs_manifests_alike(self):
        folder = self.other_folder("library")
        job = mezzotint.Job(folder / "job.yaml")
        self.assertEqual(self.shown(folder / "job.yaml"), without_times(job.plan()))
        job.run()
        self.compare(folder)

    def test_the_library_refuses_manifests_alike(self):
        for one in self.wrong:
            path = self.write("one.yaml", [page(*one, 0)])
            with self.subTest(one):
                try:
                    self.assertEqual(self.shown(path), without_times(mezzotint.Job(path).plan()))
                except mezzotint.Error as refusal:
                    said = program("check", path, folder=self.folder, status=65).stderr
                    self.assertIn(str(refusal).splitlines()[0], said)

    def test_a_cluster_runs_manifests_alike(self):
        folder = self.other_folder("cluster")
        program("submit", "--engine", "local", "--wait", "job.yaml", folder=folder)
        self.compare(folder)

    def test_a_hot_folder_runs_tickets_alike(self):
        folder = self.other_folder("hot")
        program("watch", "--once", "-q", folder, folder=self.folder)
        self.compare(folder)

    def test_options_are_alike(self):
        tried = 0
        for plate, (name, values) in enumerate(self.good):
            options, without = options_of(name, values)
            if without:
                continue
            with self.subTest(options=options):
                base = [] if "--resolution" in options else ["--resolution", RESOLUTION]
                program("halftone", "-q", f"{plate}.tif", "made/plate.tif", *base, *options, folder=self.folder)
                self.assertEqual((self.folder / "made/plate.tif").read_bytes(), self.plates[f"{plate}.tif"])
                tried += 1
        self.assertGreater(tried, 15)

    def test_what_has_no_option_is_refused_by_name(self):
        for name, values in self.good + self.wrong:
            for key in options_of(name, values)[1]:
                with self.subTest(key):
                    refused = program("halftone", "0.tif", "made/p.tif", flag_of(key), "1",
                                      folder=self.folder, status=64)
                    self.assertRegex(refused.stderr, f"unknown option {flag_of(key)}|has no parameter '{key}'")

    def test_the_library_has_settings_alike_or_refuses_them_by_name(self):
        contone = mezzotint.Page(self.folder / "0.tif")
        alike = 0
        for name, values in self.good:
            if len(values) > 1:
                continue
            [(key, value)] = values.items()
            with self.subTest(key):
                try:
                    dots = mezzotint.halftone(contone.read(), **{**contone.samples, key: value})
                except mezzotint.UsageError as refusal:
                    self.assertIn(key, str(refusal))
                    continue
                made = mezzotint.Page(self.unscaled(name, values)).read() != 0
                self.assertTrue((made == dots).all())
                alike += 1
        self.assertGreaterEqual(alike, 2)

    def unscaled(self, name, values):
        """The plate in the resolution of its page."""
        entry = page(name, values, 0)
        entry["output"]["path"] = "made/unscaled.tif"
        text = json.dumps({"mezzotint": 1, "job": "one", "pages": [entry]})
        (self.folder / "one.yaml").write_text(text, encoding="utf-8")
        program("run", "-q", "--fresh", "one.yaml", folder=self.folder)
        return self.folder / "made/unscaled.tif"


if __name__ == "__main__":
    sys.argv[1:] = sys.argv[3:]
    unittest.main()
