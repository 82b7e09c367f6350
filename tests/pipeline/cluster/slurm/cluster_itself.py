#!/usr/bin/env python3
"""Tries the throw-away cluster itself, with sbatch and tasks that sleep; mezzotint is not run.

What it says that it does must happen: a power cut ends all of a node, a killed slurmd leaves its
tasks alive, what was on a lost node runs again elsewhere, nodes and the controller come back, and
no process outlives a test that was killed.

  cluster_itself.py PROGRAM [--plain]
"""

import subprocess
import sys

import throwaway
from cluster_job import start_cluster
from ordeal import Ordeal, end, wait_until

SABOTAGES = {"spare": "no power is cut", "along": "the node's power is cut, not its slurmd killed",
             "twice": "a task is counted twice",
             "orphan": "a process of a killed test is left"}
TASKS = 12
TASK = ('echo "start $SLURM_ARRAY_TASK_ID $SLURMD_NODENAME" >>{0}; sleep 2; '
        'echo "done $SLURM_ARRAY_TASK_ID $SLURMD_NODENAME" >>{0}')


def lines_of(path, kind):
    """(task, node) of lines of a kind."""
    lines = path.read_text().splitlines() if path.exists() else []
    return [(line.split()[1], line.split()[2]) for line in lines if line.split()[0] == kind]


def at_work_on(path, node):
    """(task, node) of the tasks that the node has begun and not ended."""
    begun = {line for line in lines_of(path, "start") if line[1] == node}
    return begun - set(lines_of(path, "done"))


def break_nodes(ordeal):
    out = ordeal.scratch / "out"
    plain = ordeal.options.plain
    with start_cluster(ordeal, nodes=3, isolate=False if plain else None) as cluster:
        ordeal.figures["isolated"] = int(cluster.isolated)
        cluster.command("sbatch", f"--array=0-{TASKS - 1}", "--requeue", "--mem=100",
                        "--output=/dev/null", "--wrap", TASK.format(out))
        wait_until(lambda: any(node == "n2" for _, node in lines_of(out, "start")), 30)
        task = next(task for task, node in lines_of(out, "start") if node == "n2")
        if not ordeal.sabotage("spare"):
            cluster.power_cut("n2")
            ordeal.check(not cluster.processes("n2"), "n2 has processes after the cut")
        at_work = wait_until(lambda: at_work_on(out, "n3"), 30)
        ordeal.check(at_work, "n3 has no task")
        if ordeal.sabotage("along"):
            cluster.power_cut("n3")
        else:
            cluster.kill_daemon("n3")
        ordeal.check(wait_until(lambda: at_work <= set(lines_of(out, "done")), 20),
                     f"the killed slurmd of n3 took its task along: {at_work}")
        tasks = sorted(map(str, range(TASKS)))
        wait_until(lambda: sorted({name for name, _ in lines_of(out, "done")}) == tasks, 90)
        done = [name for name, _ in lines_of(out, "done")]
        if ordeal.sabotage("twice"):
            done += done[:1]
        ordeal.check(sorted(done) == tasks, f"done: {sorted(done)}")
        nodes = [node for name, node in lines_of(out, "start") if name == task]
        ordeal.check(len(nodes) == 2 and nodes[1] != "n2", f"the task that was cut ran on {nodes}")

        cluster.kill_controller()
        ordeal.check(cluster.ready_nodes() == set(), "there are nodes without a controller")
        cluster.start_controller()
        for node in ("n2", "n3"):
            if ordeal.options.sabotage != "spare" or node != "n2":
                cluster.start_node(node)
        ordeal.check(wait_until(lambda: len(cluster.ready_nodes()) == 3, 60),
                     f"only {cluster.ready_nodes()} came back\n{cluster.log('slurmctld')}")


def kill_test(ordeal):
    """A test that is killed leaves no process."""
    here = subprocess.Popen([sys.executable, throwaway.__file__, "2"], stdout=subprocess.PIPE,
                            text=True, env={**ordeal.environment, "TMPDIR": str(ordeal.scratch)})
    settings = here.stdout.readline()
    folder = settings.strip().partition("=")[2].removesuffix("/slurm.conf")
    ordeal.check(len(throwaway.processes_of(folder)) >= 4, "the cluster of a test has no processes")
    end(here)
    wait_until(lambda: not throwaway.processes_of(folder), 20)
    if ordeal.sabotage("orphan"):
        ordeal.start(["sleep", "60"], env={**ordeal.environment, throwaway.MARK: folder})
    left = [throwaway.name_of(pid) for pid in throwaway.processes_of(folder)]
    ordeal.check(not left, f"left of a test that was killed: {left}")


def hold(ordeal):
    break_nodes(ordeal)
    kill_test(ordeal)


if __name__ == "__main__":
    Ordeal(__doc__, SABOTAGES, [("--plain", {"action": "store_true",
                                             "help": "nodes without name spaces"})]).hold(hold)
