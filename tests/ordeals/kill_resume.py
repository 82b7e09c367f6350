#!/usr/bin/env python3
"""Kills a job at random changes of its folder, runs it again to its end, and looks for what was lost.

Each trial starts `mezzotint run`, kills it with SIGKILL, now and then several times, and runs it to
the end. At each kill every plate under its own name must be whole; a sheet that was reported must
not be made again; of those that were published, at most as many are as can be in flight; whatever
the next run calls already done must have been on disk, and right. In the end the tree must equal
that of an unbroken run, with nothing beside it.

  kill_resume.py PROGRAM                        some kills of a small job
  kill_resume.py PROGRAM --count 200 --side 2400    the promise: 40 pages, 2 to 4 s
  kill_resume.py PROGRAM --at calls             kills at system calls that change files, by strace
"""

import collections
import itertools

from job import Job
from ordeal import Changes, Ordeal, choose, end, require_options, require_strace

SABOTAGES = {
    "alter": "a byte of a plate is changed after the last run",
    "litter": "a .part is put beside the plates after the last run",
    "lose": "a plate is removed after the last run",
    "redo": "the resumed run is told to make everything afresh",
    "lie": "what a sheet left at the kill is taken for nothing",
}
CALLS = ("fsync", "fdatasync", "renameat2", "renameat", "rename", "pwrite64", "ftruncate", "unlink",
         "unlinkat")


def kill_at_change(job, ordeal, most):
    """Kills a run as soon as it has changed something in its folder so many times, `most` at most."""
    with Changes(job.folder) as changes:
        process = job.start()
        changes.wait_for(ordeal.random.randint(0, most), process)
    end(process)
    return job.ended(process)


def calls_of_a_run(job, names=CALLS):
    """{system call: most that one thread makes of it}, of a whole run."""
    trace = job.log("trace")
    job.forget()
    run = job.run(before=("strace", "-f", "-qq", "-o", trace, "-e", "signal=none", "-e",
                          "trace=" + ",".join(names)))
    if run.status != 0:
        raise SystemExit(f"the job fails under strace: status {run.status}\n{run.stderr}")
    of_threads = collections.Counter()
    for line in trace.read_text(errors="replace").splitlines():
        thread, _, rest = line.partition(" ")
        name = rest.strip().partition("(")[0]
        if name in names:
            of_threads[name, thread] += 1
    most = {}
    for (name, _), number in of_threads.items():
        most[name] = max(most.get(name, 0), number)
    job.forget()
    return most


def kill_at_call(job, ordeal, calls):
    name = ordeal.random.choice(sorted(calls))
    k = ordeal.random.randint(1, calls[name])
    run = job.run(before=("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={name}", "-e",
                          f"inject={name}:signal=SIGKILL:when={k}"))
    if run.status != 0:
        ordeal.count(f"at_{name}")
    return run


def whole_plates(job, plates, reference, ordeal, when):
    """The plates that are there; any that is not right, and any stranger, is a violation."""
    for name, digest in plates.items():
        if name in reference:
            ordeal.check(digest == reference[name], f"{when}: {name} is not the plate it should be")
        else:
            ordeal.check(name.startswith(".") and name.endswith(".part"), f"{when}: {name} is left")
    return {name for name in plates if plates[name] == reference.get(name)}


def published(job, plates):
    return {name for name in job.inks if job.plates_of(name) <= plates}


def trial(ordeal, job, reference, kill, number):
    job.forget()
    kills = 1 if ordeal.random.random() < 0.7 else ordeal.random.randint(2, 4)
    reported, there = set(), set()
    for _ in range(kills):
        run = kill()
        when = f"trial {number}, status {run.status}"
        ordeal.check(run.status in (0, -9, 137), f"{when} of a killed run")
        ordeal.count("kills", int(run.status != 0))
        reported |= run.sheets(ok=True)
        there = whole_plates(job, job.plates(), reference, ordeal, when)
        if run.status == 0:
            break  # it was done before the moment came
    if reported and ordeal.sabotage("lie"):
        there -= job.plates_of(min(reported))
    if ordeal.random.random() < 0.1:
        # All anew, and yet nothing of the killed run may be left.
        last = job.run("--fresh")
        ordeal.check(not last.already_done(), f"trial {number}: --fresh keeps plates")
        reported, there = set(), set()
    else:
        last = job.run(*(["--fresh"] if ordeal.sabotage("redo") else []))
    judge(ordeal, job, last, reported, there, number)
    harm(ordeal, job.folder / "plates")
    plates = job.plates()
    for name in sorted(reference.keys() | plates.keys()):
        ordeal.check(plates.get(name) == reference.get(name), f"trial {number}, in the end: {name} "
                     + ("is missing" if name not in plates else
                        "is left" if name not in reference else "differs"))


def judge(ordeal, job, last, reported, there, number):
    """The run that goes to the end, after kills that left the plates `there`."""
    ordeal.check(last.status == 0, f"trial {number}, resumed: status {last.status}\n{last.stderr}")
    ordeal.check(last.sheets() == set(job.inks), f"trial {number}, resumed: not every sheet has a "
                 "line")
    already_done = last.already_done()
    ordeal.count("resumed_sheets", len(already_done))
    for name in sorted(reported - already_done):
        ordeal.check(False, f"trial {number}: {name} was reported, and made again")
    for name in sorted(already_done - published(job, there)):
        ordeal.check(False, f"trial {number}: {name} is called done, and was not there")
    again = published(job, there) - already_done
    ordeal.most("most_made_again", len(again))
    ordeal.check(len(again) <= job.in_flight(), f"trial {number}: made again: {sorted(again)}")


def harm(ordeal, plates):
    one = plates / "page00_black.tif"
    if ordeal.sabotage("alter"):
        data = bytearray(one.read_bytes())
        data[len(data) // 2] ^= 1
        one.write_bytes(data)
    if ordeal.sabotage("litter"):
        (plates / ".page00_black.tif.1-0123456789abcdef-00000000.part").touch()
    if ordeal.sabotage("lose"):
        one.unlink()


def hold(ordeal):
    require_options(ordeal, "run", "--journal", "--fresh")
    options = ordeal.options
    if options.at == "calls":
        require_strace()
    job = Job(ordeal, ordeal.scratch / "job", options.pages, options.side)
    if ordeal.random.random() < 0.5:
        job.journal = ordeal.scratch / "named.journal"
    reference, _ = job.whole()
    ordeal.figures.update(pages=options.pages, plates=len(reference), kills=0, resumed_sheets=0)
    calls = calls_of_a_run(job) if options.at == "calls" else {}
    most = job.changes_of_a_run()

    def kill():
        return kill_at_call(job, ordeal, calls) if calls else kill_at_change(job, ordeal, most)

    for number in itertools.count(1):
        trial(ordeal, job, reference, kill, number)
        # A job that was always done, or never begun, shows nothing.
        hit_at_work = ordeal.figures["kills"] and ordeal.figures["resumed_sheets"]
        if number >= options.count and (hit_at_work or ordeal.violations):
            break


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": 6, "help": "trials, or more until a job was hit at work"}),
        ("--pages", {"type": int, "default": 40}),
        ("--side", {"type": int, "default": 600, "help": "pixels, of the smallest page"}),
        ("--at", {"choices": ("random", "calls"), "default": "random"})])
    ordeal.hold(hold)
