#!/usr/bin/env python3
"""Explores the model of a hot folder: all states that watchers, kills and a stranger can bring about.

In each state the promises of stranger.py must hold, and from each the watchers alone must be able to
bring all to its end. A promise that is broken is shown as the steps that lead there, the fewest that do.

  explore.py                        the sizes of a test, and each mistake that must be found
  explore.py --part PART            a third of that: `killed`, `stranger` or `mistakes`
  explore.py --size NAME            one of SHORT or LONG
  explore.py --mutation NAME        what a mistake in the protocol leads to
"""

import argparse
import sys
import time
from array import array
from collections import namedtuple

from protocol import MUTATIONS, Protocol
from stranger import Stranger, check_always, check_over, is_over
from world import IDLE, NO_FILES, Violation, World

# Steps that touch only what no other process reads or changes: all the others may wait for them.
# To make a job's folder is one: made at once after the page was seen, it can be found all the sooner.
ALONE = frozenset(("make_job", "new_record", "sync_record", "make_files", "manifest", "check", "begin", "enter",
                   "read_record", "find_record", "new_reason", "sync_reason", "name_reason",
                   "enter_files"))
ALONE_OF_WORKERS = frozenset(("sync", "seal", "exit"))

# Pages of these kinds, so many kills, acts of a stranger and watchers.
Size = namedtuple("Size", "pages kills acts by watchers replaces", defaults=((), 2, True))
IN_FOLDER = ("drop", "drop_same", "rename_over", "delete", "link")
IN_WORK = ("take_out", "put_in", "link_in", "remove_record", "remove_lock")

# Those of a test, each some seconds.
SHORT = {
    "page-killed": Size(("page",), 1, 0),
    "bad-killed": Size(("bad",), 1, 0),
    "link-killed": Size(("link",), 1, 0),
    "two-pages": Size(("page", "page"), 0, 0),
    "stranger": Size(("page",), 0, 1, IN_FOLDER),
    "kept": Size(("page",), 0, 1, ("drop", "drop_same"), replaces=False),
    "writer": Size(("page",), 0, 1, ("write",)),
    "tidy": Size(("page",), 0, 1, ("tidy",)),
    "retry": Size(("bad",), 0, 1, ("retry",)),
    "record": Size(("page",), 0, 1, ("remove_record",)),
    "alone": Size(("page",), 1, 1, (*IN_FOLDER, *IN_WORK, "write", "tidy"), 1),
    "retry-alone": Size(("bad", "page"), 1, 1, ("retry", *IN_FOLDER), 1),
}
# By hand: minutes to hours.
LONG = {
    "killed-twice": Size(("page",), 2, 0),
    "stranger-in-work": Size(("page",), 0, 1, IN_WORK),
    "stranger-killed": Size(("page",), 1, 1, IN_FOLDER),
    "writer-killed": Size(("page",), 1, 1, ("write", "tidy")),
    "retry-killed": Size(("bad",), 1, 1, ("retry",)),
    "work-killed": Size(("page",), 1, 1, IN_WORK),
    "stranger-twice": Size(("page",), 0, 2, IN_FOLDER),
    "mixed-killed": Size(("page", "bad"), 1, 0),
    "three-pages": Size(("page", "page", "page"), 0, 0),
    "alone-twice": Size(("page",), 1, 2, (*IN_FOLDER, *IN_WORK, "write", "tidy"), 1),
    "three-pages-killed-twice": Size(("page", "page", "page"), 2, 0),
}
# The smallest size at which a mistake in the protocol shows.
SHOWN_BY = {
    "replace": Size(("page",), 0, 1, ("drop",)),
    "record-late": Size(("page",), 1, 0),
    "no-lock": Size(("page",), 0, 0),
    "no-links": Size(("page",), 0, 0),
    "lone-worker": Size(("page",), 1, 0),
    "publish-first": Size(("page",), 1, 0),
    "no-check": Size(("page",), 0, 1, ("rename_over",)),
    "any-page": Size(("page",), 1, 1, ("rename_over",), 1),
    "no-late-look": Size(("page",), 0, 1, ("write",)),
    "blind-claim": Size(("page",), 0, 1, ("drop",)),
    "inode-alone": Size(("page",), 0, 1, ("tidy",)),
    "stale-entry": Size(("page",), 1, 2, ("write", "drop"), 1),
    "lost-record": Size(("page",), 0, 1, ("remove_record",), 1),
    "text-first": Size(("bad",), 1, 1, ("retry",), 1),
}


class Exploration:
    """The states of one size. `found` is the violation, or nothing."""

    def __init__(self, size, mutations=(), most=None):
        self.size = size
        self.protocol = Protocol(mutations, size.replaces)
        self.stranger = Stranger(size.by)
        self.alone_counts = not set(size.by) - Stranger.OUTSIDE_WORK
        self.numbers = {}
        self.parents = array("l")
        self.edges = (array("l"), array("l"))
        self.transitions = 0
        self.over = []
        self.found = ""
        self.steps = []
        self.most = most
        self.is_cut_short = False

    def start(self):
        size = self.size
        return World(tuple(zip("pqr", size.pages, strict=False)), size.watchers, size.kills, size.acts)

    def steps_of(self, world):
        """(who, name, after, whether a watcher or worker made it by itself)."""
        protocol = self.protocol
        alone = self.first_alone(world)
        for slot, watcher in enumerate(world.watchers):
            if alone not in (None, ("watcher", slot)):
                continue
            for name, after in protocol.steps_of_watcher(world, slot):
                yield f"watcher {slot + 1}", name, after, True
            if world.kills and watcher != IDLE:
                yield f"watcher {slot + 1}", *protocol.kills_of_watcher(world, slot), False
        for index, worker in enumerate(world.workers):
            if alone not in (None, ("worker", index)):
                continue
            for name, after in protocol.steps_of_worker(world, index):
                yield f"worker of {worker.slot + 1}", name, after, True
            if world.kills:
                yield f"worker of {worker.slot + 1}", *protocol.kills_of_worker(world, index), False
        if alone is None:
            for who, name, after in self.stranger.steps(world):
                yield who, name, after, False

    def first_alone(self, world):
        """A process whose next step no other can see or disturb: the others may wait for it."""
        if world.acts and not self.alone_counts:
            return None
        for slot, watcher in enumerate(world.watchers):
            if watcher.at in ALONE or watcher.at == "run" and watcher.result:
                return "watcher", slot
            if watcher.at == "remove" and self.is_ended(world, watcher):
                return "watcher", slot
        for index, worker in enumerate(world.workers):
            if worker.at in ALONE_OF_WORKERS and worker.parent >= 0:
                return "worker", index
        return None

    @staticmethod
    def is_ended(world, watcher):
        """Its job holds no name any longer, and keeps its lock for now."""
        job = world.jobs.get(watcher.job)
        return job and (not job.record or job.record.end) and (
            job.record or job.files != NO_FILES or job.reason)

    def run(self):
        start = self.start()
        self.numbers[hash(start.key())] = 0
        self.parents.append(-1)
        layer, number = [start], 0
        while layer:
            following = []
            for world in layer:
                if not self.explore(world, number, following):
                    return self
                number += 1
            layer = following
            if self.most and len(self.numbers) > self.most:
                self.is_cut_short = bool(layer)
                break
        else:
            self.find_stuck()
        return self

    def explore(self, world, number, following):
        """Adds the states after a state; false when one of them breaks a promise."""
        sources, targets = self.edges
        bad = number
        try:
            for _, _, after, by_itself in self.steps_of(world):
                self.transitions += 1
                key = hash(after.key())
                known = self.numbers.get(key)
                if known is None:
                    known = self.numbers[key] = bad = len(self.parents)
                    self.parents.append(number)
                    following.append(after)
                    self.check(after, known)
                    bad = number
                if by_itself:
                    sources.append(number)
                    targets.append(known)
        except Violation as violation:
            self.found = str(violation)
            self.steps = self.path_to(bad)
        return not self.found

    def check(self, world, number):
        check_always(world)
        if is_over(world) and not any(by_itself for *_, by_itself in self.steps_of(world)):
            self.over.append(number)
            check_over(world, self.size)

    def find_stuck(self):
        """A state from which the watchers alone come to no end."""
        before = [[] for _ in range(len(self.parents))]
        for source, target in zip(*self.edges, strict=True):
            before[target].append(source)
        ends = set(self.over)
        todo = list(self.over)
        while todo:
            for source in before[todo.pop()]:
                if source not in ends:
                    ends.add(source)
                    todo.append(source)
        if len(ends) < len(self.parents):
            stuck = next(number for number in range(len(self.parents)) if number not in ends)
            self.found = "from here the watchers come to no end"
            self.steps = self.path_to(stuck)

    def path_to(self, number):
        """The steps to a state, made once more."""
        keys = {number: key for key, number in self.numbers.items()}
        path = []
        while number >= 0:
            path.append(keys[number])
            number = self.parents[number]
        world, steps = self.start(), []
        for key in reversed(path[:-1]):
            who, name, world, _ = next(step for step in self.steps_of(world)
                                       if hash(step[2].key()) == key)
            steps.append(f"{who}: {name}")
        return steps + self.last_step(world)

    def last_step(self, world):
        """That which breaks a promise, when it is a step that does: it cannot be told otherwise."""
        try:
            for _ in self.steps_of(world):
                pass
        except Violation:
            return ["the next step"]
        return []


def explore(name, size, mutations=(), most=None, shows=True):
    """Whether a promise is broken; tells of it."""
    begin = time.monotonic()
    exploration = Exploration(size, mutations, most).run()
    found = exploration.found
    print(f"explore: {name}: {len(exploration.parents)} states, {exploration.transitions} transitions, "
          f"{time.monotonic() - begin:.1f} s" + (f": {found}" if found else "") +
          (", stopped before the end: this shows nothing of the other states"
           if exploration.is_cut_short else ""), flush=True)
    for number, step in enumerate(exploration.steps if shows else (), 1):
        print(f"  {number:2} {step}")
    return bool(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", action="append", choices=(*SHORT, *LONG))
    parser.add_argument("--mutation", action="append", choices=sorted(MUTATIONS))
    parser.add_argument("--part", choices=("killed", "stranger", "mistakes"))
    parser.add_argument("--most", type=int, help="stop after so many states; shows nothing of the others")
    options = parser.parse_args()
    if options.size:
        found = [explore(name, {**SHORT, **LONG}[name], options.mutation or (), options.most)
                 for name in options.size]
        sys.exit(any(found))
    if options.mutation:
        sys.exit(not all([explore(name, SHOWN_BY[name], [name]) for name in options.mutation]))
    sizes = {name: size for name, size in SHORT.items()
             if options.part in (None, "stranger" if size.acts else "killed")}
    mistakes = MUTATIONS if options.part in (None, "mistakes") else ()
    broken = [name for name, size in sizes.items() if explore(name, size)]
    missed = [name for name in mistakes
              if not explore(f"mutation {name}", SHOWN_BY[name], [name], shows=False)]
    print(f"explore: {len(sizes)} sizes, promises broken in {broken or 'none'}; "
          f"{len(mistakes)} mistakes, not found {missed or 'none'}")
    sys.exit(bool(broken or missed))


if __name__ == "__main__":
    main()
