#!/usr/bin/env python3
"""Damages the journal of a killed job, and often a plate too, and runs the job again.

Cut short, bits flipped, blocks emptied, its files missing or replaced: the next run must end well,
with the tree of an unbroken run, and say so when it had to begin anew. A damaged journal may cost
work, never a plate.

  torn_journal.py PROGRAM [--count TRIALS]     1000 by hand
"""

import contextlib
import itertools
import os
import shutil
import sqlite3

from job import Job
from kill_resume import harm
from ordeal import Ordeal, choose, end, require_options, wait_for

BLOCK = 4096
SABOTAGES = {
    "alter": "a byte of a plate is changed after the last run",
    "litter": "a .part is put beside the plates after the last run",
    "lose": "a plate is removed after the last run",
}


def cut(draw, path):
    os.truncate(path, draw.randrange(path.stat().st_size + 1))


def flip(draw, path):
    data = bytearray(path.read_bytes())
    for _ in range(draw.randint(1, 20) if data else 0):
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    path.write_bytes(data)


def clear(draw, path):
    with open(path, "r+b") as file:
        file.seek(draw.randrange(path.stat().st_size // BLOCK + 1) * BLOCK)
        file.write(bytes(BLOCK))


def remove(_, path):
    path.unlink()


def replace(draw, path):
    path.write_bytes(draw.randbytes(draw.randint(1, 3 * BLOCK)))


def leave(*_):
    """No damage: its sheets are kept."""


DAMAGES = (cut, flip, clear, remove, replace, leave)


def finished(folder):
    """The plates that have their names."""
    return sorted(folder.glob("p*.tif"))


def half_done(job, whole):
    """Kills the job half-way, when it has that part of its plates; its journal stays as it is.

    A job that comes to its end before the kill is begun again."""
    for part in itertools.cycle((0.5, 0.3, 0.7, 0.1)):
        job.forget()
        process = job.start()
        wait_for(lambda: len(finished(job.folder / "plates")) >= part * whole, job.folder, process=process)
        end(process)
        if job.ended(process).status != 0 and finished(job.folder / "plates"):
            return


def trial(ordeal, job, reference, kept, number):
    draw = ordeal.random
    shutil.rmtree(job.folder / "plates")
    for path in job.journal.parent.iterdir():
        path.unlink()
    # Copies keep times, not inodes, so the kept state is moved to and fro by links.
    link_tree(kept / "plates", job.folder / "plates")
    shutil.copytree(kept / "journal", job.journal.parent, dirs_exist_ok=True)
    # Each damage once to the journal itself, with nothing in its log that could heal it: some are noticed.
    on_journal = number <= len(DAMAGES)
    if on_journal or draw.random() < 0.5:
        fold(job.journal)
    files = sorted(path for path in job.journal.parent.iterdir() if path.suffix != ".lock"
                   and path.stat().st_size > 0)
    path, damage = draw.choice(files), draw.choice(DAMAGES)
    if on_journal:
        path, damage = job.journal, DAMAGES[number - 1]
    damage(draw, path)
    what = f"trial {number}, {damage.__name__} {path.name}"
    if draw.random() < 0.5:
        plate = draw.choice(finished(job.folder / "plates"))
        data = bytearray(plate.read_bytes())
        data[len(data) // 2] ^= 1
        plate.unlink()  # and with it the link to the plate that is kept
        plate.write_bytes(data)
        what += f", {plate.name} altered"
    run = job.run()
    ordeal.check(run.status == 0, f"{what}: status {run.status}\n{run.stderr}")
    ordeal.count("sheets_kept", len(run.already_done()))
    ordeal.count("journals_set_aside", int("damaged" in run.stderr))
    harm(ordeal, job.folder / "plates")
    plates = job.plates()
    for name in sorted(reference.keys() | plates.keys()):
        ordeal.check(plates.get(name) == reference.get(name), f"{what}: {name} is not right")


def fold(journal):
    """Moves what a killed run left in the log beside the journal into the journal itself."""
    with contextlib.closing(sqlite3.connect(journal)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def link_tree(source, target):
    target.mkdir()
    for path in source.iterdir():
        os.link(path, target / path.name)


def hold(ordeal):
    require_options(ordeal, "run", "--journal", "--fresh")
    job = Job(ordeal, ordeal.scratch / "job", ordeal.options.pages, side=300)
    job.journal = ordeal.scratch / "journal" / "job.db"
    job.journal.parent.mkdir()
    reference, _ = job.whole()
    half_done(job, len(reference))
    kept = ordeal.scratch / "kept"
    kept.mkdir()
    (job.folder / "plates").rename(kept / "plates")
    shutil.copytree(job.journal.parent, kept / "journal")
    (job.folder / "plates").mkdir()
    for number in range(1, ordeal.options.count + 1):
        trial(ordeal, job, reference, kept, number)
    ordeal.figures["trials"] = ordeal.options.count
    ordeal.check(ordeal.figures["sheets_kept"] > 0, "nothing was ever kept")
    ordeal.check(ordeal.figures["journals_set_aside"] > 0, "no damage was ever noticed")


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--count", {"type": int, "default": choose(10, 25), "help": "trials"}),
        ("--pages", {"type": int, "default": 16})])
    ordeal.hold(hold)
