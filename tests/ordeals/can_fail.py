#!/usr/bin/env python3
"""Runs ordeals with each of their sabotages in turn: every one must be noticed.

  can_fail.py PROGRAM [ORDEAL...]     all of them by default; some minutes
"""

import importlib
import pathlib
import subprocess
import sys

ORDEALS = ("kill_resume", "interrupt", "rerun", "torn_journal", "fail_calls", "few_threads",
           "tight_memory", "large_check", "small_disk", "hot_burst", "slow_copies", "paused_copies",
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


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(__file__).resolve().parent
    missed, tried = [], 0
    for name in sys.argv[2:] or ORDEALS:
        for sabotage in sorted(importlib.import_module(name).SABOTAGES):
            words = [sys.executable, str(folder / f"{name}.py"), sys.argv[1], "--sabotage",
                     sabotage, *OPTIONS.get(name, [])]
            result = subprocess.run(words, capture_output=True, text=True, check=False)
            tried += 1
            verdict = {0: "noticed", 77: "skipped"}.get(result.returncode, "NOT NOTICED")
            print(f"{name} --sabotage {sabotage}: {verdict}", flush=True)
            if verdict == "NOT NOTICED":
                missed.append(f"{name} --sabotage {sabotage}")
                print(result.stdout + result.stderr)
    print(f"can_fail: {tried} sabotages, {len(missed)} not noticed")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
