#!/usr/bin/env python3
"""The same without a cluster: units as processes of this machine, killed, stopped and doubled.

While `mezzotint submit --engine local` runs, its three workers are killed with SIGKILL or asked to stop
at random moments, and second copies of units are started by hand beside the first. What is still
open in the end is collected. Then everything must be as on a cluster: the plates those of an
unbroken run, nothing beside them, and each sheet once in the report.

  local.py PROGRAM [--kills KILLS] [--pages PAGES] [--side PIXELS]
"""

import contextlib
import itertools
import os
import pathlib
import signal
import socket
import subprocess

from cluster_job import SABOTAGES, ClusterJob, judge
from job import Run
from ordeal import PATIENCE, Changes, Ordeal


WORKERS = 3  # at one time, besides second copies


class Here:
    """What ClusterJob asks of a cluster, of this machine."""

    def __init__(self, ordeal):
        self.environment = ordeal.environment
        self.nodes = [socket.gethostname()]

    def tasks(self, *_names):
        return ""


def workers_of(job):
    """{process: unit} of the workers that are alive."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if words[1:3] == [b"worker", bytes(job.plan)]:
                found[int(entry.name)] = int(words[3])
    return found


def disturb(ordeal, job, copies):
    """One worker, if there is one."""
    workers = workers_of(job)
    if not workers:
        return
    process = ordeal.random.choice(sorted(workers))
    what = ordeal.random.choice(("killed", "killed", "stopped", "doubled"))
    if what == "doubled":
        copies.append(ordeal.start([ordeal.program, "worker", "-q", job.plan, workers[process]],
                                   env=ordeal.environment, stderr=subprocess.DEVNULL))
    else:
        try:
            os.kill(process, signal.SIGKILL if what == "killed" else signal.SIGTERM)
        except ProcessLookupError:
            return
    ordeal.count(what)


def disturbed_job(ordeal, folder):
    options = ordeal.options
    job = ClusterJob(ordeal, Here(ordeal), options.pages, options.side, folder=folder)
    reference, ordeal.figures["run_s"] = job.whole()
    copies = []
    process = job.submit("--engine", "local", "--pages-per-task", 2, "--array-limit", WORKERS,
                         "--tries", 1000)
    while process.poll() is None and ordeal.figures["killed"] < options.kills:
        with Changes(job.folder) as changes:
            changes.wait_for(ordeal.random.randint(0, 20), process)
        disturb(ordeal, job, copies)
    run = job.ended(process)
    for copy in copies:
        copy.wait(timeout=PATIENCE)
    # Copies may have ended after its last look.
    status, lines, messages = job.command("collect", "--json", job.plan)
    run = Run(status, lines, messages)
    judge(ordeal, job, run, reference)


def hold(ordeal):
    """Of a job that was at its end too early no worker was killed; then another one is disturbed."""
    ordeal.figures["killed"] = 0
    for number in itertools.count(1):
        disturbed_job(ordeal, f"job{number}")
        if ordeal.figures["killed"] or ordeal.violations:
            break


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--kills", {"type": int, "default": 6}),
                                ("--pages", {"type": int, "default": 12}),
                                ("--side", {"type": int, "default": 1600})]).hold(hold)
