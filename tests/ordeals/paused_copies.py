#!/usr/bin/env python3
"""Copies that pause for longer than a page must hold still, in twenty manners.

They set the size first, write in place, append, go on after a kill, rename early or late, put times
back, and pause between. With the times that a folder has by itself, each page must come out right
in the end: its plate is its own, and no page that became whole is left in failed/ or incomplete/.
When the watcher took a file away before its copy was complete, a writer that opens it again begins
anew, as a file transfer does; the halves that it leaves behind are counted.

  paused_copies.py PROGRAM [--pages PAGES] [--pause SECONDS]     500 pages and 30 s by hand
"""

import heapq
import mmap
import os
import re
import signal
import subprocess
import time

from numbered_pages import LAYOUTS, page_in
from ordeal import Ordeal, require_options, wait_until
from watching import HARMS, HotFolder, harm, patience, watching

SIZE = (200, 150)
ROWS = 30  # of a strip
SHORTEST = 3.0  # seconds of a pause: as long as a page must hold still
STILL = {"every": "2 s", "age": "3 s", "scan": "10 s", "existing": "replace",
         "name_clashes": "replace"}  # a new edition may come under the name of a printed one


class Copy:
    """One page, and the steps of its copy: a generator of the pauses between them, in seconds."""

    def __init__(self, ordeal, hot, number, kind):
        self.hot, self.number, self.kind = hot, number, kind
        self.draw = type(ordeal.random)(ordeal.random.random())
        self.longest = ordeal.options.pause
        self.name = f"{kind}{number:04}.tif"
        self.path = hot.path / self.name
        self.layout = LAYOUTS[self.draw.randrange(len(LAYOUTS))]
        self.data = page_in(self.layout, number, *SIZE, ROWS)
        self.restarts = 0
        hot.numbers[self.name] = number

    def steps(self):
        yield self.draw.uniform(0, 4 * self.longest)
        yield from getattr(self, self.kind)()

    def pause(self):
        return self.draw.uniform(SHORTEST, max(SHORTEST, self.longest))

    def pieces(self, count=4):
        cuts = sorted(self.draw.sample(range(1, len(self.data)), count - 1))
        return list(zip([0, *cuts], [*cuts, len(self.data)], strict=True))

    def open_again(self):
        """The file under its name, or nothing when it is not there any more."""
        try:
            return open(self.path, "r+b", buffering=0)
        except FileNotFoundError:
            self.restarts += 1
            return None

    def whole(self):
        """Writes the page anew, without a pause."""
        self.path.write_bytes(self.data)

    def in_pieces(self, file, pieces=None):
        for begin, stop in pieces or self.pieces():
            os.pwrite(file.fileno(), self.data[begin:stop], begin)
            yield self.pause()

    def closing(self, pieces, after=lambda: None):
        """Opens and closes the file for each piece."""
        for begin, stop in pieces:
            file = self.open_again()
            if file is None:
                return self.whole()
            with file:
                os.pwrite(file.fileno(), self.data[begin:stop], begin)
            after()
            if (begin, stop) != pieces[-1]:
                yield self.pause()
        return None

    # The twenty kinds.

    def growing(self):
        with open(self.path, "wb", buffering=0) as file:
            yield from self.in_pieces(file)

    def sized(self):
        with open(self.path, "wb", buffering=0) as file:
            file.truncate(len(self.data))
            yield self.pause()
            yield from self.in_pieces(file)

    def allocated(self):
        with open(self.path, "wb", buffering=0) as file:
            os.posix_fallocate(file.fileno(), 0, len(self.data))
            yield self.pause()
            yield from self.in_pieces(file)

    def backwards(self):
        with open(self.path, "wb", buffering=0) as file:
            yield from self.in_pieces(file, self.pieces()[::-1])

    def mapped(self):
        with open(self.path, "w+b", buffering=0) as file:
            file.truncate(len(self.data))
            with mmap.mmap(file.fileno(), len(self.data)) as memory:
                for begin, stop in self.pieces():
                    yield self.pause()
                    memory[begin:stop] = self.data[begin:stop]
                    memory.flush()

    def appended(self):
        self.path.touch()
        yield from self.closing(self.pieces())

    def refilled(self):
        self.path.touch()
        os.truncate(self.path, len(self.data))
        yield self.pause()
        yield from self.closing(self.pieces())

    def resumed(self):
        self.path.touch()
        yield from self.closing(self.pieces(2))

    def restarted(self):
        self.path.write_bytes(self.data[:self.draw.randrange(len(self.data))])
        yield self.pause()
        self.whole()

    def times_back(self):
        self.path.touch()
        when = time.time() - 10**6
        yield from self.closing(self.pieces(), lambda: os.utime(self.path, (when, when)))

    def times_ahead(self):
        with open(self.path, "wb", buffering=0) as file:
            for begin, stop in self.pieces():
                os.pwrite(file.fileno(), self.data[begin:stop], begin)
                when = time.time() + self.draw.choice([-86400, 86400])
                os.utime(file.fileno(), (when, when))
                yield self.pause()

    def in_place(self):
        """As `rsync --inplace` does to an older edition of the page, its time put back at the end."""
        with open(self.path, "wb", buffering=0) as file:
            file.write(page_in(self.layout, self.number + 10**6, *SIZE, ROWS))
            file.truncate(len(self.data))
            yield self.pause()
            yield from self.in_pieces(file)
            os.utime(file.fileno(), (10**9, 10**9))

    def replaced(self):
        """An older edition lies there; then the new one is moved over it."""
        self.path.write_bytes(page_in(self.layout, self.number + 10**6, *SIZE, ROWS))
        yield self.pause()
        yield from self.hidden()

    def hidden(self):
        other = self.path.with_name(f".{self.name}.Xy12Ab")
        with open(other, "wb", buffering=0) as file:
            yield from self.in_pieces(file)
        other.rename(self.path)

    def renamed(self):
        other = self.path.with_name(self.name + self.draw.choice([".part", ".tmp", ".filepart"]))
        with open(other, "wb", buffering=0) as file:
            yield from self.in_pieces(file)
        other.rename(self.path)

    def renamed_early(self):
        other = self.path.with_name(self.name + ".part")
        with open(other, "wb", buffering=0) as file:
            first, *rest = self.pieces()
            yield from self.in_pieces(file, [first])
            other.rename(self.path)
            yield self.pause()
            yield from self.in_pieces(file, rest)

    def from_folder(self):
        folder = self.hot.path / f"upload{self.number}"
        folder.mkdir()
        with open(folder / self.name, "wb", buffering=0) as file:
            yield from self.in_pieces(file)
        (folder / self.name).rename(self.path)
        folder.rmdir()

    def tail_late(self):
        """All but its last bytes; these follow when the file was closed for a while."""
        self.path.touch()
        yield from self.closing([(0, len(self.data) - 9), (len(self.data) - 9, len(self.data))])

    def twice(self):
        """Copied, emptied, and copied once more by the same program."""
        with open(self.path, "wb", buffering=0) as file:
            file.write(self.data)
            yield self.pause()
            file.truncate(0)
            yield self.pause()
            yield from self.in_pieces(file)

    def killed(self):
        """A process that is killed half-way; another one goes on."""
        begin, stop = self.pieces(2)[0]
        writer = subprocess.Popen(["dd", f"of={self.path}", "status=none", "bs=1"],
                                  stdin=subprocess.PIPE)
        writer.stdin.write(self.data[begin:stop])
        writer.stdin.flush()
        yield self.pause()
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        yield self.pause()
        yield from self.closing([(0, len(self.data))])


KINDS = ("growing", "sized", "allocated", "backwards", "mapped", "appended", "refilled", "resumed",
         "restarted", "times_back", "times_ahead", "in_place", "replaced", "hidden", "renamed",
         "renamed_early", "from_folder", "tail_late", "twice", "killed")
SABOTAGES = {**HARMS, "leave": "a page that became whole is left in failed/"}


def copy_all(copies):
    """Takes the steps of all copies as they are due."""
    due = [(time.monotonic(), copy.number, copy.steps()) for copy in copies]
    heapq.heapify(due)
    while due:
        when, number, steps = heapq.heappop(due)
        time.sleep(max(0.0, when - time.monotonic()))
        pause = next(steps, None)
        if pause is not None:
            heapq.heappush(due, (time.monotonic() + pause, number, steps))


def came_out(hot, copy):
    return hot.plate_is_right(copy.name) and not (copy.path.exists() or hot.names(".work"))


def contents(hot, folder, copy):
    """{name: whether it is the whole page} of the files of a copy in a folder of the layout."""
    stem = copy.name.removesuffix(".tif")
    ours = re.compile(re.escape(stem) + r"( \(\d+\))?\.tif")
    return {name: (hot.path / folder / name).read_bytes() == copy.data
            for name in hot.names(folder) if ours.fullmatch(name)}


def judge(ordeal, hot, copies):
    known = set()
    for copy in copies:
        right = ordeal.check(hot.plate_is_right(copy.name),
                             f"the plate of {copy.name} ({copy.layout}) is not right")
        ordeal.count("wrong", not right)
        for folder in ("done", "failed", "incomplete"):
            found = contents(hot, folder, copy)
            known |= {f"{folder}/{name}" for name in found}
            wholes, halves = sum(found.values()), len(found) - sum(found.values())
            if folder == "done":
                ordeal.check(wholes == 1, f"{copy.name} is {wholes} times whole in done/")
                ordeal.count("halves_done", halves)
                continue
            ordeal.count("halves_failed", halves)
            ordeal.count("whole_but_failed", wholes)
            ordeal.check(wholes == 0, f"{copy.name} became whole, and is in {folder}/"
                                      f"{hot.reason(copy.name)}")
    for folder in ("done", "failed", "incomplete"):
        names = {f"{folder}/{name}" for name in hot.names(folder) if not name.endswith(".error.txt")}
        for name in sorted(names - known):
            ordeal.check(False, f"{name} should not be there")
    for name in sorted(hot.names(".work")):
        ordeal.check(False, f".work/{name} is left")


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    hot = HotFolder(ordeal.scratch / "hot", size=SIZE, **STILL)
    copies = [Copy(ordeal, hot, number, KINDS[number % len(KINDS)])
              for number in range(1, ordeal.options.pages + 1)]
    with watching(ordeal, [hot]) as watch:
        copy_all(copies)
        wait_until(lambda: all(came_out(hot, copy) for copy in copies), patience(len(copies)), 0.5)
        time.sleep(5)  # so that what is taken again by mistake is seen
        ordeal.figures.update(pages=len(copies), kinds=len(KINDS),
                              jobs=len(watch.history()),
                              restarted=sum(copy.restarts > 0 for copy in copies))
    if ordeal.sabotage("leave"):
        (hot.path / "failed").mkdir(exist_ok=True)
        (hot.path / "failed" / copies[0].name).write_bytes(copies[0].data)
    harm(ordeal, hot, copies[0].name)
    judge(ordeal, hot, copies)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--pages", {"type": int, "default": 40}),
        ("--pause", {"type": float, "default": 5.0, "help": "the longest pause, in seconds"})])
    ordeal.hold(hold)
