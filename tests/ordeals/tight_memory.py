#!/usr/bin/env python3
"""Runs pages of many shapes, files made to blow a decoder up, and jobs that ask for all that a
manifest can, in little memory.

Each run makes its plates in at most the memory of its job and 8 MiB, or refuses by name; where it
names the memory that it needs, it makes them in that. A profile that is too large to be read hides
what its page needs, which is named next.

Plates of strange frames of zstd get no proof, or one in the memory of that of a usual plate and 8 MiB.

  tight_memory.py PROGRAM             a few of all, smaller
  tight_memory.py PROGRAM --whole     all of it in 48, 64 and 128 MiB
  tight_memory.py PROGRAM --whole --only decoder
                                      what decoders are asked for in ways that a head may hide
                                      (decoder_shapes.py), in 48 to 256 MiB

48 MiB is the least that a job may have: all is beside the program. In 64 the usual page of inks
just fits, so plans are at their tightest. In 128 most run, several bands and pages at a time.
"""

import dataclasses
import os
import re
import resource
import shutil
import signal
import subprocess

import decoder_shapes
import odd_tiff
import tight_jobs
import tight_shapes
from ordeal import PATIENCE, Ordeal, choose
from tight_jobs import Job

SABOTAGES = {"greedy": "a run is said to have taken 100 MiB more",
             "speechless": "a refusal loses its message",
             "stingy": "of the memory that a refusal names, 16 MiB are left out"}
MOST_BESIDE_MIB = 8
MOST_TO_TRY_MIB = 1500  # of what refusals name
BUDGETS = (48, 64, 128)
DECODER_BUDGETS = (48, 64, 96, 128, 192, 256)
REFUSALS = (1, 65)  # some page failed; the data is wrong
NEEDED = re.compile(r"needs at least (\d+) MiB")
NAMED = re.compile(r"limit|progressive|damaged|not supported|longer than|more than|too many|"
                   r"no compression|cannot decode", re.IGNORECASE)
NAMES_FILE = re.compile(r"\.(tif|icc|yaml)\b")
PROFILE = "the ICC profile"
SHORT_JOBS = choose(2, 5)
LONG_JOBS = re.compile(choose("16 inks|16 bits|wide|computed again|read back|profile of its own", "$^"))  # left out: seconds each
SHORT_FILES = choose(4, None)  # of those made to blow a decoder up, of either kind; None: all
PLATE_SIDE = choose(12_000, 20_000)  # its bits are more than MOST_BESIDE_MIB
MOST_READ = 100_000  # bytes of messages
MIB = 1 << 20


@dataclasses.dataclass
class Outcome:
    status: int
    messages: str
    peak: float  # MiB

    def needed(self):
        """The memory in MiB that would do, as messages name it."""
        return max((int(found) for found in NEEDED.findall(self.messages)), default=None)


def end_of(file):
    """All but its end would make this process large, and with it those that it starts."""
    with open(file, "rb") as opened:
        opened.seek(max(0, file.stat().st_size - MOST_READ))
        return opened.read().decode(errors="replace")


def run(ordeal, words, patience=2 * PATIENCE):
    """The peak is that of the largest process of the tree."""
    def give_up(*_):
        raise TimeoutError(f"{words} takes more than {patience} s")
    signal.signal(signal.SIGALRM, give_up)
    messages = ordeal.scratch / "messages"
    with open(messages, "wb") as errors:
        process = ordeal.start(words, cwd=ordeal.scratch, env=ordeal.environment,
                               stdout=errors, stderr=errors)
        signal.alarm(patience)
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
    process.returncode = os.waitstatus_to_exitcode(status)
    text = end_of(messages).replace(f"{ordeal.scratch}/", "")
    return Outcome(process.returncode, text, usage.ru_maxrss / 1024)


class Trials:
    """Runs of jobs, and how near each came to its limit."""

    def __init__(self, ordeal):
        self.ordeal = ordeal
        self.all = []

    def trial(self, name, job, mib):
        """One run, and one more in the memory that it asks for."""
        outcome = self.run_in(name, job, mib)
        needed = outcome.needed()
        if outcome.status != 0 and needed is None:
            self.ordeal.count("refused_for_good")
            self.ordeal.check(NAMED.search(outcome.messages) and "memory" not in outcome.messages,
                              f"{name}, {mib} MiB: refused without the memory that would do\n"
                              f"{outcome.messages}")
            self.ordeal.check(NAMES_FILE.search(outcome.messages),
                              f"{name}, {mib} MiB: the refusal names no file\n{outcome.messages}")
        if needed is None:
            return
        self.ordeal.count("refused_for_memory")
        takes_minutes = any(isinstance(page, tuple) and page[1] > 1 for page in job.files.values())
        if needed > MOST_TO_TRY_MIB or (takes_minutes and not self.ordeal.options.whole):
            self.ordeal.count("needs_not_tried")
            return
        if self.ordeal.sabotage("stingy"):
            needed = max(needed - 16, BUDGETS[0])
        enough = self.run_in(name, job, needed)
        more = enough.needed()
        if PROFILE in outcome.messages and more is not None:
            enough = self.run_in(name, job, more)
        self.ordeal.check(enough.status == 0 and enough.needed() is None,
                          f"{name}: {mib} MiB were refused for {needed} MiB, and these are, too\n"
                          f"{outcome.messages}{enough.messages}")

    def run_in(self, name, job, mib):
        ordeal = self.ordeal
        manifest = ordeal.scratch / "job.yaml"
        manifest.write_text(tight_jobs.manifest(job, mib), encoding="utf-8")
        words = [ordeal.program, "-q", "run", "--fresh", "--journal", ordeal.scratch / "job.db",
                 *job.options, manifest]
        outcome = run(ordeal, words)
        what = f"{name}, {mib} MiB"
        if ordeal.sabotage("greedy"):
            outcome.peak += 100
        if outcome.status != 0 and ordeal.sabotage("speechless"):
            outcome.messages = ""
        ordeal.count("runs")
        ordeal.count("made", outcome.status == 0)
        self.all.append((outcome.peak - mib, what, outcome))
        ordeal.check(outcome.peak <= mib + MOST_BESIDE_MIB,
                     f"{what}: it took {outcome.peak:.0f} MiB\n{outcome.messages}")
        ordeal.check(outcome.status == 0 or outcome.status in REFUSALS,
                     f"{what}: status {outcome.status}\n{outcome.messages}")
        if ordeal.options.list:
            print(f"  {what}: status {outcome.status}, {outcome.peak:.0f} MiB "
                  f"{' '.join(outcome.messages.split())[:260]}", flush=True)
        shutil.rmtree(ordeal.scratch / "out", ignore_errors=True)
        return outcome

    def print_worst(self, count):
        print("  beside MiB  peak MiB  status  job")
        for beside, what, outcome in sorted(self.all, key=lambda each: -each[0])[:count]:
            print(f"  {beside:10.1f}  {outcome.peak:8.1f}  {outcome.status:6}  {what}")


def jobs_of_shapes(shapes):
    return {name: Job({"page0.tif": page},
                      'pages: [{input: page0.tif, output: {path: "out/{stem}_{ink}.tif"}}]\n')
            for name, page in shapes.items()}


def jobs_of_bombs(bombs, inputs):
    """`inputs`: entries of the manifest for a file of many directories."""
    found = {}
    for name, (page, directories) in bombs.items():
        entries = "".join(
            f'  - {{input: page0.tif, output: {{path: "out/{one}_{{page}}_{{ink}}.tif"}}}}\n'
            for one in range(inputs if directories > 1 else 1))
        found[name] = Job({"page0.tif": (page, directories)}, f"pages:\n{entries}")
    return found


def few(ordeal, names):
    return ordeal.random.sample([name for name in names if not LONG_JOBS.search(name)], SHORT_JOBS)


def chosen_jobs(ordeal):
    """{name: (Job, its budgets)}."""
    whole = ordeal.options.whole
    shapes = jobs_of_shapes(tight_shapes.shapes())
    jobs = tight_jobs.jobs()
    bombs = jobs_of_bombs(tight_shapes.bombs(16000 if whole else 4000,
                                             120 * MIB if whole else 12 * MIB), 20 if whole else 1)
    if not whole:
        shapes = {name: shapes[name] for name in few(ordeal, sorted(shapes))}
        jobs = {name: jobs[name] for name in few(ordeal, tight_jobs.QUICK)}
    decoders = jobs_of_shapes(decoder_shapes.pages(8000 if whole else 3000))
    if SHORT_FILES and not (whole or ordeal.options.only):
        bombs, decoders = (dict(ordeal.random.sample(sorted(files.items()), SHORT_FILES))
                           for files in (bombs, decoders))
    found = {**shapes, **jobs, **bombs, **decoders}
    if ordeal.options.only:
        found = {name: job for name, job in found.items() if ordeal.options.only in name}
    def budgets(name):
        if name in bombs:
            return (64,)
        many = DECODER_BUDGETS if name in decoders else BUDGETS
        return many if whole else many[:1]
    return {name: (job, budgets(name)) for name, job in found.items()}


def hold_proofs(ordeal):
    plate, proof = ordeal.scratch / "plate.tif", ordeal.scratch / "proof.tif"
    usual = None
    plates = list(decoder_shapes.plates(PLATE_SIDE).items())  # the first one is the usual one
    if SHORT_FILES and not (ordeal.options.whole or ordeal.options.only):
        plates = [plates[0], *ordeal.random.sample(plates[1:], SHORT_FILES - 1)]
    for name, page in plates:
        if ordeal.options.only and ordeal.options.only not in name:
            continue
        odd_tiff.write(plate, page)
        outcome = run(ordeal, [ordeal.program, "-q", "proof", plate, "-o", proof, "--force"])
        if usual is None:
            usual = outcome.peak
            ordeal.check(outcome.status == 0, f"{name} has no proof\n{outcome.messages}")
        if ordeal.sabotage("greedy"):
            outcome.peak += 100
        if ordeal.sabotage("speechless"):
            outcome.messages = ""
        ordeal.count("proofs", outcome.status == 0)
        ordeal.count("proofs_refused", outcome.status != 0)
        if ordeal.options.list:
            print(f"  {name}: status {outcome.status}, {outcome.peak:.0f} MiB {outcome.messages}", flush=True)
        ordeal.check(outcome.status in (0, 65), f"{name}: status {outcome.status}\n{outcome.messages}")
        ordeal.check(outcome.status == 0 or NAMES_FILE.search(outcome.messages),
                     f"{name}: the refusal names no file\n{outcome.messages}")
        ordeal.check(outcome.peak <= usual + MOST_BESIDE_MIB,
                     f"{name}: the proof took {outcome.peak:.0f} MiB, that of a usual plate {usual:.0f}")
    plate.unlink(missing_ok=True)


def hold(ordeal):
    trials = Trials(ordeal)
    for name, (job, budgets) in chosen_jobs(ordeal).items():
        tight_jobs.write(ordeal.scratch, job)
        for mib in budgets:
            trials.trial(name, job, mib)
        for path in [*(ordeal.scratch / name for name in job.files),
                     *ordeal.scratch.glob("job.db*")]:
            path.unlink()
    hold_proofs(ordeal)
    if ordeal.options.whole:
        trials.print_worst(20)
    # A child that is started begins with the memory of who starts it.
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ordeal.check(own < 40, f"this program itself took {own:.0f} MiB: its figures are worth nothing")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--whole", {"action": "store_true", "help": "all jobs and sizes; about an hour"}),
        ("--only", {"metavar": "TEXT", "help": "jobs with this in their names"}),
        ("--list", {"action": "store_true", "help": "print each run"})])
    ordeal.hold(hold)
