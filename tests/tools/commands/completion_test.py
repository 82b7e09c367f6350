#!/usr/bin/env python3
"""Types command lines into a real shell, presses Tab, and looks at what it offers.

usage: completion_test.py PROGRAM bash|zsh|fish

bash (with the package bash-completion) and zsh run in a pseudo-terminal; fish is asked by its own
`complete -C`. Skipped with 77 where the shell is missing.
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from events import PATIENCE  # noqa: E402  (it lies there)

BASH_COMPLETION = pathlib.Path("/usr/share/bash-completion/bash_completion")
PROMPT = "ready>"

# What is typed before Tab; what must be offered; what must not.
OFFERED = [
    ("mezzotint ", ["run", "halftone", "jobs", "completion"], ["complete", "--json"]),
    ("mezzotint jobs ", ["list", "pause", "dismiss"], ["run"]),
    ("mezzotint help ", ["methods", "engines", "jobs"], []),
    ("mezzotint halftone --method ", "METHODS", ["--method"]),
    ("mezzotint halftone --method dbs --", ["--rounds", "--sigma", "--engine"], ["--order", "--method"]),
    ("mezzotint halftone --method=bayer --", ["--order", "--dot", "--quiet"], ["--sigma"]),
    ("mezzotint halftone --method am --dot ", ["round", "euclidean", "rhomboid"], ["page.tif"]),
    ("mezzotint halftone --engine ", ["auto", "cpu", "gpu", "hybrid", "handover"], []),
    ("mezzotint halftone --compression ", ["packbits", "g4", "deflate", "zstd"], []),
    ("mezzotint halftone ", ["page.tif", "SHEET.TIFF", "folder/"], ["job.yaml", "notes.txt"]),
    ("mezzotint halftone page.tif plate.tif --drop ", ["cyan", "magenta", "yellow", "black"], []),
    ("mezzotint run ", ["job.yaml", "job2.yml", "folder/"], ["page.tif", "notes.txt"]),
    ("mezzotint run --press ", ["job.yaml", "job2.yml"], ["page.tif"]),
    ("mezzotint collect ", ["folder/", "folder2/"], ["job.yaml"]),
    ("mezzotint run --journal ", ["notes.txt", "page.tif"], ["--fresh"]),
]
# What is typed before Tab; the words of the line after it.
COMPLETED = [
    ("mezzotint halft", ["mezzotint", "halftone"]),
    ("mezzotint halftone --meth", ["mezzotint", "halftone", "--method"]),
    ("mezzotint halftone --method db", ["mezzotint", "halftone", "--method", "dbs"]),
    ("mezzotint halftone --engine=hy", ["mezzotint", "halftone", "--engine=hybrid"]),
    ("mezzotint halftone --tile=pag", ["mezzotint", "halftone", "--tile=page.tif"]),
    ("mezzotint screen --inks cyan,mag", ["mezzotint", "screen", "--inks", "cyan,magenta"]),
    ("mezzotint check with", ["mezzotint", "check", "with space.yaml"]),
    ("mezzotint run --report folder2", ["mezzotint", "run", "--report", "folder2"]),
    ("mezzotint run broken.yaml --window 22:00-06:00 --expl",
     ["mezzotint", "run", "broken.yaml", "--window", "22:00-06:00", "--explain"]),
]


class Terminal:
    """A shell in a pseudo-terminal, in which Tab lists and nothing asks back."""

    def __init__(self, command, setup, folder, path):
        self.child, self.screen = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(command[0], command,
                       {"PATH": path, "HOME": str(folder.parent / "home"), "TERM": "dumb", "LANG": "C.UTF-8",
                        "HISTFILE": "/dev/null"})
        self.send(f"{setup}\nstty -echo rows 200 cols 200; PS1={PROMPT[0]}'{PROMPT[1:]}'\n")
        self.read_until(PROMPT)

    def send(self, text):
        os.write(self.screen, text.encode())

    def read_some(self, patience_s):
        """What is shown until nothing was shown for a while."""
        text = ""
        while select.select([self.screen], [], [], patience_s)[0]:
            text += os.read(self.screen, 65536).decode(errors="replace")
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)

    def read_until(self, end):
        text, deadline = "", time.monotonic() + PATIENCE
        while not text.endswith(end):
            if time.monotonic() > deadline:
                sys.exit(f"the shell shows no {end!r}: {text!r}")
            text += self.read_some(0.02)
        return text

    def offered(self, line, expected):
        """What is listed, once all that is expected is."""
        self.send(line + "\t\t")
        text, words, deadline = "", set(), time.monotonic() + PATIENCE
        while not expected <= words and time.monotonic() < deadline:
            text += self.read_some(0.2)
            # The line itself is shown again below the list.
            words = set(text.replace(PROMPT, " ").replace(line.rstrip(), " ").split())
        self.send("\x15\n")
        self.read_until(PROMPT)
        return words

    def completed(self, line):
        """The words of the line, as the shell would give them to the program."""
        self.send(line + "\t\x01words \n")
        text = self.read_until(PROMPT)
        return json.loads(re.search(r"^\[.*\]", text, re.MULTILINE)[0])

    def close(self):
        os.close(self.screen)
        os.waitpid(self.child, 0)


class Fish:
    def __init__(self, script, folder, path):
        self.script, self.folder = script, folder
        self.environment = {"PATH": path, "HOME": str(folder.parent / "home"), "LANG": "C.UTF-8"}

    def offered(self, line, _=None):
        code = f"source {self.script}; complete -C {quoted(line)}"
        result = subprocess.run(["fish", "--no-config", "-c", code], cwd=self.folder,
                                env=self.environment, capture_output=True, text=True, check=True)
        assert not result.stderr, result.stderr
        return {one.split("\t")[0] for one in result.stdout.splitlines()}

    def completed(self, line):
        offered = self.offered(line)
        assert len(offered) == 1, f"{line}: {offered}"
        words = line.split()
        return words[:-1] + [offered.pop()]

    def close(self):
        pass


def quoted(text):
    return "'" + text + "'"


def start(shell, script, folder, path):
    if shell == "fish":
        return Fish(script, folder, path)
    if shell == "bash":
        setup = (f"source {BASH_COMPLETION}; source {script}; bind 'set page-completions off'; "
                 "bind 'set completion-query-items 0'; bind 'set bell-style none'; "
                 "bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'")
        return Terminal(["bash", "--norc", "--noprofile", "-i"], setup, folder, path)
    # Found in fpath, as it is when installed.
    setup = (f"fpath=({script.parent} $fpath); autoload -U compinit; compinit -u -D; LISTMAX=9999; unsetopt zle_bracketed_paste; "
             "setopt no_beep no_always_last_prompt no_prompt_sp no_prompt_cr list_rows_first; "
             "zstyle ':completion:*' verbose no; "
             "bindkey -e; unset zle_bracketed_paste")
    return Terminal(["zsh", "-f", "-i"], setup, folder, path)


def make_scene(folder, program):
    (folder / "bin").mkdir()
    (folder / "bin/mezzotint").symlink_to(program)
    words = folder / "bin/words"
    words.write_text("#!/usr/bin/env python3\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n")
    words.chmod(0o755)
    here, home = folder / "here", folder / "home"
    home.mkdir()
    for name in ("folder", "folder2"):
        (here / name).mkdir(parents=True)
    for name in ("job.yaml", "job2.yml", "with space.yaml", "notes.txt", "SHEET.TIFF"):
        (here / name).write_text("")
    (here / "broken.yaml").write_text("mezzotint: 1\npages: [")
    subprocess.run([program, "synth", "-q", "--width", "64", "--height", "64", "--colour", "cmyk",
                    here / "page.tif"], check=True)
    return here


def check(terminal, methods):
    failures = 0
    for line, expected, others in OFFERED:
        expected = set(methods if expected == "METHODS" else expected)
        offered = terminal.offered(line, expected)
        missing = expected - offered
        wrong = set(others) & offered
        if missing or wrong:
            failures += 1
            print(f"FAILED: {line!r}: missing {missing}, not wanted {wrong}; offered {offered}")
    for line, expected in COMPLETED:
        words = terminal.completed(line)
        words[-1] = words[-1].rstrip("/")  # which zsh takes back when no name follows
        if words != expected:
            failures += 1
            print(f"FAILED: {line!r} became {words}, not {expected}")
    return failures


def main():
    program, shell = os.path.abspath(sys.argv[1]), sys.argv[2]
    if shutil.which(shell) is None or (shell == "bash" and not BASH_COMPLETION.exists()):
        print(f"skipped: {shell} or its completion is not installed")
        return 77
    info = json.loads(subprocess.run([program, "info", "--json"], check=True,
                                     stdout=subprocess.PIPE).stdout)
    with tempfile.TemporaryDirectory() as name:
        here = make_scene(pathlib.Path(name), program)
        before = sorted(os.listdir(here))
        script = pathlib.Path(name) / "_mezzotint"
        with script.open("w") as file:
            subprocess.run([program, "completion", shell], check=True, stdout=file)
        terminal = start(shell, script, here, f"{name}/bin:{os.environ['PATH']}")
        failures = check(terminal, info["methods"])
        terminal.close()
        if sorted(os.listdir(here)) != before:
            sys.exit(f"FAILED: completion wrote {set(os.listdir(here)) - set(before)}")
    print(f"{len(OFFERED) + len(COMPLETED)} lines, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
