"""A job on a throw-away cluster, what its attempts recorded, and what must be true in the end."""

import collections
import dataclasses
import json
import pathlib
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "ordeals"))

from job import Job  # noqa: E402  (found by the line above)
from ordeal import PATIENCE, Skip, json_lines, text_of, tree, wait_until  # noqa: E402

import throwaway  # noqa: E402

SLOW = "halftone: {method: les, eye: published, rounds: 1}"  # some 2 s for a page of SLOW_SIDE
SLOW_SIDE = 200
END_OF_ALL = 240  # seconds, for a submission that waits

# What can be done to a job in the end, each of which judge() must notice.
SABOTAGES = {
    "alter": "a byte of a plate is changed",
    "lose": "a plate is removed",
    "swap": "two plates change places",
    "litter": "a temporary file is put beside the plates",
    "twice": "the report has a sheet twice",
    "unreported": "the report lacks a sheet",
}


def start_cluster(ordeal, **settings):
    """A Cluster below the scratch folder; throws Skip where there can be none."""
    if missing := throwaway.missing_programs():
        raise Skip(f"no {', '.join(missing)}: apt-get install --no-install-recommends "
                   + throwaway.PACKAGES)
    return throwaway.Cluster(ordeal.scratch / "c", environment=ordeal.environment, **settings)


@dataclasses.dataclass
class Attempt:
    """A file of a plan's records."""

    name: str
    lines: list

    def first(self, kind):
        return next((line for line in self.lines if line["type"] == kind), None)

    def all(self, kind):
        return [line for line in self.lines if line["type"] == kind]

    def __getattr__(self, name):
        return self.lines[0][name]  # unit, node, slurm_job, ...

    def began(self):
        return seconds_of(self.lines[0])

    def ended(self):
        """Seconds since 1970; None for one that was killed, or runs."""
        line = self.first("ended")
        return line and seconds_of(line)

    def status(self):
        line = self.first("ended")
        return line and line["status"]


def seconds_of(line):
    return line["time"] / 1000


class ClusterJob(Job):
    """A Job with a plan folder. Pages `slow` are small, and take some seconds each."""

    def __init__(self, ordeal, cluster, pages, side, slow=(), folder="job", **kinds):
        self.cluster = cluster
        self.gate = None
        super().__init__(ordeal, ordeal.scratch / folder, pages, side, **kinds)
        for number in slow:
            name = f"page{number:02}.tif"
            self.inks[name] = ("black",)
            self.settings[name] = SLOW
            self.make_page(name, seed=number + 1, width=SLOW_SIDE)
        self.write_manifest()

    @property
    def plan(self):
        return self.folder / "job.plan"

    def submit(self, *more):
        """`mezzotint submit --wait` as a process; see ended()."""
        if self.gate:
            more = ("--program", self.gate.program, *more)
        words = [self.ordeal.program, "submit", "--json", "--wait", *more, "job.yaml"]
        with open(self.log("out"), "wb") as out, open(self.log("err"), "wb") as err:
            return self.ordeal.start(words, cwd=self.folder, stdout=out, stderr=err,
                                     env=self.cluster.environment)

    def ended(self, process):
        """The Run of a process of submit() or start(); one that hangs has the status None."""
        wait_until(lambda: process.poll() is not None, END_OF_ALL / 2)
        run = super().ended(process)
        names = [f"mz-{line['id']}{what}" for line in run.lines if line.get("type") == "submitted"
                 for what in ("", "-collect")]
        # The collecting job comes after, and writes the report once more.
        over = wait_until(lambda: not names or not self.cluster.tasks(",".join(names)), PATIENCE)
        if not over:
            self.ordeal.check(False, f"Slurm is not done: {names}\n{self.state()}")
        return run

    def command(self, *words):
        """(status, objects on standard output, messages) of another command of the program."""
        result = subprocess.run([str(word) for word in (self.ordeal.program, *words)], text=True,
                                env=self.cluster.environment, cwd=self.folder, check=False,
                                capture_output=True, timeout=PATIENCE, errors="replace")
        return result.returncode, json_lines(result.stdout), result.stderr

    def submitted(self, process):
        """What `submit` said that it handed over; ends the ordeal when it failed to."""
        def line():
            found = [one for one in json_lines(self.log("out").read_text(errors="replace"))
                     if one.get("type") == "submitted"]
            return found or process.poll() is not None
        if not isinstance(found := wait_until(line, PATIENCE), list):
            sys.exit(f"{self.ordeal.name}: nothing was submitted, status {process.poll()}\n"
                     + text_of(self.log("err").read_bytes()))
        return found[0]

    def attempts(self, unit=None):
        """Attempts of this submission, the oldest first."""
        found = []
        for path in (self.plan / "records").glob("*.ndjson"):
            lines = json_lines(path.read_text(errors="replace"))
            if lines and lines[0].get("type") == "attempt":
                found.append(Attempt(path.stem, lines))
        return sorted((one for one in found if unit is None or one.unit == unit),
                      key=Attempt.began)

    def submissions(self):
        """How often units were handed over."""
        path = self.plan / "submissions"
        return len(json_lines(path.read_text(errors="replace"))) if path.exists() else 0

    def report(self):
        path = self.plan / "report" / "report.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"sheets": []}

    def temporaries(self):
        return [name for name in tree(self.folder / "plates") if name.endswith(".part")]

    def state(self):
        """A few words on what the scheduler and the records say, for violations."""
        attempts = ", ".join(f"{one.unit} on {one.node}: {one.status()}" for one in self.attempts())
        return f"attempts: {attempts}; Slurm: {self.cluster.tasks()}"


class Gate:
    """A program that stands in for mezzotint on the nodes: its workers wait at closed gates, or
    end at once."""

    def __init__(self, job):
        self.folder = job.ordeal.scratch / "gate"
        self.folder.mkdir()
        self.program = self.folder / "mezzotint"
        folder = shlex.quote(str(self.folder))
        self.program.write_text(f"""#!/bin/sh
if [ "$1" = worker ]; then
  echo "{{\\"unit\\": $3, \\"node\\": \\"$SLURMD_NODENAME\\"}}" >>{folder}/arrived
  while [ -e {folder}/all ] || [ -e {folder}/"$3" ]; do sleep 0.1; done
  if [ -e {folder}/end"$3" ]; then exit "$(cat {folder}/end"$3")"; fi
fi
exec {shlex.quote(str(job.ordeal.program))} "$@"
""", encoding="utf-8")
        self.program.chmod(0o755)
        job.gate = self

    def close(self, unit="all"):
        (self.folder / str(unit)).touch()

    def open(self, unit="all"):
        (self.folder / str(unit)).unlink()

    def end(self, unit, status):
        """Workers of the unit end with the status from now on; None: no longer."""
        path = self.folder / f"end{unit}"
        path.write_text(str(status)) if status else path.unlink(missing_ok=True)

    def nodes_at(self, unit):
        """Nodes on which workers of the unit have come to the gate, one an attempt."""
        path = self.folder / "arrived"
        lines = json_lines(path.read_text()) if path.exists() else []
        return [line["node"] for line in lines if line["unit"] == unit]


def harm(ordeal, job):
    """The sabotages of the end."""
    plates = sorted((job.folder / "plates").glob("*.tif"))
    if ordeal.sabotage("alter"):
        data = bytearray(plates[0].read_bytes())
        data[len(data) // 2] ^= 1
        plates[0].write_bytes(data)
    if ordeal.sabotage("lose"):
        plates[0].unlink()
    if ordeal.sabotage("swap"):
        one, two = plates[0].read_bytes(), plates[1].read_bytes()
        plates[0].write_bytes(two)
        plates[1].write_bytes(one)
    if ordeal.sabotage("litter"):
        (plates[0].parent / f".{plates[0].name}.1-0123456789abcdef-00000000.part").touch()
    path = job.plan / "report" / "report.json"
    for name, change in (("twice", lambda sheets: sheets + sheets[:1]),
                         ("unreported", lambda sheets: sheets[1:])):
        if ordeal.sabotage(name):
            report = json.loads(path.read_text(encoding="utf-8"))
            report["sheets"] = change(report["sheets"])
            path.write_text(json.dumps(report), encoding="utf-8")


def judge(ordeal, job, run, reference, failed=()):
    """What must be true of a submission that has ended: its words, its report, its plates, its
    records. The pages `failed` are wrong; all others must be as an unbroken run makes them."""
    harm(ordeal, job)
    status = 1 if failed else 0
    ordeal.check(run.status == status, f"status {run.status} and not {status}\n{run.stderr}\n"
                 + job.state())
    last = [line for line in run.lines if line.get("type") == "collected"][-1:]
    wanted = {"ok": not failed, "done": len(job.inks) - len(failed), "failed": len(failed),
              "open": 0}
    said = {name: last[0].get(name) for name in wanted} if last else None
    ordeal.check(said == wanted, f"said {said} and not {wanted}")
    judge_plates(ordeal, job, {name: digest for name, digest in reference.items()
                               if not any(name in job.plates_of(page) for page in failed)})
    judge_report(ordeal, job, failed)
    ordeal.figures.update(pages=len(job.inks), attempts=len(job.attempts()),
                          submissions=job.submissions())


def judge_plates(ordeal, job, reference):
    plates = job.plates()
    for name in sorted(reference.keys() | plates.keys()):
        ordeal.check(plates.get(name) == reference.get(name), f"{name} "
                     + ("is missing" if name not in plates else
                        "is left" if name not in reference else "differs"))


def judge_report(ordeal, job, failed):
    sheets = job.report()["sheets"]
    times = collections.Counter(pathlib.Path(sheet["input"]).name for sheet in sheets)
    for name in sorted(job.inks.keys() | times.keys()):
        ordeal.check(times[name] == (name in job.inks),
                     f"{name} is {times[name]} times in the report")
    for sheet in sheets:
        name = pathlib.Path(sheet["input"]).name
        outcome = "failed" if name in failed else "good"
        ordeal.check(sheet["outcome"] == outcome, f"{name}: outcome {sheet['outcome']} and not "
                     f"{outcome}: {sheet.get('error')}")
        ordeal.check(sheet.get("node") in job.cluster.nodes,
                     f"{name}: made on {sheet.get('node')}, which is no node")
