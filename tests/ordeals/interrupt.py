#!/usr/bin/env python3
"""Interrupts a job in the ways that people and schedulers do, and starts it twice at once.

The first SIGTERM or SIGINT ends the run within its grace time with 143 or 130, the second at once: only sheets
in work may still be made;
what was reported stays done, and the next run makes the rest. Of two runs of one job at the same
time the second is refused with 75 and a reason, and does the first no harm.

  interrupt.py PROGRAM [--count TRIALS] [--side PIXELS]
"""

import itertools
import signal
import time

from job import Job
from kill_resume import judge, published, whole_plates
from ordeal import Changes, Ordeal, choose, end, require_options, run_to_end, wait_for

GRACE = 30.0   # seconds: the promise of the program, by its own clock; these jobs need a hundredth of it
TRY_AGAIN = 75
SABOTAGES = {
    "late": "the clock that times the end is put forward",
    "on": "after the second signal the run is said to have made all sheets",
    "status": "another status is taken for the run's",
    "second": "the second of two runs is given another job",
}


def in_time(ordeal, process, what):
    """Waits for the end of an interrupted process and judges how long that took."""
    begin = time.monotonic()
    try:
        process.wait(timeout=GRACE + 10)
    except Exception:  # it hangs, which the check below says
        end(process)
    seconds = time.monotonic() - begin + (GRACE + 1 if ordeal.sabotage("late") else 0)
    ordeal.most(f"longest_{what}_s", seconds)
    ordeal.check(seconds <= GRACE, f"{what}: ended after {seconds:.1f} s")


def sheets_made(job):
    return job.log("out").read_bytes().count(b'"type":"sheet"')


def has_line(job):
    return lambda: b"\n" in job.log("out").read_bytes()


def interrupted(ordeal, job, reference, most, number, trial):
    """One signal at a random change of the job's folder, perhaps a second one, and the run that makes the rest."""
    job.forget()
    with Changes(job.folder) as changes:
        process = job.start()
        changes.wait_for(ordeal.random.randint(0, most), process)
    process.send_signal(number)
    twice = ordeal.random.random() < 0.5
    if twice:
        time.sleep(ordeal.random.uniform(0, 0.02))
        made = sheets_made(job)
        process.send_signal(number)
    in_time(ordeal, process, "second_signal" if twice else "signal")
    run = job.ended(process)
    if twice:
        more = (len(job.inks) if ordeal.sabotage("on") else sheets_made(job)) - made
        ordeal.check(more <= job.in_flight(), f"trial {trial}: {more} sheets were made after the second signal")
    status = 1 if ordeal.sabotage("status") else run.status
    # Before the handlers are there, and where the second signal ends it, the signal itself does.
    expected = (0, 128 + number, -number)
    ordeal.check(status in expected, f"trial {trial}: status {status} after signal {number}")
    ordeal.count("interrupted", int(run.status != 0))
    when = f"trial {trial}, signal {number}"
    there = whole_plates(job, job.plates(), reference, ordeal, when)
    if not twice and run.status == 128 + number:
        for name in job.plates():
            ordeal.check(not name.endswith(".part"), f"{when}: {name} is left")
        unreported = published(job, there) - run.sheets(ok=True)
        ordeal.check(not unreported, f"{when}: published and not reported: {sorted(unreported)}")
    last = job.run()
    judge(ordeal, job, last, run.sheets(ok=True), there, trial)
    ordeal.check(job.plates() == reference, f"{when}: the plates differ in the end")


def two_at_once(ordeal, job, reference):
    job.forget()
    first = job.start()
    wait_for(has_line(job), ordeal.scratch, process=first)
    # Held for a moment, so that it is certainly not done before the second has started.
    first.send_signal(signal.SIGSTOP)
    words = job.words()
    if ordeal.sabotage("second"):
        words = [str(ordeal.program), "info"]
    second = run_to_end(words, job.environment, job.folder)
    first.send_signal(signal.SIGCONT)
    ordeal.check(second.returncode == TRY_AGAIN,
                 f"two at once: the second ended with {second.returncode}")
    ordeal.check("job" in second.stderr and "run" in second.stderr,
                 f"two at once: the second does not say why: {second.stderr!r}")
    run = job.ended(first)
    ordeal.check(run.status == 0, f"two at once: the first ended with {run.status}\n{run.stderr}")
    ordeal.check(job.plates() == reference, "two at once: the plates differ in the end")
    print(f"{ordeal.name}: two at once: {second.stderr.strip()}")


def hold(ordeal):
    require_options(ordeal, "run", "--journal", "--fresh")
    options = ordeal.options
    job = Job(ordeal, ordeal.scratch / "job", options.pages, options.side)
    reference, _ = job.whole()
    most = job.changes_of_a_run()
    ordeal.figures.update(pages=options.pages, changes=most)
    two_at_once(ordeal, job, reference)
    for trial in itertools.count(1):
        number = (signal.SIGTERM, signal.SIGINT)[trial % 2]
        interrupted(ordeal, job, reference, most, number, trial)
        if trial >= options.count and (ordeal.figures["interrupted"] or ordeal.violations):
            break


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": 6, "help": "trials, or more until a job was hit at work"}),
        ("--pages", {"type": int, "default": 40}),
        ("--side", {"type": int, "default": 600, "help": "pixels, of the smallest page"})])
    ordeal.hold(hold)
