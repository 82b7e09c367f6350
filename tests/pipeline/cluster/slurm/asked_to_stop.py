#!/usr/bin/env python3
"""Asks a worker to stop, as Slurm does at a time limit and when a job is preempted.

It must stop soon, with status 75. Slurm starts it again where slurm.conf has RequeueExit=75; where
not (--no-requeue-exit), the units are handed over again by whoever collects. Either way the job
must come to its end with every plate right.

  asked_to_stop.py PROGRAM [--no-requeue-exit]
"""

import os
import signal
import time

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, judge, start_cluster
from ordeal import Ordeal, wait_until
from throwaway import name_of

SABOTAGES = {**OF_THE_END, "let": "nobody is asked to stop"}
SOON = 5  # seconds, on a machine that has much else to do


def at_work(job):
    """An attempt that has begun a sheet of several seconds, and has ended none."""
    return next((one for one in job.attempts()
                 if one.unit == 0 and one.first("begun") and not one.first("sheet")), None)


def worker_on(cluster, node):
    return next(pid for pid in cluster.processes(node) if name_of(pid) == "mezzotint")


def hold(ordeal):
    requeues = not ordeal.options.no_requeue_exit
    settings = {} if requeues else {"RequeueExit": None, "RequeueExitHold": None}
    with start_cluster(ordeal, nodes=2, cpus=1, settings=settings) as cluster:
        job = ClusterJob(ordeal, cluster, ordeal.options.pages, 600, slow=(0, 1))
        reference, _ = job.whole()
        process = job.submit("--pages-per-task", 2)
        job.submitted(process)
        attempt = wait_until(lambda: at_work(job), 60)
        if not ordeal.check(attempt, f"unit 0 was not seen at work\n{job.state()}"):
            return
        asked = time.time()
        if not ordeal.sabotage("let"):
            # Not by scancel, which says it again later when the task has only just begun.
            os.kill(worker_on(cluster, attempt.node), signal.SIGTERM)
        wait_until(lambda: job.attempts(0)[0].ended(), 60)
        attempt = job.attempts(0)[0]
        ordeal.check(attempt.status() == 75, f"stopped with status {attempt.status()}")
        seconds = (attempt.ended() or time.time()) - asked
        ordeal.figures["stopped_in_s"] = seconds
        ordeal.check(seconds < SOON, f"stopped only after {seconds:.1f} s")
        run = job.ended(process)
        ordeal.check([one.status() for one in job.attempts(0)] == [75, 0],
                     f"unit 0 was not made by a second attempt\n{job.state()}")
        ordeal.check(job.submissions() == (1 if requeues else 2),
                     f"handed over {job.submissions()} times")
        judge(ordeal, job, run, reference)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [
        ("--pages", {"type": int, "default": 8}),
        ("--no-requeue-exit", {"action": "store_true",
                               "help": "slurm.conf says nothing of exit statuses"})]).hold(hold)
