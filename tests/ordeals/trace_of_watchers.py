"""What strace saw of watchers of a hot folder and their workers, in the words of the model.

Only what others can notice is an event: calls that change the hot folder, locks, commits, starts and
ends of processes. A call takes effect at a moment between its beginning and its end in the trace.
"""

import collections
import re

Event = collections.namedtuple("Event", "begin end label")  # lines of the trace

LINE = re.compile(r"(\d+) +(.*)")
CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+|\?)(?:<[^>]*>)?(?: (\w+) .*)?.*", re.DOTALL)
PATH = re.compile(r'(?:(AT_FDCWD|\d+)<([^>]*)>(?:\(deleted\))?)|"((?:[^"\\]|\\.)*)"')
JOB = re.compile(r"\.work/([^/]+)$")
# To which files go. Only a loss of power, which the model does not have, tells whether they are synced
# in their turn: hot_folder_stop_test.cpp and power_cut.py do.
TARGETS = (".", "", "done", "failed", "incomplete")
# Not in the model: counts of tries, and what a disk is tried with; files that a kill has left half written.
UNCOUNTED = re.compile(r"\.work/[^/]+/try-\d+$|plates/\.mezzotint-\d+\.part$")
HALF = re.compile(r"\.work/[^/]+/(record|error)\.new$")


def calls(traces):
    """(process, first line, last line, text) of each call and each end of a process."""
    number, begun = 0, {}
    for trace in traces:
        for line in trace.read_text(errors="replace").splitlines():
            number += 1
            process, text = LINE.fullmatch(line).groups()
            if text.endswith("<unfinished ...>"):
                begun[process] = (number, text.removesuffix("<unfinished ...>").rstrip())
            elif text.startswith("<... "):
                begin, start = begun.pop(process)
                yield int(process), begin, number, start + text.partition("resumed>")[2]
            elif text.startswith("+++") and process in begun:
                del begun[process]
                yield int(process), number, number, text
            else:
                yield int(process), number, number, text


class Reader:
    """Turns calls into events of the processes of the model."""

    def __init__(self, hot, states):
        self.hot = str(hot) + "/"
        self.states = [str(state) + "/" for state in states]
        self.roles = {}    # by process: ("watcher", slot), ("worker", slot, job)
        self.leaders = {}  # of threads
        self.parents = {}  # of other processes
        self.events = collections.defaultdict(list)

    def read(self, traces):
        whole = list(calls(traces))
        for process, _, _, text in whole:
            self.learn(process, text)
        last = {}
        for process, begin, end, text in whole:
            if text.startswith("+++"):
                begin = last.get(process, begin)  # locks go before the line is printed
            last[process] = end
            role = self.role_of(self.leaders.get(process, process))
            label = self.ending(process, role, text) if text.startswith("+++") else \
                self.label_of(role, text)
            if label:
                self.add(role, Event(begin, end, label))
        for slot in range(len(self.states)):
            self.events["watcher", slot]  # also of one that did nothing
        return dict(self.events)

    def learn(self, process, text):
        made = re.match(r"clone3?\(.*CLONE_THREAD.* = (\d+)$", text)
        if made:
            self.leaders[int(made[1])] = self.leaders.get(process, process)
        forked = re.match(r"(?:clone3?|v?fork)\(.* = (\d+)$", text)
        if forked and not made:
            self.parents[int(forked[1])] = self.leaders.get(process, process)
        if not text.startswith("execve(") or not text.endswith("= 0"):
            return
        slot = next((slot for slot, state in enumerate(self.states) if state[:-1] in text), None)
        words = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
        if slot is None or len(words) < 3:
            return
        if words[2] == "watch":
            self.roles[process] = ("watcher", slot)
        elif words[2] == "run":
            self.roles[process] = ("worker", slot, words[words.index("--job-id") + 1], process)

    def role_of(self, process):
        """A child of a watcher that has died before it could become a worker is one of no job."""
        parent = self.roles.get(self.parents.get(process), ("stranger",))
        unborn = ("worker", parent[1], "", process) if parent[0] == "watcher" else ("stranger",)
        return self.roles.get(process, unborn)

    def add(self, role, event):
        """A commit may take several syncs."""
        events = self.events[role]
        if event.label == "commit" and (not events or events[-1].label in ("commit", "killed")):
            return
        if event.label == "journal" and (not events or not events[-1].label.startswith("fsync")):
            return
        events.append(event)

    def ending(self, process, role, text):
        if process in self.leaders or role[0] == "stranger":
            return None
        status = re.search(r"exited with (\d+)", text)
        return "killed" if not status else f"exit {min(int(status[1]), 1)}"

    def label_of(self, role, text):
        call = CALL.fullmatch(text)
        if not call or call[3] == "?":  # it was killed before the call
            return None
        name, arguments, result, error = call.groups()
        if name in ("clone", "clone3", "fork", "vfork"):
            is_process = role[0] == "watcher" and "CLONE_THREAD" not in arguments
            return "fork" if is_process and int(result) > 0 else None
        good = int(result) >= 0
        paths = self.paths(arguments)
        if role[0] == "watcher":
            return self.of_watcher(name, arguments, paths, good, error)
        return self.of_worker(name, arguments, paths, good) if role[0] == "worker" else \
            self.of_stranger(name, paths, good)

    def paths(self, arguments):
        """Those of a call, each from the hot folder on; others in whole."""
        found, folder = [], None
        for match in PATH.finditer(arguments):
            descriptor, at, name = match.groups()
            if descriptor:
                if folder:
                    found.append(folder)
                folder = at.removesuffix(" (deleted)")
            else:
                found.append(name if name.startswith("/") or not folder else f"{folder}/{name}")
                folder = None
        return [self.short(path) for path in found + ([folder] if folder else [])]

    def short(self, path):
        if not path.startswith(self.hot):
            return path
        return re.sub(r"\.tif(?=$|\.error\.txt$)", "", path.removeprefix(self.hot))

    def of_watcher(self, name, arguments, paths, good, error):
        path = paths[0] if paths else ""
        if name == "fdatasync":
            return "commit" if path.endswith("/watch.db-wal") else None
        if path.startswith("/") or UNCOUNTED.fullmatch(path):
            return None
        if name == "flock":
            return f"flock {path}" + ("" if good else ": held")
        if name == "openat":
            if "O_CREAT" not in arguments or not good:
                return None
            return f"{'create' if 'O_EXCL' in arguments else 'open'} {path}"
        if name == "mkdirat":
            return f"mkdir {path}" if good and path not in (".work", "done", "failed") else None
        if name == "fsync":
            return None if JOB.fullmatch(path) or path in TARGETS else f"fsync {path}"
        if name.startswith("rename"):
            if not good and error != "ENOENT":
                return None
            return f"rename {path} {paths[1]}" + ("" if good else ": gone")
        if name in ("unlinkat", "unlink", "rmdir"):
            return self.of_removal(path, "AT_REMOVEDIR" in arguments, good, error)
        return f"{name} {path}" if good else None

    @staticmethod
    def of_removal(path, is_folder, good, error):
        name = f"{'rmdir' if is_folder else 'unlink'} {path}"
        if good:
            return None if HALF.fullmatch(path) else name
        if is_folder and error in ("ENOTEMPTY", "EEXIST"):
            return f"{name}: not empty"
        return f"{name}: gone" if JOB.fullmatch(path) else None

    def of_worker(self, name, arguments, paths, good):
        path = paths[0] if paths else ""
        if name == "fdatasync":
            return "journal" if path.endswith(".db-wal") else None
        if not good or not path.startswith("plates/"):
            return None
        part = re.sub(r"/\.(.*?)(\.tif)?\.[^/]*\.part$", r"/\1.part", path)
        if name == "openat":
            return f"create {part}" if "O_EXCL" in arguments else None
        if name == "fsync":
            return f"fsync {part}"
        return f"publish {paths[1]}" if name.startswith("rename") else None

    @staticmethod
    def of_stranger(name, paths, good):
        """The shell, whose commands rename hidden files into the folder."""
        if not name.startswith("rename") or not good:
            return None
        kind = re.fullmatch(r"\.(new|same)-(.*)", paths[0])
        return f"{'drop' if kind[1] == 'new' else 'again'} {kind[2]}" if kind else None


def events(traces, hot, states):
    """{process: its events}; a watcher that was started again is the same process."""
    return Reader(hot, states).read(traces)
