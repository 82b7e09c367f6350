#!/usr/bin/env python3
"""Jobs that kill their worker, or hang it, ahead of good ones.

From outside, the worker of a poison page is killed as soon as it appears: after at most `tries` of
them the page must be in failed/ with a reason, and all good ones behind it done. A worker that is
stopped for good must be noticed after `stall`, and its page be done by the next.

  poison.py PROGRAM [--count GOOD]
"""

import os
import signal
import time

from numbered_pages import page
from ordeal import PATIENCE, Ordeal, require_options, wait_until
from watching import HARMS, HotFolder, patience, watching

TRIES = 3
STALL = 3  # seconds
# Large, so that its worker lives long enough to be met.
POISON, POISON_SIZE = "a-poison.tif", (8000, 6000)
SABOTAGES = {**HARMS, "spare": "the workers of the poison page are left alone"}


def drop_large(hot, name, number):
    hidden = hot.path / f".{name}"
    hidden.write_bytes(page(number, *POISON_SIZE))
    hidden.rename(hot.path / name)


def strike(watch, name, number, seen):
    """Sends a signal to a worker of the page that was not met before; whether there was one."""
    for pid in set(watch.workers()) - seen:
        if name in watch.work_of(pid):
            seen.add(pid)
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                continue
            return True
    return False


def killed_workers(ordeal, jobs):
    hot = HotFolder(ordeal.scratch / "killed", tries=TRIES)
    seen, kills = set(), 0
    with watching(ordeal, [hot], name="killed-workers") as watch:
        pid = watch.pid
        drop_large(hot, POISON, 10**6)
        for number in range(1, jobs + 1):
            hot.drop(number)
        deadline = time.monotonic() + patience(jobs)
        while POISON not in hot.finished() and time.monotonic() < deadline:
            if not ordeal.sabotage("spare"):
                kills += strike(watch, POISON, signal.SIGKILL, seen)
            time.sleep(0.002)
        ordeal.check(hot.wait(patience(jobs)), f"not all good pages are done\n{watch.tail()}")
        ordeal.check(watch.alive() and watch.pid == pid, "the watcher died of a poison page")
    ordeal.figures.update(good=jobs, workers_killed=kills)
    ordeal.check(1 <= kills <= TRIES, f"a poison page had {kills} workers, {TRIES} tries")
    hot.numbers[POISON] = 10**6
    print(f"{ordeal.name}: failed/{POISON}.error.txt{hot.reason(POISON)}".rstrip())
    hot.judge(ordeal, "killed workers", {POISON})


def stopped_worker(ordeal):
    hot = HotFolder(ordeal.scratch / "stopped", tries=TRIES, stall=f"{STALL} s", size=POISON_SIZE)
    seen = set()
    with watching(ordeal, [hot], name="stopped-worker") as watch:
        drop_large(hot, POISON, 5)
        hot.numbers[POISON] = 5
        met = wait_until(lambda: strike(watch, POISON, signal.SIGSTOP, seen), PATIENCE, 0.002)
        begin = time.monotonic()
        ordeal.check(met, "no worker of the page was met")
        ordeal.check(hot.wait(PATIENCE), f"a stopped worker was not noticed\n{watch.tail()}")
        ordeal.check(time.monotonic() - begin > STALL * 0.9 or not met, "done before it could be")
    hot.judge(ordeal, "a stopped worker")


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    killed_workers(ordeal, ordeal.options.count)
    stopped_worker(ordeal)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": 20, "help": "good pages behind the poison"})])
    ordeal.hold(hold)
