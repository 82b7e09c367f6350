#!/usr/bin/env python3
"""Writers that take their time: no page may be taken before it is whole.

They write in pieces with pauses, close and open again, fill a file that has its size from the start,
write through memory, rename late, and set a modification time in the future. A page that is taken
while its writer has not done, fails, or gives a plate other than its own is a violation. A writer
that this machine held up for longer than pages must hold still is left out, and counted.

  slow_copies.py PROGRAM [--writers WRITERS] [--age SECONDS]     500 writers by hand
"""

import mmap
import os
import threading
import time

from numbered_pages import page
from ordeal import Ordeal, require_options
from watching import HARMS, HotFolder, patience, watching

SIZE = (512, 400)
MOST_DOUBLINGS = 5  # of the age: no machine holds up a fifth of the writers for half a minute
SABOTAGES = {**HARMS, "hasty": "the pages of some writers need not hold still for long"}


class Writer(threading.Thread):
    """Writes page `number` in the manner `kind`; `longest` is its longest pause, in seconds."""

    def __init__(self, ordeal, hot, number, kind, age):
        super().__init__()
        self.hot, self.kind, self.age = hot, kind, age
        self.draw = type(ordeal.random)(ordeal.random.random())
        self.name_of_page = f"{kind}{number:04}.tif"
        self.path = hot.path / self.name_of_page
        self.data = page(number, *SIZE)
        hot.numbers[self.name_of_page] = number
        self.longest, self.taken_early, self.last = 0.0, False, None

    def run(self):
        # Not all at once: the machine is small.
        time.sleep(self.draw.uniform(0, self.age))
        getattr(self, self.kind)()

    def pause(self, most=0.6):
        time.sleep(self.draw.uniform(0, most) * self.age)

    def touched(self):
        """Notes the pause since the last change of the file, as the watcher may have seen it."""
        now = time.monotonic()
        if self.last is not None:
            self.longest = max(self.longest, now - self.last)
        self.last = now

    def pieces_of(self, pieces=6):
        cuts = sorted(self.draw.sample(range(1, len(self.data)), pieces - 1))
        return list(zip([0, *cuts], [*cuts, len(self.data)], strict=True))

    def look_back(self, file):
        """After the last piece: the file must still be where it was written."""
        try:
            self.taken_early = os.fstat(file.fileno()).st_ino != os.stat(self.path).st_ino
        except FileNotFoundError:
            self.taken_early = True

    def pieces(self):
        with open(self.path, "wb", buffering=0) as file:
            self.touched()
            for begin, stop in self.pieces_of():
                self.pause()
                file.write(self.data[begin:stop])
                self.touched()
            self.look_back(file)

    def reopened(self):
        for begin, stop in self.pieces_of():
            try:
                file = open(self.path, "r+b" if begin else "wb", buffering=0)
            except FileNotFoundError:
                self.taken_early = True
                return
            with file:
                file.seek(begin)
                file.write(self.data[begin:stop])
                self.touched()
                if stop == len(self.data):
                    self.look_back(file)
            self.pause(0 if stop == len(self.data) else 0.6)

    def filled(self):
        """The size is right from the start, and the directory too: only the pixels are late."""
        with open(self.path, "wb", buffering=0) as file:
            file.truncate(len(self.data))
            self.touched()
            for begin, stop in self.pieces_of():
                self.pause()
                os.pwrite(file.fileno(), self.data[begin:stop], begin)
                self.touched()
            self.look_back(file)

    def mapped(self):
        with open(self.path, "w+b", buffering=0) as file:
            file.truncate(len(self.data))
            self.touched()
            with mmap.mmap(file.fileno(), len(self.data)) as memory:
                for begin, stop in self.pieces_of():
                    self.pause()
                    memory[begin:stop] = self.data[begin:stop]
                    memory.flush()
                    self.touched()
            self.look_back(file)

    def renamed(self):
        """Under another name it may take as long as it likes."""
        suffix = self.draw.choice([".part", ".tmp", ".crdownload", ".filepart"])
        other = self.hot.path / (self.name_of_page + suffix)
        with open(other, "wb", buffering=0) as file:
            for begin, stop in self.pieces_of(3):
                file.write(self.data[begin:stop])
                self.pause(1.5)
        try:
            other.rename(self.path)
        except FileNotFoundError:
            self.taken_early = True

    def future(self):
        """Each piece sets the clock of the file a day ahead, or back."""
        with open(self.path, "wb", buffering=0) as file:
            self.touched()
            for begin, stop in self.pieces_of():
                self.pause()
                file.write(self.data[begin:stop])
                when = time.time() + self.draw.choice([-86400, 86400])
                os.utime(file.fileno(), (when, when))
                self.touched()
            self.look_back(file)


KINDS = ("pieces", "reopened", "filled", "mapped", "renamed", "future")


def write_all(ordeal, number, age):
    """Pages by writers of all kinds into a folder where they must hold still for `age` seconds; the folder and the writers."""
    settle = age / 20 if ordeal.sabotage("hasty") else age
    hot = HotFolder(ordeal.scratch / f"hot{number}", every=f"{int(settle * 400)} ms",
                    age=f"{int(settle * 1000)} ms", size=SIZE)
    with watching(ordeal, [hot], name=f"watch{number}") as watch:
        writers = [Writer(ordeal, hot, number, KINDS[number % len(KINDS)], age)
                   for number in range(1, ordeal.options.writers + 1)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        ordeal.check(hot.wait(patience(len(writers)) + age), "not all pages went through: "
                     f"{sorted(set(hot.numbers) - hot.finished())}\n{watch.tail()}")
    return hot, writers


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    # A busy machine holds writers up; they pause, and pages hold still, for twice as long then.
    for number, age in enumerate(ordeal.options.age * 2**i for i in range(MOST_DOUBLINGS + 1)):
        hot, writers = write_all(ordeal, number, age)
        held_up = {writer.name_of_page for writer in writers if writer.longest > 0.9 * age}
        if len(held_up) <= len(writers) // 5:
            break
    early = {writer.name_of_page for writer in writers if writer.taken_early} - held_up
    ordeal.figures.update(writers=len(writers), age_s=age, held_up=len(held_up), early=len(early),
                          longest_pause_s=max((writer.longest for writer in writers
                                               if writer.name_of_page not in held_up), default=0))
    for name in sorted(early):
        ordeal.check(False, f"{name} was taken before its writer had done")
    ordeal.check(len(held_up) <= len(writers) // 5, f"{len(held_up)} of {len(writers)} writers were "
                 "held up: too many to tell anything")
    for name in held_up:
        leave_out(hot, name)
    hot.judge(ordeal, "slow copies")


def leave_out(hot, name):
    """Takes away whatever became of a page."""
    del hot.numbers[name]
    for folder, found in (("done", name), ("failed", name), ("failed", f"{name}.error.txt"),
                          ("plates", name)):
        (hot.path / folder / found).unlink(missing_ok=True)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--writers", {"type": int, "default": 18}),
        ("--age", {"type": float, "default": 1.0, "help": "seconds that pages must hold still"})])
    ordeal.hold(hold)
