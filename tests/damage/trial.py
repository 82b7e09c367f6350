"""Runs the program on many damaged files, a few jobs at a time, and reads what it made of each."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import tempfile

import pages
import tiff_form

FILES_A_JOB = 100
NAMED = "named-"  # begins the names of files that are no pages
SECONDS = 600  # for a job; one that takes longer hangs
# What a plate is by: the rest, as where its strips lie, may differ.
COMPARED = (254, 256, 257, 258, 259, 262, 266, 274, 277, 278, 282, 283, 284, 285, 296, 332, 333, 334,
            336, 338, 339)
OF_FILES = ("input=", "linework=", "linework-xxh3=", "file=", "tile-xxh3=")  # in ImageDescription


def read_plate(path):
    """An uncompressed plate: its tags, its bits, and its making without what it says of whole files."""
    data = path.read_bytes()
    tags = tiff_form.read_back("<" if data[:2] == b"II" else ">", data[2] + data[3] == 43, data)
    bits = b"".join(data[at:at + size] for at, size in zip(tags[273][1], tags[279][1]))
    texts = bytes(tags[270][1]).decode().split("; ")
    made = [text for text in texts if not text.startswith(OF_FILES)]
    return tuple(tags.get(tag) for tag in COMPARED), bits, made


def plates_in(folder):
    """{stem of the input: {ink: plate}} of all plates in a folder."""
    found = {}
    for path in sorted(folder.glob("*.tif")):
        stem, ink = path.stem.rsplit("__", 1)
        found.setdefault(stem, {})[ink] = read_plate(path)
    return found


def _manifest(settings, names):
    named = pages.NAMED_BY_PAGE.get(settings, "")
    lines = "\n".join(f"- {{input: {name}.tif, {named.format(f'{NAMED}{name}.tif')}}}" for name in names)
    return ("mezzotint: 1\njob: damage\ndefaults:\n  halftone: {method: floyd-steinberg}\n"
            '  output: {path: "plates/{stem}__{ink}.tif", compression: none}\n'
            f"{pages.SETTINGS[settings]}pages:\n{lines}\n")


def _outcomes(output):
    """{stem: message of the refusal, or None} of the program's JSON lines."""
    outcomes = {}
    for line in output.splitlines():
        sheet = json.loads(line)
        if sheet["type"] == "sheet":
            error = sheet.get("error", {}).get("message", "refused without a message")
            outcomes[pathlib.Path(sheet["input"]).stem] = None if sheet["ok"] else error
    return outcomes


class Trial:
    """Makes plates of files. `folder` is scratch; the program's own state stays in it."""

    def __init__(self, program, folder, workers):
        self.program, self.folder, self.workers = program, folder, workers
        self.environment = dict(os.environ, XDG_STATE_HOME=str(folder / "state"),
                                XDG_CACHE_HOME=str(folder / "cache"))

    def _run(self, settings, files):
        """One job: [(refusal or None, {ink: plate})] of files, or None if it broke down."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = pathlib.Path(name)
            stems = [f"f{number:04}" for number in range(len(files))]
            for stem, make in zip(stems, files):
                if settings in pages.NAMED_BY_PAGE:
                    (folder / f"{NAMED}{stem}.tif").write_bytes(make())
                    (folder / f"{stem}.tif").write_bytes(pages.contone_for(settings))
                else:
                    (folder / f"{stem}.tif").write_bytes(make())
            (folder / "job.yaml").write_text(_manifest(settings, stems))
            words = [self.program, "--json", "run", "--fresh", "--threads", "1", "job.yaml"]
            try:
                done = subprocess.run(words, cwd=folder, env=self.environment, capture_output=True,
                                      text=True, errors="replace", timeout=SECONDS, check=False)
            except subprocess.TimeoutExpired:
                return None
            if done.returncode not in (0, 1, 65):
                return None
            outcomes = _outcomes(done.stdout)
            if set(outcomes) != set(stems):
                return None
            plates = plates_in(folder / "plates")
            return [(outcomes[stem], plates.get(stem, {})) for stem in stems]

    def _run_apart(self, job):
        """A job; where it breaks down, each of its files alone, to find the one that did it."""
        settings, files = job
        results = self._run(settings, files)
        if results is not None:
            return results
        apart = [self._run(settings, [make]) for make in files] if len(files) > 1 else [None]
        return [alone[0] if alone else ("BROKE DOWN", None) for alone in apart]

    def run(self, cases):
        """[(refusal or None, {ink: plate})] of (settings, function that makes the file), in order."""
        jobs, places = [], []
        for settings in pages.SETTINGS:
            numbers = [i for i, case in enumerate(cases) if case[0] == settings]
            for begin in range(0, len(numbers), FILES_A_JOB):
                part = numbers[begin:begin + FILES_A_JOB]
                jobs.append((settings, [cases[i][1] for i in part]))
                places.append(part)
        results = [None] * len(cases)
        with concurrent.futures.ThreadPoolExecutor(self.workers) as pool:
            for part, outcome in zip(places, pool.map(self._run_apart, jobs)):
                for number, result in zip(part, outcome):
                    results[number] = result
        return results
