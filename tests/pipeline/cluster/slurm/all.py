#!/usr/bin/env python3
"""Holds the ordeals of a cluster side by side, each on its own, since they mostly wait.

  all.py PROGRAM [ORDEAL...]              by default all of them
  all.py PROGRAM --sabotages [ORDEAL...]  with each of their sabotages; every one must be noticed

Status 0: no violation; 1: some; 77: none, but some ordeals could not be held here.
"""

import argparse
import concurrent.futures
import importlib
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
# The longest first.
ORDEALS = {
    "power_cut": ["power_cut.py"],
    "two_copies": ["two_copies.py"],
    "lost": ["lost.py"],
    "whole": ["whole.py"],
    "cluster_itself": ["cluster_itself.py"],
    "plain_cluster": ["cluster_itself.py", "--plain"],
    "stop": ["asked_to_stop.py"],
    "stop_without_requeue": ["asked_to_stop.py", "--no-requeue-exit"],
    "cancelled": ["cancelled.py"],
    "held": ["held.py"],
    "gpus": ["gpus.py"],
    "bad_page": ["bad_page.py"],
}
AT_ONCE = 6  # of those with sabotages


def runs(names, sabotages):
    """{name: words} of what is to be run."""
    if not sabotages:
        return {name: ORDEALS[name] for name in names}
    return {f"{name} --sabotage {sabotage}": [*ORDEALS[name], "--sabotage", sabotage]
            for name in names
            for sabotage in sorted(importlib.import_module(ORDEALS[name][0][:-3]).SABOTAGES)}


def run(program, words):
    words = [sys.executable, str(HERE / words[0]), program, *words[1:]]
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("ordeals", nargs="*", metavar="ORDEAL", default=list(ORDEALS),
                        help=", ".join(ORDEALS))
    parser.add_argument("--sabotages", action="store_true")
    options = parser.parse_intermixed_args()
    if strangers := set(options.ordeals) - set(ORDEALS):
        parser.error(f"no such ordeal: {', '.join(sorted(strangers))}")
    todo = runs(options.ordeals, options.sabotages)
    begin = time.monotonic()
    statuses = {}
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE if options.sabotages
                                               else len(todo)) as pool:
        futures = {pool.submit(run, options.program, words): name for name, words in todo.items()}
        for future in concurrent.futures.as_completed(futures):
            result, name = future.result(), futures[future]
            statuses[name] = result.returncode
            verdict = {0: "ok", SKIPPED: "SKIPPED"}.get(result.returncode,
                                                        f"FAILED, status {result.returncode}")
            print(f"-- {name}: {verdict}\n{result.stdout.rstrip()}", flush=True)
    failed = [name for name, status in statuses.items() if status not in (0, SKIPPED)]
    skipped = [name for name, status in statuses.items() if status == SKIPPED]
    print(f"all: {len(statuses)} held, {len(failed)} failed {failed}, {len(skipped)} skipped "
          f"{skipped}, {time.monotonic() - begin:.0f} s")
    sys.exit(1 if failed else SKIPPED if skipped else 0)


if __name__ == "__main__":
    main()
