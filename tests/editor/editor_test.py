#!/usr/bin/env python3
"""Tries the JSON schemas in the YAML language server, which most editors run.

Good files of the tests and the examples show no mistake, and bad ones a mistake wherever the schema
knows it; what is suggested and shown at some places is what a reader needs there.

    editor_test.py MODULES MANIFEST_CHECK
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from language_server import LanguageServer

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODULES = pathlib.Path(sys.argv[1]).resolve()
MANIFEST_CHECK = sys.argv[2]
TOP = "mezzotint: 1\njob: Tea\npages: [tea.tif]\n"


# Bad files that are good for an editor: it reads an empty text as nothing to check, many documents one
# by one, and YAML of which the program takes less.
GOOD_FOR_EDITORS = {
    "empty.yaml", "nothing.yaml", "yaml-latin1.yaml", "yaml-merge-key.yaml", "yaml-missing-key.yaml",
    "yaml-nothing.yaml", "yaml-second-document.yaml", "yaml-text-after-end.yaml"}


class Editor(unittest.TestCase):
    @classmethod
    def schema(cls, kind=""):
        return SCHEMAS / f"{kind}schema.json"

    def at(self, text, kind=""):
        """Opens a text without its mark `|`: its URI, and line and column of the mark."""
        text = f"# yaml-language-server: $schema={self.schema(kind)}\n" + text
        before, after = text.split("|")
        return SERVER.open(before + after), before.count("\n"), len(before.split("\n")[-1])

    def hover(self, text, kind=""):
        return SERVER.hover(*self.at(text, kind))

    def suggested(self, text, kind=""):
        return SERVER.completion(*self.at(text, kind))

    def errors(self, text, kind=""):
        """Messages without the line."""
        uri, _, _ = self.at(text + "|", kind)
        return [message for _, message in SERVER.errors(uri)]

    def mistakes(self, kind, paths):
        """The mistakes of files that an editor shows, by their paths."""
        first_line = f"# yaml-language-server: $schema={self.schema(kind)}\n"
        uris = {}
        for path in paths:
            text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
            uris[path] = SERVER.open(first_line + text)
        return {path: SERVER.errors(uri) for path, uri in uris.items()}


class Files(Editor):
    def test_good_ones_show_no_mistake(self):
        tests = SOURCE / "tests/manifests"
        examples = SOURCE / "manifests/examples"
        manifests = [*tests.glob("valid/*.yaml"), *examples.glob("*.yaml"),
                     SOURCE / "tools/demo/demo.yaml"]
        manifests.remove(examples / "folder.yaml")
        folders = [*tests.glob("folder/valid/*.yaml"), examples / "folder.yaml"]
        presses = [*tests.glob("press/valid/*.yaml"), *examples.glob("presses/*.yaml")]
        self.assertGreater(len(manifests + folders + presses), 20)
        for kind, paths in (("", manifests), ("folder-", folders), ("press-", presses)):
            wrong = {path.name: found for path, found in self.mistakes(kind, paths).items() if found}
            self.assertEqual(wrong, {})

    def test_bad_ones_show_one_where_the_schema_can_know(self):
        count = 0
        missed = set()
        for kind, folder in (("", "invalid"), ("folder-", "folder/invalid"),
                             ("press-", "press/invalid")):
            bad = [path for path in SOURCE.glob(f"tests/manifests/{folder}/*.yaml")
                   if b"# schema: refuses" in path.read_bytes().split(b"\n")[0]]
            count += len(bad)
            missed |= {path.name for path, found in self.mistakes(kind, bad).items() if not found}
        self.assertGreater(count, 200)
        self.assertEqual(missed, GOOD_FOR_EDITORS)

    def test_examples_name_their_schemas(self):
        for path in [*SOURCE.glob("manifests/examples/**/*.yaml")]:
            first = path.read_text().splitlines()[0]
            named = first.removeprefix("# yaml-language-server: $schema=")
            self.assertTrue((path.parent / named).is_file(), f"{path}: {first}")


class Suggestions(Editor):
    def test_a_new_manifest(self):
        suggested = self.suggested("|")
        self.assertLessEqual({"mezzotint", "job", "pages", "press"}, suggested.keys())
        self.assertEqual(suggested["mezzotint job manifest"]["insertText"],
                         "mezzotint: 1\njob: $1\npages:\n  - ")

    def test_keys_of_a_page(self):
        suggested = self.suggested("mezzotint: 1\njob: Tea\npages:\n  - input: tea.tif\n    |")
        self.assertLessEqual({"halftone", "tone", "output", "crop"}, suggested.keys())
        self.assertNotIn("priority", suggested)
        self.assertEqual(suggested["output"]["insertText"], "output:\n  ")

    def test_keys_of_folders_and_presses(self):
        self.assertIn("stability", self.suggested("mezzotint: 1\n|", "folder-"))
        self.assertIn("resolution", self.suggested("mezzotint-press: 1\n|", "press-"))

    def test_methods_with_what_they_are(self):
        suggested = self.suggested(TOP + "defaults:\n  halftone:\n    method: |")
        self.assertIn("ordered dither", suggested["bayer"]["documentation"])
        self.assertGreaterEqual(len(suggested), 15)

    def test_methods_as_snippets(self):
        suggested = self.suggested(TOP + "defaults:\n  halftone: |")
        self.assertEqual(suggested["am"]["insertText"], "\n  method: am")

    def test_compressions_with_what_they_are(self):
        suggested = self.suggested(TOP + "defaults:\n  output: {compression: |}")
        self.assertIn("CCITT", suggested["g4"]["documentation"])

    def test_parameters_of_the_method_alone(self):
        suggested = self.suggested(TOP + "defaults:\n  halftone:\n    method: bayer\n    |")
        self.assertEqual(set(suggested), {"engine", "schedule", "order", "dot"})
        self.assertEqual(suggested["order"]["insertText"], "order: ${1:3}")
        self.assertIn("from 1 to 6", suggested["order"]["documentation"])

    def test_all_parameters_where_the_method_may_be_inherited(self):
        suggested = self.suggested(TOP + "defaults:\n  halftone:\n    |")
        self.assertLessEqual({"method", "order", "ruling", "level"}, suggested.keys())


class Hover(Editor):
    def test_range_and_default(self):
        self.assertIn("a whole number from 1 to 6; default: 3".replace("-", r"\-"),
                      self.hover(TOP + "defaults: {halftone: {method: bayer, or|der: 3}}"))

    def test_units(self):
        self.assertIn("from 10 lpi to 1000 lpi; default: 150",
                      self.hover(TOP + "defaults: {halftone: {method: am, rul|ing: 120}}"))
        self.assertIn("a size such as 512 MiB or 1 GiB; default: 1 GiB",
                      self.hover(TOP + "limits: {mem|ory: 2 GiB}"))

    def test_choices(self):
        shown = self.hover(TOP + "defaults: {output: {compr|ession: g4}}")
        self.assertIn("* `packbits`: runs of bytes", shown)

    def test_title(self):
        self.assertTrue(self.hover(TOP + "prio|rity: 3").startswith("#### priority\n"))


class Mistakes(Editor):
    def expect(self, text, message):
        self.assertEqual(self.errors(TOP + text), [message])

    def test_key(self):
        self.expect("defualts: {}", "Property defualts is not allowed.")
        self.expect("defaults: {halftone: {method: am, order: 3}}", "Property order is not allowed.")

    def test_range(self):
        self.expect("defaults: {halftone: {method: bayer, order: 7}}",
                    "Value is above the maximum of 6.")

    def test_type(self):
        self.expect("priority: high", 'Incorrect type. Expected "integer".')
        self.expect("limits: {memory: [1]}", "Incorrect type. Expected one of string, integer.")

    def test_unit(self):
        self.expect("limits: {memory: 3 XB}", "must be a size such as 512 MiB or 1 GiB")
        self.expect("defaults: {halftone: {method: threshold, level: 0.4}}",
                    "needs its sign: 0.5 could be 0.5 % or 50 %")

    def test_choice_is_the_only_one(self):
        found = self.errors(TOP + "defaults: {halftone: {method: bayr, order: 3}}")
        self.assertEqual(len(found), 1)
        self.assertIn('"bayer"', found[0])


class Settings(Editor):
    def test_by_name_of_the_file(self):
        schemas = {self.schema("folder-").as_uri(): "folder.yaml"}
        with LanguageServer(MODULES, schemas) as server:
            uri = server.open("mezzotint: 1\nstabilty: {}\n", "folder.yaml")
            self.assertEqual(server.errors(uri), [(2, "Property stabilty is not allowed.")])


def main():
    global SCHEMAS, SERVER
    with tempfile.TemporaryDirectory() as folder:
        SCHEMAS = pathlib.Path(folder)
        for kind in ("", "folder-", "press-"):
            printed = subprocess.run([MANIFEST_CHECK, f"--{kind}schema"], capture_output=True,
                                     check=True).stdout
            Editor.schema(kind).write_bytes(printed)
        with LanguageServer(MODULES) as SERVER:
            return 0 if unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
