#!/usr/bin/env python3
"""Runs ordeals with each of their sabotages in turn: every one must be noticed.

  can_fail.py PROGRAM [ORDEAL...]     all of them by default; some minutes
"""

import argparse
import collections
import importlib
import pathlib
import subprocess
import sys

ORDEALS = ("kill_resume", "interrupt", "rerun", "torn_journal", "fail_calls", "few_threads",
           "tight_memory", "large_check", "small_disk", "poor_disk", "hot_burst", "slow_copies", "paused_copies",
           "hostile_folder", "fair_folders", "bad_mixed", "poison", "killed_watcher", "lost_folder",
           "hung_folder", "shares", "idle", "flood", "soak", "power_cut", "traced_watchers")
# As little as shows it.
OPTIONS = {"kill_resume": ["--count", "3", "--pages", "12"],
           "interrupt": ["--count", "3", "--pages", "12"],
           "rerun": ["--pages", "6"], "torn_journal": ["--count", "2"],
           "fail_calls": ["--count", "6"], "hot_burst": ["--count", "3"],
           "slow_copies": ["--writers", "12"], "paused_copies": ["--pages", "5", "--pause", "3"],
           "hostile_folder": ["--entries", "100", "--deep", "20", "--seconds", "5"], "bad_mixed": ["--count", "10"],
           "hung_folder": ["--cycles", "1", "--pages", "3"],
           "shares": ["--count", "6", "--hang", "8", "--shares", "smb"],
           "poison": ["--count", "4"], "killed_watcher": ["--count", "8", "--kills", "2"],
           "flood": ["--connections", "200", "--seconds", "3"], "traced_watchers": ["--count", "0"],
           # The state, the pages and the plates on file systems of their own hide least.
           "power_cut": ["--count", "60", "--systems", "ext4", "--layouts", "apart"]}


def verdict_of(result, sabotage):
    if result.returncode == 77:
        return "skipped"
    is_noticed = result.returncode == 0 and f"{sabotage} was noticed" in result.stdout
    return "noticed" if is_noticed else "NOT NOTICED"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("ordeals", nargs="*", metavar="ordeal", help=", ".join(ORDEALS))
    options = parser.parse_args()
    if unknown := set(options.ordeals) - set(ORDEALS):
        parser.error(f"there is no ordeal {', '.join(sorted(unknown))}")
    folder = pathlib.Path(__file__).resolve().parent
    found = collections.Counter()
    for name in options.ordeals or ORDEALS:
        for sabotage in sorted(importlib.import_module(name).SABOTAGES):
            words = [sys.executable, str(folder / f"{name}.py"), options.program, "--sabotage",
                     sabotage, *OPTIONS.get(name, [])]
            result = subprocess.run(words, capture_output=True, text=True, check=False)
            verdict = verdict_of(result, sabotage)
            found[verdict] += 1
            print(f"{name} --sabotage {sabotage}: {verdict}", flush=True)
            if verdict == "NOT NOTICED":
                print(result.stdout + result.stderr)
    print(f"can_fail: {found.total()} sabotages, {found['NOT NOTICED']} not noticed, "
          f"{found['skipped']} skipped")
    sys.exit(1 if found["NOT NOTICED"] else 0)


if __name__ == "__main__":
    main()
