"""A hot folder, and the watcher of it as a process: what ordeals of `mezzotint watch` share."""

import collections
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import time

import chain_pages
from numbered_pages import THRESHOLD, UNCOMPRESSED, is_plate_of, page
from ordeal import PATIENCE, end, full, require_good, run_to_end, tree, wait_until

TICK = os.sysconf("SC_CLK_TCK")
STOPPED = 60  # seconds from SIGTERM to the end, of which workers have 30; TimeoutStopSec of the service


class HotFolder:
    """A folder with a folder.yaml, into which numbered pages are dropped.

    Pages are taken soon: they hold still for `every` between two looks, and for `age`. Of so many that
    are dropped one is of chain_pages, with a ticket that names its line work; 0: none.
    """

    CHAINED = "chained"  # folder of their plates

    def __init__(self, path, *, every="100 ms", age="200 ms", scan="1 s", existing="refuse",
                 size=(64, 16), chain_every=0, **settings):
        self.path = pathlib.Path(path)
        self.size = size
        self.numbers = {}  # by name of the page
        self.chain_every = chain_every
        self.chained = {}  # {page: {file: bytes}} of those with tickets
        self.tickets = set()  # names of other tickets, which lie in done/ with their pages
        self.again = {}  # {name in done/: mark of the plate} of pages that were dropped twice
        self.forgotten = set()  # names that may be in done/ and failed/, of pages judged before
        self.settings = {"stability": f"{{looks: 2, every: {every}, age: {age}}}", "scan": scan,
                         "reserve": "0 MiB", **settings}
        self.existing = existing
        self.make()

    def make(self):
        self.path.mkdir(parents=True, exist_ok=True)
        # `existing: refuse` makes a job that is done twice a failed one.
        lines = ["mezzotint: 1", "defaults:", f"  {THRESHOLD}",
                 f'  output: {{path: "{{stem}}.tif", {UNCOMPRESSED}, existing: {self.existing}}}',
                 "plates: plates", *(f"{key}: {value}" for key, value in self.settings.items())]
        (self.path / "folder.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def drop(self, number, name=None):
        """Puts a page there as a careful program does: under another name, then renamed."""
        name = name or f"p{number:06}.tif"
        self.numbers[name] = number
        files = {name: page(number, *self.size)}
        if self.chain_every and number % self.chain_every == 0:
            files = self.chained[name] = self.files_of_chained(number, name)
        for file, data in files.items():
            self.put(file, data)
        return name

    def drop_again(self, name):
        """A page that was printed; its plate must stay as it is."""
        second = f"{pathlib.Path(name).stem} (2).tif"
        self.numbers[second] = self.numbers[name]
        self.again[second] = mark_of(self.plate_of(name))
        self.put(name, page(self.numbers[name], *self.size))

    def plate_of(self, name):
        return self.path / "plates" / f"{pathlib.Path(name).stem.removesuffix(' (2)')}.tif"

    def put(self, name, data):
        hidden = self.path / f".{name}"
        hidden.write_bytes(data)
        hidden.rename(self.path / name)

    def files_of_chained(self, number, name):
        """The ticket first, so that the page is not taken without it."""
        settings = chain_pages.settings(f"type-{name}", f"{self.CHAINED}/{{stem}}_{{ink}}.tif")
        lines = ["mezzotint: 1", f"job: {name}", "pages:", f"  - input: {name}",
                 *(f"    {line}" for line in settings.splitlines())]
        return {f"{pathlib.Path(name).stem}.yaml": ("\n".join(lines) + "\n").encode(),
                f"type-{name}": chain_pages.linework(number, *self.size),
                name: chain_pages.page(number, *self.size)}

    def judge_chained(self, ordeal, what):
        """Their plates are those of `mezzotint run`."""
        if not self.chained:
            return
        folder = ordeal.scratch / f"{self.path.name}-unbroken"
        folder.mkdir()
        for files in self.chained.values():
            for name, data in files.items():
                (folder / name).write_bytes(data)
        require_good(run_to_end([ordeal.program, "run", "-q", *sorted(folder.glob("*.yaml"))],
                                ordeal.environment, folder))
        found = tree(self.path / "plates" / self.CHAINED)
        expected = tree(folder / self.CHAINED)
        ordeal.check(len(expected) == len(chain_pages.PLATES) * len(self.chained),
                     f"{what}: {len(expected)} plates of {len(self.chained)} chained pages")
        for name in sorted(found.keys() | expected.keys()):
            ordeal.check(found.get(name) == expected.get(name), f"{what}: plates/{self.CHAINED}/{name} "
                         "is not the plate of an unbroken run")
        shutil.rmtree(folder)

    def names(self, folder):
        """Files in one of the folders of the layout, and how many."""
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            return {entry.name for entry in os.scandir(self.path / folder)}
        return set()

    def finished(self):
        """What is in done/ or failed/."""
        return self.names("done") | self.names("failed")

    def wait(self, timeout, names=None):
        """Waits for pages, all that were dropped by default; whether they all came through."""
        wanted = set(self.numbers if names is None else names)
        return wait_until(lambda: wanted <= self.finished(), timeout, 0.05)

    def plate_is_right(self, name):
        return is_plate_of(self.plate_of(name), self.numbers[name], *self.size)

    def judge(self, ordeal, what, bad=()):
        """Every page that was dropped went through once, and well unless it is in `bad`."""
        harm(ordeal, self, sorted(set(self.numbers) - set(bad))[0])
        good = set(self.numbers) - set(bad)
        done, failed = self.names("done"), self.names("failed")
        for name in sorted(good - done):
            ordeal.check(False, f"{what}: {name} is not in done/{self.reason(name)}")
        tickets = self.tickets | {name for files in self.chained.values() for name in files}
        for name in sorted(done - good - tickets - self.forgotten):
            ordeal.check(False, f"{what}: done/{name} should not be there")
        reasons = {f"{name}.error.txt" for name in bad}
        for name in sorted((set(bad) | reasons) - failed):
            ordeal.check(False, f"{what}: failed/{name} is missing")
        for name in sorted(failed - set(bad) - reasons - self.forgotten):
            ordeal.check(False, f"{what}: failed/{name} should not be there")
        self.judge_chained(ordeal, what)
        for name, mark in self.again.items():
            ordeal.check(mark_of(self.plate_of(name)) == mark, f"{what}: {name} was printed again")
        good -= self.chained.keys() | self.again.keys()
        for name in sorted(good):
            ordeal.check(self.plate_is_right(name), f"{what}: the plate of {name} is not right")
        plates = {f"{pathlib.Path(name).stem}.tif" for name in good}
        for name in sorted(self.names("plates") - plates - {self.CHAINED}):
            ordeal.check(False, f"{what}: plates/{name} should not be there")
        for folder in (".work", "incomplete"):
            for name in sorted(self.names(folder)):
                ordeal.check(False, f"{what}: {folder}/{name} is left")
        for name in sorted(self.names(".") & (set(self.numbers) | tickets)):
            ordeal.check(False, f"{what}: {name} still waits")

    def forget(self, bad=()):
        """After judge(): the pages so far count no longer, and their plates go."""
        shutil.rmtree(self.path / "plates", ignore_errors=True)
        self.forgotten.update(self.numbers, bad, (f"{name}.error.txt" for name in bad),
                              *self.chained.values())
        self.numbers.clear()
        self.chained.clear()
        self.again.clear()

    def reason(self, name):
        """What failed/ says of a page, for messages."""
        with contextlib.suppress(OSError):
            return ": " + (self.path / "failed" / f"{name}.error.txt").read_text(errors="replace")
        return ""


def mark_of(path):
    """Tells a file from one that took its place."""
    with contextlib.suppress(FileNotFoundError):
        found = path.stat()
        return found.st_ino, found.st_mtime_ns
    return None


HARMS = {
    "lose": "a plate is removed in the end",
    "mistake": "a plate is given the picture of another page",
    "twice": "a page is found twice in done/",
    "fail": "a good page is found in failed/",
}


def harm(ordeal, hot, name):
    """The sabotages that every ordeal of a hot folder must notice."""
    plate = hot.path / "plates" / f"{pathlib.Path(name).stem}.tif"
    if ordeal.sabotage("lose"):
        plate.unlink()
    if ordeal.sabotage("mistake"):
        plate.write_bytes(page(10**9, *hot.size))
    if ordeal.sabotage("twice"):
        (hot.path / "done" / f"{name} (2)").touch()
    if ordeal.sabotage("fail"):
        (hot.path / "failed").mkdir(exist_ok=True)
        (hot.path / "done" / name).rename(hot.path / "failed" / name)


class Watch:
    """`mezzotint watch` over folders, with a state folder and a socket of its own."""

    def __init__(self, ordeal, hot_folders, *options, name="watch", before=()):
        self.ordeal = ordeal
        self.name = name
        self.state = ordeal.scratch / f"{name}.state"
        self.socket = ordeal.scratch / f"{name}.sock"
        self.log = ordeal.scratch / f"{name}.log"
        self.words = [*before, str(ordeal.program), "watch",
                      *(str(hot.path) for hot in hot_folders), "--state", str(self.state),
                      "--socket", str(self.socket), "--jobs", "2", *options]
        self.process = None
        self.starts = 0

    def start(self):
        self.state.mkdir(exist_ok=True)
        with open(self.log, "ab") as log:
            self.process = self.ordeal.start(self.words, stdout=log, stderr=log,
                                             cwd=self.ordeal.scratch, env=self.ordeal.environment)
        self.starts += 1
        if not wait_until(lambda: self.request("list").get("ok") or not self.alive(), PATIENCE):
            raise SystemExit(f"the watcher is not ready:\n{self.tail()}")
        if not self.alive():
            raise SystemExit(f"the watcher ended with {self.process.poll()}:\n{self.tail()}")
        return self

    @property
    def pid(self):
        return self.process.pid

    def alive(self):
        return self.process.poll() is None

    def tail(self, lines=10):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def request(self, verb, **fields):
        """The reply to a request, or nothing when there is no watcher that hears it."""
        with contextlib.suppress(OSError, json.JSONDecodeError), \
                socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE)
            connection.connect(str(self.socket))
            connection.sendall(json.dumps({"verb": verb, **fields}).encode() + b"\n")
            return json.loads(connection.makefile().readline())
        return {}

    def history(self):
        """(name, state) of every job in the watcher's history; none when it has no history."""
        path = self.state / "watch.db"
        if not path.exists():
            return []
        with contextlib.closing(sqlite3.connect(path)) as database:
            return database.execute("SELECT name, state FROM jobs").fetchall()

    def port(self):
        """Of its status page, with `--http 0`."""
        return int(re.search(r"status page: http://[^/]*:(\d+)/", self.log.read_text())[1])

    def stop(self, ordeal):
        """SIGTERM: it must end with 143 or 0."""
        begin = time.monotonic()
        ordeal.check(self.alive(), f"{self.name}: ended before it was told to:\n{self.tail()}")
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            end(self.process)
            status = None
        ordeal.check(status in (0, 143), f"{self.name}: SIGTERM: status {status}")
        judge_stop(ordeal, time.monotonic() - begin, self.name)

    def kill(self):
        """SIGKILL to the watcher alone; its workers are on their own then."""
        workers = self.workers()
        end(self.process)
        return workers

    def workers(self):
        return children(self.pid)

    def work_of(self, pid):
        """The names of the files that a worker has in work."""
        words = command_line(pid)
        if "--within" not in words:
            return set()
        folder = pathlib.Path(words[words.index("--within") + 1])
        with contextlib.suppress(OSError):
            return {entry.name for entry in os.scandir(folder)}
        return set()

    def cpu_seconds(self):
        fields = stat_fields(self.pid)
        return (int(fields[11]) + int(fields[12])) / TICK

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def kib(self, what="VmRSS", file="status"):
        for line in pathlib.Path(f"/proc/{self.pid}/{file}").read_text().splitlines():
            if line.startswith(what + ":"):
                return int(line.split()[1])
        return 0


def asked(port, path, timeout=PATIENCE):
    """(status, seconds) of a request to the status page; status 0 when there is no answer."""
    begin = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("GET", path)
        reply = connection.getresponse()
        reply.read()
        return reply.status, time.monotonic() - begin
    except (OSError, http.client.HTTPException):
        return 0, time.monotonic() - begin
    finally:
        connection.close()


def once(ordeal, what, watchers, jobs, failed=0, twice=()):
    """So many jobs have gone through these watchers, each of them once, but for those of these names,
    and all but `failed` well."""
    lines = [line for watch in watchers for line in watch.history()]
    if ordeal.sabotage("recount"):
        lines += lines[:1]
    names = collections.Counter(name for name, _ in lines)
    for name, times in sorted(names.items()):
        ordeal.check(times == (2 if name in twice else 1),
                     f"{what}: {name} is {times} times in the history")
    ordeal.check(len(names) + len(twice) == jobs,
                 f"{what}: {len(lines)} jobs in the history, {jobs} dropped")
    states = collections.Counter(state for _, state in lines)
    ordeal.check(states.keys() <= {"done", "failed"} and states["failed"] == failed,
                 f"{what}: states {dict(states)}, {failed} should have failed")


@contextlib.contextmanager
def watching(ordeal, hot_folders, *options, name="watch", before=()):
    """A watcher that is stopped, and judged by how it stops, in the end."""
    watch = Watch(ordeal, hot_folders, *options, name=name, before=before).start()
    yield watch
    watch.stop(ordeal)


def stat_fields(pid):
    """Fields of /proc/PID/stat from the third (state) on; the name before may hold anything."""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def children(pid):
    found = []
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError, IndexError):
            fields = stat_fields(entry) if entry.isdigit() else ()
            if fields and fields[0] != "Z" and int(fields[1]) == pid:
                found.append(int(entry))
    return found


def command_line(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace") \
            .split("\0")[:-1]
    return []


def judge_stop(ordeal, seconds, who):
    """How long a watcher took to end. The short form is one test of many at a time, and judges no time."""
    ordeal.check(not full() or seconds <= STOPPED, f"{who}: ended {seconds:.1f} s after SIGTERM")


def patience(jobs):
    """Seconds after which so many jobs that are not done will not be."""
    return PATIENCE + jobs / 5
