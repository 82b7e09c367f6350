"""Waits for what happens, instead of for a time: changes of files (inotify) and ends of processes (pidfd).

A condition is tested again whenever a watched file changes. The time limits here are only for a program that hangs:
no load of the machine reaches them.
"""

import contextlib
import ctypes
import os
import pathlib
import select
import struct
import time

PATIENCE = 600  # seconds: longer than anything may take when nothing hangs
CREATED, MOVED_HERE, IS_FOLDER, LOST = 0x100, 0x80, 0x4000_0000, 0x4000
# Modified, attributes, closed after writing, moved away, moved here, created, deleted; also the folder itself.
MASK = 0x2 | 0x4 | 0x8 | 0x40 | MOVED_HERE | CREATED | 0x200 | 0x400 | 0x800
LIBC = ctypes.CDLL(None, use_errno=True)


def checked(result):
    """The result of a function of the C library, or OSError."""
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


class Changes:
    """Changes in folders from now on, and in all folders below them; those made later included.

    Make it before the condition is tested for the first time, so that no change is missed.
    """

    def __init__(self, *folders):
        self._events = checked(LIBC.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self._paths = {}  # of the folders, by watch
        for folder in folders:
            self._add(pathlib.Path(folder))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._events)

    def _add(self, folder):
        """A folder that is gone again by now is left out."""
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            self._paths[checked(LIBC.inotify_add_watch(self._events, os.fsencode(folder), MASK))] = folder
            for entry in os.scandir(folder):
                if entry.is_dir(follow_symlinks=False):
                    self._add(pathlib.Path(entry.path))

    def wait(self, seconds, *others):
        """Waits for a change, at most `seconds`; returns the number of changes.

        It also returns when one of the descriptors `others` can be read.
        """
        select.select([self._events, *others], [], [], max(0.0, seconds))
        count = 0
        with contextlib.suppress(BlockingIOError):
            while data := os.read(self._events, 1 << 16):
                count += self._take(data)
        return count

    def wait_for(self, count, process, unless=lambda: False, patience=PATIENCE):
        """Waits for so many changes, or for the end of `process`: a moment that does not depend on the program's speed.

        It also ends once `unless()` is true. Returns the number of changes.
        """
        seen, deadline = 0, time.monotonic() + patience
        with contextlib.closing(End(process)) as end:
            while seen < count and not end.is_there() and not unless() and time.monotonic() < deadline:
                seen += self.wait(deadline - time.monotonic(), *end.descriptors)
        return seen

    def _take(self, data):
        count, at = 0, 0
        while at < len(data):
            watch, mask, _, length = struct.unpack_from("iIII", data, at)
            name = os.fsdecode(data[at + 16:at + 16 + length].rstrip(b"\0"))
            at += 16 + length
            count += 1
            if mask & IS_FOLDER and mask & (CREATED | MOVED_HERE) and watch in self._paths:
                self._add(self._paths[watch] / name)
        return count


class End:
    """The end of a process, a subprocess.Popen; that of None never comes."""

    def __init__(self, process):
        self._process = process
        self.descriptors = []
        if process is not None and process.poll() is None:
            self.descriptors.append(os.pidfd_open(process.pid))

    def is_there(self):
        return self._process is not None and self._process.poll() is not None

    def close(self):
        for descriptor in self.descriptors:
            os.close(descriptor)


def wait_for(condition, *folders, process=None, every=PATIENCE, patience=PATIENCE):
    """Tests `condition` until it is true, again after each change in `folders` and at the end of `process`.

    A condition that no file shows, such as an answer of a program, is tested `every` so many seconds as well.
    Returns its last value, which is false when the process has ended or `patience` seconds are over.
    """
    deadline = time.monotonic() + patience
    with Changes(*folders) as changes, contextlib.closing(End(process)) as end:
        while True:
            is_last = end.is_there() or time.monotonic() >= deadline
            value = condition()
            if value or is_last:
                return value
            changes.wait(min(every, deadline - time.monotonic()), *end.descriptors)
