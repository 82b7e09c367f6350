#!/usr/bin/env python3
"""A user who does his worst in one hot folder, beside five honest ones: their pages begin in time.

Before the watcher starts and while it runs, the user fills his folder with entries in .work, some
with records of jobs that never were, huge files of nothing but holes, folders that lie thousands
deep in each other, tickets, folders of jobs, odd names, settings that change all the time, and pages
that fail. Meanwhile pages are dropped into the honest folders, one after the other. A page that is
taken later than 5 s after its drop, or does not come out right, is a violation. As root, the user is
another one than the watcher's, who cannot remove what he made.

  hostile_folder.py PROGRAM [--entries N] [--deep N] [--seconds S]   50000, 30000 and 120 by hand
"""

import contextlib
import json
import os
import signal
import subprocess
import threading
import time

from numbered_pages import page
from ordeal import PATIENCE, Ordeal, require_options, wait_until
from watching import HARMS, HotFolder, watching

HONEST = 5
LATEST = 5.0       # seconds from the drop of a page to its beginning
EVERY = 1.0        # seconds between drops, so that workers could keep up
STRANGER = 65534   # user and group "nobody"
KEEP = "{done: 1 s, failed: 1 s}"
SABOTAGES = {**HARMS, "pause": "the watcher stands still for a while"}


def stranger(body):
    """The number of a new process of the stranger, which calls `body`."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(STRANGER, STRANGER, STRANGER)
                os.setresuid(STRANGER, STRANGER, STRANGER)
            os.umask(0o022)
            body()
            status = 0
        finally:
            os._exit(status)
    return child


def as_stranger(body):
    """Calls `body` in a process of the stranger, and waits for it."""
    return os.waitpid(stranger(body), 0)[1] == 0


def fill_work(hot, entries):
    """Folders that look like jobs; every tenth has a record of one."""
    work = hot.path / ".work"
    record = {"end": "failed", "files": [{"inode": 1, "inside": "x.tif", "name": "x.tif"}],
              "kind": "pages", "manifest": "mezzotint: 1\n", "name": "x", "reason": "", "v": 1}
    for number in range(entries):
        folder = work / f"b-{number}"
        folder.mkdir()
        if number % 10 == 0:
            (folder / "files").mkdir()
            (folder / "files" / "x.tif").write_bytes(b"II*\0")
            (folder / "record").write_text(json.dumps(record))
        else:
            (folder / "record").write_text("{}")


def forge(hot, count):
    """Records in folders of the watcher's own user, who made them for other ends."""
    for number in range(count):
        files = hot.path / ".work" / f"20260101-000000-{number:016x}" / "files"
        files.mkdir(parents=True)
        (files / "x.tif").write_bytes(b"II*\0")
        record = {"end": "failed", "kind": "pages", "manifest": "mezzotint: 1\n", "name": f"x{number}",
                  "reason": "", "v": 1, "files": [{"inode": 1, "inside": "x.tif", "name": "x.tif"}]}
        (files.parent / "record").write_text(json.dumps(record))


def dig(path, depth):
    """Folders in each other, `depth` of them."""
    path.mkdir()
    at = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY | os.O_DIRECTORY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)


def fill_root(hot, entries, depth):
    for number in range(4):
        with open(hot.path / f"holes{number}.tif", "wb") as file:
            for size in (1 << 44, 1 << 43, 1 << 40):  # as large as the file system has them
                with contextlib.suppress(OSError):
                    file.truncate(size - 4096)
                    break
    dig(hot.path / "deep", depth)
    (hot.path / "deep" / "job.yaml").write_text("mezzotint: 1\njob: deep\npages: [a.tif]\n")
    pages = "".join(f"- p{number}.tif\n" for number in range(200))
    for number in range(entries // 50):
        (hot.path / f"t{number}.yaml").write_text(f"mezzotint: 1\njob: t\npages:\n{pages}")
        (hot.path / f"odd{number}.txt").touch()
    for number in range(10):
        folder = hot.path / f"job{number}"
        folder.mkdir()
        (folder / "job.yaml").write_text("mezzotint: 1\njob: j\npages: [a.tif]\n")
        for file in range(entries // 50):
            (folder / f"f{file}").touch()


def disturb(hot, until):
    """Goes on until that time: pages that fail, odd names, settings that come and go."""
    number = 0
    while time.time() < until:
        number += 1
        (hot.path / f"bad{number}.tif").write_bytes(b"II*\0" + os.urandom(200))
        (hot.path / f"touched{number}.txt").touch()
        with contextlib.suppress(OSError):
            other = hot.path / "folder.yaml.new"
            other.write_text("mezzotint: 1\n" + ("order: name\n" if number % 2 else "ordre: name\n"))
            other.rename(hot.path / "folder.yaml")
        time.sleep(0.05)


class Beginnings(threading.Thread):
    """Notes when pages leave the honest folders: their jobs begin."""

    def __init__(self):
        super().__init__(daemon=True)
        self.dropped = {}  # path: when
        self.took = []
        self.lock = threading.Lock()

    def run(self):
        while True:
            time.sleep(0.01)
            now = time.monotonic()
            with self.lock:
                for path in [path for path in self.dropped if not path.exists()]:
                    self.took.append((now - self.dropped.pop(path), path))

    def add(self, path):
        with self.lock:
            self.dropped[path] = time.monotonic()


def drop_in_turn(ordeal, honest, watch, seconds):
    beginnings = Beginnings()
    beginnings.start()
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end or number < len(honest):
        hot = honest[number % len(honest)]
        number += 1
        beginnings.add(hot.path / hot.drop(number))
        if number == 3 and ordeal.sabotage("pause"):
            watch.process.send_signal(signal.SIGSTOP)
            threading.Timer(LATEST + 1, watch.process.send_signal, [signal.SIGCONT]).start()
        time.sleep(EVERY)
    wait_until(lambda: not beginnings.dropped, 60)
    for path in beginnings.dropped:
        ordeal.check(False, f"{path} was never taken")
    return beginnings.took


def prepare(ordeal, hostile, entries, deep):
    """All that the user does before the watcher starts."""
    ordeal.scratch.chmod(0o755)
    hostile.path.chmod(0o777)
    for name in (".work", "done"):
        (hostile.path / name).mkdir()
        (hostile.path / name).chmod(0o777)
    ordeal.check(as_stranger(lambda: fill_work(hostile, entries)), "the user failed in .work")
    forge(hostile, entries // 100)
    ordeal.check(as_stranger(lambda: fill_root(hostile, entries, deep)),
                 "the user failed in the folder")
    ordeal.check(as_stranger(lambda: dig(hostile.path / "done" / "deep", deep)),
                 "the user failed in done/")


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    options = ordeal.options
    honest = [HotFolder(ordeal.scratch / f"honest{n}", size=(200, 152)) for n in range(HONEST)]
    hostile = HotFolder(ordeal.scratch / "hostile", keep=KEEP)
    prepare(ordeal, hostile, options.entries, options.deep)
    time.sleep(1.1)  # past `keep`
    with watching(ordeal, [hostile, *honest]) as watch:
        user = threading.Thread(target=as_stranger, daemon=True, args=(
            lambda: disturb(hostile, time.time() + options.seconds),))
        user.start()
        took = drop_in_turn(ordeal, honest, watch, options.seconds)
        user.join()
        ordeal.check(all(hot.wait(PATIENCE) for hot in honest), f"not all pages went through\n{watch.tail()}")
        measure(ordeal, watch, took)
    for number, hot in enumerate(honest):
        hot.judge(ordeal, f"honest {number}")
    remove(hostile.path)


def measure(ordeal, watch, took):
    seconds = sorted(time for time, _ in took)
    for late, path in took:
        ordeal.check(late <= LATEST, f"{path} began {late:.1f} s after its drop")
    ordeal.figures.update(pages=len(seconds), median_s=seconds[len(seconds) // 2],
                          worst_s=seconds[-1], rss_mib=watch.kib() / 1024,
                          peak_mib=watch.kib("VmHWM") / 1024, descriptors=watch.descriptors(),
                          log_kib=watch.log.stat().st_size / 1024,
                          cpu_s=watch.cpu_seconds())


def remove(path):
    """Deep folders are too deep for Python's own means."""
    subprocess.run(["rm", "-rf", path], check=False)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--entries", {"type": int, "default": 3000}),
        ("--deep", {"type": int, "default": 2000}),
        ("--seconds", {"type": float, "default": 15.0})])
    ordeal.hold(hold)
