"""What the ordeals share: options, a tally, a scratch folder, the program and trees of files.

An ordeal drives the real program from outside, breaks something, and compares what is left with
what an unbroken run makes. It prints each violation of a promise and, last, a line of figures.

Exit status: 0 no violation, 1 some, 2 the ordeal itself went wrong, 77 it cannot be held here.
"""

import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import effort  # noqa: E402  (it lies there)
from effort import choose, full  # noqa: E402,F401  (ordeals take it from here, and the next line too)
from events import PATIENCE, Changes, wait_for  # noqa: E402,F401

SKIPPED = 77
MOST_LINES = 6  # of a violation, with the messages of the program


class Skip(Exception):
    """The machine does not permit the ordeal; the text says what is missing."""


class Ordeal:
    """Options, figures and violations of one ordeal, and a folder that goes when it ends.

    `sabotages` are the names of the harms that `--sabotage NAME` does to the outcome, each of which
    the ordeal must notice: with it, the status is 0 when it was noticed and 1 when not.
    """

    def __init__(self, document, sabotages, options=()):
        parser = argparse.ArgumentParser(
            description=document, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("program", type=pathlib.Path)
        parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6),
                            help="of what is drawn by lot; printed with the figures")
        parser.add_argument("--folder", type=pathlib.Path,
                            help="where the scratch folder is made; default: the temporary folder")
        parser.add_argument("--keep", action="store_true", help="keep the scratch folder")
        parser.add_argument("--sabotage", choices=sorted(sabotages),
                            help="do this harm; the status is 0 when the ordeal notices")
        for name, settings in options:
            parser.add_argument(name, **settings)
        self.options = parser.parse_args()
        self.name = pathlib.Path(sys.argv[0]).stem
        self.program = self.options.program.resolve()
        if not os.access(self.program, os.X_OK):
            parser.error(f"{self.options.program} is not a program")
        self.random = random.Random(self.options.seed)
        self.violations = 0
        self.figures = {}
        self.processes = []  # that are not to outlive the ordeal
        self._sabotages_done = 0
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix=f"{self.name}-",
                                                     dir=self.options.folder))
        self.environment = scratch_environment(self.scratch)

    def check(self, good, text):
        """Counts and prints a violation unless `good`; returns `good`."""
        if not good:
            self.violations += 1
            lines = text.strip().splitlines()
            print(f"{self.name}: VIOLATION: " + "\n    ".join(lines[:MOST_LINES]), flush=True)
        return good

    def sabotage(self, name):
        """Whether the harm `name` is to be done now."""
        wanted = self.options.sabotage == name
        self._sabotages_done += wanted
        return wanted

    def count(self, figure, more=1):
        self.figures[figure] = self.figures.get(figure, 0) + more

    def most(self, figure, value):
        self.figures[figure] = max(self.figures.get(figure, value), value)

    def start(self, words, **settings):
        """A process that ends with the ordeal at the latest."""
        process = subprocess.Popen([str(word) for word in words], **settings)
        self.processes.append(process)
        return process

    def end_processes(self):
        for process in self.processes:
            if process.poll() is None:
                end(process)

    def hold(self, body):
        """Runs `body`, prints the figures, and ends the process."""
        begin = time.monotonic()
        print(f"{self.name}: seed {self.options.seed}, {effort.form()}", flush=True)  # also when it comes to no end
        # So that what was started ends, and folders go, on SIGTERM as on SIGINT.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        try:
            with contextlib.ExitStack() as stack:
                if self.options.keep:
                    print(f"{self.name}: the scratch folder is {self.scratch}", flush=True)
                else:
                    stack.callback(shutil.rmtree, self.scratch, ignore_errors=True)
                stack.callback(self.end_processes)
                body(self)
        except Skip as missing:
            print(f"{self.name}: SKIPPED: {missing}")
            sys.exit(SKIPPED)
        figures = " ".join(f"{name}={value:.3g}" if isinstance(value, float) else f"{name}={value}"
                           for name, value in self.figures.items())
        print(f"{self.name}: {figures} violations={self.violations} seed={self.options.seed} "
              f"seconds={time.monotonic() - begin:.1f}")
        if self.options.sabotage:
            if not self._sabotages_done:
                print(f"{self.name}: the sabotage {self.options.sabotage} was never done")
                sys.exit(2)
            noticed = self.violations > 0
            print(f"{self.name}: {self.options.sabotage} was {'' if noticed else 'NOT '}noticed")
            sys.exit(0 if noticed else 1)
        sys.exit(1 if self.violations else 0)


def scratch_environment(folder):
    """Variables under which the program keeps its state, cache and socket below `folder`."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("XDG_", "MEZZOTINT_", "LD_PRELOAD"))
                   and name not in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "CACHE_DIRECTORY",
                                    "LOGS_DIRECTORY", "NOTIFY_SOCKET", "WATCHDOG_USEC",
                                    "JOURNAL_STREAM")}
    environment["HOME"] = str(folder)
    for variable, name in (("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache"),
                           ("XDG_RUNTIME_DIR", "runtime")):
        path = folder / name
        path.mkdir(mode=0o700, exist_ok=True)
        environment[variable] = str(path)
    return environment


def require_options(ordeal, command, *names):
    """Ends the ordeal when the program has no such options: that is no reason to skip."""
    text = subprocess.run([ordeal.program, command, "--help"], capture_output=True, text=True,
                          check=False).stdout
    missing = [name for name in names if name not in text]
    if missing:
        sys.exit(f"{ordeal.name}: `mezzotint {command}` has no {', '.join(missing)}")


def require_strace():
    try:
        subprocess.run(["strace", "-f", "-o", "/dev/null", "-e", "trace=none", "true"], check=True,
                       capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Skip("strace is missing, or not permitted to trace here") from error


def run_to_end(words, environment, cwd, timeout=PATIENCE):
    """Completed process, with its text. One that hangs is a CompletedProcess of status None."""
    try:
        return subprocess.run([str(word) for word in words], env=environment, cwd=cwd, text=True,
                              capture_output=True, timeout=timeout, errors="replace", check=False)
    except subprocess.TimeoutExpired as hung:
        return subprocess.CompletedProcess(words, None, text_of(hung.stdout), text_of(hung.stderr))


def text_of(output):
    return output.decode(errors="replace") if isinstance(output, bytes) else output or ""


def require_good(result):
    """Ends the ordeal when a preparation fails."""
    if result.returncode != 0:
        sys.exit(f"{result.args}: status {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def json_lines(text):
    """The objects of output in JSON lines. What was cut off by a kill or a failed write is left
    out."""
    objects = []
    for line in text.splitlines():
        with contextlib.suppress(json.JSONDecodeError):
            objects.append(json.loads(line))
    return [line for line in objects if isinstance(line, dict)]


def tree(folder):
    """{path below the folder: digest} of every file, and of every link and odd thing its kind."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            found[name] = "not a file"
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def end(process, number=signal.SIGKILL):
    """Sends the signal to a process of ours that may be gone already, and waits for it."""
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(number)
    return process.wait(timeout=PATIENCE)


def wait_until(condition, timeout, pause=0.02):
    """What `condition` returned when it was true, or its last value when time is up."""
    deadline = time.monotonic() + timeout
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(pause)
    return value
