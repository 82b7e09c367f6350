#!/usr/bin/env python3
"""Cuts a node's power while a worker on it has a plate half written.

The job must come to its end by itself, with every plate right, each sheet once in the report and no
temporary file left, and another node must have made what the first one had begun.

  power_cut.py PROGRAM
"""

import contextlib
import os
import pathlib
import signal

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, judge, start_cluster
from ordeal import Ordeal, wait_until
from throwaway import name_of

SABOTAGES = {**OF_THE_END, "spare": "no power is cut"}


def half_written(pid):
    """Temporary files of plates that a process has open."""
    found = []
    with contextlib.suppress(OSError):
        for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                if (name := os.readlink(link)).endswith(".part"):
                    found.append(name)
    return found


def caught_writing(cluster):
    """(node, temporary files) of a worker that was stopped in the midst of its plates."""
    for node in cluster.nodes:
        for pid in cluster.processes(node):
            if name_of(pid) != "mezzotint" or not half_written(pid):
                continue
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                if files := half_written(pid):
                    return node, pid, files
                os.kill(pid, signal.SIGCONT)
    return None


def hold(ordeal):
    with start_cluster(ordeal, nodes=3, cpus=1) as cluster:
        job = ClusterJob(ordeal, cluster, ordeal.options.pages, 600, slow=range(0, 12, 2))
        reference, _ = job.whole()
        process = job.submit("--pages-per-task", 2)
        job.submitted(process)
        caught = wait_until(lambda: caught_writing(cluster), 60)
        if not ordeal.check(caught, "no worker was seen with a plate half written\n" + job.state()):
            return
        node, pid, files = caught
        unit = next(one.unit for one in reversed(job.attempts())
                    if one.node == node and one.ended() is None)
        if ordeal.sabotage("spare"):
            os.kill(pid, signal.SIGCONT)
        else:
            cluster.power_cut(node)
            left = [name for name in files if os.path.exists(name)]
            ordeal.check(left, f"nothing was half written: {files}")
            ordeal.figures["half_written"] = len(left)
            ordeal.check(not cluster.processes(node), f"{node} goes on")
        run = job.ended(process)
        attempts = job.attempts(unit)
        ordeal.check(len(attempts) >= 2 and attempts[0].ended() is None,
                     f"unit {unit} was not begun again after the cut of {node}\n{job.state()}")
        ordeal.check(any(one.node != node and one.status() == 0 for one in attempts),
                     f"unit {unit} was finished by no other node than {node}\n{job.state()}")
        judge(ordeal, job, run, reference)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 24})]).hold(hold)
