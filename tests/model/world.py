"""A model of a hot folder: watchers, their workers and a stranger, one system call a step.

A step is what others can see at once: a call on the folder, a commit of a history or journal, or
what a process reads or decides; the latter are in brackets. The others have the names of calls, with
the job's number for its ID. A watcher has one job at a time, and a history and journals of its own.
Tests compare traces of the program with this (tests/ordeals/traced_watchers.py), so whoever changes
the order of the program's calls has to change it here, too.

Left out: sets, tickets and folders of jobs, which are claimed by the same calls, with more files;
counts of tries; times (a page has held still whenever a watcher sees it, and every change in done/
is in time); file systems without RENAME_NOREPLACE; losses of power (a kill loses no call that was
made); full disks and shares that are away; the layout's own folders, which are there; reports; `keep`.
"""

from collections import namedtuple

Page = namedtuple("Page", "kind content inode edition touched written")  # kind: page, bad, link
Job = namedtuple("Job", "lock record files reason")  # lock: 0, none; files: pairs of name and page
Record = namedtuple("Record", "end name page loose")
# A job in a history. Its page went to folder/name, with that mark, when there were so many pages.
Ended = namedtuple("Ended", "end content folder name inode mark pages")
Watcher = namedtuple("Watcher", "at job name page lock locked begun content end result active")
Worker = namedtuple("Worker", "at slot parent job lock name page content ours")

IDLE = Watcher("idle", 0, "", -1, 0, False, (), -1, "", "", False)
MANIFEST = ("job.yaml", -1)
NO_FILES = (("", -1),)  # in place of a folder of files
ORPHANED = -1  # the parent of a worker whose watcher was killed


class Violation(Exception):
    """A promise that a step breaks."""


class World:
    """A state. Values of its dictionaries are never changed in place."""

    __slots__ = ("root", "done", "failed", "texts", "jobs", "plates", "pages", "gone", "prints",
                 "watchers", "workers", "history", "journal", "kills", "acts", "contents")

    def __init__(self, pages, watchers, kills, acts):
        self.root, self.done, self.failed, self.jobs, self.plates = {}, {}, {}, {}, {}
        self.texts = ()  # names in failed/ that have a reason beside them
        self.pages, self.gone = (), ()
        self.prints = {}  # {(page, content): watchers whose workers published it}
        self.watchers, self.workers = (IDLE,) * watchers, ()
        self.history = ({},) * watchers
        self.journal = ({},) * watchers  # {job: content} that a watcher's workers have sealed
        self.kills, self.acts, self.contents = kills, acts, 0
        for name, kind in pages:
            self.add(name, kind)

    def copy(self):
        other = object.__new__(World)
        for name in World.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def add(self, name, kind="page", content=-1, inode=-1):
        """Drops a page."""
        if content < 0:
            content, self.contents = self.contents, self.contents + 1
        if inode < 0:
            inode = len(self.pages)
        self.root = {**self.root, name: len(self.pages)}
        self.pages += (Page(kind, content, inode, self.next_edition(), False, False),)

    def next_edition(self):
        return 1 + max((page.edition for page in self.pages), default=0)

    def key(self):
        """The state, but for the numbering of the watchers."""
        watchers = [(*one, items(history), items(journal)) for one, history, journal
                    in zip(self.watchers, self.history, self.journal, strict=True)]
        place = list(range(len(watchers)))
        workers = sorted(self.workers)
        if len(watchers) == 2:
            sides = [[worker for worker in workers if worker.slot == slot] for slot in place]
            marks = [tuple(worker[:1] + worker[3:] for worker in side) for side in sides]
            prints = [sorted(one for one, slots in self.prints.items() if slot in slots)
                      for slot in place]
            if (watchers[1], marks[1], prints[1]) < (watchers[0], marks[0], prints[0]):
                watchers.reverse()
                place = [1, 0]
                workers = sorted(worker._replace(
                    slot=1 - worker.slot,
                    parent=worker.parent if worker.parent < 0 else 1 - worker.parent)
                    for worker in workers)
        prints = tuple(sorted((one, tuple(sorted(place[slot] for slot in slots)))
                              for one, slots in self.prints.items()))
        return (items(self.root), items(self.done), items(self.failed), self.texts,
                items(self.jobs), items(self.plates), self.pages, self.gone, prints,
                tuple(watchers), tuple(workers), self.kills, self.acts)

    # Small changes, each of which makes new values.

    def set_watcher(self, slot, **changes):
        watchers = list(self.watchers)
        watchers[slot] = watchers[slot]._replace(**changes)
        self.watchers = tuple(watchers)

    def rest(self, slot):
        self.watchers = self.watchers[:slot] + (IDLE,) + self.watchers[slot + 1:]

    def set_worker(self, index, **changes):
        workers = list(self.workers)
        workers[index] = workers[index]._replace(**changes)
        self.workers = tuple(workers)

    def set_job(self, job, **changes):
        self.jobs = {**self.jobs, job: self.jobs[job]._replace(**changes)}

    def set_page(self, number, **changes):
        pages = list(self.pages)
        pages[number] = pages[number]._replace(**changes)
        self.pages = tuple(pages)

    def enter(self, slot, job, ended):
        history = list(self.history)
        history[slot] = {**history[slot], job: ended}
        self.history = tuple(history)

    def seal(self, slot, job, content):
        journal = list(self.journal)
        journal[slot] = {**journal[slot], job: content}
        self.journal = tuple(journal)

    # Questions.

    def files_of(self, job):
        """{name: page} of a job's files, without its manifest."""
        files = self.jobs[job].files if job in self.jobs else ()
        return {name: page for name, page in files if page >= 0}

    def snapshot(self, job):
        """What a look at a job's files tells."""
        return tuple((name, page, *self.pages[page][:2])
                     for name, page in sorted(self.files_of(job).items()))

    def is_locked(self, job, lock):
        return any(one.job == job and one.lock == lock and getattr(one, "locked", True)
                   for one in self.watchers + self.workers)

    def new_job(self):
        taken = {one.job for one in self.watchers + self.workers}
        return unused(taken.union(self.jobs, *self.history, *self.journal))

    def new_lock(self, job):
        return unused({one.lock for one in self.watchers + self.workers if one.job == job})

    def place_of(self, page):
        """All places of a page."""
        places = [f"{folder or '.'}/{name}" for folder, names
                  in (("", self.root), ("done", self.done), ("failed", self.failed))
                  for name, one in names.items() if one == page]
        return places + [f".work/{job}/{name}" for job in self.jobs
                         for name, one in self.files_of(job).items() if one == page]


def items(values):
    return tuple(sorted(values.items()))


def unused(taken):
    number = 1
    while number in taken:
        number += 1
    return number


def without(values, name):
    return {one: value for one, value in values.items() if one != name}


def numbered(name, number):
    return name if number == 1 else f"{name} ({number})"


