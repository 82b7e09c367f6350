#!/usr/bin/env python3
"""Lets the disk of the plates become full, before a job and in the middle of it.

The plates go to a tmpfs, which a ballast file fills. Without `--wait-for-space` the run ends with 75,
says why, and leaves only whole plates; the next one, with room, makes the rest. With it the run
pauses, says so, and goes on by itself when the ballast is removed.

  small_disk.py PROGRAM [--pages PAGES] [--side PIXELS]

Status 77 where a tmpfs may not be mounted, not even in a name space of one's own.
"""

import contextlib
import ctypes
import os
import subprocess
import time

from fail_calls import complete
from job import Job
from kill_resume import whole_plates
from ordeal import PATIENCE, Ordeal, Skip, choose, end, json_lines, require_options, wait_for

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
TRY_AGAIN = 75
LEFT = 8192     # bytes beside the ballast
SABOTAGES = {
    "alter": "a byte of a plate is changed after the last run",
    "litter": "a .part is put beside the plates after the last run",
    "lose": "a plate is removed after the last run",
    "lie": "what the failed run left is taken for nothing",
    "ballast": "the ballast stays where it should be removed",
}


def own_mounts():
    """Gives this process mounts of its own, which go when it ends."""
    user, group = os.getuid(), os.getgid()
    flags = CLONE_NEWNS if user == 0 else CLONE_NEWNS | CLONE_NEWUSER
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        raise Skip(f"unshare: {os.strerror(ctypes.get_errno())}")
    if user != 0:
        for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"),
                           ("gid_map", f"0 {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)


def mount(folder, size):
    folder.mkdir()
    for words in (["mount", "--make-rprivate", "/"],
                  ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]):
        result = subprocess.run(words, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise Skip(f"{' '.join(words)}: {result.stderr.strip()}")


class Disk:
    """A tmpfs and the file that fills it."""

    def __init__(self, folder):
        self.folder = folder
        self.ballast = folder / "ballast"

    def free(self):
        status = os.statvfs(self.folder)
        return status.f_bavail * status.f_frsize

    def fill(self, leave):
        """Fills the disk up to `leave` bytes."""
        with open(self.ballast, "wb") as file, contextlib.suppress(OSError):
            os.posix_fallocate(file.fileno(), 0, max(self.free() - leave, 1))

    def empty(self):
        if self.ballast.exists():
            self.ballast.unlink()


def types(job):
    return [line.get("type") for line in json_lines(job.log("out").read_text(errors="replace"))]


def refused(ordeal, job, disk, reference, leave, what):
    """No --wait-for-space: 75, whole plates, and the rest with the next run."""
    job.forget()
    disk.fill(leave)
    run = job.run("--reserve", "0")
    ordeal.check(run.status == TRY_AGAIN, f"{what}: status {run.status}\n{run.stderr}")
    ordeal.check("space" in run.stderr, f"{what}: no word of space: {run.stderr!r}")
    plates = job.plates()
    whole_plates(job, plates, reference, ordeal, what)
    ordeal.check(not any(name.endswith(".part") for name in plates), f"{what}: a .part is left")
    ordeal.count("refused")
    disk.empty()
    complete(ordeal, job, reference, run, what)


def waits(ordeal, job, disk, reference, leave, what):
    """--wait-for-space: a pause that is said, and an end as if nothing had been."""
    job.forget()
    disk.fill(leave)
    process = job.start("--reserve", "0", "--wait-for-space")
    paused = wait_for(lambda: "paused" in types(job), ordeal.scratch, process=process)
    ordeal.check("paused" in types(job), f"{what}: does not say that it pauses")
    time.sleep(1.5)  # a run that does not wait would end by now; one that does has no limit
    if ordeal.check(paused and process.poll() is None, f"{what}: does not wait"):
        is_left_full = ordeal.sabotage("ballast")
        if not is_left_full:
            disk.empty()
        wait_for(lambda: False, process=process, patience=10 if is_left_full else PATIENCE)
        ended = process.poll() is not None
        if not ended:
            end(process)
    run = job.ended(process)
    ordeal.check(run.status == 0, f"{what}: status {run.status}\n{run.stderr}")
    kinds = [line["type"] for line in run.lines]
    ordeal.check(kinds.count("paused") == kinds.count("continued"),
                 f"{what}: {kinds.count('paused')} pauses, {kinds.count('continued')} ends of them")
    ordeal.check(all(line.get("reason") for line in run.lines if line["type"] == "paused"),
                 f"{what}: a pause without a reason")
    ordeal.check(job.plates() == reference, f"{what}: the plates differ in the end")
    ordeal.count("waited")
    disk.empty()


def hold(ordeal):
    require_options(ordeal, "run", "--journal", "--wait-for-space", "--reserve")
    own_mounts()
    options = ordeal.options
    with contextlib.ExitStack() as stack:
        folder = ordeal.scratch / "disk"
        # Ample: a plan reckons with plates as large as they could be.
        mount(folder, options.pages * 4 * (options.side + 8 * options.pages) ** 2)
        stack.callback(subprocess.run, ["umount", "--lazy", str(folder)], check=False)
        job = Job(ordeal, folder / "job", options.pages, options.side, cmyk_every=5)
        # The journal, like every state folder, is on another disk.
        reference, _ = job.whole()
        disk = Disk(folder)
        ordeal.figures.update(pages=options.pages, disk_mib=disk.free() >> 20)
        job.run()
        half = job.bytes_of_plates() // 2
        for when, leave in (("full before", LEFT), ("full in the middle", half)):
            refused(ordeal, job, disk, reference, leave, when)
            waits(ordeal, job, disk, reference, leave, when + ", waiting")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--pages", {"type": int, "default": choose(15, 30)}),
        ("--side", {"type": int, "default": 800, "help": "pixels, of the smallest page"})])
    ordeal.hold(hold)
