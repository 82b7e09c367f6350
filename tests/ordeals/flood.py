#!/usr/bin/env python3
"""A crowd of connections at the status page: monitoring still gets its answer, and jobs go on.

Thousands of connections come at once, and come again when they are closed: idle ones, some that drip,
that are half closed, that take their replies byte by byte, and that ask (crowd.py). Meanwhile /healthz
is asked ten times a second, and pages are dropped. Of a hundred answers, 99 must come within 200 ms
(on a machine so busy that they are late without a crowd, within 3 times that), and none may fail. Pages
may wait 1.5 times as long as before, at the median. Memory and descriptors stay below a bound, and
descriptors go back. The crowd comes from the loopback address, then from another of this machine.

  flood.py PROGRAM [--connections N] [--seconds S]     10000 and 60 by hand
"""

import json
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

from hostile_folder import Beginnings
from ordeal import PATIENCE, Ordeal, require_options, wait_until
from watching import HARMS, HotFolder, asked, watching

LATEST = 0.2            # seconds, of 99 of 100 answers
MOST_TIMES = 1.5        # longer waits of pages
MOST_DESCRIPTORS = 300  # more
MOST_MIB = 16           # more
A_SECOND = 10           # questions
PAGE_EVERY = 0.5        # seconds
SABOTAGES = {**HARMS, "pause": "the watcher stands still for a while",
             "deaf": "some questions are said to have had no answer",
             "nobody": "the crowd stays at home",
             "stay": "in the end one descriptor more is said to be open",
             "late": "pages are said to wait twice as long during the flood"}


class Questions(threading.Thread):
    """Asks for /healthz, again and again; seconds to each answer."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.seconds, self.failed = port, [], 0
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(1 / A_SECOND):
            status, seconds = asked(self.port, "/healthz")
            self.seconds.append(seconds)
            self.failed += status != 200

    def end(self):
        self.over.set()
        self.join()
        return self


def percentile(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * percent // 100)]


def spell(ordeal, watch, hot, seconds):
    """So long pages are dropped and questions asked: (questions, seconds that pages waited)."""
    questions, beginnings = Questions(watch.port()), Beginnings()
    questions.start()
    beginnings.start()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ordeal.count("pages")
        number = ordeal.figures["pages"]
        beginnings.add(hot.path / f"p{number:06}.tif")
        hot.drop(number)
        time.sleep(PAGE_EVERY)
    ordeal.check(wait_until(lambda: not beginnings.dropped, PATIENCE), "pages have not begun")
    return questions.end(), [waited for waited, _ in beginnings.took]


def flooded(ordeal, watch, hot, address, quiet, before):
    """A spell with the crowd from that address; `quiet` and `before` are those of one without."""
    options = ordeal.options
    kib, descriptors, cpu = watch.kib("RssAnon"), watch.descriptors(), watch.cpu_seconds()
    most = [0, 0]
    count = 0 if ordeal.sabotage("nobody") else options.connections
    crowd = ordeal.start(
        [sys.executable, pathlib.Path(__file__).with_name("crowd.py"),
         f"{address}:{watch.port()}", count, options.seconds + 1, address],
        stdout=subprocess.PIPE, text=True)
    over = threading.Event()

    def look_on():
        while not over.wait(0.1):
            most[:] = max(most[0], watch.kib("RssAnon")), max(most[1], watch.descriptors())

    looking = threading.Thread(target=look_on, daemon=True)
    looking.start()
    time.sleep(0.5)
    if ordeal.sabotage("pause"):
        for after, number in ((1, signal.SIGSTOP), (3, signal.SIGCONT)):
            threading.Timer(after, watch.process.send_signal, [number]).start()
    questions, waits = spell(ordeal, watch, hot, options.seconds)
    figures = json.loads(crowd.communicate(timeout=PATIENCE)[0])
    over.set()
    looking.join()
    what = f"crowd from {address}"
    ordeal.check(figures.get("opened", 0) >= options.connections, f"{what}: {figures}")
    ordeal.check(most[1] - descriptors <= MOST_DESCRIPTORS, f"{what}: {descriptors} descriptors, and "
                 f"{most[1]} at most")
    ordeal.check(most[0] - kib <= MOST_MIB << 10, f"{what}: {kib} KiB, and {most[0]} at most")
    judge_answers(ordeal, what, quiet, questions)
    judge_waits(ordeal, what, before, waits)
    ordeal.count("opened", figures["opened"] if count else 0)
    ordeal.count("watcher_cpu_s", watch.cpu_seconds() - cpu)
    ordeal.most("most_descriptors", most[1])
    ordeal.most("most_anon_mib", most[0] / 1024)


def judge_answers(ordeal, what, quiet, questions):
    if ordeal.sabotage("deaf"):
        questions.failed += 2
    ordeal.check(not questions.failed, f"{what}: {questions.failed} questions had no good answer")
    late = percentile(questions.seconds, 99)
    most = max(LATEST, 3 * percentile(quiet.seconds, 99))
    ordeal.check(late <= most, f"{what}: one of 100 answers takes {1000 * late:.0f} ms")
    for name, percent in (("p50", 50), ("p99", 99), ("max", 100)):
        ordeal.most(f"healthz_{name}_ms", 1000 * percentile(questions.seconds, percent))


def judge_waits(ordeal, what, before, waits):
    one, other = statistics.median(before), statistics.median(waits)
    if ordeal.sabotage("late"):
        other *= 2
    ordeal.most("wait_times", other / one)
    ordeal.check(other <= MOST_TIMES * one,
                 f"{what}: pages waited {one:.2f} s before, {other:.2f} s now")


def other_address():
    """Of this machine, that is not loopback's; None when it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            return probe.getsockname()[0]
        except OSError:
            return None


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket", "--http")
    hot = HotFolder(ordeal.scratch / "hot")
    with watching(ordeal, [hot], "--http", "0.0.0.0:0") as watch:
        quiet, waits = spell(ordeal, watch, hot, ordeal.options.seconds / 2)
        ordeal.figures.update(quiet_p99_ms=1000 * percentile(quiet.seconds, 99),
                              quiet_wait_s=statistics.median(waits))
        descriptors = watch.descriptors()
        for address in filter(None, ("127.0.0.1", other_address())):
            flooded(ordeal, watch, hot, address, quiet, waits)
            more = ordeal.sabotage("stay")
            ordeal.check(wait_until(lambda: watch.descriptors() + more <= descriptors, 5 if more else PATIENCE),
                         f"{descriptors} descriptors before, {watch.descriptors()} after")
        ordeal.check(hot.wait(PATIENCE), f"not all pages went through\n{watch.tail()}")
        ordeal.figures["anon_mib_after"] = watch.kib("RssAnon") / 1024
    hot.judge(ordeal, "flood")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--connections", {"type": int, "default": 1000}),
        ("--seconds", {"type": float, "default": 4.0, "help": "of each flood"})])
    ordeal.hold(hold)
