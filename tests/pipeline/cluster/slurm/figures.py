#!/usr/bin/env python3
"""Measures what a cluster costs: a job on 1, 2 and 3 nodes of one processor, and on none.

Prints, for each number of nodes, the seconds from `submit --wait` to its end, pages a second, how
much of one process's speed a node keeps, and the seconds of a slot that a unit cost beside its
pages. The nodes share this machine: with more nodes than idle processors, the figures say little.
With --pin every process keeps to one processor, n1's to the first.

  figures.py PROGRAM [--pin --pages N --side PIXELS --pages-per-task N --nodes 1 2 3]
"""

import os
import shlex
import shutil
import time

from cluster_job import SLOW, ClusterJob, start_cluster
from ordeal import Ordeal


def seconds_of_one_process(job):
    """Seconds of `mezzotint run --threads 1`, and the plates."""
    job.threads = 1
    mask = os.sched_getaffinity(0)
    if job.ordeal.options.pin:
        os.sched_setaffinity(0, {0})  # which the program inherits
    plates, seconds = job.whole()
    os.sched_setaffinity(0, mask)
    return seconds, plates


def pinned(ordeal):
    """Options of `submit` with which a node's workers keep to a processor of their own."""
    if not ordeal.options.pin:
        return ()
    program = shlex.quote(str(ordeal.program))
    wrapper = ordeal.scratch / "pinned"
    wrapper.write_text(f"""#!/bin/sh
[ "$1" = worker ] && exec taskset -c $((${{SLURMD_NODENAME#n}} - 1)) {program} "$@"
exec {program} "$@"
""", encoding="utf-8")
    wrapper.chmod(0o755)
    return ("--program", wrapper)


def seconds_on(ordeal, original, nodes, reference):
    """Seconds of `submit --wait`, its number of units, and seconds from the first attempt's begin
    to the last one's end."""
    folder = ordeal.scratch / f"job{nodes}"
    with start_cluster(ordeal, nodes=nodes, cpus=1) as cluster:
        job = original.copy(folder)
        job.cluster = cluster
        begin = time.monotonic()
        process = job.submit("--pages-per-task", ordeal.options.pages_per_task, *pinned(ordeal))
        units = job.submitted(process)["units"]
        run = job.ended(process)
        seconds = time.monotonic() - begin
        ordeal.check(run.status == 0, f"status {run.status}\n{run.stderr}")
        ordeal.check(job.plates() == reference, "the plates differ")
        attempts = job.attempts()
        at_work = max(one.ended() for one in attempts) - min(one.began() for one in attempts)
    shutil.rmtree(ordeal.scratch / "c")
    return seconds, units, at_work


def hold(ordeal):
    options = ordeal.options
    job = ClusterJob(ordeal, None, options.pages, options.side, chain_every=0)
    if options.slow:
        job.settings = {name: SLOW for name in job.inks}
        job.write_manifest()
    alone, reference = seconds_of_one_process(job)
    print(f"{options.pages} pages, {options.pages_per_task} a unit, on a machine of "
          f"{os.cpu_count()} processors with a load of {os.getloadavg()[0]:.1f}")
    print("nodes  seconds  pages/s  of a process  at work s  overhead a unit s")
    print(f"  run  {alone:7.1f}  {options.pages / alone:7.2f}  {1:12.2f}  {alone:9.1f}")
    for nodes in options.nodes:
        seconds, units, at_work = seconds_on(ordeal, job, nodes, reference)
        print(f"{nodes:5}  {seconds:7.1f}  {options.pages / seconds:7.2f}  "
              f"{alone / seconds / nodes:12.2f}  {at_work:9.1f}  "
              f"{(nodes * at_work - alone) / units:17.2f}", flush=True)
    ordeal.figures.update(pages=options.pages)


if __name__ == "__main__":
    Ordeal(__doc__, (), [
        ("--pages", {"type": int, "default": 60}),
        ("--side", {"type": int, "default": 4000}),
        ("--pin", {"action": "store_true", "help": "every process keeps to one processor"}),
        ("--slow", {"action": "store_true", "help": "a method of much work, not Floyd-Steinberg"}),
        ("--pages-per-task", {"type": int, "default": 10}),
        ("--nodes", {"type": int, "nargs": "+", "default": [1, 2, 3]})]).hold(hold)
