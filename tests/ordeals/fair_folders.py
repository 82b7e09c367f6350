#!/usr/bin/env python3
"""Twenty hot folders of one watcher, one of them hostile: do the others wait longer for it?

Pages come in waves, some into each folder at once; the next wave comes when all of one have begun.
A shift of waves with twenty honest folders and one in which a user does his worst in one of them take
turns, each with a watcher of its own. The user does all that he does in hostile_folder.py, drops
thousands of good pages at once whenever few are left, copies slowly, and asks for the slowest method.
What an honest page waits, from its drop to its beginning, may be 1.5 times that without him: at the
median, and at the slowest of a hundred.

  fair_folders.py PROGRAM [--jobs N] [--shifts N] [--wave N] [--entries N] [--deep N] [--flood N]
                          10000, 5, 5, 3000, 2000 and 3000 by hand
"""

import contextlib
import itertools
import os
import random
import signal
import statistics
import time

import chain_pages
from hostile_folder import KEEP, Beginnings, disturb, prepare, remove, stranger
from numbered_pages import page
from ordeal import PATIENCE, Ordeal, require_options, wait_for, wait_until
from watching import HARMS, HotFolder, watching

FOLDERS = 20
MOST_TIMES = 1.5  # longer waits
FEW_PAGES, MOST_TIMES_OF_FEW = 1000, 3.0  # which tell less
FEW = 300         # pages of the user that are left: then he drops more
SHIFT_ENDS = 3600  # seconds, for a user who is not sent home
SLOW_PIECES = 100
HEAVY = "halftone: {method: les}"
HEAVY_SIDE, HEAVY_AT_ONCE = 800, 4
SABOTAGES = {**HARMS, "favour": "the user's folder has a higher priority than the others"}


def heavy(hot, name):
    """A page with a ticket that makes it take some seconds."""
    noise = random.Random(name).randbytes(HEAVY_SIDE**2)
    files = {f"{name}.yaml": f"mezzotint: 1\njob: {name}\npages:\n  - input: {name}.tif\n"
                             f"    {HEAVY}\n    output: {{path: \"plates/{name}.tif\"}}\n".encode(),
             f"{name}.tif": chain_pages.tiff(HEAVY_SIDE, HEAVY_SIDE, noise, 8, 1, 300, 1, [])}
    for file, data in files.items():
        (hot.path / ".heavy").write_bytes(data)
        (hot.path / ".heavy").rename(hot.path / file)


def flood(hot, until, at_once):
    """Goes on until that time: good pages, many at once, slow ones, and pages that grow slowly."""
    slow = page(10**7, 400, 304)
    names = itertools.count(1)
    while time.time() < until:
        with contextlib.suppress(OSError):
            names_there = [entry.name for entry in os.scandir(hot.path)]
            if not any(name.startswith("a-heavy") for name in names_there):
                for _ in range(HEAVY_AT_ONCE):
                    heavy(hot, f"a-heavy{next(names)}")  # first by name
            waiting = sum(name.startswith("flood") for name in names_there)
            for number in itertools.islice(names, at_once if waiting < FEW else 0):
                hidden = hot.path / ".flood"
                hidden.write_bytes(page(10**6 + number))
                hidden.rename(hot.path / f"flood{number}.tif")
        for number in range(10):
            with contextlib.suppress(OSError), open(hot.path / f"slow{number}.tif", "ab") as file:
                at = file.tell() % len(slow)
                file.write(slow[at:at + len(slow) // SLOW_PIECES])
        time.sleep(0.1)


@contextlib.contextmanager
def user_in(hot, options):
    """He disturbs and floods until he is sent home."""
    end = time.time() + SHIFT_ENDS
    children = [stranger(lambda: disturb(hot, end)),
                stranger(lambda: flood(hot, end, options.flood))]
    try:
        yield
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def user_has_begun(hot):
    """Whether both of his processes have dropped something."""
    names = hot.names(".")
    return any(name.startswith("touched") for name in names) and any(name.startswith("flood") for name in names)


def waves(ordeal, honest, numbers, jobs):
    """Seconds that pages waited."""
    beginnings = Beginnings()
    beginnings.start()
    a_wave = ordeal.options.wave
    for _ in range(max(1, jobs // (a_wave * FOLDERS))):
        for hot in honest * a_wave:
            number = next(numbers)
            beginnings.add(hot.path / f"p{number:06}.tif")
            hot.drop(number)
        if not wait_until(lambda: not beginnings.dropped, PATIENCE):
            ordeal.check(False, f"{len(beginnings.dropped)} pages have not begun after {PATIENCE} s, "
                         f"as {next(iter(beginnings.dropped))}")
            break
        time.sleep(ordeal.random.uniform(0.1, 0.5))
    return [seconds for seconds, _ in beginnings.took] + [PATIENCE] * len(beginnings.dropped)


def shift(ordeal, name, numbers, jobs, is_hostile):
    """A watcher of twenty folders, from its start to its end; what pages in honest ones waited."""
    honest = [HotFolder(ordeal.scratch / name / f"honest{n}")
              for n in range(FOLDERS - is_hostile)]
    options = ordeal.options
    with contextlib.ExitStack() as stack:
        folders = list(honest)
        if is_hostile:
            favour = {"priority": 99} if ordeal.sabotage("favour") else {}
            hostile = HotFolder(ordeal.scratch / name / "hostile", keep=KEEP, order="name",
                                **favour)
            prepare(ordeal, hostile, options.entries, options.deep)
            stack.callback(remove, hostile.path)
            folders.append(hostile)
        watch = stack.enter_context(watching(ordeal, folders, name=name))
        if is_hostile:
            stack.enter_context(user_in(hostile, options))
            ordeal.check(wait_for(lambda: user_has_begun(hostile), every=0.1), "the user does nothing")
        waits = waves(ordeal, honest, numbers, jobs)
        ordeal.check(all(hot.wait(PATIENCE) for hot in honest),
                     f"{name}: not all pages went through\n{watch.tail()}")
        if is_hostile:
            ordeal.count("hostile_jobs", len(watch.history()) - len(waits))
        ordeal.most("peak_mib", watch.kib("VmHWM") / 1024)
    for hot in honest:
        hot.judge(ordeal, f"{name}, {hot.path.name}")
        remove(hot.path)
    return waits


def percentile(values, percent):
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def compare(ordeal, without, beside):
    """Of all shifts together, and at the median also of each pair."""
    ordeal.check(without and beside, "no page was taken")
    most = MOST_TIMES if sum(map(len, beside)) >= FEW_PAGES else MOST_TIMES_OF_FEW
    for name, percent in (("median", 50), ("p99", 99)):
        one, other = (percentile(sum(shifts, []), percent) for shifts in (without, beside))
        ordeal.figures.update({f"{name}_s": one, f"{name}_beside_s": other,
                               f"{name}_times": other / one})
        ordeal.check(other <= most * one, f"pages waited {one:.2f} s, and {other:.2f} s beside "
                     f"a hostile folder: {name}")
    pairs = [statistics.median(other) / statistics.median(one)
             for one, other in zip(without, beside, strict=True)]
    ordeal.figures.update(pairs_times=",".join(f"{times:.2f}" for times in pairs),
                          worst_s=max(map(max, without)), worst_beside_s=max(map(max, beside)))


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket")
    options = ordeal.options
    numbers = itertools.count(1)
    without, beside = [], []
    for number in range(options.shifts):
        jobs = options.jobs // options.shifts
        # Which one is first changes, as the machine may be in another state by then.
        for is_hostile in (number % 2 == 1, number % 2 == 0):
            waits = shift(ordeal, f"shift{number}{'b' if is_hostile else 'a'}", numbers, jobs,
                          is_hostile)
            (beside if is_hostile else without).append(waits)
            print(f"  {'beside him' if is_hostile else 'without him'}: {len(waits)} pages waited "
                  f"{percentile(waits, 50):.2f} s, {percentile(waits, 99):.2f} s at p99", flush=True)
    ordeal.figures.update(pages=sum(map(len, without)), pages_beside=sum(map(len, beside)))
    compare(ordeal, without, beside)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--jobs", {"type": int, "default": 80, "help": "with the user, and as many without"}),
        ("--wave", {"type": int, "default": 2, "help": "pages for each folder at once"}),
        ("--shifts", {"type": int, "default": 1, "help": "of each"}),
        ("--entries", {"type": int, "default": 300}),
        ("--deep", {"type": int, "default": 200}),
        ("--flood", {"type": int, "default": 400, "help": "pages at once"})])
    ordeal.hold(hold)
