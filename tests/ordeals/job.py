"""A job of synthetic pages, and what is known of it: the plates of an unbroken run, its length."""

import dataclasses
import math
import pathlib
import shutil
import subprocess
import time

import chain_pages
from ordeal import PATIENCE, Changes, end, json_lines, require_good, run_to_end, tree

THREADS = 2


@dataclasses.dataclass
class Run:
    """What is known of a run of the job that has ended, in whatever way."""

    status: int
    lines: list
    stderr: str

    def sheets(self, **fields):
        """The inputs of the sheets whose lines have these fields; absent means False."""
        return {line["input"] for line in self.lines if line.get("type") == "sheet"
                and all(bool(line.get(name)) == value for name, value in fields.items())}

    def already_done(self):
        return self.sheets(already_done=True)


class Job:
    """A folder with pages, a manifest job.yaml that writes to plates/, and a state folder.

    Most pages are grey; of each `cmyk_every` the last has four inks, and of each `chain_every` the
    third is one of chain_pages; 0: none.
    """

    def __init__(self, ordeal, folder, pages, side, cmyk_every=10, chain_every=6, threads=THREADS):
        self.ordeal = ordeal
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True)
        self.environment = ordeal.environment
        self.threads = threads
        self.journal = None
        self.settings = {}
        self.inks = {}
        for number in range(pages):
            name = f"page{number:02}.tif"
            self.inks[name] = ("cyan", "magenta", "yellow", "black") \
                if number % cmyk_every == cmyk_every - 1 else chain_pages.PLATES \
                if chain_every and number % chain_every == 2 else ("black",)
            self.make_page(name, seed=number + 1, width=side + 8 * number)
        self.write_manifest()

    def is_chained(self, name):
        return self.inks[name] == chain_pages.PLATES

    def make_page(self, name, seed, width):
        """A page whose plates have about this height."""
        if self.is_chained(name):
            size = width // chain_pages.TIMES, width // chain_pages.TIMES // 4
            (self.folder / name).write_bytes(chain_pages.page(seed, *size))
            (self.folder / f"type-{name}").write_bytes(chain_pages.linework(seed, *size))
            return
        colour = "cmyk" if len(self.inks[name]) == 4 else "grey"
        # CMYK pages are half as high, so that no page holds up the others.
        height = width // 2 if colour == "cmyk" else width
        require_good(run_to_end(
            [self.ordeal.program, "synth", "-q", self.folder / name, "--width", width, "--height",
             height, "--seed", seed, "--colour", colour], self.environment, self.folder))

    def write_manifest(self):
        lines = ["mezzotint: 1", "job: Ordeal", "defaults:",
                 '  output: {path: "plates/{stem}_{ink}.tif"}', "pages:"]
        for name in sorted(self.inks):
            lines.append(f"  - input: {name}")
            lines += [f"    {line}" for line in self.settings_of(name).splitlines()]
        (self.folder / "job.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def settings_of(self, name):
        """Lines of the page's entry."""
        chained = chain_pages.settings(f"type-{name}") if self.is_chained(name) else ""
        return self.settings.get(name, chained)

    def plates_of(self, name):
        return {f"{pathlib.Path(name).stem}_{ink}.tif" for ink in self.inks[name]}

    def copy(self, folder):
        """The same job in another folder, without its plates, and with no journal named."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.folder, other.journal = pathlib.Path(folder), None
        other.settings, other.inks = dict(self.settings), dict(self.inks)
        shutil.copytree(self.folder, folder, ignore=shutil.ignore_patterns("plates"))
        return other

    def in_flight(self):
        """Most sheets that are in work at once: one a thread, and one between two threads."""
        return self.threads + 1

    def words(self, *more):
        journal = ["--journal", str(self.journal)] if self.journal else []
        return [str(self.ordeal.program), "run", "--json", "--threads", str(self.threads), *journal,
                *more, "job.yaml"]

    def start(self, *more, before=(), environment=None):
        """A run as a process; its output goes to the files `out` and `err` beside the job."""
        with open(self.log("out"), "wb") as out, open(self.log("err"), "wb") as err:
            return self.ordeal.start([*before, *self.words(*more)], cwd=self.folder, stdout=out,
                                     stderr=err, env={**self.environment, **(environment or {})})

    def log(self, name):
        return self.ordeal.scratch / f"{self.folder.name}.{name}"

    def ended(self, process):
        """The Run of a process of start(), which it waits for; status None when it hangs."""
        try:
            status = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            end(process)
            status = None
        return Run(status, json_lines(self.log("out").read_text(errors="replace")),
                   self.log("err").read_text(errors="replace"))

    def run(self, *more, before=(), environment=None):
        return self.ended(self.start(*more, before=before, environment=environment))

    def plates(self):
        return tree(self.folder / "plates")

    def bytes_of_plates(self):
        return sum(path.stat().st_size for path in (self.folder / "plates").iterdir())

    def forget(self):
        """As if the job had never run: no plates, no journal."""
        shutil.rmtree(self.folder / "plates", ignore_errors=True)
        state = pathlib.Path(self.environment["XDG_STATE_HOME"])
        shutil.rmtree(state)
        state.mkdir(mode=0o700)
        if self.journal:
            for path in self.journal.parent.glob(self.journal.name + "*"):
                path.unlink()

    def whole(self):
        """Plates of an unbroken run, and its seconds. The job is as if it had never run then."""
        self.forget()
        begin = time.monotonic()
        run = self.run()
        seconds = time.monotonic() - begin
        wanted = {plate for name in self.inks for plate in self.plates_of(name)}
        if run.status != 0 or set(self.plates()) != wanted:
            raise SystemExit(f"the job fails unbroken: status {run.status}\n{run.stderr}")
        plates = self.plates()
        self.forget()
        return plates, seconds

    def changes_of_a_run(self):
        """How often an unbroken run changes something in the job's folder: moments at which it can be broken off."""
        self.forget()
        with Changes(self.folder) as changes:
            process = self.start()
            count = changes.wait_for(math.inf, process)
        self.ended(process)
        self.forget()
        return count
