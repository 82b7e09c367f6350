#!/usr/bin/env python3
"""A hot folder's disk stops to answer for a while: the watcher goes on with its other folder.

The disk is a mount of bindfs whose process is stopped, before and while jobs of it run. Every call on
it hangs then, as on a network share whose server is away. Meanwhile pages of a folder on a local disk
are done in time, /healthz and the control socket answer, and the view names the folder that hangs.
Once the disk answers again, its pages go on, each exactly once. In the end the watcher is stopped,
and started, while it hangs.

  hung_folder.py PROGRAM [--cycles CYCLES] [--hang SECONDS] [--pages PAGES]     20, 60 and 50 by hand

It needs bindfs, root and /dev/fuse.
"""

import copy
import shutil
import signal
import subprocess
import time

from meanwhile import Meanwhile, folder_in_view, free_port
from ordeal import PATIENCE, Ordeal, Skip, require_options, run_to_end, wait_until
from watching import HARMS, HotFolder, Watch, judge_stop, once, patience, stat_fields, watching

LATEST = 10.0  # seconds for a page of the local folder, two workers hanging for the first 5
NOTICED = 15.0  # until the view says that the disk does not answer
SABOTAGES = {**HARMS, "away": "the disk does not come back", "pause": "the watcher is stopped"}


class HangingDisk:
    """The folder `served` as it is seen through `path`, by a process that can be stopped."""

    def __init__(self, ordeal, served, path):
        if shutil.which("bindfs") is None:
            raise Skip("bindfs is missing (apt-get install bindfs)")
        path.mkdir()
        self.path = path
        self.process = ordeal.start(["bindfs", "-f", "-o", "attr_timeout=0,hard_remove", served, path],
                                    stderr=subprocess.DEVNULL)
        if not wait_until(lambda: self.process.poll() is not None or path.is_mount(), PATIENCE) \
                or self.process.poll() is not None:
            raise Skip("bindfs cannot mount here: it needs root, or fusermount, and /dev/fuse")

    def hang(self):
        self.process.send_signal(signal.SIGSTOP)

    def answer(self):
        self.process.send_signal(signal.SIGCONT)

    def close(self):
        """Calls that hang end with an error then, so that their processes can go."""
        self.process.kill()
        self.process.wait(timeout=PATIENCE)
        subprocess.run(["umount", "--lazy", self.path], check=False, capture_output=True)


def trouble(watch, path):
    return folder_in_view(watch, path).get("trouble", "")


def cycle(ordeal, disk, served, seen, watch, busy, number):
    """Some pages, then a hang of the disk: with `busy` while they are made, else when all are done."""
    pages = ordeal.options.pages
    for _ in range(pages):
        served.drop(next(number))
    if busy:
        time.sleep(ordeal.random.uniform(0.3, 1.5))
    else:
        served.wait(patience(pages))
    disk.hang()
    begin = time.monotonic()
    for _ in range(pages):  # on the server's own side, unseen
        served.drop(next(number))
    if ordeal.sabotage("pause"):
        watch.process.send_signal(signal.SIGSTOP)
        ordeal.check(watch.request("list").get("ok"), "it does not answer")
        watch.process.send_signal(signal.SIGCONT)
    said = wait_until(lambda: "not answer" in trouble(watch, seen.path), NOTICED)
    ordeal.check(said, f"the view says nothing of the hang\n{watch.tail()}")
    ordeal.most("longest_to_notice_s", time.monotonic() - begin)
    time.sleep(max(0.0, begin + ordeal.options.hang - time.monotonic()))
    if ordeal.sabotage("away"):
        ordeal.check(served.wait(3), "the disk is still away")
    disk.answer()
    ordeal.check(served.wait(patience(2 * pages)), f"not all pages went through\n{watch.tail()}")
    ordeal.check(wait_until(lambda: not trouble(watch, seen.path), PATIENCE), "trouble goes on: " +
                 trouble(watch, seen.path))


def end_while_it_hangs(ordeal, watch):
    """A call that bindfs took before it was stopped holds its thread in the kernel, whatever the
    process does: then all else of it is to be gone."""
    begin = time.monotonic()
    watch.process.send_signal(signal.SIGTERM)
    gone = wait_until(lambda: not watch.alive() or stat_fields(watch.pid)[0] == "Z", PATIENCE)
    ordeal.check(gone, f"SIGTERM does not end it\n{watch.tail()}")
    judge_stop(ordeal, time.monotonic() - begin, watch.name)


def once_while_it_hangs(ordeal, folders, local, number):
    """A watcher of its own, as cron starts one, does what can be done and says that not all was."""
    name = local.drop(number)
    ended = run_to_end([ordeal.program, "watch", "--once", "--state", ordeal.scratch / "once.state",
                        *(folder.path for folder in folders)], ordeal.environment, ordeal.scratch)
    ordeal.check(ended.returncode == 1, f"watch --once: status {ended.returncode}\n{ended.stderr}")
    ordeal.check(name in local.names("done"), f"watch --once did not make {name}")


def stop_and_start(ordeal, disk, folders, local, number):
    """The watcher ends, and begins, while the disk hangs."""
    port = free_port()
    watch = Watch(ordeal, folders, "--http", str(port)).start()
    disk.hang()
    wait_until(lambda: "not answer" in trouble(watch, folders[0].path), NOTICED)
    end_while_it_hangs(ordeal, watch)
    once_while_it_hangs(ordeal, folders, local, 2 * 10**6)
    port = free_port()  # the kernel may hold the other one with that thread
    with watching(ordeal, folders, "--http", str(port)) as watch:
        others = Meanwhile(ordeal, watch, port, local, number, LATEST)
        time.sleep(5)
        others.end()
        disk.answer()
        ordeal.check(wait_until(lambda: folder_in_view(watch, folders[0].path).get("up"), PATIENCE),
                     f"the folder is not watched once its disk answers\n{watch.tail()}")


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket", "--http")
    served, local = HotFolder(ordeal.scratch / "served"), HotFolder(ordeal.scratch / "local")
    disk = HangingDisk(ordeal, served.path, ordeal.scratch / "share")
    seen = copy.copy(served)
    seen.path = disk.path
    number, port = iter(range(1, 10**6)), free_port()
    try:
        with watching(ordeal, [seen, local], "--http", str(port)) as watch:
            others = Meanwhile(ordeal, watch, port, local, 10**6, LATEST)
            for turn in range(ordeal.options.cycles):
                cycle(ordeal, disk, served, seen, watch, turn % 2 == 0, number)
            others.end()
            once(ordeal, "hung folder", [watch], len(served.numbers) + len(local.numbers))
        stop_and_start(ordeal, disk, [seen, local], local, others.number)
    finally:
        disk.close()
    ordeal.figures["pages"] = len(served.numbers)
    served.judge(ordeal, "hung folder")
    local.judge(ordeal, "local folder")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--cycles", {"type": int, "default": 2, "help": "times that the disk hangs"}),
        ("--hang", {"type": float, "default": 8, "help": "how long, in seconds"}),
        ("--pages", {"type": int, "default": 5, "help": "dropped before it and while it hangs"})])
    ordeal.hold(hold)
