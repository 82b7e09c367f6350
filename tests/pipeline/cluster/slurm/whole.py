#!/usr/bin/env python3
"""Runs a job on three nodes, and compares with `mezzotint run` on one machine.

Every plate must have the same bytes, and the report every sheet once. The job is submitted a second
time then: nothing may be made again.

  whole.py PROGRAM
"""

import socket

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, judge, judge_plates, start_cluster
from ordeal import Ordeal

SABOTAGES = {**OF_THE_END, "again": "the second time all is to be made afresh"}


def ages(job):
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns)
            for path in (job.folder / "plates").iterdir()}


def hold(ordeal):
    options = ordeal.options
    with start_cluster(ordeal, nodes=3, cpus=1) as cluster:
        job = ClusterJob(ordeal, cluster, options.pages, options.side)
        reference, ordeal.figures["run_s"] = job.whole()
        process = job.submit("--pages-per-task", 4)
        said = job.submitted(process)
        ordeal.check((said["sheets"], said["units"]) == (options.pages, -(-options.pages // 4)),
                     f"{options.pages} pages, 4 a unit, became {said}")
        run = job.ended(process)
        judge(ordeal, job, run, reference)
        nodes = {one.node for one in job.attempts()}
        ordeal.check(nodes == set(cluster.nodes), f"made on {nodes} only")
        ordeal.check(job.submissions() == 1, f"handed over {job.submissions()} times")
        if ordeal.options.sabotage in OF_THE_END:
            return  # there is nothing to leave as it is

        status, lines, messages = job.command("status", "--json", job.plan)
        ordeal.check(status == 0 and lines, f"status {status} of `status`\n{messages}")
        before = ages(job)
        again = job.ended(job.submit("--pages-per-task", 4,
                                     *(["--fresh"] if ordeal.sabotage("again") else [])))
        cluster.nodes = [*cluster.nodes, socket.gethostname()]  # who found them to be made
        judge(ordeal, job, again, reference)
        ordeal.check(job.submissions() == 1, "units were handed over a second time")
        ordeal.check(ages(job) == before, "plates were made a second time")
        judge_plates(ordeal, job, reference)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 60}),
                                ("--side", {"type": int, "default": 600})]).hold(hold)
