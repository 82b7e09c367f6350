#!/usr/bin/env python3
"""Lets a unit run twice at once: a node is taken for dead, and its worker is alive.

The node's slurmd is killed, so that Slurm starts the unit on another node while the first worker
goes on. Both wait at a gate until both are there, and then make the same plates at the same time.
Every plate must be right, nothing may be left of either, and the report has each sheet once.

  two_copies.py PROGRAM
"""

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, Gate, judge, judge_plates, judge_report, start_cluster
from ordeal import Ordeal, wait_until

SABOTAGES = {**OF_THE_END, "alone": "the slurmd is left alive"}
UNIT = 0  # that is to run twice; its pages are slow


def overlap(attempts):
    """Seconds for which the first two attempts were both at work."""
    begins = [one.began() for one in attempts[:2]]
    ends = [one.ended() for one in attempts[:2]]
    return min(ends) - max(begins) if len(ends) == 2 and None not in ends else 0.0


def hold(ordeal):
    with start_cluster(ordeal, nodes=3, cpus=1) as cluster:
        job = ClusterJob(ordeal, cluster, ordeal.options.pages, 600, slow=range(3))
        reference, _ = job.whole()
        gate = Gate(job)
        gate.close(UNIT)
        process = job.submit("--pages-per-task", 3)
        job.submitted(process)
        if not ordeal.check(wait_until(lambda: gate.nodes_at(UNIT), 60),
                            f"unit {UNIT} never began\n{job.state()}"):
            return
        first = gate.nodes_at(UNIT)[0]
        if not ordeal.sabotage("alone"):
            cluster.kill_daemon(first)
        # Slurm has to find the node dead before.
        patience = 20 if ordeal.options.sabotage == "alone" else 90
        wait_until(lambda: len(gate.nodes_at(UNIT)) > 1, patience)
        nodes = gate.nodes_at(UNIT)
        ordeal.check(len(set(nodes)) > 1, f"unit {UNIT} was on {nodes}, and not on two\n"
                     + job.state())
        ordeal.check(cluster.processes(first), f"nothing runs on {first} any more")
        gate.open(UNIT)
        run = job.ended(process)
        # The end of the job need not be that of the slower copy.
        wait_until(lambda: all(one.ended() for one in job.attempts(UNIT)), 60)
        attempts = job.attempts(UNIT)
        ordeal.figures["both_at_work_s"] = overlap(attempts)
        ordeal.check(len(attempts) > 1 and overlap(attempts) > 0,
                     f"the copies were not at work at one time\n{job.state()}")
        ordeal.check(all(one.status() == 0 for one in attempts),
                     f"a copy failed\n{job.state()}")
        judge(ordeal, job, run, reference)
        if ordeal.options.sabotage is None:
            status, _, messages = job.command("collect", job.plan)
            ordeal.check(status == 0, f"status {status} of `collect`\n{messages}")
            judge_plates(ordeal, job, reference)
            judge_report(ordeal, job, ())


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 18})]).hold(hold)
