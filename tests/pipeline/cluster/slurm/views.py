#!/usr/bin/env python3
"""Units run on a folder of which each machine has a view of its own, and remembers what it saw.

Network file systems let a machine believe for a while that a file is not there yet, is as large as
it was, or is still another one. Three views of one folder stand in for three machines: bindfs, which
knows no renaming that swaps or refuses, with a kernel that remembers names and sizes. Each view runs
every unit, in an order of its own, so that every unit runs up to three times at once. Then all of
them must see all of the job at once.

A second job has its workers killed, so that a view may remember that a plate is not there. What is
remembered over, whoever collects must find or make all of it.

  views.py PROGRAM [--seconds SECONDS] [--kills KILLS] [--pages PAGES]
"""

import concurrent.futures
import pathlib
import signal
import socket
import subprocess
import time

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, judge, judge_plates
from job import Run
from ordeal import PATIENCE, Ordeal, Skip, json_lines, wait_until

SABOTAGES = {**OF_THE_END, "forget": "the views remember nothing"}
PAGES_PER_UNIT = 2
MOST_ROUNDS = 5  # of running what is open
LONGEST_LIFE = 0.2  # seconds, of a worker that is killed


class View:
    """A mount of the folder `disk` in a name space of its own; views have the same path."""

    def __init__(self, ordeal, disk, path, seconds):
        options = ",".join(f"{what}_timeout={seconds}" for what in ("attr", "entry", "negative"))
        self.path = path
        self.process = ordeal.start(["unshare", "--mount", "--propagation", "private", "bindfs",
                                     "-f", "-o", options, disk, path], stderr=subprocess.DEVNULL)
        wait_until(lambda: self.process.poll() is not None or self.is_mounted(), PATIENCE)
        if self.process.poll() is not None:
            raise Skip("no view of a folder can be made here: it needs bindfs (apt-get install "
                       "bindfs), root, and /dev/fuse")

    def is_mounted(self):
        return self.run("mountpoint", "-q", self.path).returncode == 0

    def words(self, *words):
        return ["nsenter", "--mount", "--target", str(self.process.pid), "sh", "-c",
                'cd "$0" && exec "$@"', str(self.path), *(str(word) for word in words)]

    def run(self, *words, **settings):
        return subprocess.run(self.words(*words), capture_output=True, text=True, check=False,
                              timeout=PATIENCE, **settings)


class Views:
    """What ClusterJob asks of a cluster."""

    def __init__(self, ordeal, disk):
        self.environment = ordeal.environment
        self.nodes = [socket.gethostname()]
        self.seconds = 0 if ordeal.sabotage("forget") else ordeal.options.seconds
        path = ordeal.scratch / "view"
        path.mkdir()
        self.views = [View(ordeal, disk, path, self.seconds) for _ in range(3)]
        self.path = path

    def tasks(self, *_names):
        return ""

    def check_that_they_remember(self, ordeal):
        one, other = self.views[:2]
        for name in ("new", "newer", "newest"):  # it may take longer than they remember
            other.run("test", "-e", name)
            one.run("touch", name)
            remembers = other.run("test", "-e", name).returncode != 0
            one.run("rm", name)
            if remembers:
                return
        ordeal.check(False, "a view does not remember that a file was not there")


def run_units(ordeal, job, view, units, kills=()):
    """Each unit once, after the other; the first of them are killed after `kills` seconds."""
    for place, unit in enumerate(units):
        worker = ordeal.start(view.words(ordeal.program, "worker", "-q", job.plan_seen, unit),
                              env=ordeal.environment, stderr=subprocess.PIPE, text=True)
        is_killed = place < len(kills)
        if is_killed:
            time.sleep(kills[place])
            worker.send_signal(signal.SIGKILL)
        _, messages = worker.communicate(timeout=PATIENCE)
        wanted = (0, -signal.SIGKILL) if is_killed else (0,)
        ordeal.check(worker.returncode in wanted,
                     f"unit {unit}: status {worker.returncode}\n{messages}")


def collect(ordeal, job, view):
    result = view.run(ordeal.program, "collect", "--json", job.plan_seen, env=ordeal.environment)
    return Run(result.returncode, json_lines(result.stdout), result.stderr)


def submitted(ordeal, views, folder):
    """(a job that lies below the views, its plates as `run` makes them, its units)"""
    job = ClusterJob(ordeal, views, ordeal.options.pages, 300, folder=f"disk/{folder}")
    reference, _ = job.whole()
    seen = views.path / folder
    job.plan_seen = seen / "job.plan"
    time.sleep(views.seconds)
    result = views.views[0].run(ordeal.program, "submit", "--engine", "none", "--pages-per-task",
                                PAGES_PER_UNIT, seen / "job.yaml", env=ordeal.environment)
    ordeal.check(result.returncode == 0, f"submit: {result.returncode}\n{result.stderr}")
    return job, reference, range((len(job.inks) + PAGES_PER_UNIT - 1) // PAGES_PER_UNIT)


def run_everywhere(ordeal, job, views, units, kills=0):
    lots = [(view, ordeal.random.sample(units, len(units)),
             [ordeal.random.uniform(0, LONGEST_LIFE) for _ in range(kills)])
            for view in views.views]
    with concurrent.futures.ThreadPoolExecutor(len(lots)) as pool:
        list(pool.map(lambda lot: run_units(ordeal, job, *lot), lots))


def hold(ordeal):
    disk = pathlib.Path(ordeal.scratch / "disk")
    disk.mkdir()
    views = Views(ordeal, disk)
    views.check_that_they_remember(ordeal)

    job, reference, units = submitted(ordeal, views, "calm")
    run_everywhere(ordeal, job, views, units)
    for view in views.views:
        run = collect(ordeal, job, view)
        ordeal.check(run.status == 0, f"seen at once: {run.status}, {run.lines}\n{run.stderr}")
    judge_plates(ordeal, job, reference)

    job, reference, units = submitted(ordeal, views, "rough")
    run_everywhere(ordeal, job, views, units, ordeal.options.kills)
    for view in (views.views * MOST_ROUNDS)[:MOST_ROUNDS]:
        time.sleep(views.seconds)
        run = collect(ordeal, job, view)
        if run.status == 0:
            break
        ordeal.count("rounds")
        run_units(ordeal, job, view, units)
    judge(ordeal, job, run, reference)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [
        ("--seconds", {"type": int, "default": 2, "help": "that a view remembers"}),
        ("--kills", {"type": int, "default": 3, "help": "on each view"}),
        ("--pages", {"type": int, "default": 12})]).hold(hold)
