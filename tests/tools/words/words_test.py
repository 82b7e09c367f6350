#!/usr/bin/env python3
"""Manual pages and help: nothing that the program takes is missing in them, and they are sound.

usage: words_test.py PROGRAM        what they say, against --help, the schemas and `complete`
       words_test.py PROGRAM lint OTHER..   mandoc and man-db find nothing wrong with the pages of the
                                    programs; 77 where both are missing
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from events import PATIENCE, wait_for  # noqa: E402  (it lies there)

PROGRAM = os.path.abspath(sys.argv[1])


def output_of(*words, **options):
    return subprocess.run([PROGRAM, *words], check=True, stdout=subprocess.PIPE, text=True,
                          **options).stdout


def text_of(page):
    """What a reader sees of a page's words, without the marks of mdoc."""
    text = page.read_text(encoding="utf-8")
    for mark, letter in ((r"\-", "-"), (r"\(aq", "'"), (r"\(dq", '"'), (r"\(ti", "~"),
                         (r"\(ha", "^"), (r"\&", ""), (r"\:", ""), (r"\fB", ""), (r"\fR", "")):
        text = text.replace(mark, letter)
    return text


def commands():
    part = output_of("--help").split("\nCommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+)", part, re.MULTILINE)


def options_in(text):
    """--names that begin a row of help."""
    rows = re.findall(r"^  (-.*?)(?:  |$)", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"(?<![\w-])--?[a-z][\w-]*", row)}


def methods():
    return json.loads(output_of("info", "--json"))["methods"]


def parameters_of(method):
    text = output_of("halftone", "--method", method, "--help")
    return options_in(text.split(f"Parameters of {method}:\n")[1].split("\n\n")[0])


def keys_in(schema):
    """All names of properties, wherever they are."""
    if isinstance(schema, list):
        return {key for each in schema for key in keys_in(each)}
    if not isinstance(schema, dict):
        return set()
    found = set(schema["properties"]) if isinstance(schema.get("properties"), dict) else set()
    return found.union(*(keys_in(each) for each in schema.values()))


def tags_of(page):
    return set(re.findall(r"^\.It Ic (\S+)$", text_of(page), re.MULTILINE))


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.share = pathlib.Path(cls.scratch.name, "share")
        output_of("words", str(cls.share))
        cls.pages = {page.name: page for page in cls.share.glob("man/man?/*")}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def page(self, name):
        self.assertIn(name, self.pages)
        return self.pages[name]

    def test_are_the_same_each_time(self):
        again = pathlib.Path(self.scratch.name, "again")
        output_of("words", str(again), env={"TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8"})
        files = [file for file in self.share.rglob("*") if file.is_file()]
        self.assertEqual(len(files), len(self.pages) + 3)
        for file in files:
            self.assertEqual(file.read_bytes(), (again / file.relative_to(self.share)).read_bytes())

    def test_have_every_command_and_each_of_its_options(self):
        self.assertGreater(len(commands()), 15)
        for command in commands():
            flags = set(re.findall(r"\bFl (\S+)", text_of(self.page(f"mezzotint-{command}.1"))))
            expected = options_in(output_of(command, "--help"))
            self.assertIn("--help", expected)
            self.assertLessEqual({name[1:] for name in expected}, flags, command)

    def test_have_the_commands_of_commands(self):
        part = output_of("jobs", "--help").split("\nCommands:\n")[1].split("\n\n")[0]
        listed = set(re.findall(r"^  (\w+)", part, re.MULTILINE))
        page = text_of(self.page("mezzotint-jobs.1"))
        self.assertLessEqual(listed, set(re.findall(r"^\.It Ic (\w+)", page, re.MULTILINE)))

    def test_have_every_key(self):
        manifest = tags_of(self.page("mezzotint-manifest.5"))
        methods_page = tags_of(self.page("mezzotint-methods.7"))
        for words, name in ((["schema"], "manifest"), (["schema", "--press"], "press"),
                            (["schema", "--folder"], "folder")):
            own = tags_of(self.page(f"mezzotint-{name}.5"))
            keys = keys_in(json.loads(output_of(*words)))
            self.assertGreater(len(keys), 30)
            self.assertLessEqual(keys, own | manifest | methods_page, name)
            self.assertLessEqual(set(json.loads(output_of(*words))["properties"]), own, name)

    def test_have_every_method_with_its_parameters(self):
        page = text_of(self.page("mezzotint-methods.7")).split("\n.Sh PARAMETERS")[1]
        for method in methods():
            part = page.split(f"\n.Ss Ic {method}\n")[1].split("\n.S")[0]
            tags = {"--" + tag.replace("_", "-") for tag in
                    re.findall(r"^\.It Ic (\S+)$", part, re.MULTILINE)}
            expected = {name.replace("--eye-scale", "--scale") for name in parameters_of(method)}
            self.assertEqual(tags, expected, method)

    def test_refer_to_pages_that_exist(self):
        for page in self.pages.values():
            for name, section in re.findall(r"\bXr (\S+) (\d)", text_of(page)):
                self.assertIn(f"{name}.{section}", self.pages, f"{page.name} refers to it")

    def test_have_no_marks_of_markdown_and_no_empty_section(self):
        for page in self.pages.values():
            text = text_of(page)
            self.assertNotIn("](", text, page.name)
            self.assertNotRegex(text, r"(?m)^\.S[hs] .*\n\.Sh", page.name)
            literal = re.sub(r"(?ms)^\.Bd.*?^\.Ed", "", text)
            self.assertNotIn("`", literal, page.name)

    def test_have_the_exit_statuses_of_the_readme(self):
        readme = pathlib.Path(__file__).parents[3] / "tools/cli/README.md"
        statuses = re.findall(r"^\| (\d[\d, ]*) \|", readme.read_text(encoding="utf-8"), re.M)
        self.assertGreater(len(statuses), 10)
        for text in (text_of(self.page("mezzotint.1")), output_of("help", "exit-status")):
            for status in statuses:
                self.assertRegex(text, rf"(?m)^(\.It|  ?) *{status}\b")


class Help(unittest.TestCase):
    def test_has_every_topic_and_fits_a_terminal(self):
        part = output_of("help").split("\nTopics:\n")[1].split("\n\n")[0]
        topics = re.findall(r"^  (\S+)", part, re.MULTILINE)
        self.assertGreater(len(topics), 8)
        for topic in topics + methods():
            text = output_of("help", topic)
            self.assertGreater(len(text), 100, topic)
            for line in text.splitlines():
                is_code = line.startswith("    ")
                self.assertTrue(len(line) <= 80 or is_code, f"{topic}: {line}")
                self.assertEqual(line, line.rstrip(), topic)


class Completion(unittest.TestCase):
    def complete(self, *words):
        return [line.split("\t")[0] for line in output_of("complete", "--", *words).splitlines()]

    def test_knows_every_command_option_and_topic(self):
        self.assertEqual(self.complete(""), commands())
        for command in commands():
            hidden = {"-h", "-q", "-v", "-o", "--color", "--version"}
            expected = options_in(output_of(command, "--help")) - hidden
            self.assertLessEqual(expected, set(self.complete(command, "--")), command)
        self.assertLessEqual({"methods", "start", "dbs", "run"}, set(self.complete("help", "")))

    def test_knows_every_method_and_its_parameters(self):
        self.assertEqual(self.complete("halftone", "--method", ""), methods())
        for method in methods():
            self.assertLessEqual(parameters_of(method),
                                 set(self.complete("halftone", "--method", method, "--")), method)

    def test_knows_the_folders_of_a_watcher(self):
        with tempfile.TemporaryDirectory() as folder:
            hot, place = f"{folder}/hot", ["--socket", f"{folder}/socket"]
            os.mkdir(hot)
            with subprocess.Popen([PROGRAM, "watch", "-q", "--state", folder, *place, hot]) as watcher:
                wait_for(lambda: os.path.exists(f"{folder}/socket"), folder, process=watcher)
                offered = self.complete("jobs", *place, "pause", "")
                jobs = self.complete("jobs", *place, "retry", "")
                watcher.terminate()
            self.assertEqual((offered, jobs), ([hot], []))

    def test_offers_no_option_twice(self):
        self.assertNotIn("--method", self.complete("halftone", "--method", "am", "--m"))
        self.assertNotIn("--angle", self.complete("halftone", "--method=am", "--angle", "3", "--a"))
        self.assertIn("--sbatch", self.complete("submit", "--sbatch=a", "--sb"))

    def test_never_fails_and_never_writes(self):
        random.seed(20)
        words = ["", "-", "--", "--method", "--method=", "dbs", "halftone", "jobs", "retry", "=",
                 "--page", "--drop", ",", "\n", "\t", "\xe9", "nowhere.tif", "broken.yaml", "/dev/null",
                 "--verify", "--inks", "cyan,", "--nonsense=1", "run", "'", '"', "$(x)", "9" * 400]
        with tempfile.TemporaryDirectory() as folder:
            home = pathlib.Path(folder, "home")
            pathlib.Path(folder, "broken.yaml").write_text("mezzotint: [")
            for _ in range(200):
                line = random.choices(words, k=random.randint(0, 6))
                result = subprocess.run([PROGRAM, "complete", "--", *line], capture_output=True,
                                        cwd=folder, env={"HOME": str(home)}, timeout=PATIENCE)
                self.assertEqual((result.returncode, result.stderr), (0, b""), line)
            self.assertEqual(os.listdir(folder), ["broken.yaml"])


def lint(programs):
    tools = [tool for tool in ("mandoc", "man") if shutil.which(tool)]
    if not tools:
        print("skipped: neither mandoc nor man is installed")
        return 77
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            subprocess.run([program, "words", folder], check=True)
        pages = sorted(pathlib.Path(folder).glob("man/man?/*"))
        for page in pages:
            for tool in tools:
                command = (["mandoc", "-T", "lint", "-W", "warning", page] if tool == "mandoc" else
                           ["man", "--warnings", "-l", page])
                result = subprocess.run(command, capture_output=True, text=True,
                                        env=os.environ | {"MANWIDTH": "80", "LC_ALL": "C.UTF-8"})
                found = result.stdout if tool == "mandoc" else result.stderr
                if result.returncode or found:
                    failures += 1
                    print(f"{page.name}: {tool}: {found or result.stderr}")
    print(f"{len(pages)} pages, {failures} failures, by {' and '.join(tools)}")
    return 1 if failures or len(pages) < 20 else 0


if __name__ == "__main__":
    if sys.argv[2:3] == ["lint"]:
        sys.exit(lint([PROGRAM, *sys.argv[3:]]))
    unittest.main(argv=sys.argv[:1])
