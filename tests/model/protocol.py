"""The steps of watchers and their workers in the model of a hot folder (world.py)."""

from world import (IDLE, MANIFEST, NO_FILES, ORPHANED, Ended, Job, Record, Violation, Worker, numbered,
                   without)

# Mistakes that the protocol can be given, to show that exploring finds them.
MUTATIONS = {
    "replace": "files are moved out of .work onto whatever has their name",
    "record-late": "a page is taken before the record of its job is written",
    "no-lock": "a lock is taken as free whoever has it",
    "no-links": "a lock that was removed meanwhile counts",
    "lone-worker": "the worker does not inherit the lock",
    "publish-first": "a plate is published before the journal has it",
    "no-check": "a page that was taken is not compared with the one that was seen",
    "any-page": "a page in .work is taken for the one that its record names",
    "no-late-look": "pages in done/ are not looked at again",
    "blind-claim": "a page is taken while a job of its name is in .work",
    "inode-alone": "a changed page in done/ is known by its inode, also one that was made later",
    "stale-entry": "a job in the history keeps the name of its page when another page has got it",
    "lost-record": "a job whose record is gone is not ended",
    "text-first": "of a failed page that is dropped again, the reason goes first",
}


class Protocol:
    """The steps. Each method at_X gives those of a process that is at X, as pairs of name and state."""

    def __init__(self, mutations=(), replaces=True, gives_up=False):
        self.mutations = frozenset(mutations)
        self.gives_up = gives_up  # a job whose worker has died, after some tries
        self.replaces = replaces  # plates of other pages, as `name_clashes` of folder.yaml says

    def steps_of_watcher(self, world, slot):
        watcher = world.watchers[slot]
        return getattr(self, "at_" + watcher.at)(world, slot, watcher)

    def steps_of_worker(self, world, index):
        worker = world.workers[index]
        if worker.parent == ORPHANED:  # it is told to stop, and does so sooner or later
            after = world.copy()
            self.end_worker(after, index, "died")
            yield "exit 1", after
        yield from getattr(self, "worker_" + worker.at)(world, index, worker)

    def kills_of_watcher(self, world, slot):
        after = world.copy()
        after.kills -= 1
        after.rest(slot)
        after.workers = tuple(one._replace(parent=ORPHANED) if one.parent == slot else one
                              for one in world.workers)
        return "killed", after

    def kills_of_worker(self, world, index):
        after = world.copy()
        after.kills -= 1
        self.end_worker(after, index, "died")
        return "killed", after

    @staticmethod
    def go(world, slot, at, **changes):
        """The state in which the watcher is at another place of its program."""
        after = world.copy()
        after.set_watcher(slot, at=at, **changes)
        return after

    @staticmethod
    def leave(world, slot):
        """The watcher gives back what it holds; what it wanted to claim is where it was."""
        after = world.copy()
        after.rest(slot)
        return after

    def in_job(self, world, slot, watcher, name, at, **changes):
        """A call in the job's folder, if that is there."""
        if watcher.job not in world.jobs:
            yield f"{name}: gone", self.leave(world, slot)
            return
        after = self.go(world, slot, at)
        after.set_job(watcher.job, **changes)
        yield name, after

    # Claims.

    def at_idle(self, world, slot, watcher):
        for name, page in world.root.items():
            if "blind-claim" not in self.mutations and self.is_held(world, name):
                continue
            yield f"(sees {name})", self.go(
                world, slot, "make_job", name=name, page=page, content=world.pages[page].content,
                end="loose" if world.pages[page].kind == "link" else "")
        for job in world.jobs:
            yield from self.at_open_lock(world, slot, watcher._replace(job=job, end="orphan"))
        for job, ended in world.history[slot].items():
            if ended.folder and self.has_changed(world, ended):
                yield "(has changed since)", self.go(world, slot, "drop_plates", job=job,
                                                     name=ended.name, end=ended.folder)

    @staticmethod
    def is_held(world, name):
        """Whether a job in .work is still to print a page of this name."""
        return any(job.record and not job.record.end and not job.record.loose
                   and job.record.name == name for job in world.jobs.values())

    def at_make_job(self, world, slot, _):
        job = world.new_job()
        after = self.go(world, slot, "open_lock", job=job)
        after.jobs = {**world.jobs, job: Job(0, None, NO_FILES, False)}
        yield f"mkdir .work/{job}", after

    def at_open_lock(self, world, slot, watcher):
        job = watcher.job
        if job not in world.jobs:
            yield f"open .work/{job}/lock: gone", self.leave(world, slot)
            return
        lock = world.jobs[job].lock or world.new_lock(job)
        after = self.go(world, slot, "flock", job=job, lock=lock, end=watcher.end)
        after.set_job(job, lock=lock)
        yield f"open .work/{job}/lock", after

    def at_flock(self, world, slot, watcher):
        if world.is_locked(watcher.job, watcher.lock) and "no-lock" not in self.mutations:
            yield f"flock .work/{watcher.job}/lock: held", self.leave(world, slot)
        else:
            yield f"flock .work/{watcher.job}/lock", self.go(world, slot, "links", locked=True)

    def at_links(self, world, slot, watcher):
        job = world.jobs.get(watcher.job)
        if (not job or job.lock != watcher.lock) and "no-links" not in self.mutations:
            yield "(the lock was removed)", self.leave(world, slot)
        elif watcher.end == "orphan":
            yield "(holds it)", self.go(world, slot, "read_record", end="")
        else:
            late = "record-late" in self.mutations
            yield "(holds it)", self.go(world, slot, "make_files" if late else "new_record")

    def at_new_record(self, world, slot, watcher):
        return self.in_job(world, slot, watcher, f"create .work/{watcher.job}/record.new",
                           "sync_record")

    def at_sync_record(self, world, slot, watcher):
        return self.in_job(world, slot, watcher, f"fsync .work/{watcher.job}/record.new",
                           "name_record")

    def at_name_record(self, world, slot, watcher):
        path = f".work/{watcher.job}/record"
        record = Record("", watcher.name, watcher.page, watcher.end == "loose")
        return self.in_job(world, slot, watcher, f"rename {path}.new {path}",
                           "check" if "record-late" in self.mutations else "make_files",
                           record=record)

    def at_make_files(self, world, slot, watcher):
        return self.in_job(world, slot, watcher, f"mkdir .work/{watcher.job}/files",
                           "take" if watcher.end == "loose" else "manifest", files=())

    def at_manifest(self, world, slot, watcher):
        files = world.jobs[watcher.job].files if watcher.job in world.jobs else ()
        return self.in_job(world, slot, watcher, f"create .work/{watcher.job}/files/job.yaml",
                           "take", files=(MANIFEST, *files))

    def at_take(self, world, slot, watcher):
        name = f"rename {watcher.name} .work/{watcher.job}/files/{watcher.name}"
        page = world.root.get(watcher.name)
        if page is None or watcher.job not in world.jobs or world.jobs[watcher.job].files == NO_FILES:
            yield f"{name}: gone", self.go(world, slot, "move_out", end="back")
            return
        after = self.go(world, slot, "new_record" if "record-late" in self.mutations else "check")
        after.root = without(world.root, watcher.name)
        files = dict(world.jobs[watcher.job].files)
        if watcher.name in files:  # the stranger has put it there, and it is his to lose
            after.gone = tuple(sorted((*world.gone, files[watcher.name])))
        after.set_job(watcher.job, files=tuple({**files, watcher.name: page}.items()))
        yield name, after

    def at_check(self, world, slot, watcher):
        page = world.files_of(watcher.job).get(watcher.name, -1)
        is_seen = page == watcher.page and world.pages[page].content == watcher.content
        if not is_seen and "no-check" not in self.mutations:
            yield "(it is another page)", self.go(world, slot, "move_out", end="back")
        elif watcher.end == "loose":
            yield "(it is refused)", self.go(world, slot, "new_reason", end="failed", active=True)
        else:
            yield "(it is claimed)", self.go(world, slot, "begin", active=True)

    # The job.

    def at_begin(self, world, slot, watcher):
        begun = world.snapshot(watcher.job)
        page = world.files_of(watcher.job).get(watcher.name, watcher.page)
        if page != watcher.page and not world.pages[page].touched:
            raise Violation("a page is taken that has not held still")
        digest = next((content for name, _, kind, content in begun
                       if name == watcher.name and kind != "link"), -1)
        yield "(reads its content)", self.go(world, slot, "start", content=digest, begun=begun)

    def at_start(self, world, slot, watcher):
        if world.snapshot(watcher.job) != watcher.begun:
            yield "(it has changed)", self.go(world, slot, "begin")
        elif self.was_printed(world, slot, watcher.content):
            yield "(it was printed before)", self.go(world, slot, "enter", end="done", content=-1)
        else:
            after = self.go(world, slot, "run", result="")
            lock = 0 if "lone-worker" in self.mutations else watcher.lock
            after.workers += (Worker("part", slot, slot, watcher.job, lock, watcher.name, -1, -1,
                                     False),)
            if sum(one.job == watcher.job for one in after.workers) > 1 and not any(
                    world.pages[page].touched
                    for page in (watcher.page, *world.files_of(watcher.job).values())):
                raise Violation("two workers have one job")
            yield "fork", after

    @staticmethod
    def was_printed(world, slot, content):
        return content >= 0 and any(
            ended.end == "done" and ended.content == content
            and content in (plate[1] for plate in world.plates.values())
            for ended in world.history[slot].values())

    def at_run(self, world, slot, watcher):
        if not watcher.result:
            return
        if world.snapshot(watcher.job) != watcher.begun:
            yield "(it has changed)", self.go(world, slot, "begin", result="")
        elif watcher.result == "died":
            yield "(it is tried again)", self.go(world, slot, "start", result="")
            if self.gives_up:
                yield "(it is given up)", self.go(world, slot, "find_record", end="failed", result="")
        elif watcher.result == "good":
            yield "(it is done)", self.go(world, slot, "enter", end="done", result="")
        else:
            yield "(it has failed)", self.go(world, slot, "find_record", end="failed", result="")

    def at_enter(self, world, slot, watcher):
        after = self.go(world, slot, "find_record")
        after.enter(slot, watcher.job, Ended("done", watcher.content, "", watcher.name, -1, -1, 0))
        yield "commit", after

    # The worker, which reads a page at once.

    def worker_part(self, world, index, worker):
        page = world.files_of(worker.job).get(worker.name, -1)
        content = world.pages[page].content
        plate = world.plates.get(worker.name, (-1, -1))[1]
        sealed = world.journal[worker.slot].get(worker.job, -1)
        after = world.copy()
        if page < 0 or world.pages[page].kind != "page" or self.keeps(plate, content, plate == sealed):
            self.end_worker(after, index, "bad")
            yield "exit 1", after
        elif content == plate == sealed:
            self.end_worker(after, index, "good")
            yield "exit 0", after
        else:
            after.set_worker(index, at="sync", page=page, content=content, ours=plate == sealed)
            yield f"create plates/{worker.name}.part", after

    def keeps(self, plate, content, ours):
        """Whether a plate that stands there is that of another page, and stays."""
        return plate not in (-1, content) and not ours and not self.replaces

    def worker_sync(self, world, index, worker):
        after = world.copy()
        after.set_worker(index, at="publish" if "publish-first" in self.mutations else "seal")
        yield f"fsync plates/{worker.name}.part", after

    def worker_seal(self, world, index, worker):
        after = world.copy()
        after.set_worker(index, at="exit" if "publish-first" in self.mutations else "publish")
        after.seal(worker.slot, worker.job, worker.content)
        yield "journal", after

    def worker_publish(self, world, index, worker):
        after = world.copy()
        one = (worker.page, worker.content)
        before = world.plates.get(worker.name, (-1, -1, -1))
        if self.keeps(before[1], worker.content, worker.ours):
            self.end_worker(after, index, "bad")
            yield "exit 1", after
            return
        page = world.pages[worker.page]
        if page.edition < before[2] and not (page.touched or world.pages[before[0]].touched):
            raise Violation("an older page replaces the plate of a newer one")
        slots = world.prints.get(one, ())
        if worker.slot in slots and not page.touched:
            raise Violation("a page is printed twice, though its watcher's journal knows")
        after.prints = {**world.prints, one: tuple({*slots, worker.slot})}
        after.plates = {**world.plates, worker.name: (*one, page.edition)}
        after.set_worker(index, at="seal" if "publish-first" in self.mutations else "exit")
        yield f"publish plates/{worker.name}", after

    def worker_exit(self, world, index, worker):
        after = world.copy()
        self.end_worker(after, index, "good")
        yield "exit 0", after

    @staticmethod
    def end_worker(world, index, result):
        parent = world.workers[index].parent
        world.workers = world.workers[:index] + world.workers[index + 1:]
        if parent != ORPHANED:
            world.set_watcher(parent, result=result)

    # Jobs that another process left.

    def at_read_record(self, world, slot, watcher):
        job = world.jobs.get(watcher.job, Job(0, None, NO_FILES, False))
        record, files = job.record, world.files_of(watcher.job)
        if record is None:
            yield "(finds no record)", self.go(world, slot, "rescue" if files else "remove")
            return
        known = {"name": record.name, "page": record.page}
        ended = world.history[slot].get(watcher.job)
        if record.end:
            after = self.go(world, slot, "move_out", end=record.end, **known)
        elif files.get(record.name, -1) != record.page and (
                record.name not in files or "any-page" not in self.mutations):
            after = self.go(world, slot, "move_out", end="back", **known)
        elif record.loose:
            after = self.go(world, slot, "new_reason", end="failed", **known)
        elif ended:
            after = self.go(world, slot, "find_record", end="done", content=ended.content,
                            active=True, **known)
        else:
            after = self.go(world, slot, "begin", active=True, **known)
            if self.gives_up:
                yield "(it is given up)", self.go(world, slot, "find_record", end="failed",
                                                  active=True, **known)
        yield "(reads the record)", after

    def at_rescue(self, world, slot, watcher):
        """The folder goes to failed/ as a whole, with a reason."""
        after = self.go(world, slot, "remove", end="failed")
        for name, page in world.files_of(watcher.job).items():
            after.failed = {**after.failed, f"{watcher.job}/{name}": page}
            after.texts = tuple(sorted({*after.texts, f"{watcher.job}/{name}"}))
        after.set_job(watcher.job, files=NO_FILES)
        yield f"rename .work/{watcher.job}/files failed/{watcher.job}", after

    # The end of a job.

    def at_find_record(self, world, slot, watcher):
        job = world.jobs.get(watcher.job)
        if job is None or (job.record is None and job.files == NO_FILES):
            yield "(its files were taken away)", self.go(world, slot, "remove")
        elif job.record is None:
            if "lost-record" not in self.mutations:
                yield "(its record is lost)", self.go(world, slot, "rescue")
        elif job.record.end:
            yield "(goes on)", self.go(world, slot, "move_out", end=job.record.end)
        else:
            yield "(finds its record)", self.go(
                world, slot, "new_reason" if watcher.end == "failed" else "name_end")

    def at_new_reason(self, world, slot, watcher):
        return self.in_job(world, slot, watcher, f"create .work/{watcher.job}/error.new",
                           "sync_reason")

    def at_sync_reason(self, world, slot, watcher):
        return self.in_job(world, slot, watcher, f"fsync .work/{watcher.job}/error.new",
                           "name_reason")

    def at_name_reason(self, world, slot, watcher):
        path = f".work/{watcher.job}/error"
        return self.in_job(world, slot, watcher, f"rename {path}.new {path}.txt", "name_end",
                           reason=True)

    def at_name_end(self, world, slot, watcher):
        job = world.jobs.get(watcher.job)
        path = f".work/{watcher.job}/record"
        name = f"rename {path} {path}.{watcher.end}"
        if job is None or job.record is None:
            yield f"{name}: gone", self.go(world, slot, "find_record")
            return
        yield from self.in_job(world, slot, watcher, name, "move_out",
                               record=job.record._replace(end=watcher.end))

    def at_move_out(self, world, slot, watcher):
        files = world.files_of(watcher.job)
        if not files:
            yield from self.moved_all(world, slot, watcher)
            return
        inside, page = min(files.items())
        folder = "root" if watcher.end == "back" else watcher.end
        name = self.free_name(world, folder, inside)
        after = self.go(world, slot, "move_out")
        setattr(after, folder, {**getattr(world, folder), name: page})
        after.set_job(watcher.job, files=tuple(
            one for one in world.jobs[watcher.job].files if one != (inside, page)))
        if page == watcher.page:
            after.set_watcher(slot, name=name)
        place = name if folder == "root" else f"{folder}/{name}"
        yield f"rename .work/{watcher.job}/files/{inside} {place}", after

    def moved_all(self, world, slot, watcher):
        job = world.jobs.get(watcher.job, Job(0, None, NO_FILES, False))
        if job.reason and watcher.end != "back":
            page = job.record.page if job.record else watcher.page
            name = next((name for name, one in world.failed.items() if one == page), watcher.name)
            after = self.go(world, slot, "remove")
            after.texts = tuple(sorted({*world.texts, name}))
            after.set_job(watcher.job, reason=False)
            yield f"rename .work/{watcher.job}/error.txt failed/{name}.error.txt", after
        else:
            yield "(has moved all)", self.go(world, slot, "remove")

    def free_name(self, world, folder, name):
        """The first that is free; a name is taken, too, while its reason is there."""
        number = 1
        there = getattr(world, folder)
        while "replace" not in self.mutations and (
                numbered(name, number) in there
                or folder == "failed" and numbered(name, number) in world.texts):
            number += 1
        return numbered(name, number)

    def at_remove(self, world, slot, watcher):
        """The record and the lock go last: while they are there, the rest is known."""
        job = world.jobs.get(watcher.job)
        path = f".work/{watcher.job}"
        if job is None:
            yield "(is removed)", self.removed(world, slot, watcher)
        elif MANIFEST in job.files:
            files = tuple(one for one in job.files if one != MANIFEST)
            yield from self.in_job(world, slot, watcher, f"unlink {path}/files/job.yaml", "remove",
                                   files=files)
        elif job.files == ():
            yield from self.in_job(world, slot, watcher, f"rmdir {path}/files", "remove",
                                   files=NO_FILES)
        elif job.files != NO_FILES:  # somebody has put something there meanwhile
            yield f"rmdir {path}/files: not empty", (
                self.go(world, slot, "find_record") if watcher.active else self.leave(world, slot))
        elif job.reason:
            yield from self.in_job(world, slot, watcher, f"unlink {path}/error.txt", "remove",
                                   reason=False)
        elif job.record:
            end = "." + job.record.end if job.record.end else ""
            yield from self.in_job(world, slot, watcher, f"unlink {path}/record{end}", "remove",
                                   record=None)
        else:
            after = self.go(world, slot, "remove_job", lock=0, locked=False)
            after.set_job(watcher.job, lock=0)
            yield f"unlink {path}/lock", after

    def at_remove_job(self, world, slot, watcher):
        """Another watcher may have found the folder, and made a lock of its own."""
        job = world.jobs.get(watcher.job)
        after = self.removed(world, slot, watcher)
        is_empty = job and not (job.lock or job.record or job.reason) and job.files == NO_FILES
        if is_empty:
            after.jobs = without(world.jobs, watcher.job)
        yield f"rmdir .work/{watcher.job}" + (
            "" if is_empty else ": not empty" if job else ": gone"), after

    def removed(self, world, slot, watcher):
        if not watcher.active or watcher.end == "back":
            return self.leave(world, slot)
        return self.go(world, slot, "enter_files", lock=0, locked=False)

    def at_enter_files(self, world, slot, watcher):
        after = self.leave(world, slot)
        is_there = getattr(world, watcher.end).get(watcher.name) == watcher.page
        begun = {page: content for _, page, _, content in watcher.begun}
        # What had the name before has gone, though a kill may have kept that from being entered.
        for job, ended in world.history[slot].items():
            if (ended.folder, ended.name) == (watcher.end, watcher.name) and is_there \
                    and "stale-entry" not in self.mutations:
                after.enter(slot, job, ended._replace(folder=""))
        after.enter(slot, watcher.job, Ended(
            watcher.end, watcher.content if watcher.end == "done" else -1,
            watcher.end if is_there else "", watcher.name, world.pages[watcher.page].inode,
            begun.get(watcher.page, world.pages[watcher.page].content), len(world.pages)))
        yield "commit", after

    # Pages that are dropped again: as they have changed since, or by an operator.

    def has_changed(self, world, ended):
        page = getattr(world, ended.folder).get(ended.name, -1)
        is_older = page < ended.pages or "inode-alone" in self.mutations
        return page >= 0 and is_older and world.pages[page].inode == ended.inode \
            and world.pages[page].content != ended.mark and "no-late-look" not in self.mutations

    def at_drop_plates(self, world, slot, watcher):
        ended = world.history[slot][watcher.job]
        text_first = "text-first" in self.mutations
        after = self.go(world, slot, "drop_text" if text_first else "drop_move")
        name = "(leaves the plates)"
        if watcher.end == "done" and world.plates.get(ended.name, (-1, -1))[1] == ended.mark:
            after.plates = without(world.plates, ended.name)
            name = f"unlink plates/{ended.name}"
        yield name, after

    def at_drop_text(self, world, slot, watcher):
        ended = world.history[slot][watcher.job]
        after = self.go(world, slot, "drop_move" if "text-first" in self.mutations else "drop_commit")
        name = "(there is no reason)"
        if watcher.end == "failed" and ended.name in world.texts:
            after.texts = tuple(one for one in world.texts if one != ended.name)
            name = f"unlink failed/{ended.name}.error.txt"
        yield name, after

    def at_drop_move(self, world, slot, watcher):
        ended = world.history[slot][watcher.job]
        there = getattr(world, ended.folder)
        after = self.go(world, slot, "drop_commit" if "text-first" in self.mutations else "drop_text")
        if ended.name not in there:
            yield "(its file is gone)", after
            return
        name = self.free_name(world, "root", ended.name)
        page = there[ended.name]
        setattr(after, ended.folder, without(there, ended.name))
        after.root = {**world.root, name: page}
        after.set_page(page, edition=world.next_edition())
        yield f"rename {ended.folder}/{ended.name} {name}", after

    def at_drop_commit(self, world, slot, watcher):
        after = self.leave(world, slot)
        after.enter(slot, watcher.job, world.history[slot][watcher.job]._replace(folder=""))
        yield "commit", after
