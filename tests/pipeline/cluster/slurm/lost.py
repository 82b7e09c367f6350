#!/usr/bin/env python3
"""Kills the controller before it has saved what it had accepted, and starts it again.

slurmctld saves its state some seconds after a change, so that a submission that it acknowledged can
be gone when it comes back. `submit --wait`, which goes on waiting, must notice, and hand the units
over again. Ends with status 77 when the controller remembers, however often it is tried.

  lost.py PROGRAM
"""

import time

from cluster_job import SABOTAGES as OF_THE_END
from cluster_job import ClusterJob, Gate, judge, start_cluster
from ordeal import Ordeal, Skip, end, wait_until

SABOTAGES = {**OF_THE_END, "remember": "the controller is left alive"}
TRIALS = 3
UNSAVED = 2  # seconds after a save, for which nothing is saved


def wait_for_save(cluster):
    """Gives a job that waits, right after the controller has saved its state because of it."""
    state = cluster.folder / "state" / "job_state"
    before = state.stat().st_mtime_ns if state.exists() else 0
    words = ("sbatch", "--parsable", "--hold", "--output=/dev/null", "--wrap", "true")
    saved = cluster.command(*words).strip()
    wait_until(lambda: state.exists() and state.stat().st_mtime_ns != before, 30)
    return saved


def lose(ordeal, cluster, job, gate):
    """Submits, and kills the controller. Gives the process that waits, or None when nothing was
    lost."""
    saved = wait_for_save(cluster)
    process = job.submit("--pages-per-task", 2)
    job_id = job.submitted(process)["job_id"]
    begin = time.monotonic()
    wait_until(lambda: gate.nodes_at(0), UNSAVED)
    time.sleep(max(0, UNSAVED - (time.monotonic() - begin)))
    arrived = len((gate.folder / "arrived").read_text().splitlines()) if gate.nodes_at(0) else 0
    ordeal.figures["began_before"] = arrived
    if not ordeal.sabotage("remember"):
        cluster.kill_controller()
        time.sleep(2)
        cluster.start_controller()
    wait_until(lambda: len(cluster.ready_nodes()) == len(cluster.nodes), 60)
    jobs = {task.partition("_")[0] for task in cluster.tasks()}
    ordeal.check(saved in jobs, f"the controller lost what it had saved, and has {jobs}")
    if ordeal.options.sabotage != "remember" and job_id in jobs:
        cluster.command("scancel", job_id)
        end(process)
        return None
    return process


def hold(ordeal):
    with start_cluster(ordeal, nodes=3, cpus=1) as cluster:
        original = ClusterJob(ordeal, cluster, ordeal.options.pages, 600)
        reference, _ = original.whole()
        gate = Gate(original)
        gate.close()
        for trial in range(1, TRIALS + 1):
            ordeal.figures["trials"] = trial
            job = original.copy(ordeal.scratch / f"job{trial}")
            if process := lose(ordeal, cluster, job, gate):
                break
        else:
            raise Skip(f"the controller lost nothing in {TRIALS} trials")
        # No worker comes past the gate before, so that the rest cannot be made without this.
        handed_over = wait_until(lambda: job.submissions() > 1,
                                 10 if ordeal.options.sabotage == "remember" else 90)
        ordeal.check(handed_over, f"what was lost was not handed over again\n{job.state()}")
        gate.open()
        judge(ordeal, job, job.ended(process), reference)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--pages", {"type": int, "default": 12})]).hold(hold)
