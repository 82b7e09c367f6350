#!/usr/bin/env python3
"""Runs every command line of the project's pages, and of the program's help, in a scratch folder.

usage: commands.py BUILD [PAGE...]    BUILD is the build folder; PAGE one of the pages, default: all

Blocks of YAML are checked by the program, blocks of C++ compiled. Lines that are only checked, or run in
another form, are listed with the reason; see lines.py. A line that nothing is known of is run as it
stands, so that a new one fails until it works or has its rule. Status 77: skipped.
"""
import json
import re
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

import options
from lines import INLINE, check, stand_in
from scene import ROOT, Scene

sys.path.insert(0, str(ROOT / "tools/guide"))
import pages  # noqa: E402  (skips without markdown-it-py)

# Blocks that are not for typing, by how they begin: the command whose output they are part of, or None.
SHOWN = {
    "source -> limiter": None,
    "ink cyan: screen": "mezzotint check screens/job.yaml",
    "settings of all pages:": "cd on-press && mezzotint check --settings job.yaml",
}
# Settings of other programs, by how they begin, and what reads them.
FOREIGN = {
    '"yaml.schemas": {': lambda text: json.loads("{" + text + "}"),
    "vim.lsp.config(": str,
    "[language-server.": tomllib.loads,
    "# yaml-language-server:": str,
    "# prometheus.yml\n": yaml.safe_load,
    "livenessProbe: ": yaml.safe_load,
}
YAML = re.compile(r"(- )?[\w -]+:(\s|$)")
SETTINGS_OF_JOB = {"defaults", "limits", "priority"}
WITHOUT_TOP = "mezzotint: 1\njob: Fragment\n"
CXX_AROUND = """#include <cstdint>
#include <vector>
{includes}
void snippet(const std::vector<std::uint8_t>& grey, unsigned width, unsigned height) {{
{body}
}}
"""


class Text:
    """One page, or one help, and what is wrong with it."""

    def __init__(self, name, scene):
        self.name = name
        self.scene = scene
        self.wrong = []
        self.notes = []
        self.ran = 0

    def fail(self, line, text, why):
        self.wrong.append(f"{self.name}:{line}: {text}\n    " + str(why).strip().replace("\n", "\n    "))

    def command(self, number, line, inline=False):
        rule = check(line, inline)
        if rule:
            judge, match, why = rule
            self.notes.append(f"{self.name}:{number}: checked, not run ({why}): {line}")
            wrong = judge(self.scene, match)
            if wrong:
                self.fail(number, line, wrong)
            return
        changed, why = stand_in(line)
        if "sudo " in changed:
            self.fail(number, line, "a command of root needs a rule in lines.py")
            return
        if why:
            self.notes.append(f"{self.name}:{number}: run otherwise ({why}): {line}")
        self.ran += 1
        wrong = self.run(changed)
        if wrong:
            self.fail(number, line, wrong)

    def run(self, line):
        if re.match(r"mezzotint watch\b", line):
            return self.scene.watch(line)
        action = re.match(r"mezzotint jobs\b ?(\w*)", line)
        if action:
            self.scene.need_watcher()
            if "ID" in line:
                line = line.replace("ID", self.scene.job("done" if action[1] == "again" else "failed") or "")
        if "job.plan" in line:
            self.scene.need_plan()
        done = self.scene.run(line)
        if action and action[1] == "pause":
            self.scene.must("mezzotint jobs resume")  # or nothing would come of the lines below
        return f"status {done.returncode}\n{done.stdout}" if done.returncode else None

    def block(self, code):
        shown = [begin for begin in SHOWN if code.text.startswith(begin)]
        foreign = [read for begin, read in FOREIGN.items() if code.text.startswith(begin)]
        if shown:
            self.output(code, SHOWN[shown[0]])
        elif code.text.startswith("$ ") and re.search(r"^(?!\$ ).", code.text, re.M):  # shows output, too
            self.session(code)
        elif foreign:
            self.notes.append(f"{self.name}:{code.line}: checked, not run (settings of another program)")
            self.settings(code, foreign[0])
        elif code.language in ("cpp", "c++", "c"):
            self.compile(code)
        elif code.language == "cmake":
            self.cmake(code)
        elif code.language == "python":
            self.python(code)
        elif code.language == "yaml" or YAML.match(code.text):
            self.yaml(code)
        else:
            self.shell(code)

    def shell(self, code):
        for offset, line in enumerate(code.text.replace("\\\n", " ").splitlines()):
            line = re.sub(r"(^|\s)#.*", "", line).strip().removeprefix("$ ")
            if line:
                self.command(code.line + offset, line)

    def output(self, code, command):
        if command is None:
            self.notes.append(f"{self.name}:{code.line}: a picture")
            return
        said = self.scene.run(command).stdout.splitlines()
        said = [" ".join(line.split()) for line in said]
        for line in code.text.splitlines():
            if line and " ".join(line.split()) not in said:
                self.fail(code.line, line, f"{command} does not say so:\n" + "\n".join(said))

    def session(self, code):
        """Commands behind `$ `, each with the lines that it prints; times differ."""
        def lines(text):
            return [re.sub(r"\bin [\d.]+ m?s \(\d+ Mpx/s\)", "in TIME", " ".join(line.split()))
                    for line in text.splitlines() if line.strip()]

        for part in re.split(r"^\$ ", code.text, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            self.ran += 1
            done = self.scene.run(command)
            if done.returncode or lines(done.stdout) != lines(shown):
                self.fail(code.line, command, f"status {done.returncode}, and it says:\n{done.stdout}")

    def settings(self, code, read):
        """The other program can read them, and there are the schemas that they name."""
        try:
            read(code.text)
        except ValueError as wrong:
            self.fail(code.line, "settings", wrong)
        for schema in re.findall(r"[\w-]+\.schema\.json", code.text):
            if not (ROOT / "manifests/schema" / schema).exists():
                self.fail(code.line, schema, "there is no such schema")

    def yaml(self, code):
        """Whole files are saved under the name that the text gives them, fragments put into a manifest."""
        for part in re.split(r"^(?=mezzotint(?:-press|-curve)?:)", code.text, flags=re.M):
            if not part.strip():
                continue
            if part.startswith("mezzotint-press:"):
                path = re.search(r"# (\S+\.yaml)", part.splitlines()[0])
                self.manifest(code, path[1] if path else "presses/press.yaml", part)
            elif part.startswith("mezzotint-curve:"):
                self.manifest(code, "curve.yaml", part)
            elif part.startswith("mezzotint:") and "\njob:" in part:
                self.manifest(code, "job.yaml", part)
            elif part.startswith("mezzotint:"):
                self.folder_settings(code, part)
            else:
                self.fragment(code, part)

    def manifest(self, code, name, text):
        self.scene.write(name, text)
        self.ran += 1
        done = self.scene.run(f"mezzotint check {name}")
        if done.returncode:
            self.fail(code.line, f"{name} of the page", done.stdout)

    def folder_settings(self, code, text):
        self.scene.write("shown/folder.yaml", text)
        self.ran += 1
        done = self.scene.run("build/release/bin/manifest_check --folder shown/folder.yaml")
        if done.returncode or not done.stdout.startswith("accepted"):
            self.fail(code.line, "folder.yaml of the page", done.stdout)

    def fragment(self, code, text):
        keys = [line.split(":")[0] for line in text.splitlines() if line[:1].strip()]
        if text.startswith("- "):
            whole = f"{WITHOUT_TOP}pages:\n{indent(text)}"
        elif set(keys) <= SETTINGS_OF_JOB:
            whole = f"{WITHOUT_TOP}{text}pages: [page.tif]\n"
        elif len(set(keys)) < len(keys):  # one or the other
            for line in text.splitlines():
                self.fragment(code, line + "\n")
            return
        else:
            whole = f"{WITHOUT_TOP}defaults:\n{indent(text)}pages: [page.tif]\n"
            if "ruling" in text:  # screens are for plates of 2400 dpi
                whole = whole.replace("defaults:\n", "defaults:\n  output: {resolution: 2400}\n")
        self.manifest(code, "fragment.yaml", whole)

    def python(self, code):
        """Run with the module of the build, where it was built."""
        module = self.scene.build / "python"
        if not list(module.glob("mezzotint/_native*")) or self.scene.sanitized:
            self.notes.append(f"{self.name}:{code.line}: not run (this build has no Python module): Python")
            compile(code.text, self.name, "exec")
            return
        self.scene.write("snippet.py", code.text)
        self.ran += 1
        done = self.scene.run(f"PYTHONPATH={module} {sys.executable} snippet.py")
        if done.returncode:
            self.fail(code.line, "Python", done.stdout)

    def compile(self, code):
        """A whole program is run with the library of the build; a piece of one is compiled."""
        lines = code.text.splitlines()
        includes = [line for line in lines if line.startswith("#include")]
        library = self.scene.build / "lib"
        whole = "main(" in code.text
        body = "\n".join(line for line in lines if line not in includes)
        text = code.text if whole else CXX_AROUND.format(includes="\n".join(includes), body=body)
        name = "snippet.c" if code.language == "c" else "snippet.cpp"
        self.scene.write(name, text)
        self.ran += 1
        compiler = "cc -std=c11" if code.language == "c" else "c++ -std=c++20"
        line = f"{compiler} -Wall -Wno-unused-variable -I {ROOT} -I {ROOT}/tools/library {name}"
        if whole and (library / "libmezzotint.so").exists() and not self.scene.sanitized:
            done = self.scene.run(f"{line} -o snippet -L {library} -lmezzotint -Wl,-rpath,{library} && ./snippet")
        else:
            done = self.scene.run(f"{line} -fsyntax-only")
        if done.returncode:
            self.fail(code.line, "the program", done.stdout)

    def cmake(self, code):
        """What the tests install.* do: their CMakeLists.txt has the same lines, by other names of a program."""
        tried = (ROOT / "tests/install/CMakeLists.txt").read_text(encoding="utf-8")
        for line in code.text.splitlines():
            line = re.sub(r"\s*#.*", "", line).strip()
            self.notes.append(f"{self.name}:{code.line}: checked, not run (the tests install.* do it): {line}")
            if line.replace("(program ", "(dots ") not in tried:
                self.fail(code.line, line, "tests/install/CMakeLists.txt does not try it")


def indent(text):
    return "".join(f"  {line}\n" for line in text.splitlines())


def try_page(name, page, scene):
    text = Text(name, scene)
    for code in page.code():
        text.block(code)
    for code in page.inline_code():
        line = " ".join(code.text.split())
        for option in options.unknown(scene, line):
            text.fail(code.line, line, f"nothing has the option {option}")
        if INLINE.match(line):
            text.command(code.line, line, inline=True)
    scene.end()
    return text


def try_help(command, scene):
    """The examples at the end of a command's help."""
    text = Text(f"mezzotint {command} --help", scene)
    said = scene.must(f"mezzotint {command} --help").partition("\nExamples:\n")[2]
    for number, line in enumerate(said.splitlines(), 1):
        if line.startswith("  mezzotint"):
            text.command(number, line.strip())
    scene.end()
    return text


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 64
    build = Path(arguments[0]).resolve()
    names = arguments[1:] or [name for name in pages.find(ROOT) if name != "CHANGELOG.md"]
    with tempfile.TemporaryDirectory() as scratch:
        first = Scene(Path(scratch, "first"), build / "bin")
        Scene.build, Scene.first = build, first
        Scene.sanitized = "MEZZOTINT_SANITIZE:STRING=\n" not in (build / "CMakeCache.txt").read_text()
        numbers = iter(range(1000))

        def scene():
            return Scene(Path(scratch, str(next(numbers))), build / "bin", like=first)

        with ThreadPoolExecutor(4) as pool:  # most of the time watchers are waited for
            texts = list(pool.map(lambda name: try_page(name, pages.read(ROOT, name), scene()), names))
            if not arguments[1:]:
                commands = re.findall(r"^  ([a-z]+) ", first.must("mezzotint --help").partition("Options")[0], re.M)
                texts += pool.map(lambda command: try_help(command, scene()), ["", *commands])
                texts += pool.map(lambda page: try_page(*page, scene()), pages.manual(build))
    for text in texts:
        for note in text.notes:
            print(note)
    wrong = [line for text in texts for line in text.wrong]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{sum(text.ran for text in texts)} run, {sum(len(text.notes) for text in texts)} listed above, "
          f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
