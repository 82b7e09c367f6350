#!/usr/bin/env python3
"""What happens on the disk that loses power, in the guest: power_cut.py starts this there.

  power_scenes.py SCENE PLAN

The disk's file systems are made of /dev/ubda, with a log in /dev/ubdb. A mark in the log is a
promise: what it names was said to people or other programs before.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

from ordeal import wait_until
from power_pages import DROPS, PAGES, DroppedPages, is_synced

PATIENCE = 120


class Stage:
    def __init__(self, plan):
        self.plan = plan
        self.folder = pathlib.Path(plan["folder"])
        self.work = self.folder / "work"
        self.environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state"),
                            **plan.get("environment", {})}
        self._lock = threading.Lock()

    def mount(self):
        sectors, parts = self.plan["sectors"], self.plan["parts"]
        # Without udev there are no names in /dev/mapper.
        call("dmsetup", "create", "logged", "--table",
             f"0 {sectors * len(parts)} log-writes /dev/ubda /dev/ubdb")
        for number, part in enumerate(parts):
            call("dmsetup", "create", f"part{number}", "--table",
                 f"0 {sectors} linear /dev/dm-0 {number * sectors}")
            (self.folder / part).mkdir(parents=True, exist_ok=True)
            call("mount", "-t", self.plan["type"], "-o", self.plan["options"] or "defaults",
                 f"/dev/dm-{number + 1}", self.folder / part)
        self.mark("begin")

    def unmount(self):
        self.mark("end")
        for part in reversed(self.plan["parts"]):
            call("umount", self.folder / part)
        for number in range(len(self.plan["parts"])):
            call("dmsetup", "remove", f"part{number}")
        call("dmsetup", "remove", "logged")

    def mark(self, text):
        with self._lock:
            call("dmsetup", "message", "logged", "0", "mark", text)

    def start(self, *words):
        return subprocess.Popen([self.plan["program"], *map(str, words)], cwd=self.work, text=True,
                                env=self.environment, stdout=subprocess.PIPE, errors="replace",
                                stderr=subprocess.STDOUT, start_new_session=True)

    def make(self, *words):
        """Runs the program to its end, which must be good."""
        process = self.start(*words)
        text = process.communicate()[0]
        if process.returncode != 0:
            sys.exit(f"{words}: status {process.returncode}\n{text}")
        return text


def run(stage):
    """A job, and the same again after its settings changed."""
    for version in (1, 2):
        if version == 2:
            (stage.work / "job2.yaml").rename(stage.work / "job.yaml")
            sync(stage.work)
            stage.mark("version:2")
        process = stage.start("run", "--json", "--report", "report", "job.yaml")
        text = []
        for line in process.stdout:
            text.append(line)
            with contextlib.suppress(json.JSONDecodeError):
                event = json.loads(line)
                if event.get("type") == "sheet" and event.get("ok"):
                    stage.mark(f"sheet:{version}:{event['input']}")
        if process.wait() != 0:
            sys.exit(f"run: status {process.returncode}\n{''.join(text)}")
        stage.mark(f"run:{version}")


def cluster(stage):
    """A plan, whose units another program runs."""
    stage.make("submit", "--engine", "none", "--pages-per-task", "2", "job.yaml")
    stage.mark("submitted")
    units = json.loads((stage.work / "job.plan" / "plan.json").read_text())["units"]
    for unit in range(len(units)):
        stage.make("worker", "-q", "job.plan", unit)
        stage.mark(f"unit:{unit}")
    stage.make("collect", "job.plan")
    stage.mark("collected")


class Watcher:
    """A watcher; what its log says is marked."""

    BEGUN = re.compile(r"/work: (\S+) begun(?:, try (\d+))?")
    ENDED = re.compile(r"/work: (\S+?):? (done in|not made again|failed:)")

    def __init__(self, stage, hot):
        self.stage = stage
        self.begun, self.ended = set(), set()
        self.log = []
        self.process = stage.start("watch", hot, "--state", stage.folder / "state" / "watch",
                                   "--socket", stage.folder / "state" / "socket", "--jobs", "2")
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.log.append(line)
            if found := self.ENDED.search(line):
                name = found[1] + ".tif"
                self.stage.mark(f"{'failed' if 'failed' in found[2] else 'done'}:{name}")
                self.ended.add(name)
            elif found := self.BEGUN.search(line):
                self.begun.add(found[1] + ".tif")
                if found[2]:
                    self.stage.mark(f"try{found[2]}:{found[1]}.tif")

    def wait(self, names, ways):
        """Until the pages are in `ways`, which is one of the sets here."""
        if not wait_until(lambda: set(names) <= ways, PATIENCE, 0.02):
            sys.exit(f"only {sorted(ways)}\n{''.join(self.log)}")

    def kill(self):
        """With its workers."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def watch(stage):
    """A hot folder, into which a customer drops pages; a plate-setter takes plates away."""
    hot = DroppedPages(stage.work)
    os.sync()
    stage.mark("folder")
    watcher = Watcher(stage, hot.path)
    for drop in DROPS:
        if drop.get("after"):
            watcher.wait([drop["after"]], watcher.ended)
        if drop["kind"] == "killed":
            watcher.wait([drop["name"]], watcher.begun)
            watcher.kill()
            os.sync()  # as after a while
            watcher = Watcher(stage, hot.path)
        elif drop["kind"] == "taken":
            stage.mark(f"taking:{drop['name']}")
            (hot.path / "plates" / drop["name"]).unlink()
            sync(hot.path / "plates")
            stage.mark(f"taken:{drop['name']}")
        else:
            put(stage, hot, drop)
        time.sleep(drop.get("pause", 0))
    wait_until(lambda: not hot.names(".work") and not hot.names(".") & set(PAGES), PATIENCE, 0.05)
    time.sleep(2)
    watcher.process.terminate()
    watcher.process.wait()


def put(stage, hot, drop):
    """Drops the files of a page; the customer syncs them, or does not."""
    for name, data in hot.files_of(drop).items():
        hidden = hot.path / f".{name}"
        with open(hidden, "wb") as file:
            file.write(data)
            file.flush()
            if is_synced(drop):
                os.fsync(file.fileno())
        hidden.rename(hot.path / name)
    if is_synced(drop):
        sync(hot.path)
    if is_synced(drop):
        stage.mark(f"{'again' if drop['kind'] == 'again' else 'dropped'}:{drop['name']}")


def sync(folder):
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(descriptor)
    os.close(descriptor)


def call(*words):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                            check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {result.stderr}")


def main():
    scene, plan = sys.argv[1:]
    stage = Stage(json.loads(pathlib.Path(plan).read_text(encoding="utf-8")))
    stage.mount()
    {"run": run, "watch": watch, "cluster": cluster}[scene](stage)
    stage.unmount()


if __name__ == "__main__":
    main()
