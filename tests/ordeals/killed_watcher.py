#!/usr/bin/env python3
"""Kills the watcher itself at random changes of its folder and starts it again: each job is done exactly once.

A job that three watchers died over is put aside, so none is left to be hit by a third kill. Workers
that outlive their watcher come to this process, which never asks for their status, as the first
process of many a container: they keep their numbers.

  killed_watcher.py PROGRAM [--count JOBS] [--kills KILLS]     200 jobs, 40 kills by hand
"""

import ctypes
import itertools

from ordeal import PATIENCE, Changes, Ordeal, choose, require_options, wait_until
from watching import HARMS, HotFolder, Watch, command_line, once, patience

PR_SET_CHILD_SUBREAPER = 36
MOST_CHANGES = 60  # of the folder before a kill; a job makes about twenty
SABOTAGES = {**HARMS, "late": "the last watcher is not started",
             "swap": "two plates of mixed inks change places",
             "recount": "a job is said to be done once more in the watcher's history"}


def gone(workers):
    """Whether workers of a killed watcher have ended."""
    return not any("run" in command_line(pid) for pid in workers)


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    options = ordeal.options
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    # A plate may be published, and its watcher killed before it knows: the next one replaces it.
    hot = HotFolder(ordeal.scratch / "hot", existing="replace", chain_every=4)
    watch = Watch(ordeal, [hot])
    number, hit, orphans = 0, 0, 0
    hit_once, hit_twice = [], []  # perhaps
    for kill in itertools.count():
        if kill >= options.kills and hit:
            break
        for number in range(number + 1, (kill + 1) * options.count // options.kills + 1):
            hot.drop(number)
        watch.start()
        ordeal.check(hot.wait(patience(len(hit_twice)), hit_twice),
                     f"jobs that two kills may have hit are not ended\n{watch.tail()}")
        with Changes(hot.path) as changes:
            changes.wait_for(ordeal.random.randint(0, MOST_CHANGES), watch.process,
                             unless=lambda: hot.numbers.keys() <= hot.finished())
        hit_twice = hit_once
        hit_once = list(hot.numbers)
        hit += len(hot.finished()) < len(hot.numbers)
        workers = watch.kill()
        orphans += len(workers)
        ordeal.check(wait_until(lambda: gone(workers), PATIENCE),
                     "the worker of a killed watcher lives on")
    if not ordeal.sabotage("late"):
        watch.start()
    timeout = 2 if ordeal.options.sabotage == "late" else patience(number)
    ordeal.check(hot.wait(timeout), f"{len(hot.finished() & set(hot.numbers))} of "
                 f"{len(hot.numbers)} went through\n{watch.tail()}")
    if watch.alive():
        watch.stop(ordeal)
    ordeal.figures.update(jobs=number, kills=kill, kills_at_work=hit,
                          workers_orphaned=orphans)
    if ordeal.sabotage("swap"):
        one, two = sorted((hot.path / "plates" / hot.CHAINED).iterdir())[:2]
        data = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(data)
    hot.judge(ordeal, "killed watcher")
    once(ordeal, "killed watcher", [watch], number)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": choose(15, 30), "help": "jobs"}),
        ("--kills", {"type": int, "default": choose(3, 6), "help": "or more until one hit a watcher at work"})])
    ordeal.hold(hold)
