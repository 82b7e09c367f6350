#!/usr/bin/env python3
"""Hands out GPUs by GRES: a task that asked for one sees its own, one that did not sees none.

Where this machine has GPUs, they are used, and plates must be those of the CPU; elsewhere devices
stand in for them, pages are made on the CPU, and only what tasks see is looked at.

  gpus.py PROGRAM
"""

import pathlib

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, judge, start_cluster
from ordeal import Ordeal

SABOTAGES = {**OF_THE_END, "none": "no GPU is asked for"}
GPUS = 2


def hold(ordeal):
    options = ordeal.options
    found = len(list(pathlib.Path("/dev").glob("nvidia[0-9]")))
    ordeal.figures["gpus"] = found
    with start_cluster(ordeal, nodes=1, cpus=GPUS, gpus=found or GPUS) as cluster:
        job = ClusterJob(ordeal, cluster, options.pages, options.side, chain_every=0)
        reference, ordeal.figures["run_s"] = job.whole()
        if found:
            job.settings = {name: "halftone: {method: floyd-steinberg, engine: gpu}"
                            for name in job.inks}
            job.write_manifest()
        more = () if ordeal.sabotage("none") and not found else ("--gpus-per-task", 1)
        run = job.ended(job.submit("--pages-per-task", 2, *more))
        judge(ordeal, job, run, reference)
        seen = {one.gpus for one in job.attempts()}
        wanted = {str(index) for index in range(found or GPUS)}
        ordeal.check(seen and seen <= wanted, f"tasks saw the GPUs {seen}, not {wanted}")
        if len(wanted) > 1:
            ordeal.check(len(seen) > 1, f"all tasks saw the same GPU: {seen}")
        engines = {sheet["engine"] for sheet in job.report()["sheets"]}
        ordeal.check(engines == {"gpu" if found else "cpu"}, f"made by {engines}")

        if not found:  # pages that need one would be refused
            run = job.ended(job.submit("--pages-per-task", 2, "--fresh"))
            judge(ordeal, job, run, reference)
            seen = {one.gpus for one in job.attempts()}
            ordeal.check(seen == {""}, f"tasks that asked for no GPU saw {seen}")


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 12}),
                                ("--side", {"type": int, "default": 1200})]).hold(hold)
