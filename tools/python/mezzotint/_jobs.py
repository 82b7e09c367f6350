"""Jobs: manifests, checked and run."""
from __future__ import annotations

import json
import os
import threading
from typing import Any, Callable, Dict, List, NamedTuple

from . import _native
from ._errors import error


class Progress(NamedTuple):
    """How far a job is."""

    sheets: int
    sheets_done: int
    sheets_failed: int
    pixels: int
    pixels_done: int


class Job:
    """A manifest, as `mezzotint run` runs it.

        job = mezzotint.Job("job.yaml", memory="2GiB")
        for sheet in job.run(): print(sheet)

    settings  threads, memory, device_memory, verify, plates (a folder), journal (a file), fresh, force

    Raises Error, with all mistakes of the manifest, each with its line.
    """

    def __init__(self, manifest: str | os.PathLike, **settings: Any):
        self._native = _native.Job(os.fsencode(manifest))
        for name, value in settings.items():
            text = ("true" if value else "false") if isinstance(value, bool) else os.fspath(
                value) if isinstance(value, os.PathLike) else str(value)
            self._native.set(name.replace("_", "-"), os.fsencode(text))

    def plan(self) -> List[Dict[str, Any]]:
        """What a run would do: a dictionary for each sheet, and one for the job, as
        `mezzotint check --json` prints them."""
        return _objects(self._native.plan())

    def run(self, on_progress: Callable[[Progress], Any] | None = None) -> List[Dict[str, Any]]:
        """Makes the plates that are not made yet. Returns a dictionary for each sheet, and one for the
        job, as `mezzotint run --json` prints them. Raises Error, whose `result` has them too, where
        sheets failed. `on_progress` may raise to cancel; Ctrl-C cancels as well."""
        trouble: List[BaseException] = []
        ended: List[Any] = []

        def tell(*numbers):
            try:
                on_progress(Progress(*numbers))
            except BaseException as raised:  # pylint: disable=broad-except
                trouble.append(raised)
                self.cancel()

        def work():
            try:
                ended.append(self._native.run(tell if on_progress else None))
            except BaseException as raised:  # pylint: disable=broad-except
                trouble.append(raised)
            finally:
                is_over.set()

        # In a thread of its own, so that this one sees signals. Python waits for it before it exits. A join()
        # that a signal interrupts would take the thread for ended.
        is_over = threading.Event()
        worker = threading.Thread(target=work, daemon=False)
        worker.start()
        try:
            is_over.wait()
        except BaseException:
            self.cancel()
            is_over.wait()
            raise
        finally:
            worker.join()
        if trouble:
            raise trouble[0]
        status, message, lines = ended[0]
        if status != 0:
            raise error(status, message, _objects(lines))
        return _objects(lines)

    def cancel(self) -> None:
        """Ends a run soon, from any thread; the next run makes the rest."""
        self._native.cancel()


def _objects(lines: bytes) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in lines.decode("utf-8", "surrogateescape").split("\n") if line]
