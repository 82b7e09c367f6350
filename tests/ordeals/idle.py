#!/usr/bin/env python3
"""What a watcher costs that has nothing to do, whether it grows, and how soon it begins.

Idle: percent of a core over some seconds, with files waiting outside their hours too. Churn: jobs
for some minutes; no more descriptors may be open after them than before, and memory may hardly grow
after a warm-up. Latency: seconds from a drop to the plate, less the time that pages must hold still.

  idle.py PROGRAM [--idle SECONDS] [--minutes MINUTES] [--waiting FILES]     600, 60, 1000 by hand
"""

import datetime
import time

from ordeal import PATIENCE, Ordeal, require_options, wait_until
from watching import HARMS, HotFolder, watching

MOST_IDLE_PERCENT = 0.5
MOST_MIB_AN_HOUR = 1.0
LONGEST_LATENCY = 2.0  # seconds, median, on a small machine
EVERY, AGE = 0.1, 0.2
SABOTAGES = {**HARMS, "busy": "requests keep the watcher busy while it should idle",
             "stay": "in the end one descriptor more is said to be open"}


def idle(ordeal, watch, seconds, figure):
    time.sleep(1)
    before, begin = watch.cpu_seconds(), time.monotonic()
    while time.monotonic() < begin + seconds:
        if ordeal.sabotage("busy"):
            for _ in range(500):
                watch.request("list")
        time.sleep(0.5)
    percent = 100 * (watch.cpu_seconds() - before) / (time.monotonic() - begin)
    ordeal.figures[figure] = percent
    ordeal.check(percent <= MOST_IDLE_PERCENT, f"{figure}: {percent:.2f} % of a core")


def outside_hours():
    """A window of an hour that is half a day off."""
    hour = (datetime.datetime.now().hour + 12) % 24
    return f'["{hour:02}:00-{(hour + 1) % 24:02}:00"]'


def churn(ordeal, watch, hot, seconds):
    """Jobs one after another; the slope of memory is taken from the second half."""
    samples, latencies, number = [], [], 1
    descriptors = watch.descriptors()
    begin = time.monotonic()
    while time.monotonic() < begin + seconds or number < 4:
        dropped = time.monotonic()
        name = hot.drop(number)
        plate = hot.path / "plates" / name
        ordeal.check(wait_until(plate.exists, PATIENCE, 0.002), f"{name}: no plate\n{watch.tail()}")
        latencies.append(time.monotonic() - dropped - AGE - EVERY)
        hot.wait(PATIENCE, [name])
        samples.append((time.monotonic(), watch.kib() / 1024))
        number += 1
    late = samples[len(samples) // 2:]
    ordeal.figures.update(
        churn_jobs=number - 1, rss_mib=late[-1][1],
        median_latency_s=sorted(latencies)[len(latencies) // 2])
    ordeal.check(ordeal.figures["median_latency_s"] <= LONGEST_LATENCY, "it begins late")
    more = 1 if ordeal.sabotage("stay") else 0
    # The page is in done/ a moment before the watcher closes the lock of its job and the folders.
    ordeal.check(wait_until(lambda: watch.descriptors() + more <= descriptors, 5 if more else PATIENCE),
                 f"descriptors: {descriptors}, then {watch.descriptors() + more}")
    ordeal.figures["descriptors"] = watch.descriptors()
    hours = (late[-1][0] - late[0][0]) / 3600
    slope = (late[-1][1] - late[0][1]) / hours if hours > 0 else 0.0
    ordeal.figures["rss_mib_per_hour"] = slope
    # Minutes tell nothing of hours: a page of memory more would already be too much.
    if hours > 0.2:
        ordeal.check(slope <= MOST_MIB_AN_HOUR, f"memory grows by {slope:.1f} MiB an hour")


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    options = ordeal.options
    hot = HotFolder(ordeal.scratch / "hot", scan="10 s")
    night = HotFolder(ordeal.scratch / "night", scan="10 s", hours=outside_hours())
    with watching(ordeal, [hot]) as watch:
        idle(ordeal, watch, options.idle, "idle_percent")
        churn(ordeal, watch, hot, options.minutes * 60)
    for number in range(options.waiting):
        night.drop(number + 10**6)
    with watching(ordeal, [night], name="night") as watch:
        idle(ordeal, watch, options.idle, "waiting_percent")
        ordeal.figures["waiting"] = options.waiting
        begun = night.finished()
        ordeal.check(not begun, f"{len(begun)} jobs were done outside their hours")
    hot.judge(ordeal, "churn")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--idle", {"type": float, "default": 4.0, "help": "seconds, twice"}),
        ("--minutes", {"type": float, "default": 0.05, "help": "of churn"}),
        ("--waiting", {"type": int, "default": 200, "help": "files outside their hours"})])
    ordeal.hold(hold)
