#!/usr/bin/env python3
"""Lets a task end so that Slurm holds it back, as it does after a bug (RequeueExitHold=70).

`submit --wait` must come to its end once all else is made, with status 75, and its report must have
that. Released, the unit is made, and the task that collects reports all of it.

  held.py PROGRAM
"""

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, Gate, judge, judge_report, start_cluster
from job import Run
from ordeal import Ordeal, wait_until

SABOTAGES = {**OF_THE_END, "well": "the task ends well", "leave": "it is not released"}
UNIT, PAGES_PER_UNIT = 1, 2
LONG = 90  # seconds, for what is left to be made


def hold(ordeal):
    with start_cluster(ordeal, nodes=2, cpus=1) as cluster:
        job = ClusterJob(ordeal, cluster, ordeal.options.pages, 600)
        reference, _ = job.whole()
        gate = Gate(job)
        if not ordeal.sabotage("well"):
            gate.end(UNIT, 70)
        process = job.submit("--pages-per-task", PAGES_PER_UNIT)
        job.submitted(process)
        wait_until(lambda: process.poll() is not None, LONG)
        status = process.poll()
        ordeal.check(status == 75, f"the submission that waited: {status} and not 75\n"
                     + job.state())
        good = sum(sheet["outcome"] == "good" for sheet in job.report()["sheets"])
        wanted = ordeal.options.pages - PAGES_PER_UNIT
        ordeal.check(good == wanted, f"reported as made: {good} and not {wanted}")
        held = [task for task in cluster.tasks() if task.endswith(f"_{UNIT}")]
        ordeal.check(len(held) == 1, f"Slurm does not hold the unit: {cluster.tasks()}")
        gate.end(UNIT, None)
        if not ordeal.sabotage("leave"):
            cluster.command("scontrol", "release", *held)
        over = wait_until(lambda: not cluster.tasks(), LONG)
        ordeal.check(over, f"released, it is not made\n{job.state()}")
        judge_report(ordeal, job, ())
        judge(ordeal, job, Run(*job.command("collect", "--json", "job.plan")), reference)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 6})]).hold(hold)
