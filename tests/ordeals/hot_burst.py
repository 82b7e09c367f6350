#!/usr/bin/env python3
"""Drops many tiny jobs into hot folders; each must be done exactly once.

In turn: while the watcher is down; in one burst while it runs; with two watchers on one folder; and
with polling instead of inotify. A page done twice fails, as its plate is there already; one that is
missed stays. The figures are jobs per second, the watcher's peak memory and processor time.

  hot_burst.py PROGRAM [--count JOBS]     20000 by hand
"""

import time

from ordeal import PATIENCE, Ordeal, choose, require_options, wait_until
from watching import HARMS, HotFolder, once, patience, watching

SABOTAGES = {**HARMS, "recount": "a job is said to be done once more in a watcher's history"}


def drop(ordeal, hot, jobs):
    """All at once. In one folder numbers differ, as a page of the same content is no new job."""
    for _ in range(jobs):
        ordeal.figures["jobs"] = ordeal.figures.get("jobs", 0) + 1
        hot.drop(ordeal.figures["jobs"])


def through(ordeal, hot, what, watchers, begin, jobs):
    ordeal.check(hot.wait(patience(jobs)), f"{what}: {len(hot.finished() & set(hot.numbers))} of {len(hot.numbers)} "
                 f"went through\n{watchers[0].tail()}")
    ordeal.figures[f"{what}_jobs_per_s"] = jobs / (time.monotonic() - begin)
    for watch in watchers:
        ordeal.most("peak_mib", watch.kib("VmHWM") / 1024)
        ordeal.most("descriptors", watch.descriptors())
        ordeal.count("watcher_cpu_s", watch.cpu_seconds())


def down_and_burst(ordeal, jobs):
    hot = HotFolder(ordeal.scratch / "hot")
    drop(ordeal, hot, jobs)
    begin = time.monotonic()
    with watching(ordeal, [hot]) as watch:
        through(ordeal, hot, "down", [watch], begin, jobs)
        begin = time.monotonic()
        drop(ordeal, hot, jobs)
        through(ordeal, hot, "burst", [watch], begin, jobs)
        counted(ordeal, "one watcher", [watch], 2 * jobs)
    hot.judge(ordeal, "one watcher")


def two_watchers(ordeal, jobs):
    hot = HotFolder(ordeal.scratch / "shared")
    with watching(ordeal, [hot], name="one") as one, watching(ordeal, [hot], name="two") as two:
        begin = time.monotonic()
        drop(ordeal, hot, jobs)
        through(ordeal, hot, "two", [one, two], begin, jobs)
        counted(ordeal, "two watchers", [one, two], jobs)
    hot.judge(ordeal, "two watchers")


def polling(ordeal, jobs):
    hot = HotFolder(ordeal.scratch / "polled", poll="true")
    with watching(ordeal, [hot], name="polling") as watch:
        begin = time.monotonic()
        drop(ordeal, hot, jobs)
        through(ordeal, hot, "polled", [watch], begin, jobs)
        counted(ordeal, "polling", [watch], jobs)
    hot.judge(ordeal, "polling")


def counted(ordeal, what, watchers, jobs):
    """What the watchers themselves have counted, and keep in their histories."""
    def of_views():
        views = [watch.request("list") for watch in watchers]
        return tuple(sum(view.get(name, 0) for view in views) for name in ("jobs_done", "jobs_failed"))

    def are_there():
        return sum(of_views()) >= jobs and sum(len(watch.history()) for watch in watchers) >= jobs
    wait_until(are_there, PATIENCE, 0.05)  # a page is in done/ before its job is counted
    done, failed = of_views()
    ordeal.check((done, failed) == (jobs, 0), f"{what}: {done} done and {failed} failed by the "
                 f"watcher's own count, {jobs} dropped")
    once(ordeal, what, watchers, jobs)


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    jobs = ordeal.options.count
    down_and_burst(ordeal, jobs)
    two_watchers(ordeal, jobs)
    polling(ordeal, jobs)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": choose(10, 25), "help": "jobs of each of the four parts"})])
    ordeal.hold(hold)
