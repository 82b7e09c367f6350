#!/usr/bin/env python3
"""Judges the samples of a soak, and draws them.

  drift.py SAMPLES.tsv [DRAWING.svg]     status 1 when something drifts

Memory: anonymous memory after the warm-up, which ends when all bounded stores of the watcher are
full: jobs are looked at for late changes for an hour, 1,000 of each folder at most; 200 are shown;
SQLite's cache has 256 KiB. Its slope must be below 64 bytes a job: what a job could leave behind for
good is at least its number with a place in a list, which takes the allocator more than that. The noise
must be below it too, or the samples tell nothing: two standard errors, of means over five minutes, as
samples that follow each other are alike.
"""

import math
import pathlib
import statistics
import sys

COLUMNS = ("seconds", "jobs", "rss_kib", "anon_kib", "threads", "descriptors", "history_kib",
           "cpu_s", "healthz_ms", "load", "latency_ms")  # the last one: of each page since the last row
WARM_UP = 3600.0          # seconds; in runs of less than two hours, a quarter of them
BLOCK = 300.0             # seconds, of the means that the slope is taken from
MOST_BYTES_A_JOB = 64
SLOPE_FROM = 1800.0       # seconds of samples below which a slope tells nothing
COARSE_MIB = 4.0          # growth that even a few seconds show
MOST_MS = {"p50": 1000, "p99": 10_000, "healthz_p50": 200, "healthz_max": 3000}  # with other load, too
MOST_TIMES = 2.0          # slower in the last half than in the first
FEWEST = 8                # samples
ENOUGH = 100              # pages in a half, to compare them


class Samples:
    """Rows, as they come, in a file of tab-separated values."""

    def __init__(self, path):
        self.path = path
        self.rows = []
        path.write_text("\t".join(COLUMNS) + "\n")

    def add(self, **row):
        self.rows.append(row)
        with open(self.path, "a", encoding="utf-8") as file:
            print(*(text_of(row[column]) for column in COLUMNS), sep="\t", file=file)


def text_of(value):
    if isinstance(value, list):
        return ",".join(f"{one:.0f}" for one in value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = []
    for line in lines[1:]:
        row = dict(zip(lines[0].split("\t"), line.split("\t"), strict=True))
        latencies = [float(one) for one in row.pop("latency_ms").split(",") if one]
        rows.append({**{name: float(value) for name, value in row.items()}, "latency_ms": latencies})
    return rows


def after_warm_up(rows):
    length = rows[-1]["seconds"] - rows[0]["seconds"]
    begin = rows[0]["seconds"] + (WARM_UP if length > 1.9 * WARM_UP else length / 4)
    return [row for row in rows if row["seconds"] >= begin]


def slope(rows, column):
    """(slope, two standard errors) of a column, per job; from means of blocks."""
    blocks = {}
    for row in rows:
        blocks.setdefault(int((row["seconds"] - rows[0]["seconds"]) // BLOCK), []).append(row)
    x = [statistics.mean(row["jobs"] for row in block) for block in blocks.values()]
    y = [statistics.mean(row[column] for row in block) for block in blocks.values()]
    line = statistics.linear_regression(x, y)
    spread = sum((one - statistics.mean(x)) ** 2 for one in x)
    rest = sum((b - line.intercept - line.slope * a) ** 2 for a, b in zip(x, y, strict=True))
    return line.slope, 2 * (rest / (len(x) - 2) / spread) ** 0.5


def percentile(values, percent):
    values = sorted(values) or [0.0]
    return values[min(len(values) - 1, int(len(values) * percent / 100))]


def quarters(rows, column, measure):
    """A measure of a column in the first and the last quarter."""
    count = max(1, len(rows) // 4)
    return (measure(row[column] for row in rows[:count]),
            measure(row[column] for row in rows[-count:]))


def judge(rows):
    """Figures, and what drifts as {name: text}."""
    rows = after_warm_up(rows)
    figures, wrong = {"rss_mib": rows[-1]["rss_kib"] / 1024}, {}
    judge_memory(rows, figures, wrong)
    for column in ("descriptors", "threads"):
        first, last = quarters(rows, column, min)
        figures[column] = int(last)
        if last > first:
            wrong[column] = f"{first:.0f} {column}, and {last:.0f} in the end"
    judge_times(rows, figures, wrong)
    seconds = rows[-1]["seconds"] - rows[0]["seconds"] or 1.0
    figures["cpu_percent"] = 100 * (rows[-1]["cpu_s"] - rows[0]["cpu_s"]) / seconds
    return figures, wrong


def judge_times(rows, figures, wrong):
    halves = [[one for row in half for one in row["latency_ms"]]
              for half in (rows[:len(rows) // 2], rows[len(rows) // 2:])]
    healthz = [row["healthz_ms"] for row in rows]
    for name, values, percent in (("p50", sum(halves, []), 50), ("p99", sum(halves, []), 99),
                                  ("healthz_p50", healthz, 50), ("healthz_p99", healthz, 99),
                                  ("healthz_max", healthz, 100)):
        figures[f"{name}_ms"] = percentile(values, percent)
        if figures[f"{name}_ms"] > MOST_MS.get(name, math.inf):
            wrong[name] = f"{name}: {figures[f'{name}_ms']:.0f} ms, {MOST_MS[name]} at most"
    first, last = (percentile(half, 50) for half in halves)
    figures["p50_first_half_ms"], figures["p50_last_half_ms"] = first, last
    if len(halves[0]) >= ENOUGH and last > MOST_TIMES * first:
        wrong["latency"] = f"pages took {first:.0f} ms, and {last:.0f} in the second half"


def judge_memory(rows, figures, wrong):
    first, last = quarters(rows, "anon_kib", statistics.median)
    figures["anon_first_mib"], figures["anon_last_mib"] = first / 1024, last / 1024
    if last - first > COARSE_MIB * 1024:
        wrong["memory"] = f"memory: {first / 1024:.1f} MiB, and {last / 1024:.1f} in the end"
    if rows[-1]["seconds"] - rows[0]["seconds"] < SLOPE_FROM:
        return
    grows, noise = (1024 * value for value in slope(rows, "anon_kib"))
    figures["bytes_a_job"], figures["bytes_a_job_noise"] = grows, noise
    if grows > MOST_BYTES_A_JOB:
        wrong["memory"] = f"memory grows by {grows:.0f} bytes a job, give or take {noise:.0f}"
    elif noise > MOST_BYTES_A_JOB:
        wrong["memory"] = f"memory goes up and down by {noise:.0f} bytes a job, which tells nothing"


WIDTH, HEIGHT, LEFT, GAP = 900, 130, 60, 34
COLOURS = ("#0b6", "#c33", "#36c")
PANELS = (("memory, MiB", (("anonymous", lambda row: row["anon_kib"] / 1024),
                           ("resident", lambda row: row["rss_kib"] / 1024))),
          ("descriptors, threads", (("descriptors", lambda row: row["descriptors"]),
                                    ("threads", lambda row: row["threads"]))),
          ("drop to plate, ms", (("median", lambda row: percentile(row["latency_ms"], 50)),
                                 ("longest", lambda row: max(row["latency_ms"] or [0])))),
          ("/healthz, ms", (("", lambda row: row["healthz_ms"]),)),
          ("history, MiB", (("", lambda row: row["history_kib"] / 1024),)),
          ("load of the machine", (("", lambda row: row["load"]),)))


def draw(rows, path):
    """All columns over the minutes, as SVG; the warm-up is shaded."""
    minutes = [row["seconds"] / 60 for row in rows]
    end = max(minutes[-1], 1e-3)
    height = GAP + len(PANELS) * (HEIGHT + GAP)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="#fff"/>']
    warm = after_warm_up(rows)[0]["seconds"] / 60
    for index, (title, curves) in enumerate(PANELS):
        lines += panel(GAP + index * (HEIGHT + GAP), title, curves, rows, minutes, end, warm)
    lines.append(f'<text x="{WIDTH - 20}" y="{height - 8}" text-anchor="end">{end:.1f} minutes, '
                 f'{rows[-1]["jobs"]:.0f} jobs</text></svg>')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def panel(top, title, curves, rows, minutes, end, warm):
    """One frame with its curves, from 0 up."""
    values = [[value(row) for row in rows] for _, value in curves]
    most = max(max(one) for one in values) * 1.1 or 1
    scale = (WIDTH - LEFT - 20) / end
    lines = [f'<rect x="{LEFT}" y="{top}" width="{warm * scale:.1f}" height="{HEIGHT}" fill="#eee"/>',
             f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - 20}" height="{HEIGHT}" fill="none" '
             'stroke="#888"/>',
             f'<text x="{LEFT}" y="{top - 6}">{title}</text>',
             f'<text x="{LEFT - 6}" y="{top + 10}" text-anchor="end">{most:.3g}</text>',
             f'<text x="{LEFT - 6}" y="{top + HEIGHT}" text-anchor="end">0</text>']
    for number, ((name, _), column) in enumerate(zip(curves, values, strict=True)):
        points = " ".join(f"{LEFT + x * scale:.1f},{top + HEIGHT * (1 - y / most):.1f}"
                          for x, y in zip(minutes, column, strict=True))
        lines += [f'<polyline fill="none" stroke="{COLOURS[number]}" points="{points}"/>',
                  f'<text x="{LEFT + 200 + 110 * number}" y="{top - 6}" fill="{COLOURS[number]}">'
                  f'{name}</text>']
    return lines


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    rows = read(path) if path.is_file() else []
    if len(rows) < FEWEST:
        sys.exit(f"{path} has {len(rows)} samples; it takes {FEWEST} to tell anything")
    figures, wrong = judge(rows)
    for name, value in figures.items():
        print(f"{name}: {value:.4g}")
    for text in wrong.values():
        print(f"DRIFT: {text}")
    if len(sys.argv) == 3:
        draw(rows, pathlib.Path(sys.argv[2]))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
