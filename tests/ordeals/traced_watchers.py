#!/usr/bin/env python3
"""Traces watchers at work, and looks for each trace in the model of their protocol (tests/model).

In each scene one or two watchers take pages under strace, while a stranger drops others, and some are
killed at a system call and started again. Each call that changes the folder, takes a lock or commits
must then be a step of the model, in an order that the model has, and in the end the model must have
the pages where the program has them. So neither can change without the other.

  traced_watchers.py PROGRAM [--count KILLS]     300 kills by hand
"""

import contextlib
import os
import pathlib
import shlex
import signal
import sqlite3
import subprocess
import sys

import trace_of_watchers
from numbered_pages import page
from ordeal import PATIENCE, Ordeal, choose, require_options, require_strace, wait_for, wait_until
from watching import HotFolder, Watch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "model"))
from match import Match  # noqa: E402  (it lies there)

SABOTAGES = {
    "swap": "two calls of a claim change places in a trace",
    "unsynced": "the sync of a record is left out of a trace",
    "early": "in a trace, a plate is published before the journal has it",
    "stray": "a watcher makes a call that the model does not have",
    "lose": "a page is taken out of done/ in the end",
}
KILLED = 5  # seconds for the commits of a scene with kills: a job whose watcher was killed may have none
# Calls of which the k-th of a thread kills it, and how many of each are worth it.
KILLS = {"mkdirat": 4, "renameat": 3, "renameat2": 2, "unlinkat": 9, "fsync": 3, "flock": 2}
CALLS = ("mkdir", "mkdirat", "openat", "flock", "rename", "renameat", "renameat2", "unlink",
         "unlinkat", "rmdir", "link", "linkat", "fsync", "fdatasync", "execve", "clone", "clone3", "fork",
         "vfork")


class Scene:
    """A hot folder with pages, one or two watchers, and what strace saw of them."""

    def __init__(self, ordeal, number, kinds=("page",), watchers=2):
        self.ordeal = ordeal
        self.hot = HotFolder(ordeal.scratch / f"hot{number}", existing="replace",
                             name_clashes="replace", scan="200 ms")
        self.watches = [Watch(ordeal, [self.hot], name=f"{name}{number}")
                        for name in ("one", "two")[:watchers]]
        for watch in self.watches:  # the model's watchers have one job at a time
            watch.words[watch.words.index("--jobs") + 1] = "1"
        self.traces = []
        self.pages = []
        self.first = 10 * number + 1
        self.number = 10 * number
        for name, kind in zip("pqr", kinds):
            self.put(f"{name}.tif", kind)
            self.pages.append((name, kind))

    def put(self, name, kind="page", same=False):
        """A page; with `same` it has the content of the first one."""
        path = self.hot.path / name
        if kind == "link":
            path.symlink_to("/etc/hostname")
            return
        self.number += 1
        number = self.first if same else self.number
        path.write_bytes(page(number) if kind == "page" else b"II*\0" + bytes(100))

    @contextlib.contextmanager
    def traced(self, *more):
        """Watchers under strace, until the body is over; then they are killed."""
        trace = self.ordeal.scratch / f"{self.hot.path.name}.trace{len(self.traces)}"
        self.traces.append(trace)
        shell = self.ordeal.start(
            ["strace", "-f", "-y", "-q", "-s", "400", "-o", trace, "-e", "signal=!CHLD", "-e",
             "trace=" + ",".join(CALLS), *(more or ["--seccomp-bpf"]), "sh"], stdin=subprocess.PIPE, text=True,
            cwd=self.hot.path, env=self.ordeal.environment)
        for watch in self.watches:
            watch.state.mkdir(exist_ok=True)
            (watch.state / "pid").unlink(missing_ok=True)
            self.say(shell, f"{shlex.join(watch.words)} >>{watch.log} 2>&1 & echo $! >{watch.state}/pid")
        try:
            yield shell
        finally:
            for watch in self.watches:
                pid = watch.state / "pid"
                wait_until(lambda: shell.poll() is not None or pid.exists() and pid.read_text(), PATIENCE, 0.05)
                with contextlib.suppress(OSError, ValueError):
                    os.kill(int(pid.read_text()), signal.SIGKILL)
            with contextlib.suppress(BrokenPipeError):
                shell.stdin.close()
            shell.wait(PATIENCE)

    @staticmethod
    def say(shell, line):
        shell.stdin.write(line + "\n")
        shell.stdin.flush()

    def drop(self, shell, name, same=False):
        """By the shell, so that the trace has it."""
        kind = "same" if same else "new"
        self.put(f".{kind}-{name}.tif", same=same)
        self.say(shell, f"mv -f .{kind}-{name}.tif {name}.tif")
        wait_for(lambda: not (self.hot.path / f".{kind}-{name}.tif").exists(), self.hot.path)

    def is_over(self):
        names = self.hot.names(".")
        return not self.hot.names(".work") and not any(
            name.endswith(".tif") for name in names) and bool(self.hot.finished())

    def are_killed(self):
        """Whether one of the watchers has been killed by strace."""
        def is_gone(watch):
            with contextlib.suppress(OSError, ValueError):
                pid = int((watch.state / "pid").read_text())
                return not pathlib.Path(f"/proc/{pid}").exists() or "State:\tZ" in pathlib.Path(
                    f"/proc/{pid}/status").read_text()
            return False
        return any(is_gone(watch) for watch in self.watches)

    def wait(self, condition=None):
        return wait_until(condition or self.is_over, PATIENCE, 0.05)

    def wait_for_commits(self, most=PATIENCE):
        """Until the histories have a job for each page, `most` seconds at most."""
        def are_there():
            with contextlib.suppress(sqlite3.Error):
                states = [state for watch in self.watches for _, state in watch.history()]
                pages = sum(name.endswith(".tif") for name in self.hot.finished())
                return len(states) >= pages and set(states) <= {"done", "failed"}
            return False
        wait_until(are_there, most)

    def judge(self, what):
        """The trace is a path of the model, and leads to the files that are there."""
        ordeal = self.ordeal
        events = trace_of_watchers.events(self.traces, self.hot.path,
                                          [watch.state for watch in self.watches])
        harm(ordeal, self, events)
        match = Match(self.pages, len(self.watches), events)
        ordeal.count("scenes")
        ordeal.count("events", sum(map(len, events.values())))
        if not match.run():
            ordeal.check(False, f"{what}: {match.problem()}")
            return
        for folder, names in match.places().items():
            there = {name.removesuffix(".tif") for name in self.hot.names(folder)
                     if name.endswith(".tif") and not name.startswith(".")}
            ordeal.check(there == names, f"{what}: {folder}/ has {sorted(there)}, and the model "
                         f"{sorted(names)}")


def harm(ordeal, scene, events):
    watcher = events["watcher", 0]
    labels = [event.label for event in watcher]

    def index(beginning):
        return next((i for i, label in enumerate(labels) if label.startswith(beginning)), None)

    record = next((i for i, label in enumerate(labels) if label.endswith("/record")), None)
    workers = [process for process in events if process[0] == "worker"]
    if record is not None and ordeal.sabotage("swap"):
        one, two = watcher[record], watcher[record + 1]
        watcher[record:record + 2] = [one._replace(label=two.label), two._replace(label=one.label)]
    if index("fsync") is not None and ordeal.sabotage("unsynced"):
        del watcher[index("fsync")]
    if index("fork") is not None and ordeal.sabotage("stray"):
        watcher.insert(index("fork"), watcher[index("fork")]._replace(label="unlink folder.yaml"))
    for process in workers:
        names = [event.label for event in events[process]]
        if "journal" in names and names.index("journal") + 1 < len(names) and ordeal.sabotage("early"):
            at = names.index("journal")
            one, two = events[process][at:at + 2]
            events[process][at:at + 2] = [one._replace(label=two.label), two._replace(label=one.label)]
    if scene.hot.names("done") and ordeal.sabotage("lose"):
        (scene.hot.path / "done" / sorted(scene.hot.names("done"))[0]).unlink()


def whole(ordeal, number, kinds, watchers, drops=()):
    """Nobody is killed."""
    scene = Scene(ordeal, number, kinds, watchers)
    with scene.traced() as shell:
        for name, same in drops:
            if same:
                scene.wait()
            scene.drop(shell, name, same)
        ordeal.check(scene.wait(), f"scene {number}: not all went through")
        scene.wait_for_commits()
    scene.judge(f"scene {number}, {watchers} watchers, {', '.join(kinds)}")


def killed(ordeal, number):
    """Watchers and workers are killed at a call, and the watchers started again."""
    call = ordeal.random.choice(sorted(KILLS))
    k = ordeal.random.randint(1, KILLS[call])
    kinds = ordeal.random.choice((("page",), ("page",), ("bad",), ("link",)))
    scene = Scene(ordeal, number, kinds, ordeal.random.choice((1, 2)))
    what = f"scene {number}, {len(scene.watches)} watchers, {', '.join(kinds)}, killed at {call} {k}"
    with scene.traced("-e", f"inject={call}:signal=SIGKILL:when={k}"):
        scene.wait(lambda: scene.is_over() or scene.are_killed())
        scene.wait_for_commits(most=KILLED)
        ordeal.count("kills", int(scene.are_killed()))
    with scene.traced():
        ordeal.check(scene.wait(), f"{what}: not all went through")
        scene.wait_for_commits(most=KILLED)
    scene.judge(what)


def hold(ordeal):
    require_options(ordeal, "watch", "--state", "--socket")
    require_strace()
    whole(ordeal, 1, ("page", "bad"), 1, [("p", True)])
    whole(ordeal, 2, ("page", "page"), 2, [("p", False), ("p", False)])
    whole(ordeal, 3, ("link",), 2)
    for number in range(4, 4 + ordeal.options.count):
        killed(ordeal, number)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": choose(2, 4), "help": "scenes with kills"})])
    ordeal.hold(hold)
