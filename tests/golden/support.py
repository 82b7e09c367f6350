"""What the golden tests share: a scratch folder, the program, masks, and the comparison.

A mask replaces a value that differs from run to run by a placeholder. Each names the keys or the
words that it holds for, so that all other bytes of a text stay as the program wrote them.
"""

import difflib
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from events import PATIENCE, wait_for  # noqa: E402,F401  (it lies there; the parts take it from here)

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
SKIPPED = 77
MOST_LINES = 40  # of a difference


class Skip(Exception):
    """A part of the test cannot be held here; the text says what is missing."""


class Scene:
    """The program in a scratch folder of its own, with state, cache and sockets below that."""

    def __init__(self, program):
        self.program = pathlib.Path(program).resolve()
        self.folder = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="mezzotint-golden-")))
        self.work = self.folder / "work"
        self.work.mkdir()
        self.environment = self._environment()
        self.version = self.make("--version").split()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def _environment(self):
        strange = ("XDG_", "MEZZOTINT_", "LD_PRELOAD", "LC_", "SLURM_")
        folders = ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "CACHE_DIRECTORY", "LOGS_DIRECTORY",
                   "NOTIFY_SOCKET", "WATCHDOG_USEC", "JOURNAL_STREAM")
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(strange) and name not in folders}
        kept.update(HOME=str(self.folder), TZ="UTC", LANG="C")
        for variable, name in (("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache"),
                               ("XDG_RUNTIME_DIR", "runtime")):
            (self.folder / name).mkdir(mode=0o700)
            kept[variable] = str(self.folder / name)
        return kept

    def call(self, *words, folder=None):
        """The completed process, whatever its status."""
        return subprocess.run([self.program, *map(str, words)], cwd=folder or self.work,
                              env=self.environment, capture_output=True, timeout=PATIENCE,
                              stdin=subprocess.DEVNULL, check=False)

    def make(self, *words, folder=None):
        """Runs a command that must succeed; its standard output."""
        result = self.call(*words, folder=folder)
        if result.returncode != 0:
            raise RuntimeError(f"{words}: status {result.returncode}\n"
                               f"{result.stdout.decode()}{result.stderr.decode()}")
        return result.stdout.decode()

    def synth(self, name, width, height, *more):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        self.make("synth", "-q", path, "--width", width, "--height", height, *more)
        return path

    def write(self, name, text):
        path = self.work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def transcript(self, *words, folder=None):
        """Words, status, standard output and standard error of a command, masked."""
        result = self.call(*words, folder=folder)
        text = f"$ mezzotint {' '.join(map(str, words))}\nstatus {result.returncode}\n"
        for name, stream in (("stdout", result.stdout), ("stderr", result.stderr)):
            if stream:
                text += f"--- {name}\n{stream.decode()}"
        return self.mask(text)

    def mask(self, text):
        """The text with placeholders for what this run alone gave it."""
        text = text.replace(str(self.folder), "FOLDER").replace(str(self.program), "PROGRAM")
        text = text.replace(f"mezzotint {self.version}", "mezzotint VERSION")
        return mask_values(text)


def mask_values(text):
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


DURATION = r"[\d.]+ (?:ms|s|min|h)(?: \d+ (?:s|min))?"  # as mezzotint writes it for people
NUMBER = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?"
STAGES = "read|halftone|GPU|cut|encode|write|seal"
MASKS = [(re.compile(pattern, re.MULTILINE), replacement) for pattern, replacement in [
    # JSON: durations and times, in seconds, in milliseconds and as text.
    (rf'"(seconds|seconds_left|begin_seconds|estimated_seconds|silent_seconds|{STAGES})":{NUMBER}', r'"\1":#'),
    (r'"(time|since|now|started)":\d+', r'"\1":#'),
    (r'"(time|finished|made)":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z"', r'"\1":"TIME"'),
    (rf'"timeline":\[(\[\d+(,{NUMBER}){{3}}\],?)+\]', r'"timeline":[#]'),
    (r'"pid":\d+', r'"pid":#'),
    (r'"disks":\[(\{[^{}]*\},?)*\]', r'"disks":[#]'),
    (r'"version":"\d+\.\d+\.\d+"', r'"version":"VERSION"'),
    (r'"(id|plan)":"[0-9a-f]{12}"', r'"\1":"PLAN"'),
    (r'"node":"[^"]+"', r'"node":"NODE"'),
    # JSON of records: which process wrote, and size, inode and times of a file.
    (r'"writer":"[^"]*"', r'"writer":"WRITER"'),
    (r'"(file|input_file)":"(\d+) \d+ \d+ \d+"', r'"\1":"\2 # # #"'),
    (r'"mark":"\d+ \d+ \d+ \d+"', r'"mark":"# # # #"'),
    (r'(\["[^"]+","[^"]+"),"\d+ \d+ \d+ \d+"', r'\1,"# # # #"'),
    # Pulses come by the clock: one stands for all that follow each other.
    (r'(\{"v":1,"type":"pulse","pixels_done":\d+\}\n)+', '{"v":1,"type":"pulse","pixels_done":#}\n'),
    # Databases: as above.
    (r"^(file|input_file) = '(\d+) \d+ \d+ \d+'", r"\1 = '\2 # # #'"),
    (rf"^(since_ms|seconds) = {NUMBER}$", r"\1 = #"),
    (r"^entered = '\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ'", "entered = 'TIME'"),
    # Text for people: how long, and how fast.
    (rf"\d+(\.\d+)? Mpx in {DURATION} \([\d.e-]+ Mpx/s\)", "# Mpx in # s (# Mpx/s)"),
    (rf"\b(done|nodes?|made|plates?|failed;) in {DURATION}", r"\1 in # s"),
    (rf"(threads?) x {DURATION}:$", r"\1 x # s:"),
    (rf"^  ({STAGES}) +[\d.]+ s +[\d.]+ %$", r"  \1 # s # %"),
    (r"TIME +MESSAGE", "TIME MESSAGE"),
    (rf"^(\S+ +(?:done|failed) +\w+ +\w+) +{DURATION} *", r"\1 # s "),
]]


def dump_database(path):
    """Schema, pragmas and rows of an SQLite file as text."""
    lines = []
    with sqlite3.connect(path) as database:
        for pragma in ("user_version", "journal_mode"):
            lines.append(f"{pragma} {database.execute(f'PRAGMA {pragma}').fetchone()[0]}")
        database.row_factory = sqlite3.Row
        tables = database.execute("SELECT name, sql FROM sqlite_master ORDER BY rowid").fetchall()
        lines += [f"{table['sql']}" for table in tables if table["sql"]]
        for table in tables:
            if "CREATE TABLE" not in (table["sql"] or "") or table["name"].startswith("sqlite_"):
                continue
            for row in database.execute(f"SELECT * FROM {table['name']} ORDER BY 1"):
                lines.append(f"[{table['name']}]")
                lines += [f"{key} = {row[key]!r}" for key in row.keys()]
    database.close()
    return "\n".join(lines) + "\n"


def difference(name, expected, found):
    """A unified difference as text; empty when there is none."""
    if expected == found:
        return ""
    lines = list(difflib.unified_diff(
        expected.splitlines(keepends=True), found.splitlines(keepends=True),
        f"expected/{name}", f"found/{name}", n=1))
    rest = len(lines) - MOST_LINES
    return "".join(line[:600] + ("" if line.endswith("\n") else "\n")
                   for line in lines[:MOST_LINES]) + (f"... {rest} lines more\n" if rest > 0 else "")


def hold(part, found, update):
    """Compares {name: text} with the files expected/PART/*, or writes these; the differences."""
    folder = HERE / "expected" / part
    if update:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, text in found.items():
            (folder / name).write_text(text, encoding="utf-8")
        return []
    expected = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    return [text for name in sorted(expected.keys() | found.keys())
            if (text := difference(f"{part}/{name}", expected.get(name, ""), found.get(name, "")))]
