#!/usr/bin/env python3
"""Days of a print shop, as many as there is patience for: does the watcher stay as it was?

A page about each second goes into one of three folders: some are damaged, some were printed before,
some come with a ticket and pass the whole chain. A browser and a monitor look on, an operator
dismisses what failed, and old files go as `keep` says. Every few minutes all pages so far are judged.
Samples of memory, descriptors, threads and latencies go to samples.tsv, and drift.py judges and draws
them.

  soak.py PROGRAM [--minutes M] [--rate PAGES] [--out FOLDER]     120 minutes, 1 page a second by hand,
                                              with --every 10
"""

import pathlib
import signal
import threading
import time

import drift
from numbered_pages import page
from ordeal import Ordeal, require_options
from watching import HARMS, HotFolder, asked, once, patience, watching

DAMAGED, AGAIN = 0.08, 0.1  # of all pages
CHAINED_EVERY = 20
SIZES = ((64, 16), (400, 304), (1200, 800))
KEEP = "{done: 10 min, failed: 10 min}"
RIGHT_AT_FIRST = 3  # pages, so that the short form has some to harm
MOST_IN_HISTORY = 10_000
SABOTAGES = {**HARMS, "recount": "a job is said to be done once more in the watcher's history",
             "swap": "two plates of mixed inks change places",
             "leak": "memory is said to grow by a quarter MiB in every sample",
             "creep": "two hours are made up in which 100 bytes a job stay",
             "descriptor": "some more descriptors are said to be open in the second half",
             "pause": "the watcher stands still for a while",
             "late": "every page is said to come a second and a half later"}


class Latencies(threading.Thread):
    """Notes when the plates of dropped pages are there."""

    def __init__(self):
        super().__init__(daemon=True)
        self.pending = {}  # last plate: when its page was dropped
        self.came = []     # ms
        self.lock = threading.Lock()

    def run(self):
        while True:
            time.sleep(0.01)
            with self.lock:
                waiting = list(self.pending)
            for plate in waiting:
                if plate.exists():
                    with self.lock:
                        self.came.append(1000 * (time.monotonic() - self.pending.pop(plate)))

    def add(self, plate, dropped):
        with self.lock:
            self.pending[plate] = dropped

    def take(self):
        with self.lock:
            came, self.came = self.came, []
        return came


class Shop:
    """The folders, and the pages that go into them."""

    def __init__(self, ordeal):
        self.ordeal = ordeal
        self.hot = [HotFolder(ordeal.scratch / f"hot{n}", size=size, chain_every=CHAINED_EVERY,
                              keep=KEEP) for n, size in enumerate(SIZES)]
        self.bad = [[] for _ in self.hot]
        self.latencies = Latencies()
        self.latencies.start()
        self.dropped, self.failed = 0, 0
        self.again = set()  # names of pages that were dropped twice

    def drop(self):
        """The next page, into any folder."""
        self.dropped += 1
        number, lot = self.dropped, self.ordeal.random.random()
        which = number % len(self.hot)
        hot = self.hot[which]
        is_plain = number <= RIGHT_AT_FIRST * len(self.hot) or number % CHAINED_EVERY == 0
        printed = [] if is_plain else self.printed(hot)
        if lot < DAMAGED and not is_plain:
            self.bad[which].append(self.drop_damaged(hot, number))
        elif lot < DAMAGED + AGAIN and printed:
            name = self.ordeal.random.choice(printed)
            hot.drop_again(name)
            self.again.add(pathlib.Path(name).stem)
        else:
            begin = time.monotonic()
            name = hot.drop(number)
            stem = pathlib.Path(name).stem
            last = f"{hot.CHAINED}/{stem}_black.tif" if name in hot.chained else f"{stem}.tif"
            self.latencies.add(hot.path / "plates" / last, begin)

    def printed(self, hot):
        """Plain pages that are done, of those since the last judgement."""
        plain = hot.numbers.keys() - hot.chained.keys() - hot.again.keys()
        return sorted(name for name in plain & hot.names("done")
                      if pathlib.Path(name).stem not in self.again)

    def drop_damaged(self, hot, number):
        """Cut off, or with a directory of nonsense."""
        data = page(number, *hot.size)
        hot.put(f"bad{number:06}.tif", data[:len(data) // 2] if number % 2 else
                data[:10] + self.ordeal.random.randbytes(200))
        self.failed += 1
        return f"bad{number:06}.tif"

    def judge(self, watch):
        """Waits for all pages, judges and forgets them; an operator dismisses those that failed."""
        for number, (hot, bad) in enumerate(zip(self.hot, self.bad, strict=True)):
            count = len(hot.numbers) + len(bad)
            self.ordeal.check(hot.wait(patience(count), {*hot.numbers, *bad}),
                              f"hot{number}: not all pages went through\n{watch.tail()}")
            if hot.chained and self.ordeal.sabotage("swap"):
                swap(hot.path / "plates" / hot.CHAINED)
            if hot.numbers:
                hot.judge(self.ordeal, f"hot{number}", bad)
            hot.forget(bad)
            bad.clear()
        for job in watch.request("list").get("finished", []):
            if job["state"] == "failed":
                watch.request("dismiss", job=job["id"])


def swap(folder):
    one, two = sorted(folder.iterdir())[:2]
    data = one.read_bytes()
    one.write_bytes(two.read_bytes())
    two.write_bytes(data)


class Recorder:
    """Takes the samples. Of descriptors and threads the least counts, as workers have some for a
    moment, while what is lost shows in the least too."""

    def __init__(self, ordeal, watch, shop, folder):
        self.ordeal, self.watch, self.shop, self.folder = ordeal, watch, shop, folder
        self.samples = drift.Samples(folder / "samples.tsv")
        self.begin = time.monotonic()
        self.port = watch.port()
        self.least = []

    def glance(self):
        self.least.append((self.watch.descriptors(), self.watch.kib("Threads")))

    def sample(self):
        begin = time.monotonic()
        status, seconds = asked(self.port, "/healthz")
        self.ordeal.check(status == 200, f"/healthz: status {status} after {seconds:.1f} s")
        for path in ("/view.json", "/metrics"):  # as a browser and a monitor do
            asked(self.port, path)
        descriptors, threads = map(min, zip(*self.least, strict=True))
        self.least = self.least[-1:]
        self.samples.add(
            seconds=begin - self.begin, jobs=self.shop.dropped, rss_kib=self.watch.kib(),
            anon_kib=self.watch.kib("Anonymous", "smaps_rollup"), threads=threads,
            descriptors=descriptors, cpu_s=self.watch.cpu_seconds(), healthz_ms=1000 * seconds,
            history_kib=sum(file.stat().st_size for file in self.watch.state.glob("watch.db*")) / 1024,
            load=float(pathlib.Path("/proc/loadavg").read_text().split()[0]),
            latency_ms=self.shop.latencies.take())

    def draw(self):
        drift.draw(self.samples.rows, self.folder / "samples.svg")


def go_on(ordeal, watch, shop, recorder):
    """Pages, samples and judgements until time is up."""
    options = ordeal.options
    end = recorder.begin + 60 * options.minutes
    drop = sample = recorder.begin
    judgement = recorder.begin + options.period
    while time.monotonic() < end:
        shop.drop()
        recorder.glance()
        if time.monotonic() >= sample:
            recorder.sample()
            sample = max(sample + options.every, time.monotonic())
        if time.monotonic() >= judgement:
            shop.judge(watch)
            recorder.draw()
            judgement = time.monotonic() + options.period
        if shop.dropped == 5 and ordeal.sabotage("pause"):
            watch.process.send_signal(signal.SIGSTOP)
            threading.Timer(6, watch.process.send_signal, [signal.SIGCONT]).start()
        drop = max(drop + 1 / options.rate, time.monotonic())
        time.sleep(drop - time.monotonic() if drop > time.monotonic() else 0)
    shop.judge(watch)
    recorder.glance()
    recorder.sample()


def harmed(ordeal, rows):
    """The sabotages of what was measured."""
    for at, row in enumerate(rows):
        if ordeal.sabotage("leak"):
            row["anon_kib"] += 1024 * at
        if ordeal.sabotage("descriptor"):
            row["descriptors"] += 8 * (at > len(rows) // 2)
        if ordeal.sabotage("late"):
            row["latency_ms"] = [one + 1500 for one in row["latency_ms"]]
    if ordeal.sabotage("creep"):
        rows = [{**rows[-1], "seconds": 10.0 * at, "jobs": 10 * at,
                 "anon_kib": 9000 + at + ordeal.random.gauss(0, 20)} for at in range(720)]
    return rows


def hold(ordeal):
    require_options(ordeal, "watch", "--jobs", "--state", "--socket", "--http")
    folder = ordeal.options.out or ordeal.scratch
    folder.mkdir(parents=True, exist_ok=True)
    shop = Shop(ordeal)
    with watching(ordeal, shop.hot, "--http", "0") as watch:
        recorder = Recorder(ordeal, watch, shop, folder)
        go_on(ordeal, watch, shop, recorder)
    if shop.dropped <= MOST_IN_HISTORY:
        once(ordeal, "soak", [watch], shop.dropped, shop.failed, shop.again)
    ordeal.figures.update(jobs=shop.dropped, damaged=shop.failed, again=len(shop.again))
    recorder.draw()
    figures, wrong = drift.judge(harmed(ordeal, recorder.samples.rows))
    ordeal.figures.update(figures)
    for text in wrong.values():
        ordeal.check(False, text)


if __name__ == "__main__":
    ordeal = Ordeal(__doc__, SABOTAGES, [
        ("--minutes", {"type": float, "default": 0.1}),
        ("--rate", {"type": float, "default": 4.0, "help": "pages a second"}),
        ("--every", {"type": float, "default": 0.5, "help": "seconds between samples"}),
        ("--period", {"type": float, "default": 300.0, "help": "seconds between judgements"}),
        ("--out", {"type": pathlib.Path, "help": "for samples.tsv and samples.svg"})])
    ordeal.hold(hold)
