#!/usr/bin/env python3
"""Fails the system calls of a job one at a time, and looks at what it leaves.

For each kind of call that changes files, each k and each error, strace fails the k-th call of a
thread (the journal's calls too). No plate under its own name may then be bad and no temporary file
left; the run fails with a message or makes everything; the next run makes what is missing, calls
nothing done that is not there and right, and ends with the tree of an unbroken run.

  fail_calls.py PROGRAM                            some calls, drawn by lot
  fail_calls.py PROGRAM --count 0                  every call, every error
  fail_calls.py PROGRAM --short-writes LIBRARY     with short_writes.cpp preloaded instead
"""

import pathlib

from job import Job
from kill_resume import calls_of_a_run, harm, published, whole_plates
from ordeal import Ordeal, require_options, require_strace

SABOTAGES = {
    "alter": "a byte of a plate is changed after the last run",
    "litter": "a .part is put beside the plates after the last run",
    "lose": "a plate is removed after the last run",
    "lie": "what the failed run left is taken for nothing",
    "silent": "the failed run's message is dropped",
}
CALLS = ("pwrite64", "write", "fsync", "fdatasync", "rename", "renameat", "renameat2", "ftruncate",
         "fallocate", "unlink", "unlinkat", "mkdir", "mkdirat", "link", "linkat")
ERRORS = ("ENOSPC", "EIO", "EDQUOT")
# Finished, some page failed, cannot create, I/O, try again. Not 70: a full disk is no bug.
FAILURES = (1, 73, 74, 75)


def trial(ordeal, job, reference, call, k, error):
    job.forget()
    trace = job.log("trace")
    run = job.run(before=("strace", "-f", "-qq", "--seccomp-bpf", "-o", trace, "-e", "signal=none",
                          "-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={k}"))
    if "INJECTED" not in trace.read_text(errors="replace"):
        return  # a run makes a call more or less, as its threads go
    ordeal.count("failed_calls")
    ordeal.count("runs_that_failed", int(run.status != 0))
    what = f"{call} {k} {error}"
    judge(ordeal, job, reference, run, what, excused=call)
    complete(ordeal, job, reference, run, what)


def judge(ordeal, job, reference, run, what, excused=""):
    """The run in which something failed. A failed unlink() leaves its file, a failed write() may
    have been the message's."""
    ordeal.check(run.status == 0 or run.status in FAILURES, f"{what}: status {run.status}\n"
                 f"{run.stderr}")
    message = "" if ordeal.sabotage("silent") else run.stderr
    ordeal.check(run.status == 0 or message.strip() or excused == "write",
                 f"{what}: failed without a message")
    plates = job.plates()
    whole_plates(job, plates, reference, ordeal, what)
    if excused not in ("unlink", "unlinkat"):
        for name in plates:
            ordeal.check(name in reference, f"{what}: {name} is left")
    if run.status == 0:
        ordeal.check(plates.keys() >= reference.keys(), f"{what}: succeeded without every plate")


def complete(ordeal, job, reference, failed, what):
    """A plain run after one in which something failed."""
    there = set() if ordeal.sabotage("lie") else published(job, set(job.plates()))
    last = job.run()
    ordeal.check(last.status == 0, f"{what}, again: status {last.status}\n{last.stderr}")
    already_done = last.already_done()
    ordeal.count("sheets_already_done", len(already_done))
    for name in sorted(already_done - there):
        ordeal.check(False, f"{what}, again: {name} is called done, and was not there")
    for name in sorted(already_done & failed.sheets(ok=False)):
        ordeal.check(False, f"{what}, again: {name} is called done, and had failed")
    harm(ordeal, job.folder / "plates")
    plates = job.plates()
    for name in sorted(reference.keys() | plates.keys()):
        ordeal.check(plates.get(name) == reference.get(name), f"{what}, again: {name} "
                     + ("is missing" if name not in plates else
                        "is left" if name not in reference else "differs"))


def short_writes(ordeal, job, reference, library):
    """Every write is short: nothing of that may show. Every n-th writes nothing: it may fail."""
    ordeal.check(library.is_file(), f"{library} is missing")
    for every in (1, 2, 3, 7):
        for mode in ("half", "one", "none"):
            if mode == "none" and every == 1:
                continue
            job.forget()
            run = job.run(environment={"LD_PRELOAD": str(library.resolve()),
                                       "SHORT_WRITES": f"{mode}:{every}"})
            what = f"write {mode} of every {every}."
            ordeal.count("runs")
            ordeal.check(mode == "none" or run.status == 0,
                         f"{what}: status {run.status}\n{run.stderr}")
            judge(ordeal, job, reference, run, what)
            complete(ordeal, job, reference, run, what)


def hold(ordeal):
    require_options(ordeal, "run", "--journal", "--fresh")
    options = ordeal.options
    job = Job(ordeal, ordeal.scratch / "job", pages=3, side=300, cmyk_every=3, threads=1)
    reference, _ = job.whole()
    if options.short_writes:
        short_writes(ordeal, job, reference, options.short_writes)
        return
    require_strace()
    calls = calls_of_a_run(job, options.calls.split(","))
    points = [(call, k, error) for call, number in sorted(calls.items())
              for k in range(1, number + 1) for error in options.errors.split(",")]
    ordeal.figures.update(points=len(points), failed_calls=0, sheets_already_done=0)
    ordeal.random.shuffle(points)
    for number, point in enumerate(points):
        both_seen = ordeal.figures["failed_calls"] and ordeal.figures["sheets_already_done"]
        if options.count and number >= options.count and both_seen:
            break
        trial(ordeal, job, reference, *point)
    ordeal.check(ordeal.figures["failed_calls"] > 0, "no call was failed")
    ordeal.check(ordeal.figures["sheets_already_done"] > 0, "nothing ever survived a failure")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": 30, "help": "failures, or more until one was survived; 0: all"}),
        ("--calls", {"default": ",".join(CALLS)}),
        ("--errors", {"default": ",".join(ERRORS)}),
        ("--short-writes", {"type": pathlib.Path, "help": "the library made of short_writes.cpp"})])
    ordeal.hold(hold)
