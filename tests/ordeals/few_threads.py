#!/usr/bin/env python3
"""Runs a job where only some threads can be had, from none to more than enough.

The run makes every plate, or ends with 75 and a message that speaks of threads before it begins one:
it is never aborted, and leaves no temporary file. A run without a limit then makes what is missing.

  few_threads.py PROGRAM [--library LIBRARY] [--threads N]
"""

import pathlib

from job import Job
from kill_resume import harm, whole_plates
from ordeal import Ordeal

SABOTAGES = {"alter": "a byte of a plate is changed after the last run",
             "litter": "a .part is put beside the plates after the last run",
             "lose": "a plate is removed after the last run",
             "silent": "the failed run's message is dropped"}
TRY_AGAIN = 75
LIBRARY = "tests/ordeals/libfew_threads.so"  # from the folder of the build


def hold(ordeal):
    threads = ordeal.options.threads
    job = Job(ordeal, ordeal.scratch / "job", pages=5, side=300, cmyk_every=3, threads=threads)
    reference, _ = job.whole()
    ordeal.figures.update(refused=0, made=0)
    library = ordeal.options.library or ordeal.program.parents[1] / LIBRARY
    ordeal.check(library.is_file(), f"{library} is missing")
    for most in range(2 * threads + 4):
        job.forget()
        run = job.run(environment={"LD_PRELOAD": str(library.resolve()),
                                   "MOST_THREADS": str(most)})
        what = f"{most} threads"
        ordeal.count("made" if run.status == 0 else "refused")
        ordeal.check(run.status in (0, TRY_AGAIN), f"{what}: status {run.status}\n{run.stderr}")
        message = "" if ordeal.sabotage("silent") else run.stderr
        ordeal.check(run.status == 0 or "threads can be had" in message,
                     f"{what}: no word of threads\n{message}")
        plates = job.plates()
        whole_plates(job, plates, reference, ordeal, what)
        ordeal.check(set(plates) == (set(reference) if run.status == 0 else set()),
                     f"{what}: status {run.status} and {sorted(plates)}")
        last = job.run()
        ordeal.check(last.status == 0, f"{what}, again: status {last.status}\n{last.stderr}")
        harm(ordeal, job.folder / "plates")
        ordeal.check(job.plates() == reference, f"{what}, again: the plates differ")
    ordeal.check(ordeal.figures["made"] and ordeal.figures["refused"], "not both were seen")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--library", {"type": pathlib.Path, "help": "made of few_threads.cpp"}),
        ("--threads", {"type": int, "default": 4})])
    ordeal.hold(hold)
