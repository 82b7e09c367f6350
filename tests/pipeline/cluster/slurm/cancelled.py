#!/usr/bin/env python3
"""Takes a job back while it is at work, and submits it again.

`mezzotint cancel` must end it: nothing of it may be in Slurm's hand soon after, nor come back, and
the submission that waits must end with 75. Submitted again, it is made to its end, and what was
made before is left as it is.

  cancelled.py PROGRAM
"""

import socket
import time

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, judge, start_cluster
from ordeal import Ordeal, wait_until

SABOTAGES = {**OF_THE_END, "keep": "it is not cancelled",
             "remake": "plates that were made are made again afterwards"}
SOON = 20  # seconds
LONG = 8  # seconds: a collecting job would hand it over again within them


def ages(job):
    return {path.name: path.stat().st_ino for path in (job.folder / "plates").glob("*.tif")}


def hold(ordeal):
    with start_cluster(ordeal, nodes=2, cpus=1) as cluster:
        pages = ordeal.options.pages
        job = ClusterJob(ordeal, cluster, pages, 600, slow=range(pages // 2, pages))
        reference, _ = job.whole()
        process = job.submit("--pages-per-task", 2)
        job.submitted(process)
        wait_until(lambda: any(one.first("sheet") for one in job.attempts()), 60)
        if not ordeal.sabotage("keep"):
            status, _, messages = job.command("cancel", "job.plan")
            ordeal.check(status == 0, f"status {status} of `cancel`\n{messages}")
        ordeal.check(wait_until(lambda: not cluster.tasks(), SOON),
                     f"Slurm has it in hand still: {cluster.tasks()}")
        time.sleep(LONG)
        ordeal.check(not cluster.tasks(), f"it came back: {cluster.tasks()}")
        run = job.ended(process)
        ordeal.check(run.status == 75, f"the submission that waited: {run.status} and not 75")
        made = ages(job)
        ordeal.figures["made_before"] = len(made)
        ordeal.check(len(made) < len(reference), "it was at its end before it was cancelled")
        more = ("--fresh",) if ordeal.sabotage("remake") else ()
        cluster.nodes = [*cluster.nodes, socket.gethostname()]  # who finds what was made before
        run = job.ended(job.submit("--pages-per-task", 2, *more))
        again = {name for name, inode in made.items() if ages(job).get(name) != inode}
        ordeal.check(not again, f"made again: {sorted(again)}")
        judge(ordeal, job, run, reference)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 12})]).hold(hold)
