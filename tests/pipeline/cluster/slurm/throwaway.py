"""A Slurm cluster that lives in a folder, as long as a test, and can be broken.

Debian's slurmctld, slurmd and munged run under one user, without systemd and without anything of
/etc. As root, where that is permitted, each node has its own process and host name spaces, so that
its power can really be cut; otherwise nodes are plain processes, and a cut looks for all that
belong to the node. Whatever becomes of the test, a keeper ends every process of the cluster.

    with Cluster(folder, nodes=3, cpus=1) as cluster:
        subprocess.run(["sbatch", ...], env=cluster.environment)
        cluster.power_cut("n2")

  throwaway.py NODES     starts one below the temporary folder, until Ctrl-C
"""

import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
PACKAGES = "slurmctld slurmd slurm-client munge"
MARK = "THROWAWAY_SLURM"  # variable by which processes of a cluster are known: its folder
NODE_MARK = "THROWAWAY_SLURM_NODE"
PATIENCE = 30  # seconds for daemons to begin or to be gone
LONGEST_FOLDER = 70  # characters: names of sockets are below it, and must not exceed 107

SETTINGS = {
    "ClusterName": "throwaway",
    "AuthType": "auth/munge",
    "ProctrackType": "proctrack/linuxproc",
    "TaskPlugin": "task/none",
    "JobAcctGatherType": "jobacct_gather/none",
    "AccountingStorageType": "accounting_storage/none",
    "SwitchType": "switch/none",
    "MpiDefault": "none",
    "MailProg": "/bin/true",
    "SelectType": "select/cons_tres",
    "SelectTypeParameters": "CR_CPU_Memory",
    "SlurmdParameters": "config_overrides",  # nodes claim what this machine need not have
    "SchedulerParameters": "batch_sched_delay=0,sched_interval=2,sched_min_interval=0,"
                           "bf_interval=2",
    "JobRequeue": 1,
    "ReturnToService": 2,
    "SlurmctldTimeout": 10,
    "MessageTimeout": 5,  # of three that are not answered before a node is DOWN
    "SlurmdTimeout": 10,  # seconds of silence; a node is DOWN some 18 s after its end
    "KillWait": 5,
    "RequeueExit": 75,
    "RequeueExitHold": 70,
}
CRED_EXPIRE = 5  # seconds that a requeued task waits; Slurm's default is 120


def missing_programs():
    """Those of PROGRAMS that are not installed; without one there can be no cluster."""
    return [name for name in PROGRAMS if shutil.which(name, path=search_path()) is None]


def search_path():
    return os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"


def can_isolate():
    """Whether nodes may have name spaces of their own."""
    words = ["unshare", "--fork", "--kill-child", "--pid", "--uts", "--mount-proc", "true"]
    return os.geteuid() == 0 and subprocess.run(words, capture_output=True,
                                                check=False).returncode == 0


class Cluster:
    """Nodes n1, n2, ... of `cpus` processors, `memory` MiB and `gpus`, which need not be there.

    `settings` replaces lines of slurm.conf; None leaves one out. `environment` is what commands
    need to speak to the cluster; the one given is its base.
    """

    def __init__(self, folder, nodes=3, cpus=1, memory=16000, gpus=0, settings=None, isolate=None,
                 environment=None):
        self.folder = pathlib.Path(folder).resolve()
        if len(str(self.folder)) > LONGEST_FOLDER:
            raise ValueError(f"{self.folder}: too long a path for a cluster's sockets")
        self.nodes = [f"n{number}" for number in range(1, nodes + 1)]
        self.cpus, self.memory, self.gpus = cpus, memory, gpus
        self.settings = {**SETTINGS, **(settings or {})}
        self.isolated = can_isolate() if isolate is None else isolate
        self.environment = {name: value for name, value in (environment or os.environ).items()
                            if not name.startswith(("SLURM", "SBATCH_", "SQUEUE_", "SCANCEL_"))}
        self.environment.update({"SLURM_CONF": str(self.folder / "slurm.conf"),
                                 "PATH": search_path(), MARK: str(self.folder)})
        self._processes = {}  # name of the daemon or node: what was started for it
        self._port_lock = self._port = self._keeper = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Starts everything; returns when all nodes are ready for work."""
        for name in ("munge", "state", "spool", "log"):
            (self.folder / name).mkdir(parents=True)
        self._port_lock, self._port = take_ports(len(self.nodes) + 1)
        self._keeper = start_keeper(self.folder)
        self._write_settings()
        self._start_munged()
        self.start_controller()
        for node in self.nodes:
            self.start_node(node)
        self._wait_for(lambda: len(self.ready_nodes()) == len(self.nodes), "nodes are not ready")

    def stop(self):
        """Ends every process that belongs to the cluster, also tasks. The folder stays."""
        sweep(self.folder)
        for process in self._processes.values():
            process.wait(timeout=PATIENCE)
        self._processes.clear()
        if self._keeper:
            self._keeper.stdin.close()
            self._keeper.wait(timeout=PATIENCE)
            self._keeper = None
        if self._port_lock:
            self._port_lock.close()

    def start_controller(self):
        self._start("slurmctld", ["slurmctld", "-D"])

    def kill_controller(self):
        """SIGKILL: what it had not yet saved is lost."""
        self._kill("slurmctld")

    def start_node(self, node):
        """A node that is new, was cut off, or has lost its slurmd."""
        daemon = ["slurmd", "-D", "-N", node]
        if self.isolated and node not in self._alive():
            # The shell is the node's init: it takes in orphans, and all end with it.
            daemon = ["unshare", "--fork", "--kill-child", "--pid", "--uts", "--mount-proc", "sh",
                      "-c", f"hostname {node}; {' '.join(daemon)} & while :; do sleep 1; done"]
        elif self.isolated:
            daemon = ["nsenter", "--all", "--target", str(self._init(node)), *daemon]
        name = node if node not in self._alive() else f"slurmd of {node}"
        self._start(name, daemon, node)

    def power_cut(self, node):
        """Ends slurmd and all that it started, at once. Like a cut, it tells nobody."""
        if self.isolated:
            self._kill(node)
        # Else the daemons first, held still: one that outlives its task by a moment reports it.
        for pid in sorted(processes_of(self.folder, node),
                          key=lambda pid: not name_of(pid).startswith("slurm")):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
        kill_until_gone(lambda: processes_of(self.folder, node))

    def kill_daemon(self, node):
        """SIGKILL to slurmd alone: tasks of the node go on."""
        os.kill(self._slurmd(node), signal.SIGKILL)
        self._wait_for(lambda: self._slurmd(node) is None, f"slurmd of {node} is not gone")

    def command(self, *words):
        """Output of one of Slurm's commands; "" when it fails."""
        result = subprocess.run([str(word) for word in words], env=self.environment, text=True,
                                capture_output=True, timeout=PATIENCE, check=False)
        return result.stdout if result.returncode == 0 else ""

    def ready_nodes(self):
        return set(self.command("sinfo", "-h", "-N", "-t", "idle,alloc,mix", "-o", "%N").split())

    def tasks(self, name=None):
        """{"job_index" or "job": (state, node)} of all jobs, or of those of one name."""
        named = ["-n", name] if name else []
        lines = self.command("squeue", "-h", "-r", *named, "-o", "%i %T %N").splitlines()
        fields = (line.split() for line in lines)
        return {task: (state, *node) if node else (state, "") for task, state, *node in fields}

    def processes(self, node):
        """Ids, as they are outside, of a node's processes."""
        return processes_of(self.folder, node)

    def log(self, daemon, lines=20):
        """The end of what "slurmctld" or a node said."""
        path = self.folder / "log" / f"{daemon}.log"
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])

    def _write_settings(self):
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True)
        user, host = user.stdout.strip(), socket.gethostname().partition(".")[0]
        below = {"AuthInfo": f"socket={self.folder}/munge/socket,cred_expire={CRED_EXPIRE}",
                 "SlurmUser": user, "SlurmdUser": user, "SlurmctldHost": f"{host}(127.0.0.1)",
                 "SlurmctldPort": self._port, "StateSaveLocation": self.folder / "state",
                 "SlurmdSpoolDir": self.folder / "spool/%n",
                 "SlurmctldPidFile": self.folder / "slurmctld.pid",
                 "SlurmdPidFile": self.folder / "%n.pid",
                 "SlurmctldLogFile": self.folder / "log/slurmctld.log",
                 "SlurmdLogFile": self.folder / "log/%n.log"}
        lines = [f"{name}={value}" for name, value in {**below, **self.settings}.items()
                 if value is not None]
        for number, node in enumerate(self.nodes, 1):
            lines.append(f"NodeName={node} NodeHostname={node if self.isolated else host} "
                         f"NodeAddr=127.0.0.1 Port={self._port + number} CPUs={self.cpus} "
                         f"RealMemory={self.memory}"
                         + (f" Gres=gpu:{self.gpus}" if self.gpus else ""))
        if self.gpus:
            self._write_gpus()
            lines.insert(0, "GresTypes=gpu")
        lines.append(f"PartitionName=all Nodes={','.join(self.nodes)} Default=YES State=UP")
        # Nothing here uses control groups; where there are those of version 2 alone, slurmd would ask
        # systemd for one all the same.
        (self.folder / "cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n", encoding="utf-8")
        (self.folder / "slurm.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _write_gpus(self):
        """A node's GPUs are this machine's own, as far as it has so many: each node then has its
        share. Where it has not, /dev/null stands in for one, under a name from which Slurm takes
        the number."""
        lines = []
        for place, node in enumerate(self.nodes):
            for index in range(self.gpus):
                device = pathlib.Path(f"/dev/nvidia{place * self.gpus + index}")
                if not device.exists():
                    device = self.folder / "devices" / node / f"nvidia{index}"
                    device.parent.mkdir(parents=True, exist_ok=True)
                    device.symlink_to("/dev/null")
                lines.append(f"NodeName={node} Name=gpu File={device}")
        (self.folder / "gres.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _start_munged(self):
        munge = self.folder / "munge"
        key = munge / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        # Forced: it would have every folder above be open to all users.
        self._start("munged", ["munged", "--foreground", "--force", f"--key-file={key}",
                               f"--socket={munge}/socket", f"--pid-file={munge}/pid",
                               f"--seed-file={munge}/seed", f"--log-file={munge}/log",
                               "--num-threads=2"])
        self._wait_for((munge / "socket").exists, "munged does not begin")

    def _start(self, name, words, node=None):
        environment = {**self.environment, **({NODE_MARK: node} if node else {})}
        with open(self.folder / "log" / f"{name}.out", "ab") as out:
            # A session of its own: Ctrl-C is for the test, which then ends it in order.
            self._processes[name] = subprocess.Popen(words, env=environment, stdout=out,
                                                     stderr=out, stdin=subprocess.DEVNULL,
                                                     start_new_session=True)

    def _alive(self):
        return {name for name, process in self._processes.items() if process.poll() is None}

    def _kill(self, name):
        self._processes[name].kill()
        self._processes.pop(name).wait(timeout=PATIENCE)

    def _init(self, node):
        """Id of the first process of a node's name space."""
        return next(pid for pid, parent in parents().items()
                    if parent == self._processes[node].pid)

    def _slurmd(self, node):
        """Id of the node's slurmd. One that forks for a step has the same name, for a moment."""
        named = {pid for pid in processes_of(self.folder, node) if name_of(pid) == "slurmd"}
        parent = parents()
        return next((pid for pid in named if parent.get(pid) not in named), None)

    def _wait_for(self, condition, complaint):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                said = "\n".join(path.read_text(errors="replace")[-2000:]
                                 for path in sorted((self.folder / "log").iterdir()))
                raise RuntimeError(f"{self.folder}: {complaint}\n{said}")
            time.sleep(0.05)


def take_ports(number):
    """(lock, first of `number` ports that are free): nobody else gets these while `lock` is open.

    They are below those that the system gives to outgoing connections, since one that is given away
    while a daemon is down would keep it down.
    """
    for first in range(20000, 32000, 32):
        lock = socket.socket(socket.AF_UNIX)
        try:
            lock.bind(f"\0throwaway-slurm-{first}")
            for port in range(first, first + number):
                with socket.socket() as probe:
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    probe.bind(("0.0.0.0", port))
            return lock, first
        except OSError:
            lock.close()
    raise RuntimeError("no free ports")


def parents():
    """{process: its parent}, of all that run; zombies have ended."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError):
                fields = pathlib.Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
                if fields[0] not in "ZX":
                    found[int(entry)] = int(fields[1])
    return found


def name_of(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


def environment_of(pid):
    """Variables that a process began with; none of another user's, or of one that is gone."""
    with contextlib.suppress(OSError):
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return dict(word.decode(errors="replace").partition("=")[::2] for word in words)
    return {}


def processes_of(folder, node=None):
    """Ids of all processes of the cluster in `folder`, or of its node, and of their descendants.

    slurmd and slurmstepd have the node's mark; tasks have their submitter's variables and
    SLURMD_NODENAME, and those that have neither descend from one that has.
    """
    parent = parents()
    found = set()
    for pid in parent:
        variables = environment_of(pid)
        if variables.get(MARK) == str(folder) and (
                node is None or node in (variables.get(NODE_MARK),
                                         variables.get("SLURMD_NODENAME"))):
            found.add(pid)
    grown = True
    while grown:
        more = {pid for pid, above in parent.items() if above in found} - found
        found |= more
        grown = bool(more)
    return found - {os.getpid()}


def kill_until_gone(find):
    """SIGKILL to all that `find` finds, until it finds none: some may just have forked."""
    deadline = time.monotonic() + PATIENCE
    while found := find():
        if time.monotonic() > deadline:
            raise RuntimeError(f"processes do not end: {sorted(found)}")
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def sweep(folder):
    kill_until_gone(lambda: processes_of(folder))


def start_keeper(folder):
    """A process that sweeps when its standard input ends: however the test ends, that does."""
    return subprocess.Popen([sys.executable, __file__, "--keep", str(folder)],
                            stdin=subprocess.PIPE, start_new_session=True)


def keep(folder):
    # A child of nobody: whoever kills a test that hangs goes through its children.
    if os.fork() == 0:
        sys.stdin.buffer.read()
        sweep(folder)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--keep":
        keep(pathlib.Path(sys.argv[2]))
    elif len(sys.argv) == 2 and sys.argv[1].isdigit():
        with tempfile.TemporaryDirectory(prefix="slurm-") as folder, \
                Cluster(pathlib.Path(folder) / "c", int(sys.argv[1])) as cluster:
            print(f"export SLURM_CONF={cluster.environment['SLURM_CONF']}", flush=True)
            with contextlib.suppress(KeyboardInterrupt):
                signal.pause()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
