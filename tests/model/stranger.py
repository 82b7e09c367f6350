"""What a stranger may do to a hot folder in the model (world.py), and what is promised all the same."""

from protocol import Protocol
from world import IDLE, NO_FILES, Violation, without

class Stranger:
    """One who may write to the hot folder, and the operator: each act at any time."""

    ACTS = ("drop", "drop_same", "rename_over", "delete", "link", "write", "tidy", "take_out",
            "put_in", "link_in", "remove_record", "remove_lock", "retry")
    OUTSIDE_WORK = frozenset(("drop", "drop_same", "rename_over", "delete", "link"))

    def __init__(self, acts):
        self.acts = tuple(acts)

    def steps(self, world):
        if world.acts == 0:
            return
        for act in self.acts:
            for name, after in getattr(self, act)(world):
                after.acts -= 1
                yield "stranger", name, after

    def lose(self, world, page):
        world.gone = tuple(sorted({*world.gone, page}))

    def drop(self, world):
        if "p" not in world.root:
            after = world.copy()
            after.add("p")
            yield "drop p", after

    def drop_same(self, world):
        """The first page once more."""
        if "p" not in world.root:
            after = world.copy()
            after.add("p", content=0)
            yield "drop p again", after

    def rename_over(self, world):
        for name, page in world.root.items():
            after = world.copy()
            self.lose(after, page)
            after.add(name)
            yield f"rename a new page over {name}", after

    def delete(self, world):
        for name, page in world.root.items():
            after = world.copy()
            self.lose(after, page)
            after.root = without(world.root, name)
            yield f"unlink {name}", after

    def link(self, world):
        for name, page in world.root.items():
            after = world.copy()
            self.lose(after, page)
            after.add(name, kind="link")
            yield f"replace {name} by a link", after

    def write(self, world):
        """On a page wherever it is, as a copy that had only paused."""
        for number, page in enumerate(world.pages):
            if page.kind == "page" and number not in world.gone:
                after = world.copy()
                after.set_page(number, content=world.contents, written=True)
                after.contents += 1
                yield f"write to page {number}", after

    def tidy(self, world):
        """Removes a page from done/, and drops another of its name, which gets its inode."""
        for name, page in world.done.items():
            if name not in world.root:
                after = world.copy()
                self.lose(after, page)
                after.done = without(world.done, name)
                after.add(name, inode=world.pages[page].inode)
                yield f"unlink done/{name}, drop {name} with its inode", after

    def inside(self, world):
        return [(job, name, page) for job in world.jobs
                for name, page in world.files_of(job).items()]

    def take_out(self, world):
        for job, name, page in self.inside(world):
            if name not in world.root:
                after = world.copy()
                after.set_job(job, files=tuple(one for one in world.jobs[job].files
                                               if one[0] != name))
                after.root = {**world.root, name: page}
                after.set_page(page, touched=True, edition=world.next_edition())
                yield f"rename .work/{job}/files/{name} {name}", after

    def put_in(self, world):
        for job, one in world.jobs.items():
            for name, page in world.root.items():
                if one.files != NO_FILES and name not in dict(one.files):
                    after = world.copy()
                    after.root = without(world.root, name)
                    after.set_job(job, files=(*one.files, (name, page)))
                    after.set_page(page, touched=True)
                    yield f"rename {name} .work/{job}/files/{name}", after

    def link_in(self, world):
        for job, name, page in self.inside(world):
            after = world.copy()
            self.lose(after, page)
            after.add("", kind="link")
            number = after.root[""]
            after.root = world.root
            after.set_job(job, files=tuple((one, number if one == name else there)
                                           for one, there in world.jobs[job].files))
            after.set_page(number, touched=True)
            yield f"replace .work/{job}/files/{name} by a link", after

    def remove_record(self, world):
        for job, one in world.jobs.items():
            if one.record:
                after = self.touched(world, job)
                after.set_job(job, record=None)
                yield f"unlink .work/{job}/record", after

    def remove_lock(self, world):
        for job, one in world.jobs.items():
            if one.lock:
                after = self.touched(world, job)
                after.set_job(job, lock=0)
                yield f"unlink .work/{job}/lock", after

    @staticmethod
    def touched(world, job):
        """What becomes of the job's pages is the stranger's doing; but they are not lost."""
        after = world.copy()
        record = world.jobs[job].record
        pages = {*world.files_of(job).values(), *([record.page] if record else []),
                 *(one.page for one in world.watchers if one.job == job)}
        for page in pages - {-1}:
            after.set_page(page, touched=True)
        return after

    def retry(self, world):
        """The operator, by the watcher that knows the job and is not busy in .work."""
        for slot, watcher in enumerate(world.watchers):
            for job, ended in world.history[slot].items():
                if ended.folder == "failed" and watcher == IDLE:
                    yield f"retry {job}", Protocol.go(
                        world, slot, "drop_plates", job=job, name=ended.name, end="failed")


# Promises.

def check_always(world):
    """Of every state: each page that the stranger has left is in one place."""
    there = [*world.root.values(), *world.done.values(), *world.failed.values()]
    for job in world.jobs:
        there += world.files_of(job).values()
    there.sort()
    left = [page for page in range(len(world.pages)) if page not in world.gone]
    if there != left:
        lost = sorted(set(left) - set(there))
        raise Violation(f"page {lost[0]} is lost" if lost else "a page is in two places")


def is_over(world):
    """Nothing is left to be done."""
    return not world.root and not world.jobs and not world.workers \
        and all(watcher == IDLE for watcher in world.watchers)


def check_over(world, size):
    """Of a state in which all is over: what was promised for each page."""
    for number, page in enumerate(world.pages):
        if number in world.gone or page.touched:
            continue
        slots = world.prints.get((number, page.content), ())
        if len(slots) > 1 and world.kills == size.kills:
            raise Violation(f"page {number} is printed by two watchers, though none was killed")
        if number in world.done.values():
            printed = any(content == page.content for _, content in world.prints)
            # A watcher that is killed while it ends a job may forget to look whether its page changes.
            is_forgotten = world.kills < size.kills and page.written
            if page.kind != "page" or not (printed or is_forgotten):
                raise Violation(f"page {number} is in done/ and was not printed")
        else:
            name = next(name for name, one in world.failed.items() if one == number)
            if name not in world.texts:
                raise Violation(f"failed/{name} has no reason beside it")
            is_rescued = "/" in name and "remove_record" in size.by
            if page.kind == "page" and size.replaces and not is_rescued:
                raise Violation(f"page {number} is good, and in failed/")

